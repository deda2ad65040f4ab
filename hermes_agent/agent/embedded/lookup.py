"""Find what answers a question in what is known; an answer must hold the slot that was asked for.

Sharing a word is not enough: "my phone is a Pixel" is no answer to "what is my phone number", only the
nearest thing there is.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from hermes_agent.agent.embedded.asked import About, Check, Person, Question, Slot, Wants
from hermes_agent.agent.embedded.evidence import Holding, Knowledge, Known, holding, others_first
from hermes_agent.agent.embedded.kindred import reaches
from hermes_agent.agent.embedded.requests import is_request
from hermes_agent.agent.embedded.scene import Saying, Scene
from hermes_agent.agent.embedded.stated import stated
from hermes_agent.agent.embedded.times import span_of
from hermes_agent.learn import attributes
from hermes_agent.learn.changing import takes_the_place
from hermes_agent.learn.dropping import read_dropped
from hermes_agent.learn.matching import (
    all_stems,
    holds_value,
    is_dropped_plan,
    is_of_kind,
    names_thing,
    noun_stems,
    same_person,
    topic_words,
)
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.sentences import sentences
from hermes_agent.records.statements import Statement
from hermes_agent.text.words import has_unspaced, words

_WHEN = Pattern(
    r"\d|\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july"
    r"|august|september|october"
    r"|november|december|today|tomorrow|tonight|yesterday|noon|midnight|every|weekly|daily|monthly|next|last)\b"
)
_NUMBER = Pattern(r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|no|none|an?|once|twice)\b")
_MOST_QUERY_TERMS = 14
_PARTLY = 0.5
_RUNS_ON = Pattern(r"(?:runs?\s+(?:on|in)|uses?|(?:is\s+)?(?:built|made|written)\s+(?:with|in|on))\s")
_STREET = Pattern(r"(?:on|at)\s+(?:\d|(?-i:[A-Z]))")
_DWELLINGS = (["flat"], ["apartment"], ["house"], ["hous"], ["home"], ["place"])
_KINDRED = dict.fromkeys(("likes", "prefers", "drinks", "eats"), ("prefer", "prefers", "favourite", "drink"))
_FEW_WORDS = 2
_SHORTEST_ROOT = 3
# Words that end something without its verb: "I gave up the violin".
_ENDS = ('"gave up"', "quit", "stopped")
_NEVER_ENDS = ("name", "called", "age", "birthday", "birthplace", "origin", "grew up", "home")


@dataclass(frozen=True, slots=True)
class Quotation:
    """A sentence of the user that shares words with a question; `share` of its topic words."""

    text: str
    saying: Saying
    share: float


def slot_holding(slot: Slot, knowledge: Knowledge) -> Holding:
    """Return what is known of a slot."""
    return holding(knowledge, lambda statement: _fits(slot, statement, knowledge))


def _fits(slot: Slot, statement: Statement, knowledge: Knowledge) -> bool:
    if slot.attribute == attributes.HAS and slot.kind and _is_one(statement, slot.kind):
        return True
    is_asked = _same_attribute(slot, statement) or reaches(slot, statement)
    return is_asked and same_subject(slot, statement, knowledge)


def _is_one(statement: Statement, kind: str) -> bool:
    """Tell whether a statement is about somebody of the user's who is of a kind: the cat Miso is a pet."""
    relation = statement.who.relation
    return bool(relation) and statement.polarity == "is" and is_of_kind(relation, kind)


def _same_attribute(slot: Slot, statement: Statement) -> bool:
    asked, said = slot.attribute, statement.attribute
    if asked == said:
        return True
    if asked in attributes.TABLE:
        return said in _ALSO.get(asked, ())
    if asked == "address" and _STREET.match(statement.value):
        return noun_stems(said)[-1:] in _DWELLINGS
    return said not in attributes.TABLE and names_thing(asked, said)


_ALSO = {
    "name": ("called",),
    "called": ("name",),
    "employer": ("field",),
    "role": ("employer", "studies"),
    "prefers": (),
}


