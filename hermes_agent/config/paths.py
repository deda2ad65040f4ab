"""Where everything of a home lies; the only place that joins paths.

The root is `$HERMES_HOME`, or `~/.hermes`. It is the home of the profile "default"; every other profile is a whole
home of its own under `profiles/<name>` in the root. `$HERMES_HOME` may also name one profile's folder
(`…/profiles/work`), as the public product does it: then that profile is active, the root is the folder above
`profiles`, and `-p` still wins. Nothing is remembered here: the environment is read at each call.
"""

import os
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from hermes_agent.errors import HermesError, SettingError, UsageError

DEFAULT_PROFILE = "default"
PROFILE_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


@dataclass(frozen=True)
class Home:
    """One profile's folder and the places in it; a program may keep its notes and skills elsewhere."""

    root: Path
    profile: str
    notes_folder: Path | None = None
    skills_folder: Path | None = None

    @property
    def config_yaml(self) -> Path:
        return self.config_file(".yaml")

    @property
    def config_json(self) -> Path:
        return self.config_file(".json")

    @property
    def config_jsonc(self) -> Path:
        return self.config_file(".jsonc")

    def config_file(self, suffix: str) -> Path:
        """The settings file of one kind: ".yaml", ".json" or ".jsonc"."""
        return self.root / f"config{suffix}"

    @property
    def config_lock(self) -> Path:
        return self.root / ".config.lock"

    @property
    def settings_lock(self) -> Path:
        """Held from the look at a setting to the change of it; `config_lock` while a file is replaced."""
        return self.root / ".settings.lock"

    @property
    def env_file(self) -> Path:
        return self.root / ".env"

    @property
    def soul(self) -> Path:
        return self.root / "SOUL.md"

    @property
    def memories(self) -> Path:
        return self.notes_folder or self.root / "memories"

    @property
    def memory_note(self) -> Path:
        return self.memories / "MEMORY.md"

    @property
    def user_note(self) -> Path:
        return self.memories / "USER.md"

    @property
    def former_notes(self) -> tuple[Path, Path]:
        """Where early guides put MEMORY.md and USER.md: into the home itself."""
        return self.root / "MEMORY.md", self.root / "USER.md"

    def note_in_step(self, note: str) -> Path:
        """Which version of a note this machine's file holds; used where machines share a store."""
        return self.memories / f".{note}.in-step"

    @property
    def workspace(self) -> Path:
        return self.root / "workspace"

    @property
    def workspace_note(self) -> Path:
        return self.workspace / "MEMORY.md"

    @property
    def reflections(self) -> Path:
        return self.workspace / "REFLECTIONS.md"

    @property
    def state_db(self) -> Path:
        return self.root / "state.db"

    @property
    def memory_db_link(self) -> Path:
        """The name guides use for the store; a link to `state_db`."""
        return self.root / "memory.db"

    @property
    def skills(self) -> Path:
        return self.skills_folder or self.root / "skills"

    @property
    def backups(self) -> Path:
        return self.root / "backups"

    @property
    def backup_key(self) -> Path:
        """What opens the backups of this home."""
        return self.root / "backup.key"

    @property
    def backup_lock(self) -> Path:
        """Held while a backup is made: two at once would clear each other's folders."""
        return self.root / ".backup.lock"

    @property
    def presence(self) -> Path:
        """Held by everybody who has the memory of this home open."""
        return self.root / ".in-use.lock"

    @property
    def sealed_backup_key(self) -> Path:
        """The same, protected by a passphrase: a copy of it lies beside each backup."""
        return self.root / "backup.key.age"

    @property
    def backed_up(self) -> tuple[Path, ...]:
        """What is the owner's beside the store: a folder stands for all that is in it."""
        settings = (self.config_yaml, self.config_json, self.config_jsonc, self.env_file)
        files = (*settings, self.encryption, self.soul)
        return (*files, self.sealed_backup_key, self.memories, self.workspace, self.skills, self.checkpoints)

    @property
    def encryption(self) -> Path:
        """That the home is encrypted, and its wrapped key; a home without the file is not."""
        return self.root / "encryption.json"

    @property
    def sealed(self) -> tuple[Path, ...]:
        """What is sealed in an encrypted home beside the store: a folder stands for all that is in it."""
        return self.soul, *self.former_notes, self.memories, self.workspace, self.skills

    @property
    def checkpoints(self) -> Path:
        return self.root / "checkpoints"

    @property
    def checkpoint_store(self) -> Path:
        """The git store of all copies of folders."""
        return self.checkpoints / "store.git"

    @property
    def checkpoint_lock(self) -> Path:
        return self.checkpoints / ".lock"

    def checkpoint_index(self, name: str) -> Path:
        """What git knows of the files in a folder, so that unchanged ones are not read again."""
        return self.checkpoints / "indexes" / name

    @property
    def cache(self) -> Path:
        return self.root / "cache"

    @property
    def outputs(self) -> Path:
        """What tools returned that was too long to show whole."""
        return self.cache / "outputs"

    @property
    def receipts(self) -> Path:
        """What was forgotten, told without its words."""
        return self.root / "receipts"

    def receipt(self, uid: str) -> Path:
        """The file of one receipt."""
        return self.receipts / f"{uid}.json"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    @property
    def chat_history(self) -> Path:
        """What was typed into the chat, for the arrow keys; secrets are taken out."""
        return self.root / ".chat_history"

    @property
    def replaced_whole(self) -> tuple[Path, ...]:
        """The files in the home itself that the program writes anew as a whole, each through a half beside it."""
        settings = (self.config_yaml, self.config_json, self.config_jsonc, self.env_file)
        keys = (self.encryption, self.backup_key, self.sealed_backup_key)
        return (*settings, *keys, self.soul, *self.former_notes, self.chat_history)

    @property
    def daemon_pid(self) -> Path:
        """Who the daemon is; it holds a lock on this file while it runs."""
        return self.root / "daemon.pid"

    @property
    def renaming(self) -> Path:
        """What is still to be done for a profile whose folder got a new name."""
        return self.root / ".renaming"

    @property
    def daemon_log(self) -> Path:
        return self.logs / "daemon.log"

    @property
    def request_log(self) -> Path:
        """What was asked over HTTP: a line each, without a word of it."""
        return self.logs / "requests.log"

    @property
    def mcp_log(self) -> Path:
        """What MCP servers write to their standard error."""
        return self.logs / "mcp.log"

    @property
    def folders(self) -> tuple[Path, ...]:
        """Every folder that a home has."""
        return (self.memories, self.workspace, self.skills, self.backups, self.checkpoints, self.cache, self.logs)


