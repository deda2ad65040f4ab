"""Read one English clause: its subject, then what is said of it."""

from collections.abc import Iterator
from dataclasses import replace

from hermes_agent.learn import attributes, lexicon
from hermes_agent.learn import grammar_english as english
from hermes_agent.learn.grammar_english import Rule, Shape
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.spelling import is_name_mistyped, is_near_question_word
from hermes_agent.learn.subjects import Subject, is_project, relation_at, subjects
from hermes_agent.learn.values import (
    ends,
    instead_of,
    is_bare_state,
    is_lasting_noun,
    is_likeable,
    is_passing,
    is_state,
    is_telling,
    is_vague,
    name_in,
    people_in,
    shaped,
    titled,
    trimmed,
)
from hermes_agent.records.statements import USER, WE, Polarity, Statement, Who
from hermes_agent.text.words import fold

# What a bare name may be said of: more would take "Docker uses containers" for news about a person.
_OF_NAMED = lexicon.word_set(
    "home origin employer role age allergy birthday birthplace likes prefers speaks plays studies name"
)
_NEGATIVE_LASTS = lexicon.word_set("likes eats drinks speaks uses allergy plays drives")
_LONGEST_NOUN = 6
_NAMED_THING = Pattern(r"\s(?-i:[A-Z])\w")
_NO_TOWN = Pattern(r"(?:an?|my|our|his|her|their|the\s+same)\s")
_RECURRING = Pattern(r"\b(?:every|each|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekly|daily|monthly)\b")


def read_clause(clause: str, person: Who | None, before: Who | None) -> list[Statement]:
    """Return what a clause states, with places inside the clause; `before` is the subject it may go on with."""
    if found := list(_reversed(clause)):
        return found
    for subject in subjects(clause, person):
        if found := list(_said_of(clause, subject)):
            return found
    if before is not None and english.ELIDED_START.match(clause):
        # The rules expect a space in front of the verb.
        found = list(_said_of(" " + clause, Subject(before, 0)))
        return [replace(one, start=max(0, one.start - 1), end=one.end - 1) for one in found]
    return []


def read_predicate(words: str, who: Who) -> list[Statement]:
    """Return what words without a subject state of somebody: "lives in Oslo", "allergic to nuts"."""
    for text in (" " + words, " is " + words):
        found = [
            one for one in _said_of(text, Subject(who, 0)) if one.attribute not in ("is", "has") or one.is_lasting
        ]
        if found:
            return found
    return []


def _said_of(clause: str, subject: Subject) -> Iterator[Statement]:
    if subject.noun:
        yield from _of_thing(clause, subject)
        return
    found = list(_people(clause, subject)) or list(_by_rules(clause, subject))
    yield from found


def _by_rules(clause: str, subject: Subject) -> Iterator[Statement]:
    for rules in (english.RULES, english.LAST_RULES):
        for lead, pattern in english.LEADS.items():
            began = pattern.match(clause, subject.end)
            if began is None:
                continue
            said_no = " ".join(text for name, text in began.groupdict().items() if name.startswith("no") and text)
            for rule in rules[lead]:
                match = rule.pattern.match(clause, began.end())
                if match is None:
                    continue
                if found := list(_statements(clause, subject, rule, match.groupdict(), said_no)):
                    yield from found
                    return
        if rules is english.RULES and (routine := list(_routine(clause, subject))):
            yield from routine
            return


def _statements(
    clause: str, subject: Subject, rule: Rule, groups: dict[str, str | None], said_no: str
) -> Iterator[Statement]:
    said, former = instead_of(groups["value"] or "")
    said, has_ended = ends(said)
    polarity = _polarity(rule, said_no, has_ended)
    value = shaped(said, rule.shape)
    who = subject.who
    if value is None or polarity is None or (rule.attribute == attributes.LIKES and not is_likeable(value)):
        return
    if rule.attribute == attributes.HOME and _NO_TOWN.match(value):
        return
    if rule.shape == "self" and (polarity != "is" or subject.is_bare_name or who.kind not in ("user", "person")):
        return
    if rule.attribute == attributes.NAME:
        value = titled(value)
        who = Who("person", who.relation, value) if who.kind == "person" else who
    is_switched = rule.attribute == attributes.USES and rule.is_change and who.kind != "we"
    is_drunk = is_switched and not lexicon.KINDS["drink"].isdisjoint(fold(value).split())
    made = Statement(
        who,
        "drinks" if is_drunk else rule.attribute,
        value,
        0,
        len(clause),
        polarity,
        attributes.is_single(rule.attribute),
        _lasts(rule, polarity, value, subject),
        rule.is_change or bool(former),
        trimmed(groups.get("former") or former),
        is_weak=rule.shape == "self" and not rule.is_change,
    )
    yield made
    for more, words in groups.items():
        shape: Shape = "clause" if more == "role" else "place"
        if more not in ("value", "former") and words and (second := shaped(words, shape)):
            yield replace(made, attribute=more, value=second, is_single=attributes.is_single(more), former="")


