"""Read a question: which slot it asks for, whether it wants a yes, a list, or what was said about something.

A question is a statement with a hole: "where does my sister live" is "my sister live in ?". So the grammar of
statements reads questions too, and whatever can be stated can be asked.
"""

import re
from collections.abc import Iterator

from hermes_agent.agent.embedded.asked import (
    COUNT,
    FIRST,
    JUST_NOW,
    About,
    Check,
    Person,
    Profile,
    Question,
    Rules,
    Same,
    Slot,
    Talk,
    Wants,
)
from hermes_agent.agent.embedded.event_questions import read_event_question
from hermes_agent.agent.embedded.past_questions import read_ever, read_past
from hermes_agent.agent.embedded.times import TIME
from hermes_agent.learn import attributes
from hermes_agent.learn.clauses import read_clause
from hermes_agent.learn.grammar_english import DOES
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.sentences import TAGGED
from hermes_agent.learn.spelling import mended_question
from hermes_agent.learn.subjects import relation_at, with_capitals
from hermes_agent.learn.values import name_in
from hermes_agent.records.statements import USER, Statement, Who
from hermes_agent.text.kinds import asked_things
from hermes_agent.text.words import fold

HOLE = "Xyzzy"
_LEAD = Pattern(
    r"(?:(?:and|so|ok|okay|hey|hi|hello|well|hmm|please|um|but|then|hermes|also|now|thanks|yes|no|sorry"
    r"|quick\s+question)\b[\s,:;!.-]+)*"
    r"(?:(?:(?:can|could|would|will)\s+you\s+)?(?:please\s+)?(?:tell|remind|show)\s+me\s+(?:again\s+|of\s+)?"
    r"|(?:can|could)\s+you\s+(?:please\s+)?(?:remember|recall|say)\s+"
    r"|do\s+you\s+(?:still\s+|even\s+|happen\s+to\s+)?(?:know|remember|recall)\s+"
    r"|i\s+(?:wonder|forgot|forget|don't\s+(?:know|remember)|can't\s+(?:remember|recall))\s+|say\s+(?=my\b))?"
)
_TRAIL = Pattern(
    r"[\s,]*(?:again|please|now|then|anyway|exactly|by\s+the\s+way|hermes|though|idiot|stupid"
    r"|dummy|dude|man|mate|bro|buddy)?[\s?.!,]*$"
)
_SUBJECT = r"(?P<s>i|we|he|she|they|(?:my|our|the)\s+[\w'-]+(?:\s+[\w'-]+){0,4}?|(?-i:[A-Z])[\w'-]+)"
_BE = r"(?:'s|s|\s+(?:is|are|am|was|were))"

