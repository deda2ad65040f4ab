"""Every command of the table is killed at its writes, meets full, failing and read-only disks, and a clock that
jumps back: what was acknowledged is there, nothing is there by half, people read a sentence, and it goes on."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from tests.counts import count, record
from tests.faults.commands import COMMANDS, Command
from tests.faults.injecting import Fault, Kind
from tests.faults.recording import Tallies, Tally
from tests.faults.running import Shell
from tests.faults.trying import Trial, chosen, trial
from tests.proof.processes import seeded

_DAY = 86_400
_READS = 80
ONCE_WRONG: Sequence[tuple[str, Kind, str]] = (
    ("backup restore, over a home", "kill", "rename /home/config.yaml"),  # it was gone until the next restore
    ("profile import", "kill", "fsync"),  # the half profile kept the import from being run again
    ("memory import, joining", "hiccup", "create /home/skills/deploy/.hermes-fresh"),  # nobody was told
    ("backup prune", "hiccup", "unlink"),  # a traceback
    ("backup create", "kill", "rename /home/backup.key"),  # a second file with the key stayed
    ("backup create", "hiccup", "write /.home.age."),  # a traceback of the encryption's
    ("backup create", "broken", "create /home/.backup-"),  # a traceback
    ("profile clone, with its memory", "kill", "fsync /home/profiles"),  # half a profile stayed
    ("memory import, empty home", "kill", "rename /home/config.yaml"),  # the settings never came
    ("memory forget, a name", "kill", "rename /home/receipts/"),  # the receipt had no file
    ("encrypt --rotate", "kill", "fsync /home/state.db.converting"),  # a second try was refused
    ("memory reset", "kill", "unlink /home/.chat_history"),  # undisturbed, the skills came back from their folder
    ("encrypt", "full", "pwrite64 /home/state.db "),  # with room again, it was called damaged
    ("notes add, encrypted", "tear", "pwrite64 /home/state.db "),  # it was called damaged
)
"""A command, a fault, and the first deed at which it was not as it should be."""


def some(what: str) -> Sequence[Command]:
    """Return two commands in `make test`, the same every time, all in `make proof`."""
    return Random(what).sample(COMMANDS, count(2, len(COMMANDS)))


@pytest.mark.parametrize("command", some("kills at writes"), ids=lambda command: command.name)
def test_a_command_killed_at_any_write_keeps_everything(
    hermes_shell: Shell, tmp_path: Path, command: Command
) -> None:
    chance, tallies = seeded(f"kills at writes of {command.name}"), Tallies()
    with trial(hermes_shell, command, tmp_path) as tried:
        places = chosen(chance, tried.undisturbed.log)
        record(f"fault.kill.places.{command.name}", len(places))
        _try(tallies, tried, "kill", _some_of(chance, places, count(2, len(places))))
        _try(tallies, tried, "tear", _some_of(chance, _writes(tried), count(1, 6)))
    tallies.close()


@pytest.mark.parametrize("command", some("disks that fail"), ids=lambda command: command.name)
def test_a_command_on_a_disk_that_fails_says_so_and_keeps_everything(
    hermes_shell: Shell, tmp_path: Path, command: Command
) -> None:
    chance, tallies = seeded(f"disks that fail for {command.name}"), Tallies()
    with trial(hermes_shell, command, tmp_path) as tried:
        places = chosen(chance, tried.undisturbed.log)
        for kind in _kinds(chance, "full", "broken", "hiccup"):
            _try(tallies, tried, kind, _some_of(chance, places, count(1, 6)))
        for kind in _kinds(chance, "unreadable"):
            _try(tallies, tried, kind, _some_of(chance, range(1, _READS), count(1, 4)))
        _try(tallies, tried, "readonly", [1])
    tallies.close()


@pytest.mark.parametrize(("name", "kind", "deed"), ONCE_WRONG)
def test_a_fault_that_once_left_something_by_half(
    hermes_shell: Shell, tmp_path: Path, name: str, kind: Kind, deed: str
) -> None:
    (command,) = (one for one in COMMANDS if one.name == name)
    with trial(hermes_shell, command, tmp_path) as tried:
        at = next(number for number, line in enumerate(tried.undisturbed.log, 1) if deed in f"{line} ")
        assert tried.attempt(Fault(kind, at)) == []


@pytest.mark.parametrize("command", some("clocks"), ids=lambda command: command.name)
def test_a_clock_that_jumps_back_loses_nothing(hermes_shell: Shell, tmp_path: Path, command: Command) -> None:
    chance, tally = seeded(f"clocks of {command.name}"), Tally("back")
    with trial(hermes_shell, _with_a_backup(command), tmp_path) as tried:
        for at in _some_of(chance, range(1, 20), count(1, 3)):
            back = chance.choice((60, _DAY, 400 * _DAY))
            # Not by the doctor: a backup that was dated wrongly is rightly called old.
            tally.add(command.name, tried.attempt(Fault("back", at, back), examines=False))
    tally.close()


def test_work_that_is_due_is_done_when_the_clock_was_set_back(hermes_shell: Shell, tmp_path: Path) -> None:
    (learning,) = (one for one in COMMANDS if one.name == "learning")
    with trial(hermes_shell, _with_a_backup(learning), tmp_path) as tried:
        assert tried.attempt(Fault("back", 6, _DAY), examines=False) == []


def test_the_oracle_sees_what_is_lost(hermes_shell: Shell, tmp_path: Path) -> None:
    """If this fails the tests above prove nothing: a command that takes something away is told."""
    taking = Command("taking", 'notes remove -t user "Likes figs"')
    with trial(hermes_shell, taking, tmp_path) as tried:
        adding = Trial(
            tried.shell, taking, tried.folder, tried.before, tried.before, tried.undisturbed, tried.known
        )
        found = adding.attempt(Fault())
        killed = tried.attempt(Fault("kill", tried.undisturbed.deeds))
    assert any("USER.md" in one for one in found), found
    assert killed == []


def _with_a_backup(command: Command) -> Command:
    """Expect a backup of whoever does due work while the clock is back: the last seems to lie in the future."""
    made = ("home/backup.key", "home/backups/*") if command.name == "learning" else ()
    return replace(command, fresh=(*command.fresh, *made))


def _try(tallies: Tallies, tried: Trial, kind: Kind, places: Sequence[int]) -> None:
    tried.seen.clear()
    for number, at in enumerate(places):
        # The doctor looks at every fourth: the oracle has compared each row and file before.
        wrong = tried.attempt(Fault(kind, at), examines=number % 4 == 0)
        tallies.of(kind).add(tried.command.name, wrong, tried.seen)


def _writes(tried: Trial) -> Sequence[int]:
    """Return the numbers of the deeds that write bytes, and so can be torn."""
    return [number for number, line in enumerate(tried.undisturbed.log, 1) if "write" in line.split(" ")[1]]


def _kinds(chance: Random, *kinds: Kind) -> Sequence[Kind]:
    return chance.sample(kinds, count(1, len(kinds)))


def _some_of(chance: Random, places: Sequence[int], most: int) -> Sequence[int]:
    return sorted(chance.sample(list(places), min(most, len(places))))
