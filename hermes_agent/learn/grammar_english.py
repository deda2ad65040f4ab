"""English as data: what may stand before a statement, how clauses join, what may be said of a subject.

A rule is matched behind the subject of a clause and its auxiliary, so each serves "I live in Graz", "my
sister lives in Graz" and "Mia doesn't live in Graz" alike. The order matters: the first rule that fits and
whose value has the right shape wins.
"""

from dataclasses import dataclass
from typing import Literal

from hermes_agent.learn.patterns import Pattern
from hermes_agent.records.statements import Polarity

Shape = Literal["any", "place", "name", "self", "role", "trait", "age", "health", "tool", "clause"]
Lead = Literal["be", "perfect", "have", "do"]


@dataclass(frozen=True, slots=True)
class Rule:
    """What may be said of a subject behind one of the `LEADS`.

    The pattern's groups: `value`, `former` (what is replaced); any other is a second attribute of that name.
    """

    lead: Lead
    attribute: str
    pattern: Pattern
    shape: Shape = "any"
    polarity: Polarity = "is"
    is_lasting: bool = True
    is_change: bool = False


_ADVERBS = (
    r"(?:\s+(?:really|also|still|just|mostly|usually|mainly|actually|currently|now|absolutely|totally"
    r"|generally|normally"
    r"|typically|recently|only|quite|strongly|definitely|personally|truly|especially|always|very|much|do"
    r"|both|originally"
    r"|severely|badly|deathly|highly|so|officially|already|finally|simply)(?=\s))*"
)
# What stands between a subject and what is said of it. A group `no` makes it negative.
LEADS: dict[Lead, Pattern] = {
    "be": Pattern(
        r"(?:\s+(?:(?P<no>(?:is|are|ai)n'?t|(?:am|is|are)\s+(?:not|no\s+longer))|am|is|are)\b"
        r"|\s*'(?:m|s|re)\b(?P<no2>\s+(?:not|no\s+longer)\b)?|(?:(?<=\bi)a?m|(?<=\bi)\s+m)\b(?P<no3>\s+not\b)?|(?<=\bwe)re\b)"
        + _ADVERBS
    ),
    "perfect": Pattern(
        r"(?:\s+(?:have|has|had)|'ve|'s)?(?:\s+(?:just|recently|now|finally|since|already|also)(?=\s))*"
    ),
    "have": Pattern(
        r"(?:(?P<no>\s+(?:do|does)(?:\s+not|n'?t)\s+(?:have|own)|\s+no\s+longer\s+(?:have|has|own|owns))"
        r"|(?:\s+(?:do|also|still))*\s+(?:have|has|own|owns)(?:\s+got)?|'ve(?:\s+got)?"
        r"|\s+got)\b(?:\s+(?:also|now)(?=\s))?"
    ),
    "do": Pattern(
        r"(?P<no>\s+(?:do|does)(?:\s+not|n'?t)\b|\s+(?:can't|cannot|can\s+not|won't)\b|\s+never\b|\s+no\s+longer\b"
        r"|(?:\s+have|\s+has|'ve|'s)?\s+(?:stopped|quit|gave\s+up)\b|\s+used\s+to\b)?(?:\s+can(?=\s))?" + _ADVERBS
    ),
}
_V = r"\s+(?P<value>.+)"
_AT = r"(?:\s+from\s+(?P<origin>.+?))?(?:\s+(?:at|for|with)\s+(?P<employer>.+))?$"


def _rule(
    lead: Lead,
    attribute: str,
    pattern: str,
    shape: Shape = "any",
    *,
    polarity: Polarity = "is",
    is_lasting: bool = True,
    is_change: bool = False,
) -> Rule:
    return Rule(lead, attribute, Pattern(r"\s+" + pattern), shape, polarity, is_lasting, is_change)


