"""Read everything a message tells that is worth knowing for months. Pure, without a model.

Where `statements` reads only what a chat may act upon at once, this reads all that may be learned from a talk in
quiet: several things in one sentence, people and things beside the user, plans, habits, standing instructions, and
what is so no longer. A message is gone through sentence by sentence (`parsing` cuts each into clauses with subject
and verb); whatever is asked, supposed, quoted or heard from others tells nothing. Languages other than English are
left to `hearing_abroad`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from hermes_agent.learn import glue, moods
from hermes_agent.learn.ailments import read_ailments
from hermes_agent.learn.appositions import named_partner, read_appositions
from hermes_agent.learn.asides import read_asides, read_trade
from hermes_agent.learn.attributes import NAME
from hermes_agent.learn.believed import is_believed, is_of_doctor, known_to_doctors
from hermes_agent.learn.brackets import read_brackets
from hermes_agent.learn.clefts import cleft
from hermes_agent.learn.contacts import read_contacts
from hermes_agent.learn.continuing import BESIDE
from hermes_agent.learn.deadlines import of_what
from hermes_agent.learn.exchanges import read_former
from hermes_agent.learn.facts_told import made
from hermes_agent.learn.foreign_sentences import languages_of
from hermes_agent.learn.forms import read_form
from hermes_agent.learn.hearing_abroad import hear_abroad
from hermes_agent.learn.jobs import read_job
from hermes_agent.learn.lexicon import BREEDS, RELATIONS
from hermes_agent.learn.milestones import (
    child_of,
    is_newborn,
    named_only,
    read_couple,
    read_new_name,
    read_whose_birthday,
)
from hermes_agent.learn.named_things import read_named_things, without_these
from hermes_agent.learn.naming import read_naming, read_pet_of, read_respelling, read_spelling
from hermes_agent.learn.openings import read_openings
from hermes_agent.learn.orders import read_order, read_topic, read_wish, read_wish_of_manner
from hermes_agent.learn.own_languages import read_own_language
from hermes_agent.learn.parsing import Clause, clauses
from hermes_agent.learn.people import Mention, Subject, Talk, mentions, subject_at
from hermes_agent.learn.plain_slots import with_slots
from hermes_agent.learn.profiles import (
    profile_start,
    read_age_and_sex,
    read_bare,
    read_here,
    read_left_over,
    read_post,
    read_profile,
    read_side,
)
from hermes_agent.learn.sentences import Sentence, is_long, sentences
from hermes_agent.learn.strangers import read_stranger
from hermes_agent.learn.takebacks import read_correction, read_takeback
from hermes_agent.learn.tastes import read_rhetorical, read_tastes
from hermes_agent.learn.telling import read_told
from hermes_agent.learn.timetables import read_timetable
from hermes_agent.learn.tokens import Words, words_of
from hermes_agent.learn.tooling import is_of_everything
from hermes_agent.learn.venues import event_in, is_event, read_where
from hermes_agent.learn.zones import read_zone
from hermes_agent.records.statements import USER, WE, Statement, Who
from hermes_agent.text.verbs import lemma

# What stands where a secret was taken out of a message: no value.
_REDACTED = "[redacted"
# "keep it short, ok?" asks nothing.
_AGREED = ("ok", "okay", "k", "kk", "alright", "deal")
_QUOTES = ('"', "'", "“")
_POINTING_BACK = glue.PRONOUNS | (glue.POSSESSIVES - glue.MINE)
_PUT_RIGHT = (NAME, "origin", "birthday")


@lru_cache(maxsize=1_024)
def hear(message: str) -> tuple[Statement, ...]:
    """Return everything a message tells, in the order it was said."""
    if is_long(message):
        return ()
    plain = moods.masked(message)
    if moods.is_joked(plain):
        return ()
    found: list[Statement] = []
    if ":" in plain or "=" in plain:
        for entry in read_form(plain):
            value = message[entry.begin : entry.end]
            if message[entry.start - 1 : entry.start] in _QUOTES:
                continue  # "company": "Initech" is data
            found.append(made(USER, entry.attribute, value, entry.start, entry.stop))
            plain = plain[: entry.start] + " " * (entry.stop - entry.start) + plain[entry.stop :]
    if start := profile_start(plain):
        found += read_profile(plain, start, message)
    elif codes := languages_of(plain):
        found += next(filter(None, (list(hear_abroad(plain, message, code)) for code in codes)), [])
    else:
        things = read_named_things(plain, message)
        told = [*found, *without_these(named_only(list(_talk(plain, message))), things), *things]
        told += read_rhetorical(plain, message)
        found = with_slots(told, plain, message)
    own = {word for one in found if one.who == USER and one.attribute == NAME for word in one.value.split()}
    return tuple(
        one
        for one in _without_former(list(_once(found)))
        if _REDACTED not in one.value and one.value.strip() and not _is_own(one, own)
    )


def _is_own(one: Statement, names: set[str]) -> bool:
    """Tell whether a statement is about the user by the name they gave in the same breath: "I'm Ida, a nurse"."""
    named = one.who.name.split()
    return one.who.kind == "person" and not one.who.relation and bool(named) and names.issuperset(named)


def meant(plain: str, message: str) -> Iterator[tuple[Sentence, Words]]:
    """Yield the sentences of a message that may be meant; a supposition ends what is."""
    for sentence in sentences(plain):
        words = words_of(plain, sentence.start, sentence.end, message)
        if not words.words:
            continue
        if moods.is_unreal(words):
            return
        if not moods.is_story(words) and not moods.is_said_by_others(sentence.text):
            yield sentence, words


def _talk(plain: str, message: str) -> Iterator[Statement]:
    """Go through the sentences of a message."""
    talk = Talk()
    for sentence, words in meant(plain, message):
        before = talk.sentences[-1] if talk.sentences else None
        yield from of_what(_sentence(words, sentence, talk), words, before)
        talk.sentences.append(words)


def _with_contacts(found: list[Statement], words: Words, people: Sequence[Mention]) -> list[Statement]:
    """Add the addresses and numbers that no noun told already: "my number is 555 1234"."""
    told = {one.value for one in found}
    if any(one.attribute in ("phone number", "email") for one in found):
        return found
    return [*found, *(one for one in read_contacts(words, people) if one.value not in told)]


def _once(found: list[Statement]) -> Iterator[Statement]:
    seen: set[tuple[Who, str, str]] = set()
    for one in found:
        key = (one.who, one.attribute, one.value.casefold())
        if key not in seen:
            seen.add(key)
            yield one


def _without_former(found: list[Statement]) -> Iterator[Statement]:
    """Yield statements without what was put right at once: of "I'm not Irish, I'm Welsh" the Welsh is told."""
    told = {(one.who, one.attribute) for one in found if one.polarity == "is" and one.attribute in _PUT_RIGHT}
    for one in found:
        if one.polarity != "is not" or (one.who, one.attribute) not in told:
            yield one


def _sentence(words: Words, sentence: Sentence, talk: Talk) -> list[Statement]:
    may_rule = ":" in sentence.text or words.words[:2] == ["when", "you"]
    topic = list(read_topic(words.message, sentence.start, sentence.end)) if may_rule else []
    if topic:
        return topic
    people = mentions(words)
    is_asked = sentence.mark.endswith(("?", "？")) and words.words[-1] not in _AGREED
    taken = read_takeback(words)
    found = [*read_wish(words, is_asked=is_asked)] if taken is None else [taken]
    if not is_asked and "if" not in words.words and not moods.is_wished(words):
        found += [*read_asides(words, people), *read_trade(words), *read_appositions(words, people)]
        found += [
            *read_openings(words),
            *read_wish_of_manner(words),
            *read_tastes(words),
            *read_couple(words),
            *read_job(words),
            *(read_brackets(words, people) if "(" in words.words else ()),
        ]
    turned = None if is_asked else cleft(words)
    if turned is not None:
        return [*found, *_clause(words, turned, None, talk, people)]
    found += _clauses(words, talk, people, is_asked=is_asked)
    if not is_asked and "if" not in words.words:
        told = [one.value for one in found if one.attribute == "health"]
        found += [one for one in read_ailments(words) if not any(one.value in value for value in told)]
        found += () if any(one.attribute == "time zone" for one in found) else read_zone(words)
    return found if is_asked else _with_contacts(found, words, people)


def _clauses(words: Words, talk: Talk, people: Sequence[Mention], *, is_asked: bool) -> Iterator[Statement]:
    before: Clause | None = None
    is_hidden, hider = False, before
    said: set[str] = set()
    for clause in _joined(clauses(words, is_question=is_asked)):
        is_hidden = is_hidden and clause.joint[:1] not in (("but",), ("so",), (";",))
        is_meant = not is_hidden or (hider is not None and is_believed(words, hider, clause, people))
        if is_meant and clause.kind != "asked":
            told = [*read_former(words, clause, talk.told)] or [*_clause(words, clause, before, talk, people)]
            if is_hidden and hider is not None and is_of_doctor(words, hider):
                told = known_to_doctors(told)
            talk.told = told[-1] if told else None
            yield from told
            yield from (one for one in read_where(words, clause, told) if one.value not in said)
            said |= {one.value for one in told}
        first = words.words[clause.subject[0]] if clause.subject else ""
        for one in people:
            is_called = words.words[one.begin - 1] == "called" and one.who.name in said
            if clause.begin <= one.begin < clause.end and not is_called:
                talk.mention(one.who, first)
        if (event := event_in(words, clause.begin, clause.end)) is not None:
            talk.add(event)
        if not is_hidden and moods.hides(words, clause):
            is_hidden, hider = True, clause
        before = clause


def _joined(found: Sequence[Clause]) -> Iterator[Clause]:
    """Yield the clauses; an order takes what belongs to it along: "pick ones I can book", "skip it when I ask"."""
    order: Clause | None = None
    for one in found:
        is_part = not one.joint or one.joint[0] in glue.CONDITIONS
        is_order = order is not None and order.joint[:1] != ("by",)  # "by trade I'm a plumber"
        if order is not None and is_order and one.kind == "told" and is_part:
            order = replace(order, end=one.end)
            continue
        if order is not None:
            yield order
        order = one if one.kind == "order" else None
        if order is None:
            yield one
    if order is not None:
        yield order


def _subject(words: Words, clause: Clause, talk: Talk, people: Sequence[Mention]) -> Subject | None:
    """Return whom a clause is about; "who" is the person named last before it."""
    if clause.subject is None:
        return None if _is_of_nobody(words, clause) else subject_at(words, None, talk)
    if clause.verb and words.words[clause.subject[1] : clause.verb.begin] == ["and", "i"]:
        is_day = clause.verb.verb == "get" and words.at(clause.verb.end) in ("married", "engaged")
        return None if is_day else Subject(WE)  # told as a couple already
    if "who" in clause.joint and clause.subject[0] == clause.place:
        return None  # "who I can't stand"
    if "who" in clause.joint or "whose" in clause.joint:
        named = [one for one in people if one.end <= clause.place - 1 and not _is_denied(words, one)]
        is_own = "whose" in clause.joint
        if not named or not _is_of(words, named[-1].end, clause.begin if is_own else clause.subject[1]):
            return None
        if is_own:
            return (
                None if words.words[clause.subject[1] - 1] in RELATIONS else Subject(named[-1].who, clause.subject)
            )
        talk.relative = clause.subject, named[-1].who
        return Subject(named[-1].who)
    if talk.relative is not None and talk.relative[0] == clause.subject:
        return Subject(talk.relative[1])
    if words.words[clause.subject[0]] == "everything" and clause.verb:
        is_on = clause.verb.verb == "be" and words.at(clause.verb.end) == "on"
        return Subject(WE) if is_on or is_of_everything(words, clause) else None
    listed = words.words[clause.subject[0] : clause.subject[1]]
    if "of" in listed[1:] and is_event(listed[listed.index("of") - 1]):
        return subject_at(words, clause.subject, talk)  # "the viva of our student, Ms Nwankwo, …"
    for one in people:
        is_subject = one.begin == clause.subject[0] and one.end >= clause.subject[1]
        if is_subject or (one.begin, one.end) in clause.asides:
            is_firm = named_partner(words, one) is not None
            return Subject(Who("thing", name=one.who.name) if is_firm else one.who)
    return subject_at(words, clause.subject, talk)


def _is_denied(words: Words, one: Mention) -> bool:
    """Tell whether somebody is named to be ruled out: "my brother, not my cousin, who …"."""
    return "not" in words.words[max(one.begin - 2, 0) : one.begin]


def _is_of_nobody(words: Words, clause: Clause) -> bool:
    """Tell whether a verb without a subject is not the user's: "makes sense", "being a bridesmaid was fun"."""
    verb = clause.verb
    if verb is None:
        return True
    first = words.words[verb.begin]
    is_beside = words.is_lower and verb.verb in BESIDE
    is_later = clause.begin > 0 and not is_beside
    if verb.tense == "bare" and verb.is_progressive and (is_later or first in ("having", "using")):
        return True
    is_third = verb.tense == "present" and first == words.words[verb.place] and bool(lemma(first, "third"))
    if first == "have" and verb.tense == "present" and not words.is_lower:
        return True
    return is_third or first in ("being", "is", "are", "was", "were", "'s", "'re", "has", "does")


