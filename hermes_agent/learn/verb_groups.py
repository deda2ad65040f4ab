"""Read the verb of a clause: what it is, in which tense, denied or not, begun or over.

"I've stopped eating", "she no longer works", "we're not going to move": auxiliaries, adverbs and the main verb
make one group. Behind a pronoun any word may be the verb; behind a noun only what is listed as one.
"""

from dataclasses import dataclass, replace
from typing import Literal

from hermes_agent.learn import glue
from hermes_agent.learn.lexicon import GIVEN_NAMES, RELATIONS, word_set
from hermes_agent.learn.tokens import Words
from hermes_agent.text.verbs import Form, guessed, is_sure, lemma

Tense = Literal["present", "past", "perfect", "future", "bare"]
Phase = Literal["", "used", "no longer", "ends", "begins"]
Behind = Literal["we", "he", "noun", "nobody"]

_PAST_BE = ("was", "were")
_ENDING = ("stop", "quit", "cease")
_BEGINNING = ("start", "begin")
# Behind a noun these belong to it: "a whippet called Dash".
_PARTICIPLES = word_set("called named based born made given")
_GIVING_UP = {"give": "up", "leave": "behind"}
_NOUNS_IN_LY = word_set(
    """anomaly assembly butterfly dragonfly family firefly folly homily jelly lovely monopoly friendly sicily
    elderly costly lonely ugly"""
)
# What follows a participle that no list knows: "have handed the keys", "have handed over the keys".
_BEHIND_DONE = glue.DETERMINERS | word_set("it them him me us over back in out off up down")
_SELF = word_set("myself himself herself ourselves themselves both")
# Adverbs of two words: "I am at present writing".
_IN_TWO_WORDS = (
    *(["at", "present"], ["in", "fact"], ["of", "course"], ["of", "late"], ["as", "yet"]),
    *(["by", "profession"], ["by", "trade"], ["by", "training"]),
)
_FORCED = word_set("obliged forced compelled")
_GIVEN_UP = word_set(
    """abandon cancel cease close discontinue drop end give leave part quit relinquish resign retire scrap sell
    shut stop surrender withdraw"""
)
_HONOURS = word_set("honour honor pleasure privilege fortune")
_STRESSED = word_set("like love hate miss enjoy prefer need smoke use")
NOUNS_IN_ING = word_set("wedding building evening morning ceiling clothing housing")
_ADJECTIVES = word_set(
    """addicted based blessed born bored called colour-blind concerned confused devoted disabled divorced engaged
    excited exhausted gifted hooked impressed injured interested left-handed lost married named obsessed
    pleased related retired scared separated shortsighted skilled stressed stuck terrified thrilled tired
    trained used widowed worried"""
)


@dataclass(frozen=True, slots=True)
class VerbGroup:
    """A verb with its auxiliaries; what it is said of or done to begins at `end`."""

    begin: int
    end: int
    verb: str
    tense: Tense
    place: int
    """Where the main verb stands."""
    is_progressive: bool = False
    is_passive: bool = False
    is_denied: bool = False
    modal: str = ""
    phase: Phase = ""

    @property
    def is_supposed(self) -> bool:
        """Whether it speaks of what may be or ought to be."""
        return self.modal in ("would", "'d", "could", "should", "might", "may")


def verb_group(words: Words, place: int, end: int, behind: Behind) -> VerbGroup | None:
    """Read the verb at a place; `behind` says what kind of subject stands before it."""
    start = place
    place += behind != "nobody" and words.at(place) in _SELF and place < end
    place, is_denied, phase = _adverbs(words, place, end)
    if place >= end:
        return None
    word = words.words[place]
    found: VerbGroup | None
    if word == "be" and behind == "nobody":
        found = VerbGroup(start, place + 1, "be", "bare", place)
    elif word in glue.BE:
        found = _be(words, place, end)
    elif word in glue.HAVE or (word == "'d" and lemma(words.at(place + 1), "done") and behind != "nobody"):
        found = _have(words, place, end)
    elif word in glue.DO:
        found = _do(words, place, end)
    elif word in glue.MODALS:
        found = _modal(words, place, end)
    elif word == "used" and words.at(place + 1) == "to" and lemma(words.at(place + 2), "base"):
        found = VerbGroup(start, place + 3, lemma(words.at(place + 2), "base"), "past", place + 2, phase="used")
    else:
        found = _plain(words, place, end, behind)
    if found is None:
        return None
    if start < found.begin or is_denied or phase:
        found = replace(found, begin=start, is_denied=found.is_denied or is_denied, phase=found.phase or phase)
    return _phased(words, found, end)