NUMBER_WORD = (
    r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen"
    r"|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[-\s](?:one|two|three|four|five|six|seven|eight|nine))?)"
)
_RULES: tuple[Rule, ...] = (
    _rule("be", "name", r"(?:called|named|known\s+as)" + _V, "name"),
    _rule("be", "home", r"(?:living|based|residing|located)\s+(?:in|at|near|outside)" + _V, "place"),
    _rule("be", "origin", r"from" + _V, "place"),
    _rule(
        "be",
        "age",
        r"(?P<value>\d{1,3}(?:\s+(?:weeks?|months?))?|" + NUMBER_WORD + r")(?:\s*(?:years?|yrs?))?(?:\s+(?:old"
        r"|of\s+age))?(?:\s*y/?o)?$",
        "age",
    ),
    _rule("be", "allergy", r"(?:allergic|intolerant)\s+to" + _V),
    _rule(
        "be", "is", r"(?:an?\s+)?(?P<value>[\w-]+(?:\s+(?:intolerant|blind|handed))?(?:\s+any\s?more)?)$", "trait"
    ),
    _rule("be", "role", r"(?:working|employed)\s+as\s+(?P<value>.+?)" + _AT, "clause"),
    _rule("be", "role", r"(?P<value>[\w' /&-]+?)" + _AT, "role"),
    _rule("be", "employer", r"(?:employed|working)\s+(?:at|by|for)" + _V, "place"),
    _rule("be", "studies", r"studying" + _V),
    _rule("be", "learns", r"learning(?:\s+how)?" + _V),
    _rule("be", "works on", r"(?:working\s+on|building|training\s+for)" + _V, is_lasting=False),
    _rule("be", "decision", r"going\s+with" + _V),
    _rule(
        "be",
        "likes",
        r"(?:a\s+)?(?:(?:big|huge|massive|great)\s+)?(?:fan\s+of|into|fond\s+of|keen\s+on|crazy\s+about)" + _V,
    ),
    _rule("be", "uses", r"using" + _V),
    _rule("be", "is in", r"in" + _V, "place", is_lasting=False),
    _rule("perfect", "home", r"(?:been\s+living|lived)\s+in\s+(?P<value>.+?)(?=\s+(?:for|since)\b).*", "place"),
    _rule(
        "perfect",
        "uses",
        r"(?:switched|migrated|changed|upgraded)(?:\s+(?:over|back))?\s+from\s+(?P<former>.+?)\s+to" + _V,
        is_change=True,
    ),
    _rule(
        "perfect",
        "uses",
        r"(?:switched|migrated|upgraded)(?:\s+(?:over|back|everything))?\s+to" + _V,
        is_change=True,
    ),
    _rule("perfect", "uses", r"replaced\s+(?P<former>.+?)\s+(?:with|by)" + _V, is_change=True),
    _rule("perfect", "uses", r"moved\s+from\s+(?P<former>.+?)\s+to" + _V, "tool", is_change=True),
    _rule("perfect", "uses", r"moved\s+(?:over\s+)?to" + _V, "tool", is_change=True),
    _rule(
        "perfect",
        "home",
        r"(?:moved|relocated)(?:\s+(?:back|over|house|away))?\s+from\s+(?P<former>.+?)\s+to" + _V,
        "place",
        is_change=True,
    ),
    _rule("perfect", "home", r"(?:moved|relocated)(?:\s+(?:back|over|house))?\s+to" + _V, "place", is_change=True),
    _rule("perfect", "home", r"lived\s+in" + _V, "place", polarity="was"),
    _rule("perfect", "grew up", r"(?:grew\s+up|was\s+raised)\s+in" + _V, "place"),
    _rule(
        "perfect",
        "birthplace",
        r"(?:was|were|is)\s+born\s+in\s+(?P<value>[^\d]+?)(?:\s+on\s+(?P<birthday>.*\d.*))?$",
        "place",
    ),
    _rule(
        "perfect",
        "birthday",
        r"(?:was|were|is)\s+born\s+(?:on|in)\s+(?P<value>[^,]*\d.*?)(?:\s+in\s+(?P<birthplace>[^\d]+))?$",
    ),
    _rule(
        "perfect",
        "age",
        # Who turns 70 in March is not 70 yet.
        r"turn(?:ed|s?(?=\s+[\w-]+\s+today))\s+(?P<value>\d{1,3}|"
        + NUMBER_WORD
        + r")(?:\s+(?:years\s+old|today|yesterday|(?:last|this|on|in)\s+\w+))?$",
        "age",
        is_change=True,
    ),
    _rule("perfect", "name", r"changed\s+my\s+name\s+to" + _V, "name", is_change=True),
    _rule("perfect", "employer", r"got\s+a\s+(?:new\s+)?job\s+(?:at|with)" + _V, "place", is_change=True),
    _rule("perfect", "employer", r"(?:started\s+(?:working\s+)?at|joined)" + _V, "place", is_change=True),
    _rule(
        "perfect",
        "employer",
        r"(?:quit|left)\s+(?:my|his|her|their)\s+job\s+at" + _V,
        "place",
        polarity="no longer",
    ),
    _rule(
        "perfect",
        "decision",
        r"(?:decided|agreed|resolved|settled|voted)\s+(?P<value>(?:to|on|that|for|against|not)\b.+)",
    ),
    _rule("perfect", "decision", r"(?:chose|picked|opted\s+for|went\s+with)" + _V),
    _rule("have", "allergy", r"(?:an?\s+)?(?:severe\s+|bad\s+|strong\s+)?(?P<value>[\w -]+?)\s+allergy$"),
    _rule("have", "has", r"(?:an?\s+)?(?P<value>[\w' -]+)$", "health"),
    _rule("do", "home", r"lives?(?:\s+together)?\s+with\s+.+?\s+in" + _V, "place"),
    _rule("do", "called", r"go(?:es)?\s+by" + _V, "name"),
    _rule(
        "do", "home", r"(?:live|lives|living|reside|resides|residing)\s+(?:in|at|near|outside|on|by)" + _V, "place"
    ),
    _rule("do", "origin", r"(?:come|comes|hail|hails)(?:\s+originally)?\s+from" + _V, "place"),
    _rule("do", "role", r"(?:work|works|working)\s+as\s+(?P<value>.+?)" + _AT, "clause"),
    _rule(
        "do",
        "employer",
        r"(?:work|works|working)\s+(?:at|for)\s+(?!night|home|least|the\s+moment|weekends|a\s+living|myself|free)"
        r"(?P<value>.+?)(?:\s+as\s+(?P<role>.+))?$",
        "place",
    ),
    _rule("do", "field", r"(?:work|works|working)\s+in" + _V, "place"),
    _rule("do", "studies", r"(?:study|studies|studying)" + _V),
    _rule("do", "likes", r"(?:like|likes|liking|love|loves|loving|enjoy|enjoys|enjoying|adore|adores)" + _V),
    _rule("do", "likes", r"(?:hate|dislike|detest|despise|loathe)s?" + _V, polarity="is not"),
    _rule("do", "likes", r"(?:(?<=n't\s)|(?<=not\s))stand" + _V),
    _rule("do", "prefers", r"(?:prefer|prefers|preferring)" + _V),
    _rule("do", "speaks", r"(?:speak|speaks|speaking)\s+(?!to\b|with\b|up\b|about\b|for\b|of\b)(?P<value>.+)"),
    _rule("do", "uses", r"(?:use|uses|using|runs?\s+on|codes?\s+in|programs?\s+in|rely\s+on|relies\s+on)" + _V),
    _rule("do", "drives", r"(?:drive|drives|driving)\s+(?P<value>an?\s.+)"),
    _rule("do", "plays", r"(?:play|plays|playing)\s+(?!with\b|around\b|along\b)(?P<value>.+)"),
    _rule("do", "collects", r"(?:collect|collects|collecting)" + _V),
    _rule("do", "eats", r"(?:eat|eats|eating)" + _V),
    _rule("do", "drinks", r"(?:drink|drinks|drinking)" + _V),
    # What is left: worth no note, but it may answer a question.
    _rule("be", "name", r"(?P<value>.+)", "self"),
    _rule("be", "is", r"(?P<value>.+)", is_lasting=False),
    _rule("have", "has", r"(?P<value>.+)", is_lasting=False),
)
_LAST_RESORTS = 3
RULES = {lead: tuple(rule for rule in _RULES[:-_LAST_RESORTS] if rule.lead == lead) for lead in LEADS}
LAST_RULES = {lead: tuple(rule for rule in _RULES[-_LAST_RESORTS:] if rule.lead == lead) for lead in LEADS}

