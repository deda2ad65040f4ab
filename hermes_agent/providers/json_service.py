"""A memory service that speaks JSON over HTTP: one place that says in words what can go wrong with it.

A key that is not accepted, a wrong address and a request that is not understood are the owner's to mend
(`ProviderRefused`); silence, trouble and answers that are none will pass (`ProviderDown`). Time is bounded by
whoever watches the provider, and here for each read, so that a thread does not wait for ever.
"""

import json
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from hermes_agent.config.addresses import is_loopback
from hermes_agent.errors import ProviderDown, ProviderError, ProviderRefused, ProviderUnwilling, ToolError
from hermes_agent.text import outside_json
from hermes_agent.text.clean import preview

if TYPE_CHECKING:
    import httpx2

# Any: JSON of a service of others; what is used of it is looked at first.
Json = dict[str, Any]

_MOST_BYTES = 16_000_000
_LONGEST_REASON = 200
_LATER = {408, 425, 429}
_TOO_LONG = 413
_UNWANTED = {400, 409, 422}


class JsonService:
    """One service: its address, how it is let in, and how long it may take."""

    def __init__(self, name: str, address: str, headers: Mapping[str, str], seconds: float, hint: str) -> None:
        self._name = name
        self._address = address.rstrip("/")
        self._headers = dict(headers)
        self._seconds = seconds
        self._hint = hint
        self._opening = threading.Lock()
        self._client: httpx2.Client | None = None

    def check(self) -> None:
        """Refuse an address or a key that cannot be one; nothing is sent."""
        try:
            parts = urlsplit(self._address)
            is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:
            is_address = False
        if not is_address or parts.username or parts.password:
            raise ProviderRefused(
                f"The address of {self._name} must be one such as http://localhost:8900, without a password.",
                hint=self._hint,
            )
        if not all(value.isascii() and value.isprintable() for value in self._headers.values()):
            raise ProviderRefused(f"The key of {self._name} holds characters that no key has.", hint=self._hint)

    def ask(self, method: str, path: str, body: Json | None = None, **parameters: str) -> Json:
        """Send a request and return the object that came back."""
        found = self.find(method, path, body, **parameters)
        if found is None:
            raise self._refused(404, b"")
        return found

    def find(self, method: str, path: str, body: Json | None = None, **parameters: str) -> Json | None:
        """Send a request; None if the service says that there is no such thing."""
        status, answer = self._send(method, path, body, parameters)
        if status == 404:
            return None
        if not 200 <= status < 300:
            raise self._refused(status, answer)
        read = outside_json.read(answer) if answer.strip() else {}
        if not isinstance(read, dict):
            raise self.strange()
        return read

    def strange(self) -> ProviderDown:
        """Return what to raise when an answer is not what it should be."""
        return ProviderDown(f"{self._name} answered with something else than it should.", hint=self._hint)

    def close(self) -> None:
        """Let go of the connections."""
        with self._opening:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _send(self, method: str, path: str, body: Json | None, parameters: Mapping[str, str]) -> tuple[int, bytes]:
        import httpx2

        # Halves of characters become question marks: JSON in UTF-8 cannot hold them.
        content = None if body is None else json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        headers = {**self._headers, **({} if content is None else {"Content-Type": "application/json"})}
        address, came = self._address + path, bytearray()
        try:
            with self._open().stream(
                method, address, content=content, headers=headers, params=parameters or None
            ) as response:
                for piece in response.iter_bytes():
                    came += piece
                    if len(came) > _MOST_BYTES:
                        raise ProviderDown(f"{self._name} answered with far more than was asked for.")
        except httpx2.TimeoutException:
            raise ProviderDown(f"{self._name} did not answer within {self._seconds:g} s.") from None
        except httpx2.ConnectError:
            raise ProviderDown(f"{self._name} cannot be reached at {self._address}.", hint=self._hint) from None
        except (httpx2.HTTPError, httpx2.InvalidURL, ValueError) as error:
            raise ProviderDown(f"{self._name} broke off its answer ({type(error).__name__}).") from None
        return response.status_code, bytes(came)

    def _refused(self, status: int, answer: bytes) -> ProviderError | ToolError:
        if status == 401:
            return ProviderRefused(f"{self._name} does not accept the key ({status}).", hint=self._hint)
        reason = self._reason(answer)
        if status == _TOO_LONG:
            # Never to be taken, whenever it comes: it must not keep others waiting.
            return ToolError(f"{self._name} says that this is too long for it.{reason}")
        if status in _LATER or status >= 500:
            return ProviderDown(f"{self._name} is busy or has trouble ({status}).{reason}")
        kind = ProviderUnwilling if status in _UNWANTED else ProviderRefused
        return kind(f"{self._name} refused what it was sent ({status}).{reason}", hint=self._hint)

    def _reason(self, answer: bytes) -> str:
        """Return the service's own words, if it has any; a key that it repeats is left out."""
        read = outside_json.read(answer)
        said = read.get("error") or read.get("detail") or read.get("message") if isinstance(read, dict) else None
        said = said.get("message") if isinstance(said, dict) else said
        if not isinstance(said, str):
            return ""
        for value in self._headers.values():
            for secret in value.split():
                said = said.replace(secret, "…") if len(secret) > 6 else said
        return f" It says: {preview(said, _LONGEST_REASON)}"

    def _open(self) -> "httpx2.Client":
        import httpx2

        with self._opening:
            if self._client is None:
                self._client = httpx2.Client(trust_env=not is_loopback(self._address), timeout=self._seconds)
            return self._client