def _adverbs(words: Words, place: int, end: int) -> tuple[int, bool, Phase]:
    """Go over adverbs and "not": where they end, whether one denies, whether it is "no longer"."""
    is_denied, phase = False, ""
    while place < end:
        word = words.words[place]
        if word == "no" and words.at(place + 1) == "longer":
            phase, place = "no longer", place + 2
        elif word in glue.NOT or word == "never":
            is_denied, place = True, place + 1
        elif is_adverb(word) or word in ("therefore", "hence", "accordingly"):
            place += 1
        elif word in ("at", "in", "of", "as", "by") and words.words[place : place + 2] in _IN_TWO_WORDS:
            place += 2
        else:
            break
    return place, is_denied, "no longer" if phase else ""


def is_adverb(word: str) -> bool:
    """Tell whether a word only says how: really, currently, still."""
    return word in glue.ADVERBS or (
        word.endswith("ly")
        and len(word) > 5
        and word.isalpha()
        and not lemma(word, "base")
        and word not in GIVEN_NAMES
        and word not in _NOUNS_IN_LY
    )


def _be(words: Words, place: int, end: int) -> VerbGroup | None:
    tense: Tense = "past" if words.words[place] in _PAST_BE else "present"
    after, is_denied, phase = _adverbs(words, place + 1, end)
    following = words.at(after) if after < end else ""
    if words.words[place] == "'s" and _is_perfect(following):
        return _have(words, place, end)
    if following == "going" and words.at(after + 1) == "to" and (verb := lemma(words.at(after + 2), "base")):
        return VerbGroup(place, after + 3, verb, "future", after + 2, is_denied=is_denied, phase=phase)
    if _is_owners(words, place, after, end):
        return None
    if following == "back" and after + 1 < end and lemma(words.words[after + 1], "ing"):
        after, following = after + 1, words.words[after + 1]  # "I'm back living with my mum"
    is_noun = following in NOUNS_IN_ING and words.at(after + 1) not in glue.DETERMINERS  # "I'm building a shed"
    if following.endswith("ing") and not is_noun and (verb := lemma(following, "ing")):
        return VerbGroup(
            place, after + 1, verb, tense, after, is_progressive=True, is_denied=is_denied, phase=phase
        )
    if following in _FORCED and words.at(after + 1) == "to" and tense == "past":
        return _done_perforce(words, place, after + 1, end)
    if following not in _ADJECTIVES and (verb := lemma(following, "done")) and following != "come":
        return VerbGroup(place, after + 1, verb, tense, after, is_passive=True, is_denied=is_denied, phase=phase)
    return VerbGroup(place, after, "be", tense, place, is_denied=is_denied, phase=phase)


def _is_owners(words: Words, place: int, after: int, end: int) -> bool:
    """Tell whether "'s" between two names says whose something is: Ed Sheeran's "Perfect"."""
    if words.words[place] != "'s" or place == 0 or after >= end or words.words[place - 1] in glue.CLOSED:
        return False
    return words.is_capital(after) and words.is_capital(place - 1)


def _is_perfect(following: str) -> bool:
    """Tell whether "'s" in front of a word is "has": he's moved, he's been; but he's married."""
    if following in ("been", "got", "had", "gone", "become"):
        return True
    return following not in _ADJECTIVES and bool(lemma(following, "done")) and not lemma(following, "base")


def _have(words: Words, place: int, end: int) -> VerbGroup | None:
    after, is_denied, phase = _adverbs(words, place + 1, end)
    is_between = words.at(after) in ("since", "long") and bool(lemma(words.at(after + 1), "done"))
    after += is_between and after + 1 < end
    following = words.at(after) if after < end else ""
    if following == "the" and words.at(after + 1) in _HONOURS:
        return _honoured(words, place, after + 2, end)
    tense: Tense = "past" if words.words[place] in ("had", "'d") else "perfect"
    if following == "got" and not (words.at(after + 1) == "to" and lemma(words.at(after + 2), "base")):
        return VerbGroup(place, after + 1, "have", "present", after, is_denied=is_denied, phase=phase)
    if following == "gotten":
        return VerbGroup(place, after + 1, "get", tense, after, is_denied=is_denied, phase=phase)
    if following == "been":
        been = _be(words, after, end)
        return (
            None
            if been is None
            else replace(been, tense=tense, is_denied=been.is_denied or is_denied, phase=phase or been.phase)
        )
    is_past_duty = words.words[place] == "had" and following == "to"
    is_past_duty = is_past_duty or (following == "had" and words.at(after + 1) == "to")
    if (
        is_past_duty
        and not is_denied
        and (done := _done_perforce(words, place, after + (following == "had"), end))
    ):
        return done
    is_duty = following == "to" or (following == "got" and words.at(after + 1) == "to")
    if is_duty and (verb := lemma(words.at(after + 1 + (following == "got")), "base")):
        after += 1 + (following == "got")
        if verb == "be" and (duty := _be(words, after, end)):
            return replace(duty, begin=place, modal="must", is_denied=is_denied)
        return VerbGroup(place, after + 1, verb, "present", after, modal="must", is_denied=is_denied)
    if verb := lemma(following, "done"):
        return VerbGroup(place, after + 1, verb, tense, after, is_denied=is_denied, phase=phase)
    if following.endswith("ed") and following.isalpha() and words.at(after + 1) in _BEHIND_DONE:
        return VerbGroup(place, after + 1, following[:-2], tense, after, is_denied=is_denied, phase=phase)
    plain: Tense = "past" if tense == "past" else "present"
    if following == "no" and after + 1 < end and not is_denied and words.at(after + 1) != "longer":
        return VerbGroup(place, after + 1, "have", plain, place, is_denied=True, phase=phase)
    return VerbGroup(place, after, "have", plain, place, is_denied=is_denied, phase=phase)