def root_folder() -> Path:
    """Return the folder that holds the default home and all profiles."""
    folder = _configured_folder()
    return folder.parent.parent if _is_profile_folder(folder) else folder


def profiles_folder() -> Path:
    """Return the folder of all profiles but the default one."""
    return root_folder() / "profiles"


def active_profile_file() -> Path:
    """Return the file that names the profile chosen with `hermes profile use`."""
    return root_folder() / "active_profile"


def credentials_file() -> Path:
    """Return the file with the tokens that open servers elsewhere."""
    return root_folder() / "credentials.json"


def pinned_profile() -> str | None:
    """Return the profile whose folder `$HERMES_HOME` names, if it names one."""
    folder = _configured_folder()
    return folder.name if _is_profile_folder(folder) else None


def active_profile() -> str:
    """Return the profile that is used when none is asked for: pinned, chosen, or "default"."""
    pinned = pinned_profile()
    if pinned is not None:
        return pinned
    file = active_profile_file()
    try:
        if file.exists() and not file.is_file():
            raise HermesError(
                f"{file} is not a file.", hint="Remove it; `hermes profile use NAME` makes a new one."
            )
        name = file.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return DEFAULT_PROFILE
    except NotADirectoryError as error:
        raise HermesError(f"{root_folder()} is not a folder.", hint="Check $HERMES_HOME.") from error
    except (OSError, UnicodeDecodeError) as error:
        raise HermesError(
            f"{file} cannot be read: {error}.", hint="Run `hermes profile use default` to reset it."
        ) from error
    if name and not is_profile_name(name):
        raise UsageError(
            f"{file} holds {name[:80]!r}, which is not a profile name.",
            hint="Run `hermes profile use default` to reset it.",
        )
    return name or DEFAULT_PROFILE


