"""The homes that commands are disturbed in, made by real commands once a run, then copied."""

import shutil
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path

from hermes_agent import clock
from hermes_agent.config.paths import Home
from hermes_agent.ops.backups import form
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store
from tests.faults.running import KEY_FILE, Shell
from tests.ops.stores import open_at
from tests.proof import keeper
from tests.store.shapes.make_shape import FOLDER as SHAPES

_SKILL = "---\nname: deploy\ndescription: Deploy Atlas.\n---\n\nRun `docker ps`.\n"
_OLDEST_SHAPE = "103.db"
_OLD_BACKUPS = 20
SECRET, SECRET_SESSION = "Quuxville", "secret-talk"


def lived(shell: Shell, folder: Path) -> None:
    """A home with notes, a skill, settings, conversations and facts, all learned from."""
    _copied(shell, folder, _live)


def unread(shell: Shell, folder: Path) -> None:
    """A home with a conversation that nothing was learned from yet."""
    _copied(shell, folder, _talk)


def old(shell: Shell, folder: Path) -> None:
    """A home with episodes, facts and tasks that are old enough to be compressed."""
    _copied(shell, folder, _grow_old)


def older_shape(shell: Shell, folder: Path) -> None:
    """A home whose database an older version of the program made."""
    home = Home(folder / "home", "default")
    home.root.mkdir(mode=0o700, parents=True)
    shutil.copy(SHAPES / _OLDEST_SHAPE, home.state_db)
    home.state_db.chmod(0o600)


def empty_beside_export(shell: Shell, folder: Path) -> None:
    """A home without a memory, and beside it the export of one."""
    other_beside_export(shell, folder)
    shutil.rmtree(folder / "home")
    _well(shell, folder, "config", "set", "display.timezone", "UTC")


def other_beside_export(shell: Shell, folder: Path) -> None:
    """A home, and beside it the export of another."""
    _copied(shell, folder, _export)


def backed_up(shell: Shell, folder: Path) -> None:
    """A home and its backup."""
    _copied(shell, folder, _back_up)


def backed_up_and_gone_on(shell: Shell, folder: Path) -> None:
    """A home that has gone on since its backup."""
    backed_up(shell, folder)
    _well(shell, folder, "memory", "fact", "add", "My boat is called Heron")
    _well(shell, folder, "notes", "add", "-t", "memory", "The boat lies in Bergen")


def new_machine(shell: Shell, folder: Path) -> None:
    """No home at all, a backup, and the key to it."""
    backed_up(shell, folder)
    (folder / "home" / "backup.key").rename(folder / "backup.key")
    shutil.rmtree(folder / "home")


def with_old_backups(shell: Shell, folder: Path) -> None:
    """A home with more daily backups than are kept."""
    backed_up(shell, folder)
    home = Home(folder / "home", "default")
    with closing(Store(Sqlite(home.state_db), "default")) as store:
        mark = form.mark_of(store.uid)
    for days in range(_OLD_BACKUPS):
        moment = clock.now() - days * int(timedelta(days=1).total_seconds()) * clock.MICROSECONDS
        shutil.copy(folder / "home.age", home.backups / form.name_of("default", moment, mark))


def beside_archive(shell: Shell, folder: Path) -> None:
    """A home, and beside it the archive of another profile."""
    lived(shell, folder)
    _well(shell, folder, "profile", "export", "default", "--output", str(folder / "work.tar.gz"))


def beside_skill(shell: Shell, folder: Path) -> None:
    """A home, and beside it the text of another skill."""
    lived(shell, folder)
    (folder / "SKILL.md").write_text(_SKILL.replace("deploy", "ports"))


def two_profiles(shell: Shell, folder: Path) -> None:
    """A home with another profile in it, in which something was said."""
    _copied(shell, folder, _live_twice)


def with_secrets(shell: Shell, folder: Path) -> None:
    """A home that knows a word from a fact, from a conversation, and from a note."""
    _copied(shell, folder, _tell_secrets)


