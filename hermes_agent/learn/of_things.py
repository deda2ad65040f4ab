"""What is told of things: when they are, where, which version, and what a noun of somebody's is.

Of a thing only what stays true out of its context is kept: a name, a number, a time.
"""

from collections.abc import Iterator

from hermes_agent.learn import attributes, glue, kinds
from hermes_agent.learn.facts_told import Told
from hermes_agent.learn.lexicon import KINDS, word_set
from hermes_agent.learn.meanings import meaning
from hermes_agent.learn.objects import one_value, trimmed, values
from hermes_agent.learn.parsing import Span
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.rules_of_things import read_dead_address, read_retired, read_term
from hermes_agent.learn.slots import read_slot
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.tooling import is_tool
from hermes_agent.learn.venues import is_event, venue
from hermes_agent.learn.verb_groups import is_adverb
from hermes_agent.learn.workings import read_language, read_wanted, read_working
from hermes_agent.learn.worth import is_hard
from hermes_agent.records.statements import WE, Statement, Who
from hermes_agent.text.verbs import lemma
from hermes_agent.text.words import fold

_BECOMING = word_set("get become grow seem look feel stay remain")
_HAPPENING = word_set(
    """start begin end open close launch happen fall run expire ship go move resume reopen take land"""
)
_MOVING = word_set("move slide shift slip push bump change postpone reschedule delay bring put")
_STANDING = word_set("cap pin set fix peg stand sit")
_LAST_HOUR = 24
_PLACED = word_set(
    """base bury code deploy file find happen hold host house implement install keep land lie live locate meet park
    register reside run save sit stand start stay stop store take write"""
)
_AILING = word_set("bad gone shot weak ruined wrecked poor failing worn knackered")
_FAILING = word_set("go fail deteriorate worsen degenerate weaken collapse")
_SENSES = word_set("back heart hearing eyesight sight vision memory voice spine")
_NTH = Pattern(r"[1-9]\d(?:st|nd|rd|th)|[a-z]+tieth|[a-z]+ty-(?:first|second|third|[a-z]+th)|(?:six|eigh)teenth")
_RENAMED = {
    "phone": "phone number",
    "number": "phone number",
    "mobile": "phone number",
    "mail": "email",
    "e-mail": "email",
    "timezone": "time zone",
    "editor": "uses",
    "browser": "uses",
    "shell": "uses",
    "ide": "uses",
    "database": "uses",
}
_DROPPED = word_set("all-time new current old actual real full first own favourite favorite")


def read_happening(told: Told) -> Iterator[Statement]:
    """Read what a thing does: it moves to a date, it is wiped every Sunday, it runs on something."""
    words, verb, clause = told.words, told.verb, told.clause
    thing = told.thing()
    if thing.name.endswith((" one", " ones")):
        return
    if verb.modal and verb.modal != "must":
        return
    if verb.verb == "want":
        yield from read_wanted(told)
        return
    if verb.modal == "must":
        due = [one for one in told.times if one.kind == "date" and words.words[one.begin] in ("by", "before")]
        yield from (told.made("deadline", (one.begin + 1, one.end), "is", who=thing) for one in due[:1])
        yield from () if due else read_working(told)
        return
    is_moved = verb.verb in _MOVING and not _has_weekday(told)
    is_often = told.has("recurring") and not is_moved and not _is_of_body(told)
    if is_often and verb.tense == "present":
        yield told.made("schedule", (verb.place, clause.end), "is", who=thing)
        return
    if changed_for_good := [*_rescheduled(told), *read_retired(told), *read_term(told)]:
        yield from changed_for_good
        return
    if done := list(read_working(told)):
        yield from done
        return
    noun = told.subject.noun
    if noun is not None and _is_job(words.words[slice(*noun)]):
        return
    if _is_stolen(told) and noun is not None:
        yield told.made("owns", noun, "no longer")
        return
    if noun is not None and _is_failing(told):
        yield told.made("health", (noun[0], clause.end), "is")
        return
    if (named := _named_so(told)) is not None:
        yield told.made("name", named, "is", who=thing)
        return
    if verb.verb in _HAPPENING and verb.tense == "present" and words.at(verb.end) == "at" and _is_clock(told):
        yield told.made("schedule", (verb.place, clause.end), "is", who=thing)
        return
    if verb.verb == "belong" and (owner := _owner(told)) is not None:
        yield told.made("owner", owner, "is", who=thing)
        return
    if (run := _run(told)) is not None:
        yield told.made("version", run, "is", who=thing)
        return
    dated = [one for one in told.times if one.kind == "date" and one.begin >= verb.end]
    is_next = bool(dated) and dated[-1].begin <= verb.end + 1 and verb.verb not in _BECOMING
    is_done = verb.is_passive or (verb.verb == "get" and bool(lemma(words.at(verb.end), "done")))
    if dated and verb.tense != "past" and (is_done or is_next or verb.verb in _HAPPENING):
        begin = dated[-1].begin + (words.words[dated[-1].begin] == "to")
        is_hour = ":" in words.said(begin, dated[-1].end)
        yield told.made("schedule" if is_hour else "date", (begin, dated[-1].end), "is", who=thing)
        yield from _place(told, verb.end, thing)
        return
    span = one_value(words, verb.end + 1, clause.end) if words.at(verb.end) == "in" else None
    if span is not None and verb.tense == "present" and verb.verb in _PLACED and is_hard(words, span):
        attribute = attributes.USES if verb.verb in ("write", "implement", "code") else "location"
        yield told.made(attribute, span, "is", who=thing)
        return
    if moved := list(_moved(told)):
        yield from moved
        return
    changed = _changed(told)
    if changed is not None:
        who = WE if told.subject.who.kind == "thing" else told.subject.who
        who = thing if told.owner is not None else who
        yield told.made(_noun_of(told), changed, "is", who=who)
        return
    yield from _used(told)