def is_profile_name(name: str) -> bool:
    """Tell whether the name is well formed; "default" is, though nobody can create it."""
    return PROFILE_NAME.fullmatch(name) is not None


def home_of(profile: str) -> Home:
    """Return the home of a profile, whether or not it exists."""
    if not is_profile_name(profile):
        raise UsageError(
            f"{profile!r} is not a profile name.",
            hint="Use up to 64 of a-z, 0-9, - and _, beginning with a letter or digit.",
        )
    if profile == DEFAULT_PROFILE:
        return Home(root_folder(), profile)
    return Home(profiles_folder() / profile, profile)


def active_home() -> Home:
    """Return the home that is used when no profile is asked for."""
    return home_of(active_profile())


def root_of(home: Home) -> Path:
    """Return the folder that holds this home and, beside it, every other profile."""
    return home.root.parent.parent if _is_profile_folder(home.root) else home.root


def home_at(folder: str | os.PathLike[str], notes: Path | None = None, skills: Path | None = None) -> Home:
    """Return a home of a program's own in any folder."""
    return Home(expand(os.fspath(folder)), DEFAULT_PROFILE, notes, skills)


def ensure(home: Home) -> None:
    """Create the home and its folders, closed to other users; leave what exists as it is.

    Nobody needs the cache to work: something else in its place stays there (see `cache_trouble`).
    """
    try:
        if home.profile != DEFAULT_PROFILE:
            _create_private(root_folder())
            _create_private(profiles_folder())
        for folder in (home.root, *home.folders):
            if folder != home.cache or cache_trouble(home) is None:
                _create_private(folder)
    except OSError as error:
        raise HermesError(
            f"The home {home.root} cannot be created: {error.strerror} ({error.filename}).",
            hint="Check that the place is writable, or set $HERMES_HOME.",
        ) from error


def cache_trouble(home: Home) -> str | None:
    """Say what stands in the place of the cache folder; None if nothing does."""
    if home.cache.is_dir() or not os.path.lexists(home.cache):
        return None
    return (
        f"{home.cache} is not a folder: nothing can be kept there, and searches by meaning take longer."
        " Remove it; the folder is made anew."
    )


def beside(path: Path, suffix: str) -> Path:
    """Return the file beside `path` whose name goes on with `suffix`."""
    return path.with_name(path.name + suffix)


def in_step(path: Path) -> Path:
    """Return the file beside `path` that tells which state of the store this machine's `path` holds."""
    return path.with_name(f".{path.name}.in-step")


def cached(cache: Path, name: str) -> Path:
    """Return the file of that name in a cache folder."""
    return cache / name


def link(name: Path, target: Path) -> None:
    """Make `name` a link to the file `target` beside it, where that can be; what has the name already stays."""
    if not name.is_symlink() and not name.exists():
        with suppress(OSError):
            name.symlink_to(target.name)


def expand(text: str, *, relative_to: Path | None = None) -> Path:
    """Turn what a person wrote into an absolute path; `~` is their home folder."""
    try:
        path = Path(text).expanduser()
    except RuntimeError as error:
        raise SettingError(f"{text!r} is not a path: the home folder is not known.") from error
    path = path if relative_to is None else relative_to / path
    path = path.absolute()
    _refuse_real_home(path)
    return path


def _configured_folder() -> Path:
    return expand(os.environ.get("HERMES_HOME") or "~/.hermes")


def _is_profile_folder(folder: Path) -> bool:
    return folder.parent.name == "profiles" and is_profile_name(folder.name)


def _create_private(folder: Path) -> None:
    # `parents=True` would create parents with the umask's mode, so only the last step is ours.
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)


def _refuse_real_home(path: Path) -> None:
    """Stop a test that would touch the developer's own home; `tests/conftest.py` sets the guard."""
    guarded = os.environ.get("HERMES_TEST_GUARD")
    if guarded and path.resolve().is_relative_to(Path(guarded).resolve()):
        raise HermesError(f"A test tried to open the real home: {path}.")