def same_subject(slot: Slot, statement: Statement, knowledge: Knowledge) -> bool:
    """Tell whether a statement is about whom was asked; of things, mine and ours are the same."""
    asked, attribute = slot.who, slot.attribute
    owners = ("user", "we")
    if asked.kind in owners and statement.who.kind in owners:
        return (
            attribute not in attributes.TABLE or asked.kind == statement.who.kind or attribute == attributes.USES
        )
    return same_person(asked, statement.who, knowledge.people)


def narrowed(slot: Slot, known: Iterable[Known]) -> list[Known]:
    """Keep what is of the kind that was asked for, and of the sort that can answer."""
    kept = []
    for one in known:
        statement = one.statement
        text = (
            f"{statement.attribute} {statement.value}"
            if statement.attribute not in attributes.TABLE
            else statement.value
        )
        if slot.attribute == attributes.DECISION:
            is_kind = not slot.kind or topic_words(slot.kind) <= all_stems(one.saying.text)
        else:
            is_kind = not slot.kind or is_of_kind(text, slot.kind) or _says_kind(one, slot.kind)
        is_kind = is_kind or (slot.attribute == attributes.HAS and _is_one(statement, slot.kind))
        is_kind = is_kind or (slot.attribute != statement.attribute and reaches(slot, statement))
        is_chosen = not slot.among or any(topic_words(choice) & all_stems(text) for choice in slot.among)
        if is_kind and is_chosen and answers(statement.value, slot.wants):
            kept.append(one)
    return kept


def _says_kind(known: Known, kind: str) -> bool:
    """ "We use Frobnitz as our database" says of itself what it is."""
    return set(noun_stems(kind)) <= all_stems(known.quote if known.quote else known.saying.text)


def by_kind(slot: Slot, knowledge: Knowledge) -> Holding:
    """Look for a tool of a kind in what is said of things: "our app runs on Django" has a framework."""
    if slot.attribute != attributes.USES or not slot.kind:
        return Holding((), (), ())
    wanted = noun_stems(slot.kind)[-1:]

    def fits(statement: Statement) -> bool:
        if statement.who.kind not in ("user", "we") or statement.attribute in attributes.TABLE:
            return False
        # A token that lies in GitHub makes GitHub no CI: the value must be the tool, or say that it is used.
        is_tool = _RUNS_ON.match(statement.value) is not None or len(words(statement.value)) <= _FEW_WORDS
        names_kind = noun_stems(statement.attribute)[-1:] == wanted
        return names_kind or (is_tool and is_of_kind(statement.value, slot.kind))

    return holding(knowledge, fits)


def by_name(slot: Slot, knowledge: Knowledge) -> Known | None:
    """Return what says by name which tool of a kind there is: "our CI is Jenkins" before "we use GitLab"."""
    wanted = noun_stems(slot.kind)
    found = by_kind(slot, knowledge).now
    return next(
        (one for one in found if one.statement.is_lasting and noun_stems(one.statement.attribute) == wanted), None
    )


def answers(value: str, wants: Wants) -> bool:
    """Tell whether a value can answer: "when" needs a time, "how many" a number."""
    if wants == "when":
        return _WHEN.search(value) is not None
    return wants != "number" or _NUMBER.search(value) is not None


@dataclass(frozen=True, slots=True)
class Checked:
    """What speaks to a claim: what holds, what has ended or was denied, what else holds of its slot."""

    holds: Known | None = None
    ended: Known | None = None
    instead: Known | None = None
    disputed: Known | None = None
    """An entry of a note that says otherwise."""


def check_claim(check: Check, knowledge: Knowledge) -> Checked:
    """Return the newest of what speaks to a claim."""
    claim = check.statement
    # Whether the cat is called Milo is told by what the cat is called, whatever that is.
    is_named = claim.attribute == attributes.NAME and bool(claim.who.relation)
    asked = Slot(replace(claim.who, name="") if is_named else claim.who, claim.attribute)

    def fits(statement: Statement) -> bool:
        if claim.attribute == attributes.HAS and statement.attribute == attributes.NAME:
            return claim.who.kind in ("user", "we") and _is_one(statement, claim.value)
        is_same = statement.attribute == claim.attribute or (
            claim.attribute not in attributes.TABLE and names_thing(claim.attribute, statement.attribute)
        )
        return is_same and same_subject(asked, statement, knowledge)

    held = holding(knowledge, fits)
    noted = [one for one in held.noted if one.statement.polarity == "is"]
    denied = [one for one in held.noted if one.statement.polarity != "is"]
    holds = _first([*held.now, *noted] if not _first(held.ended, claim) else held.now, claim)
    ended = _first([*held.ended, *denied], claim)
    replaced = next((one for one in held.now if _says(one.statement.former, claim.value)), None)
    single = others_first(one for one in [*noted[::-1], *held.now[::-1]] if one.statement.is_single)
    rivals = [one for one in noted if claim.is_single and not _says(one.statement.value, claim.value)]
    is_doubted = holds is not None and (holds.saying.source == "dated" or holds.saying.is_from_others)
    return Checked(
        holds,
        ended or replaced or _dropped(claim, knowledge),
        single[-1] if single and claim.is_single else None,
        rivals[0] if rivals and is_doubted else None,
    )


