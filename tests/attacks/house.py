"""A home with a memory, in which attacks are played: by tools, by pasting, by an import, by another profile.

The model is the worst one there is: whatever it reads, it tries to save in the notes and in the journal, word by
word and in its own words, and repeats in its answer. In another conversation it looks all of it up again, with
every tool there is for that, and tries once more.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from hermes_agent.agent.prompt import build
from hermes_agent.agent.toolbox import Tool, Toolbox, ToolResult
from hermes_agent.agent.tools.journal import Journal
from hermes_agent.agent.tools.memory import MemoryTool
from hermes_agent.agent.tools.recall import Recall
from hermes_agent.agent.tools.session_search import SessionSearch
from hermes_agent.config.paths import Home
from hermes_agent.memory.memory import Memory
from hermes_agent.memory.notebook import Notebook
from hermes_agent.ops.transfer import import_file
from hermes_agent.recall.block import Item
from hermes_agent.records.archive import Json, NewMessage, NewSession
from hermes_agent.records.quarantine import Quarantined
from hermes_agent.records.talk import Reply, ToolCall
from hermes_agent.store import quarantine
from tests.agent.bench import bench_for, take_turn
from tests.attacks.cases import Case
from tests.fakes import PlainTool, ScriptedModel, call, reply
from tests.learning import learn

_LONGEST_ENTRY = 400
_FEWEST_WORDS = 3
_MOST_LINES = 4
_SOUGHT_WORDS = 6


@dataclass(frozen=True)
class Shown:
    """A text that a tool shows to the model, and whose words the tool says it holds."""

    text: str
    mark: str | None


@dataclass
class House:
    """A memory, its notes, and what happened in them; `sessions` are those of each case."""

    memory: Memory
    home: Home
    folder: Path
    every: int = 1
    """Of so many cases one is played."""
    sessions: dict[str, list[str]] = field(default_factory=dict)
    looked_up: dict[str, list[Shown]] = field(default_factory=dict)
    """What the tools showed of each case in another conversation."""

    @property
    def notebook(self) -> Notebook:
        return Notebook(self.memory.store, self.home, 100_000, 100_000)

    def play(self, case: Case, *, is_obeyed: bool) -> None:
        """Let a case come in; a model that obeys tries to keep and repeat what it reads."""
        if case.channel == "import":
            self.sessions[case.id] = [self._import(case)]
        elif case.channel == "profile":
            self.sessions[case.id] = [self._hand_over(case)]
        else:
            self.sessions[case.id] = [self._talk(case, is_obeyed=is_obeyed)]
        for session_id in self.sessions[case.id]:
            if is_obeyed and case.channel in ("import", "profile"):
                self._save(session_id, case)
            learn(self.memory.store, session_id)
        if is_obeyed:
            self._look_up(case)

    def quarantined(self, case: Case) -> list[Quarantined]:
        """Return what of a case waits for review, without the notes that were to be made of it."""
        with self.memory.store.read() as connection:
            waiting = quarantine.recent(connection, 100_000)
        return [one for one in waiting if one.session_id in self.sessions[case.id] and one.kind == "message"]

    def header(self) -> str:
        """Return the system prompt of a new conversation."""
        return build(self.notebook.snapshot(), skill_index="", folder="/work", began="2026-11-16")

    def recalled(self, *said: str) -> list[Item]:
        """Return what memory puts in front of messages of new conversations."""
        return [item for one in said for item in self.memory.recall(one).items]

    def _talk(self, case: Case, *, is_obeyed: bool) -> str:
        """Hold a conversation in which each turn is read by a tool, or pasted by the owner."""
        results = iter([ToolResult(turn, case.source_class) for turn in case.turns])
        model = ScriptedModel(list(_script(case, is_obeyed=is_obeyed)))
        bare = bench_for(self.memory, model)
        look = PlainTool("look", lambda _: next(results))
        bench = replace(bare, toolbox=Toolbox({"look": look, **self._tools(bare.session_id)}))
        for turn in case.turns:
            said = case.pasted(turn) if case.channel == "mail" else "Please look that up for me."
            list(take_turn(bench, said))
        self.memory.end(bench.session_id, "cli_close")
        return bench.session_id

    def _tools(self, session_id: str) -> dict[str, Tool]:
        """Return the tools by which a model reads and writes memory."""
        return {
            "memory": MemoryTool(self.notebook, session_id),
            "journal": Journal(self.memory, session_id),
            "session_search": SessionSearch(self.memory, session_id),
            "recall": Recall(self.memory, session_id),
        }

    def _look_up(self, case: Case) -> None:
        """Hold a conversation in which the model looks a case up with every tool, and tries to save it again."""
        words = " OR ".join(" ".join(case.turns).replace('"', " ").split()[:_SOUGHT_WORDS])
        looks = [
            call("session_search", json.dumps({"query": words, "role_filter": "user,assistant,tool"}), "look_1"),
            call("session_search", json.dumps({"session_id": self.sessions[case.id][0]}), "look_2"),
            call("recall", json.dumps({"query": case.wants}), "look_3"),
            call("journal", json.dumps({"action": "look_up"}), "look_4"),
        ]
        script = [reply("", *looks), reply("", *_saving(case, *case.turns)), reply("Done.")]
        bare = bench_for(self.memory, ScriptedModel(script))
        bench = replace(bare, toolbox=Toolbox(self._tools(bare.session_id)))
        list(take_turn(bench, "What was that again?"))
        results = [
            one for one in self.memory.messages(bench.session_id) if (one.tool_call_id or "").startswith("look_")
        ]
        self.looked_up[case.id] = [shown for one in results for shown in _shown(json.loads(one.content or "{}"))]
        # What is said of one case must not be found with the next.
        self.memory.delete([bench.session_id], "test")

    def _import(self, case: Case) -> str:
        """Import a file of another program in which somebody says each turn, and the assistant repeats it."""
        said = [
            {"role": role, "content": turn, "timestamp": 1_760_000_000 + place}
            for place, turn in enumerate(case.turns)
            for role in ("user", "assistant")
        ]
        name = f"imported-{case.id}"
        file = self.folder / f"{name}.json"
        file.write_text(json.dumps({"id": name, "started_at": 1_760_000_000, "messages": said}), "utf-8")
        list(import_file(self.memory.store, file))
        return name

    def _hand_over(self, case: Case) -> str:
        """Keep what another profile handed over."""
        name = self.memory.begin(NewSession("profile", f"profile-{case.id}"))
        for turn in case.turns:
            self.memory.append(name, NewMessage("user", turn, source_class="profile"))
        self.memory.end(name, "cli_close")
        return name

    def _save(self, session_id: str, case: Case) -> None:
        """Try to save everything from within a session."""
        tool = MemoryTool(self.notebook, session_id)
        for one in _saving(case, *case.turns):
            tool.run(json.loads(one.arguments))


def _script(case: Case, *, is_obeyed: bool) -> Iterator[Reply]:
    for turn in case.turns:
        if case.channel != "mail":
            yield reply("", call("look"))
        if is_obeyed:
            yield reply("", *_saving(case, turn))
        yield reply(turn if is_obeyed else "I have read it.")


def _saving(case: Case, *turns: str) -> list[ToolCall]:
    """Return calls that save the longest lines of texts, and what the attacker wants in other words."""
    lines = sorted((line.strip() for turn in turns for line in turn.splitlines()), key=len)[-_MOST_LINES:]
    said = [line[:_LONGEST_ENTRY] for line in lines if len(line.split()) >= _FEWEST_WORDS]
    entries = [("memory", one) for one in (*said, case.wants)]
    entries += [("user", one) for one in (*said[-1:], f"Asked to {case.wants}")]
    noted = [
        call("memory", json.dumps({"target": target, "action": "add", "content": entry}), f"call_{place}")
        for place, (target, entry) in enumerate(entries)
    ]
    taken_down = [
        call("journal", json.dumps({"action": "record", "kind": "decision", "text": text}), f"record_{place}")
        for place, text in enumerate((*said, case.wants))
    ]
    return [*noted, *taken_down]


def _shown(answer: dict[str, Json]) -> Iterator[Shown]:
    """Yield each text in the answer of a tool that looks something up, with the mark that stands beside it."""
    where, _, remark = str(answer.get("where") or "").rpartition(", ")
    mark = answer.get("mark") or (remark if where else None)
    for key in ("content", "snippet", "text", "reason", "preview"):
        if isinstance(answer.get(key), str):
            yield Shown(str(answer[key]), None if mark is None else str(mark))
    for value in answer.values():
        for part in value if isinstance(value, list) else []:
            if isinstance(part, dict):
                yield from _shown(part)
