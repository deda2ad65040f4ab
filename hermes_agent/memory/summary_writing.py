"""Write the summary of episodes: what of them may be told, which of it tells most, and what it is about.

Nothing that is in quarantine or was pasted is told, and nothing that speaks like an instruction from elsewhere.
Each line keeps whose words it holds: when the messages are discarded, nobody else can say.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes_agent.learn import summarizing, topics
from hermes_agent.learn.summarizing import Cluster, Passage
from hermes_agent.memory import blocked, quarantine
from hermes_agent.memory.embedding import gists_of
from hermes_agent.memory.episodes import task_of
from hermes_agent.notes import screening
from hermes_agent.recall.sifting import sources_of
from hermes_agent.records.archive import UNTRUSTED, Message
from hermes_agent.records.memory import Episode, Said
from hermes_agent.records.summaries import Line, NewSummary, topic_of
from hermes_agent.store import compressed, episodes, messages
from hermes_agent.store.engine import Connection
from hermes_agent.text.clean import preview

if TYPE_CHECKING:
    from hermes_agent.models.model import Model

RULES = "rules"
_TOPIC_CHARACTERS = 120
_SHOWN_FOR_A_LINE = 3
"""A model sees so many passages for each line it may write."""


@dataclass(frozen=True, slots=True)
class Told:
    """What was said in each episode that may be told, and those messages with their marks."""

    said: Mapping[int, Sequence[Said]]
    messages: Mapping[int, Message]
    marks: Mapping[int, str | None]
    tasks: Mapping[str, tuple[str, Message]]
    """What conversations are about, each with the message it was opened with; without what may not be told."""


def tellable(connection: Connection, found: Sequence[Episode]) -> Told:
    """Return what was said in episodes that a summary may tell: nothing in quarantine, pasted or forgotten."""
    said = episodes.texts(connection, [one.id for one in found])
    every = messages.get_many(connection, [one.message_id for each in said.values() for one in each])
    session_ids = sorted({one.session_id for one in found})
    usable: dict[int, Message] = {}
    for session_id in session_ids:
        mine = [one for one in every.values() if one.session_id == session_id]
        trusted = quarantine.usable(connection, session_id, mine)
        usable |= {one.id: one for one in blocked.sayable(connection, trusted)}
    kept = {episode_id: [one for one in each if one.message_id in usable] for episode_id, each in said.items()}
    openings = compressed.openings(connection, session_ids)
    tasks = {
        session_id: (task, usable[openings[session_id]])
        for session_id, origin in episodes.origins(connection, session_ids).items()
        if (task := task_of(origin)) and openings.get(session_id) in usable
    }
    return Told(kept, usable, sources_of(connection, list(usable.values())), tasks)


def write(cluster: Cluster, told: Told, model: "Model | None") -> tuple[NewSummary, str | None]:
    """Return a summary, and why the model that was asked did not word it."""
    count = summarizing.line_count(cluster.episodes)
    found = summarizing.passages_of(cluster.episodes, told.said)
    lines, written_by, cause = _lines(found, told, count), RULES, None
    if model is not None and lines:
        # Imported here: it loads pydantic, and most commands ask no model.
        from hermes_agent.learn.answers import Unreadable
        from hermes_agent.learn.model_summarizing import reword

        worded = reword(model, _lines(found, told, count * _SHOWN_FOR_A_LINE), count)
        if isinstance(worded, Unreadable):
            cause = worded.reason
        else:
            lines, written_by = _whole(worded, lines), model.name
    return NewSummary(
        topic=_topic(cluster, told, lines),
        lines=lines,
        episode_count=len(cluster.episodes),
        source=cluster.source,
        said_at=cluster.said_at,
        ended_at=cluster.ended_at,
        written_by=written_by,
    ), cause


def _whole(worded: Sequence[Line], by_rules: Sequence[Line]) -> list[Line]:
    """Return a model's lines, and of every conversation that it left out those that the rules chose."""
    sessions = {line["session"] for line in worded}
    left_out = [line for line in by_rules if line["session"] not in sessions]
    return sorted([*worded, *left_out], key=lambda line: line["at"])


def _lines(found: Sequence[Passage], told: Told, count: int) -> list[Line]:
    """Return the passages that tell most as lines; none that speaks like an instruction from elsewhere."""
    lines = [_line(found[place], told) for place in _chosen(found, count)]
    shown = [line for line in lines if not screening.find(line["text"], "foreign")]
    return sorted(shown, key=lambda line: line["at"])


def _chosen(found: Sequence[Passage], count: int) -> list[int]:
    from hermes_agent.store import gists

    made = gists_of([one.text for one in found])
    whole = [gist for gist in made if gist is not None]
    if len(whole) < len(found):
        return list(range(min(count, len(found))))  # our model is damaged: what was said first tells most
    return summarizing.choose(found, list(gists.read(whole)), count) if whole else []


def _line(one: Passage, told: Told) -> Line:
    message = told.messages[one.said.message_id]
    return Line(
        session=one.episode.session_id,
        message=message.uid,
        at=one.said.said_at,
        who=one.said.speaker or one.said.role,
        text=one.text,
        source_class=message.source_class,
        mark=told.marks[message.id],
    )


def _topic(cluster: Cluster, told: Told, lines: Sequence[Line]) -> str:
    """Say what episodes are about: what they share, the task that most of them were for, or else the first line.

    Only of conversations that a line tells of: what is forgotten of one is found by its lines. And of words from
    elsewhere only where a line says so: the lines tell whose words a summary holds.
    """
    sessions = {line["session"] for line in lines}
    marks = {line.get("mark") for line in lines}
    openings = {
        session_id: task
        for session_id, (task, opening) in told.tasks.items()
        if session_id in sessions
        and (opening.source_class not in UNTRUSTED or told.marks[opening.id] in marks)
        and not screening.find(task, "foreign")
    }
    typed = {one: [line["text"] for line in lines if line["session"] == one] for one in sorted(sessions)}
    shared = topics.shared_topic(openings, typed)
    if shared is None and not openings:
        return topic_of(lines)
    tasks = [openings[one.session_id] for one in cluster.episodes if one.session_id in openings]
    return preview(shared or topics.subject(max(tasks, key=tasks.count)), _TOPIC_CHARACTERS)
