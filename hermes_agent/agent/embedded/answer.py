"""Answer a question from what is known: the value with its date and place, or the plain word that there is none.

Every answer is a statement said back or a quotation. What memory does not hold is said in one sentence, with the
nearest thing there is; nothing is guessed, and nothing comes from knowledge of the world.
"""

from collections.abc import Sequence

from hermes_agent.agent.embedded.asked import About, Check, Person, Profile, Question, Rules, Slot
from hermes_agent.agent.embedded.evidence import Holding, Knowledge, Known, at_time, is_fact_of, others_first
from hermes_agent.agent.embedded.forgetting import is_of_slot
from hermes_agent.agent.embedded.kindred import reaches
from hermes_agent.agent.embedded.lookup import (
    before_value,
    by_kind,
    by_name,
    check_claim,
    narrowed,
    nearest,
    noted_about,
    quotations,
    slot_holding,
    was_claimed,
)
from hermes_agent.agent.embedded.quoting import near_by, quoted, said, since
from hermes_agent.agent.embedded.rules import told_rules
from hermes_agent.agent.embedded.scene import Scene
from hermes_agent.agent.embedded.times import span_of
from hermes_agent.agent.embedded.unknown import asked_for, asked_to_forget, not_held
from hermes_agent.agent.embedded.wording import (
    ADDS_MODEL,
    day,
    ended,
    phrases,
    quote,
    sentence,
    told,
    turned,
    who_is,
)
from hermes_agent.learn import attributes, lexicon
from hermes_agent.learn.matching import (
    all_stems,
    holds,
    plain,
    same_person,
    same_value,
    topic_words,
)
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.values import is_passing
from hermes_agent.records.statements import USER, Who
from hermes_agent.text.words import fold, uncapital

_MOST = 5
_HOW = Pattern(
    r"how\s+(?:do|would)\s+i\s+(?:like|want|prefer|take|have|drink|eat)\s+(?:my\s+|the\s+)?(?P<thing>[\w -]+)"
)


def answer(question: Question, scene: Scene, knowledge: Knowledge) -> str:
    """Answer one question."""
    match question:
        case Slot():
            return _slot(question, scene, knowledge)
        case Check():
            return _check(question, scene, knowledge)
        case Person():
            return _person(question, scene, knowledge)
        case About():
            return _manner(question, scene, knowledge) or _about(question, scene)
        case Profile():
            return _profile(question, scene, knowledge)
        case Rules():
            return told_rules(knowledge)
    return ""


def _slot(slot: Slot, scene: Scene, knowledge: Knowledge) -> str:
    if slot.who.kind == "someone":
        return f"Whom do you mean by “{slot.who.name}”? Ask again with the name."
    whole = slot_holding(slot, knowledge)
    if slot.time:
        return _then(slot, whole, scene, knowledge)
    if slot.is_former:
        return _former(slot, whole)
    if slot.is_not:
        return _denied(slot, whole, scene)
    noted = [one for one in whole.noted if one.statement.polarity == "is"]
    now, noted = _exactly(slot, narrowed(slot, whole.now), narrowed(slot, noted))
    if named := by_name(slot, knowledge):
        return _worded(named, slot.language)
    if not now and not noted:
        other = by_kind(slot, knowledge)
        now, noted = narrowed(slot, other.now), narrowed(slot, other.noted)
    if len(now) == 1 and (now[0].statement.is_single or not noted):
        return _one(slot, now[0], whole)
    if now or noted:
        return _several(slot, now, noted)
    return _unknown(slot, whole, scene)


def _denied(slot: Slot, whole: Holding, scene: Scene) -> str:
    """Answer what one does not like, use or eat."""
    denied = [one for one in whole.ended if one.statement.polarity == "is not"]
    noted = [one for one in whole.noted if one.statement.polarity == "is not"]
    now, kept = narrowed(slot, denied), narrowed(slot, noted)
    return _several(slot, now, kept) if now or kept else _unknown(slot, Holding((), (), ()), scene)


def _exactly(slot: Slot, now: list[Known], noted: list[Known]) -> tuple[list[Known], list[Known]]:
    """Leave out what only comes close (where one works, for what one does) when there is better."""
    exact = [one for one in [*now, *noted] if one.statement.attribute == slot.attribute]
    if not exact:
        return now, noted
    is_loose = slot.attribute in attributes.TABLE or slot.attribute == "address"
    kept = [one for one in [*now, *noted] if one in exact or not (is_loose or reaches(slot, one.statement))]
    return [one for one in now if one in kept], [one for one in noted if one in kept]


