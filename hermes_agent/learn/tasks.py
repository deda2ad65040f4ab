"""Cut a session into tasks: a request, what was tried for it, and what its user said of that.

A user's message begins a new task unless it speaks of the one before: it judges, corrects or goes on with it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from hermes_agent.learn.failing import EXIT, has_failed, why_failed
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.patterns import Pattern
from hermes_agent.records.archive import Json, Message, SourceClass
from hermes_agent.records.talk import NEEDS_MODEL
from hermes_agent.text import outside_json
from hermes_agent.text.clean import preview
from hermes_agent.text.stems import content_words, stem
from hermes_agent.text.words import words

_GOES_ON = word_set(
    """no nope nah not wrong still again that's it's try instead actually hmm but thanks thank thx great perfect
    works worked nice ok okay yes yep cool awesome excellent same better almost close shorter longer simpler sorry
    oops wait"""
)
_SHORT_GOES_ON = word_set("and also this that it now please")
"""A few words that begin so speak of what is before the eyes; more of them are a request."""
_ANSWERS = word_set("no nope nah yes yep yeah sure ok okay please go ahead do it don't not now never mind later")
"""Of such words an answer to a question is made that is no request."""
_FEW = 4
_LONGEST_ALONE = 12
"""A message of more words that only begins like an answer is a request of its own."""
_ALIKE = 0.5
_PRAISED = Pattern(
    r"^\W*(?:(?:ok|okay|yes|yep|ah|oh|wow|hey)\W+)*(?:thanks|thank\s+you|thx|that(?:'s|\s+is)\s+(?:it|right|perfect|great"
    r"|better|what)|(?:that|it|this)\s+work(?:s|ed)|worked|works|well\s+done|good\s+(?:job|work|one)|all\s+good|lgtm"
    r"|looks\s+good|(?:perfect|great|excellent|awesome|brilliant|lovely|nice|exactly)"
    r"(?=\s*(?:$|[^\w\s]|thanks|thank|job|work|that|it|this|now|so)))"
)
_FAULTED = Pattern(
    r"^\W*(?:(?:ok|okay|hmm|well|sorry|thanks|but|oh)\W+)*(?:no(?=\W*$|\s*[,.!;:—–-]|\s+(?:i|it|you|we|that|this|not|use|make|go|please)\b)|nope|nah|wrong"
    r"|not\s+(?:what|like|that|quite|right|good)|that(?:'s|\s+is)\s+(?:wrong|not)|again\b"
    r"|still\s+(?:not?|an?|the|too|is|has|does|doesn't|fail\w*|broken|wrong|missing|getting|shows?|there|same)\b"
    r"|too\s+(?:long|short|much|many|formal|vague|slow|verbose)|(?:make\s+it\s+)(?:less|more)\b|(?:make\s+it\s+)?"
    r"(?:shorter|longer|simpler)\b|i\s+(?:meant|(?:said|asked)\s+(?:you|for|to|that|it|the|not|no)\b)"
    r"|you\s+(?:forgot|missed|didn't|did\s+not|should(?:n't|\s+(?:not|have))|were\s+supposed)"
    r"|(?:it|that|this)\s+(?:doesn't|does\s+not|didn't|did\s+not|still|fails|failed|broke|is\s+wrong|isn't|is\s+not)"
    r"|(?:please\s+)?(?:don't|do\s+not)\b(?!\s+(?:you|we|they|i)\b)|instead\b|rather\b)"
)
_BUT = Pattern(
    r"\bbut\s+(?:can|could|would|please|make|don't|do\s+not|not|you|i\s+(?:want|need|meant|asked|said)"
    r"|i'm\s+looking)\b"
)
_LONGEST_CALL = 120
_SHELLS = ("shell", "terminal")
"""Our tool for commands, and that of the public product: what they did is shown as a command alone."""
_SHOWN = ("command", "path", "url", "query", "pattern", "name")


@dataclass(frozen=True, slots=True)
class Attempt:
    """One call of a tool, and what came of it."""

    tool: str
    what: str
    """The call on one line: a command, a path, a question."""
    is_failed: bool
    reason: str
    """Why it failed, in the tool's words."""
    message_id: int = 0
    """The message that holds the tool's answer."""
    source_class: SourceClass = "tool"
    """Where the words of that answer came from."""

    @property
    def shown(self) -> str:
        return f"`{self.what}`" if self.tool in _SHELLS and self.what else f"{self.tool} {self.what}".rstrip()