def _done_perforce(words: Words, begin: int, place: int, end: int) -> VerbGroup | None:
    """Read "had to sell", "have had to give up": what had to come to an end is over."""
    verb = lemma(words.at(place + 1), "base") if place + 1 < end else ""
    tense: Tense = "perfect" if words.words[begin] in ("have", "has", "'ve") else "past"
    return VerbGroup(begin, place + 2, verb, tense, place + 1) if verb in _GIVEN_UP else None


def _honoured(words: Words, begin: int, place: int, end: int) -> VerbGroup | None:
    """Read what somebody "has the honour to" or "of" do: they do it."""
    tense: Tense = "past" if words.words[begin] == "had" else "present"
    form: Form = "base" if words.at(place) == "to" else "ing"
    verb = lemma(words.at(place + 1), form) if words.at(place) in ("to", "of") and place + 1 < end else ""
    if not verb:
        return VerbGroup(begin, begin + 1, "have", tense, begin)
    return VerbGroup(begin, place + 2, verb, tense, place + 1)


def _do(words: Words, place: int, end: int) -> VerbGroup | None:
    tense: Tense = "past" if words.words[place] == "did" else "present"
    after, is_denied, phase = _adverbs(words, place + 1, end)
    following = words.at(after) if after < end else ""
    if (
        is_denied
        and (verb := guessed(following, "base"))
        and following not in glue.CLOSED - {"have", "do", "be", "like"}
    ):
        return VerbGroup(place, after + 1, verb, tense, after, is_denied=True, phase=phase)
    verb = lemma(following, "base")
    if verb and not is_denied and (is_sure(verb) or verb in _STRESSED) and following not in glue.CLOSED - {"like"}:
        return VerbGroup(place, after + 1, verb, tense, after, phase=phase)  # "I do eat fish"
    return None if is_denied else VerbGroup(place, place + 1, "do", tense, place, phase=phase)


def _modal(words: Words, place: int, end: int) -> VerbGroup | None:
    modal = words.words[place]
    after, is_denied, phase = _adverbs(words, place + 1, end)
    following = words.at(after) if after < end else ""
    tense: Tense = "future" if modal in ("will", "'ll", "shall") else "present"
    if tense == "future" and is_denied:  # "won't touch" is a habit
        tense, modal = "present", "will"
    elif tense == "future":
        modal = ""
    if following == "be":
        found = _be(words, after, end)
        return (
            None if found is None else replace(found, tense=tense, is_denied=is_denied, modal=modal, phase=phase)
        )
    if following == "have" and (verb := lemma(words.at(after + 1), "done")):
        return VerbGroup(place, after + 2, verb, "perfect", after + 1, is_denied=is_denied, modal=modal)
    if following in glue.CLOSED and following not in ("have", "do", "like"):
        return None
    verb = guessed(following, "base")
    return (
        VerbGroup(place, after + 1, verb, tense, after, is_denied=is_denied, modal=modal, phase=phase)
        if verb
        else None
    )


_FORMS: dict[Behind, tuple[tuple[Form, Tense], ...]] = {
    "we": (("past", "past"), ("base", "present")),
    "he": (("third", "present"), ("past", "past")),
    "noun": (("third", "present"), ("past", "past"), ("base", "present")),
    "nobody": (("past", "past"), ("third", "present"), ("ing", "bare"), ("base", "bare")),
}


_EVERY_FORM: tuple[Form, ...] = ("base", "third", "past", "ing", "done")