def _is_of(words: Words, begin: int, end: int) -> bool:
    """Tell whether what stands between a name and "who" belongs to the name: nothing, or an apposition."""
    if words.at(begin) == "in" and begin + 1 < end and words.is_capital(begin + 1):
        begin += 2  # "my aunt in Toronto, who …"
    between = words.words[begin:end]
    return not between or (
        between[0] in (",", "(") and "and" not in between and glue.AUXILIARIES.isdisjoint(between)
    )


def _clause(
    words: Words, clause: Clause, before: Clause | None, talk: Talk, people: Sequence[Mention]
) -> Iterator[Statement]:
    order = read_order(words, clause, before)
    if order is not None:
        yield order
        return
    if clause.kind == "fragment":
        yield from read_here(words, clause)
        if before is None or _is_of_user(words, before):
            yield from read_bare(words, clause, clause.begin)
            yield from read_side(words, clause)
            yield from read_post(words, clause)
            yield from read_timetable(words, clause)
            yield from read_age_and_sex(words, clause)
    if clause.kind != "told" or moods.is_doubtful(words, clause):
        return
    if correction := read_correction(words, clause):
        yield correction
        return
    if (newly := read_naming(words, clause, talk)) is not None:
        yield newly
        return
    yield from read_new_name(words, clause, talk)
    yield from read_spelling(words, clause)
    yield from read_own_language(words, clause)
    yield from read_pet_of(words, clause, talk)
    if met := list(read_stranger(words, clause, talk)):
        yield from met
        return
    subject = _subject(words, clause, talk, people)
    if subject is None:
        yield from read_respelling(words, clause)
        yield from read_whose_birthday(words, clause, people)
        yield from read_left_over(words, clause)
        return
    if clause.subject is not None and words.words[clause.subject[0]] not in _POINTING_BACK:
        talk.pronouns.clear()
    talk.add(subject.who)
    if clause.verb is not None and "nor" in clause.joint and "neither" in words.words[: clause.begin]:
        clause = replace(clause, verb=replace(clause.verb, is_denied=True))
    for one in read_told(words, clause, subject):
        _remember(talk, one)
        if one.attribute == "role" and one.who != subject.who:
            talk.add(one.who)  # "our QA lead is Thandiwe and she …"
        yield one
    if _is_of_user(words, clause) and "," in words.words[clause.place : clause.end]:
        yield from _bare_behind(words, clause)


