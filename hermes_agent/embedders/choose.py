"""Who turns text into vectors: decided from the settings and the variables, without asking anybody.

What a provider lacks (a model, a length of vectors) is left out with one line instead of an error, so that the
blocks printed in guides load unchanged. An embedder that cannot work, for want of a key or a package, is a problem
to show: memory is then found by its words.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from hermes_agent.config import embedder_names
from hermes_agent.config import settings as names
from hermes_agent.config.addresses import SERVER_KEY
from hermes_agent.config.load import Settings
from hermes_agent.errors import EmbedderDown, EmbedderError

if TYPE_CHECKING:
    from hermes_agent.embedders.embedder import Embedder
    from hermes_agent.embedders.vendor import Model, Vendor

Variables = Mapping[str, str]

_LOCAL = "hermes config set memory.embeddings.provider local"


@dataclass(frozen=True, slots=True)
class Chosen:
    """The embedder, lines for the owner, and why there is none though one was wanted."""

    embedder: "Embedder | None"
    notices: tuple[str, ...] = ()
    problem: EmbedderError | None = None


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What the settings say beside the provider."""

    model: str | None
    dimensions: int | None
    batch_size: int
    base_url: str | None


@dataclass(frozen=True, slots=True)
class _Server:
    """Where a vendor's requests go, and which variable holds the key for there."""

    address: str
    key_variable: str
    is_key_needed: bool
    is_elsewhere: bool


def choose(settings: Settings, variables: Variables) -> Chosen:
    """Decide who embeds. SettingError when the provider or an address is none."""
    provider = settings[names.MEMORY_EMBEDDINGS_PROVIDER]
    wanted = _Wanted(
        settings[names.MEMORY_EMBEDDINGS_MODEL],
        settings[names.MEMORY_EMBEDDINGS_DIMENSIONS],
        settings[names.MEMORY_EMBEDDINGS_BATCH_SIZE],
        settings[names.MEMORY_EMBEDDINGS_BASE_URL],
    )
    try:
        return _of(provider, wanted, variables)
    except EmbedderError as error:
        return Chosen(None, problem=error)


def _of(provider: str, wanted: _Wanted, variables: Variables) -> Chosen:
    match provider:
        case "none":
            return Chosen(None)
        case "local":
            from hermes_agent.embedders import local

            return Chosen(local.Local(), _left_out("The embedder local", local.MODEL, local.DIMENSIONS, wanted))
        case "minilm":
            return _minilm(wanted)
        case "anthropic":
            notice = "Anthropic has no embedder of its own; memory.embeddings.provider anthropic means voyage."
            chosen = _remote(_vendors()["voyage"], wanted, variables)
            return replace(chosen, notices=(notice, *chosen.notices))
    vendor = _vendors().get(provider)
    return _plugin(provider, wanted, variables) if vendor is None else _remote(vendor, wanted, variables)


def _minilm(wanted: _Wanted) -> Chosen:
    from hermes_agent.embedders import minilm

    missing = minilm.missing_packages()
    if missing:
        raise EmbedderDown(
            f"The embedder minilm needs packages that are not installed: {', '.join(missing)}.",
            hint=f'Install them: pip install "hermes-agent[minilm]". Or: {_LOCAL}',
        )
    return Chosen(minilm.MiniLm(), _left_out("The embedder minilm", minilm.MODEL, minilm.DIMENSIONS, wanted))


def _plugin(provider: str, wanted: _Wanted, variables: Variables) -> Chosen:
    from hermes_agent.embedders import plugin

    settings = {
        "model": wanted.model,
        "dimensions": wanted.dimensions,
        "batchSize": wanted.batch_size,
        "baseUrl": wanted.base_url,
        "variables": variables,
    }
    return Chosen(plugin.load(embedder_names.plugins()[provider], settings))


def _vendors() -> "Mapping[str, Vendor]":
    from hermes_agent.embedders import ollama, openai, voyage

    return {vendor.provider: vendor for vendor in (ollama.VENDOR, openai.VENDOR, voyage.VENDOR)}


