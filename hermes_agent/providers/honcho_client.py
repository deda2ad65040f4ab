"""Honcho's client `honcho-ai`: made from the settings, its answers looked at, its errors in our words.

The client takes half of what a server may send for an empty answer; so whatever comes is looked at before it.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from hermes_agent.config.addresses import is_loopback
from hermes_agent.errors import HermesError, ProviderDown, ProviderRefused, ProviderUnwilling
from hermes_agent.providers import options, outgoing
from hermes_agent.providers.provider import Surroundings

if TYPE_CHECKING:
    import httpx
    from honcho import Honcho as Client
    from honcho.http import HonchoError

T = TypeVar("T")

LONGEST_MESSAGE = 25_000
_CHARACTERS_A_TOKEN = 4
_VERSION_HINT = "Is the address that of a Honcho of version 3?"
_PLACES = {"local": "http://localhost:8000", "production": "https://api.honcho.dev"}
_UNFIT = re.compile(r"[^A-Za-z0-9_-]")


class Missing(ProviderRefused):
    """What was named is not there."""


@dataclass(frozen=True, slots=True)
class Setup:
    """Where Honcho is and how it is used, from the settings."""

    key: str
    address: str
    is_local: bool
    workspace: str
    user: str
    agent: str
    recall: str
    is_unified: bool
    saves_messages: bool
    message_characters: int
    context_characters: int
    seconds: float
    level: str


def setup(surroundings: Surroundings) -> Setup:
    """Read the settings."""
    file = options.read(surroundings.folder / "honcho.json")
    named = "hermes" if surroundings.profile == "default" else f"hermes_{surroundings.profile}"
    chosen = options.Options(surroundings, {**file, **_host(file, surroundings.profile)})
    place = chosen.text("environment", "HONCHO_ENVIRONMENT", default="production")
    address = chosen.text("baseUrl", "HONCHO_BASE_URL", "HONCHO_URL", default=_PLACES.get(place, ""))
    if not address.startswith(("http://", "https://")):
        raise ProviderRefused(
            f"Honcho's address {address!r} is none.",
            hint="Set memory.providers.honcho.baseUrl or HONCHO_BASE_URL.",
        )
    recall = chosen.text("recallMode", default="hybrid")
    return Setup(
        key=chosen.secret("apiKey", "HONCHO_API_KEY"),
        address=address.rstrip("/"),
        is_local=address.rstrip("/") != _PLACES["production"],
        workspace=fit(chosen.text("workspace", "HONCHO_WORKSPACE_ID", default=named)),
        user=fit(chosen.text("peerName", default="user")),
        agent=fit(chosen.text("aiPeer", default=named)),
        recall=recall if recall in ("context", "tools") else "hybrid",
        is_unified=chosen.text("observationMode") == "unified",
        saves_messages=chosen.is_on("saveMessages"),
        message_characters=int(
            chosen.number("messageMaxChars", default=LONGEST_MESSAGE, least=100, most=LONGEST_MESSAGE)
        ),
        context_characters=_CHARACTERS_A_TOKEN
        * int(chosen.number("contextTokens", default=800, least=50, most=8_000)),
        seconds=chosen.number("timeout", "HONCHO_TIMEOUT", default=15, least=0.1, most=600),
        level=chosen.text("dialecticReasoningLevel", default="low"),
    )


def _host(file: Mapping[str, object], profile: str) -> dict[str, object]:
    """Return the part of the public product's file that is for this profile."""
    hosts = file.get("hosts")
    keys = ("hermes",) if profile == "default" else (f"hermes_{profile}", f"hermes.{profile}")
    blocks = (hosts.get(key) for key in keys) if isinstance(hosts, dict) else ()
    return next((block for block in blocks if isinstance(block, dict)), {})


def fit(name: str) -> str:
    """Return a name as Honcho takes it; one that had to be changed stays apart from all others."""
    fit = _UNFIT.sub("-", name)[:400]
    return fit if fit == name else f"{fit}-{outgoing.key(name)[:8]}"


def ask(work: Callable[[], T]) -> T:
    """Do something with the client, and say in our words what went wrong."""
    from honcho.http import HonchoError

    try:
        return work()
    except HermesError:
        raise
    except HonchoError as error:
        raise _translated(error) from error
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        # The client met something that it did not expect; what we give it was checked before.
        raise nonsense() from error


def connected(setup: Setup) -> "tuple[httpx.Client, Client]":
    """Make the client, and the connections that it uses."""
    try:
        import httpx
        from honcho import Honcho as Client
    except ImportError:
        raise ProviderRefused(
            "The package honcho-ai is not installed.", hint='Install it: pip install "hermes-agent[honcho]"'
        ) from None
    hooks: dict[str, list[Callable[..., Any]]] = {"response": [_look_at]}
    http = httpx.Client(trust_env=not is_loopback(setup.address), event_hooks=hooks)
    client = Client(
        api_key=setup.key or None,
        base_url=setup.address,
        workspace_id=setup.workspace,
        timeout=setup.seconds,
        # Whoever asks decides whether it is worth asking again.
        max_retries=0,
        http_client=http,
    )
    return http, client


def _is_page(answer: object) -> bool:
    return (
        isinstance(answer, dict)
        and isinstance(answer.get("items"), list)
        and all(isinstance(answer.get(key), int) for key in ("total", "page", "pages"))
    )


def _is_list(answer: object) -> bool:
    return isinstance(answer, list)


def _holds(key: str, *kinds: type) -> Callable[[object], bool]:
    return lambda answer: isinstance(answer, dict) and key in answer and isinstance(answer[key], kinds)


_SHAPES: dict[str, Callable[[object], bool]] = {
    "list": _is_page,
    "query": _is_list,
    "search": _is_list,
    "messages": _is_list,
    "conclusions": _is_list,
    "chat": _holds("content", str, type(None)),
    "card": _holds("peer_card", list, type(None)),
}


def _look_at(response: "httpx.Response") -> None:
    """Refuse an answer of another shape than it should have."""
    shape = _SHAPES.get(response.request.url.path.rsplit("/", 1)[-1])
    if response.is_success and shape is not None:
        response.read()
        if not shape(response.json()):
            raise ValueError("another shape")


def nonsense() -> ProviderDown:
    return ProviderDown(
        "Honcho answered with something else than it should.", hint="Is it Honcho, at that address?"
    )


def _translated(error: "HonchoError") -> HermesError:
    status = error.status
    if status in (401, 403):
        return ProviderRefused(
            "Honcho does not accept the key.", hint="Set HONCHO_API_KEY again: hermes memory setup honcho"
        )
    if status in (400, 409, 413, 422):
        return ProviderUnwilling(f"Honcho refused what it was sent ({status}).", hint=_VERSION_HINT)
    if status in (404, 405):
        kind = Missing if status == 404 else ProviderRefused
        return kind(f"Honcho knows nothing at this address ({status}).", hint=_VERSION_HINT)
    if status:
        return ProviderDown(f"Honcho is busy or has trouble ({status}).")
    if error.code == "timeout":
        return ProviderDown("Honcho did not answer in time.")
    if isinstance(error.__cause__, ValueError):
        return nonsense()
    return ProviderDown("Honcho cannot be reached, or broke off its answer.")
