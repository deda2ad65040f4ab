"""What went wrong between us and a model, in plain sentences, and whether asking again may help.

The library sorts the errors of all vendors into categories; here each becomes one of ours, once. Only what
time can mend (`ModelBusy`) is asked again, and only while nothing of the answer has been shown. The words of
a vendor are quoted where they say more than we know, without the key and on one line.
"""

import logging
import random
from collections.abc import Mapping
from dataclasses import dataclass

import httpx2
from pydantic_ai import exceptions as library

from hermes_agent.errors import HermesError, ModelBusy, ModelError, ModelRefused, ModelSetupError, WindowFull
from hermes_agent.models import known, vendors
from hermes_agent.models.choose import COMPATIBLE, RemoteChoice
from hermes_agent.patience import Patience
from hermes_agent.text import secrets
from hermes_agent.text.clean import preview

log = logging.getLogger(__name__)

# Everything the library and its clients are known to raise. The last four are a server that answers in
# shapes nobody promised: the library reads them without checking each.
ERRORS = (
    library.AgentRunError,
    library.UserError,
    httpx2.HTTPError,
    httpx2.InvalidURL,
    OSError,
    ValueError,
    TypeError,
    AttributeError,
    LookupError,
)

_ANOTHER = "Choose another model: `hermes model set NAME`; `hermes model set embedded` needs none."
_AGAIN = "Try again in a moment."
_QUOTED_CHARACTERS = 300
# How servers word an overflow that the library does not take for one (llama.cpp, Ollama, older vLLM).
_OVERFLOW = (
    "context size",
    "context length",
    "context window",
    "context_length",
    "exceed_context",
    "prompt is too long",
    "too many tokens",
)
# How vendors word that their filter declined a request they also answer with a plain 400.
_FILTERED = ("content_filter", "content management policy", "content policy", "safety")


@dataclass(frozen=True, slots=True)
class Trouble:
    """An error in our words. `is_transient` says that the same request may succeed soon."""

    error: HermesError
    is_transient: bool = False
    asked_seconds: float | None = None


def retry_wait(trouble: Trouble, attempt: int, patience: Patience) -> float | None:
    """Return how long to wait before asking again; None when the error stands."""
    if not trouble.is_transient:
        return None
    return patience.wait_seconds(attempt, trouble.asked_seconds, random.random())


def missing_key(choice: RemoteChoice) -> ModelSetupError:
    """Say that the key of a chosen model is not there."""
    return ModelSetupError(
        f"{choice.key_variable} is not set, and {choice.name} needs it.",
        hint=f"Set it in the environment, or add a line `{choice.key_variable}=…` to the home's .env. {_ANOTHER}",
    )


def missing_package(choice: RemoteChoice) -> ModelSetupError:
    """Say that the provider's own package is not installed."""
    extra = choice.provider.removeprefix("gateway/").partition("-")[0]
    return ModelSetupError(
        f"{vendors.title(choice.provider)} needs a package that is not installed.",
        hint=f'Install it: pip install "pydantic-ai-slim[{extra}]".',
    )


def refused(choice: RemoteChoice) -> ModelRefused:
    """Say that the vendor's filter stopped the answer."""
    return ModelRefused(
        f"{choice.place} declined to answer: its content filter stopped the reply.",
        hint="Say it in other words, or ask another model.",
    )


def broken_off(choice: RemoteChoice) -> ModelBusy:
    """Say that an answer ended before its end."""
    return ModelBusy(f"{choice.place} broke off in the middle of the answer.", hint="Ask again.")


def translate(error: Exception, choice: RemoteChoice) -> Trouble:
    """Return one of the library's errors in our words."""
    log.debug("%s failed: %s", choice.name, type(error).__name__)
    match error:
        case library.ModelTimeoutError() | library.ModelRequestTimeout() | TimeoutError():
            return _timed_out(error, choice)
        case library.ModelConnectionError():
            return _unreachable(error, choice)
        case library.ContentFilterError():
            return Trouble(refused(choice))
        case library.ModelAPIError():
            return _answered_with_error(error, choice)
        case library.UserError():
            return Trouble(ModelSetupError(_quoted(str(error), choice), hint=_ANOTHER))
        case httpx2.InvalidURL():
            return Trouble(ModelSetupError(f"{choice.base_url} is not an address."))
        case httpx2.HTTPError() | OSError():
            return _unreachable(error, choice)
        case _:
            return Trouble(_unreadable(choice))


def _answered_with_error(error: library.ModelAPIError, choice: RemoteChoice) -> Trouble:
    said = _said(error, choice)
    match error:
        case library.ModelContextWindowExceededError():
            return Trouble(_full(choice))
        case library.ModelAuthenticationError():
            return Trouble(_not_let_in(error, choice, said))
        case library.ModelNotFoundError():
            return Trouble(_no_such_model(choice))
        case library.ModelQuotaExceededError():
            hint = f"See your account there. {_ANOTHER}"
            return Trouble(ModelSetupError(f"{choice.place} says that the quota is used up.{said}", hint=hint))
        case library.ModelRateLimitError():
            return _slow_down(error, choice)
        case library.ModelUnavailableError() | library.ModelServerError():
            busy = ModelBusy(f"{choice.place} has trouble or is overloaded{_status(error)}.{said}", hint=_AGAIN)
            return Trouble(busy, is_transient=True, asked_seconds=error.retry_after)
        case library.ModelRequestRejectedError():
            return Trouble(_rejected(error, choice, said))
    if isinstance(error, library.ModelHTTPError):
        is_transient = error.status_code in (408, 409, 425)
        problem: HermesError = ModelError(f"{choice.place} answered with an error{_status(error)}.{said}")
        if is_transient:
            problem = ModelBusy(problem.message, hint=_AGAIN)
        return Trouble(problem, is_transient, error.retry_after)
    if error.in_stream:
        return Trouble(
            ModelBusy(f"{choice.place} broke off in the middle of the answer.{said}", hint=_AGAIN), True
        )
    if "finish_reason" in error.message:  # all the library says of a stream that just ends
        return Trouble(broken_off(choice), is_transient=True)
    return Trouble(_unreadable(choice))


