"""What Hindsight's settings say, by the names of the public Hermes Agent, whose files are read behind ours."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from hermes_agent.errors import ProviderRefused
from hermes_agent.providers import options
from hermes_agent.providers.provider import Surroundings

CLOUD = "https://api.hindsight.vectorize.io"
_LOCAL = "http://localhost:8888"
_CONTEXT = "conversation between Hermes Agent and the user"
_UNNAMED = re.compile(r"[^A-Za-z0-9_.-]+")


@dataclass(frozen=True, slots=True)
class Options:
    """The settings, read and checked."""

    url: str
    bank_id: str
    bank_id_template: str
    budget: str
    memory_mode: str
    prefetch_method: str
    is_recalling: bool
    is_retaining: bool
    is_retained_later: bool
    retain_context: str
    retain_tags: list[str]
    recall_tags: list[str]
    recall_tags_match: str
    recall_types: list[str]
    recall_tokens: int
    recall_characters: int
    timeout_seconds: float


def with_files(surroundings: Surroundings) -> Surroundings:
    """Put the public product's files behind the settings: the home's first, then that of the user."""
    of_user = options.read(Path.home() / ".hindsight" / "config.json")
    of_home = options.read(surroundings.folder / "hindsight" / "config.json")
    return replace(surroundings, options={**of_user, **of_home, **surroundings.options})


def read_options(found: Surroundings) -> Options:
    is_local = found.text("mode", "HINDSIGHT_MODE", "cloud").startswith("local")
    given = options.Options(found, {})
    own = "hermes" if found.profile == "default" else f"hermes-{found.profile}"
    return Options(
        url=found.text("api_url", "HINDSIGHT_API_URL", _LOCAL if is_local else CLOUD).rstrip("/"),
        bank_id=found.text("bank_id", "HINDSIGHT_BANK_ID", own),
        bank_id_template=found.text("bank_id_template"),
        budget=found.text("recall_budget", "HINDSIGHT_BUDGET", "mid"),
        memory_mode=found.text("memory_mode", default="hybrid"),
        prefetch_method=found.text("recall_prefetch_method", default="recall"),
        is_recalling=given.is_on("auto_recall", default=True),
        is_retaining=given.is_on("auto_retain", default=True),
        is_retained_later=given.is_on("retain_async", default=False),
        retain_context=found.text("retain_context", default=_CONTEXT),
        retain_tags=_words(found, "retain_tags"),
        recall_tags=_words(found, "recall_tags"),
        recall_tags_match=found.text("recall_tags_match", default="any"),
        recall_types=_words(found, "recall_types"),
        recall_tokens=int(given.number("recall_max_tokens", default=4096, least=64, most=100_000)),
        recall_characters=int(given.number("recall_max_input_chars", default=800, least=10, most=100_000)),
        timeout_seconds=given.number("timeout", "HINDSIGHT_TIMEOUT", default=120, least=0.5, most=3600),
    )


def _words(found: Surroundings, option: str) -> list[str]:
    value = found.options.get(option) or []
    return [str(one) for one in value] if isinstance(value, list) else [w for w in str(value).split(",") if w]


def bank_of(said: Options, known: Mapping[str, str]) -> str:
    """Return the bank that the template names, its parts without what addresses cannot hold."""
    if not said.bank_id_template:
        return said.bank_id
    try:
        named = said.bank_id_template.format_map({key: _UNNAMED.sub("-", value) for key, value in known.items()})
    except (KeyError, IndexError, ValueError) as error:
        raise ProviderRefused(
            "memory.providers.hindsight.bank_id_template cannot be read.", hint=f"It knows: {', '.join(known)}."
        ) from error
    return named.strip("-_.") or said.bank_id
