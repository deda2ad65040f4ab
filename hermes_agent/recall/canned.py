"""The answers of the embedded model that hold nothing worth recalling: it cannot do that, or it kept a remark."""

import re
from dataclasses import replace

from hermes_agent.recall.hit import Hit
from hermes_agent.records.notes import SUBJECTS
from hermes_agent.records.talk import HELPS, INTRODUCES, NEEDS_MODEL, NOT_NOTED, NOT_NOTED_AGAIN
from hermes_agent.text import transcripts
from hermes_agent.text.questions import only_asks
from hermes_agent.text.transcripts import Transcript

_CANNED = (f"{NEEDS_MODEL}, and I am only the memory without one.", NOT_NOTED, NOT_NOTED_AGAIN)
_ABOUT_ITSELF = (*_CANNED, INTRODUCES, HELPS)
_OWN = re.compile(rf"`hermes [^`\n]*`|\b(?:{'|'.join(map(re.escape, SUBJECTS.values()))})")


def is_canned(hit: Hit) -> bool:
    """Tell whether a hit is an answer of which every paragraph is one of those; what the user said never is.

    What an external memory brings is one if it is a turn of which nothing else is left but a question.
    """
    if hit.kind == "provided":
        turn = transcripts.read(hit.text) or Transcript("", transcripts.undated(hit.text))
        return _is_canned_line(turn.assistant) and (not turn.user or only_asks(turn.user))
    if hit.kind != "episode" or hit.source_class != "assistant":
        return False
    return all(paragraph.startswith(_CANNED) for paragraph in hit.text.strip().split("\n\n"))


def uncanned(hit: Hit) -> Hit:
    """Return a turn that an external memory brings without an answer that holds nothing."""
    turn = transcripts.read(hit.text)
    if turn is None or not turn.user or not _is_canned_line(turn.assistant) or is_canned(hit):
        return hit
    user = hit.text.removesuffix(turn.assistant).rstrip()
    return replace(hit, text=user[: -len("assistant:")].rstrip())


def without_boilerplate(answer: str) -> str:
    """Return an answer without the paragraphs that tell only of the program, its commands and its notes' names.

    What they quote as examples, “remember that …”, names nothing.
    """
    told = [one for one in answer.split("\n\n") if not one.lstrip().startswith(_ABOUT_ITSELF)]
    return _OWN.sub("", "\n\n".join(told))


def _is_canned_line(answer: str) -> bool:
    """Tell whether an answer on one line, which may have been cut, is one of those."""
    if not answer.endswith(transcripts.CUT):
        return answer.startswith(_CANNED)
    begun = answer.rstrip(".…")
    return begun.startswith(_CANNED) or any(one.startswith(begun) for one in _CANNED)
