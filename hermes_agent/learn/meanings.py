"""What verbs tell of their subject, from the table `meanings.txt`."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from hermes_agent.learn import glue
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.verb_groups import VerbGroup, is_adverb

BY_KIND = "kind"
_DEGREES = word_set("big huge great real massive strong particular keen lifelong deep")
_BEFORE_JOBS = word_set("new first dream summer saturday weekend part-time full-time permanent temporary proper")
_ARTICLES = ("my", "a", "an", "the")
_FARTHEST = 8
NEGATED = "negated"
"""The line itself says "not"."""
_FLAGS = word_set("change ends food going denied now one rest whole kind was")


@dataclass(frozen=True, slots=True)
class Meaning:
    """One line of the table: the words behind the verb, the attribute, and what is special about it."""

    behind: tuple[str, ...]
    attribute: str
    flags: frozenset[str]


@cache
def _table() -> Mapping[str, Sequence[Meaning]]:
    """Read the table, by verb; of one verb the longest phrase first."""
    found: defaultdict[str, list[Meaning]] = defaultdict(list)
    text = files("hermes_agent.learn").joinpath("meanings.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            phrase, _, told = line.partition(" = ")
            verb, *behind = phrase.split()
            if verb in ("can't", "not"):
                verb, behind = f"{verb} {behind[0]}", behind[1:]
            flags = frozenset(word for word in told.split() if word in _FLAGS)
            flags |= {NEGATED} if " " in verb else set()
            attribute = " ".join(word for word in told.split() if word not in _FLAGS)
            found[verb].append(Meaning(tuple(behind), attribute or BY_KIND, flags))
    return {verb: sorted(lines, key=lambda one: -len(one.behind)) for verb, lines in found.items()}


def meaning(words: Words, verb: VerbGroup, end: int) -> tuple[Meaning, int] | None:
    """Return what a verb tells here, and where its value begins."""
    table = _table()
    start = verb.end
    if verb.is_passive:
        return _matched(words, table["be"], verb.place, end)
    is_denied = verb.is_denied or verb.phase == "no longer"
    if is_denied and verb.modal in ("can", "will", "could"):
        found = _matched(words, table.get(f"can't {verb.verb}", ()), start, end)
        if found is not None or verb.modal == "can":
            return found
    if verb.is_denied and (found := _matched(words, table.get(f"not {verb.verb}", ()), start, end)):
        return found
    if verb.verb == "get" and (found := _matched(words, table["be"], start, end)) and "change" in found[0].flags:
        return found  # "got diagnosed with"
    return _matched(words, table.get(verb.verb, ()), start, end)


def _behind_aside(words: Words, place: int, end: int) -> int:
    """Go over what stands between commas: "diagnosed, rather late in life, with dyslexia"."""
    if words.words[place : place + 1] != [","] or "," not in words.words[place + 1 : min(place + _FARTHEST, end)]:
        return place
    return words.words.index(",", place + 1) + 1


def meaning_of_participle(words: Words, verb: VerbGroup, end: int) -> tuple[Meaning, int] | None:
    """Return what is told by a verb that lacks its "was": "diagnosed with ADHD", "made redundant"."""
    found = _matched(words, _table()["be"], verb.place, end) if verb.tense == "past" else None
    return found if found is not None and len(found[0].behind) > 1 else None


def _is_before_job(word: str) -> bool:
    """Tell whether a word may say which job: a new one, nursing, teaching."""
    return word in _BEFORE_JOBS or (word.endswith("ing") and len(word) > len("doing"))


def _is_between(word: str, following: str) -> bool:
    return is_adverb(word) or word in _DEGREES or word == "there" or (following == "job" and _is_before_job(word))


def _is_whose(word: str, listed: str, following: str) -> bool:
    """Tell whether a word stands where a line has "my": she quits "her job"; of a job any article will do."""
    is_job = following == "job" and listed in _ARTICLES and word in glue.DETERMINERS
    if word == "a" and listed == "an":
        return True  # "a strong aversion"
    is_place = following == "place" and listed == "a" and word in glue.POSSESSIVES
    return is_job or is_place or (listed == "my" and word in glue.POSSESSIVES)


def _matched(words: Words, lines: Sequence[Meaning], start: int, end: int) -> tuple[Meaning, int] | None:
    near = words.words[start : min(end, start + _FARTHEST)]
    said = {*words.words[start:end], *_ARTICLES}
    for line in lines:
        if line.behind and line.behind[-1] not in said:
            continue  # most lines, at once
        if line.behind and line.behind[0] not in _ARTICLES and line.behind[0] not in near:
            continue
        place = start
        for word, following in zip(line.behind, (*line.behind[1:], ""), strict=False):
            place = _behind_aside(words, place, end)
            while place < end and words.words[place] != word and _is_between(words.words[place], word):
                place += 1
            if place >= end or not (words.words[place] == word or _is_whose(words.words[place], word, following)):
                break
            place += 1
        else:
            is_object = line.behind or (place < end and words.words[place] not in glue.PREPOSITIONS)
            if is_object or "whole" in line.flags:
                return line, place
    return None
