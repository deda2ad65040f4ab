"""What Hindsight's settings say, by the names of the public Hermes Agent, whose files are read behind ours."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from hermes_agent.errors import ProviderRefused
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
    options: dict[str, object] = {}
    for folder in (Path.home() / ".hindsight", surroundings.folder / "hindsight"):
        options |= _in_file(folder / "config.json")
    return replace(surroundings, options={**options, **surroundings.options})


def _in_file(file: Path) -> dict[str, object]:
    if not file.is_file():
        return {}
    try:
        found = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ProviderRefused(f"{file} cannot be read.", hint="It has to be JSON; mend or remove it.") from error
    if not isinstance(found, dict):
        raise ProviderRefused(f"{file} is no JSON object.", hint="Mend or remove it.")
    return found


def read_options(found: Surroundings) -> Options:
    is_local = found.text("mode", "HINDSIGHT_MODE", "cloud").startswith("local")
    return Options(
        url=found.text("api_url", "HINDSIGHT_API_URL", _LOCAL if is_local else CLOUD).rstrip("/"),
        bank_id=found.text("bank_id", "HINDSIGHT_BANK_ID", "hermes"),
        bank_id_template=found.text("bank_id_template"),
        budget=found.text("recall_budget", "HINDSIGHT_BUDGET", "mid"),
        memory_mode=found.text("memory_mode", default="hybrid"),
        prefetch_method=found.text("recall_prefetch_method", default="recall"),
        is_recalling=_is_on(found, "auto_recall", True),
        is_retaining=_is_on(found, "auto_retain", True),
        is_retained_later=_is_on(found, "retain_async", False),
        retain_context=found.text("retain_context", default=_CONTEXT),
        retain_tags=_words(found, "retain_tags"),
        recall_tags=_words(found, "recall_tags"),
        recall_tags_match=found.text("recall_tags_match", default="any"),
        recall_types=_words(found, "recall_types"),
        recall_tokens=int(found.text("recall_max_tokens", default="4096")),
        recall_characters=int(found.text("recall_max_input_chars", default="800")),
        timeout_seconds=float(found.text("timeout", "HINDSIGHT_TIMEOUT", "120")),
    )


def _is_on(found: Surroundings, option: str, default: bool) -> bool:
    value = found.options.get(option, default)
    return value if isinstance(value, bool) else str(value).lower() in ("true", "1", "yes")


def _words(found: Surroundings, option: str) -> list[str]:
    value = found.options.get(option) or []
    return [str(one) for one in value] if isinstance(value, list) else [w for w in str(value).split(",") if w]


def bank_of(options: Options, known: Mapping[str, str]) -> str:
    """Return the bank that the template names, its parts without what addresses cannot hold."""
    if not options.bank_id_template:
        return options.bank_id
    try:
        named = options.bank_id_template.format_map(
            {key: _UNNAMED.sub("-", value) for key, value in known.items()}
        )
    except (KeyError, IndexError, ValueError) as error:
        raise ProviderRefused(
            "memory.providers.hindsight.bank_id_template cannot be read.", hint=f"It knows: {', '.join(known)}."
        ) from error
    return named.strip("-_.") or options.bank_id