def _used(told: Told) -> Iterator[Statement]:
    """Read what a thing uses or runs on: "our monorepo uses Bazel", "Heron runs on Go 1.22"."""
    words, verb, end = told.words, told.verb, told.clause.end
    if verb.tense != "present":
        return
    if verb.verb == "use" and _is_ours(told) and is_tool(words, verb.end):
        spans = values(words, verb.end, end)
        yield from (told.made(attributes.USES, span, "is", who=told.thing()) for span in spans)
        return
    found = meaning(words, verb, end)
    span = trimmed(words, found[1], end) if found is not None and found[0].attribute == "version" else None
    if span is not None:
        has_number = any(letter.isdigit() for letter in words.said(*span))
        yield told.made("version" if has_number else attributes.USES, span, "is", who=told.thing())


def _is_ours(told: Told) -> bool:
    noun = told.subject.noun
    return noun is not None and noun[0] > 0 and told.words.words[noun[0] - 1] in glue.MINE


def _rescheduled(told: Told) -> Iterator[Statement]:
    """Read when a thing is from now on: "stand-up has slid to 9:45", "the class got bumped to Thursday"."""
    words, verb = told.words, told.verb
    is_got = verb.verb == "get" and (lemma(words.at(verb.end), "done") in _MOVING)
    if not (verb.verb in _MOVING or is_got) or verb.is_denied or verb.tense == "future":
        return
    for place in range(verb.end, told.clause.end - 1):
        if words.words[place] in ("to", "until", "till") and words.time_letters[place + 1] in "tCDMNOnPSE":
            end = told.clause.end
            timed = [one for one in told.times if one.end > place + 1]
            if not timed or words.time_letters[place + 1] == "N" and timed[-1].end < place + 3:
                return
            span = (place + 1, min(timed[-1].end, end))
            is_hour = ":" in words.said(*span) or "C" in words.time_letters[span[0] : span[1]]
            is_often = is_hour or "P" in words.time_letters[span[0] : span[1]]
            yield told.made("schedule" if is_often else "date", span, "is", who=told.thing())
            return


def _moved(told: Told) -> Iterator[Statement]:
    """Read "our office has moved from Utrecht to Zwolle"."""
    words, verb, end = told.words, told.verb, told.clause.end
    listed = words.words[verb.end : end]
    if verb.verb not in ("move", "relocate") or verb.tense not in ("past", "perfect") or "to" not in listed:
        return
    middle = verb.end + listed.index("to")
    new = one_value(words, middle + 1, end)
    if new is None or not words.is_capital(new[0]) or words.time_letters[new[0]] != ".":
        return
    yield told.made("location", new, "is", who=told.thing())
    old = trimmed(words, verb.end + 1, middle) if listed[0] == "from" else None
    if old is not None and words.is_capital(old[0]):
        yield told.made("location", old, "no longer", who=told.thing())


def _has_weekday(told: Told) -> bool:
    """Tell whether a thing changes at a time one can name: "every Monday at noon", not "every day"."""
    letters = {told.words.time_letters[at] for one in told.times for at in range(one.begin, one.end)}
    return not letters.isdisjoint("DPC") and "to" not in told.rest()