def _one(slot: Slot, newest: Known, whole: Holding) -> str:
    """Word a single value: the newest that was said, unless the owner's notes say otherwise."""
    language = slot.language
    differing = [one for one in narrowed(slot, whole.noted) if not _agrees(one, newest) and _is_rival(one, newest)]
    # The note is the user's own word, which is never older than that of others.
    is_older_note = not newest.saying.is_from_others and any(
        same_value(one.statement.value, old.statement.value) for one in differing for old in whole.before
    )
    if differing and newest.saying.source != "now" and not is_older_note:
        # Somebody changed the note by hand, or a model did: which of the two is right is not ours to say.
        entry = differing[0]
        noted = ended(f"{entry.saying.place} says: {quote(entry.saying.text)}")
        return f"{noted} {quoted(newest, language)}"
    parts = [_worded(newest, language)]
    if differing and is_older_note:
        parts.append(ended(f"{differing[0].saying.place} still says {quote(differing[0].saying.text)}"))
    parts += _earlier(newest, whole.before, language)
    parts += _otherwise(newest, whole.rivals, language)
    return " ".join(part for part in parts if part)


def _agrees(note: Known, said: Known) -> bool:
    return holds(note.statement, said.statement) or holds(said.statement, note.statement)


def _is_rival(note: Known, said: Known) -> bool:
    return note.statement.is_single and note.statement.attribute == said.statement.attribute


def _earlier(newest: Known, before: Sequence[Known], language: str) -> list[str]:
    """Mention the value before, when it is known when it was said."""
    for old in before:
        is_other = not same_value(old.statement.value, newest.statement.value)
        if (
            is_other
            and (newest.saying.is_from_others or not old.saying.is_from_others)
            and old.statement.attribute == newest.statement.attribute
            and old.statement.polarity in ("is", "was")
        ):
            value = turned(old.statement.value)
            if old.saying.at is None:
                return [f"Before that: {value}."] if language == "en" else []
            return [phrases(language).before.format(value=value, date=day(old.saying.at, language))]
    return []


def _otherwise(own: Known, rivals: Sequence[Known], language: str) -> list[str]:
    """Mention the fact that others told against the user's word, and that nobody has settled."""
    held = [one for one in rivals if one.saying.source == "fact" and one.statement.polarity == "is"]
    theirs = [one for one in held if not same_value(one.statement.value, own.statement.value)]
    return [phrases(language).otherwise.format(said=quoted(one, language)) for one in theirs[:1]]


def _several(slot: Slot, now: Sequence[Known], noted: Sequence[Known]) -> str:
    extra = [one for one in noted if not any(_agrees(one, said) for said in now)]
    is_names = bool(now) and now[0].statement.attribute == attributes.NAME
    # Names are given in the order they were told, everything else the newest first.
    every = [*(reversed(now) if is_names else now), *extra][:_MOST]
    if len(every) == 1:
        only = every[0]
        return _worded(only, slot.language)
    return "\n".join(f"- {_worded(one, slot.language)}" for one in every)


def _worded(known: Known, language: str) -> str:
    """Say what is known and since when; what was "tomorrow" when it was said is quoted with its day."""
    if is_passing(known.statement.value):
        return quoted(known, language)
    return f"{sentence(told(known.statement, language))} {since(known.saying, language)}"


def _former(slot: Slot, whole: Holding) -> str:
    before = before_value(slot.then, whole)
    if before:
        return "\n".join(quoted(one, slot.language) for one in before[:_MOST])
    return f"I know nothing of {asked_for(slot)} from before." + _current(whole)


def _then(slot: Slot, whole: Holding, scene: Scene, knowledge: Knowledge) -> str:
    """Answer what was so at a time."""
    span = span_of(slot.time, scene.now)
    if span is None:
        return _former(slot, whole)
    held = narrowed(slot, slot_holding(slot, at_time(knowledge, span, scene.now)).now)
    if held:
        return "\n".join(quoted(one, slot.language) for one in held[:_MOST])
    return f"I know nothing of {asked_for(slot)} {slot.time}." + _current(whole)


def _current(whole: Holding) -> str:
    return f" Now: {told(whole.now[0].statement)}." if whole.now else ""


