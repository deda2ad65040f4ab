"""Where Mem0 keeps memories: its platform, and a server of one's own. `mem0_oss` is the third, this machine.

Each is a `Store`: the same six verbs, errors in our words, answers checked. A server that sends a page instead of
JSON, or JSON of another shape, is down; it has not found nothing.
"""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, Protocol
from urllib.parse import quote

from hermes_agent import clock
from hermes_agent.config import variables
from hermes_agent.errors import ProviderDown, ProviderError, ProviderRefused, ProviderUnwilling, ToolError

# Any: requests and answers are JSON of Mem0's making, and its package has no types.
Json = Any

_SELF_HOSTED_MOST = 1_000
_PAGE = 100
_EVENT_SECONDS = 20.0
UNEXPECTED = (AttributeError, IndexError, KeyError, TypeError, ValueError)


class NotThere(ToolError):
    """There is no memory of that id."""


@dataclass(frozen=True, slots=True)
class Found:
    """One memory as Mem0 has it; `day` is empty where it gives none."""

    id: str
    text: str
    day: str = ""


@dataclass(frozen=True, slots=True)
class Whose:
    """Whom memories belong to: all are read by the user alone, and marked with the agent when they are written."""

    user_id: str
    agent_id: str
    channel: str = ""

    def written(self) -> dict[str, Json]:
        """Return the words that a new memory carries."""
        metadata = {"metadata": {"channel": self.channel}} if self.channel else {}
        return {"user_id": self.user_id, "agent_id": self.agent_id, **metadata}


Messages = Sequence[Mapping[str, str]]


class Store(Protocol):
    """Where memories are."""

    def search(self, query: str, whose: Whose, most: int, is_reranked: bool) -> list[Found]:
        """Return the nearest memories, best first."""

    def add(self, messages: Messages, whose: Whose, is_verbatim: bool) -> str:
        """Keep a sentence and return its id; or let Mem0 find what is worth keeping, and return nothing."""

    def update(self, memory_id: str, text: str) -> None:
        """Put another text in place of a memory's."""

    def delete(self, memory_id: str) -> None:
        """Delete a memory."""

    def all(self, whose: Whose) -> Iterator[Found]:
        """Yield every memory."""

    def close(self) -> None:
        """Let go of connections."""


class Platform:
    """Mem0's own service, by its client, which tries the key when it is made."""

    def __init__(self, url: str, api_key: str, timeout_seconds: float) -> None:
        import httpx
        from mem0 import MemoryClient

        self._http = httpx.Client(timeout=timeout_seconds)
        with ExitStack() as failed:
            failed.callback(self._http.close)
            with _of_client():
                self._client = MemoryClient(api_key=api_key, host=url, client=self._http)
            failed.pop_all()

    def search(self, query: str, whose: Whose, most: int, is_reranked: bool) -> list[Found]:
        filters = {"user_id": whose.user_id}
        with _of_client():
            return results(self._client.search(query, filters=filters, top_k=most, rerank=is_reranked))

    def add(self, messages: Messages, whose: Whose, is_verbatim: bool) -> str:
        with _of_client():
            answer = self._client.add(list(messages), infer=not is_verbatim, **whose.written())
            if not is_verbatim:
                _check_taken(answer)
                return ""
            return id_of(answer) or self._id_when_done(answer)

    def update(self, memory_id: str, text: str) -> None:
        with _of_client(memory_id):
            _object(self._client.update(memory_id, text=text))

    def delete(self, memory_id: str) -> None:
        with _of_client(memory_id):
            _object(self._client.delete(memory_id))

    def all(self, whose: Whose) -> Iterator[Found]:
        page = 1
        while True:
            with _of_client():
                answer = self._client.get_all(filters={"user_id": whose.user_id}, page=page, page_size=_PAGE)
                found = results(answer)
            yield from found
            if not found or not _object(answer).get("next"):
                return
            page += 1

    def close(self) -> None:
        self._http.close()

    def _id_when_done(self, answer: Json) -> str:
        """Wait for the id: the platform takes memories in the background and tells of an event first."""
        event = _event_of(answer)
        deadline = clock.monotonic() + _EVENT_SECONDS
        while True:
            response = self._http.get(f"/v1/event/{event}/")
            response.raise_for_status()
            told = _object(response.json())
            if made := id_of(told):
                return made
            if told.get("status") in ("FAILED", "SUCCEEDED") or clock.monotonic() > deadline:
                raise ProviderDown(f"Mem0 took a memory and did not keep it: {str(told.get('status'))[:20]}.")
            clock.sleep(0.25)