# Behind the lead "be" and "have".
MARRIED = Pattern(r"\s+(?:married|engaged)\s+to\s+(?P<names>[\w' -]+)$")
HAS_PEOPLE = Pattern(
    r"\s+(?:an?|one|two|three|four|five|six|\d)\s+(?P<noun>[\w-]+(?:\s+[\w-]+){0,2}?)"
    r"(?:(?:\s+(?:named|called|who\s+(?:is|are)\s+called|whose\s+names?\s+(?:is|are))"
    r"|\s*[:,—(-])\s*(?P<names>[^.;)]+)\)?)?$"
)
_DATE = (
    r"(?:the\s+)?(?:\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may\b|june"
    r"|july|august|september"
    r"|october|november|december|noon|midnight|every|other|second|week|day|month|morning|evening)"
)
HAS_DATED = Pattern(
    r"\s+(?:(?:an?|my|the|our)\s+)?(?P<noun>[\w'-]+(?:\s+[\w'-]+){0,5}?)\s+(?P<value>(?:(?:on|at)\s+(?="
    + _DATE
    + r")|(?:every|each)\s+).+)$"
)
ROUTINE = Pattern(
    r"\s+(?P<noun>(?!the\b|an?\b|my\b|our\b|this\b|that\b|it\b|he\b|she\b|they\b|am\b|is\b|are\b|was\b"
    r"|were\b|have\b|had\b|did\b|do\b|will\b|met\b|saw\b|went\b)[a-z]+(?:\s+[\w'-]+){0,4}?)\s+"
    r"(?P<value>(?:every|each)\s+.+|(?:on|in)\s+(?:mondays|tuesdays|wednesdays|thursdays|fridays|saturdays"
    r"|sundays|weekends|weekdays"
    r"|the\s+mornings?|the\s+evenings?)\b.*)$"
)

