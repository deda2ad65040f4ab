"""The embedded model: it answers a request from the request alone, in the same loop and with the same tools.

A pure function of what a language model would see: the prompt with its notes, the conversation with what was
recalled, the tools' replies. It asks for all its tools in one round (notes to write, archive to search) and
answers in the next. Only the time comes from outside.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import tzinfo

from hermes_agent.agent.embedded.answer import answer
from hermes_agent.agent.embedded.asked import Happened, Talk, Why
from hermes_agent.agent.embedded.asking import ask_calls
from hermes_agent.agent.embedded.doing import do_answer, do_calls, talk_answer
from hermes_agent.agent.embedded.events import event_answer
from hermes_agent.agent.embedded.evidence import Knowledge, know
from hermes_agent.agent.embedded.forgetting import cleared
from hermes_agent.agent.embedded.parts import Ask, Chat, Do, Part, Tell, read_parts
from hermes_agent.agent.embedded.scene import Done, Scene, read_scene
from hermes_agent.agent.embedded.smalltalk import INTRODUCTION
from hermes_agent.agent.embedded.telling import Call, tell_answer, tell_calls
from hermes_agent.learn.patterns import Pattern
from hermes_agent.records.talk import Piece, Reply, Request, TextPiece, ToolCall

__all__ = ["INTRODUCTION", "NAME", "Embedded"]

NAME = "embedded"
_WORD = Pattern(r"\S+\s*|\s+")
_WORDS_PER_PIECE = 12


class Embedded:
    """A model without a language model. `zone` is the user's; None is the machine's."""

    name = NAME
    is_embedded = True
    context_window = 1_000_000

    def __init__(self, zone: tzinfo | None = None) -> None:
        self._zone = zone

    def ask(self, request: Request) -> Iterator[Piece]:
        """Ask for the tools that are needed, or answer."""
        scene = read_scene(request, self._zone)
        # Planned on what was there when the user spoke, so that the next round makes the same plan again.
        start = cleared(replace(scene, done=(), found=()))
        known = know(start)
        parts = read_parts(start, known)
        calls = [_calls_of(part, start, known) for part in parts]
        if not scene.done and any(calls):
            yield Reply("", _numbered(parts, calls, scene.calls), NAME, "tool_calls")
            return
        text = _answered(parts, calls, scene)
        yield from _pieces(text)
        yield Reply(text, (), NAME, "stop")


def _calls_of(part: Part, scene: Scene, knowledge: Knowledge) -> list[Call]:
    match part:
        case Tell():
            return tell_calls(part, scene)
        case Ask(question, _):
            return ask_calls(question, scene, knowledge)
        case Do(wish):
            return do_calls(wish, scene, knowledge)
        case Chat():
            return []


def _numbered(parts: list[Part], calls: list[list[Call]], before: int) -> list[ToolCall]:
    wanted = [(part, call) for part, of_part in zip(parts, calls, strict=True) for call in of_part]
    return [
        ToolCall(f"call_{before + number}", *call, _purpose(part, call))
        for number, (part, call) in enumerate(wanted, start=1)
    ]


def _purpose(part: Part, call: Call) -> str:
    """Return the question a search is for: its query holds all that an answer might have been worded with."""
    tool, arguments = call
    is_search = tool == "session_search" and '"query"' in arguments
    return part.said if is_search and isinstance(part, Ask) else ""


def _answered(parts: list[Part], calls: list[list[Call]], scene: Scene) -> str:
    left = list(scene.done)
    # Told and asked in one message: what was told now is known when it is asked.
    asked = cleared(scene.with_now if len(parts) > 1 else scene)
    knowledge = know(asked)
    texts = []
    for part, wanted in zip(parts, calls, strict=True):
        results, left = left[: len(wanted)], left[len(wanted) :]
        texts.append(_answer_of(part, scene if isinstance(part, Tell) else asked, knowledge, results))
    return "\n\n".join(text for text in texts if text)


def _answer_of(part: Part, scene: Scene, knowledge: Knowledge, results: list[Done]) -> str:
    match part:
        case Tell():
            return tell_answer(part, scene, results)
        case Ask(Talk() as talk, _):
            return talk_answer(talk, scene, results)
        case Ask(Happened() | Why() as event, _):
            return event_answer(event, scene, knowledge, results)
        case Ask(question, _):
            return answer(question, scene, knowledge)
        case Do(wish):
            return do_answer(wish, scene, knowledge, results)
        case Chat(text):
            return text


def _pieces(text: str) -> Iterator[TextPiece]:
    """Stream the answer a few words at a time."""
    words = [match[0] for match in _WORD.finditer(text)]
    for start in range(0, len(words), _WORDS_PER_PIECE):
        yield TextPiece("".join(words[start : start + _WORDS_PER_PIECE]))
