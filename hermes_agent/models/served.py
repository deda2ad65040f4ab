"""Ask an OpenAI-compatible server which models it has."""

from collections.abc import Mapping
from dataclasses import dataclass

import httpx2

from hermes_agent.config.addresses import is_loopback
from hermes_agent.errors import HermesError, ModelSetupError
from hermes_agent.models import trouble
from hermes_agent.models.choose import RemoteChoice
from hermes_agent.text.clean import preview

_SECONDS = 10.0
_MOST_NAMED = 8


@dataclass(frozen=True, slots=True)
class Served:
    """A model of a server, with the most tokens it takes where the server says so (vLLM does)."""

    name: str
    context_window: int | None = None


def models(choice: RemoteChoice) -> list[Served]:
    """Return the models the server at the choice's address lists."""
    headers = {} if choice.key is None else {"Authorization": f"Bearer {choice.key}"}
    address = choice.base_url or ""
    try:
        with httpx2.Client(timeout=_SECONDS, headers=headers, trust_env=not is_loopback(address)) as client:
            answer = client.get(f"{address}/models")
            answer.raise_for_status()
            listed = answer.json()
    except httpx2.HTTPStatusError as error:
        raise _status_error(choice, error.response.status_code) from None
    except (httpx2.HTTPError, httpx2.InvalidURL, ValueError) as error:
        raise trouble.translate(error, choice).error from None
    return [row for item in _items(listed) if (row := _served(item)) is not None]


def only(choice: RemoteChoice) -> Served:
    """Return the one model a server has; when it has several, the owner must say which."""
    found = models(choice)
    # Servers list the models that make vectors beside those that talk.
    talking = [served for served in found if "embed" not in served.name.lower()] or found
    if len(talking) == 1:
        return talking[0]
    if not talking:
        raise ModelSetupError(f"{choice.place} has no model.", hint="Load one there first.")
    names = ", ".join(preview(served.name, 60) for served in talking[:_MOST_NAMED])
    more = "" if len(talking) <= _MOST_NAMED else f" and {len(talking) - _MOST_NAMED} more"
    raise ModelSetupError(
        f"{choice.place} has {len(talking)} models: {names}{more}.",
        hint=f"Choose one: hermes model set {preview(talking[0].name, 60)}",
    )


def _status_error(choice: RemoteChoice, status: int) -> HermesError:
    if status in (401, 403):
        return ModelSetupError(
            f"{choice.place} did not let us in ({status}).",
            hint=f"Put its key into {choice.key_variable}: a line `{choice.key_variable}=…` in the home's .env.",
        )
    return ModelSetupError(
        f"{choice.place} does not list its models ({status}).",
        hint="Name one: hermes model set NAME. An address usually ends with /v1.",
    )


def _items(listed: object) -> list[object]:
    data = listed.get("data") if isinstance(listed, Mapping) else None
    return data if isinstance(data, list) else []


def _served(item: object) -> Served | None:
    if not isinstance(item, Mapping) or not isinstance(item.get("id"), str):
        return None
    window = item.get("max_model_len")
    return Served(item["id"], window if isinstance(window, int) and window > 0 else None)
