"""Standing instructions: how the assistant shall work from now on, told from what it shall do once.

An order stands if it says so ("always", "from now on"), forbids something, follows from what the user just told of
themselves ("I'm an engineer, so skip the basics"), or is about the manner of answers ("answer in French").
"""

from collections.abc import Iterator

from hermes_agent.learn import attributes, glue
from hermes_agent.learn.facts_told import made
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.parsing import Clause, Span
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.wishes import (
    WORKS,
    is_for_all,
    is_insisted,
    is_ruled_out,
    polite_wish,
    refused_at,
    rule_at,
    short_wish,
)
from hermes_agent.records.statements import USER, Statement, Who
from hermes_agent.text.verbs import lemma

_STANDING = (
    "any more",
    "anymore",
    "at all times",
    "by default",
    "every time",
    "forever",
    "from here on",
    "from now on",
    "from this point",
    "going forward",
    "henceforth",
    "in anything",
    "in everything",
    "in future",
    "in the future",
    "when i ",
    "when you ",
    "whenever",
)
_ALWAYS = word_set("always never")
_NO_ORDERS = word_set(
    """help forget remember note ignore disregard scratch bin scrap mind need want love like hope miss wish feel
    guess mean trust thank believe appreciate enjoy"""
)
_PASSING = word_set(
    """trust worry mind get know think forget let hesitate judge laugh ask be bother care understand have need want
    like love feel seem sound remember see agree exist belong matter"""
)
_NO_CALLS = word_set(
    """a an the at tomorrow tonight today later back when if once on after before maybe asap monday tuesday
    wednesday thursday friday saturday sunday"""
)
_EPITHETS = word_set(
    """biased boring crazy cynical dumb lazy mad naive old-fashioned old paranoid petty picky sentimental silly
    stupid superstitious weird"""
)
_ONE_TEXT = word_set("this these following below above attached")
_ONCE = word_set(
    """help let know tell give suggest recommend find show draft list rate wish translate let look guess imagine
    check see make create generate plan remind go come try thank say bring wait do come advise walk identify
    provide analyse analyze calculate count compare discuss outline indicate"""
)
_MANNER = word_set(
    """use keep write answer reply respond speak address refer sign format round spell include put cite adapt
    treat avoid skip type-hint prefer assume limit"""
)
_REFUSING = word_set("stop avoid skip refrain cut")
_SO = _MANNER | word_set("explain be talk treat leave spare stop suggest recommend comment annotate label tag")
_ANSWERS = word_set(
    """answers apologies bullets bulletpoints caveats comments code disclaimers emoji emojis essays examples
    explanations flattery greetings hashtags headings ideas jargon jokes links lists markdown metaphors
    options points puns recipes replies rhymes small-talk spoilers suggestions summaries tables tips"""
)
_FRANKLY = word_set(
    """blunt frank honest direct brisk gentle patient kind careful specific thorough strict terse"""
)
_WISHING = word_set("would should kindly therefore accordingly must") | {"'d"}
_WISHES = word_set("rather like ask prefer request")
_EVERY = word_set("all every any each dates sums figures answers replies")
_ONE_THING = word_set("a an the this that these those them him her his their my our it")
_BRIEFLY = word_set("""short brief simple concise quick light plain formal informal casual professional polite""")
_PLAIN_MANNER = word_set("use keep answer reply respond address avoid skip speak")
_HERE = word_set("this these following below above attached it here now today tonight")
_ASKED = word_set("ask want need like prefer expect request trust beg")
_TAIL = ("please", "ok", "okay", "thanks", "from", "now", "on", "then", "though")
_NO = word_set("no less fewer nothing enough")
_SHAPING = word_set("start begin end close open sign keep put format round spell date number")
_POINTED = word_set("the this that these those it")
_CASES = word_set("if when whenever")
_TALKED = word_set(
    """ask paste send mention say write draft give suggest recommend reply answer propose plan quote cite explain
    forget type summarise summarize translate code review request"""
)
_TOPIC = Pattern(r"(?P<topic>[^:?!]{3,60}):\s+(?P<rules>[^:?]+)$")
# "When you write SQL for me, keywords in upper case": no verb, no "I" behind it.
_CASE = Pattern(
    r"(?P<topic>when you (?:write|draft|send|code|translate|quote)\b[^:?!,]{0,40}?\b(?:for|to) (?:me|us)),"
    r"\s+(?P<rules>(?:no\s|[\w-]+s\s(?:in|with|without|at|under)\s)(?![^.]*\b(?:i|you|we|it|is|are)\b)[^:?]+)$"
)
_RULE = Pattern(r"\s*[,;.]\s+|\s+and\s+")
_SHORT_RULE = 60


