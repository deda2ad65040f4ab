"""Find whom an English clause is about: me, us, somebody by relation or name, or a thing of ours."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from hermes_agent.learn import grammar_english as english
from hermes_agent.learn import lexicon
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.pronouns import may_be
from hermes_agent.learn.spelling import relation_meant
from hermes_agent.learn.values import titled
from hermes_agent.records.statements import USER, WE, Who
from hermes_agent.text.words import fold

_WORD = Pattern(r"[\w-]+(?:'(?-i:[A-Z])[\w-]+)?")
_NAME = Pattern(r"(?-i:[A-Z\u00c0-\u00de][\w'-]*(?:\s+[A-Z\u00c0-\u00de][\w'-]*){0,2})(?=\s|'s\b)")
_NOUN = r"(?P<noun>[\w'./+-]+(?:\s+[\w'./+&-]+){0,5}?)"
_OF_PERSON = Pattern(r"'?s?\s+(?P<noun>[\w-]+(?:\s+[\w-]+){0,3}?)(?=\s+(?:is|are|was|isn't)\b|\s*[:=])")
_THING = Pattern(
    r"(?P<owner>my|our|the|this)\s+" + _NOUN + r"(?=\s+(?:is|are|was|were|isn't|aren't|isnt|will\s+be"
    r"|(?:has\s+|have\s+)?(?:been\s+)?(?:changed|moved)\s+to)\b|'s\s|\s*[:=]\s)"
)
# "my dad's name is Paddy and my mum's is Siobhan"
_ELIDED_NAME = Pattern(r"'s\s+is\s+(?-i:[A-Z])")
_DOING_THING = Pattern(r"(?P<owner>my|our|the)\s+" + _NOUN + rf"(?=\s+(?:{english.DOES})\s)")
_NO_NAMES = lexicon.word_set(
    """the this that these those there here it its i im ive we our my he she they you your his her their what
    who where when which why how everyone everybody someone somebody nobody anyone people today yesterday
    tomorrow monday tuesday wednesday thursday friday saturday sunday yes no ok okay please always never
    thanks hello hi hey good a an and but or so also note remember some most all each every both many few if
    then now just maybe perhaps let lets not one in on at for from with as by to of call search find list
    show forget"""
)


_LOWER = Pattern(r"(?-i:\b[a-z]+\b)")
# Given names that are also words; those are names only with a capital letter.
_CLEAR_NAMES = lexicon.GIVEN_NAMES - lexicon.word_set(
    """will rose mark grace frank bill max jack sue rob iris ken dirk lea kai jean chen wang wei jan carol kelly
    roman victor gloria timo gina kim linda noor mei lian milan paris angela"""
)


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom or what a clause is about; its predicate begins at `end`. `noun` is set when it is a thing."""

    who: Who
    end: int
    noun: str = ""
    is_bare_name: bool = False


def subjects(clause: str, person: Who | None) -> Iterator[Subject]:
    """Yield the ways to read the beginning of a clause, the surest first; a pronoun may mean `person`."""
    if match := english.SELF.match(clause):
        # "im ada": the m belongs to the verb.
        yield Subject(USER, match.start() + 1)
    elif match := english.GROUP.match(clause):
        yield Subject(WE, match.end())
    elif match := english.PRONOUN.match(clause):
        yield Subject(_meant(match["pronoun"], person), match.end())
    elif match := english.POSSESSIVE_PRONOUN.match(clause):
        yield Subject(_meant(match["pronoun"], person), match.end(), match["noun"])
    elif match := english.OWNER.match(clause):
        yield from _owned(clause, match)
    else:
        yield from _named(clause)


def _meant(pronoun: str, person: Who | None) -> Who:
    word = pronoun.lower()
    return person if person is not None and may_be(word, person) else Who("someone", name=word)


