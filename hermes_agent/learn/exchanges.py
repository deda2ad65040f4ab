"""One thing in the place of another: "switched from Jenkins to Buildkite", "swapped the van for a bike"."""

from collections.abc import Iterator
from dataclasses import replace

from hermes_agent.learn import kinds
from hermes_agent.learn.attributes import INSTRUCTION
from hermes_agent.learn.facts_told import Told
from hermes_agent.learn.kinds import kinds_of
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.objects import one_value, trimmed
from hermes_agent.learn.parsing import Clause, Span
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.trades import DEPARTMENTS
from hermes_agent.learn.worth import is_hard
from hermes_agent.records.statements import Statement

EXCHANGES = word_set("switch swap trade ditch replace exchange move migrate change relocate convert")
_REPLACED = ("role", "home", "employer", "uses", "drives", "drinks", "studies", "plays", "learns")
_FOR = {"swap": "for", "trade": "for", "ditch": "for", "exchange": "for", "replace": "with"}


def read_instead(told: Told, main: list[Statement]) -> Iterator[Statement]:
    """Read what is over in "I'm head of procurement now instead of senior buyer"."""
    words, end = told.words, told.clause.end
    listed = words.words[told.verb.begin : end]
    is_new = "now" in words.words[told.clause.begin : end] or told.verb.tense == "perfect"
    if "of" not in listed or not is_new or len(main) != 1 or main[0].polarity != "is":
        return
    for place in range(told.verb.end, end - 2):
        if words.words[place : place + 2] == ["instead", "of"] and main[0].attribute in _REPLACED:
            old = one_value(words, place + 2, end)
            is_doing = old is not None and words.words[old[0]].endswith("ing")
            if old is not None and not is_doing:
                yield told.made(main[0].attribute, old, "no longer")
            return


def read_exchange(told: Told) -> Iterator[Statement]:
    """Read "switched from A to B" and "swapped A for B": one is used, the other no longer."""
    words, verb, end = told.words, told.verb, told.clause.end
    if verb.tense not in ("past", "perfect") or verb.is_denied:
        return
    listed = words.words[verb.end : end]
    old: Span | None = None
    new: Span | None = None
    if "from" in listed and "to" in listed[listed.index("from") :]:
        start = verb.end + listed.index("from") + 1
        middle = words.words.index("to", start)
        old, new = trimmed(words, start, middle), one_value(words, middle + 1, end)
    elif (joint := _FOR.get(verb.verb, "")) in listed:
        middle = verb.end + listed.index(joint)
        old, new = trimmed(words, verb.end, middle), one_value(words, middle + 1, end)
    if old is None or new is None or not words.words[new[0]][0].isalpha():
        return
    named = {kind for word in words.words[new[0] : new[1]] for kind in kinds_of(word)}
    if not named.isdisjoint(("place", "season")) and not words.is_capital(new[0]):
        return  # "swapped the beach for the mountains"
    is_place = verb.verb == "relocate" or (verb.verb == "move" and words.is_capital(new[0]))
    noun = words.words[new[1] - 1]
    is_named = words.is_capital(new[0]) and words.is_capital(old[0])  # Celery is a queue
    is_drunk = not is_named and kinds.is_food([noun, words.words[old[1] - 1]])
    attribute = "home" if is_place else ("drinks" if kinds.is_drink(noun) else "eats") if is_drunk else "uses"
    if DEPARTMENTS.issuperset((noun, words.words[old[1] - 1])) and told.subject.who.kind != "we":
        attribute = "team"
    if words.words[verb.end : verb.end + 4].count("name"):
        attribute = "name"
    yield told.made(attribute, new, "is", former=old)
    yield told.made(attribute, old, "no longer")


def read_former(words: Words, clause: Clause, told: Statement | None) -> Iterator[Statement]:
    """Read "they used to be integers" behind "our ids are UUIDs": what the slot told last was before."""
    verb, subject = clause.verb, clause.subject
    if told is None or verb is None or subject is None or told.polarity != "is" or told.attribute == INSTRUCTION:
        return
    is_it = words.words[subject[0] : subject[1]] in (["it"], ["they"])
    if not is_it or verb.verb != "be" or verb.phase != "used" or verb.end >= clause.end:
        return
    span = one_value(words, verb.end, clause.end) or (verb.end, clause.end)
    is_kind = is_hard(words, span) or words.words[span[1] - 1].endswith("s") or words.time_letters[span[0]] != "."
    if not is_kind:
        return  # "I live in Oslo. It used to be quiet."
    start, end = words.starts[clause.place], words.ends[clause.end - 1]
    former = replace(told, value=words.said(*span), start=start, end=end, polarity="was", is_single=False)
    yield replace(former, former="", is_correction=False)