class SelfHosted:
    """A Mem0 server of one's own. Its routes are others than the platform's; Mem0 has no client for them."""

    def __init__(self, host: str, api_key: str, timeout_seconds: float) -> None:
        import httpx

        headers = {"X-API-Key": api_key} if api_key else {}
        with _of_client():
            self._http = httpx.Client(base_url=host.rstrip("/"), headers=headers, timeout=timeout_seconds)

    def search(self, query: str, whose: Whose, most: int, is_reranked: bool) -> list[Found]:
        asked = {"query": query, "top_k": most, "filters": {"user_id": whose.user_id}}
        return results(self._ask("POST", "/search", json=asked))

    def add(self, messages: Messages, whose: Whose, is_verbatim: bool) -> str:
        sent = {"messages": list(messages), "infer": not is_verbatim, **whose.written()}
        answer = self._ask("POST", "/memories", json=sent)
        if not is_verbatim:
            _check_taken(answer)
            return ""
        return id_of(answer) or refuse_garbage()

    def update(self, memory_id: str, text: str) -> None:
        self._ask("PUT", f"/memories/{quote(memory_id, safe='')}", memory_id, json={"text": text})

    def delete(self, memory_id: str) -> None:
        self._ask("DELETE", f"/memories/{quote(memory_id, safe='')}", memory_id)

    def all(self, whose: Whose) -> Iterator[Found]:
        """Yield at most 1,000, which is all such a server lists; ToolError afterwards says so."""
        found = results(
            self._ask("GET", "/memories", params={"user_id": whose.user_id, "top_k": _SELF_HOSTED_MOST})
        )
        yield from found
        if len(found) >= _SELF_HOSTED_MOST:
            raise ToolError(f"The Mem0 server lists no more than {_SELF_HOSTED_MOST:,} memories.")

    def close(self) -> None:
        self._http.close()

    def _ask(self, method: str, path: str, memory_id: str = "", **request: Json) -> Json:
        with _of_client(memory_id):
            response = self._http.request(method, path, **request)
            response.raise_for_status()
            return response.json()


def load_library(folder: Path) -> None:
    """Import Mem0 so that it keeps its own file in the home and sends no telemetry."""
    variables.prepare({"MEM0_TELEMETRY": "False", "MEM0_DIR": str(folder)})
    try:
        # It shows every warning of everybody from then on.
        with warnings.catch_warnings():
            import mem0  # noqa: F401
    except ImportError as error:
        raise ProviderRefused(
            "The package of Mem0 is not installed.", hint="Install it: pip install 'hermes-agent[mem0]'"
        ) from error


@contextmanager
def _of_client(memory_id: str = "") -> Iterator[None]:
    """Say in our words what went wrong on the way to a server, or in its answer."""
    import httpx
    from mem0.exceptions import MemoryError as ClientError

    try:
        yield
    except httpx.HTTPStatusError as error:
        raise _refusal(error.response.status_code, memory_id) from error
    except ClientError as error:
        status = (error.debug_info or {}).get("status_code")
        raise _refusal(status, memory_id) if status else _unreachable(error) from error
    except httpx.InvalidURL as error:
        raise ProviderRefused("The address of Mem0 is none.", hint="Set memory.providers.mem0.host.") from error
    except httpx.HTTPError as error:
        raise _unreachable(error) from error
    except UNEXPECTED as error:
        # When the key is tried, the client makes a ValueError of every status.
        if isinstance(error.__context__, httpx.HTTPStatusError):
            raise _refusal(error.__context__.response.status_code, memory_id) from error
        raise garbage() from error


def _refusal(status: int, memory_id: str) -> ProviderError | ToolError:
    if status in (401, 403):
        return ProviderRefused(
            f"Mem0 refuses the key ({status}).", hint="Set another one: hermes memory setup mem0"
        )
    if status == 404 and memory_id:
        return NotThere(f"Mem0 has no memory {memory_id}.")
    if status in (404, 405):
        return ProviderRefused(f"There is no Mem0 at this address ({status}).", hint="See MEM0_HOST.")
    if status in (400, 409, 413, 422):
        return ProviderUnwilling(f"Mem0 does not take this ({status}).")
    return ProviderDown(f"Mem0 failed ({status}).")


def _unreachable(error: Exception) -> ProviderDown:
    return ProviderDown(f"Mem0 cannot be reached, or did not finish its answer ({type(error).__name__}).")


def garbage() -> ProviderDown:
    return ProviderDown("Mem0 answered with something else than it should.")


def refuse_garbage() -> NoReturn:
    raise garbage()


def _object(answer: Json) -> dict[str, Json]:
    return answer if isinstance(answer, dict) else refuse_garbage()


def _list(answer: Json) -> list[dict[str, Json]]:
    """Return the results of an answer; old servers send them bare."""
    found = answer if isinstance(answer, list) else _object(answer).get("results")
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise garbage()
    return found


def results(answer: Json) -> list[Found]:
    return [_found(one) for one in _list(answer)]


def _found(one: Mapping[str, Json]) -> Found:
    when = one.get("updated_at") or one.get("created_at") or ""
    made = Found(one.get("id", ""), one.get("memory", ""), str(when)[:10])
    if not (isinstance(made.id, str) and made.id and isinstance(made.text, str)):
        raise garbage()
    return made


def id_of(answer: Json) -> str:
    """Return the id of the memory that was made, or nothing if the answer tells of none yet."""
    if isinstance(answer, dict) and not answer.get("results"):
        return ""
    made = _list(answer)
    found = made[0].get("id") if made else None
    return found if isinstance(found, str) else ""


def _event_of(answer: Json) -> str:
    told = _object(answer)
    event = told.get("event_id") or next((one.get("event_id") for one in _list(told)), None)
    return event if isinstance(event, str) and event else refuse_garbage()


def _check_taken(answer: Json) -> None:
    """Raise unless the answer says what was made, or that something will be."""
    if isinstance(answer, dict) and isinstance(answer.get("event_id"), str):
        return
    if not all(one.keys() & {"id", "event_id"} for one in _list(answer)):
        raise garbage()
