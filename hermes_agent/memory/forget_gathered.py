"""Everything that goes as a whole when something is forgotten, gathered: with its texts, and what it says.

What goes is compared by what it says with what was shown; what quotes it is looked for by its texts.
"""

from dataclasses import dataclass, field

from hermes_agent.memory import forget_told
from hermes_agent.memory.forget_asked import Going
from hermes_agent.records.archive import Message, Session
from hermes_agent.records.journal import Entry
from hermes_agent.records.memory import Fact
from hermes_agent.records.reflections import Reflection
from hermes_agent.records.summaries import Summary
from hermes_agent.store import facts, journal, messages, reflections, removing, sessions, summaries
from hermes_agent.store import forgetting as rows
from hermes_agent.store.engine import Connection
from hermes_agent.text.runs import strings

_OWN_TOOLS = ("memory", "skill_manage", "todo", "handover")
"""Tools that only say that they did what they were told, in words of the program."""


@dataclass(slots=True)
class Gone:
    """Everything that goes as a whole, while it is gathered."""

    sessions: list[Session] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    lessons: list[Reflection] = field(default_factory=list)
    summaries: list[Summary] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)

    @property
    def texts(self) -> list[tuple[int, str]]:
        """Every text of it, with the number of the message it was said in, or 0."""
        return [*self.said, *((0, text) for one in self.entries for text in forget_told.words_of(one))]

    @property
    def said(self) -> list[tuple[int, str]]:
        """Every text of it but for what only entries of the journal tell, in the same way."""
        numbers = {one.uid: one.id for one in self.messages}
        found = [(one.id, text) for one in self.messages for text in words_said(one)]
        found += [(numbers.get(one.source_message or "", 0), one.text) for one in self.facts]
        for lesson in self.lessons:
            told = strings([lesson.task, list(lesson.worked), list(lesson.differently)])
            found += [(numbers.get(lesson.message_uid, 0), text) for text in told]
        found += [(0, text) for one in self.summaries for text in told_by(one)]
        found += [(0, one.title) for one in self.sessions if one.title]
        return found

    @property
    def parts(self) -> frozenset[tuple[str, str]]:
        """Each part of it, and what it says: alike if nothing was said or changed in between."""
        told = [(one.id, one.title or "") for one in self.sessions]
        told += [(one.uid, "\0".join(words_said(one))) for one in self.messages]
        told += [(one.name, one.text) for one in self.facts]
        told += [(one.name, one.text) for one in self.summaries]
        told += [(one.name, one.text) for one in self.entries]
        told += [(one.name, "\0".join([one.task, *one.worked, *one.differently])) for one in self.lessons]
        return frozenset(told)


def gather(connection: Connection, going: Going) -> Gone:
    """Read everything that goes as a whole: what was named, what sums it up, and what was learned from it."""
    names = removing.going(connection, sorted(going.sessions))
    gone = Gone(list(sessions.get_many(connection, names).values()), rows.said_in(connection, names))
    inside = {one.id for one in gone.messages}
    apart_from = messages.get_many(connection, sorted(going.messages - inside))
    firsts: dict[str, int] = {}
    for one in apart_from.values():
        firsts[one.session_id] = min(one.id, firsts.get(one.session_id, one.id))
    # What sums up a session tells of what was said in it before, in whatever words.
    told = [number for name, first in firsts.items() for number in rows.compactions_after(connection, name, first)]
    gone.messages += [
        *apart_from.values(),
        *messages.get_many(connection, sorted(set(told) - apart_from.keys())).values(),
    ]
    uids = [one.uid for one in gone.messages]
    learned = facts.said_in(connection, uids)
    named = facts.get_many(connection, sorted(going.facts)).values()
    gone.facts = list({one.id: one for one in (*learned, *named)}.values())
    taught = reflections.of_sessions(connection, [*names, *firsts])
    wanted = [one for one in taught if one.session_id in names or one.message_uid in set(uids)]
    chosen = reflections.get_many(connection, sorted(going.reflections)).values()
    gone.lessons = list({one.id: one for one in (*wanted, *chosen)}.values())
    gone.summaries = list(summaries.get_many(connection, sorted(going.summaries)).values())
    gone.entries = journal.get_many(connection, sorted(going.entries))
    return gone


def told_by(summary: Summary) -> list[str]:
    """Return the words of a summary: its topic and its lines."""
    return [summary.topic, *(line["text"] for line in summary.lines)]


def words_said(message: Message) -> list[str]:
    """Return the words of a message, what it called tools with among them; what our own tools reply is ours."""
    if message.role == "tool" and message.tool_name in _OWN_TOOLS:
        return []
    return [*strings([message.content, message.reasoning]), *_called(message.tool_calls)]


def _called(value: object) -> list[str]:
    """Return what tools were called with; names and ids of ours are nobody's words."""
    if isinstance(value, list):
        return [text for one in value for text in _called(one)]
    if isinstance(value, dict):
        return [text for name, one in value.items() if name not in ("id", "name", "type") for text in _called(one)]
    return [value] if isinstance(value, str) else []