# What is said of a thing: "my phone number is 555", "our staging server is at 10.0.0.5".
THING_IS = Pattern(
    r"(?:\s+(?P<no1>(?:is|are)n'?t|(?:is|are)\s+(?:not|no\s+longer))\b|\s+(?:is|are|will\s+be"
    r"|(?:has\s+|have\s+)?(?:been\s+)?(?:changed|moved)\s+to)\b"
    r"|\s+(?P<was>was|were)\b|'s\b|\s*[:=])(?:\s+(?:now|currently|actually|called|named|set\s+to|still"
    r"|really|just))*"
    r"\s+(?P<value>.+)"
)
DOES = (
    r"runs?|lives?|sits?|starts?|begins?|ends?|takes\s+place|happens?|opens?|closes?|listens?|expires?"
    r"|uses?|needs?"
    r"|requires?|costs?|belongs?|deploys|comes?|arrives?|leaves?|meets?|works?|goes"
)
THING_DOES = Pattern(rf"\s+(?P<value>(?:{DOES})\s+.+)")
REVERSED = Pattern(
    r"(?P<value>[^,;:]{1,60}?)\s+(?:is|are)\s+(?P<owner>my|our)\s+(?P<noun>[\w'-]+(?:\s+[\w'-]+){0,3})$"
)
IT_IS = Pattern(
    r"(?:it(?:'s|\s+is)|that(?:'s|\s+is)|but(?:\s+it's)?|rather|instead)\s+(?:now\s+|actually\s+)?(?P<value>.+)"
)

