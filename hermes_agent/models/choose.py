"""Which model answers: decided from the settings and the variables, without asking anybody.

The order: `model`, else the address of a server (`baseUrl`, `OPENAI_BASE_URL`, …), else the first vendor
whose key is set, else the embedded default. A choice says why it was made. Reading this module imports no
library of models; a name without its provider is looked up in the library's list, and only then.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from hermes_agent.config import settings as names
from hermes_agent.config.addresses import SERVER_KEY, checked
from hermes_agent.config.load import Settings
from hermes_agent.config.setting import Setting
from hermes_agent.errors import ModelSetupError
from hermes_agent.models import known, vendors

EMBEDDED = "embedded"
COMPATIBLE = "openai-compatible"

Variables = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class EmbeddedChoice:
    """No language model: the embedded default answers."""

    reason: str
    name: str = EMBEDDED


@dataclass(frozen=True, slots=True)
class RemoteChoice:
    """A language model somewhere. Without a `model` its server is asked which one it has.

    `key_variable` is where the key stands, or should: `key` is None when it is not set.
    """

    provider: str
    model: str | None
    reason: str
    base_url: str | None = None
    key_variable: str | None = None
    key: str | None = field(default=None, repr=False)
    is_key_needed: bool = False
    context_window: int | None = None

    @property
    def name(self) -> str:
        """What people call it: `openai:gpt-5`; on a server of one's own the model's bare name."""
        if self.provider == COMPATIBLE:
            return self.model or f"the model at {self.base_url}"
        return f"{self.provider}:{self.model}"

    @property
    def place(self) -> str:
        """Who is asked, for sentences: the vendor, or the server's address."""
        return vendors.title(self.provider) if self.base_url is None else f"The server at {self.base_url}"

    @property
    def is_ready(self) -> bool:
        """Whether everything is there that a request needs."""
        return self.key is not None or not self.is_key_needed


Choice = EmbeddedChoice | RemoteChoice


@dataclass(frozen=True, slots=True)
class Choices:
    """The model that talks, the one for background work, and what the owner may want to know about it."""

    main: Choice
    light: Choice
    notes: tuple[str, ...] = ()


def choose(settings: Settings, variables: Variables, model: str | None = None) -> Choices:
    """Decide which models are asked; `model` is asked for this once and overrides the setting."""
    variables = _given(variables)
    wanted, light_wanted = settings[names.MODEL], settings[names.LIGHT_MODEL]
    address = _address(settings, variables)
    main: Choice
    notes: tuple[str, ...] = ()
    if model is not None:
        main = named(model, settings, variables, reason="asked for")
    elif wanted is not None:
        main = named(wanted, settings, variables, reason=_origin(settings, names.MODEL))
    elif address is not None:
        main = _server(None, address, variables)
    else:
        main, notes = _by_key(variables)
    main = _sized(main, settings)
    if light_wanted is None:
        return Choices(main, _lighter(main), notes)
    light = named(light_wanted, settings, variables, reason=_origin(settings, names.LIGHT_MODEL))
    return Choices(main, light, notes)


def named(wanted: str, settings: Settings, variables: Variables, *, reason: str) -> Choice:
    """Resolve the name of a model as the owner wrote it: `embedded`, `provider:name`, or a bare name."""
    wanted, variables = wanted.strip(), _given(variables)
    if wanted == EMBEDDED:
        return EmbeddedChoice(reason)
    provider, colon, model = wanted.partition(":")
    if colon and model and is_provider(provider):
        return _of_provider(provider, model, settings, variables, reason)
    address = _address(settings, variables)
    if address is not None:
        return replace(_server(wanted, address, variables), reason=reason)
    if colon:
        raise _unknown_provider(provider, wanted)
    return _of_provider(_provider_of(wanted, variables), wanted, settings, variables, reason)


def _given(variables: Variables) -> Variables:
    """Return the variables that hold something: an empty one counts as not set, as in the shell."""
    return {name: value for name, value in variables.items() if value.strip()}


def is_provider(word: str) -> bool:
    """Tell whether a word names a provider of the library, also behind its gateway."""
    return word.removeprefix("gateway/") in vendors.PROVIDERS


@dataclass(frozen=True, slots=True)
class _Address:
    """Where the owner's server is, who said so, and which variable holds its key."""

    url: str
    said_by: str
    key_variable: str
    provider: str = COMPATIBLE


def _address(settings: Settings, variables: Variables) -> _Address | None:
    given = settings[names.BASE_URL]
    if given is not None:
        return _Address(checked(given, "baseUrl"), "baseUrl is set", SERVER_KEY)
    for provider in ("openai", *vendors.SERVERS_BY_PROVIDER):
        variable = vendors.address_variable(provider)
        if variable in variables:
            url = checked(variables[variable], variable)
            if f".{urlsplit(url).hostname}".endswith(".openai.com"):
                continue  # the vendor itself
            key_variable = vendors.key_variables(provider)[0]
            kind = COMPATIBLE if provider == "openai" else provider
            return _Address(url, f"{variable} is set", key_variable, kind)
    return None


