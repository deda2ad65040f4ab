"""Whether what was read is worth keeping: it means something out of its context, and is a thing of its kind.

"The idea of a bundle", "this song", "a total of 100 seats" and "John" (as in "got it, John") are likings, things
owned or tools only by the grammar.
"""

from collections.abc import Callable, Mapping
from itertools import pairwise

from hermes_agent.learn import glue, kinds
from hermes_agent.learn.facts_told import Told
from hermes_agent.learn.lexicon import GIVEN_NAMES, KINDS, RELATIONS, word_set
from hermes_agent.learn.meanings import Meaning
from hermes_agent.learn.objects import end_of_object
from hermes_agent.learn.parsing import Span
from hermes_agent.learn.times import times
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.verb_groups import is_adverb
from hermes_agent.text.verbs import is_sure, lemma
from hermes_agent.text.words import fold

PLACES = ("home", "employer", "location")
FIRMS = word_set(
    """job company agency firm bank army navy police school university hospital council railway board academy
    brewery clinic college factory foundry institute library mill ministry museum nursery pharmacy shipyard
    warehouse zoo"""
)
_WORKING = word_set("work retire resign take")
_EMPLOYING = word_set("job notice retirement redundancy redundant offer sacked fired dismissed laid hired let")
WORKPLACES = word_set(
    """bakery bar brewery brigade cafe café centre center charity clinic depot factory farm foundry garage gallery
    hotel kitchen library mill ministry museum nursery office pharmacy practice pub restaurant salon service shop
    studio supermarket surgery theatre warehouse yard"""
)
_POINTING = word_set(
    """it this that these those them your you one ones yours each thing things stuff something anything"""
)
_NOTIONS = word_set(
    """advice answer approach approaches challenge chance combination concept design detail details effort
    energy example examples experience fact feature features feedback feel feeling focus idea ideas
    information insight insights kind look mix nature opportunity option options part plan point points
    possibility process quality former latter question questions recommendation recommendations sense set
    sort sound sounds style suggestion suggestions smell genre project projects rush connection theme themes
    thought thoughts tip tips touch variety version vibe vibes way ways work"""
)
_INJURIES = word_set(
    """accident addiction amputation burnout chemo chemotherapy concussion covid fracture injury miscarriage
    operation replacement stroke surgery transplant"""
)
_GOODS = word_set("bunch lot lots few couple dozen pair")
_ANYTHING, _QUANTITIES = word_set("something anything someone somebody same"), word_set("few lot lots")
_SPANS = word_set("second seconds minute minutes hour hours day days week weeks month months year years")
_NO_TOOLS = word_set("people person friends messages emails photos name surname mind words")
_RIDDEN = word_set("plane train bus ferry flight coach taxi cab tram boat")
_QUALITIES = word_set("texture taste flavour flavor noise colour color")
_PLEASURES = word_set(
    """beach cinema city cold countryside dark gym heat mountains ocean opera outdoors park piano pool pub rain
    sea sky snow sun theater theatre water wild wilderness woods"""
)
_OF_HERE = word_set("this these those your its their his her my our how what")
_NUMBERED = word_set(
    """bay bed block bus chapter desk door exit floor gate lane line page part pier place platform question road
    room route row seat stand step table terminal track tram unit"""
)
_DISLIKING = word_set("hate dislike detest loathe fear abide stand bear")
_NOT_OWNED = word_set(
    """account appointment assignment bachelor's call certificate chance class client clients course date day
    deadline deal degree email exam fever flight friend friends game goal idea interview invitation job
    lesson list match master's meeting member members message note offer opportunity order paper party people
    phd plan position positions problem project question reservation session show student students surgery
    task team test ticket tickets time times trip version visit workshop grade level size top"""
)
_WORKED_ON = word_set("project projects things stuff kinds it lot task tasks campus site")
_NO_FIELDS = word_set(
    """field office area city town team group meantime middle same past future morning evening silence shifts
    bursts batches pairs secret peace private person public pyjamas pajamas stages"""
)
_ROOMS = word_set("area basement building garage job kitchen office place room shed studio team zone")
_SCHOOLS = word_set("school college university uni academy")
_STUDIED = word_set(
    """apprenticeship bachelor bachelor's course degree diploma doctorate education internship law master
    master's masters medicine nursing phd residency school schooling studies training thesis traineeship"""
)