@dataclass(slots=True)
class Task:
    """A request and what followed until the next one."""

    request: Message
    attempts: list[Attempt] = field(default_factory=list)
    remarks: list[Message] = field(default_factory=list)
    """What its user said of it afterwards."""
    last_id: int = 0
    """Its last message."""
    ended_at: int = 0
    is_stopped: bool = False
    """Whether its last answer was stopped or failed."""
    unable: Message | None = None
    """The answer that it needs a language model, unless another model has answered since."""


def is_owners(message: Message) -> bool:
    """Tell whether the owner said it here: not an import, another profile or somebody else in the room."""
    return message.source_class == "user" and message.speaker is None


def tasks(said: Sequence[Message]) -> list[Task]:
    """Return the tasks of a session, in order."""
    found: list[Task] = []
    calls: dict[str, tuple[str, str]] = {}
    answer = ""
    for message in said:
        if message.is_summary:
            continue
        if message.role == "user":
            if found and _answers(message.content or "", answer):
                pass  # "No" to "Shall I delete it?" judges nothing
            elif found and goes_on(message.content or "", found[-1].request.content or ""):
                found[-1].remarks.append(message)
            else:
                found.append(Task(message))
        elif not found:
            continue
        elif message.role == "assistant":
            answer = message.content or ""
            calls.update(_calls(message))
            found[-1].is_stopped = message.finish_reason in ("interrupted", "error")
            found[-1].unable = _unable(message, found[-1].unable)
        elif message.role == "tool":
            found[-1].attempts.append(_attempt(message, calls))
        if found:
            found[-1].last_id, found[-1].ended_at = message.id, message.said_at
    return found


def _unable(answer: Message, before: Message | None) -> Message | None:
    if (answer.content or "").startswith(NEEDS_MODEL):
        return answer
    return before if before is not None and before.model == answer.model else None


def _answers(text: str, asked: str) -> bool:
    said = words(text)
    return asked.rstrip().endswith("?") and len(said) <= _FEW and _ANSWERS.issuperset(said)


def goes_on(text: str, request: str) -> bool:
    """Tell whether a message speaks of the task before it, and is none of its own."""
    said = words(text)
    if not said:
        return True
    if is_praise(text) or is_fault(text):
        return len(said) <= _LONGEST_ALONE * 2
    if said[0] in _GOES_ON and len(said) <= _LONGEST_ALONE:
        return True
    if said[0] in _SHORT_GOES_ON and len(said) <= _FEW:
        return True
    stems, before = _stems(text), _stems(request)
    return len(said) <= _LONGEST_ALONE and bool(stems) and len(stems & before) / len(stems) > _ALIKE


def is_praise(text: str) -> bool:
    """Tell whether a message says that it is well done."""
    return _PRAISED.search(text) is not None and _BUT.search(text) is None


def is_fault(text: str) -> bool:
    """Tell whether a message says that something was wrong, or wanted otherwise."""
    if _FAULTED.search(text) is not None:
        return True
    return _PRAISED.search(text) is not None and _BUT.search(text) is not None


def _stems(text: str) -> set[str]:
    return {stem(word) for word in content_words(text)}


def _calls(message: Message) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield the calls of an answer by their ids: the tool, and what it was to do."""
    listed = message.tool_calls if isinstance(message.tool_calls, list) else []
    for call in listed:
        if not isinstance(call, Mapping):
            continue
        nested = call.get("function")
        function = nested if isinstance(nested, Mapping) else call
        name, arguments = str(function.get("name") or ""), function.get("arguments")
        yield str(call.get("id") or ""), (name, _what(_parsed(arguments)))


def _parsed(arguments: Json) -> Mapping[str, Json]:
    if isinstance(arguments, Mapping):
        return arguments
    parsed = outside_json.read(arguments) if isinstance(arguments, str) else None
    return parsed if isinstance(parsed, Mapping) else {}


def _what(arguments: Mapping[str, Json]) -> str:
    named = [arguments[name] for name in _SHOWN if isinstance(arguments.get(name), str)]
    return preview(str(named[0]) if named else "", _LONGEST_CALL)


def _attempt(message: Message, calls: Mapping[str, tuple[str, str]]) -> Attempt:
    tool, what = calls.get(message.tool_call_id or "", (message.tool_name or "", ""))
    text = message.content or ""
    last = text.rstrip().rpartition("\n")[2]
    # Only the shell's own last line tells: a log that is read may hold such a line, too.
    is_shell_failed = tool == "shell" and EXIT.search(last) is not None
    is_failed = bool(message.metadata.get("is_error")) or is_shell_failed or has_failed(text, tool)
    reason = why_failed(text) if is_failed else ""
    return Attempt(
        tool or message.tool_name or "a tool", what, is_failed, reason, message.id, message.source_class
    )
