"""What a user may ask the embedded model to do: search, forget, look at skills, list conversations.

Reading a request is here; what comes of it is worded where the tools' replies are read.
"""

from dataclasses import dataclass
from typing import Literal

from hermes_agent.learn.drafting import steps_told
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.sentences import sentences

_POLITE = (
    r"(?:(?:please|hey|ok|okay|hermes|can\s+you|could\s+you|would\s+you|now|and|also|bitte|por\s+favor)[\s,]+)*"
    r"(?:please\s+)?"
)
_SEARCH = Pattern(
    _POLITE + r"(?:search(?:\s+(?:for|through|the\s+archive(?:\s+for)?|my\s+(?:memory|archive|history"
    r"|conversations)(?:\s+for)?|in|about))?|find(?:\s+me)?|look\s+(?:for|up)|grep"
    r"|such(?:e)?(?:\s+nach)?|cherche|busca|cerca|procura|zoek(?:\s+naar)?)\s*[:,]?\s+(?P<words>\S.*)"
)
_FORGET = Pattern(
    _POLITE + r"(?:forget|delete|remove|erase|drop|vergiss|oublie|olvida|dimentica|esquece|vergeet)(?!\s+(?:it"
    r"|about\s+it)\s*[.!]*$)(?!\s+not\b|\s+nicht\b|\s+pas\b|\s+niet\b)"
    r"\s+(?:about\s+|that\s+|the\s+(?:note|entry|fact)\s+(?:that\s+|about\s+)?|what\s+i\s+(?:said"
    r"|told\s+you)\s+about\s+|dass\s+)?(?P<what>\S.*?)"
    r"(?:\s+from\s+(?:your|the|my)\s+(?:memory|notes))?"
)
_KEEP_NOT = Pattern(
    _POLITE + r"(?:(?:do\s+not|don't|never|stop)\s+(?:stor(?:e|ing)|keep(?:ing)?|remember(?:ing)?|sav(?:e|ing)"
    r"|not(?:e|ing)(?:\s+down)?|memori[sz](?:e|ing)))\s+(?P<what>(?:my|our|that|where\s+i|the\s+fact\s+that)\s+\S.*?)"
    r"(?:[\s,]+(?:any\s?more|any\s+longer|please))*"
)
_TAKE_BACK = Pattern(
    _POLITE + r"(?:(?:forget|delete|remove|erase)(?:\s+(?:that|this)(?:\s+(?:again|one|note|entry))?|\s+the\s+last"
    r"(?:\s+(?:one|note|entry|thing))?|\s+what\s+i\s+(?:just\s+)?said)?|(?P<undo>undo(?:\s+(?:that|it|this))?)"
    r"|(?:i\s+)?take\s+(?:that|it)\s+back|scratch\s+that|strike\s+that|i\s+didn't\s+mean\s+that)"
)
_EVERYTHING = Pattern(
    r"(?:everything|all(?:\s+of\s+it)?|it\s+all|all\s+(?:my|your|the)\s+(?:notes|memory|memories)|me"
    r"|everything\s+about\s+me|alles)[\s.!]*"
)
_SKILLS = Pattern(
    _POLITE + r"(?:list|show|what\s+are)\s+(?:me\s+)?(?:all\s+|your\s+|my\s+|the\s+|available\s+)*skills|(?:what"
    r"|which)\s+skills\s+(?:do\s+you\s+have|are\s+there|have\s+you)|skills"
)
_SKILL = Pattern(
    _POLITE + r"(?:show|open|view|read|use|describe)\s+(?:me\s+)?(?:the\s+)?skill\s+(?:called\s+"
    r"|named\s+)?[\"“'`]?(?P<name>[\w./-]+)[\"”'`]?|(?:show|open|view"
    r"|read)\s+(?:me\s+)?the\s+(?P<name2>[\w./-]+)\s+skill"
)
_THIS = (
    r"(?:this\s+(?:task|conversation|procedure)|this|that|it|these\s+steps|those\s+steps|the\s+above"
    r"|(?:what|how)\s+(?:we|you|i)\s+(?:just\s+)?(?:did|do|done)(?:\s+(?:this|that|it))?)"
)
# Any name is read; whether a skill can have it is decided where it is made.
_NAME = r"[\"“„'`]?(?P<{}>[^\s:\"“”„'`][^:\"“”„`\n]{{0,100}}?)[\"”“'`]?"
_CALLED = rf"(?:,?\s+(?:called|named|under\s+the\s+name(?:\s+of)?)\s+{_NAME})?"
_MAKE_SKILL = Pattern(
    _POLITE
    + r"(?:(?:make|create|write|draft|build)\s+(?:me\s+)?a\s+(?:new\s+)?skill"
    + _CALLED.format("name1")
    + rf"(?:\s+(?:of|from|out\s+of|with|for)\s+{_THIS})?"
    + _CALLED.format("name2")
    + rf"|(?:save|keep|store|remember|record|turn|make)\s+{_THIS}\s+(?:(?:as|into|to)\s+)?a\s+(?:new\s+)?skill"
    + _CALLED.format("name3")
    + r"|(?:mach(?:e)?\s+daraus|speicher(?:e)?\s+das\s+als)\s+(?:einen\s+)?skill"
    + rf"(?:\s+namens\s+{_NAME})?".format("name4")
    + r")(?:\s*:\s*(?P<steps>\S[\s\S]*)|[\s.!?]*)$"
)
_SESSIONS = Pattern(
    _POLITE + r"(?:list|show)\s+(?:me\s+)?(?:all\s+|my\s+|our\s+|the\s+|last\s+|latest\s+|recent\s+"
    r"|past\s+)*(?:sessions?|conversations?|chats?)"
)
_TASK = Pattern(
    _POLITE + r"(?:(?:write|compose|draft|create|generate|make|build|code|implement|translate|summari[sz]e|explain"
    r"|review|analy[sz]e|refactor|fix|debug|calculate|compute|solve|plan|design|draw|paint|compare"
    r"|recommend|suggest|book|order|buy|send|email|call|schedule|open|run|execute|install|deploy|convert"
    r"|sort|rewrite|proofread|correct|improve|optimi[sz]e|teach|sing|play|pretend|act|imagine|ignore|print"
    r"|reveal|repeat|output|describe|brainstorm|outline|rate|rank|test|check|count|estimate|predict"
    r"|read\s+(?:the\s+|my\s+|this\s+)?(?:file|(?:[\w~-]*/)*[\w-]+\.[a-z]\w{0,4}\b)|list\s+(?:the\s+|my\s+|all\s+)?files|set\s+(?:an?\s+)?(?:timer|alarm|reminder)"
    r"|remind\s+me\s+(?:to|in|at|on|tomorrow|tonight|later|every)|wake\s+me"
    r"|help\s+me|give\s+me|tell\s+me\s+(?:a|an|some)|show\s+me\s+(?:how|a|an|the)|let's|i\s+need\s+you\s+to"
    r"|i\s+want\s+you\s+to"
    r"|schreib(?:e)?|übersetze?|erkläre?|fasse|écris|traduis|explique|escribe|traduce|explica|scrivi"
    r"|traduci|spiega|escreve|traduz|schrijf|vertaal)\b)"
)
_MANNER = Pattern(
    r"\b(?P<manner>(?:focus(?:ing|ed)?\s+on|with\s+(?:a\s+)?focus\s+on|with\s+emphasis\s+on"
    r"|in\s+the\s+style\s+of|using\s+only|without\s+using|in\s+(?:german|english|french|spanish"
    r"|italian))\b.*)"
)


