"""What each `hermes` command may do for somebody elsewhere, decided one by one.

A command line that comes over HTTP is run on the server as it would be there. So every command has a decision:
the right a token needs, or why it is not for others. What is not in the table is refused, and a test walks all
commands for one that is missing. Options that name files are listed too: on the server such a name may only be
that of a file which came along, or which goes back.

A command acts with the owner's word, and the server cannot tell who typed it. So what the API lets a `write` token
do only as a program (`web/speaking.py`) needs `admin` as a command.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hermes_agent.records.tokens import Scope


@dataclass(frozen=True, slots=True)
class Served:
    """A command for others. The names are those of its arguments and options, as the program has them."""

    scope: Scope
    sends: Sequence[str] = ()
    """Which name a file of the client's, which comes along."""
    brings: Sequence[str] = ()
    """Which name a file that is made, and goes to the client."""
    names: Sequence[str] = ()
    """Which name a file that lies on the server: its own name, no path."""
    needs: Sequence[str] = ()
    """Which must be given: without them an editor would open."""
    refuses: Sequence[str] = ()
    """Which may not be given: they name files of the server's machine."""
    sets: Mapping[str, str] = field(default_factory=dict)
    """Which become the value of a setting, and of which: they name no variable of the server's."""


@dataclass(frozen=True, slots=True)
class Here:
    """A command that works on the machine it is typed on, whatever the server is."""


@dataclass(frozen=True, slots=True)
class Never:
    """A command that is not for others, and what to do instead."""

    why: str


Decision = Served | Here | Never

_DAEMON = Never("The daemon is started and stopped on its own machine.")
_KEYS = Never("Keys are made and changed on the machine that has them.")
_PROFILES = Never("A token is for one profile; profiles are made and changed on the server's machine.")
_TALK = Never("A chat is not run as a command: it has its own way, /api/chat.")
_EDITOR = Never("It opens an editor on the machine that has the notes. Use `notes replace`, `add` and `remove`.")
_MCP = Never("Other agents reach the server's memory at its address, under /mcp, with a token.")
_READ, _WRITE, _ADMIN = Served("read"), Served("write"), Served("admin")