def _lasts(rule: Rule, polarity: Polarity, value: str, subject: Subject) -> bool:
    """Tell whether what is said is worth a note."""
    attribute = rule.attribute
    if polarity == "was" or is_passing(value):
        return False
    if attribute == attributes.LIKES and english.OWNER_ANYWHERE.match(value):
        return False  # "I like my son" is true and needs no note
    if (subject.is_bare_name or subject.who.kind == "someone") and attribute not in _OF_NAMED:
        return False
    if polarity == "is not":
        return rule.is_lasting and attribute in _NEGATIVE_LASTS
    if attribute in ("eats", "drinks"):
        return polarity == "no longer"
    is_possession = attribute == attributes.HAS and value[:2].lower() in ("a ", "an") and is_telling(value)
    return rule.is_lasting or is_possession


def _polarity(rule: Rule, said_no: str, has_ended: bool) -> Polarity | None:
    words = said_no.lower()
    if "used" in words.split():
        return "was"
    if has_ended or "longer" in words or "stopped" in words or "quit" in words or "gave" in words:
        return "no longer"
    if words:
        # "I don't like it" says that one dislikes it; "I don't hate it" says next to nothing.
        return None if rule.polarity == "is not" else "is not"
    return rule.polarity


def _people(clause: str, subject: Subject) -> Iterator[Statement]:
    """Read "I have a sister called Mia", "I'm married to Tom", "my sister is Mia", "I have a meeting on …"."""
    have = english.LEADS["have"].match(clause, subject.end)
    if have and subject.who.kind in ("user", "we"):
        said, has_ended = ends(clause[have.end() :])
        words = " " + said
        if match := english.HAS_PEOPLE.fullmatch(words):
            is_not: Polarity = "no longer" if has_ended or "longer" in (have["no"] or "") else "is not"
            yield from _having(clause, match["noun"], match["names"], is_not if have["no"] else "is")
        if have["no"] is None and (match := english.HAS_DATED.fullmatch(words)):
            yield _thing(clause, subject.who, match["noun"], match["value"], "is")
    be = english.LEADS["be"].match(clause, subject.end)
    if be is None or be.groupdict().get("no"):
        return
    if subject.who.kind == "user" and (match := english.MARRIED.fullmatch(clause[be.end() :])):
        for name in people_in(match["names"]):
            yield _named(clause, Who("person", "partner"), name)
    elif subject.who.relation and not subject.who.name:
        names = people_in(clause[be.end() :])
        is_name = names and name_in(clause[be.end() :].strip(), is_sure=False)
        if is_name or len(names) > 1:
            for name in names:
                yield _named(clause, subject.who, name)


def _having(clause: str, noun: str, names: str | None, polarity: Polarity) -> Iterator[Statement]:
    """Read whom somebody has, with their names if they were said."""
    singular = lexicon.PLURAL_RELATIONS.get(fold(noun.split()[-1]))
    words = " ".join([*noun.split()[:-1], singular]) if singular else noun
    found = relation_at(words, 0)
    breed = lexicon.BREEDS.get(fold(words.split()[-1]))
    if breed is not None and names:
        found = Who("person", breed), len(words)
    if found is None or found[1] != len(words):
        return
    who = found[0]
    people = people_in(names) if names else []
    if people and polarity == "is":
        for name in people:
            yield _named(clause, who, name)
    elif not names:
        value = noun if singular else f"a {who.relation}"
        yield Statement(USER, attributes.HAS, value, 0, len(clause), polarity, is_lasting=polarity != "is not")


def _named(clause: str, who: Who, name: str) -> Statement:
    shown = titled(name)
    return Statement(Who("person", who.relation, shown), attributes.NAME, shown, 0, len(clause), is_single=True)