def _unknown(slot: Slot, whole: Holding, scene: Scene) -> str:
    """Say that memory does not hold it, and what comes nearest."""
    other = [*whole.now, *whole.noted] if slot.kind or slot.wants != "any" else []
    words = phrases(slot.language)
    text = not_held(slot) if slot.language == "en" else words.unknown
    forgotten = [one for one in scene.forgotten if one.statement and is_of_slot(slot, one.statement)]
    if forgotten and not other:
        return asked_to_forget(forgotten)
    if other:
        return f"{text} {words.nearest.format(said=uncapital(quoted(other[0], slot.language)))}"
    if slot.language != "en":
        return text
    if whole.ended:
        return f"{text} I only know this: {uncapital(quoted(whole.ended[0], 'en'))}"
    near = (
        nearest(slot.kind or slot.attribute, scene)
        if slot.attribute not in attributes.TABLE or slot.kind
        else None
    )
    if near is not None:
        return f"{text} {near_by(near)}"
    if slot.who.kind == "we" and slot.attribute not in attributes.TABLE and not slot.kind:
        return f"{text} I answer only from what you told me; for the rest you need a language model: {ADDS_MODEL}"
    return text


def _check(check: Check, scene: Scene, knowledge: Knowledge) -> str:
    claim = check.statement
    if claim.who.kind == "someone":
        return f"Whom do you mean by “{claim.who.name}”? Ask again with the name."
    if claim.attribute == attributes.HAS and (has := _having(claim.value, knowledge)):
        return has
    found = check_claim(check, knowledge)
    if check.is_past and found.holds is None and (once := was_claimed(check, knowledge)) is not None:
        return f"Yes, before: {uncapital(quoted(once, check.language))}"
    if found.holds is not None and found.disputed is not None:
        return f"{quoted(found.disputed, 'en')} {quoted(found.holds, 'en')}"
    if found.holds is not None:
        return _verdict(claim.polarity == "is", found.holds, check)
    if found.ended is not None:
        if claim.polarity == "is" and check.language == "en" and found.ended.statement.polarity != "is not":
            return f"Not any more: {uncapital(quoted(found.ended, 'en'))}"
        return _verdict(claim.polarity != "is", found.ended, check)
    if found.instead is not None and check.language == "en":
        return f"No: {told(found.instead.statement)}. {since(found.instead.saying, 'en')}"
    slot = Slot(claim.who, claim.attribute)
    forgotten = [one for one in scene.forgotten if one.statement and is_of_slot(slot, one.statement)]
    if forgotten:
        return asked_to_forget(forgotten)
    near = nearest(claim.value, scene)
    unknown = phrases(check.language).unknown
    return f"{unknown} {near_by(near, check.language)}" if near else unknown


def _verdict(is_yes: bool, known: Known, check: Check) -> str:
    words = phrases(check.language)
    return f"{words.yes if is_yes else words.no}: {uncapital(quoted(known, check.language))}"


def _having(value: str, knowledge: Knowledge) -> str:
    """Answer "do I have a sister" from a sister that was spoken of, or from words that there is none."""
    word = fold(value.split()[-1])
    relation = lexicon.RELATIONS.get(word) or lexicon.PLURAL_RELATIONS.get(word)
    if relation is None:
        return ""
    for known in reversed(others_first([*reversed(knowledge.noted), *knowledge.said])):
        statement = known.statement
        if statement.attribute == attributes.ENDED and same_person(
            Who("person", relation), statement.who, knowledge.people
        ):
            return f"Not any more: {uncapital(quoted(known, 'en'))}"
        if (
            statement.attribute == attributes.HAS
            and statement.polarity != "is"
            and relation in fold(statement.value)
        ):
            lead = "Not any more" if statement.polarity == "no longer" else "No"
            return f"{lead}: {uncapital(quoted(known, 'en'))}"
        if statement.who.relation.split()[-1:] == [relation]:
            return f"Yes: {uncapital(quoted(known, 'en'))}"
    return ""