def read_order(words: Words, clause: Clause, before: Clause | None) -> Statement | None:
    """Return the standing instruction a clause gives."""
    if before is not None and before.is_supposed and "and" in clause.joint:
        return None  # "if I were young I would sail and never come home"
    span = _ordered(words, clause, before)
    if span is None:
        return None
    begin, end = _trimmed(words, *span)
    if end <= begin or words.words[begin:end] == ["call", "me"]:
        return None
    start, stop = words.starts[min(clause.place, begin)], words.ends[max(end, clause.end) - 1]
    verb = clause.verb
    if verb is not None and words.words[begin] == "for" and "@" in words.at(verb.end):
        thing = Who("thing", name=words.said(begin + 1, verb.begin).lower())
        return made(thing, "contact", words.said(verb.end, verb.end + 1), start, stop)
    is_named = verb is not None and verb.verb in ("call", "address") and not verb.is_denied and not verb.phase
    if verb is not None and is_named and (name := _called(words, verb.end, end)):
        return made(USER, attributes.CALLED, words.said(*name), start, stop)
    return made(USER, attributes.INSTRUCTION, words.said(begin, end), start, stop)


def _called(words: Words, begin: int, end: int) -> Span | None:
    if words.at(begin) != "me" or words.at(begin + 1) in ("in", "by", "on", "when", "at"):
        return None
    begin += 1 + (words.at(begin + 1) == "as")
    for place in range(begin, end):
        if words.words[place] in glue.CLOSED:
            return (begin, place) if place > begin else None
    return (begin, end) if begin < end else None


def _ordered(words: Words, clause: Clause, before: Clause | None) -> Span | None:
    if clause.kind == "fragment":
        return _forbidden_thing(words, clause)
    if clause.kind == "told":
        return _asked_of_you(words, clause) or rule_at(words, clause) or refused_at(words, clause)
    verb = clause.verb
    if clause.kind != "order" or verb is None:
        return None
    if before is not None and clause.joint[:1] == (",",) and _is_case(words, before):
        return before.begin, clause.end
    if (lead := _scope(words, clause, before)) is not None:
        return lead, clause.end
    begin = verb.begin
    while begin > clause.begin and words.words[begin - 1] in ("always", "never", "only", "just"):
        begin -= 1
    return (begin, clause.end) if _is_standing(words, clause, before) else None


def _is_case(words: Words, clause: Clause) -> bool:
    """Tell whether a clause says in which case of the talk an order holds: "when I paste a log"."""
    verb, subject = clause.verb, clause.subject
    if verb is None or subject is None or words.words[clause.begin] not in _CASES:
        return False
    is_ours = words.words[subject[0]] in ("i", "you") and verb.tense == "present" and not verb.is_progressive
    return is_ours and verb.verb in _TALKED and _POINTED.isdisjoint(words.words[verb.end : clause.end])


def _scope(words: Words, clause: Clause, before: Clause | None) -> int | None:
    """Return where the words begin that say for what an order stands: "for invoices use …"."""
    verb = clause.verb
    begin = clause.begin
    if before is not None and before.kind == "fragment" and before.begin == 0 and clause.joint == (",",):
        begin = before.begin
    if verb is None or verb.verb not in _MANNER or words.words[begin] not in ("for", "in") or begin == verb.begin:
        return None
    noun = words.words[begin + 1]
    is_kind = words.is_capital(begin + 1) or noun.endswith("s")
    return begin if is_kind and noun not in glue.CLOSED and words.at(verb.end) not in _POINTED else None


def _is_said_to_stand(words: Words, clause: Clause) -> bool:
    """Tell whether an order says of itself that it stands: "always", "from now on"."""
    verb = clause.verb
    if verb is None or clause.kind != "order":
        return False
    said = " ".join(words.words[clause.begin : clause.end])
    is_always = not _ALWAYS.isdisjoint(words.words[clause.begin : verb.place])
    return is_always or any(one in said for one in _STANDING if verb.verb not in _ONCE or "when " not in one)