def _is_job(noun: list[str]) -> bool:
    """Tell whether what happens is of a job or of who has it, and told elsewhere."""
    return noun[-1:] == ["job"] or (bool(noun) and kinds.is_job(noun[-1]) and "of" not in noun)


def _is_stolen(told: Told) -> bool:
    """Tell whether a thing of somebody's "got nicked", "was stolen" or "was written off"."""
    words, verb, noun = told.words, told.verb, told.subject.noun
    if noun is None or told.subject.who.kind == "thing" or verb.tense not in ("past", "perfect") or verb.is_denied:
        return False
    done = words.words[verb.place] if verb.is_passive else words.at(verb.end) if verb.verb == "get" else ""
    is_lost = done in ("stolen", "nicked", "pinched", "totalled", "repossessed")
    is_lost = is_lost or (done == "written" and "off" in told.rest()[:2])
    return is_lost and kinds.is_household(words.words[noun[1] - 1])


def _named_so(told: Told) -> Span | None:
    """Return the name of a thing that "is called mango"."""
    if not told.verb.is_passive or told.verb.verb not in ("call", "name") or told.verb.tense == "past":
        return None
    return one_value(told.words, told.verb.end, told.clause.end)


def _owner(told: Told) -> Span | None:
    """Return the team of "the portal belongs to Dmitri's team"."""
    words, begin = told.words, told.verb.end + 1
    if words.at(told.verb.end) != "to" or told.verb.tense != "present" or told.verb.is_denied:
        return None
    span = one_value(words, begin, told.clause.end)
    return span if span is not None and is_hard(words, span) else None


def _run(told: Told) -> Span | None:
    """Return the Postgres 15 that a thing "runs"."""
    if told.verb.verb != "run" or told.verb.tense != "present":
        return None
    span = one_value(told.words, told.verb.end, told.clause.end)
    is_version = span is not None and any(letter.isdigit() for letter in told.words.said(*span))
    return span if span is not None and is_version and told.words.is_capital(span[0]) else None


def _is_clock(told: Told) -> bool:
    following = told.words.at(told.verb.end + 1)
    return following in glue.NUMBERS or following[:1].isdigit() or following in ("noon", "midnight", "half")


def _changed(told: Told) -> Span | None:
    """Return what a thing was changed to: "the budget got cut to 3,000 euros"."""
    words, verb, end = told.words, told.verb, told.clause.end
    is_at = verb.verb in _STANDING and words.at(verb.end) == "at"
    is_done = (
        is_at
        or verb.is_passive
        or (verb.verb == "get" and lemma(words.at(verb.end), "done"))
        or verb.verb == "change"
    )
    listed = words.words[verb.end : end]
    joint = "at" if is_at else "to"
    if not is_done or verb.is_denied or joint not in listed:
        return None
    span = one_value(words, verb.end + listed.index(joint) + 1, end)
    return span if span is not None and any(letter.isdigit() for letter in words.words[span[0]]) else None


def read_state(told: Told, begin: int, end: int) -> Iterator[Statement]:
    """Read what a thing, or a noun of somebody's, is: when, where, how much."""
    words = told.words
    polarity = told.polarity()
    if told.verb.is_denied and not told.is_any_more:
        return
    if dead := list(read_dead_address(told, begin)):
        yield from dead
        return
    noun = _noun_of(told)
    if noun.endswith((" one", " ones")):
        return
    timed = [one for one in told.times if one.kind in ("date", "recurring") and one.begin >= told.verb.end]
    timed = [one for one in timed if words.words[one.begin - 1] != "not"]
    at = begin
    is_due = words.words[at] == "due"
    while at < end and (is_adverb(words.words[at]) or words.words[at] == "due"):
        at += 1
    if (
        timed
        and timed[0].begin <= at + (told.subject.noun is not None)
        and words.words[at] not in ("a", "an", "my", "our")
        and noun not in ("birthday", "name")
    ):
        attribute = "schedule" if timed[0].kind == "recurring" or words.words[at] == "at" else "date"
        attribute = "deadline" if is_due or noun.endswith("deadline") else attribute
        yield told.made(
            attribute,
            (timed[0].begin, end if attribute == "schedule" else timed[0].end),
            polarity,
            who=told.thing(),
        )
        yield from _place(told, at, told.thing()) if attribute == "date" and polarity == "is" else ()
        return
    if ruled := list(read_language(told, at)):
        yield from ruled
        return
    if words.at(at) in ("in", "at") and at + 1 < end:
        span = venue(told, at) if is_event(told.thing().name) else one_value(words, at + 1, end)
        hour = one_value(words, at + 1, end) if words.words[at] == "at" else None
        if hour is not None and hour[0] == at + 1 and _is_hour(words, hour):
            yield told.made("schedule", (at, hour[1]), polarity, who=told.thing())
        elif span is not None and not _is_tongue(words, span) and (_is_firm(words, span) or is_event(noun)):
            is_used = words.words[span[0]] in KINDS["language"] | KINDS["framework"]
            yield told.made(attributes.USES if is_used else "location", span, polarity, who=told.thing())
            dated = [one for one in timed if one.kind == "date" and one.begin >= span[1]]
            yield from (told.made("date", (one.begin, one.end), polarity, who=told.thing()) for one in dated[:1])
        return
    last = end - 1 - (words.words[end - 1] == "now")
    if words.at(at) == "on" and at < last and any(letter.isdigit() for letter in words.words[last]):
        span = trimmed(words, at + 1, end)
        if span is not None:
            yield told.made("version", span, polarity, who=told.thing())
        return
    if _is_ailing(told, at, end):
        yield told.made("health", (told.subject.noun[0] if told.subject.noun else at, end), polarity)
        return
    yield from read_slot(told, noun, at, end)


