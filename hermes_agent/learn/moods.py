"""What a message does not mean: quotations, plays, suppositions, hearsay.

Only what the user says of the world is learned. A whole message may be something else (text to work on, a game), a
sentence may (a dream, a film), or all clauses behind "he says" or "I wish".
"""

from hermes_agent.learn import glue
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.parsing import Clause
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.verb_groups import is_adverb
from hermes_agent.text.verbs import kind_of

_QUOTED = Pattern(r"\"[^\"\n]{1,900}\"|“[^”\n]{1,900}”|«[^»\n]{1,900}»|„[^“”\n]{1,900}[“”]|`[^`\n]+`")
_SINGLE_QUOTED = Pattern(r"(?<!\w)'[^'\n]{2,}(?:'\w[^'\n]+)*'(?!\w)")
_QUOTES = ('"', "“", "«", "„", "`")
_LONG_QUOTE = 4
_SPEECH = Pattern(r"\b(?:i|i'm|my|me|we|our|you)\b")
QUOTATION = "□"
_EMOJI = Pattern("[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]+")
_VARIANT = Pattern("[\ufe0e\ufe0f\u200d]")
_CODE_LINE = Pattern(
    r"(?m)^\s*(?://|#|/\*|\$ |def |func |class |import |from \w+ import |print\(|var |const |let \w+ = |return "
    r"|raise |traceback|file \"|select |insert into |[\w.]*(?:error|exception): |[\w.\[\]]+\s*\+?= ?[\[{(\"'\d].*$"
    r"|.*[;{}]\s*$|<\w+).*$"
)
_FENCED = Pattern(r"```[^`]*```")
_WORK_ON = word_set(
    """translate proofread rewrite rephrase paraphrase summarise summarize correct convert reformat edit shorten
    polish improve extract classify analyse analyze"""
)
_UNREAL = word_set("pretend imagine suppose supposing imagining picture hypothetically assume assuming")
_WRITINGS = word_set(
    """story poem scene dialogue monologue song novel tale limerick haiku script fable lyrics sketch joke
    character"""
)
_WRITING = word_set("write draft compose continue finish invent")
_STORIES = word_set(
    """book movie film game story song novel play dream dreams nightmare show series tale poem opera episode
    lyrics horoscope brochure advert character protagonist heroine hero narrator sim avatar"""
)
_JOKE = Pattern(r"\b(?:jk|j/k|just kidding|only kidding|just joking|april fools?)\b|(?:^|\s)/s(?:\s|$)")
# What follows the colon is an exercise, or text of somebody else.
_MATERIAL = Pattern(
    r".*\b(?:(?:question|problem|exercise) \d+|riddle|puzzle|maths?(?: \w+)?|homework|sample(?: \w+){0,4}"
    r"|example(?: \w+){0,4}|(?:customer|patient|client) record|draft(?: \w+){0,2}|advert|ad|listing|brochure"
    r"|testimonial|transcript|excerpt)(?: \d+)? :$"
)
_PLAYED = word_set("act respond answer behave speak talk reply play")
_PLAYERS = word_set("character protagonist heroine hero avatar sim")
_DOUBTS = word_set(
    """maybe perhaps probably possibly presumably hopefully supposedly allegedly apparently almost nearly"""
)
_SUPPOSING = word_set(
    """suspect gather
    wish imagine pretend suppose guess doubt dream wonder hope fear reckon assume bet fantasise"""
)
_SAYING = word_set(
    """say tell claim swear insist reckon think believe hear write joke announce promise shout go ask"""
)
_SAID_AT_END = Pattern(
    r",\s+(?!i\b|we\b|(?:my|our|the)\s+(?:doctor|gp|physio|dentist|vet)\b)(?:(?:my|our|the)\s+)?[\w'-]+\s+"
    r"(?:says|said|claims|claimed|thinks|reckons|reckoned|told\s+me|tells\s+me)\W*$"
)
_SAID_AT_START = Pattern(
    r"\W{0,9}(?!(?:i|we|you)\b|(?:my|our|the)\s+(?:doctor|gp|physio|dentist|vet)\b)[\w' ]{2,30}\s"
    r"(?:says|said|reads|prints|printed|returns|returned|states|shows)\s?:"
)
DOCTORS = word_set("doctor gp physio dentist vet consultant scan test tests results hospital clinic optician")
"""Who is believed, about the user's health."""
_HEARERS = word_set("me us you him her them it that to , :")


def masked(message: str) -> str:
    """Return a message of the same length without what is not the user's own words, and without smileys.

    A short quotation keeps its words: it is a name or a title. A smiley ends a sentence.
    """
    plain = message.replace("’", "'").replace("‘", "'")
    if "```" in plain:
        plain = _FENCED.sub(lambda match: " " * len(match[0]), plain)
    if "\n" in plain:
        plain = _CODE_LINE.sub(lambda match: " " * len(match[0]), plain)
    if "'" in plain:
        plain = _SINGLE_QUOTED.sub(lambda match: _unquoted(match[0], match.start()), plain)
    if any(mark in plain for mark in _QUOTES):
        plain = _QUOTED.sub(lambda match: _unquoted(match[0], match.start()), plain)
    if not plain.isascii():
        plain = _EMOJI.sub(lambda match: "\n" * len(match[0]), _VARIANT.sub(" ", plain))
    return plain