def _owned(clause: str, owner: re.Match[str]) -> Iterator[Subject]:
    mine = owner["owner"].lower() in ("my", "our")
    if mine and (found := relation_at(clause, owner.end())):
        who, end = found
        # "my sisters name" lacks an apostrophe; "my sister name" is no English at all.
        is_of = clause[end : end + 2].lower().startswith(("'", "s"))
        if is_of and (of := _OF_PERSON.match(clause, end)):
            yield Subject(who, of.end(), of["noun"])
        if _ELIDED_NAME.match(clause, end):
            yield Subject(who, end + 2, "name")
        yield Subject(who, end)
    for pattern in (_THING, _DOING_THING):
        if match := pattern.match(clause):
            noun = match["noun"]
            is_mine = match["owner"].lower() == "my" and not is_project(noun)
            yield Subject(USER if is_mine else WE, match.end("noun"), noun)


def with_capitals(text: str) -> str:
    """Write the given names in a text with capital letters, where they can be nothing else."""
    if not _LOWER.search(text):
        return text
    return _LOWER.sub(lambda match: match[0].capitalize() if match[0] in _CLEAR_NAMES else match[0], text)


def _named(clause: str) -> Iterator[Subject]:
    first = clause.partition(" ")[0].removesuffix("'s")
    if first in _CLEAR_NAMES:
        clause = clause.capitalize()
    match = _NAME.match(clause)
    if match is None or fold(match[0].split()[0]) in _NO_NAMES:
        return
    name = match[0]
    if name.endswith("'s"):
        who = Who("person", name=name[:-2])
        if of := _OF_PERSON.match(clause, match.end() - 2):
            yield Subject(who, of.end(), of["noun"], is_bare_name=True)
        return
    yield Subject(Who("person", name=name), match.end(), is_bare_name=True)


def relation_at(clause: str, start: int) -> tuple[Who, int] | None:
    """Read "younger sister Mia" from a place of a clause: the person, and where the words end."""
    words = list(islice(_WORD.finditer(clause, start), 7))
    place = 0
    modifiers: list[str] = []
    while place < len(words) and fold(words[place][0]) in lexicon.KIN_MODIFIERS:
        modifiers.append(words[place][0].lower())
        place += 1
    if place >= len(words):
        return None
    word = fold(words[place][0])
    relation = lexicon.RELATIONS.get(word) or lexicon.RELATIONS.get(word.removesuffix("s"))
    meant = relation_meant(word) if relation is None else None
    relation = relation or meant
    end = words[place].end()
    if relation is None:
        return None
    if word not in lexicon.RELATIONS and meant is None:  # "my sisters name": the s is the missing possessive
        end -= 1
    names: list[str] = []
    for following in words[place + 1 : place + 4]:
        gap = clause[end : following.start()]
        is_name = following[0][0].isupper() or fold(following[0]) in _CLEAR_NAMES
        if (
            gap.strip(" ,")
            or not is_name
            or following[0] == "I"
            or (clause.isupper() and fold(following[0]) not in lexicon.GIVEN_NAMES)
        ):
            break
        names.append(following[0])
        end = following.end()
    if clause[end : end + 1] == "," and names:  # "my sister, Mia, lives": the second comma goes with the first
        end += 1
    return Who("person", " ".join([*modifiers, relation]), titled(" ".join(names))), end


@lru_cache(maxsize=4_096)
def who_named(subject: str) -> Who:
    """Read whom a fact is about, as `subject_of` wrote it."""
    if subject in ("user", "we"):
        return USER if subject == "user" else WE
    related = relation_at(subject, 0)
    return Who("person", name=subject) if related is None else related[0]


def subject_of(who: Who) -> str:
    """Write whom a fact is about: `user`, `we`, `sister Ana`, `Ana`."""
    return f"{who.relation} {who.name}".strip() if who.kind in ("person", "thing") else who.kind


def is_project(noun: str) -> bool:
    """Tell whether a thing belongs to the user's work rather than to the user."""
    words = fold(noun).split()
    return bool(words) and (words[0] in lexicon.PROJECT_NOUNS or words[-1] in lexicon.PROJECT_NOUNS)
