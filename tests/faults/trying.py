"""Try a command with faults: run it undisturbed once, then in copies of the same folder with one fault each."""

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from random import Random

from hermes_agent.errors import HermesError
from tests.faults import oracle
from tests.faults.commands import Command
from tests.faults.content import Content, content_of
from tests.faults.injecting import Fault
from tests.faults.running import KILLED, Ran, Shell

_BETWEEN = 3


@dataclass(frozen=True, slots=True)
class Trial:
    """A command that was run undisturbed: what there was before and after, and what it did to files meanwhile."""

    shell: Shell
    command: Command
    folder: Path
    """As it was before the command; only ever copied."""
    before: Content
    after: Content
    undisturbed: Ran
    known: frozenset[str]
    """What the doctor says of the home anyway."""
    seen: set[str] = field(default_factory=set)
    """The first lines of what people saw when the command failed."""

    def attempt(self, fault: Fault, *, examines: bool = True) -> list[str]:
        """Run the command with a fault, and again without; return everything that is not as it should be."""
        with self._copy(self.folder) as folder:
            ran = self.shell.run(folder, *self.command.arguments, fault=fault)
            found = _listed(self._judged(ran, fault, folder, examines=examines))
            again = self.shell.run(folder, *self.command.again_arguments)
            if not again.is_plain:
                found.append(f"run again it ends with {again.status}: {_last(again)}")
            # What says that it is there already, or gone already, must have it so.
            elif again.status != 0 or self._must_finish(fault):
                found += _listed(self._finished(folder, again))
            found += [f"run again ({again.status}): {one}" for one in self.command.finally_(self.shell, folder)]
        where = ran.log[fault.at - 1] if 0 < fault.at <= len(ran.log) else str(fault.at)
        return [f"{fault.kind} at {where}: {one}" for one in found]

    def _judged(self, ran: Ran, fault: Fault, folder: Path, *, examines: bool) -> Iterator[str]:
        """Name what is wrong with what a disturbed run left behind; that itself stays as it is."""
        if not ran.is_plain:
            yield f"no plain error ({ran.status}): {_last(ran)}"
        if ran.status not in (0, KILLED):
            self.seen.add(_told(ran).replace(str(folder), ""))
        with self._copy(folder) as copy:
            is_failure = fault.kind not in ("kill", "tear")
            is_known = is_failure and self.command.waits_after_failure
            if examines and not is_known:
                yield from oracle.complaints(self.shell, copy, self.known, self.command.is_told)
            now = content_of(copy)
            yield from oracle.problems(self.command, self.before, self.after, now)
            # What a command says that it left is not acknowledged, nor what it learns when it has answered.
            is_left = "Left: " in ran.stdout or is_failure and self.command.learns_afterwards
            is_later = fault.kind == "back" and self.command.goes_by_the_clock
            if ran.status == 0 and not is_left and not is_later:
                yield from oracle.unfinished(self.command, self.after, now)
            yield from self.command.check(self.shell, copy)

    def _must_finish(self, fault: Fault) -> bool:
        is_kill = fault.kind in ("kill", "tear")
        return self.command.is_repeatable and (is_kill or not self.command.waits_after_failure)

    def _finished(self, folder: Path, again: Ran) -> Iterator[str]:
        for one in oracle.unfinished(self.command, self.after, content_of(folder), is_again=True):
            yield f"run again ({again.status}): {one}"

    @contextmanager
    def _copy(self, folder: Path) -> Iterator[Path]:
        # At the same depth under another name: no path may be kept anywhere.
        with tempfile.TemporaryDirectory(prefix="try-", dir=self.folder.parent) as copy:
            shutil.copytree(folder, copy, symlinks=True, dirs_exist_ok=True)
            yield Path(copy)


@contextmanager
def trial(shell: Shell, command: Command, place: Path) -> Iterator[Trial]:
    """Prepare a command's folder below `place`, and run the command undisturbed in a copy of it."""
    with tempfile.TemporaryDirectory(dir=place) as name, tempfile.TemporaryDirectory(dir=place) as other:
        folder, copy = Path(name), Path(other)
        command.prepare(shell, folder)
        shutil.copytree(folder, copy, symlinks=True, dirs_exist_ok=True)
        known = oracle.findings(shell, copy)
        before = content_of(copy)
        shutil.rmtree(copy)
        shutil.copytree(folder, copy, symlinks=True)
        ran = shell.run(copy, *command.arguments)
        assert ran.status == 0, (command.name, ran.stderr)
        after = content_of(copy)
        known |= oracle.findings(shell, copy)
        yield Trial(shell, command, folder, before, after, ran, known)


def chosen(chance: Random, log: Sequence[str]) -> Sequence[int]:
    """Return the numbers of all deeds; of pages written into one file in a row the ends and three between."""
    wanted: list[int] = []
    for _, run in groupby(range(len(log)), key=lambda place: _page_of(log, place)):
        places = list(run)
        between = places[1:-1]
        wanted += {places[0], places[-1], *chance.sample(between, min(_BETWEEN, len(between)))}
    return sorted(place + 1 for place in wanted)


def _page_of(log: Sequence[str], place: int) -> str:
    """Name the file whose page a deed writes; a deed of another kind stands for itself."""
    number, what, path = log[place].split(" ", 2)
    return path if what.startswith("pwrite") else number


def _listed(found: Iterator[str]) -> list[str]:
    """Return what is found; a store that does not open, or a file that cannot be read, is found too."""
    collected = []
    try:
        for one in found:
            collected.append(one)
    except (HermesError, OSError, ValueError) as error:
        collected.append(f"{type(error).__name__}: {error}")
    return collected


def _told(ran: Ran) -> str:
    """Return the error that a person sees."""
    lines = [line for line in ran.stderr.splitlines() if line.startswith("Error: ")]
    return lines[0] if lines else _last(ran)


def _last(ran: Ran) -> str:
    lines = ran.stderr.strip().splitlines()
    return lines[-1] if lines else "it says nothing"