def _is_standing(words: Words, clause: Clause, before: Clause | None) -> bool:
    verb = clause.verb
    assert verb is not None
    listed = words.words[clause.begin : clause.end]
    first = lemma(words.words[verb.begin], "base")
    if verb.verb == "call" and words.at(verb.end) == "me":
        return verb.is_denied or not _is_rung(words, verb.end + 1)
    if verb.verb in _NO_ORDERS:
        return False
    if _is_said_to_stand(words, clause):
        return True
    is_once = before is not None and before.kind == "told" and words.words[before.begin] in _CASES
    if is_once or "else" in listed:
        return False
    is_second = before is not None and before.verb is not None and before.verb.verb not in _PASSING
    if is_second and before is not None and verb.verb not in _ONCE and _is_said_to_stand(words, before):
        return _HERE.isdisjoint(listed)
    if verb.verb in ("keep", "leave") and "out" in listed and _is_left_out(words, clause, before):
        return True
    if verb.verb == "be" and words.at(verb.end) in _BRIEFLY | _FRANKLY:
        return before is not None or not _ALWAYS.isdisjoint(clause.joint) or "please" in clause.joint
    if words.at(verb.end + (words.at(verb.end) == "me")) in ("nothing", "none") or "none" in listed[1:4]:
        return True
    goes_on = before is not None and "and" in clause.joint and _ANSWERS.isdisjoint(listed)
    if verb.is_denied or verb.phase == "ends" or (first in _REFUSING and not goes_on):
        if verb.verb == "tell" and (words.at(verb.end) not in ("me", "us") or verb.end + 1 >= clause.end):
            return False
        if "again" in listed or not _ONE_TEXT.isdisjoint(words.words[verb.end : clause.end]):
            return False
        return verb.verb not in _PASSING or (verb.verb == "ask" and verb.phase == "ends")
    if verb.verb != "keep" and not _HERE.isdisjoint(listed) or listed[-1] == "again":
        return False
    if "so" in clause.joint and before is not None and before.kind == "told":
        is_general = verb.verb in ("give", "send", "show") and _is_general(words, verb.end, clause.end)
        is_general = is_general or (verb.verb not in _ONCE and is_for_all(words.words[verb.end : clause.end]))
        return verb.verb in _SO or is_general or ("please" in clause.joint and verb.verb not in _ONCE)
    if before is not None and before.kind == "order" and "and" in clause.joint:
        return verb.verb in _MANNER and words.at(verb.end) not in _ONE_THING - {"it"}
    if verb.verb == "ensure" and "your" in listed[2:6] and not WORKS.isdisjoint(listed):
        return True
    is_lasting = verb.verb not in _ONCE or words.words[verb.place : verb.end + 1] == ["make", "sure"]
    if is_lasting and is_for_all(words.words[verb.end - (verb.verb in _SHAPING) : clause.end]):
        return True
    if verb.verb in ("talk", "speak", "treat") and "me" in listed and "like" in listed:
        return True
    if words.words[verb.end : verb.end + 3] == ["me", "everything", "in"]:
        return True
    if words.at(verb.end) in _ONE_THING and not (
        words.at(verb.end) == "it" and words.at(verb.end + 1) in _BRIEFLY
    ):
        return verb.verb in ("address", "treat") or (
            verb.verb in _MANNER and words.words[clause.end - 1] in _ANSWERS
        )
    if verb.verb in ("stick", "default") and words.at(verb.end) in ("to", "with"):
        return words.at(verb.end + 1) not in _ONE_THING
    return verb.verb in (_MANNER if "please" in clause.joint or "kindly" in clause.joint else _PLAIN_MANNER)


def _is_left_out(words: Words, clause: Clause, before: Clause | None) -> bool:
    """Tell whether a thing is kept out of what is written: "keep nuts out of any recipe", "so leave it out"."""
    is_reason = "so" in clause.joint and before is not None and before.kind == "told"
    return is_reason or is_for_all(words.words[clause.place : clause.end]) or words.words[clause.end - 1] in WORKS


def _is_rung(words: Words, place: int) -> bool:
    """Tell whether "call me" asks for a ring or a cab, or is a figure of speech: "call me crazy, but …"."""
    word = words.at(place)
    return not word or word in _NO_CALLS or word in _EPITHETS or words.words[place + 1 : place + 3] == [",", "but"]


def _is_general(words: Words, begin: int, end: int) -> bool:
    """Tell whether things are asked for by their kind, not by number: "give me pnpm commands"."""
    begin += words.at(begin) in ("me", "us")
    return begin < end and words.words[begin] not in glue.DETERMINERS and words.words[begin] not in glue.NUMBERS


def _forbidden_thing(words: Words, clause: Clause) -> Span | None:
    """Read "no more egg recipes please", "no deploys on Fridays, ever", "enough with the emojis"."""
    begin = clause.place - (clause.place > 0 and words.words[clause.place - 1] == "no")
    is_no = words.words[begin] in _NO
    is_meant = "please" in words.words[clause.begin : clause.end + 1]
    is_meant = is_meant or not _ANSWERS.isdisjoint(words.words[begin : clause.end])
    is_meant = is_meant or words.words[clause.end : clause.end + 2] == [",", "ever"]
    is_reason = "so" in clause.joint
    is_ruled = is_ruled_out(words.words[begin : clause.end], is_reason=is_reason)
    is_meant = is_meant or (is_ruled and (is_reason or is_insisted(words.words)))
    return (begin, clause.end) if is_no and is_meant and clause.end - begin > 1 else None


