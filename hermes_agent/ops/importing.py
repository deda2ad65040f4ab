"""Bring a file into memory, whatever wrote it, and say what came of it: for whichever door its owner uses.

What we export ourselves is read, conversations of the public Hermes, of ChatGPT and Claude, and what Mem0 and
Letta remember. `hermes memory import` and the dashboard say the same sentences.
"""

from collections.abc import Generator, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path

from hermes_agent.errors import UsageError
from hermes_agent.memory.notebook import Notebook
from hermes_agent.ops import own_formats
from hermes_agent.ops.elsewhere import bringing
from hermes_agent.ops.elsewhere.bringing import Came
from hermes_agent.ops.merge import ImportReport
from hermes_agent.ops.steps import Step
from hermes_agent.ops.transfer import import_file
from hermes_agent.ops.whole import joining, reading
from hermes_agent.ops.whole.joining import Joined
from hermes_agent.records.archive import Json
from hermes_agent.text.clean import printable
from hermes_agent.text.quantities import counted

Outcome = Joined | Came | ImportReport

_TOLD = {
    "sessions": "session",
    "messages": "message",
    "facts": "fact",
    "reflections": "reflection",
    "skills": "skill",
}
_READ = (
    "What can be read: files of `hermes memory export`, conversations.json of ChatGPT or Claude, exports of Mem0"
    " and Letta. If some conversations are broken, take over the rest: hermes sessions import --skip-broken FILE"
)
_FOREIGN = "Their words are marked as an import's."


def bring(notebook: Notebook, path: Path, name: str, *, is_own: bool) -> Generator[Step, None, Outcome]:
    """Bring a file in; `name` is what the journal calls it. UsageError if nothing in it can be read."""
    if reading.is_one(path):
        whole = yield from reading.check(path)
        return (yield from joining.join(notebook, path, whole, is_own=is_own))
    own_formats.refuse(path, "backup", "profile")
    found = bringing.read(path)
    if found is not None:
        return (yield from bringing.bring(notebook.store, found, name, is_own=is_own))
    report = yield from import_file(notebook.store, path, name=name, is_own=is_own, hint=_READ)
    if not any(report.counts().values()):
        raise UsageError(f"{name} holds no memory, and no conversation.")
    return report


def outcome_json(outcome: Outcome) -> dict[str, Json]:
    """Write what came, as data."""
    if isinstance(outcome, Joined):
        return asdict(outcome)
    if isinstance(outcome, Came):
        counts = {name: value for name, value in asdict(outcome).items() if name not in ("program", "report")}
        return {**counts, "sessions": asdict(outcome.report)}
    return {"sessions": asdict(outcome)}


def lines(outcome: Outcome, name: str, *, is_own: bool, mine: str) -> Iterator[str]:
    """Say what came, a sentence a line; `mine` is how the owner says at this door that the words are theirs."""
    if isinstance(outcome, Joined):
        yield from _joined_lines(outcome, name, mine)
        return
    report = outcome.report if isinstance(outcome, Came) else outcome
    if isinstance(outcome, Came):
        yield (
            f"Imported from {outcome.program}: {counted(outcome.facts, 'fact')};"
            f" {outcome.known:,} were here already."
        )
        if outcome.owned:
            yield f"Your own now: {counted(outcome.owned, 'fact')}."
        if outcome.forgotten:
            yield f"Left out, since it was forgotten for good: {counted(outcome.forgotten, 'fact')}."
    if not isinstance(outcome, Came) or any(report.counts().values()):
        yield from report_lines(report)
    has_new = report.has_changes or (isinstance(outcome, Came) and bool(outcome.facts))
    if not is_own and has_new:
        yield f"{_FOREIGN} If they are your own: {mine}"


def report_lines(report: ImportReport, done: str = "Imported") -> Iterator[str]:
    """Say what became of the sessions, one sentence a line."""
    yield f"{done} {counted(len(report.imported), 'session')}; {counted(report.messages, 'new message')}."
    if report.extended:
        yield f"Continued {counted(len(report.extended), 'session')}: {_names(report.extended)}."
    if report.skipped:
        yield f"Here already: {counted(len(report.skipped), 'session')}."
    if report.messages_forgotten:
        left = counted(report.messages_forgotten, "message")
        whole = f", {counted(len(report.forgotten), 'session')} among them whole" if report.forgotten else ""
        yield f"Left out, since it was forgotten for good: {left}{whole}."
    if report.owned:
        yield f"Your own now: {counted(len(report.owned), 'session')}: {_names(report.owned)}."
    if report.renamed:
        yield f"Got another title, because theirs was taken or too long: {_names(report.renamed)}."
    if report.detached:
        yield f"Lost their parent, which is not there: {_names(report.detached)}."
    for broken in report.broken:
        yield printable(f"Broken and left out: {broken}.")


def things(rows: Mapping[str, int]) -> str:
    """Say how many there are of what people ask for."""
    told = [counted(rows[name], thing) for name, thing in _TOLD.items() if rows.get(name)]
    return ", ".join(told) or "nothing"


def _joined_lines(joined: Joined, name: str, mine: str) -> Iterator[str]:
    brought = joined.brought
    if brought.is_fresh:
        yield f"Your memory is as it was exported: {things(brought.new)}."
    elif not brought.has_changes and not joined.added and not joined.removed:
        yield f"All that {name} holds is here already."
    else:
        if any(brought.new.get(each) for each in _TOLD):
            yield f"Came: {things(brought.new)}."
        if brought.followed:
            yield f"Changed there since, and here now: {counted(brought.followed, 'thing')}."
    if any(brought.blocked.get(each) for each in _TOLD):
        yield f"Left out, since it was forgotten for good: {things(brought.blocked)}."
    if brought.cut:
        yield f"Came without a sentence that was forgotten for good: {counted(brought.cut, 'message')}."
    if not brought.is_own and any(brought.new.values()):
        yield f"{_FOREIGN} If it is your own memory: {mine}"
    for note, count in joined.added.items():
        yield f"{note} got {counted(count, 'entry', 'entries')}."
    for note, count in joined.removed.items():
        yield f"{counted(count, 'entry', 'entries')} of {note} went, as there."
    for skill in brought.kept_apart:
        yield f"A skill that differs from yours was archived as {skill}."
    for one in joined.left:
        yield f"Left: {one}"


def _names(ids: tuple[str, ...], most: int = 5) -> str:
    shown = ", ".join(printable(one) for one in ids[:most])
    return shown if len(ids) <= most else f"{shown} and {len(ids) - most:,} more"