def _dropped(claim: Statement, knowledge: Knowledge) -> Known | None:
    """Return the words that gave up what is claimed: "am I buying a house" of one that is not bought after all."""
    over = (one for one in reversed(knowledge.said) if one.statement.attribute == attributes.ENDED)
    return next((one for one in over if is_dropped_plan(claim, one.statement)), None)


def was_claimed(check: Check, knowledge: Knowledge) -> Known | None:
    """Return what says that a claim was so once."""
    claim = check.statement
    return _first(slot_holding(Slot(claim.who, claim.attribute), knowledge).before, claim)


def before_value(value: str, whole: Holding) -> list[Known]:
    """Return what was so before; with a value what was said before that was so, the latest first."""
    said = [one for one in [*whole.now, *whole.before] if value and holds_value(one.statement.value, value)]
    first = min((one.saying.age for one in said), default=None)
    return [one for one in whole.before if first is None or one.saying.age < first]


def _first(known: Iterable[Known], claim: Statement) -> Known | None:
    """Return the first that says what is claimed; who has a cat has a pet."""
    is_had = claim.attribute == attributes.HAS
    return next(
        (
            one
            for one in known
            if _says(one.statement.value, claim.value)
            or (is_had and (is_of_kind(one.statement.value, claim.value) or _is_one(one.statement, claim.value)))
        ),
        None,
    )


def _says(value: str, claimed: str) -> bool:
    asked = topic_words(claimed)
    return bool(value) and (holds_value(value, claimed) or (bool(asked) and asked <= all_stems(value)))


def quotations(topic: str, scene: Scene, *, wants: Wants = "any", time: str = "") -> list[Quotation]:
    """Return the user's sentences that share words with a topic: whole matches first, then the newest."""
    asked = topic_words(topic)
    if not asked:
        return []
    span = span_of(time, scene.now) if time else None
    found = []
    for saying in scene.sayings:
        if span is not None and (
            saying.at is None or not span.start.replace(tzinfo=None) <= saying.at < span.end.replace(tzinfo=None)
        ):
            continue
        for sentence in sentences(saying.text):
            if sentence.is_asked or is_request(sentence.text):
                continue
            share = _share(asked, sentence.text)
            if share > 0 and (share < 1 or answers(sentence.text, wants)):
                found.append(Quotation(saying.text[sentence.start : sentence.end], saying, share))
    unique = {quotation.text.casefold(): quotation for quotation in found if not _is_given_up(quotation, scene)}
    return sorted(
        unique.values(),
        key=lambda quotation: (quotation.share >= 1, quotation.share, quotation.saying.age),
        reverse=True,
    )


def _is_given_up(quotation: Quotation, scene: Scene) -> bool:
    """Tell whether a sentence speaks of a plan or a taste that later words gave up."""
    later = [one for one in scene.sayings if one.source != "fact" and one.age > quotation.saying.age]
    if not quotation.saying.is_from_others:
        # What others say gives up nothing of the user's.
        later = [one for one in later if not one.is_from_others]
    said = [one for saying in later for one in stated(saying)]
    before = stated(replace(quotation.saying, text=quotation.text)) if said else ()
    if any(takes_the_place(new, old) for new in said for old in before):
        return True
    over = [one for saying in later for one in read_dropped(saying.text)]
    if not over:
        return False
    # Imported here: it loads the whole reader, and little was ever given up.
    from hermes_agent.learn.hearing import hear

    plans = [one for one in hear(quotation.text) if one.attribute in ("plan", "goal") and one.polarity == "is"]
    return any(is_dropped_plan(plan, one) for plan in plans for one in over)