def _server(model: str | None, address: _Address, variables: Variables) -> RemoteChoice:
    return RemoteChoice(
        address.provider,
        model,
        address.said_by,
        base_url=address.url,
        key_variable=address.key_variable,
        key=_key(variables, address.key_variable),
    )


def _of_provider(provider: str, model: str, settings: Settings, variables: Variables, reason: str) -> RemoteChoice:
    address = _address(settings, variables)
    own_server = provider in vendors.SERVERS_BY_PROVIDER
    if address is not None and (own_server or provider in vendors.OPENAI_PROVIDERS):
        kind = provider if own_server else address.provider
        return replace(_server(model, address, variables), provider=kind, reason=reason)
    variable = vendors.address_variable(provider)
    base_url = vendors.SERVERS_BY_PROVIDER[provider].address if own_server else None
    if variable in variables:
        # Each vendor's client knows the paths behind its own address.
        base_url = checked(variables[variable], variable, bare_path="")
    candidates = () if provider.startswith("gateway/") else vendors.key_variables(provider)
    key_variable = next((name for name in candidates if name in variables), next(iter(candidates), None))
    return RemoteChoice(
        provider,
        model,
        reason,
        base_url=base_url,
        key_variable=key_variable,
        key=None if key_variable is None else _key(variables, key_variable),
        is_key_needed=key_variable is not None and not own_server,
    )


def _by_key(variables: Variables) -> tuple[Choice, tuple[str, ...]]:
    """Choose the first vendor whose key is set, and name the keys that were passed over."""
    found = [
        (vendor, next(name for name in vendor.key_variables if name in variables))
        for vendor in vendors.VENDORS
        if any(name in variables for name in vendor.key_variables)
    ]
    if not found:
        return EmbeddedChoice("no model is set up and no vendor's key was found"), ()
    vendor, variable = found[0]
    choice = RemoteChoice(
        vendor.provider,
        vendor.default,
        f"{variable} is set",
        key_variable=variable,
        key=_key(variables, variable),
        is_key_needed=True,
    )
    others = [name for _, name in found[1:]]
    verb = "is" if len(others) == 1 else "are"
    return choice, (f"{' and '.join(others)} {verb} set too; {vendor.title} comes first.",) if others else ()


def _lighter(main: Choice) -> Choice:
    """Return the vendor's small model with the same key; where none is known, the model itself."""
    if isinstance(main, RemoteChoice) and main.provider in vendors.BY_PROVIDER:
        vendor = vendors.BY_PROVIDER[main.provider]
        reason = f"the small model of {vendor.title}"
        return replace(main, model=vendor.light, context_window=None, reason=reason)
    return replace(main, reason="the same as the model that talks")


def _sized(choice: Choice, settings: Settings) -> Choice:
    window = settings[names.CONTEXT_WINDOW]
    return choice if isinstance(choice, EmbeddedChoice) else replace(choice, context_window=window)


def _key(variables: Variables, variable: str) -> str | None:
    """Return a key without the spaces that came with it; a key must be able to stand in a header."""
    key = variables.get(variable, "").strip()
    if not key:
        return None
    if not key.isascii() or not key.isprintable():
        raise ModelSetupError(
            f"{variable} holds characters that no key has.", hint="Copy the key again, without quotes or spaces."
        )
    return key


def _provider_of(model: str, variables: Variables) -> str:
    """Find the one provider a bare name means: the only one, the only vendor, or the only one with a key."""
    found = known.providers_of(model)
    ours = [provider for provider in found if provider in vendors.BY_PROVIDER]
    with_key = [name for name in ours if any(key in variables for key in vendors.key_variables(name))]
    for candidates in (found, ours, with_key):
        if len(candidates) == 1:
            return candidates[0]
    if found:
        meant = ", ".join(f"{provider}:{model}" for provider in ours or found)
        raise ModelSetupError(f"{model!r} may mean {meant}.", hint="Write it with its provider.")
    near = known.nearest(model)
    raise ModelSetupError(
        f"No known model is called {model!r}.",
        hint=f"Did you mean {near}?" if near else "Write provider:name; `hermes model list` shows known names.",
    )


def _unknown_provider(provider: str, wanted: str) -> ModelSetupError:
    from rapidfuzz import process

    best = process.extractOne(provider, vendors.PROVIDERS, score_cutoff=60)
    hint = "`hermes model list` shows known names; a server of your own needs its address in baseUrl."
    return ModelSetupError(
        f"There is no provider {provider!r} (in {wanted!r}).",
        hint=hint if best is None else f"Did you mean {best[0]}?",
    )


def _origin(settings: Settings, setting: Setting[str | None]) -> str:
    return f"set by {settings.origin(setting).where}"