_PROFILE = Pattern(
    r"what(?:\s+all)?\s+(?:do|did|have)\s+you\s+(?:know|remember|learn|learned|have|noted|note)\s+(?:about"
    r"|of|on)\s+(?:me|myself)(?:\s+so\s+far)?"
    r"|(?:what|who)\s+(?:do\s+you\s+know\s+)?am\s+i\s+to\s+you|everything\s+(?:you\s+know\s+)?about\s+me"
    r"|about\s+me|what\s+do\s+you\s+know|all\s+about\s+me"
    r"|what's\s+in\s+(?:your|my)\s+(?:memory|notes)(?:\s+about\s+me)?|what\s+is\s+in\s+(?:your"
    r"|my)\s+(?:memory|notes)"
)
_RULES = Pattern(
    r"how\s+(?:should|do)\s+(?:you|i\s+want\s+you\s+to)\s+(?:answer|reply|respond|speak|talk)(?:\s+to)?(?:\s+me)?"
    r"|what\s+are\s+(?:my|the|your)\s+(?:standing\s+)?(?:instructions|rules)(?:\s+for\s+you)?"
    r"|(?:what|which)\s+(?:rules|instructions)\s+(?:did|have|do)\s+i\s+(?:give|given|gave|have\s+for|set)(?:\s+you)?"
    r"|what\s+did\s+i\s+(?:ask|tell)\s+you\s+(?:not\s+)?to\s+do|what\s+should\s+you\s+(?:not|never|always)\s+do"
    r"|(?:list|show)?\s*(?:me\s+)?my\s+(?:standing\s+)?(?:rules|instructions)(?:\s+for\s+you)?|what\s+(?:did"
    r"|have)\s+i\s+(?:ask|asked|tell|told)\s+you\s+(?:to\s+)?(?:always|never)\b.*"
)
_TALK = Pattern(
    r"what\s+(?:all\s+)?(?:did|have|were)\s+(?:we|i|you)\s+(?:talk(?:ed|ing)?\s+(?:to\s+you\s+)?about"
    r"|discuss(?:ed|ing)?|say|said|chat(?:ted)?\s+about|tell\s+you|ask(?:ed)?(?:\s+you)?)"
    rf"\s+(?P<time>{TIME})|what\s+was\s+(?:our|the)\s+(?:conversation"
    rf"|chat|session)\s+(?:about\s+)?(?P<time3>{TIME})"
    rf"|(?:our|the)\s+(?:conversations?|chats?|sessions?)\s+(?:from\s+|of\s+)?(?P<time4>{TIME})"
    r"|what\s+(?:did|have)\s+we\s+(?:talk(?:ed)?\s+about|discuss(?:ed)?)(?P<time5>\s+(?:last\s+time|before"
    r"|recently|lately|so\s+far|earlier)?)?"
)
_ABOUT = Pattern(
    r"(?:what|anything|everything|something)\s+(?:(?:did|do|have|has|had)\s+)?(?:i|we"
    r"|you)\s+(?:ever\s+)?(?:say|said|tell|told|talk|talked|mention|mentioned|know|remember|discuss"
    r"|discussed|note|noted|have|write|wrote|ask|asked)"
    r"(?:\s+(?:you|me|us))?\s+(?:about|of|on|regarding)\s+(?P<topic>.+)"
    r"|(?:did|have)\s+(?:i|we)\s+(?:ever\s+)?(?:tell|told|talk|talked|mention|mentioned|say|said|discuss"
    r"|discussed)(?:\s+you|\s+to\s+you)?\s+(?:(?:about|of|anything\s+about)\s+)?(?P<topic2>.+)"
    r"|(?:anything|everything|something|more)\s+(?:you\s+know\s+)?about\s+(?P<topic3>.+)"
    r"|about\s+(?P<topic4>.+)|what\s+about\s+(?P<topic5>(?!my\b|our\b|(?-i:[A-Z])).+)"
)
_NEW = Pattern(rf"(?:is\s+there\s+)?(?:anything|what(?:'s|\s+is)?)\s+new\s+(?P<time>{TIME})")
_HISTORY = Pattern(
    rf"(?P<{FIRST}>when\s+did\s+(?:we|i)\s+first\s+(?:talk|speak|meet|chat)(?:\s+(?:to|with)\s+you)?"
    r"|when\s+was\s+our\s+first\s+(?:conversation|chat))"
    rf"|(?P<{COUNT}>how\s+(?:many\s+times|often)\s+(?:have|did)\s+we\s+(?:talk|talked|speak|spoken|chat|chatted)"
    r"|how\s+many\s+(?:conversations|chats|sessions)\s+(?:have|did)\s+we\s+(?:have|had))"
    rf"|(?P<{JUST_NOW}>what\s+did\s+i\s+just\s+(?:say|tell\s+you|write))"
)
_SAME = Pattern(
    r"(?:and|what\s+about|how\s+about|and\s+what\s+about)\s+(?P<s>my\s+[\w' -]+|(?-i:[A-Z])[\w'-]+|me|him"
    r"|her|them)"
)
_NAME_OF = Pattern(
    r"(?:what(?:'s|s|\s+is|\s+are|\s+was)\s+)?(?:the\s+)?names?\s+of\s+(?P<s>my\s+[\w' -]+|our\s+[\w' -]+)"
)
_CALLED = Pattern(
    rf"what(?:'s|s|\s+is|\s+are)\s+{_SUBJECT}\s+(?:called|named)|(?:what"
    rf"|how)\s+{_SUBJECT.replace('<s>', '<s2>')}\s+is\s+(?:called|named)"
)
_CALL_ME = Pattern(
    r"(?:what|how)\s+(?:should|do|can|will)\s+you\s+(?:call|address)\s+me|what\s+you\s+(?:should\s+)?call\s+me"
)
_WHO_AM_I = Pattern(r"who\s+(?:am\s+i|i\s+am)")
_OLD = Pattern(rf"how\s+old\s+(?:(?:is|am|are)\s+|'s\s+)?{_SUBJECT}(?:\s+(?:is|am|are))?")
_HAVE_GOT = Pattern(r"\bhave\s+i\s+got\b")
_MEASURE = Pattern(rf"how\s+(?P<how>tall|heavy)\s+(?:is|am)\s+{_SUBJECT}")
_OCCUPATION = Pattern(rf"what\s+(?:do|does|did)\s+{_SUBJECT}\s+do(?:\s+for\s+(?:a\s+living|work))?")
_WHERE = Pattern(rf"where(?:{_BE}|\s+(?:do|does|did))?\s+(?P<clause>.+)")
_WHEN = Pattern(rf"(?:when|what\s+(?:time|day|date))(?:{_BE}|\s+(?:do|does|will))?\s+(?P<clause>(?!did\b).+)")
_WHO = Pattern(r"who(?:'s|s|\s+is|\s+are|\s+was)?\s+(?P<s>[\w' -]+)")
_WHO_FOR = Pattern(
    rf"who(?:m)?\s+(?:do|does|did)\s+{_SUBJECT}\s+work\s+(?:for|with)|for\s+whom\s+(?:do"
    rf"|does)\s+(?P<s2>\w+)\s+work"
)
_WHICH = Pattern(
    rf"(?:what|which)(?:\s+(?:kind|sort|type)s?\s+of)?(?:\s+(?P<kind>(?!can\b|can't\b|cannot\b|don't\b|doesn't\b|should\b"
    rf"|will\b|would\b|could\b|do\b|does\b|did\b|is\b|are\b|am\b|i\b|we\b|my\b|our\b"
    rf"|the\b)[\w'+#-]+(?:\s+[\w'-]+)?))??"
    rf"\s+(?:(?:do|does|did|have|has)\s+{_SUBJECT}\s+(?P<v>[\w' -]+)"
    rf"|(?:am|is|are)\s+{_SUBJECT.replace('<s>', '<s2>')}\s+(?P<v2>(?:allergic\s+to|learning|studying"
    rf"|working\s+on|into|fond\s+of|using|going\s+with)))"
)
_WHICH_NOT = Pattern(
    rf"(?:what|which)(?:\s+(?P<kind>[\w'-]+))??\s+(?:don't|doesn't|can't|cannot)\s+{_SUBJECT}\s+(?P<v>[\w' -]+)"
)
_WHICH_INDIRECT = Pattern(
    rf"(?:what|which)(?:\s+(?P<kind>(?!can't\b|can\b|don't\b|doesn't\b|did\b)[\w'-]+))??\s+{_SUBJECT}\s+(?P<v>(?:like"
    rf"|prefer|use|speak|eat|drink|play|drive|study|hate|love|enjoy)s?)"
)
_WHAT_IS = Pattern(r"(?:what|which)(?:'s|s|\s+is|\s+are|\s+was|\s+were)\s+(?P<s>.+)")
_WHAT_S_IS = Pattern(r"(?:what|who|where|when)\s+(?P<s>(?:my|our|the)\s+.+?)\s+(?:is|are|was)")
_BARE = Pattern(r"(?P<s>(?:my|our|the)\s+[\w' -]+)")
_YES_DO = Pattern(rf"(?:do|does|did|don't|doesn't)\s+{_SUBJECT}\s+(?:still\s+)?(?P<v>.+)")
_YES_HAVE = Pattern(r"(?:have|has)\s+(?P<s>i|we|my\s+[\w'-]+|she|he)\s+(?P<v>(?:got\s+)?an?\s+.+)")
_YES_BE = Pattern(
    r"(?:am|is|are|isn't|aren't|was)\s+(?P<rest>(?:i|we|he|she|they|my|our|the|(?-i:[A-Z])[\w'-]+)\s.+)"
)
_TOLD_YOU = Pattern(
    r"i\s+(?:told|already\s+told|mentioned|gave)\s+(?:you\s+)?(?P<what>(?:my|our)\s+.+?),?\s+(?:right|correct|didn't\s+i"
    r"|yes|no)"
)
_PAST = Pattern(
    r"(?:what|which|where|who|how)\b.*?\b(?:did|have|had|was|were)\s+(?:i|we)\b\s*(?:say|do|tell\s+you)?"
)
_EARLY = Pattern(
    r"what\s+(?:did|have)\s+(?:i|we)\s+(?:say|said|tell\s+you|talk|talked|mention|discuss)\s+"
    rf"(?P<time>{TIME})\s+(?:about|of|on|regarding)\s+(?P<topic>.+)"
)
_OR = Pattern(r",?\s+or\s+(?:rather\s+)?")
_CHOSEN = ("prefers", "likes", "uses", "drinks", "eats", "drives", "plays")
_LIKES_TO = Pattern(r"(?:like|love|prefer|enjoy|want)s?\s+(?:to\s+)?(?P<v>drink|eat)(?:ing)?")
_STATED = Pattern(r"(?:i|my|we|our)\b")
_DATED = Pattern(rf"(?P<before>.*?)\s*\b(?P<time>{TIME})\s*$")
_FORMER = Pattern(r"\b(?:before|previously|formerly|earlier|used\s+to|my\s+old)\b")
_NUMBER = Pattern(r"how\s+(?:many|much|long|tall|far|big|often)\b")


