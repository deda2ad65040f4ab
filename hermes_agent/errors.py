"""Every error a person may see, sorted by who can act on it.

    HermesError
    ├── UsageError            the user: a wrong argument, setting or name (exit code 2)
    │   ├── SettingError      a setting that does not exist or does not fit
    │   ├── NotFound          the thing that was named is not there
    │   └── ChangedMeanwhile  somebody else changed the thing since it was looked at
    │       └── ForgottenMeanwhile  what is being answered was forgotten
    ├── ToolError             the model: sent back as a tool reply that says what to do next
    ├── Transient             time: retried with backoff
    │   ├── StoreBusy         another process held the store too long
    │   ├── ModelBusy         the model's server is busy, slow or away
    │   ├── CapReached        background work has cost as much as it may in a day
    │   └── GatewayBusy       a chat platform asks us to wait, or cannot be reached
    ├── ModelError            the language model: what it refused or could not do, with the way out
    │   ├── ModelSetupError   no key, no such model, no such server
    │   ├── ModelRefused      the vendor declined this request
    │   └── WindowFull        the conversation is longer than the model takes
    ├── EmbedderError         the embedder: no vectors, so memory is found by its words alone
    │   ├── EmbedderDown      its key, package or server is missing, or it does not answer
    │   └── EmbedderMismatch  it answered with something else than the vectors that were asked for
    ├── ProviderError         the external memory: our own memory goes on without it
    │   ├── ProviderDown      it does not answer, or answers with something else than it should
    │   │   └── ProviderSlow  it took longer than it may; it may have done it all the same
    │   ├── ProviderRefused   its package, address or key is missing or wrong; waiting does not mend it
    │   └── ProviderUnwilling it answers, and does not take this one thing
    ├── GatewayRefused        a chat platform: a wrong token, a chat that is gone
    ├── LockedHome            the owner's key: the home is encrypted, and its key is missing or another one
    └── StoreError            the database: refused, with the way to mend it
        ├── ForeignStore      made by another program; `hermes import` reads it
        ├── NewerStore        made by a newer version of this program
        ├── DamagedStore      the file is not what it should be
        ├── LostStore         the file is not where it was opened
        ├── StoreFull         no room left on the disk
        ├── StoreReadOnly     the file may not be written
        └── StoreUnreachable  the server does not answer, or refused us

Each carries one plain sentence, a hint where one helps, and its exit code.
"""


class HermesError(Exception):
    """A plain sentence for the person in front of the screen, with a hint and an exit code."""

    exit_code = 1
    is_lasting = False
    """Whether trying again is of no use until somebody has mended something."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(HermesError):
    """The user can mend it: a wrong argument, setting or name."""

    exit_code = 2


class SettingError(UsageError):
    """A setting that does not exist, or a value that does not fit it."""


class NotFound(UsageError):
    """The thing that was named is not there."""


class ChangedMeanwhile(UsageError):
    """Somebody else changed the thing since it was looked at; nothing was written."""


class ForgottenMeanwhile(ChangedMeanwhile):
    """What is being answered was forgotten: nothing of the answer is written."""


class ToolError(HermesError):
    """The model can mend it: the sentence goes back as the tool's reply."""


class Transient(HermesError):
    """Time can mend it: the same call may succeed later."""


class StoreBusy(Transient):
    """Another process held the store longer than we wait."""


class ModelBusy(Transient):
    """The model's server is busy, slow or away; asking again may help."""


class CapReached(Transient):
    """Background work has cost as much as it may in a day; `until` is when the day is over."""

    def __init__(self, message: str, *, until: int, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.until = until


class GatewayBusy(Transient):
    """A chat platform asks us to wait, for `retry_seconds` if it says so, or cannot be reached."""

    def __init__(self, message: str, *, retry_seconds: float | None = None, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.retry_seconds = retry_seconds


class ModelError(HermesError):
    """The language model did not answer."""


class ModelSetupError(ModelError):
    """The owner can mend it: a missing key, a wrong model name, a server that is not there."""


class ModelRefused(ModelError):
    """The vendor declined this request."""


class WindowFull(ModelError):
    """The conversation is longer than the model takes."""


class EmbedderError(HermesError):
    """Text could not be turned into vectors; memory is still found by its words."""


class EmbedderDown(EmbedderError):
    """The embedder's key, package or server is missing, or it does not answer."""


class EmbedderMismatch(EmbedderError):
    """The embedder answered with something else than the vectors that were asked for."""

    is_lasting = True


class ProviderError(HermesError):
    """The external memory did not do what was asked; our own memory goes on without it."""


class ProviderDown(ProviderError):
    """The external memory does not answer, or answers with something else than it should; later it may."""


class ProviderSlow(ProviderDown):
    """The external memory took longer than it may; it may have done what was asked all the same."""


class ProviderRefused(ProviderError):
    """The owner can mend it: the provider's package, address or key is missing or wrong."""


class ProviderUnwilling(ProviderError):
    """The external memory answers, and does not take this one thing; something else it may take."""


class GatewayRefused(HermesError):
    """A chat platform does not take it: a wrong token, a chat that is gone, a file that is too large."""


class LockedHome(HermesError):
    """The home is encrypted, and the key that opens it is missing, or is another one."""


class StoreError(HermesError):
    """The database refused, or we refused it."""


class ForeignStore(StoreError):
    """The database was made by another program and is never written to."""


class NewerStore(StoreError):
    """The database was made by a newer version of this program."""


class DamagedStore(StoreError):
    """The database file is not what it should be."""


class LostStore(StoreError):
    """The database file was moved or deleted while it was open; nothing more is written to it."""


class StoreFull(StoreError):
    """The disk has no room left; the change was not made."""


class StoreReadOnly(StoreError):
    """The database may not be written to."""


class StoreUnreachable(StoreError):
    """The database server does not answer, or did not let us in."""
