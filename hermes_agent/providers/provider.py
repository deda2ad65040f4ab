"""`MemoryProvider`: what an external memory service has to be able to do, as programs write it.

The names and the order of calls are those of the public Hermes Agent, so that a provider written for it works
here. Whatever a provider does is watched (`watched.py`): it has a limited time, a failure is told and never ends
a turn, and its words are data from elsewhere.

One thing is different: `sync_turn`, `on_session_end` and `on_memory_write` are called by a background job, in the
order in which things happened, and may take their time. What they raise keeps the turn in the outbox, and it is
brought again later; what they return from counts as taken. A ToolError says that this one will never be taken.
They may run while `prefetch` or a tool of another conversation does: the session is the one that is given.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hermes_agent.errors import ToolError

# Any: schemas and arguments are JSON of the provider's own making; keyword arguments are the public product's.
Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a provider is made from: where it lives, its own options, and the variables that hold its keys."""

    folder: Path
    """The home; what a provider keeps there lies in a folder of its own name."""
    profile: str = "default"
    options: Mapping[str, object] = field(default_factory=dict)
    """`memory.providers.NAME` of the settings."""
    variables: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The environment and the home's .env."""

    def text(self, option: str, variable: str = "", default: str = "") -> str:
        """Return an option as text: the variable wins over the settings, the settings over the default."""
        value = self.variables.get(variable) if variable else None
        return str(value or self.options.get(option) or default)


@dataclass(frozen=True, slots=True)
class Kept:
    """One thing a provider remembers, by the provider's own id."""

    id: str
    text: str


class MemoryProvider(ABC):
    """A memory service of others. Only the first four must be written."""

    recall_seconds: float = 2.0
    """How long a turn waits for `prefetch` at most, unless the owner says otherwise."""

    @property
    @abstractmethod
    def name(self) -> str:
        """A short name, such as `honcho`; `builtin` and `local` are ours."""

    @abstractmethod
    def is_available(self) -> bool:
        """Tell whether its settings and packages are there; ask no network."""

    @abstractmethod
    def initialize(self, session_id: str, **kwargs: Any) -> None:
        """Get ready for a conversation; called once for each process, before anything but the above.

        `hermes_home` and `platform` are always given; `agent_identity` is the profile, `user_id` and `chat_id`
        come from gateways.
        """

    @abstractmethod
    def get_tool_schemas(self) -> list[Schema]:
        """Return the tools it offers the model: name, description, parameters. None at all is `[]`."""

    def system_prompt_block(self) -> str:
        """Return a static text for the system prompt: what it is and when to use its tools."""
        return ""

    def prefetch(self, query: str, *, session_id: str = "") -> str:
        """Return what it remembers for a message, to be put in front of it; nothing is an empty text."""
        return ""

    def queue_prefetch(self, query: str, *, session_id: str = "") -> None:  # noqa: B027 - may be left out
        """Get ready for the next message, after an answer."""

    def sync_turn(  # noqa: B027 - may be left out
        self,
        user_content: str,
        assistant_content: str,
        *,
        session_id: str = "",
        messages: Sequence[Schema] | None = None,
    ) -> None:
        """Take a turn that is over. Return when it is taken; raise when it is not: it comes again."""

    def handle_tool_call(self, tool_name: str, args: Schema, **kwargs: Any) -> str:
        """Do what the model asks with one of the tools; return JSON."""
        raise ToolError(f"{self.name} has no tool {tool_name!r}.")

    def shutdown(self) -> None:  # noqa: B027 - may be left out
        """Finish what is under way and let go of everything."""

    def on_turn_start(self, turn_number: int, message: str, **kwargs: Any) -> None:  # noqa: B027 - may be left out
        """Hear that a turn begins."""

    def on_session_end(  # noqa: B027 - may be left out
        self, messages: Sequence[Schema], *, session_id: str = ""
    ) -> None:
        """Hear that a conversation is over, with all of it: at a real end, never after each turn.

        `session_id` is only given to those that take it; the public product's take the one of the last switch.
        """

    def on_session_switch(  # noqa: B027 - may be left out
        self,
        new_session_id: str,
        *,
        parent_session_id: str = "",
        reset: bool = False,
        rewound: bool = False,
        **kwargs: Any,
    ) -> None:
        """Hear that another conversation goes on in this process; what ended was told before."""

    def on_pre_compress(self, messages: Sequence[Schema]) -> str:
        """Hear which messages leave the window; return what the summary should hold of them."""
        return ""

    def on_memory_write(  # noqa: B027 - may be left out
        self, action: str, target: str, content: str, metadata: Mapping[str, Any] | None = None
    ) -> None:
        """Hear of a change of the notes: add, replace or remove in `memory` or `user`. Raise to hear it again."""

    def on_delegation(  # noqa: B027 - may be left out
        self, task: str, result: str, *, child_session_id: str = "", **kwargs: Any
    ) -> None:
        """Hear what a helper of the agent was asked and answered."""

    def get_config_schema(self) -> list[Schema]:
        """Return what `hermes memory setup` asks for.

        Of each: key, description, secret, required, default, choices, env_var.
        """
        return []

    def save_config(self, values: Mapping[str, Any], hermes_home: str) -> None:  # noqa: B027 - may be left out
        """Keep what was answered, where the provider has files of its own; secrets are in the .env already."""

    def backup_paths(self) -> list[str]:
        """Return absolute paths that belong into a backup, of files or folders; ask no network."""
        return []

    # What only we ask for: `hermes memory test` and `hermes memory migrate`.

    def remember(self, text: str) -> str:
        """Keep one sentence as it is and return its id."""
        raise ToolError(f"{self.name} cannot keep single sentences.")

    def memories(self) -> Iterator[Kept]:
        """Yield everything it remembers."""
        raise ToolError(f"{self.name} cannot list what it remembers.")

    def forget(self, kept_id: str) -> None:
        """Forget one thing for good."""
        raise ToolError(f"{self.name} cannot forget single things.")