def read_question(text: str) -> Question:
    """Return what a sentence asks; what fits no pattern is a topic to look for."""
    plain = with_capitals(text.replace("’", "'").strip())
    plain = _HAVE_GOT.sub(r"do i have", plain)
    lead = _LEAD.match(plain)
    led = plain[lead.end() :] if lead else plain
    led = mended_question(led) or led
    asked = _TRAIL.sub("", led).strip()
    if (match := _SAME.fullmatch(_TRAIL.sub("", plain).strip())) and (who := _person(match["s"])) is not None:
        return Same(who)
    for form in (asked, _TRAIL.sub("", plain).strip()):
        found = _wide(form) or read_past(form, _slot) or _slot(form) or read_ever(form, _check) or _check(form)
        if found is not None:
            return found
    if match := _TOLD_YOU.fullmatch(asked):
        return read_question(f"what is {match['what']}")
    foreign = read_foreign(plain)
    if foreign is not None:
        return foreign
    if (dated := _DATED.fullmatch(asked)) and _PAST.match(dated["before"]):
        return About(_PAST.sub("", dated["before"]).strip() or asked, time=dated["time"])
    return About(asked or plain, _wants(asked), is_open=True)


def _wide(asked: str) -> Question | None:
    """Read the questions that ask for more than one value."""
    if (event := read_event_question(asked)) is not None:
        return event
    if match := _TALK.fullmatch(asked):
        time = next((text for name, text in match.groupdict().items() if name.startswith("time") and text), "")
        return Talk(time.strip())
    if _PROFILE.fullmatch(asked):
        return Profile()
    if _RULES.fullmatch(asked):
        return Rules()
    if early := _EARLY.fullmatch(asked):
        return About(early["topic"], time=early["time"])
    if match := _ABOUT.fullmatch(asked):
        topic = next(text for name, text in match.groupdict().items() if name.startswith("topic") and text)
        if dated := _DATED.fullmatch(topic):
            return About(dated["before"] or topic, time=dated["time"]) if dated["before"] else Talk(dated["time"])
        return About(topic)
    if match := _NEW.fullmatch(asked):
        return Talk(match["time"])
    if match := _HISTORY.fullmatch(asked):
        return Talk(next(kind for kind in (FIRST, COUNT, JUST_NOW) if match[kind]))
    return None


