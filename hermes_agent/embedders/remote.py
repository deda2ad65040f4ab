"""Embedders behind HTTP: one request after another, patient with a busy server, strict with what it answers.

No key and no text is ever logged or repeated in an error.
"""

import itertools
import json
import random
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from math import isfinite

import httpx2
import numpy

from hermes_agent import clock, stopping
from hermes_agent.config.addresses import is_loopback
from hermes_agent.embedders.answers import matrix
from hermes_agent.embedders.batches import Limits, embed_in_batches
from hermes_agent.embedders.embedder import Matrix, Vector
from hermes_agent.embedders.unrelated import SENTENCES
from hermes_agent.embedders.vendor import Model, Question, Vendor
from hermes_agent.errors import EmbedderDown, EmbedderMismatch
from hermes_agent.patience import Patience, within
from hermes_agent.text import secrets
from hermes_agent.text.clean import preview

PATIENT = Patience(attempts=3, longest_wait_seconds=20)
# Somebody waits for the answer to a query, and words alone find something too.
HURRIED = Patience(attempts=2, first_wait_seconds=0.1, longest_wait_seconds=1)
SECONDS = 60.0
QUERY_SECONDS = 10.0

_CONNECT_SECONDS = 5.0
_PRINTED_BYTES = 32  # of one number, at most
_QUOTED_CHARACTERS = 200
_BUSY = (408, 409, 425, 429)
_TOO_MUCH = (400, 413, 422)
_AGAIN = "Until then memory is found without it."
# How servers say that a text is longer than their model's window; some do so as if they had broken down.
_TOO_LONG = ("too long", "too large", "context length", "context size")
_SHORTEST_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class Target:
    """Which server is asked for which vectors. `key_variable` is where the key stands, or should."""

    vendor: Vendor
    model: Model
    dimensions: int
    address: str
    key_variable: str
    batch_size: int
    key: str | None = field(default=None, repr=False)

    @property
    def place(self) -> str:
        """Who is asked, for sentences."""
        is_vendor = self.address == self.vendor.address
        return self.vendor.title if is_vendor else f"{self.vendor.title} at {self.address}"


@dataclass(frozen=True, slots=True)
class _Trouble:
    """Why there is no answer, and what may help: waiting, or asking for less at once."""

    error: EmbedderDown
    is_transient: bool = False
    is_too_much: bool = False
    asked_seconds: float | None = None