def _is_of_user(words: Words, clause: Clause) -> bool:
    """Tell whether a clause is about the user: its subject is "I", or was left out."""
    return clause.kind == "told" and (clause.subject is None or words.words[clause.subject[0]] in glue.I_OR_WE)


def _bare_behind(words: Words, clause: Clause) -> Iterator[Statement]:
    """Read what stands behind a comma without a verb: "used to live in Almaty, in Tbilisi since 2022"."""
    for place in range(clause.place, clause.end - 2):
        if words.words[place] == ",":
            yield from read_bare(words, clause, place + 1)


def _remember(talk: Talk, one: Statement) -> None:
    """Remember a pet or a child that was told of: what follows may name it."""
    if one.polarity != "is":
        return
    if one.attribute == "pet" and (relation := _animal(one.value)):
        talk.newcomer, talk.newcomer_is_child = Who("person", relation), False
        talk.pronouns.clear()
        talk.add(talk.newcomer)
    elif one.attribute == "family" and is_newborn(one.value):
        talk.newcomer, talk.newcomer_is_child = one.who, True
        talk.pronouns.clear()
        if one.who == USER:
            talk.add(Who("person", child_of(one.value)))


def _animal(value: str) -> str:
    """Return what a new pet is spoken of as: "a puppy" is a dog."""
    known = RELATIONS | BREEDS
    return next((known[word] for word in value.lower().split() if word in known), "")