DECISIONS: Mapping[str, Decision] = {
    "": _TALK,
    "chat": _TALK,
    "login": Here(),
    "logout": Here(),
    "completion": Here(),
    "config edit": Here(),
    "config get": Here(),
    "config path": Here(),
    "config set": Here(),
    "config show": Here(),
    "config unset": Here(),
    "sessions browse": _READ,
    "sessions delete": _ADMIN,
    "sessions export": Served("admin", brings=("file",)),
    "sessions import": Served("admin", sends=("file",)),
    "sessions list": _READ,
    "sessions prune": _ADMIN,
    "sessions rename": _WRITE,
    "sessions search": _READ,
    "sessions show": _READ,
    "sessions stats": _READ,
    "memory search": _READ,
    "memory context": _READ,
    "memory status": _READ,
    "memory facts list": _READ,
    "memory fact add": _ADMIN,
    "memory fact delete": _ADMIN,
    "memory fact edit": _ADMIN,
    "memory fact expire": _ADMIN,
    "memory fact history": _READ,
    "memory fact list": _READ,
    "memory fact pin": _ADMIN,
    "memory fact show": _READ,
    "memory fact split": _ADMIN,
    "memory fact unpin": _ADMIN,
    "memory user": _READ,
    "memory conflicts": _READ,
    "memory review": _READ,
    "memory review accept": _ADMIN,
    "memory review list": _READ,
    "memory review reject": _ADMIN,
    "memory review show": _READ,
    "memory reflections delete": _ADMIN,
    "memory reflections list": _READ,
    "memory reflections show": _READ,
    "memory summaries list": _READ,
    "memory summaries show": _READ,
    "memory compact": _ADMIN,
    "memory events": _READ,
    "memory suggest": _ADMIN,
    "memory log": _READ,
    "memory history": _READ,
    "memory diff": _READ,
    "memory tidy": _ADMIN,
    "memory undo": _ADMIN,
    "memory forget": _ADMIN,
    "memory receipts": _ADMIN,
    "memory verify-deletion": _ADMIN,
    "memory unblock": _ADMIN,
    "memory reset": _ADMIN,
    "memory cost": _READ,
    "memory export": Served("admin", brings=("file",)),
    "memory import": Served("admin", sends=("file",)),
    "memory setup": _KEYS,
    "memory off": _ADMIN,
    "memory test": _ADMIN,
    "memory migrate": _ADMIN,
    "honcho mode": _ADMIN,
    "honcho setup": _KEYS,
    "honcho status": _READ,
    "memory selftest": _WRITE,
    "memory selftest accept": _ADMIN,
    "memory selftest history": _READ,
    "notes add": _ADMIN,
    "notes edit": _EDITOR,
    "notes remove": _ADMIN,
    "notes removed": _READ,
    "notes replace": _ADMIN,
    "notes show": _READ,
    "skills archive": _ADMIN,
    "skills create": Served("admin", sends=("source",), needs=("source",)),
    "skills delete": _ADMIN,
    "skills diff": _READ,
    "skills edit": Served("admin", sends=("source",), needs=("source",)),
    "skills history": _READ,
    "skills list": _READ,
    "skills restore": _ADMIN,
    "skills show": _READ,
    "skills validate": _READ,
    "import": Never("A home is taken over on the server's machine; conversations come by `sessions import FILE`."),
    "start": _DAEMON,
    "stop": _DAEMON,
    "restart": _DAEMON,
    "dashboard": Never(
        "The dashboard is at the server's address: open that in a browser, and log in with a token."
    ),
    "mcp": _MCP,
    "mcp install": _MCP,
    "mcp serve": _MCP,
    "gateway list": _READ,
    "gateway run": _DAEMON,
    "gateway setup": _KEYS,
    "gateway status": _READ,
    "token create": _ADMIN,
    "token list": _ADMIN,
    "token revoke": _ADMIN,
    "status": _READ,
    "jobs list": _READ,
    "jobs retry": _WRITE,
    "jobs run": _ADMIN,
    "jobs show": _READ,
    "doctor": _ADMIN,
    "db check": _ADMIN,
    "db migrate": _ADMIN,
    "db repair": _ADMIN,
    "db status": _READ,
    "db vacuum": _ADMIN,
    "backup create": Served("admin", refuses=("output",)),
    "backup key": _KEYS,
    "backup list": _ADMIN,
    "backup prune": _ADMIN,
    "backup restore": Never("A backup is restored on the server's machine, with its daemon stopped."),
    "backup verify": Served("admin", names=("file",), refuses=("identity",)),
    "encrypt": _KEYS,
    "decrypt": _KEYS,
    "model": _READ,
    "model list": _READ,
    "model set": Served("admin", sets={"name": "model"}),
    "model test": _WRITE,
    "checkpoints list": Served("admin", refuses=("folder",)),
    "checkpoints prune": _ADMIN,
    "profile clone": _PROFILES,
    "profile create": _PROFILES,
    "profile delete": _PROFILES,
    "profile export": _PROFILES,
    "profile handover": _PROFILES,
    "profile handovers": _PROFILES,
    "profile import": _PROFILES,
    "profile list": _PROFILES,
    "profile rename": _PROFILES,
    "profile show": _PROFILES,
    "profile use": _PROFILES,
}


def decision_of(arguments: Sequence[str]) -> tuple[str, Decision | None]:
    """Return the command that a command line begins with, and what was decided of it.

    It goes by the words alone. What the line really is, its options included, is decided once more where it runs.
    """
    path = ""
    for word in arguments:
        longer = f"{path} {word}".strip()
        if longer not in DECISIONS and not any(known.startswith(f"{longer} ") for known in DECISIONS):
            break
        path = longer
    return path, DECISIONS.get(path) if path else None