class Remote:
    """Asks a server for vectors."""

    is_local = False

    def __init__(
        self,
        target: Target,
        *,
        patience: Patience = PATIENT,
        query_patience: Patience = HURRIED,
        seconds: float = SECONDS,
        query_seconds: float = QUERY_SECONDS,
    ) -> None:
        self._target = target
        self._patience, self._query_patience = patience, query_patience
        self._seconds, self._query_seconds = seconds, query_seconds
        self._opening = threading.Lock()
        self._client: httpx2.Client | None = None
        vendor, model = target.vendor, target.model
        self.name = f"{vendor.provider}:{model.name}"
        self.fingerprint = f"{vendor.provider}/{model.name}@1/{target.dimensions}/{model.form}"
        self.dimensions = target.dimensions
        self.batch_size = min(target.batch_size, vendor.most_texts)
        self._limits = Limits(model.window_bytes, self.batch_size, vendor.most_bytes)

    @property
    def has_key(self) -> bool:
        """Whether the server is asked with a key."""
        return self._target.key is not None

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return a row of length 1 for each text."""
        return embed_in_batches(texts, self.dimensions, self._limits, self._embed_texts)

    def embed_query(self, text: str) -> Vector:
        """Return the vector of what somebody looks for, soon or not at all."""
        deadline = clock.monotonic() + self._query_seconds
        prefix = self._target.model.query_prefix

        def ask(texts: Sequence[str]) -> Matrix:
            return self._ask([prefix + each for each in texts], deadline)

        row: Vector = embed_in_batches([text], self.dimensions, self._limits, ask)[0]
        return row

    def close(self) -> None:
        """Close the connections."""
        with self._opening:
            if self._client is not None:
                self._client.close()
                self._client = None

    def _embed_texts(self, texts: Sequence[str]) -> Matrix:
        prefix = self._target.model.text_prefix
        return self._ask([prefix + text for text in texts])

    def _ask(self, texts: Sequence[str], deadline: float | None = None) -> Matrix:
        """Ask until there is an answer, or waiting is no use; what is too much for one request is halved.

        Of a text that is too long by itself the first half counts, or the half of that. A short one that is
        declined, while another is not, gets zeros: it must not keep all others from their vectors.

        A query has a deadline for all that is tried; without one every request has its own time.
        """
        target, is_query = self._target, deadline is not None
        patience = self._query_patience if is_query else self._patience
        asked = None if target.dimensions == target.model.dimensions else target.dimensions
        question = Question(target.model.name, asked, texts, is_query)
        for attempt in itertools.count(1):
            came = self._send(question, deadline)
            if isinstance(came, bytes):
                return self._read(came, len(texts))
            if came.is_too_much and len(texts) > 1:
                middle = len(texts) // 2
                halves = (texts[:middle], texts[middle:])
                return numpy.concatenate([self._ask(half, deadline) for half in halves])
            if came.is_too_much and len(texts[0]) > _SHORTEST_CHARACTERS:
                return self._ask([texts[0][: len(texts[0]) // 2]], deadline)
            if came.is_too_much and not is_query and self._takes_another(question):
                return numpy.zeros((1, target.dimensions), numpy.float32)
            wait = patience.wait_seconds(attempt, came.asked_seconds, random.random())
            if not came.is_transient or wait is None or _is_past(deadline, wait):
                raise came.error
            stopping.sleep(wait)
        raise AssertionError("the loop ends by returning or raising")

    def _takes_another(self, question: Question) -> bool:
        probe = self._target.model.text_prefix + SENTENCES[0]
        return isinstance(self._send(replace(question, texts=[probe])), bytes)

    def _send(self, question: Question, deadline: float | None = None) -> bytes | _Trouble:
        """Ask once and wait for the answer, also for the name of the server and each line of the headers."""
        client, now = self._open(), clock.monotonic()
        end = now + self._seconds if deadline is None else deadline
        try:
            return within(end - now, lambda: self._fetch(client, question, end), "embedder", client.close)
        except TimeoutError:
            self._leave(client)
            return self._too_late(question)

    def _fetch(self, client: httpx2.Client, question: Question, deadline: float) -> bytes | _Trouble:
        target = self._target
        seconds = max(0.0, deadline - clock.monotonic())
        most_bytes = 65_536 + len(question.texts) * target.dimensions * _PRINTED_BYTES
        timeout = httpx2.Timeout(seconds, connect=min(seconds, _CONNECT_SECONDS))
        body = bytearray()
        try:
            with client.stream(
                "POST",
                target.address + target.vendor.path,
                json=target.vendor.request(question),
                headers={} if target.key is None else {"Authorization": f"Bearer {target.key}"},
                timeout=timeout,
            ) as response:
                for piece in response.iter_bytes():
                    body += piece
                    if len(body) > most_bytes:
                        return _Trouble(EmbedderDown(f"{target.place} answered with far more than was asked for."))
                    if clock.monotonic() > deadline:
                        return self._too_late(question)
        except httpx2.TimeoutException:
            return self._too_late(question)
        except httpx2.ConnectError:
            return _Trouble(_unreachable(target), is_transient=True)
        except (httpx2.HTTPError, httpx2.InvalidURL):
            return _Trouble(EmbedderDown(f"{target.place} broke off its answer.", hint=_AGAIN), is_transient=True)
        return bytes(body) if response.status_code == 200 else _refusal(target, response, bytes(body), question)

    def _too_late(self, question: Question) -> _Trouble:
        # Not asked again at once: it may still be working on what it was sent.
        seconds = self._query_seconds if question.is_query else self._seconds
        message = f"{self._target.place} did not answer in {seconds:g} seconds."
        return _Trouble(EmbedderDown(message, hint=_AGAIN))

    def _read(self, body: bytes, count: int) -> Matrix:
        target = self._target
        try:
            return matrix(target.vendor.read(_parsed(body), count), target.dimensions)
        except EmbedderMismatch as error:
            message = f"{target.place} ({target.model.name}): {error.message}"
            raise EmbedderMismatch(message, hint=error.hint) from None

    def _open(self) -> httpx2.Client:
        with self._opening:
            if self._client is None:
                self._client = httpx2.Client(trust_env=not is_loopback(self._target.address))
            return self._client

    def _leave(self, client: httpx2.Client) -> None:
        """Ask the next time with new connections: one of these is still being waited for, in a thread."""
        with self._opening:
            if self._client is client:
                self._client = None


def _is_past(deadline: float | None, wait: float) -> bool:
    return deadline is not None and clock.monotonic() + wait >= deadline


def _parsed(body: bytes) -> object:
    """Return the JSON of a body; None when it is none."""
    try:
        parsed: object = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return parsed


def _refusal(target: Target, response: httpx2.Response, body: bytes, question: Question) -> _Trouble:
    """Say what an answer means that is none."""
    status, place = response.status_code, target.place
    said = _said(target, body, question)
    if status in (401, 403):
        return _Trouble(_not_let_in(target))
    if status == 404:
        return _Trouble(
            EmbedderDown(
                f"{place} has no model {target.model.name!r}, or is no embedder.{said}",
                hint="See memory.embeddings.model and memory.embeddings.baseUrl. Ollama: `ollama pull NAME`.",
            )
        )
    is_too_long = any(words in said.lower() for words in _TOO_LONG)
    if (status in _BUSY or status >= 500) and not is_too_long:
        busy = EmbedderDown(f"{place} is busy or has trouble ({status}).{said}", hint=_AGAIN)
        return _Trouble(busy, is_transient=True, asked_seconds=_asked_seconds(response))
    refused = EmbedderDown(f"{place} declined the request ({status}).{said}")
    return _Trouble(refused, is_too_much=is_too_long or status in _TOO_MUCH)


def _not_let_in(target: Target) -> EmbedderDown:
    if target.key is None:
        return EmbedderDown(
            f"{target.place} wants a key, and {target.key_variable} is not set.",
            hint=f"Add a line `{target.key_variable}=…` to the home's .env.",
        )
    return EmbedderDown(
        f"{target.place} did not accept the key in {target.key_variable}.",
        hint="Check that it is whole, not expired, and the key of this vendor.",
    )


def _unreachable(target: Target) -> EmbedderDown:
    return EmbedderDown(f"No server answers at {target.address}.", hint=f"Is it running? {_AGAIN}")


def _asked_seconds(response: httpx2.Response) -> float | None:
    """Return how long the server wants to be left alone: a number of seconds, or a date."""
    asked = response.headers.get("Retry-After", "")
    try:
        seconds = float(asked)
    except ValueError:
        try:
            seconds = clock.to_seconds(clock.from_datetime(parsedate_to_datetime(asked)) - clock.now())
        except (ValueError, OverflowError):
            return None
    return max(0.0, seconds) if isfinite(seconds) else None


def _said(target: Target, body: bytes, question: Question) -> str:
    """Quote what the server wrote for people, with a space in front; nothing if it repeats what it was sent."""
    answer = _parsed(body)
    inner = answer.get("error", answer.get("detail")) if isinstance(answer, Mapping) else None
    words = inner.get("message") if isinstance(inner, Mapping) else inner
    if not isinstance(words, str) or not words.strip() or any(text[:16] in words for text in question.texts):
        return ""
    if target.key is not None:
        words = words.replace(target.key, "…")
    return f" It says: {preview(secrets.redact(words)[0], _QUOTED_CHARACTERS)}"
