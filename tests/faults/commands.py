"""The commands that are disturbed: one line each. Another one is added to COMMANDS, and that is all.

`prepare` makes the folder that the command is run in, with a home in `home`; every attempt gets a copy. The
oracle is the same for all: `is_whole` says that what the command adds comes all at once or not at all,
`is_repeatable` that running it again after a fault ends as one undisturbed run does, and `fresh` names files whose
bytes differ each time; `check` looks into those.
"""

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from tests.faults import checks, homes
from tests.faults.running import KEY_FILE, Shell


@dataclass(frozen=True, slots=True)
class Command:
    """A command, the home it is run in, and what makes its outcome right."""

    name: str
    line: str
    prepare: Callable[[Shell, Path], None] = homes.lived
    again: str = ""
    """What is added when it is run again."""
    is_whole: bool = True
    is_repeatable: bool = True
    waits_after_failure: bool = False
    """Whether what failed is tried again later by itself, and is told until then."""
    goes_by_the_clock: bool = False
    """Whether it does less where the clock is back, and the rest when it is run again."""
    learns_afterwards: bool = False
    """Whether it goes on to learn once it has answered: what fails there is not what it said was done."""
    fresh: Sequence[str] = ()
    check: Callable[[Shell, Path], list[str]] = checks.nothing
    """What is looked at after the fault."""
    finally_: Callable[[Shell, Path], list[str]] = checks.nothing
    """What is looked at when it was run again."""
    is_told: str = ""
    """What the doctor rightly says of a home in which it was cut short."""

    @property
    def arguments(self) -> list[str]:
        return shlex.split(self.line)

    @property
    def again_arguments(self) -> list[str]:
        return shlex.split(f"{self.line} {self.again}")

    def is_fresh(self, name: str) -> bool:
        """Tell whether a file of that name has other bytes each time."""
        return any(fnmatch(name, pattern) for pattern in self.fresh)


_EXPORT, _BACKUP, _ARCHIVE, _KEY = "memory.json", "home.age", "default.tar.gz", "home/backup.key"
_RECEIPTS, _ENCRYPTION = "home/receipts/*", "home/encryption.json"

COMMANDS = (
    Command("chat", 'chat -q "I live in Oslo."', is_whole=False, is_repeatable=False, learns_afterwards=True),
    Command("fact add", 'memory fact add "My violin is from Cremona"'),
    Command("notes add", 'notes add -t user "Plays the violin"'),
    Command("notes replace", 'notes replace -t user "Likes figs" "Likes figs and dates"', is_repeatable=False),
    Command("config set", "config set memory.user_char_limit 2000"),
    Command("learning", "jobs run", homes.unread, is_whole=False, waits_after_failure=True),
    Command("memory compact", "memory compact --older-than 0", homes.old, is_whole=False, goes_by_the_clock=True),
    Command("db migrate", "db migrate", homes.older_shape),
    Command("db vacuum", "db vacuum"),
    Command("doctor --rebuild", "doctor --rebuild", homes.old, is_whole=False, is_repeatable=False),
    Command(
        "memory export",
        "memory export --output {folder}/memory.json",
        again="--force",
        fresh=(_EXPORT,),
        check=checks.export_is_whole,
    ),
    Command("memory import, empty home", "memory import {folder}/memory.json", homes.empty_beside_export),
    Command(
        "memory import, joining",
        "memory import --own {folder}/memory.json",
        homes.other_beside_export,
        is_whole=False,
        fresh=("home/memories/*.md",),
        check=checks.notes_are_whole,
    ),
    Command(
        "backup create",
        "backup create --output {folder}/home.age",
        again="--force",
        fresh=(_BACKUP, _KEY),
        check=checks.backup_opens,
    ),
    Command("backup verify", "backup verify {folder}/home.age", homes.backed_up),
    Command("backup prune", "backup prune --yes", homes.with_old_backups, goes_by_the_clock=True),
    Command(
        "backup restore, new machine",
        "backup restore --yes {folder}/home.age --identity {folder}/backup.key",
        homes.new_machine,
        again="--yes",
        fresh=(_KEY, "home/backups/replaced-*"),
    ),
    Command(
        "backup restore, over a home",
        "backup restore --yes {folder}/home.age",
        homes.backed_up_and_gone_on,
        is_whole=False,
        fresh=("home/backups/replaced-*",),
        check=checks.nothing_left_behind,
    ),
    Command(
        "profile export",
        "profile export default --output {folder}/default.tar.gz",
        again="--force",
        fresh=(_ARCHIVE,),
        check=checks.archive_is_whole,
    ),
    Command("profile import", "profile import {folder}/work.tar.gz", homes.beside_archive),
    Command("skills create", "skills create ports --file {folder}/SKILL.md", homes.beside_skill),
    Command("skills archive", "skills archive deploy"),
    Command("skills delete", "skills delete deploy"),
    Command("profile create", "profile create lab"),
    Command("profile rename", "profile rename work office", homes.two_profiles),
    Command("profile clone", "profile clone default lab"),
    Command("profile clone, with its memory", "profile clone default lab --memory"),
    Command(
        "profile handover",
        'profile handover default work --summary "The trip to Porto is on 3 May." --yes',
        homes.two_profiles,
        is_whole=False,
        is_repeatable=False,  # its episode is made later
        finally_=checks.handed_over_once,
    ),
    Command(
        "memory forget, a fact",
        "memory forget fact:1 --yes",
        homes.with_secrets,
        fresh=(_RECEIPTS,),
    ),
    Command(
        "memory forget, a session",
        f"memory forget --session {homes.SECRET_SESSION} --yes",
        homes.with_secrets,
        fresh=(_RECEIPTS,),
    ),
    Command(
        "memory forget, a name",
        f"memory forget --about {homes.SECRET} --yes",
        homes.with_secrets,
        fresh=(_RECEIPTS,),
        finally_=checks.nothing_of_it_is_left,
    ),
    Command(
        "memory forget, before a day",
        "memory forget --before tomorrow --yes",
        homes.with_secrets,
        fresh=(_RECEIPTS,),
    ),
    Command("memory reset, facts", "memory reset --target facts --yes", homes.with_secrets, fresh=(_RECEIPTS,)),
    Command(
        "memory reset",
        "memory reset --yes",
        homes.with_secrets,
        fresh=(_RECEIPTS,),
        finally_=checks.nothing_of_it_is_left,
    ),
    Command(
        "encrypt",
        f"encrypt --yes --key-file {{folder}}/{KEY_FILE}",
        fresh=(_ENCRYPTION, KEY_FILE),
        finally_=checks.only_the_key_opens_it,
        is_told="was interrupted",
    ),
    Command(
        "encrypt --rotate",
        "encrypt --rotate --yes",
        homes.encrypted,
        fresh=(_ENCRYPTION,),
        finally_=checks.only_the_key_opens_it,
        is_told="was interrupted",
    ),
    Command(
        "encrypt --rekey",
        "encrypt --rekey",
        homes.encrypted,
        fresh=(_ENCRYPTION,),
        finally_=checks.only_the_key_opens_it,
    ),
    Command("decrypt", "decrypt --yes", homes.encrypted, fresh=(_ENCRYPTION,), is_told="was interrupted"),
    Command(
        "notes add, encrypted",
        'notes add -t user "Plays the violin"',
        homes.encrypted,
        finally_=checks.only_the_key_opens_it,
    ),
)