def _share(asked: set[str], text: str) -> float:
    """Return how much of a topic a text covers; of a script without spaces some pairs of letters are enough."""
    said = all_stems(text)
    share = len(asked & said) / len(asked)
    if has_unspaced(text):
        pairs = {word for word in asked if has_unspaced(word)}
        return min(max(share, _PARTLY), 0.9) if pairs & said else 0.0
    return share


def nearest(topic: str, scene: Scene) -> Quotation | None:
    """Return the one sentence that comes nearest to a topic, if any comes near."""
    best = [quotation for quotation in quotations(topic, scene) if quotation.share >= _PARTLY]
    return best[0] if best else None


def noted_about(topic: str, scene: Scene) -> list[Saying]:
    """Return the entries of the notes that hold all words of a topic."""
    asked = topic_words(topic)
    return [saying for _, saying in scene.noted if asked and asked <= all_stems(saying.text)]


def query_for(question: Question, knowledge: Knowledge) -> str:
    """Return the words to search the archive with for a question."""
    if isinstance(question, Slot):
        return _slot_query(question, knowledge)
    if isinstance(question, Check):
        claim = question.statement
        if claim.is_single and claim.attribute in attributes.TABLE:
            # A newer value may say no: it is looked for as well.
            value = f'"{" ".join(words(claim.value)[:4])}"'
            return f"{value} OR {_slot_query(Slot(claim.who, claim.attribute), knowledge)}"
        who = [
            part for part in (claim.who.name, claim.who.relation.split()[-1] if claim.who.relation else "") if part
        ]
        return " OR ".join([*who, *words(claim.value)][:_MOST_QUERY_TERMS]) or claim.value
    if isinstance(question, Person):
        return f'"{question.name}"'
    topic = question.topic if isinstance(question, About) else ""
    kept = [word for word in words(topic) if topic_words(word)]
    is_open = isinstance(question, About) and (question.is_open or bool(question.time))
    if is_open and len(kept) == 1 and kept[0].isascii() and len(kept[0]) >= _SHORTEST_ROOT:
        # "Where did I park": the archive knows only the words as they were said.
        return kept[0].removesuffix("e") + "*"
    return topic if has_unspaced(topic) else " ".join(kept[:_MOST_QUERY_TERMS])


def _slot_query(slot: Slot, knowledge: Knowledge) -> str:
    terms: list[str] = []
    if slot.who.kind == "person":
        named = [who for who in knowledge.people if same_person(slot.who, who, knowledge.people)]
        terms += ["died", '"broke up"', '"split up"']
        relations = {who.relation.split()[-1] for who in [slot.who, *named] if who.relation}
        terms += sorted(relations) + [f'"{who.name}"' for who in [slot.who, *named] if who.name]
    elif slot.attribute in attributes.TABLE:
        known = slot_holding(slot, knowledge)
        values = [one.statement.value for one in known.noted][:3]
        terms += [f'"{" ".join(words(value)[:4])}"' for value in values if words(value)]
        terms += _phrases(slot)
        terms += () if slot.attribute in _NEVER_ENDS else _ENDS
        terms.append(f'"forget my {slot.attribute}"')
        terms += words(slot.kind)
    else:
        asked = slot.attribute.removeprefix("to ")
        noted = [
            one.statement.attribute
            for one in slot_holding(slot, knowledge).noted
            if one.statement.attribute != asked
        ]
        # Noted in another spelling: then it was said so, too.
        return " OR ".join(f'"{noun}"' for noun in [asked, *noted]) if noted else asked
    return " OR ".join(dict.fromkeys(terms[:_MOST_QUERY_TERMS]))


def _phrases(slot: Slot) -> list[str]:
    """Return the words such statements hold, in the language of the question."""
    if slot.language != "en":
        from hermes_agent.learn.grammar_languages import found_by

        if query := found_by(slot.language).get(slot.attribute):
            return query.split(" OR ")
    return [*attributes.TABLE[slot.attribute].phrases, *_KINDRED.get(slot.attribute, ())]