LEAD_IN = Pattern(
    r"(?:(?:hi|hello|hey|hiya|good\s+(?:morning|evening|afternoon)|greetings)(?:\s+(?:there|hermes|everyone"
    r"|all))?[\s,.!:-]+"
    r"|(?:ok|okay|so|well|btw|by\s+the\s+way|fyi|oh|yes|yeah|yep|sure|right|also|and|but|plus|then|anyway"
    r"|hermes|thanks|thank\s+you"
    r"|just\s+so\s+you\s+know|for\s+the\s+record|as\s+you\s+know|you\s+should\s+know(?:\s+that)?"
    r"|i\s+want\s+you\s+to\s+know\s+that"
    r"|i\s+forgot\s+to\s+(?:say|mention|tell\s+you)(?:\s+that)?|i\s+(?:should|must)\s+mention(?:\s+that)?"
    r"|in\s+fact|of\s+course|honestly"
    r"|personally|basically|to\s+be\s+(?:honest|clear)|these\s+days|nowadays|currently|now|i\s+said"
    r"|i\s+told\s+you(?:\s+that)?)\b[\s,.!:-]+)+"
)
# A bare "no" may be Spanish: it corrects when something English follows, or a comma.
CORRECTION = Pattern(
    r"(?:(?:no(?=\s*[,.!:;—-]|\s+(?:i|i'm|my|it|it's|we|our|the|that|that's|actually|sorry|wait)\b|$)|nope"
    r"|nah|actually|sorry"
    r"|correction|wait|oops|whoops|my\s+mistake|my\s+bad|i\s+was\s+wrong|that's\s+(?:wrong|not\s+right"
    r"|incorrect|false)"
    r"|that\s+is\s+(?:wrong|not\s+right|incorrect)|i\s+made\s+a\s+mistake|scratch\s+that|i\s+misspoke|well"
    r"|update)\b"
    r"(?:[\s,.!:;—-]+|$))+"
)
MEANT = Pattern(
    r"(?:i\s+meant?(?:\s+to\s+say)?|make\s+that|i\s+should\s+have\s+said|it\s+should\s+be|it(?:'s"
    r"|\s+is)\s+actually|it(?:'s|\s+is))\s+"
    r"(?P<value>.+?)(?:,?\s+not\s+(?P<former>.+))?$"
)
# What is said of two at once is said of neither alone: "my mom and my dad are both lawyers".
COMPOUND = Pattern(
    r"(?:my|our)\s+[\w'-]+(?:\s+[\w'-]+)?\s+and\s+(?!i\b)(?:(?:my|our)\s+)?[\w'-]+(?:\s+[\w'-]+)?\s+"
    r"(?:are|both|live|work|have|love|like|met|speak|play|were)\b"
)
REMEMBER = Pattern(
    r"(?:(?:please|hey|ok|and|also|hermes|so|now|oh|yes)[\s,]+)*(?:(?:can|could|would"
    r"|will)\s+you\s+(?:please\s+)?|i\s+want\s+you\s+to\s+"
    r"|i(?:'d|\s+would)\s+like\s+you\s+to\s+|you\s+(?:should|must)\s+|please\s+)?"
    r"(?:(?:remember|memori[sz]e|(?:don't|do\s+not|never)\s+(?:ever\s+)?forget)(?:\s+(?:this"
    r"|the\s+following|for\s+(?:me|later|next\s+time)))*"
    r"(?:\s*[:,—-]\s*(?:that\s+)?|\s+that\s+|\s+)|(?:note(?:\s+down)?|make\s+a\s+note|take\s+(?:a\s+)?note"
    r"|keep\s+in\s+mind|bear\s+in\s+mind|write\s+(?:this\s+)?down"
    r"|jot\s+down|save(?:\s+this)?|note\s+to\s+self|for\s+your\s+(?:notes|memory)"
    r"|add\s+(?:this\s+)?to\s+(?:your\s+)?(?:notes|memory))(?:\s*[:,—-]\s*(?:that\s+)?|\s+that\s+))"
    r"(?!when\b|what\b|how\b|who\b|where\b|why\b|me\b|us\b|him\b|them\b|it\b|you\b|the\s+time\b|this$|that$"
    r"|those\b|these\b|i\s+said\b)(?P<clause>.+)"
)