def is_empty(told: Told, attribute: str, span: Span) -> bool:
    """Tell whether a value means something only here and now: "the city", "this song", "your idea"."""
    words = told.words
    before = words.words[span[0] - 1]
    if words.words[span[0] - 2 : span[0]] == ["a", "new"]:
        before = "a"
    listed = words.words[span[0] : span[1]]
    is_next = all(is_adverb(word) or word in glue.HAVE for word in words.words[told.verb.place : span[0]])
    if attribute in ("owns", "pet") and told.verb.verb == "have" and is_next and _is_participle(listed[0]):
        return True  # "I've binge-watched the lot"
    if listed in (["best"], ["better"], ["most"]) or listed[0] in _ANYTHING and "with" not in listed:
        return True
    if attribute == "pet" and not _QUANTITIES.isdisjoint(words.words[span[0] - 2 : span[0]]):
        return True
    is_done_to = listed[0] == "being" and len(listed) > 1 and attribute in ("likes", "prefers")
    if listed[0] in glue.AUXILIARIES and not is_done_to:
        return True
    if _is_cut(words, span) or not words.said(*span)[0].isalnum():
        return True
    if attribute in ("uses", "owns") and told.has("recurring") and times(words, span[0] - 1, span[1]):
        return True  # "we deploy on Tuesdays"
    if attribute in _CHECKED:
        return _CHECKED[attribute](told, span)
    if attribute == "decision" and told.verb.verb in ("go", "settle"):
        return before in glue.POSSESSIVES or not is_hard(words, span)
    if attribute == "eats" and before == "the" and not kinds.is_food(listed):
        return True
    if attribute in ("likes", "prefers"):
        return _is_passing_liking(told, span, before)
    if attribute == "uses":
        return _is_no_tool(told, span, before)
    if attribute == "goal" and told.verb.verb == "aim":
        return not (told.has("date") or is_hard(words, span))
    if attribute == "home" and "clothes" in kinds.kinds_of(listed[-1]):
        return True
    if attribute == "owns" and told.verb.verb == "have" and listed[-1] in _RIDDEN:
        return bool(told.times) or words.at(span[1]) == "at"  # "I've got a plane at six"
    if attribute == "budget":
        return (
            _is_while(listed)
            or not any(letter.isdigit() for letter in words.said(*span))
            and glue.NUMBERS.keys().isdisjoint(words.words[span[0] : span[1]])
        )
    if attribute == "plays" and before in ("a", "an") and kinds.is_job(listed[-1]):
        return True  # in a play
    if attribute == "plays" and (before == "for" or listed[-1] in ("game", "games", "match", "fun")):
        return not words.is_capital(span[0])
    if before in ("this", "these", "your"):
        return True
    if attribute == "employer" and told.verb.verb in _WORKING and before in ("the", "a", "an"):
        return False
    if attribute == "employer" and is_employment(told, span):
        return False
    if attribute in PLACES and before in ("a", "an") and not words.is_capital(span[1] - 1):
        return words.words[span[1] - 1] not in FIRMS and "of" not in listed and "called" not in listed
    if attribute == "location" and listed == ["home"]:
        return True
    is_vague = before in ("the", "a", "an") or not words.is_lower
    return attribute in PLACES and is_vague and not is_firm(words, span)


def is_employment(told: Told, span: Span) -> bool:
    """Tell whether the words before a value say that one works there: "my job at …", "sacked from …"."""
    words = told.words
    if told.verb.verb in ("start", "quit", "begin") and words.words[span[1] - 1] in WORKPLACES:
        return True
    return not _EMPLOYING.isdisjoint(words.words[told.verb.place : span[0]])


