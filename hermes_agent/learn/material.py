"""Tell what a message says of its writer from the task it sets and the text it hands over to work on.

Whoever asks for an article says how that article shall be, and speaks of people nobody knows. What holds for the
assistant beyond the task says so ("always", "never again"), or is about how it answers.
"""

from hermes_agent.learn import attributes, glue
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.wishes import is_for_all
from hermes_agent.records.statements import Statement
from hermes_agent.text.words import words

_LONG_FOR_WISHES = 400
_LONG_FOR_OTHERS = 600
_SHORT = 160
_STANDING = Pattern(
    r"\b(?:always|never|from now on|henceforth|from (?:this point|here) on|whenever|every time|in (?:the )?future"
    r"|going forward|by default|unless i|until i|when(?:ever)? (?:i|you) (?:ask|say|write|talk|draft)|any ?more"
    r"|no longer|only ever|you (?:write|draft|send|suggest|propose) (?:for|to)? ?(?:me|us)|on other days)\b"
)
_MANNER = Pattern(
    r"\b(?:answers|repl(?:y|ies)|responses|explain|explanations?|metric|imperial|celsius|fahrenheit"
    r"|24[- ]?h(?:our)?|call me|address me|refer to me|remind me|speak|emojis?|jargon|small talk|greet"
    r"|apologi[sz]e|assume i|pretend i|the basics|commit messages?|type-hint|formal|casual|slow(?:ly)?|short|brief"
    r"|concise|simple|plain(?:ly)?|apologies|commits|pull requests"
    r"|bullet points|contractions|exclamation marks|sign (?:as|with)|landmarks"
    r"|quick|gentle|spelling|quoted in|prices)\b"
)
# What is said of all that is written for somebody, or of a case that comes again, is no part of one task.
_FOR_ALL = Pattern(
    r"(?:any|every|each|all) [\w -]{2,40}\b(?:needs?|should|must|ha(?:s|ve) to)\b"
    r"|(?:if|when(?:ever)?) (?:i|you) \w+ |[^,]+, not [^,]+,? (?:in|for|on) (?:all|any|every)\b"
    r"|(?:[\w-]+ ){0,3}(?:dates|directions|figures|ideas|letters|mails|menus|recipes|reports|sums|summaries"
    r"|worksheets) (?:should|must|(?:have|need|are) to|gotta)\b"
    r"|(?:didn't|kept|don't|enough|less|fewer|stick (?:to|with)|talk to me|treat me|for \w+,? use|in \w+,? \w+)\b"
    r"|(?:keep|limit) .*\bunder \d+ (?:words|lines|characters)\b"
    r"|.*\b(?:anything|everything)\b|.*\b(?:all|each|any)(?: of)? your (?:answers|drafts|emails"
    r"|letters|lists|menus|messages|recipes|replies|reports|responses|suggestions|summaries|texts)\b"
)
_REFUSAL = Pattern(
    r"(?:please\s+)?(?:don'?t|do\s+not|dont|no|nothing|skip|avoid|spare|(?:stop|quit)\s+(?:asking|suggesting|using"
    r"|adding|sending|telling|calling|giving|saying|apologi[sz]ing|explaining|with\b|recommending|reminding)"
    r"|(?:leave|take)\s+.*\b(?:out|off)|keep\s+(?:it\s+quiet|me|your|the\s+answers?))\b"
)
_NO_WISH = Pattern(
    r"^(?:n't|be one of|help me|act as|write me)\b|^(?!sign|end|start|begin|open|close)\b.*(?:^|\s)['\"“‘]"
    r"|\bonly '"
)
_TASK = Pattern(r"\b(?:want|need|like|ask) you to\b|\b(?:write|create|generate|draft|act as|following|below)\b")
# A piece of work is asked for: what else is said of the manner is of that piece.
_PIECE = Pattern(
    r"(?:^|[.!?\n]\s{0,4}|\b(?:please|can you|could you|kindly)\s+)(?:(?:now|ok|so|then|and|also|please)\s+){0,4}"
    r"(?:(?:re-?)?write|draft|compose|create|generate|summari[sz]e|translate|proofread|rephrase|paraphrase|redo"
    r"|(?:make|prepare|design|give)\s+(?:me\s+|us\s+)?(?:an?|\d+|two|three|four|five|ten)"
    r"|reply to (?:this|the|her|him|them|my)|turn (?:this|the|it))\b"
    r"|\bi(?:'d|\s+would)? (?:need|want|require|like) an? (?:[\w-]+ )?"
    r"(?:essay|letter|poem|email|e-mail|speech|summary|article|story|prompt|post|report|bio|caption|toast|script|list|table|paragraph)\b"
)
_OWN = Pattern(r"\b(?:i|i'm|i've|i'll|my|me|we|we're|our|us|im|ive)\b")
# Of a goal in two words only these last: "quit smoking", "learn Welsh", not "buy milk".
_AIMS = ("quit", "stop", "learn", "become", "study")
_CUT = glue.PREPOSITIONS | frozenset(
    ("going", "having", "being", "doing", "getting", "the", "a", "an", "and", "my")
)


def is_of_task(statement: Statement, message: str) -> bool:
    """Tell whether a statement speaks of the task at hand, or of what the message only holds; or was cut short."""
    # What is read of other languages is little, and none of it is how a text shall be.
    if statement.polarity == "no longer" or statement.language != "en":
        return False
    if statement.attribute == attributes.INSTRUCTION:
        return not _is_wish(statement.value, message)
    said = words(statement.value)
    if statement.attribute == "goal" and len(said) < 3 and said[0] not in _AIMS:
        return True
    if statement.attribute in ("likes", "prefers", "uses", "owns") and said[-1:] and said[-1] in _CUT:
        return True
    is_of_others = statement.who.kind == "thing" or (statement.who.kind == "person" and not statement.who.relation)
    if not is_of_others:
        return False
    return len(message) > _LONG_FOR_OTHERS or (len(message) > _SHORT and _OWN.search(message) is None)


def _is_wish(value: str, message: str) -> bool:
    """Tell whether the assistant is asked for something that lasts."""
    if _STANDING.search(value):
        return True
    if " " not in value.strip() or len(message) > _LONG_FOR_WISHES or _NO_WISH.search(value):
        return False
    if _PIECE.search(message) and not _STANDING.search(message):
        return False
    if _STANDING.search(message) or _MANNER.search(value) or _REFUSAL.match(value) or _FOR_ALL.match(value):
        return True
    if is_for_all(["", *words(value)]):
        return True
    # "I hate cilantro, so leave it out": what somebody tells of themselves is why.
    return len(message) <= _SHORT and _OWN.search(message) is not None and _TASK.search(message) is None