def _slot(asked: str) -> Question | None:
    """Read the questions that ask for one value, by putting a hole into the statement that would answer them."""
    is_former = _FORMER.search(asked) is not None
    for who, clause, kind, wants in _declarations(asked):
        if who is not None:
            return Slot(who, clause, kind, wants, is_former)
        for statement in read_clause(clause, None, None):
            is_kind = statement.attribute == attributes.HAS and bool(asked_things(f"which {kind}"))
            is_told = statement.attribute not in ("is", attributes.HAS) or is_kind
            if HOLE in statement.value and is_told or _is_pronoun(statement):
                who = statement.who
                asked_of = Who(who.kind, who.relation) if who.name == HOLE else who
                is_not = statement.polarity == "is not"
                return Slot(asked_of, statement.attribute, kind, wants, is_former, is_not)
    if match := _WHO.fullmatch(asked):
        person = _person(match["s"])
        if person is not None and person.relation and not person.name:
            return Slot(person, attributes.NAME)
        if person is not None and person.name:
            return Person(person.name)
    return None


def _is_pronoun(statement: Statement) -> bool:
    return statement.who.kind == "someone" and HOLE in statement.value


def _declarations(asked: str) -> Iterator[tuple[Who | None, str, str, Wants]]:
    """Yield the statements a question may be the hole of; with a person, the second part is the attribute."""
    if _WHO_AM_I.fullmatch(asked):
        yield USER, attributes.NAME, "", "any"
    if _CALL_ME.fullmatch(asked):
        yield USER, attributes.CALLED, "", "any"
    if match := _NAME_OF.fullmatch(asked) or _CALLED.fullmatch(asked):
        groups = match.groupdict()
        named = groups["s"] or groups.get("s2") or ""
        if (person := _person(named)) is not None:
            yield person, attributes.NAME, "", "any"
        yield None, f"{named} is called {HOLE}", "", "any"
    if (match := _OLD.fullmatch(asked)) and (person := _person(match["s"])) is not None:
        yield person, "age", "", "any"
    if match := _MEASURE.fullmatch(asked):
        noun = {"tall": "height", "heavy": "weight"}[fold(match["how"])]
        owner = "my" if fold(match["s"]) == "i" else f"{match['s']}'s"
        yield None, f"{owner} {noun} is {HOLE}", "", "any"
    if match := _OCCUPATION.fullmatch(asked):
        person = _person(match["s"])
        if person is not None:
            yield person, "role", "", "any"
    if match := _WHO_FOR.fullmatch(asked):
        yield None, f"{match['s'] or match['s2']} work for {HOLE}", "", "any"
    if match := _WHERE.fullmatch(asked):
        yield from _where(match["clause"])
    if match := _WHEN.fullmatch(asked):
        yield from _when(match["clause"])
    if match := _WHICH_NOT.fullmatch(asked):
        yield None, f"{match['s']} don't {match['v']} {HOLE}", match["kind"] or "", "any"
    for pattern in (_WHICH, _WHICH_INDIRECT):
        if match := pattern.fullmatch(asked):
            groups = match.groupdict()
            subject, verb = groups["s"] or groups["s2"], groups["v"] or groups["v2"]
            kind = match["kind"] or ""
            if fold(verb).startswith("decide") or fold(verb).startswith("agree"):
                topic = re.sub(r"^\w+\s*(?:about|on|to|regarding|for)?\s*", "", verb)
                yield None, f"{subject} decided on {HOLE}", topic, "any"
            if (doing := _LIKES_TO.fullmatch(verb)) and (person := _person(subject)) is not None:
                yield person, "likes", "drink" if fold(doing["v"]) == "drink" else "food", "any"
            if fold(verb) == "drive" and (person := _person(subject)) is not None:
                yield person, "drives", "", "any"
            yield None, f"{subject} {verb} {HOLE}", kind, "any"
            yield None, f"{subject} is {verb} {HOLE}", kind, "any"
    for pattern in (_WHAT_IS, _WHAT_S_IS, _BARE):
        if match := pattern.fullmatch(asked):
            subject = match["s"]
            if (person := _person(subject)) is not None and person.relation and not person.name:
                yield person, attributes.NAME, "", "any"
            yield None, f"{subject} is {HOLE}", "", "any"