def _asked_of_you(words: Words, clause: Clause) -> Span | None:
    """Read "I would ask you never to use first names", "I'd like you to be brief"."""
    verb = clause.verb
    if verb is None or verb.verb not in _ASKED or clause.subject is None:
        return None
    if words.words[clause.subject[0]] not in glue.I_OR_WE or words.at(verb.end) != "you" or verb.tense == "past":
        return None
    place = verb.end + 1
    while place < clause.end and words.words[place] in ("never", "always", "not", "please"):
        place += 1
    if words.at(place) != "to":
        return None
    if verb.is_denied:
        return verb.begin, clause.end
    return (verb.end + 1 if place > verb.end + 1 else place + 1), clause.end


def read_wish(words: Words, *, is_asked: bool) -> Iterator[Statement]:
    """Read "I'd be glad if you kept it formal", "short answers please"; a question only if it is for all time."""
    if not is_asked or words.words[-4:-1] == ["from", "now", "on"]:
        span = polite_wish(words) or short_wish(words)
        yield from () if span is None else (_wish(words, *span),)


def read_wish_of_manner(words: Words) -> Iterator[Statement]:
    """Read "I'd rather you answered in metric", "I should like all figures in francs", "I ask that dates …"."""
    listed = words.words
    if "i" not in listed or _WISHES.isdisjoint(listed):
        return
    for place in range(1, len(listed) - 2):
        is_rather = listed[place] == "rather" and listed[place + 1] == "you"
        is_wish = listed[place] in ("like", "ask", "prefer", "request") and listed[place - 1] in _WISHING
        after = place + 1 + (is_rather or listed[place + 1] in ("that", "for"))
        if not is_rather and not (is_wish and words.at(after) in _EVERY) or "i" not in listed[:place]:
            continue
        begin, end = _trimmed(words, after, _end_of_wish(words, after))
        if begin < end:
            yield _wish(words, begin, end)
        return


def _wish(words: Words, begin: int, end: int) -> Statement:
    start, stop = words.starts[begin], words.ends[end - 1]
    if words.words[begin] in ("call", "called", "address", "addressed") and (
        name := _called(words, begin + 1, end)
    ):
        return made(USER, attributes.CALLED, words.said(*name), start, stop)
    return made(USER, attributes.INSTRUCTION, words.said(begin, end), start, stop)


def _end_of_wish(words: Words, begin: int) -> int:
    for place in range(begin, len(words.words)):
        if words.words[place] in ("since", "because", "as", ";") or words.words[place : place + 2] == [
            "and",
            "all",
        ]:
            return place
    return len(words.words)


def _trimmed(words: Words, begin: int, end: int) -> Span:
    while begin < end and words.words[begin] in ("please", "kindly", "so", "and", ",", "also"):
        begin += 1
    while end > begin and (
        words.words[end - 1] in ("please", "ok", "okay", "thanks", "like") or words.words[end - 1] in glue.MARKS
    ):
        end -= 1
    if words.words[max(end - 3, begin) : end] == ["from", "now", "on"]:
        end -= 3
    return begin, end


def read_topic(message: str, start: int, end: int) -> Iterator[Statement]:
    """Read rules listed behind a topic: "Commit messages: imperative mood, max 60 characters"."""
    match = _TOPIC.match(message[start:end])
    if match is None or not _is_topic(match["topic"]):
        match = _CASE.match(message[start:end])
    if match is None:
        return
    at = match.start("rules")
    for joint in (*_RULE.finditer(match["rules"]), None):
        stop = match.start("rules") + (joint.start() if joint else len(match["rules"]))
        rule = match.string[at:stop].strip(" .")
        if rule and len(rule) <= _SHORT_RULE and rule.lower() not in ("always", "please"):
            yield made(USER, attributes.INSTRUCTION, rule, start, end)
        at = match.start("rules") + joint.end() if joint else stop


def _is_topic(topic: str) -> bool:
    words = topic.lower().split()
    return (
        words[0] in ("when", "for", "in")
        and "you" in words
        or words[-1]
        in (
            "messages",
            "answers",
            "replies",
            "emails",
            "mails",
            "comments",
            "style",
            "format",
            "code",
            "rule",
            "rules",
            "tone",
        )
    )