CALL_ME = Pattern(
    r"(?:please\s+|you\s+can\s+|just\s+|you\s+may\s+|so\s+)*(?P<no>(?:don't|do\s+not|never"
    r"|stop)\s+)?call(?:ing)?\s+me\s+"
    r"(?!back\b|later\b|maybe\b|at\b|when\b|if\b|tomorrow\b|on\b|in\b|now\b|any\s?time|asap\b|crazy\b|a\b"
    r"|an\b|the\b|again\b|by\b|before\b|after\b|names\b)(?P<value>.+)"
)
PEOPLE_CALL_ME = Pattern(
    r"(?:everyone|everybody|people|(?:my\s+)?friends|they)\s+(?:all\s+)?(?:calls?\s+me|say)\s+(?P<value>.+)"
)
NICKNAMED = Pattern(
    r"my\s+name(?:'s|s|\s+is)\s+[\w'-]+(?:\s+[\w'-]+)?,?\s+but\s+(?:my\s+)?(?:friends|people|everyone|everybody)\s+"
    r"(?:all\s+)?(?:calls?\s+me|says?)\s+[\w'-]+"
)
# No comma, no "and": "i'm sam i live in ghent".
INTRODUCED = Pattern(
    r"(?:i'?m|i\s+am|my\s+name(?:'s|s|\s+is))\s+[\w'-]+(?P<joint>\s+)(?=i\s+(?:live|work|am|have|like|love|use)\s|i'?m\s)"
)
MEANING = Pattern(
    r"(?:when(?:ever)?|if)\s+i\s+(?:say|write|type)\s+.+?,?\s+(?:i\s+mean|it\s+means|that\s+means"
    r"|you\s+should|please|do|then)\s+.+"
    r"|(?:when\s+i\s+(?:say|write|type)|whenever\s+i)\s+[^,]+,\s+(?!i\b|i'm\b|we\b|he\b|she\b|they\b|it\b|my\b|the\b"
    r"|people\b|everyone\b|nobody\b|there\b|a\b|an\b|this\b|that\b)\S+\s+\S.*"
    r"|by\s+.+?\s+i\s+mean\s+.+"
)
_WISH = (
    r"(?:please\s+|(?:could|can|would)\s+you\s+(?:please\s+)?|i\s+want\s+you\s+to\s+|i(?:'d"
    r"|\s+would)\s+like\s+you\s+to\s+"
    r"|i(?:'d)?\s+prefer\s+(?:it\s+)?(?:that|if|when)\s+you\s+|you\s+(?:should|must)\s+)?"
)
INSTRUCTION = Pattern(
    r"(?:please\s+|you\s+(?:should|must)\s+|and\s+)?(?:always|never)\s+(?!mind\b|gonna\b|going\b|could\b"
    r"|let\b|again\b|ever\b|say\s+never|heard\b|knew\b|thought\b|been\b|seen\b"
    r"|was\b|had\b|have\b|will\b|would\b|nice\b|good\b|great\b|fun\b|happy\b|a\b|an\b|the\b|my\b|so\b|too\b"
    r"|in\b|on\b|there\b|forget\b|remember\b|\w+ed\b|\w+ing\b)[a-z'-]+\s+\S.*"
    r"|(?:from\s+now\s+on|in\s+(?:the\s+)?future|going\s+forward|from\s+here\s+on"
    r"|starting\s+now),?\s+(?!i\b|we\b|he\b|she\b|it\b|my\b|our\b|the\b|they\b)\S+.*"
    + "|"
    + _WISH
    + r"(?:(?:answer|reply|respond|speak|talk|write|explain)(?:\s+to\s+me|\s+me|\s+back"
    r"|\s+things)?(?:\s+(?:only|always))*\s+"
    r"(?:in|with|without|using|like|more|less|briefly|shortly|concisely|formally|informally|politely)\b.*"
    r"|keep\s+(?:your|the|all|answers|replies|responses|it)\s+\S.*|be\s+(?:brief|concise|short|direct"
    r"|polite|formal|informal|casual|more|less|honest)\b.*"
    r"|(?:stop|avoid)\s+(?:using|sending|asking|saying|adding|repeating|answering)\s+\S.*"
    r"|(?:don't|do\s+not|never)\s+(?:use|send|write|mention|remind|repeat|commit|push|deploy|delete|touch"
    r"|change|answer|add|suggest|apologi[sz]e|(?:tell|give|show|send|ask)\s+me\s+(?!you\b|that\b|it\b|this\b|what\b"
    r"|how\b|why\b|who\b|i\b|he\b|she\b|they\b|we\b|about\s+(?:it|that)\b))\s*\S.*"
    r"|use\s+(?:only\s+)?(?:metric|imperial|celsius|fahrenheit|bullet|short|simple|plain|the\s+24|24|12"
    r"|tabs|spaces|british|american|fewer|markdown)\b.*"
    r"|no\s+(?:more\s+)?(?:emojis?|exclamation\s+marks|jargon|small\s+talk|bullet\s+points)\b.*)"
)