def _is_no_skill(told: Told, span: Span) -> bool:
    if told.verb.verb != "know":
        return False
    ends = (told.words.words[span[0]], told.words.words[span[1] - 1])
    if span[1] - span[0] == 1 and ends[0] in KINDS["language"] | KINDS["framework"] | KINDS["database"]:
        return False
    return all(kinds.kinds_of(word).isdisjoint(("language", "skill", "dance", "game")) for word in ends)


def _is_no_field(told: Told, span: Span) -> bool:
    first, last = told.words.words[span[0]], told.words.words[span[1] - 1]
    if last == "zone" or last in _ROOMS or told.words.words[span[0] - 1] in glue.POSSESSIVES:
        return True
    return first in _NO_FIELDS or (is_doing(first) and told.verb.verb == "focus") or first == "other"


def _is_no_study(told: Told, span: Span) -> bool:
    listed = told.words.words[span[0] : span[1]]
    if listed[0] in ("hard", "real", "well", "all", "together", "day", "night") or listed[0][0].isdigit():
        return True
    if told.verb.verb == "finish":
        return all(kinds.had(word) != "studies" for word in listed)
    if told.verb.verb == "graduate" and listed[-1] in _SCHOOLS and not told.words.is_capital(span[0]):
        return True
    return told.verb.verb == "complete" and _STUDIED.isdisjoint(listed)


def _is_no_work(told: Told, span: Span) -> bool:
    before = told.words.words[span[0] - 1]
    if not {"as", "while"}.isdisjoint(told.clause.joint):
        return True
    if any(word.isdigit() for word in told.words.words[told.verb.end : told.verb.end + 2]):
        return True  # "took over 200 photos"
    if before in glue.PREPOSITIONS and before != "on" and not told.words.is_capital(span[0]):
        return True
    if before in ("for", "since"):
        return True  # "the project I've been working on for weeks"
    if not _POINTING.isdisjoint(told.words.words[span[0] : span[1]]) or times(told.words, span[0] - 1, span[1]):
        return True
    return told.words.words[span[1] - 1] in _WORKED_ON and not told.words.is_capital(span[0])


def _is_no_language(told: Told, span: Span) -> bool:
    is_known = "language" in kinds.kinds_of(told.words.words[span[1] - 1])
    return not (is_known or told.words.is_capital(span[1] - 1) or told.words.is_lower)


def _is_no_crop(told: Told, span: Span) -> bool:
    last = told.words.words[span[1] - 1]
    return not last.endswith("s") and kinds.kinds_of(last).isdisjoint(
        ("vegetable", "fruit", "flower", "tree", "spice")
    )


def _is_cut(words: Words, span: Span) -> bool:
    """Tell whether a value ends within a noun phrase: "sneakers with a sleek, minimalist design"."""
    last = words.words[span[1] - 1]
    if words.at(span[1]) in ("what", "how", "that", "whatever") and last.endswith("ing"):
        return True
    is_while = words.at(span[1] + 2) in _SPANS  # "in publishing for ten years"
    if words.at(span[1]) == "for" and span[1] - span[0] == 1 and is_doing(last) and not is_while:
        return True  # "caring for my pups"
    if words.at(span[1]) in ("up", "out", "down", "off", "away") and (
        is_doing(last) or is_sure(lemma(last, "base"))
    ):
        return True  # "working on setting up …", "a beat up Polo"
    is_listed = words.at(span[1]) in (",", "or")
    if is_listed and last.endswith(("er", "ic", "ful", "ive")) and not kinds.kinds_of(last):
        return not words.is_capital(span[1] - 1) and words.at(span[1] + 1) not in glue.CLOSED
    if words.at(span[1]) != "," or words.words[span[1] - 2] not in ("a", "an"):
        return False
    return span[1] - span[0] > 1 and not kinds.kinds_of(words.words[span[1] - 1])


