"""Facts as people read them: one line in a list, and everything there is to say about one."""

from typing import TYPE_CHECKING

from hermes_agent import clock
from hermes_agent.cli.output import print_json, say
from hermes_agent.config.reader_time import local_time
from hermes_agent.memory.facts import Sourced
from hermes_agent.memory.shown.facts import fact_json
from hermes_agent.records.archive import Message
from hermes_agent.records.journal import Entry
from hermes_agent.records.memory import Fact
from hermes_agent.text.clean import preview
from hermes_agent.text.quantities import counted

if TYPE_CHECKING:
    from hermes_agent.config.load import Settings

_HIGH, _MEDIUM = 0.8, 0.5
_QUOTED = 400


def name_and_text(one: Fact) -> str:
    """Write a fact with its number: `[fact:042] User lives in Lyon`."""
    return f"[{one.name}] {one.text}"


def line(one: Fact, settings: "Settings") -> str:
    """Write a fact as 002 prints it: what is certain has no confidence, and what others said tells where from."""
    begins = None if one.valid_from is None or one.valid_from <= clock.now() else one.valid_from
    remarks = [
        "" if one.confidence >= 1.0 else f"confidence: {_confidence(one)}",
        f"from {one.source_class}" if one.trust == "untrusted" else "",
    ]
    sure = ", ".join(remark for remark in remarks if remark)
    standing = [
        "" if one.state == "current" else one.state,
        "" if begins is None else f"from {_day(begins, settings)}",
        "" if one.valid_to is None else f"until {last_day(one.valid_to, settings)}",
        "pinned" if one.is_pinned else "",
    ]
    told = ", ".join(part for part in standing if part)
    return name_and_text(one) + "".join(f" ({part})" for part in (sure, told) if part)


def last_day(end: int, settings: "Settings") -> str:
    """Write the last day of something that is over when a moment comes."""
    return _day(end - 1, settings)


def tell_changed(told: Sourced, how: str, *, is_json: bool) -> None:
    """Say what became of a fact that was changed by hand."""
    if is_json:
        print_json(fact_json(told))
    else:
        say(f"{how}: {name_and_text(told.fact)}")


def described(told: Sourced, source: Message | Entry | None, settings: "Settings") -> list[tuple[str, str]]:
    """Return what there is to say about a fact, each with its name."""
    one = told.fact

    def when(moment: int | None) -> str:
        return "" if moment is None else local_time(moment, settings)

    slot = " · ".join(part for part in (one.subject, one.attribute, one.value) if part)
    about = [
        ("State", one.state if one.ended_at is None else f"{one.state}, {when(one.ended_at)}"),
        ("Pinned", "yes" if one.is_pinned else ""),
        ("Confidence", f"{_confidence(one)} ({one.confidence:.2f}): {one.confidence_reason}"),
        ("Said", f"{when(one.said_at)} ({one.source_class})"),
        ("Learned", when(one.learned_at)),
        ("True from", when(one.valid_from)),
        ("True until", "" if one.valid_to is None else _until(one.valid_to, settings)),
        ("About", slot),
        ("Said again", counted(one.corroborations, "time") if one.corroborations else ""),
        ("Instead of", ", ".join(name_and_text(former) for former in told.former if former.state != "merged")),
        ("Also said as", ", ".join(name_and_text(former) for former in told.former if former.state == "merged")),
        (
            "Merged into" if one.state == "merged" else "Replaced by",
            "" if told.later is None else name_and_text(told.later),
        ),
        ("Source", _source(one, source, settings)),
    ]
    return [(name, value) for name, value in about if value]


def _day(moment: int, settings: "Settings") -> str:
    return local_time(moment, settings)[: len("2026-06-30")]


def _until(end: int, settings: "Settings") -> str:
    """Write when something is over: the day before, if that is the end of a day."""
    shown = local_time(end, settings)
    return last_day(end, settings) if shown.endswith(" 00:00:00") else shown


def _confidence(one: Fact) -> str:
    if one.confidence >= _HIGH:
        return "high"
    return "medium" if one.confidence >= _MEDIUM else "low"


def _source(one: Fact, source: Message | Entry | None, settings: "Settings") -> str:
    if source is None:
        return "gone"
    if isinstance(source, Message):
        words = (source.content or "")[one.span_start : one.span_end]
        return f"session {source.session_id}, {local_time(source.said_at, settings)}: “{preview(words, _QUOTED)}”"
    cause = f" ({source.cause})" if source.cause else ""
    return f"{source.kind} by {source.actor}, {local_time(source.at, settings)}{cause}"