_ELIDED = (
    r"(?:am|is|live|lives|work|works|prefer|prefers|like|likes|love|loves|hate|hates|dislike|dislikes|enjoy"
    r"|enjoys|speak|speaks|use|uses|have|has"
    r"|own|owns|play|plays|study|studies|come\s+from|comes\s+from|don't|doesn't|do\s+not|can't|drive|drives"
    r"|moved|drink|drinks|eat|eats|collect|collects)\s"
)
JOINT = Pattern(
    r"\s*(?:[,;:]|\s[—–-])\s+(?:(?:and|but|so|also|plus|while|whereas|yet|then|however)\s+(?:also\s+"
    r"|then\s+|now\s+)?)?"
    r"|\s+(?:and|but|plus|also|while|whereas|so|yet|though|although|&)\s+(?:also\s+|then\s+|now\s+)?"
)
CLAUSE_START = Pattern(
    r"(?:i|we|he|she|they|it)(?:'|\s)|im\s|ive\s|please\s|always\s|never\s|call\s+me\s|from\s+now\s+on"
    r"|when\s+i\s+say|(?:my\s+)?friends\s+(?:say|call)\s|remember\s|but\s+it|(?:my|our)\s+names\s"
    r"|(?:my|our|the|his|her|their)\s+[\w' -]{1,60}?(?:\b(?:is|are|was|lives|works|likes|loves|has|runs"
    r"|uses|prefers|speaks|starts|isn't)\b|'s\s)"
    r"|the\s+(?-i:[a-z])[\w'-]*\s+(?:died|moved|left|went|came)\b"
    r"|(?:my|our)\s+(?-i:[a-z])[\w'-]*(?:\s+(?!and\b)[\w'-]+){0,2}?\s+(?:died|passed\s+away|moved|turned|got"
    r"|left|went|came|lost|wants|needs|plays|hates|had|were|will|retired|married|teaches|studies|lived|worked)\b"
    r"|(?-i:[A-Z])\w+\s+(?:is|lives|works|likes|has|speaks)\s"
    r"|(?-i:[a-z])[\w-]+\s+(?:got|became|was|makes|made|gives|gave|hurts?|upsets?)\s+(?:too|so|very|me|my)\s"
)
ELIDED_START = Pattern(_ELIDED)

SELF = Pattern(r"i(?=a?m\b|'|\s)")
GROUP = Pattern(r"we(?=\s|'|re\s)|(?:our|my|the)\s+(?:team|company|group|startup)(?=\s(?!is\s+called|is\s+named))")
PRONOUN = Pattern(r"(?P<pronoun>he|she|they)(?=\s|')")
POSSESSIVE_PRONOUN = Pattern(
    r"(?P<pronoun>his|her|their)\s+(?P<noun>[\w'-]+(?:\s+[\w'-]+){0,3}?)(?=\s+(?:is|are|was|isn't)\b|\s*:)"
)
OWNER_ANYWHERE = Pattern(r"\b(?:my|our)\s+")
SEVERAL = Pattern(
    r"(?:(?:two|three|four|five|\d)\s+)?(?P<noun>[\w-]+)(?:,|\s+called|\s+named)?\s+"
    r"(?P<names>(?-i:[A-Z])[\w'-]+(?:\s*\(\d+\))?(?:,\s+(?-i:[A-Z])[\w'-]+(?:\s*\(\d+\))?)*,?\s+and\s+"
    r"(?-i:[A-Z])[\w'-]+)"
)
OWNER = Pattern(r"(?P<owner>my|our|the|this)\s+")
NAME_SAID = Pattern(
    r"(?:(?:my|the)\s+(?:full\s+|first\s+|real\s+|given\s+|new\s+)?name(?:'s|s|\s+is|\s+was|\s*:)|name(?:'s"
    r"|s|\s+is|:)"
    r"|(?:please\s+)?change\s+my\s+name\s+to)(?P<no>\s+not|n't)?(?:\s+(?:now|actually))?\s+(?P<value>.+)"
)
NAME_IS_NOT = Pattern(r"my\s+name\s+isn't\s+(?P<value>.+)")