def _rejected(error: library.ModelAPIError, choice: RemoteChoice, said: str) -> ModelError:
    text = f"{error.message} {error.provider_error_code} {error.provider_error_type}".lower()
    if any(words in text for words in _OVERFLOW):
        return _full(choice)
    if any(words in text for words in _FILTERED):
        return refused(choice)
    return ModelRefused(f"{choice.place} declined the request{_status(error)}.{said}")


def _not_let_in(error: library.ModelAPIError, choice: RemoteChoice, said: str) -> ModelSetupError:
    if choice.key_variable is None:
        return ModelSetupError(f"{choice.place} did not let us in{_status(error)}.{said}", hint=_ANOTHER)
    if choice.key is None:
        message = f"{choice.place} wants a key, and {choice.key_variable} is not set."
        return ModelSetupError(message, hint=f"Add a line `{choice.key_variable}=…` to the home's .env.")
    if isinstance(error, library.ModelHTTPError) and error.status_code == 403:
        return ModelSetupError(
            f"{choice.place} does not let the key in {choice.key_variable} use {choice.model}.{said}",
            hint=_ANOTHER,
        )
    return ModelSetupError(
        f"{choice.place} did not accept the key in {choice.key_variable}.",
        hint="Check that it is whole, not expired, and the key of this vendor.",
    )


def _no_such_model(choice: RemoteChoice) -> ModelSetupError:
    message = f"{choice.place} has no model {choice.model!r}."
    if choice.provider == COMPATIBLE or choice.provider in vendors.SERVERS_BY_PROVIDER:
        return ModelSetupError(
            message, hint="`hermes model list` asks the server what it has. An address usually ends with /v1."
        )
    near = known.nearest(choice.model or "", choice.provider)
    if near is not None and near != choice.name:
        return ModelSetupError(message, hint=f"Did you mean {near}? Set it: `hermes model set {near}`.")
    listing = f"hermes model list --provider {choice.provider}"
    return ModelSetupError(message, hint=f"`{listing}` shows known names.")


def _slow_down(error: library.ModelAPIError, choice: RemoteChoice) -> Trouble:
    asked = error.retry_after
    hint = _AGAIN if asked is None or asked < 2 else f"Try again in {round(asked):,} seconds."
    busy = ModelBusy(f"{choice.place} asks to slow down (rate limit).", hint=hint)
    return Trouble(busy, is_transient=True, asked_seconds=asked)


def _timed_out(error: Exception, choice: RemoteChoice) -> Trouble:
    is_connecting = isinstance(error, library.ModelConnectionError) and error.phase in ("connect", "pool")
    busy = ModelBusy(f"{choice.place} did not answer in time.", hint=_AGAIN)
    # A request that took minutes is not sent again behind the owner's back: the vendor may have worked on it.
    return Trouble(busy, is_transient=is_connecting)


def _unreachable(error: Exception, choice: RemoteChoice) -> Trouble:
    phase = error.phase if isinstance(error, library.ModelConnectionError) else None
    if phase != "connect" and not isinstance(error, httpx2.ConnectError):
        return Trouble(broken_off(choice), is_transient=True)
    if choice.base_url is not None:
        return Trouble(
            ModelSetupError(
                f"No server answers at {choice.base_url}.", hint="Is the server running? Is the address right?"
            )
        )
    busy = ModelBusy(f"{choice.place} cannot be reached.", hint="Check the network connection.")
    return Trouble(busy, is_transient=True)


def _full(choice: RemoteChoice) -> WindowFull:
    return WindowFull(
        f"The conversation is longer than {choice.model or 'the model'} takes.",
        hint="Start a new one with /new, or choose a model with a larger window.",
    )


def _unreadable(choice: RemoteChoice) -> ModelError:
    hint = (
        None if choice.base_url is None else "Does this address speak OpenAI's language? It usually ends with /v1."
    )
    return ModelError(f"{choice.place} answered in a way that cannot be read.", hint=hint)


def _status(error: library.ModelAPIError) -> str:
    return f" ({error.status_code})" if isinstance(error, library.ModelHTTPError) else ""


def _said(error: library.ModelAPIError, choice: RemoteChoice) -> str:
    """Quote what the vendor wrote, with a space in front; nothing when it wrote nothing for people."""
    body = error.body
    inner = body.get("error", body) if isinstance(body, Mapping) else body
    words = inner.get("message") if isinstance(inner, Mapping) else inner
    if not isinstance(words, str) or not words.strip() or words.lstrip().startswith("<"):
        return ""
    return f" It says: {_quoted(words, choice)}"


def _quoted(words: str, choice: RemoteChoice) -> str:
    if choice.key is not None:
        words = words.replace(choice.key, "…")
    return preview(secrets.redact(words)[0], _QUOTED_CHARACTERS)
