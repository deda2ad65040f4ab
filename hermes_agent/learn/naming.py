"""Names given or put right: "they've called her Saoirse", "named him Waffles", "it's Kofi, not Kofie"."""

from collections.abc import Iterator
from dataclasses import replace

from hermes_agent.learn import attributes, glue, kinds
from hermes_agent.learn.facts_told import made
from hermes_agent.learn.kinds import kinds_of
from hermes_agent.learn.lexicon import GIVEN_NAMES
from hermes_agent.learn.parsing import Clause
from hermes_agent.learn.people import Talk
from hermes_agent.learn.pronouns import may_be
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.values import titled
from hermes_agent.records.statements import USER, Statement, Who
from hermes_agent.text.verbs import lemma
from hermes_agent.text.words import fold

_NAMELESS = (
    "dog",
    "cat",
    "horse",
    "rabbit",
    "bird",
    "baby",
    "daughter",
    "son",
    "granddaughter",
    "grandson",
    "niece",
)
_HE_OR_SHE = {"him": "he", "her": "she", "it": "it"}


def read_naming(words: Words, clause: Clause, talk: Talk) -> Statement | None:
    """Read the name that somebody newly spoken of was given."""
    verb = clause.verb
    if verb is None or verb.verb not in ("call", "name", "christen") or verb.is_denied or verb.modal:
        return None
    place = verb.end + 1
    pronoun = _HE_OR_SHE.get(words.at(verb.end), "")
    is_new = verb.tense in ("past", "perfect") or verb.is_progressive
    if not pronoun or not is_new or place != clause.end - 1 or not _is_given(words, place):
        return None
    named = [
        one for one in talk.people[-1:] if one.relation.split()[-1:] and one.relation.split()[-1] in _NAMELESS
    ]
    if not named or named[0].name or (pronoun != "it" and not may_be(pronoun, named[0])):
        return None
    if kinds_of(words.words[place]) and kinds.had(named[0].relation.split()[-1]) != "pet":
        return None
    name = titled(words.said(place, place + 1))
    who = Who("person", named[0].relation)
    return made(who, "name", name, words.starts[clause.place], words.ends[place])


def read_spelling(words: Words, clause: Clause) -> Iterator[Statement]:
    """Read "my surname is spelt Thomsen": the user's name, and how it is written."""
    verb, subject = clause.verb, clause.subject
    if verb is None or subject is None or verb.verb != "spell" or not verb.is_passive or verb.is_denied:
        return
    is_own = words.words[subject[0]] == "my" and words.words[subject[1] - 1] in ("name", "surname")
    place = verb.end
    if is_own and place < clause.end and words.is_capital(place) and words.said(place, place + 1).istitle():
        start, stop = words.starts[subject[0]], words.ends[place]
        yield made(USER, attributes.NAME, words.said(place, place + 1), start, stop)


def read_pet_of(words: Words, clause: Clause, talk: Talk) -> Iterator[Statement]:
    """Read "his dog, Haggis, slept on my feet": the pet of one who was spoken of."""
    if clause.subject is None or words.words[clause.subject[0]] not in ("his", "her"):
        return
    begin = clause.subject[0] + 1
    animal = next((at for at in range(begin, clause.subject[1]) if kinds.had(words.words[at]) == "pet"), 0)
    name = animal + 1 + (words.at(animal + 1) == ",")
    who = talk.meant("he" if words.words[begin - 1] == "his" else "she")
    if animal and who is not None and name < len(words.words) and _is_given(words, name) and not words.is_lower:
        said = words.said(begin, name + 1)
        yield made(who, "pet", said, words.starts[begin - 1], words.ends[name])


def _is_given(words: Words, place: int) -> bool:
    word = words.words[place]
    if word in glue.CLOSED or words.time_letters[place] != ".":
        return False
    return fold(word) in GIVEN_NAMES if words.is_lower else words.is_capital(place)


def _is_alike(words: Words, place: int) -> bool:
    """Tell whether the name behind "not" is much like the one before it: Kofi, not Kofie."""
    said = words.words[place]
    denied = next((place for place in range(place + 1, len(words.words) - 1) if words.words[place] == "not"), 0)
    other = words.words[denied + 1] if denied else ""
    return said[:1] == other[:1] and abs(len(said) - len(other)) <= 2


def read_respelling(words: Words, clause: Clause) -> Iterator[Statement]:
    """Read "it's Kofi, not Kofie": the user's name, put right."""
    verb = clause.verb
    if verb is None or verb.verb != "be" or clause.subject is None or words.words[clause.subject[0]] != "it":
        return
    place = verb.end
    after = words.words[place + 1 :]
    is_contrast = "not" in after[:3] and place + 1 < len(words.words)
    is_name = is_contrast and words.words[place] not in glue.CLOSED and not kinds.kinds_of(words.words[place])
    is_name = is_name and words.words[place].isalpha() and clause.begin <= 1 and _is_alike(words, place)
    if is_name and (words.is_capital(place) or words.is_lower) and not lemma(words.words[place], "base"):
        before = words.words.index("not", place + 1) + 1
        if before < len(words.words):
            value, former = words.said(place, place + 1), words.said(before, before + 1)
            start, stop = words.starts[clause.place], words.ends[place]
            # It may be somebody else's name: another that is known stays.
            yield replace(made(USER, attributes.NAME, value, start, stop, former=former), is_weak=True)