def _reversed(clause: str) -> Iterator[Statement]:
    """Read "Mia is my sister" and "Friday is our deploy day"."""
    match = english.REVERSED.fullmatch(clause)
    if match is None or is_vague(match["value"]) or english.OWNER.match(match["value"]):
        return
    if is_near_question_word(match["value"].split()[0]):
        return
    found = relation_at(match["noun"], 0)
    if found is not None and found[1] == len(match["noun"]):
        name = name_in(match["value"], is_sure=False)
        if name:
            yield _named(clause, found[0], name)
    elif fold(match["noun"]) == "name":
        # "Nice is my name" may be a name: it fills an empty slot, but replaces nothing.
        name = name_in(match["value"], is_sure=False)
        if name and name == match["value"] and match["owner"].lower() == "my" and name[0].isupper():
            yield Statement(USER, attributes.NAME, titled(name), 0, len(clause), is_single=True, is_weak=True)
    elif is_lasting_noun(match["noun"]):
        who = USER if match["owner"].lower() == "my" and not is_project(match["noun"]) else WE
        yield _thing(clause, who, match["noun"], match["value"], "is")


def _of_thing(clause: str, subject: Subject) -> Iterator[Statement]:
    is_ = english.THING_IS.match(clause, subject.end)
    if is_ is not None:
        said, has_ended = ends(is_["value"])
        polarity: Polarity = "was" if is_["was"] else "is"
        if is_["no1"]:
            polarity = "no longer" if has_ended or "longer" in is_["no1"] else "is not"
        yield from _noun_statement(clause, subject, said, polarity)
    elif does := english.THING_DOES.match(clause, subject.end):
        yield from _noun_statement(clause, subject, does["value"], "is")


def _noun_statement(clause: str, subject: Subject, said: str, polarity: Polarity) -> Iterator[Statement]:
    value = trimmed(said)
    if is_vague(value) or len(subject.noun.split()) > _LONGEST_NOUN:
        return
    if fold(subject.noun) == "name" or is_name_mistyped(subject.noun):
        name = name_in(value, is_sure=True)
        if name and polarity == "is" and subject.who.kind == "person":
            yield _named(clause, subject.who, name)
        elif name and subject.who == USER:
            yield Statement(USER, attributes.NAME, titled(name), 0, len(clause), polarity, is_single=True)
        return
    yield _thing(clause, subject.who, subject.noun, value, polarity)


def _thing(clause: str, who: Who, noun: str, said: str, polarity: Polarity) -> Statement:
    said, former = instead_of(said)
    value = trimmed(said)
    is_new = noun.lower().startswith(("new ", "current "))
    noun = noun.split(maxsplit=1)[1] if is_new else noun
    name = attributes.ALIASES.get(fold(noun)) or (fold(noun) if fold(noun) in attributes.TABLE else noun.strip())
    if name in ("birthday", "home"):
        value = value.removeprefix("on ").removeprefix("in ")
    if is_project(noun):
        lasts = is_telling(value) or (
            (is_lasting_noun(noun) or _NAMED_THING.search(noun) is not None) and not is_state(value)
        )
    else:
        lasts = is_lasting_noun(noun) or (is_telling(value) and not _is_odd(clause, noun, value))
    # "my dwarf anna is 3": of somebody we cannot place, not of a thing.
    lasts = lasts and not (" " in noun and fold(noun.split()[-1]) in lexicon.GIVEN_NAMES)
    lasts = lasts and not is_passing(value) and not is_bare_state(value) and polarity in ("is", "no longer")
    made = Statement(who, name, value, 0, len(clause), polarity, is_single=True, is_lasting=lasts)
    return replace(made, is_correction=is_new or bool(former), former=trimmed(former))


def _is_odd(clause: str, noun: str, value: str) -> bool:
    """Tell whether a clause is about any odd thing: "the answer is 42", not "the plumber comes on Tuesdays"."""
    return clause[:4].lower() == "the " and " " not in noun.strip() and _RECURRING.search(value) is None


def _routine(clause: str, subject: Subject) -> Iterator[Statement]:
    """Read what is done again and again: "we deploy on Fridays"."""
    match = english.ROUTINE.match(clause, subject.end)
    if match is None or subject.who.kind not in ("user", "we"):
        return
    verb, *rest = match["noun"].split()
    if not verb.lower().endswith("ed") and not (rest and is_vague(rest[-1].lower())):
        done = " ".join((verb.lower(), *rest))
        yield Statement(subject.who, f"to {done}", match["value"], 0, len(clause), is_single=True)
