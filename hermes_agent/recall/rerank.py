"""Let a cross-encoder put what was found into a better order, or leave the order as it is.

Off by default and bounded in time. A server with `/rerank` (Cohere, Jina, Voyage, llama.cpp) is asked, or a model
in a folder is run. Whatever fails, the order stands; why is kept in the store, so that `hermes status` shows it.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite

from hermes_agent import clock
from hermes_agent.config.addresses import is_loopback
from hermes_agent.patience import BrokeOff, within
from hermes_agent.recall import rerank_onnx
from hermes_agent.recall.asking import Reranking as Reranking
from hermes_agent.recall.finding import Found
from hermes_agent.recall.hit import Hit
from hermes_agent.recall.rerank_onnx import RerankFailed
from hermes_agent.store import meta
from hermes_agent.store.store import Store

TEXT_CHARACTERS = 2_000
_ANSWER_BYTES = 4_000_000
_TROUBLE = "rerank.trouble"


@dataclass(frozen=True, slots=True)
class Reordered:
    """The hits in the order they should have; `trouble` says why it is still the one they had."""

    hits: Sequence[Hit]
    trouble: str | None = None


def apply(store: Store, query: str, hits: Sequence[Hit], settings: Reranking) -> Reordered:
    """Put hits into a better order if that is wanted, and keep what went wrong, or that nothing does any more."""
    if settings.provider == "none" or len(hits) < 2:
        return Reordered(hits)
    made = reorder(query, hits, settings)
    if (made.trouble or "") != (trouble(store) or ""):
        with store.write(is_aside=True) as connection:
            meta.put(connection, _TROUBLE, made.trouble or "")
    return made


def reranked(store: Store, found: Found, query: str, settings: Reranking) -> Found:
    """Return what was found in the better order, with what went wrong among the troubles."""
    made = apply(store, query, found.hits, settings)
    if made.trouble is not None:
        return replace(found, troubles=[*found.troubles, made.trouble])
    return replace(found, hits=made.hits, is_reranked=settings.provider != "none")


def trouble(store: Store) -> str | None:
    """Say why the last attempt to find a better order failed; None if it did not."""
    with store.read() as connection:
        return meta.get(connection, _TROUBLE) or None


def reorder(query: str, hits: Sequence[Hit], settings: Reranking) -> Reordered:
    """Put the best of the hits into the order of their scores; those without a score follow as they were."""
    texts = [hit.text[:TEXT_CHARACTERS] for hit in hits[: settings.top_n]]
    try:
        scores = _scores(query[:TEXT_CHARACTERS], texts, settings)
    except RerankFailed as error:
        return Reordered(hits, error.message)
    order = sorted(scores, key=lambda place: (-scores[place], place))
    order += [place for place in range(len(hits)) if place not in scores]
    return Reordered([hits[place] for place in order])


def _scores(query: str, texts: Sequence[str], settings: Reranking) -> Mapping[int, float]:
    match settings.provider:
        case "http":
            return _within(settings, lambda: _ask(query, texts, settings))
        case "onnx":
            return _within(settings, lambda: _run(query, texts, settings))
        case _:
            return {}


def _within(settings: Reranking, score: Callable[[], Mapping[int, float]]) -> Mapping[int, float]:
    """Score for as long as is set.

    A model cannot be stopped while it is loaded; one that comes too late is loaded then for the next search.
    """

    def work() -> Mapping[int, float] | RerankFailed:
        try:
            return score()
        except RerankFailed as error:
            return error

    try:
        answer = within(settings.timeout_ms / 1_000, work, "rerank")
    except TimeoutError:
        raise _late(settings) from None
    except BrokeOff:
        raise RerankFailed("The reranker gave something that was not foreseen.") from None
    if isinstance(answer, RerankFailed):
        raise answer
    return answer


def _run(query: str, texts: Sequence[str], settings: Reranking) -> Mapping[int, float]:
    return dict(enumerate(rerank_onnx.scores(query, texts, settings.path, settings.timeout_ms)))


def _ask(query: str, texts: Sequence[str], settings: Reranking) -> Mapping[int, float]:
    import httpx2

    if settings.url is None:
        raise RerankFailed("memory.rerank.provider is http, but memory.rerank.url is not set.")
    url = settings.url.rstrip("/")
    url = url if url.endswith("/rerank") else f"{url}/rerank"
    asked: dict[str, object] = {"query": query, "documents": list(texts)}
    if settings.model is not None:
        asked["model"] = settings.model
    headers = {} if settings.key is None else {"Authorization": f"Bearer {settings.key}"}
    seconds = settings.timeout_ms / 1_000
    end = clock.monotonic() + seconds
    body = bytearray()
    try:
        with (
            httpx2.Client(trust_env=not is_loopback(url), timeout=seconds) as client,
            client.stream("POST", url, json=asked, headers=headers) as response,
        ):
            for piece in response.iter_bytes():
                body += piece
                if len(body) > _ANSWER_BYTES or clock.monotonic() > end:
                    raise _late(settings)
    except httpx2.TimeoutException:
        raise _late(settings) from None
    except (httpx2.HTTPError, httpx2.InvalidURL, ValueError):  # ValueError: a key that cannot stand in a header
        raise RerankFailed(f"The reranker at {url} cannot be reached.") from None
    if response.status_code != 200:
        raise RerankFailed(f"The reranker at {url} answered with {response.status_code}.")
    return read(bytes(body), len(texts))


def read(body: bytes, count: int) -> Mapping[int, float]:
    """Read a server's scores by the number of the text; each text at most once, and only those it was sent."""
    unreadable = RerankFailed("The reranker answered with something that is no list of scores.")
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        raise unreadable from None
    entries = answer.get("results", answer.get("data")) if isinstance(answer, dict) else answer
    if not isinstance(entries, list) or not entries:
        raise unreadable
    scores: dict[int, float] = {}
    for entry in entries:
        place = entry.get("index") if isinstance(entry, dict) else None
        value = entry.get("relevance_score", entry.get("score")) if isinstance(entry, dict) else None
        if type(place) is not int or not isinstance(value, int | float) or isinstance(value, bool):
            raise unreadable
        if not 0 <= place < count or place in scores:
            raise RerankFailed("The reranker named a text twice, or one it was not sent.")
        try:
            scores[place] = float(value)
        except OverflowError:  # a whole number of hundreds of digits
            raise unreadable from None
        if not isfinite(scores[place]):
            raise unreadable
    return scores


def _late(settings: Reranking) -> RerankFailed:
    return RerankFailed(f"The reranker gave no answer within {settings.timeout_ms} ms.")
