"""Looking back after the answer: a review saves what should have been saved, a suggestion only proposes it.

Both ask the model with the conversation's own prompt, lines and tools, so that the vendor's cache
serves them; of the tools only those run that save what is looked for. Nothing of this talk enters the archive:
what comes of it is in the notes, in the skills and in the journal.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from hermes_agent.agent.toolbox import Toolbox, ToolResult, failed
from hermes_agent.agent.window import lines
from hermes_agent.models.model import Model
from hermes_agent.records.archive import Json, Message
from hermes_agent.records.talk import AssistantLine, Line, Reply, Request, ToolLine, ToolSpec, UserLine
from hermes_agent.text.questions import asks

_NOTING = ("memory",)
_SKILLS = ("skill_manage", "skill_view", "skills_list")
_MOST_ROUNDS = 16
# A remark that is short enough for a note and long enough to say something.
_LEAST_WORDS, _MOST_WORDS = 4, 40
_LOOK_BACK = "[This is not from the user. The answer is out; look back at the conversation.]"
_ABOUT_USER = (
    "Did the user reveal anything about themselves, their preferences, their expectations of you, or their world "
    "that will still matter in weeks and is not in your notes?"
)
_SAVE_NOTES = (
    "Then save it now with `memory`, in one call, as short statements of fact. Save nothing that was a guess, a "
    "passing state or a failure of the moment."
)
_ABOUT_WORK = (
    "Did a way of working succeed that will be needed again: steps, commands, a convention of this environment "
    "that took effort to find, or a skill you followed that turned out wrong or incomplete?"
)
_SAVE_SKILLS = (
    "Then keep it now with `skill_manage`: patch the skill you followed; else improve one of `skills_list` that "
    "is for the same kind of task; only if there is none, create one for the whole kind of task. Keep nothing "
    "that failed in the end, no complaint about a tool, no trouble of the moment, no tale of this one task."
)
_ELSE = "If there is nothing, answer: Nothing to save."
_SUGGEST = """\
[This is not from the user.] What from this conversation should be added to your notes? Propose it by \
calling `memory` once with all operations; it is shown to the owner, who decides. Only what the user said, \
as short statements of fact. If there is nothing, answer: Nothing to add."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """One note that could be added."""

    target: str
    text: str


@dataclass(frozen=True, slots=True)
class Wants:
    """What a review looks for: what was learned about the user, and how the work was done."""

    memory: bool = True
    skills: bool = False


def review(model: Model, toolbox: Toolbox, system_prompt: str, window: Sequence[Message], wants: Wants) -> None:
    """Let the model save what it should have saved; no tools run but those that save what is looked for."""
    notes = (_ABOUT_USER, _SAVE_NOTES) if wants.memory else ()
    skills = (_ABOUT_WORK, _SAVE_SKILLS) if wants.skills else ()
    task = " ".join([_LOOK_BACK, *notes, *skills, _ELSE])
    usable = (*(_NOTING if wants.memory else ()), *(_SKILLS if wants.skills else ()))
    _converse(model, toolbox, system_prompt, [*lines(window), UserLine(task)], usable)


def suggest(
    model: Model, spec: ToolSpec, system_prompt: str, window: Sequence[Message], known: Sequence[str]
) -> list[Proposal]:
    """Return what the model would add to the notes; nothing is written."""
    collector = Collector(spec)
    toolbox = Toolbox({spec.name: collector})
    if model.is_embedded:
        for message in window:
            if message.role == "user" and message.content:
                _suggest_one(model, toolbox, collector, message.content)
    else:
        _converse(model, toolbox, system_prompt, [*lines(window), UserLine(_SUGGEST)], _NOTING)
    unique = dict.fromkeys(collector.proposals)
    return [proposal for proposal in unique if proposal.text not in known]


def _suggest_one(model: Model, toolbox: Toolbox, collector: "Collector", said: str) -> None:
    """Ask the embedded default about one message: what it understood in it, else the remark as it was said."""
    before = len(collector.proposals)
    _converse(model, toolbox, "", [UserLine(said)], _NOTING)
    is_remark = not asks(said) and _LEAST_WORDS <= len(said.split()) <= _MOST_WORDS
    if len(collector.proposals) == before and is_remark:
        _converse(model, toolbox, "", [UserLine(f"Remember that {said}")], _NOTING)


class Collector:
    """The tool `memory` with nothing behind it: it takes down what would be added."""

    def __init__(self, spec: ToolSpec) -> None:
        self.spec = spec
        self.proposals: list[Proposal] = []

    def question(self, arguments: Mapping[str, Json]) -> str | None:
        """Nothing happens, so nobody is asked."""
        return None

    def run(self, arguments: Mapping[str, Json]) -> ToolResult:
        """Take down the additions of one call."""
        target = "user" if arguments.get("target") == "user" else "memory"
        operations = arguments.get("operations")
        for operation in operations if isinstance(operations, list) else [arguments]:
            content = operation.get("content") if isinstance(operation, Mapping) else None
            if isinstance(content, str) and content.strip():
                self.proposals.append(Proposal(target, content.strip()))
        return ToolResult(json.dumps({"success": True, "done": True, "message": "Proposed to the owner."}))


def _converse(
    model: Model, toolbox: Toolbox, system_prompt: str, talk: Sequence[Line], usable: Collection[str]
) -> None:
    """Let a model work on its own for a few rounds; of the tools it is shown only the usable ones run."""
    refusal = f"Only {' and '.join(f'`{name}`' for name in usable)} may be used here."
    said = list(talk)
    for _ in range(_MOST_ROUNDS):
        reply = _whole(model, Request(system_prompt, said, toolbox.specs))
        if not reply.calls:
            return
        said.append(AssistantLine(reply.text, reply.calls, reply.vendor))
        for call in reply.calls:
            result = toolbox.run(call) if call.name in usable else failed(refusal)
            said.append(ToolLine(call.id, call.name, result.text))


def _whole(model: Model, request: Request) -> Reply:
    for piece in model.ask(request):
        if isinstance(piece, Reply):
            return piece
    return Reply("")