def _plain(words: Words, place: int, end: int, behind: Behind) -> VerbGroup | None:
    word = words.words[place]
    if words.time_letters[place] in "MD" and words.is_capital(place):
        return None  # "since March"
    # Without a subject "like" is a preposition: "games, like Zelda".
    if word in glue.CLOSED and not (word in ("like", "read", "left") and behind != "nobody"):
        return None
    if behind == "nobody" and word != "quit" and lemma(word, "past") == word:  # "put", "cut": an order
        return VerbGroup(place, place + 1, word, "bare", place)
    if behind == "nobody" and _is_new_order(words, place):
        return VerbGroup(place, place + 1, word, "bare", place)
    if behind == "nobody" and (word == "gone" or (word in ("given", "taken") and words.at(place + 1) == "up")):
        return VerbGroup(place, place + 1, lemma(word, "done"), "perfect", place)
    for form, tense in _FORMS[behind]:
        verb = lemma(word, form)
        if verb and _fits(words, place, end, form, behind, verb):
            return VerbGroup(place, place + 1, verb, tense, place, is_progressive=form == "ing")
    form = "third" if behind == "he" else "past" if word.endswith("ed") else "base"
    if behind in ("we", "he") and word.isalpha() and (verb := guessed(word, form)):
        return VerbGroup(place, place + 1, verb, "past" if form == "past" else "present", place)
    return None


BEHIND_MANY = word_set("are were have must should follow start begin end live")
"""Verbs of many: the word before them is a noun, "branch names follow …"."""


_NEW_OBJECTS = word_set("it them the my our all any every me everything anything")


def _is_new_order(words: Words, place: int) -> bool:
    """Tell whether a word that is no known verb is one here: "always alias the tables", "please cc me"."""
    if place == 0 or words.words[place - 1] not in ("always", "never", "please", "kindly"):
        return False
    word = words.words[place]
    following = words.at(place + 1)
    is_object = following in _NEW_OBJECTS and not words.is_capital(place)
    return is_object and word.replace("-", "").isalpha() and not any(lemma(word, form) for form in _EVERY_FORM)


def _fits(words: Words, place: int, end: int, form: Form, behind: Behind, verb: str) -> bool:
    """Tell whether a word behind a noun is a verb rather than one more noun."""
    if behind != "noun":
        return True
    noun = place - 1
    while noun > 0 and is_adverb(words.words[noun]):  # "my kids never eat fish"
        noun -= 1
    before = words.words[noun]
    if words.words[place] in _PARTICIPLES or (words.is_capital(place) and not words.is_capital(0)):
        return False
    if words.is_capital(place) and words.is_capital(place - 1):  # the Northern Lights
        return False
    if form == "base":
        is_many = before.endswith("s") and not before.endswith(("ss", "us", "is"))
        return is_many and (is_sure(verb) or _ends_noun(words, place + 1, end)) and before not in glue.POSSESSIVES
    if form == "third" and words.at(place + 1) in BEHIND_MANY:
        return False  # "commit messages are …"
    is_person = words.is_capital(place - 1) or not RELATIONS.keys().isdisjoint(words.words[place - 2 : place])
    return is_sure(verb) or is_person or _ends_noun(words, place + 1, end)


def _ends_noun(words: Words, place: int, end: int) -> bool:
    """Tell whether no noun can be going on at a place: what stands there follows a verb."""
    if place >= end:
        return False
    word = words.words[place]
    closed = (
        word in glue.CLOSED
        and word not in glue.BE | glue.MODALS | glue.HAVE | glue.DO
        and word not in ("and", "of")
    )
    return closed or word[0].isdigit() or words.is_capital(place)


def _phased(words: Words, found: VerbGroup, end: int) -> VerbGroup:
    """Read "stopped eating", "gave up smoking", "started learning" as one verb with its phase."""
    place = found.end
    following = words.at(place) if place < end else ""
    if found.verb in _GIVING_UP and following == _GIVING_UP[found.verb]:
        place += 1
        following = words.at(place) if place < end else ""
    elif found.verb == "happen" and following == "to" and (verb := lemma(words.at(place + 1), "base")):
        return replace(found, verb=verb, end=place + 2, place=place + 1)
    elif found.verb not in (*_ENDING, *_BEGINNING):
        return found
    phase: Phase = "begins" if found.verb in _BEGINNING else "ends"
    if following == "to" and phase == "begins":
        verb = lemma(words.at(place + 1), "base")
        place += 1
    else:
        verb = guessed(following, "ing") if phase == "ends" else lemma(following, "ing")
    if not verb or place >= end:
        return found
    return replace(found, verb=verb, end=place + 1, place=place, phase=phase)