def _where(clause: str) -> Iterator[tuple[Who | None, str, str, Wants]]:
    words = re.sub(r"\s+(?:before|previously|formerly|earlier|now|these\s+days)$", "", clause)
    words = re.sub(r"\s+(?:is|are|am|was|located)$", "", words)
    subject, _, verb = words.rpartition(" ")
    if verb == "born" and (person := _person(subject.removesuffix(" was"))) is not None:
        yield person, "birthplace", "", "any"
    if fold(words) in ("i", "we"):
        yield USER, "is in", "", "any"
    if verb == "from":
        yield None, f"{re.sub(r' (?:come|comes|am|is)$', '', subject)} come from {HOLE}", "", "any"
    elif verb in ("up", "to", "at", "in", "for"):
        verbs = {"up": "grew up in", "to": "live in", "at": "work at", "in": "live in", "for": "work for"}
        yield None, f"{subject.rpartition(' ')[0]} {verbs[verb]} {HOLE}", "", "any"
    elif verb in ("work", "works", "working"):
        yield None, f"{subject} work at {HOLE}", "", "any"
    elif verb in ("live", "lives", "living", "study", "studies", "based", "reside"):
        yield None, f"{subject} {'is ' if verb in ('living', 'based') else ''}{verb} in {HOLE}", "", "any"
    else:
        yield None, f"{re.sub(rf' (?:{DOES})$', '', words)} is {HOLE}", "", "where"