def _remote(vendor: "Vendor", wanted: _Wanted, variables: Variables) -> Chosen:
    from hermes_agent.embedders.remote import Remote, Target

    server = _server(vendor, wanted.base_url, variables)
    model = _model(vendor, server, wanted)
    asked = wanted.dimensions
    dimensions = asked if asked is not None and model.has(asked) else model.dimensions
    notices = _left_out(vendor.title, model.name, dimensions, wanted)
    key = _key(variables, server.key_variable)
    if key is None and server.is_key_needed:
        problem = EmbedderDown(
            f"{server.key_variable} is not set, and {vendor.title} needs it to embed.",
            hint=f"Add a line `{server.key_variable}=…` to the home's .env. Or: {_LOCAL}",
        )
        return Chosen(None, notices, problem)
    target = Target(vendor, model, dimensions, server.address, server.key_variable, wanted.batch_size, key)
    return Chosen(Remote(target), notices)


def _server(vendor: "Vendor", base_url: str | None, variables: Variables) -> _Server:
    given = [(base_url, "memory.embeddings.baseUrl")] if base_url else []
    given += [(variables[name], name) for name in vendor.address_variables if variables.get(name, "").strip()]
    if not given:
        return _Server(vendor.address, vendor.key_variable, vendor.is_key_needed, is_elsewhere=False)
    url, said_by = given[0]
    address = vendor.read_address(url, said_by)
    is_elsewhere = urlsplit(address).hostname != urlsplit(vendor.address).hostname
    # A vendor's key goes to the vendor, and to an address that stands beside it in the vendor's own variable.
    key_variable = SERVER_KEY if base_url and is_elsewhere else vendor.key_variable
    return _Server(address, key_variable, vendor.is_key_needed and not is_elsewhere, is_elsewhere)


def _model(vendor: "Vendor", server: _Server, wanted: _Wanted) -> "Model":
    """Find the measures of the model that is asked for.

    A model of another vendor gives way to the default, except on a server that only speaks this vendor's language.
    A model that nobody knows is taken at the owner's word.
    """
    from hermes_agent.embedders.vendor import Model

    if wanted.model is None:
        return vendor.models[0]
    known, owner = vendor.model(wanted.model), _owner(wanted.model)
    if known is not None:
        return known
    if owner is not None:
        return owner[1] if vendor.has_imitators and server.is_elsewhere else vendor.models[0]
    if wanted.dimensions is None:
        raise EmbedderDown(
            f"How many numbers the vectors of {wanted.model!r} have is not known.",
            hint="The model's page says it: hermes config set memory.embeddings.dimensions NUMBER",
        )
    return Model(wanted.model, wanted.dimensions)


def _owner(model: str) -> "tuple[Vendor, Model] | None":
    found = ((vendor, vendor.model(model)) for vendor in _vendors().values())
    return next(((vendor, measures) for vendor, measures in found if measures is not None), None)


def _left_out(who: str, model: str, dimensions: int, wanted: _Wanted) -> tuple[str, ...]:
    """Say in one line which of the settings the provider cannot follow."""
    lacking = []
    if wanted.model is not None and wanted.model.removesuffix(":latest") != model:
        owner = _owner(wanted.model)
        lacking.append(f"{wanted.model!r}" + ("" if owner is None else f" (a model of {owner[0].title})"))
    if wanted.dimensions is not None and wanted.dimensions != dimensions:
        lacking.append(f"{wanted.dimensions:,} dimensions")
    if not lacking:
        return ()
    return (f"{who} does not have {' and '.join(lacking)}; {model} with {dimensions:,} dimensions is used.",)


def _key(variables: Variables, variable: str) -> str | None:
    """Return a key without the spaces that came with it; a key must be able to stand in a header."""
    key = variables.get(variable, "").strip()
    if key and not (key.isascii() and key.isprintable()):
        raise EmbedderDown(
            f"{variable} holds characters that no key has.", hint="Copy the key again, without quotes or spaces."
        )
    return key or None
