"""Read what a verb of another language tells: where one lives, what one works as, plays, sold, does not eat."""

from collections.abc import Iterator
from dataclasses import replace

from hermes_agent.learn.attributes import ENDED
from hermes_agent.learn.facts_told import made
from hermes_agent.learn.having_abroad import with_its_name
from hermes_agent.learn.nouns_abroad import is_a
from hermes_agent.learn.parsing import Span
from hermes_agent.learn.told_abroad import Told, is_small
from hermes_agent.learn.tongue import Form, Line
from hermes_agent.learn.values import name_in, titled
from hermes_agent.learn.values_abroad import fits, items, value_of
from hermes_agent.records.statements import Polarity, Statement, Who

_LISTED = frozenset(
    ("likes", "allergy", "speaks", "plays", "learns", "collects", "uses", "eats", "drinks", "hobby", "prefers")
)
_PAST_ONLY = ("home", "employer", "role", "studies", "plays", "work", "owns", "hobby", "collects", "likes")
_WEEKLY = ("los", "às", "aos", "le", "il", "op", "la", "el")
_IN_TOWN = ("in", "à", "a", "ad", "em", "te")


def read_doing(told: Told, form: Form) -> Iterator[Statement]:
    line, words = form.line, told.words
    is_past = form.tense in ("past", "done")
    polarity = _polarity(told, form)
    if line.attribute == "age" and told.polarity == "is":
        polarity = "is"
    if polarity is None or (line.attribute in ("eats", "drinks") and polarity not in ("is not", "no longer")):
        return
    if not line.prepositions and line.shape in ("any", "self", "death", "weekly"):
        yield from _bare(told, line, polarity)
        return
    if not told.region and told.rest and polarity in ("is not", "no longer"):
        # "ne mange ni œufs ni lait"
        first = [place for place in range(*told.rest[0]) if not is_small(words, place, told.times, told.tongue)]
        told = replace(told, region=first, rest=told.rest[1:])
    if line.shape == "choir" and told.region and not told.tongue.does(words.words[told.region[0]], "prepositions"):
        return
    span = value_of(words, told.region, line, told.tongue)
    if span is None:
        return
    if line.attribute == "work" and polarity == "is not":
        return
    if line.attribute == "name":
        yield from _name(told, span)
        return
    if line.attribute == "plan" or ("+" in line.marks and not is_past):
        if line.attribute in ("plan", "home", "role") and polarity == "is":
            yield told.made("plan", _whole(told, span))
        return
    if line.attribute == "status":
        span = (span[0] - 1, span[1])
    if line.attribute == "hobby":
        span = next(((place, span[1]) for place in range(*span) if is_a("deed", words.words[place])), span)
    if "~" in line.marks:
        span = _with_verb(told, span)
    if line.attribute == "habit":
        for kind, attribute in (("game", "plays"), ("deed", "hobby")):
            for place in range(*span):
                if is_a(kind, words.words[place]):
                    yield told.made(attribute, (place, place + 1), polarity)
                    return
    if line.attribute == "employer" and words.is_capital(span[0]) and words.words[span[0] - 1] in _IN_TOWN:
        whole = _with_verb(told, span)
        yield from [told.made("work", whole, polarity)] if whole != span else []
        return
    if line.attribute == "employer" and "!" in line.marks and words.is_capital(span[0]) and _is_bare(told, span):
        yield told.made(ENDED, span, polarity)  # a firm or a town
        return
    yield told.made(line.attribute, with_its_name(told, span) if line.attribute == "pet" else span, polarity)
    if polarity in ("is not", "no longer"):
        yield from _instead(told, line)
    if line.attribute in _LISTED:
        for other in items(words, told.rest, span, told.tongue):
            if fits(words, other, line, told.tongue):
                yield told.made(line.attribute, other, polarity)


def _instead(told: Told, line: Line) -> Iterator[Statement]:
    """Read what is so instead: "nicht in Köln, sondern in Bonn"."""
    for begin, end in told.rest[:1]:
        if told.tongue.does(told.words.words[begin - 1], "but"):
            span = value_of(told.words, range(begin, end), line, told.tongue)
            yield from [told.made(line.attribute, span, "is")] if span is not None else []