def _is_passing_liking(told: Told, span: Span, before: str) -> bool:
    words = told.words
    listed = words.words[span[0] : span[1]]
    is_denied = told.verb.is_denied or told.verb.verb in _DISLIKING or told.polarity() != "is"
    if not _POINTING.isdisjoint(listed) or (listed == ["people"] and words.at(span[1]) in ("who", "that")):
        return True
    first = listed.index("of") - 1 if "of" in listed[1:] else len(listed) - 1
    is_manner = told.verb.verb == "prefer" and len(listed) > 1  # "bullet points"
    if (
        not is_manner
        and (not is_denied or len(listed) == 1)
        and not _NOTIONS.isdisjoint((listed[first], listed[-1], listed[0]))
        and listed != ["bullet", "points"]
    ):
        return True
    if before == "my" and len(listed) > 1 and kinds.is_food(listed[:1]):
        return False  # "I like my eggs runny"
    if before in _OF_HERE:
        return not words.is_capital(span[0])
    is_named = any(words.is_capital(place) for place in range(*span))
    if listed[0].endswith("ed") and is_doing(listed[0]) or listed[0][0].isdigit() or listed[0] in glue.NUMBERS:
        return True
    return (
        told.verb.verb != "prefer"
        and before == "the"
        and not is_named
        and not is_denied
        and listed[-1] not in _PLEASURES
    )


def is_idea(told: Told, line: Meaning, begin: int, end: int) -> bool:
    """Tell whether what is liked is a notion of the talk, so that no part of it is a liking."""
    words = told.words.words
    is_denied = told.polarity(line.flags) != "is"
    is_manner = line.attribute == "prefers" and words[begin:end][:1] not in (["the"], ["that"], ["this"])
    for place in range(begin, min(begin + (1 if is_denied or is_manner else 3), end)):
        if words[place] in _NOTIONS:
            return True
    if begin < end and words[begin] in ("the", "this", "that", "your"):
        stop = end_of_object(told.words, begin, end, rest=False)
        if words[stop - 1] in _NOTIONS | _QUALITIES:
            return True  # "the Quinoa and Black Bean Salad idea"
    if begin + 1 < end and words[begin] == "the" and not is_denied and line.attribute == "likes":
        return not told.words.is_capital(begin + 1) and words[begin + 1] not in _PLEASURES
    return begin < end and words[begin] in ("how", "what", "that", "this", "your", "it", "these")


def is_gift(told: Told, span: Span) -> bool:
    """Tell whether a thing was bought for somebody else: "got her a necklace", "got a ring for my best friend"."""
    words = told.words
    if words.at(told.verb.end) in ("her", "him", "them", "you") or _is_relative(words.words[span[0]]):
        return True
    is_somebody = span[0] == told.verb.end and words.is_capital(span[0])
    if is_somebody and not {"a", "an", "some"}.isdisjoint(words.words[span[0] + 1 : span[0] + 3]):
        return True  # "got Max a new bed"
    rest = words.words[span[1] : told.clause.end]
    return "for" in rest and not (RELATIONS.keys() | {"him", "them"}).isdisjoint(rest[rest.index("for") :][:5])


def _is_relative(word: str) -> bool:
    return word in RELATIONS and kinds.had(word) != "pet"


def is_own(told: Told, span: Span) -> bool:
    """Tell whether what was sold or given away is one's own thing, not goods: "sold twelve bunches of herbs"."""
    listed = told.words.words[told.verb.end : span[0] + 1]
    is_known = not (glue.DETERMINERS - {"another", "some", "any"}).isdisjoint(listed)
    is_counted = listed[-1].isdigit() or listed[-1] in glue.NUMBERS
    return _GOODS.isdisjoint(listed) and (is_known or (told.words.is_lower and not is_counted))


def is_of_body(told: Told, span: Span) -> bool:
    """Tell whether one recovers from an illness, not from "the long drive"."""
    listed = told.words.words[slice(*span)]
    return any("illness" in kinds.kinds_of(word) or word in _INJURIES for word in listed)