def encrypted(shell: Shell, folder: Path) -> None:
    """A home that a key file beside it opens."""
    _copied(shell, folder, _encrypt)


def _live(shell: Shell, folder: Path) -> None:
    _well(shell, folder, "config", "set", "display.timezone", "UTC")
    _well(shell, folder, "notes", "add", "-t", "user", "Likes figs")
    _well(shell, folder, "notes", "add", "-t", "memory", "Atlas runs on docker")
    skill = Home(folder / "home", "default").skills / "deploy" / "SKILL.md"
    skill.parent.mkdir(mode=0o700, parents=True)
    skill.write_text(_SKILL)
    for text in ("My name is Ada and I work at Heron.", "Remember that the report is due on 3 May."):
        _well(shell, folder, "chat", "-q", text)
    _well(shell, folder, "memory", "fact", "add", "The deadline of Atlas is 2027-03-01")
    _well(shell, folder, "jobs", "run")


def _talk(shell: Shell, folder: Path) -> None:
    lived(shell, folder)
    for text in ("I moved to Oslo last week.", "My sister is called Ida. I prefer tea."):
        _well(shell, folder, "chat", "-q", text)


def _grow_old(shell: Shell, folder: Path) -> None:
    lived(shell, folder)
    with open_at(folder / "home" / "state.db") as store:
        keeper.work(keeper.memory_of(store), 0, 6)
    _well(shell, folder, "jobs", "run")


def _live_twice(shell: Shell, folder: Path) -> None:
    lived(shell, folder)
    _well(shell, folder, "profile", "create", "work")
    for command in (("notes", "add", "-t", "user", "Has a dog"), ("chat", "-q", "My dog is called Rex.")):
        _well(shell, folder, "-p", "work", *command)
    _well(shell, folder, "-p", "work", "jobs", "run")


def _tell_secrets(shell: Shell, folder: Path) -> None:
    _well(shell, folder, "memory", "fact", "add", f"The vault of Heron opens with {SECRET} and patience")
    _live(shell, folder)
    _well(shell, folder, "notes", "add", "-t", "memory", f"The vault of Heron opens with {SECRET} and patience")
    with open_at(folder / "home" / "state.db") as store:
        memory = keeper.memory_of(store)
        session_id = memory.begin(NewSession(id=SECRET_SESSION))
        memory.append(session_id, NewMessage("user", f"My boat is called {SECRET} and lies in Porto."))
        memory.append(session_id, NewMessage("assistant", f"Noted: {SECRET}, in Porto."))
        memory.end(session_id, "done")
    _well(shell, folder, "jobs", "run")


def _encrypt(shell: Shell, folder: Path) -> None:
    lived(shell, folder)
    _well(shell, folder, "encrypt", "--yes", "--key-file", str(folder / KEY_FILE))


def _export(shell: Shell, folder: Path) -> None:
    lived(shell, folder)
    _well(shell, folder, "config", "set", "memory.nudge_interval", "7")
    _well(shell, folder, "memory", "export", "--output", str(folder / "memory.json"))
    shutil.rmtree(folder / "home")
    _well(shell, folder, "notes", "add", "-t", "user", "Has a dog")
    _well(shell, folder, "chat", "-q", "My dog is called Rex.")
    _well(shell, folder, "jobs", "run")


def _back_up(shell: Shell, folder: Path) -> None:
    lived(shell, folder)
    _well(shell, folder, "backup", "create", "--output", str(folder / "home.age"))


def _copied(shell: Shell, folder: Path, make: Callable[[Shell, Path], None]) -> None:
    """Copy a folder that was made before, or make it now."""
    made = shell.bases / make.__name__
    if not made.exists():
        making = shell.bases / f"{make.__name__}-making"
        making.mkdir()
        make(shell, making)
        making.rename(made)
    shutil.copytree(made, folder, symlinks=True, dirs_exist_ok=True)


def _well(shell: Shell, folder: Path, *arguments: str) -> None:
    done = shell.run(folder, *arguments)
    assert done.status == 0, (arguments, done.status, done.stderr[-2000:])