def _when(clause: str) -> Iterator[tuple[Who | None, str, str, Wants]]:
    words = re.sub(r"\s+(?:is|are|due|happening|take\s+place)$", "", clause)
    subject, _, verb = words.rpartition(" ")
    if verb == "born" and (person := _person(subject.removesuffix(" was"))) is not None:
        yield person, "birthday", "", "when"
    if re.match(r"(?:i|we)\s", words):
        yield None, f"{words} every {HOLE}", "", "when"
    else:
        yield None, f"{re.sub(rf' (?:{DOES})$', '', words)} is {HOLE}", "", "when"


def _check(asked: str) -> Question | None:
    """Read a question that wants a yes or a no, by making the statement it is about."""
    for clause in _claims(asked):
        found = read_clause(clause, None, None)
        if found and not (found[0].attribute == "is" and found[0].who.kind in ("we", "someone")):
            choice = _OR.split(found[0].value) if found[0].attribute in _CHOSEN else ()
            if len(choice) > 1:
                return Slot(found[0].who, found[0].attribute, among=tuple(choice))
            return Check(found[0])
    return None


def _claims(asked: str) -> Iterator[str]:
    if match := TAGGED.fullmatch(asked):
        yield match["claim"]
    if match := _YES_DO.fullmatch(asked):
        yield f"{match['s']} {match['v']}"
    if match := _YES_HAVE.fullmatch(asked):
        yield f"{match['s']} have {match['v'].removeprefix('got ')}"
    if match := _YES_BE.fullmatch(asked):
        words = match["rest"].split()
        first = fold(words[0])
        if first in ("i", "we", "he", "she", "they"):
            yield f"{words[0]} {'am' if first == 'i' else 'is'} {' '.join(words[1:])}"
        # "is my name Ada": where the thing ends and the value begins is tried out.
        for cut in range(1 if words[0][:1].isupper() else 2, min(len(words), 6)):
            yield f"{' '.join(words[:cut])} is {' '.join(words[cut:])}"
    if _STATED.match(asked):
        yield asked


def _person(words: str) -> Who | None:
    """Return whom some words name."""
    text = words.strip()
    low = fold(text)
    if low in ("i", "me", "myself"):
        return USER
    if low in ("he", "she", "they", "him", "her", "them"):
        return Who("someone", name=low)
    for owner in ("my ", "our "):
        if low.startswith(owner):
            found = relation_at(text, len(owner))
            # "my cats" ends one letter behind the cat.
            is_whole = found is not None and text[found[1] :].lower() in ("", "s")
            return found[0] if found is not None and is_whole else None
    name = name_in(text, is_sure=False)
    return Who("person", name=name) if name and len(name) == len(text) else None


def _wants(asked: str) -> Wants:
    if _NUMBER.match(asked):
        return "number"
    return "when" if re.match(r"(?:when|what\s+(?:time|day|date))\b", asked) else "any"


def read_foreign(text: str) -> Question | None:
    """Read a question of another language; None when it is none. The languages are loaded for the first one."""
    if not text.strip():
        return None
    from hermes_agent.agent.embedded.questions_abroad import read_foreign_question

    return read_foreign_question(text)