def _unquoted(text: str, start: int) -> str:
    inner = text[1:-1]
    if start > 0 and inner.count(" ") < _LONG_QUOTE and text[0] != "`" and not _SPEECH.search(inner):
        return f" {inner} "
    return QUOTATION + " " * (len(text) - 1)


def is_joked(plain: str) -> bool:
    """Tell whether a message says of itself that it is not serious."""
    return _JOKE.search(plain) is not None


def is_unreal(words: Words) -> bool:
    """Tell whether a sentence opens a play, a supposition or text to work on: the rest is not meant either."""
    listed = words.words
    place = 0
    while place < len(listed) - 1 and (
        listed[place] in glue.LEADS or listed[place] in ("can", "could", "you", ",", "kindly")
    ):
        place += 1
    first, following = listed[place], listed[place + 1] if place + 1 < len(listed) else ""
    if first in _WORK_ON or first in _UNREAL:
        return True
    if ":" in listed[:12] and _MATERIAL.match(" ".join(listed[: listed.index(":") + 1])):
        return True
    if first == "say" and following in ("i", "we", "my") or _is_part(listed):
        return True
    if first in ("were", "had") and following in ("i", "we"):
        return True
    if first in _WRITING and not _WRITINGS.isdisjoint(listed):
        return True
    if first in _WRITING and ("voice" in listed or "imaginary" in listed or "which" in listed):
        return True
    if "let" in listed and not word_set("pretend assume say imagine").isdisjoint(listed):
        return True
    return "hypothetical" in listed or "role-play" in listed or "roleplay" in listed or "pretend" in listed


def _is_part(listed: list[str]) -> bool:
    """Tell whether the assistant is given a part to play: "I want you to act as …", "you are a pirate"."""
    if listed[:3] in (["you", "are", "a"], ["you", "are", "an"], ["you", "are", "my"]):
        return True
    for place, word in enumerate(listed[:9]):
        is_asked = place == 0 or listed[place - 1] in ("to", "will", "please", "you")
        is_of_manner = "me" in listed[place + 1 : place + 3]  # "talk to me like a normal person"
        if (
            word in _PLAYED
            and is_asked
            and not is_of_manner
            and not {"as", "like"}.isdisjoint(listed[place + 1 : place + 4])
        ):
            return True
    return False


def is_wished(words: Words) -> bool:
    """Tell whether a sentence begins with a wish: "wish I had a butler", not "I wish to state"."""
    near = words.words[:3]
    return "wish" in near and words.at(near.index("wish") + 1) != "to"


def is_story(words: Words) -> bool:
    """Tell whether a sentence speaks of a dream, a book or a play, or gives another's words."""
    listed = words.words
    if QUOTATION in listed or _is_fancied(listed):
        return True
    for place, word in enumerate(listed):
        if word in _STORIES:
            before = listed[max(place - (6 if word in _PLAYERS else 3), 0) : place]
            is_in = (
                (word in _PLAYERS and place < 7)
                or "in" in before
                or "about" in before
                or place < 3
                or words.at(place + 1) in ("says", "where", "about")
            )
            if is_in and any(one in glue.DETERMINERS for one in before):
                return True
    if listed[0] == "according" and DOCTORS.isdisjoint(listed[:5]):
        return True
    return "dreamt" in listed or "dreamed" in listed


def _is_fancied(listed: list[str]) -> bool:
    """Tell whether a sentence begins with what is not so: "if I were a vet id live in Cornwall"."""
    return listed[:1] == ["if"] and listed[1:2] != ["you"] and not {"were", "had"}.isdisjoint(listed[2:4])


def is_said_by_others(sentence: str) -> bool:
    """Tell whether a sentence ends with whose words it gives: "…, Finance says"; doctors are believed."""
    return _SAID_AT_END.search(sentence) is not None or _SAID_AT_START.match(sentence) is not None


def hides(words: Words, clause: Clause) -> bool:
    """Tell whether what follows a clause in its sentence is somebody's words, or a wish."""
    verb = clause.verb
    if verb is None:
        return False
    if verb.verb in _SUPPOSING:
        return words.at(verb.end) != "to"
    is_certain = verb.verb == "be" and words.at(verb.end) in ("convinced", "certain", "adamant", "sure")
    if is_certain or verb.verb == "convince":
        return clause.subject is not None and words.words[clause.subject[0]] not in glue.I_OR_WE
    if any(word not in _HEARERS and not is_adverb(word) for word in words.words[verb.end : clause.end]):
        return False
    if verb.verb not in _SAYING and not (kind_of(verb.verb) == "communication" and verb.tense == "past"):
        return False
    first = words.words[clause.subject[0]] if clause.subject else "i"
    if verb.is_supposed or verb.is_denied or verb.is_passive:
        return True
    if verb.verb == "tell" and words.at(verb.end) in ("him", "her", "them", "people", "everyone"):
        return True
    return first not in glue.I_OR_WE or (verb.verb in ("think", "believe") and verb.tense == "present")


def is_doubtful(words: Words, clause: Clause) -> bool:
    """Tell whether a clause says of itself that it may not be so: perhaps, "…, otherwise we pay for both"."""
    if "otherwise" in clause.joint and clause.begin > 0:
        return True
    return not _DOUBTS.isdisjoint(words.words[clause.begin : clause.end])
