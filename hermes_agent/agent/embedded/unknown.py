"""Say that memory does not hold what was asked for, and name it."""

from collections.abc import Sequence

from hermes_agent.agent.embedded.asked import Slot
from hermes_agent.agent.embedded.scene import Forgotten, Saying
from hermes_agent.agent.embedded.wording import day, turned, who_is
from hermes_agent.learn import attributes

_OF_USER = {
    "name": "your name",
    "called": "how you want to be called",
    "home": "where you live",
    "origin": "where you come from",
    "grew up": "where you grew up",
    "birthplace": "where you were born",
    "birthday": "your birthday",
    "employer": "where you work",
    "field": "where you work",
    "role": "what you do for a living",
    "is in": "where you are",
    "age": "your age",
    "likes": "what you like",
    "prefers": "what you prefer",
    "speaks": "which languages you speak",
    "uses": "what you use",
    "allergy": "what you are allergic to",
    "studies": "what you study",
    "learns": "what you are learning",
    "decision": "a decision about that",
    "eats": "what you eat",
    "drinks": "what you drink",
    "drives": "what you drive",
    "plays": "what you play",
}
_OF_PERSON = {
    "name": "{whose} name",
    "home": "where {who} lives",
    "origin": "where {who} comes from",
    "birthplace": "where {who} was born",
    "birthday": "{whose} birthday",
    "employer": "where {who} works",
    "role": "what {who} does for a living",
    "age": "{whose} age",
    "likes": "what {who} likes",
    "prefers": "what {who} prefers",
    "speaks": "which languages {who} speaks",
    "uses": "what {who} uses",
    "allergy": "what {who} is allergic to",
    "studies": "what {who} studies",
    "learns": "what {who} is learning",
    "eats": "what {who} eats",
    "drinks": "what {who} drinks",
    "drives": "what {who} drives",
    "plays": "what {who} plays",
    "has": "what {who} has",
}


_CLAUSES = ("where ", "what ", "how ", "which ", "when ")


def not_held(slot: Slot) -> str:
    """Say that memory does not hold what was asked for."""
    what = asked_for(slot)
    if what.startswith(_CLAUSES):
        return f"I don't know {what}: that is not in memory."
    return f"I don't have {what} in memory."


def asked_to_forget(forgotten: Sequence[Forgotten]) -> str:
    """Say that the user asked to forget something, and which conversation still holds it; never what it was."""
    last = max(forgotten, key=lambda one: one.request.age)
    when = f"on {day(last.request.at)}" if last.request.at else "in this conversation"
    held = {one.saying.place: one.saying for one in forgotten if one.saying.at and one.saying.place}
    if not held:
        return f"You asked me to forget that {when}."
    still = "; ".join(_still_held(said) for said in held.values())
    return f"You asked me to forget that {when}; {still}."


def _still_held(saying: Saying) -> str:
    if saying.source == "fact":
        name = saying.place.partition(",")[0]
        return f"{name} still holds it: `hermes memory fact delete {name}` deletes it"
    on = "" if saying.at is None else f" of {day(saying.at)}"
    session = saying.place.removeprefix("session ")
    return f"the conversation{on} still holds it: `hermes sessions delete {session}` removes it"


def asked_for(slot: Slot) -> str:
    """Put the slot of a question into words."""
    if slot.kind:
        verb = {"prefers": "prefer", "likes": "like", "uses": "use", "speaks": "speak", "has": "have"}.get(
            slot.attribute
        )
        if slot.attribute == attributes.DECISION:
            return f"a decision about {turned(slot.kind)}"
        who = who_is(slot.who)
        if verb is None:
            return f"which {slot.kind} that is"
        if slot.is_not:
            return f"which {slot.kind} {who} {'do' if who == 'you' else 'does'} not {verb}"
        return f"which {slot.kind} {who} {verb if who == 'you' else slot.attribute}"
    if slot.who.kind == "person":
        who = who_is(slot.who)
        form = _OF_PERSON.get(slot.attribute, f"{{whose}} {slot.attribute}")
        return form.format(who=who, whose=f"{who}'s")
    if slot.attribute in _OF_USER:
        known = _OF_USER[slot.attribute]
        return known.replace("what you ", "what you do not ", 1) if slot.is_not else known
    if slot.attribute.startswith("to "):
        return f"when you {slot.attribute[3:]}"
    owner = "your" if slot.who.kind == "user" else "the"
    return f"{owner} {turned(slot.attribute)}"