def _is_no_tool(told: Told, span: Span, before: str) -> bool:
    words = told.words
    listed = words.words[span[0] : span[1]]
    if before in ("this", "these", "your", "the", "its", "their", "his", "her") and not words.is_capital(span[0]):
        return True
    if not _POINTING.isdisjoint(listed) or listed[0][0].isdigit() or listed[0] == "extra":
        return True
    if before in ("many", "much") or listed[-1] in _NO_TOOLS:
        return True
    if (
        is_sure(lemma(listed[0], "third"))
        or (len(listed) == 1 and is_sure(lemma(listed[0], "base")) and not words.is_capital(span[0]))
        or words.words[told.verb.end] in ("the", "this", "these")
        and before == "and"
    ):
        return True
    is_named = is_hard(words, span)
    if fold(listed[0]) in GIVEN_NAMES:
        return True
    if told.verb.verb == "drop" and kinds.had(listed[-1]) == "owns":
        return True  # "dropped my phone"
    if told.verb.verb in ("cancel", "drop"):
        return not is_named and not words.is_lower or listed[0] == "support"
    if told.verb.verb == "work":
        return not is_named or told.subject.who.kind != "we"
    # "I've been using a notebook lately" is of these days; who uses Vim uses it on.
    return told.verb.is_progressive and told.subject.who.kind != "we" and not is_named and not words.is_lower


def is_hard(words: Words, span: Span) -> bool:
    """Tell whether a value is a name or a number, which stays true out of its context."""
    return any(
        words.is_capital(at) or "/" in words.words[at] or any(letter.isdigit() for letter in words.words[at])
        for at in range(*span)
    )


def has_model(words: Words, span: Span) -> bool:
    """Tell whether a thing is named as one buys it: with a capital letter, or letters and figures ("ps5")."""
    listed = words.words[span[0] : span[1]]
    if not _NOT_OWNED.isdisjoint(listed) or not _POINTING.isdisjoint(listed) or is_doing(listed[0]):
        return False
    if fold(listed[0]) in GIVEN_NAMES or words.words[span[0] - 1] in (",", "and"):
        return False
    if listed[-2:-1] and listed[-2] in _NUMBERED and any(map(str.isdigit, listed[-1])):
        return False  # "gate 12"
    is_mixed = words.is_lower and len(listed) == 2 and listed[1].isdigit()
    is_mixed = is_mixed or any(word[0].isalpha() and any(map(str.isdigit, word)) for word in listed)
    is_mixed = is_mixed or any(letter.isupper() for word in words.said(*span).split() for letter in word[1:2])
    is_counted = words.words[span[0] - 1] in glue.DETERMINERS or span[1] - span[0] > 1
    return is_mixed or (is_counted and any(words.is_capital(place) for place in range(*span)))


def is_doing(word: str) -> bool:
    """Tell whether a word is a form of a verb rather than a noun."""
    return bool(word.endswith("ing") and lemma(word, "ing")) or bool(
        word.endswith("ed") and lemma(word, "done") and not lemma(word, "base")
    )


def _is_while(listed: list[str]) -> bool:
    """Tell whether "15 minutes" is set aside, not "300 a month"."""
    return any(unit in _SPANS and (word.isdigit() or word in glue.NUMBERS) for word, unit in pairwise(listed))


def _is_participle(word: str) -> bool:
    return word.endswith("ed") and len(word) > 5


def is_firm(words: Words, span: Span) -> bool:
    """Tell whether a place of work or a home is named, or of a kind that is one."""
    return any(words.is_capital(place) for place in range(*span)) or words.words[span[1] - 1] in FIRMS


def _is_no_age(told: Told, span: Span) -> bool:
    first = told.words.words[span[0]]
    return not (first[0].isdigit() or first.partition("-")[0] in glue.NUMBERS)


_CHECKED: Mapping[str, Callable[[Told, Span], bool]] = {
    "age": _is_no_age,
    "skill": _is_no_skill,
    "field": _is_no_field,
    "studies": _is_no_study,
    "works on": _is_no_work,
    "grows": _is_no_crop,
    "speaks": _is_no_language,
}
