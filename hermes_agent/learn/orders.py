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
from hermes_agent.records.statements import USER, Statement
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
    """help forget remember note ignore disregard scratch need want love like hope miss wish feel guess mean
    thank believe appreciate enjoy"""
)
_PASSING = word_set("""worry mind get know think forget let hesitate judge laugh ask be bother care understand""")
_ONCE = word_set(
    """help let know tell give suggest recommend find show draft list rate wish translate let look guess imagine
    check see make create generate plan remind go come try thank say bring wait do come advise walk"""
)
_MANNER = word_set(
    """use keep write answer reply respond speak address refer sign format round spell include put cite adapt
    treat avoid skip type-hint prefer assume limit"""
)
_REFUSING = word_set("stop avoid skip refrain cut")
_SO = _MANNER | word_set("explain be talk treat leave spare stop suggest recommend")
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
_ASKED = word_set("ask want need like prefer expect request trust")
_TAIL = ("please", "ok", "okay", "thanks", "from", "now", "on", "then", "though")
_NO = word_set("no less fewer nothing")
_TOPIC = Pattern(r"(?P<topic>[^:?!]{3,60}):\s+(?P<rules>[^:?]+)$")
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
    if verb is not None and verb.verb in ("call", "address") and (name := _called(words, verb.end, end)):
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
        return _asked_of_you(words, clause)
    verb = clause.verb
    if clause.kind != "order" or verb is None:
        return None
    begin = verb.begin
    while begin > clause.begin and words.words[begin - 1] in ("always", "never", "only", "just"):
        begin -= 1
    return (begin, clause.end) if _is_standing(words, clause, before) else None


def _is_standing(words: Words, clause: Clause, before: Clause | None) -> bool:
    verb = clause.verb
    assert verb is not None
    listed = words.words[clause.begin : clause.end]
    first = lemma(words.words[verb.begin], "base")
    if verb.verb == "call" and words.at(verb.end) == "me":
        return True
    if verb.verb in _NO_ORDERS:
        return False
    said = " ".join(listed)
    if any(
        one in said for one in _STANDING if verb.verb not in _ONCE or "when " not in one
    ) or not _ALWAYS.isdisjoint(words.words[clause.begin : verb.place]):
        return True
    if verb.verb == "be" and words.at(verb.end) in _BRIEFLY | _FRANKLY:
        return before is not None or not _ALWAYS.isdisjoint(clause.joint) or "please" in clause.joint
    if words.at(verb.end + (words.at(verb.end) == "me")) in ("nothing", "none") or "none" in listed[1:4]:
        return True
    goes_on = before is not None and "and" in clause.joint and _ANSWERS.isdisjoint(listed)
    if verb.is_denied or verb.phase == "ends" or (first in _REFUSING and not goes_on):
        if "again" in listed:
            return False
        return verb.verb not in _PASSING
    if verb.verb != "keep" and not _HERE.isdisjoint(listed) or listed[-1] == "again":
        return False
    if "so" in clause.joint and before is not None and before.kind == "told":
        is_general = verb.verb in ("give", "send", "show") and _is_general(words, verb.end, clause.end)
        return verb.verb in _SO or is_general or ("please" in clause.joint and verb.verb not in _ONCE)
    if before is not None and before.kind == "order" and "and" in clause.joint:
        return verb.verb in _MANNER and words.at(verb.end) not in _ONE_THING - {"it"}
    if words.at(verb.end) in _ONE_THING and not (
        words.at(verb.end) == "it" and words.at(verb.end + 1) in _BRIEFLY
    ):
        return verb.verb in ("address", "treat") or (
            verb.verb in _MANNER and words.words[clause.end - 1] in _ANSWERS
        )
    return verb.verb in (_MANNER if "please" in clause.joint or "kindly" in clause.joint else _PLAIN_MANNER)


def _is_general(words: Words, begin: int, end: int) -> bool:
    """Tell whether things are asked for by their kind, not by number: "give me pnpm commands"."""
    begin += words.at(begin) in ("me", "us")
    return begin < end and words.words[begin] not in glue.DETERMINERS and words.words[begin] not in glue.NUMBERS


def _forbidden_thing(words: Words, clause: Clause) -> Span | None:
    """Read "no more egg recipes please"."""
    begin = clause.place - (clause.place > 0 and words.words[clause.place - 1] == "no")
    is_no = words.words[begin] in _NO
    is_meant = "please" in words.words[clause.begin : clause.end + 1]
    is_meant = is_meant or not _ANSWERS.isdisjoint(words.words[begin : clause.end])
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
    return (verb.end + 1 if place > verb.end + 1 else place + 1), clause.end


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
            yield made(
                USER, attributes.INSTRUCTION, words.said(begin, end), words.starts[begin], words.ends[end - 1]
            )
        return


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
        words.words[end - 1] in ("please", "ok", "okay", "thanks") or words.words[end - 1] in glue.MARKS
    ):
        end -= 1
    if words.words[max(end - 3, begin) : end] == ["from", "now", "on"]:
        end -= 3
    return begin, end


def read_topic(message: str, start: int, end: int) -> Iterator[Statement]:
    """Read rules listed behind a topic: "Commit messages: imperative mood, max 60 characters"."""
    match = _TOPIC.match(message[start:end])
    if match is None or not _is_topic(match["topic"]):
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
            "rules",
            "tone",
        )
    )