def _person(person: Person, scene: Scene, knowledge: Knowledge) -> str:
    who = Who("person", name=person.name)
    known_of: dict[tuple[str, str], tuple[str, Known]] = {}
    tie = next((one for one in knowledge.people if same_person(who, one)), None)
    for known in knowledge.every:
        statement = known.statement
        if statement.polarity != "is" or not same_person(who, statement.who, knowledge.people):
            continue
        is_tie = statement.attribute == attributes.NAME and bool(statement.who.relation)
        clause = f"{statement.who.name} is your {statement.who.relation}" if is_tie else told(statement)
        # Of what has one value the newest counts; the fact that was made of the words stands for them.
        is_one = statement.is_single and statement.attribute != attributes.NAME
        slot = (statement.attribute, "" if is_one else plain(statement.value))
        if slot not in known_of or not is_fact_of(known_of[slot][1], known):
            known_of[slot] = clause, known
    over = [
        one
        for one in knowledge.said
        if one.statement.attribute == attributes.ENDED and same_person(who, one.statement.who, knowledge.people)
    ]
    if not known_of:
        return _about(About(person.name, is_open=True), scene)
    lines = [f"{sentence(clause)} {since(known.saying, 'en')}" for clause, known in known_of.values()][:_MOST]
    if tie is not None and not any(line.startswith(f"{tie.name} is your") for line in lines):
        lines.insert(0, sentence(f"{tie.name} is {who_is(Who('person', tie.relation))}"))
    lines += [quoted(one, "en") for one in over[-1:]]
    return "\n".join(lines)


def _manner(about: About, scene: Scene, knowledge: Knowledge) -> str:
    """Answer how somebody likes a thing, from what is preferred of it; empty where that is not known."""
    how = _HOW.match(about.topic)
    if how is None or about.time:
        return ""
    slot = Slot(USER, "likes", how["thing"])
    held = slot_holding(slot, knowledge)
    now, noted = narrowed(slot, held.now), narrowed(slot, held.noted)
    return _several(slot, now, noted) if now or noted else ""


def _about(about: About, scene: Scene) -> str:
    found = quotations(about.topic, scene, wants=about.wants, time=about.time)
    whole = [one for one in found if one.share >= 1]
    noted = [] if about.time else noted_about(about.topic, scene)
    in_quotations = all_stems(" ".join(one.text for one in whole))
    noted = [saying for saying in noted if not all_stems(saying.text.removeprefix("Said: ")) <= in_quotations]
    if whole or noted:
        lines = [said(one.text, one.saying, about.language) for one in whole[:_MOST]]
        lines += [ended(f"{saying.place} says: {quote(saying.text)}") for saying in noted[:_MOST]]
        return "\n".join(lines) if len(lines) == 1 else "\n".join(f"- {line}" for line in lines)
    topic = topic_words(about.topic)
    forgotten = [one for one in scene.forgotten if topic and topic <= all_stems(f"{one.text} {one.request.text}")]
    if forgotten:
        return asked_to_forget(forgotten)
    near = nearest(about.topic, scene) if not about.time else None
    if about.language != "en":
        unknown = phrases(about.language).unknown
        return f"{unknown} {near_by(near, about.language)}" if near else unknown
    if about.is_open:
        text = (
            "My memory holds no answer to that, and I am no language model: I answer only from what you told me."
        )
        if near is not None:
            return f"I have no exact answer; {uncapital(said(near.text, near.saying, 'en'))}"
        return f"{text} {ADDS_MODEL.replace('one.', 'a model.')}"
    text = f"I found nothing you said about {turned(about.topic)}."
    if about.time:
        text = f"I found nothing you said {about.time} that speaks of {quote(about.topic)}."
    return f"{text} {near_by(near)}" if near else text


def _profile(profile: Profile, scene: Scene, knowledge: Knowledge) -> str:
    entries = scene.before.user
    new = [
        known
        for known in knowledge.said
        if known.saying.source == "now" and known.statement.is_lasting and known.statement.who.kind != "someone"
    ]
    fresh = [
        one
        for one in new
        if not any(
            _agrees(note, one) for note in knowledge.noted if note.statement.attribute == one.statement.attribute
        )
    ]
    lead = phrases(profile.language).profile.format(file="USER.md")
    lines = [lead, *(f"- {entry}" for entry in entries)] if entries else []
    if fresh:
        lines += ["From this conversation:", *(f"- {sentence(told(one.statement))}" for one in fresh[:_MOST])]
    if not lines:
        return "USER.md is empty: I have noted nothing about you yet. Tell me your name, for a start."
    if scene.before.memory:
        lines.append("MEMORY.md, on your world: " + "; ".join(scene.before.memory[:_MOST]) + ".")
    return "\n".join(lines)