def _bare(told: Told, line: Line, polarity: Polarity) -> Iterator[Statement]:
    """Read what a verb tells without an object: that one marries in June, does not smoke, swims on Tuesdays."""
    span = (told.verb.place, told.verb.last + 1)
    if line.attribute == "plan" and told.times and polarity == "is":
        yield told.made("plan", _whole(told, span))
    elif polarity != "was" and (line.shape == "self" or (line.shape == "death" and told.who.kind == "person")):
        yield told.made(line.attribute, (told.verb.last, told.verb.last + 1), polarity)
    elif line.shape == "weekly" and polarity == "is":
        end = _end_of_days(told)
        if end is not None:
            yield told.made("hobby", span)
            yield told.made("schedule", (told.verb.place, end))


def _end_of_days(told: Told) -> int | None:
    """Return where the days end on which something is done again and again; None if there are none."""
    words, tongue = told.words, told.tongue
    every = [
        place
        for place in range(told.verb.last + 1, told.part.end)
        if tongue.does(words.words[place], "every", "often")
        or (tongue.does(words.words[place], "days") and words.words[place - 1] in _WEEKLY)
    ]
    if not every:
        return None
    end = every[-1] + 1
    while end < told.part.end and tongue.does(words.words[end], "days", "articles"):
        end += 1
    for begin, last in told.rest:
        if all(tongue.does(word, "days", "articles", "every", "prepositions") for word in words.words[begin:last]):
            end = last
    return end


def _polarity(told: Told, form: Form) -> Polarity | None:
    """Return the polarity of what a verb tells; None if its tense tells nothing that lasts."""
    marks, polarity = form.line.marks, told.polarity
    if "!" in marks:
        return "no longer" if polarity == "is" else None
    if "=" in marks and polarity == "is":
        return None
    if "^" in marks:
        return "is" if polarity == "is not" else None
    if "-" in marks:
        return {"is": "is not", "is not": None, "no longer": None, "was": None}[polarity]
    if "+" in marks or form.tense in ("present", "doing"):
        return polarity if "+" not in marks or polarity == "is" else None
    if polarity == "is not" or form.line.attribute not in _PAST_ONLY:
        return None
    return "was"


def _with_verb(told: Told, span: Span) -> Span:
    """Return a value with the verb, where only small words lie between: "singe im Kirchenchor"."""
    words, verb = told.words, told.verb
    between = range(verb.last + 1, span[0]) if verb.last < span[0] else range(span[1], verb.last)
    if any(not told.tongue.does(words.words[place], "articles", "prepositions", "adverbs") for place in between):
        return span
    begin = span[0]
    while verb.last > span[0] and told.tongue.does(words.words[begin - 1], "articles", "prepositions"):
        begin -= 1
    return min(begin, verb.last), max(span[1], verb.last + 1)


def _is_bare(told: Told, span: Span) -> bool:
    """Tell whether no small word stands in front of a value."""
    return not told.tongue.does(told.words.words[span[0] - 1], "articles", "prepositions")


def _whole(told: Told, span: Span) -> Span:
    """Return the words of a plan: verb and value, and the time that stands beside them."""
    begin, end = min(told.verb.place, span[0]), max(span[1], told.verb.last + 1)
    while begin - 1 >= told.part.begin and (
        begin - 1 in told.times or told.tongue.does(told.words.words[begin - 1], "adverbs")
    ):
        begin -= 1
    last = end
    while last < told.part.end and (last in told.times or told.tongue.does(told.words.words[last], "adverbs")):
        last += 1
        end = last if last - 1 in told.times else end
    return begin, end


def _name(told: Told, span: Span) -> Iterator[Statement]:
    name = name_in(told.words.said(*span), is_sure=True)
    if name is None or told.polarity != "is":
        return
    end = span[0] + len(name.split())
    one = told.made("name", (span[0], min(end, span[1])))
    if told.who.kind == "person":
        who = Who("person", told.who.relation, titled(name))
        yield made(who, "name", titled(name), one.start, one.end)
    elif told.who.kind == "user":
        yield made(told.who, "name", titled(name), one.start, one.end)