WishKind = Literal[
    "search",
    "forget",
    "forget last",
    "forget everything",
    "list skills",
    "show skill",
    "make skill",
    "list sessions",
    "task",
]


@dataclass(frozen=True, slots=True)
class Wish:
    """Something to do. `what` is what to search for, to forget, to show; of a task, how it should be done.

    Of a skill to make it is the name, and `text` the steps, where they are told with it.
    """

    kind: WishKind
    what: str = ""
    text: str = ""


def read_request(text: str) -> Wish | None:
    """Return what somebody wants done; None when the words want nothing."""
    plain = text.replace("’", "'").strip().rstrip("?.! ")
    if _SKILLS.fullmatch(plain):
        return Wish("list skills")
    if match := _SKILL.fullmatch(plain):
        return Wish("show skill", match["name"] or match["name2"])
    if wish := read_skill_request(plain):
        return wish
    if _SESSIONS.fullmatch(plain):
        return Wish("list sessions")
    if match := _SEARCH.fullmatch(plain):
        return Wish("search", match["words"].strip(" \"“”'"))
    if match := _TAKE_BACK.fullmatch(plain):
        return Wish("forget last", "undo" if match["undo"] else "")
    if match := _KEEP_NOT.fullmatch(plain):
        return Wish("forget", match["what"].strip())
    if match := _FORGET.fullmatch(plain):
        what = match["what"].strip()
        return Wish("forget everything" if _EVERYTHING.fullmatch(what) else "forget", what)
    if _TASK.match(plain):
        # Work for a language model; how it should be done is kept.
        manner = _MANNER.search(plain)
        return Wish("task", manner["manner"] if manner else "")
    return None


def read_skill_request(text: str) -> Wish | None:
    """Return the wish to make a skill of what was done or told; None when a text is none."""
    match = _MAKE_SKILL.match(text.replace("’", "'").strip())
    if match is None:
        return None
    names = (match[f"name{number}"] for number in range(1, 5))
    return Wish("make skill", next((name for name in names if name), "").strip(), match["steps"] or "")


def read_told_skill(text: str) -> Wish | None:
    """Return the wish to make a skill of the steps that are told before it, in the same breath."""
    said = sentences(text)
    wish = read_skill_request(said[-1].text) if len(said) > 1 else None
    if wish is None or wish.text:
        return None
    before = text[: said[-1].start].strip()
    return Wish(wish.kind, wish.what, before) if steps_told(before) else None


def is_request(text: str) -> bool:
    """Tell whether a sentence wants something done; such a sentence is no evidence of anything."""
    return read_request(text) is not None