def _is_firm(words: Words, span: Span) -> bool:
    """Tell whether a place is a name, a number or an address on the net."""
    return is_hard(words, span) or "." in words.words[span[0]][2:-2]


def _is_tongue(words: Words, span: Span) -> bool:
    """Tell whether a thing is "in Latin": written so, and nowhere."""
    known = kinds.kinds_of(words.words[span[0]])
    return (
        "language" in known
        and known.isdisjoint(("city", "country"))
        and words.at(span[0]) not in KINDS["language"]
    )


def _is_hour(words: Words, span: Span) -> bool:
    """Tell whether a meeting is "at 4": a bare number on the clock."""
    hour = words.words[span[0]]
    return span[1] - span[0] == 1 and hour.isdecimal() and len(hour) < 3 and int(hour) <= _LAST_HOUR


def _place(told: Told, begin: int, thing: Who) -> Iterator[Statement]:
    """Read where that is whose day was told."""
    if (span := venue(told, begin)) is not None:
        yield told.made("location", span, "is", who=thing)


def _is_of_body(told: Told) -> bool:
    """Tell whether a part of the body does something: "my knees thank me every morning"."""
    noun = told.subject.noun
    return noun is not None and "muscle" in kinds.kinds_of(told.words.words[noun[1] - 1])


def _is_failing(told: Told) -> bool:
    """Tell whether a part of somebody's body gives up: "his lungs have gone", "my eyesight is failing"."""
    if told.subject.noun is None or told.subject.who.kind == "thing" or told.verb.is_denied or told.verb.modal:
        return False
    body = told.words.words[told.subject.noun[1] - 1]
    is_body = "muscle" in kinds.kinds_of(body) or body in _SENSES
    is_lasting = told.verb.tense == "perfect" or (told.verb.is_progressive and told.verb.tense == "present")
    is_whole = not told.rest() or told.rest()[0] in ("for", "since", "from", "after", "with")
    return is_body and is_lasting and told.verb.verb in _FAILING and is_whole


def _is_ailing(told: Told, at: int, end: int) -> bool:
    """Tell whether a part of somebody's body is bad for long."""
    if told.subject.noun is None or told.subject.who.kind == "thing" or at >= end:
        return False
    body = told.words.words[told.subject.noun[1] - 1]
    return told.words.words[at] in _AILING and "muscle" in kinds.kinds_of(body)


def _noun_of(told: Told) -> str:
    if told.subject.noun is None:
        return ""
    begin, end = told.subject.noun
    while begin < end - 1 and told.words.words[begin] in _DROPPED - {"favourite", "favorite", "own"}:
        begin += 1
    noun = told.words.said(begin, end).lower()
    if noun.startswith(("favorite", "fav ", "fave ")):
        noun = "favourite " + noun.partition(" ")[2]
    is_nth = not told.subject.is_the and told.has("date") and _NTH.fullmatch(noun) is not None
    is_birthday = is_nth or noun.endswith((" birthday", " bday"))
    noun = "birthday" if noun == "bday" or is_birthday else noun
    return _RENAMED.get(noun) or attributes.ALIASES.get(fold(noun)) or noun
