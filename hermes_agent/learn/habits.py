"""What somebody does again and again, does for a living, plans, wants or has decided.

Read of verbs that the table of meanings does not have: a habit is told by its times, a plan by its date, work by
the class of the verb.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from hermes_agent.learn import glue, kinds
from hermes_agent.learn.attributes import ENDED
from hermes_agent.learn.facts_told import Told
from hermes_agent.learn.kinds import kinds_of
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.life_plans import STUDY, is_of_life
from hermes_agent.learn.objects import end_of_object, first_part, trimmed
from hermes_agent.learn.people import is_known_person
from hermes_agent.learn.times import is_week
from hermes_agent.learn.tokens import Words
from hermes_agent.records.statements import Statement
from hermes_agent.text.verbs import kind_of, lemma

_PLANNED = word_set("plan intend")
_WANTED = word_set("want hope aim try wish save")
_GOALS = word_set("lose learn become save quit stop retire move buy master")
_PLANS_OF_LIFE = word_set("settle emigrate relocate adopt retrain specialise specialize return")
_DATED_GOALS = _GOALS | word_set("finish pass run open launch start")
_MEASURED = word_set("get read run walk cycle swim reach hit earn climb lift row")
_STATES = word_set("free fluent debt-free mortgage-free")
_SETTLED = word_set(
    """accept adopt ban become build cancel close convert delay drop extend freeze go hire keep launch leave
    marry merge migrate move open park postpone pull quit rebuild rename renew replace retire rewrite sell
    ship split standardise standardize stay stick stop study support switch use"""
)
_SPANS = word_set("year month summer winter spring autumn fall season term semester")
_GONE = word_set("with freelance vegan vegetarian part-time full-time remote solo private")
_HERE = word_set("it one these those them there you your")
_NO_PLANS = word_set(
    """try make stick keep need let see check look think use ask add focus want like be wait wake hope"""
)
_NO_HABITS = word_set("hate dislike like appreciate need want seem sound feel love hope know mean look enjoy")
_NO_HOBBIES = word_set("write dream act play work set read bring print reach ride drive run")
_HOURS = re.compile(r"p?[NC][pw][NC]")
_PRACTICE = word_set("call phone ring meditate pray study practise practice write read sing rehearse")
_WORK = word_set(
    """make restore cut sell build repair design write paint run train sew fix produce deliver drive"""
)
_TRIFLES = word_set(
    """letters emails lists notes cards cheques mistakes plans friends jokes puns decisions things excuses
    promises faces money sense stuff"""
)
_LEAVING = word_set("leave fly go travel depart sail move arrive retire marry graduate")
_TIMES_OF_DAY = word_set(
    """at in by before after the for until lunch lunchtime noon night midnight morning evening afternoon"""
)
_AHEAD = _LEAVING | word_set(
    "start begin meet host visit have see launch ship release complete open close present get"
)
_APPOINTMENTS = word_set(
    """appointment call class concert date deadline exam exams finals flight game hearing interview match
    meeting operation party plans scan show surgery test trip wedding workshop"""
)
# What is read, watched or played once is no hobby: "started reading The Trial", "started performing".
_NO_ENDINGS = word_set(
    """argue ask bark believe breathe care count cry fight hate hope laugh like
    love listen look move panic pretend rain
    respond ring search shake shout sing sleep stare talk think try wait wonder worry"""
)
_SEATS = word_set("seat place spot turn")
_FOLLOWED = word_set("read watch play perform write act travel listen")
_UNDERTAKEN = word_set(
    """build close deprecate drop expand freeze hire launch migrate move open rebuild recruit release replace
    retire rewrite ship upgrade"""
)
_AWAITED = word_set("keys results visa passport diploma puppy kitten dog car house flat")
_PARTICLES = word_set("off out up over after")
_DEEDS = ("social", "creation", "possession", "change", "contact", "communication", "competition", "cognition")
_NO_DEEDS = word_set(
    """agree answer ask assume become believe call claim complain consider contain decide doubt expect feel
    forget get give grow guess help hope imagine include insist joke keep know learn let look make mean need
    plan put realise realize reckon remember reply say seem show sound speak start stop suppose swear take
    talk tell thank think try turn understand want wish wonder worry
    accuse admire blame deny envy fear ignore mistake notice recognise recognize suspect trust"""
)
_POINTING = word_set("me us you my your it them this that him her one ones like")
_OF_TALK = word_set("it them those these this that")


def infinitive(told: Told) -> tuple[str, int, int] | None:
    """Return what is planned, wanted or decided: the attribute, and where its words are."""
    words, verb = told.words, told.verb
    place = verb.end
    if place < told.clause.end and words.words[place] in glue.NOT:
        place += 1
    if words.at(place) != "to" or not lemma(words.at(place + 1), "base") or place + 1 >= told.clause.end:
        return None
    if verb.verb in _PLANNED:
        return "plan", place + 1, told.clause.end
    if verb.verb in _WANTED:
        return "goal", place + 1, told.clause.end
    if verb.verb in ("decide", "agree", "choose", "resolve"):
        return "decision", verb.end, told.clause.end
    return None


def read_wish(told: Told, attribute: str, begin: int, end: int) -> Iterator[Statement]:
    verb = told.verb
    if verb.verb == "try" and not verb.is_progressive:
        return
    if verb.is_denied or verb.modal or (verb.tense == "past" and attribute != "decision"):
        return
    listed = told.words.words[begin:end]
    is_refused = attribute == "decision" and listed[0] in glue.NOT
    aim = listed[(attribute == "decision") + (listed[0] in glue.NOT)]
    if _is_here(listed) or not _HERE.isdisjoint(listed[:5]):
        return
    if not _is_aim(told, attribute, aim) and not (is_refused and len(listed) > 3):
        return
    if attribute == "goal" and ("more" in listed[:3] or "how" in listed[:3] or "about" in listed[:3]):
        return  # "learn more about": what is asked for now
    if attribute == "decision" and aim == "go" and _GONE.isdisjoint(listed[:4]):
        return
    for part in _aims(told.words, begin, end):
        yield told.made(attribute, part, "is")


def _aims(words: Words, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the parts of "retire on 1 January and to settle in Madeira"."""
    for place in range(begin + 1, end - 2):
        if words.words[place : place + 2] == ["and", "to"] and lemma(words.words[place + 2], "base"):
            yield begin, place - (words.words[place - 1] == ",")
            yield from _aims(words, place + 2, end)
            return
    yield begin, end


def _is_here(listed: Sequence[str]) -> bool:
    """Tell whether a thing of the talk is meant: "learn this song", but not "learn Italian this year"."""
    return any(word == "this" and after not in _SPANS for word, after in pairwise([*listed, ""][1:4]))


def _is_aim(told: Told, attribute: str, aim: str) -> bool:
    """Tell whether what is planned, wanted or decided is more than the task at hand."""
    if attribute == "decision":
        return aim in _SETTLED
    if aim == "study" and attribute == "goal":
        return len(told.rest()) > 2 and kinds.is_subject(told.rest()[2])
    if aim == "be":
        is_state = "by" in told.rest() and not _STATES.isdisjoint(told.rest()[2:4])
        return attribute == "goal" and (is_state or not {"a", "an"}.isdisjoint(told.rest()[2:3]))
    if attribute == "goal" and aim in _MEASURED and (aim == "get" or _is_measured(told)):
        return _is_measured(told)
    if told.has("date"):
        return aim not in _NO_PLANS if attribute == "plan" else aim in _DATED_GOALS
    return aim in _GOALS or (attribute == "plan" and aim in _PLANS_OF_LIFE and len(told.rest()) > 2)


def _is_measured(told: Told) -> bool:
    """Tell whether a goal has a number and a date far enough off: "get to a 2hr marathon by November"."""
    words = told.words
    dates = [words.time_letters[one.begin : one.end] for one in told.times if one.kind == "date"]
    is_far = any(not set(letters).isdisjoint("MSYQU") for letters in dates) or "xmas" in told.rest()
    is_far = is_far or ["this", "year"] in (told.rest()[place : place + 2] for place in range(len(told.rest())))
    return is_far and any(word[0].isdigit() for word in words.words[told.verb.end : told.clause.end])


def read_habit_or_plan(told: Told) -> Iterator[Statement]:
    """Read what no line of the table tells: a habit by its times, a plan by its date, work by its verb."""
    verb = told.verb
    phased = list(_begun_or_over(told)) or list(_duty(told))
    if phased or told.has("fleeting"):
        yield from phased
        return
    is_only = "only" in told.words.words[verb.begin : verb.place]
    if verb.modal == "can" and (verb.is_denied or is_only) and verb.tense == "present" and _is_bounded(told):
        yield told.made("schedule", (verb.begin, told.clause.end), "is")
        return
    is_person = told.subject.who.kind == "person"
    is_thought = kind_of(verb.verb) in ("cognition", "communication", "perception")
    is_done = verb.verb in _PRACTICE and told.has("recurring") or verb.verb in STUDY and verb.tense == "future"
    if verb.modal or (not is_person and is_thought and not is_done):
        return
    if verb.tense == "present" and not verb.is_progressive and not verb.is_passive:
        yield from _in_the_present(told)
    elif _is_plan(told):
        yield told.made("plan", (_from_lead(told), told.clause.end), "is")


def _is_bounded(told: Told) -> bool:
    """Tell whether something is (not) done at some times: on Fridays, before ten."""
    rest = told.rest()
    hours = (rest[place + 1] for place, word in enumerate(rest[:-1]) if word in ("before", "after", "between"))
    return told.has("recurring") or any(one in glue.NUMBERS or one[0].isdigit() or one == "noon" for one in hours)


def _begun_or_over(told: Told) -> Iterator[Statement]:
    """Read "stopped smoking" and "started climbing"."""
    verb, words = told.verb, told.words
    if verb.tense not in ("past", "perfect"):
        return
    end = end_of_object(words, verb.place, told.clause.end, rest=False)
    span = trimmed(words, verb.place, end) or (verb.place, end)
    if verb.phase == "ends" and verb.verb not in _NO_ENDINGS and words.words[span[1] - 1] not in _SEATS:
        yield told.made(ENDED, span, "no longer")
    elif verb.phase == "begins" and kinds.is_activity(_gerund(verb.verb)):
        following = words.at(verb.end) if verb.end < told.clause.end else ""
        is_one = verb.verb in _FOLLOWED and (span[1] == verb.end or not _is_general(words, verb.end, span[1]))
        if not is_one and (following not in glue.PREPOSITIONS or following in ("in", "at", "on", "with")):
            yield told.made("hobby", span, "is")


def _duty(told: Told) -> Iterator[Statement]:
    """Read "has to sign off every contract" and "have to hand it in by 31 May"."""
    rest = told.rest()
    is_needed = told.verb.verb in ("need", "want", "expect") and is_known_person(told.subject.who)
    if is_needed and not told.verb.modal and "by" in rest[1:] and told.verb.tense == "present":
        begin = told.verb.end + rest.index("by", 1) + 1
        begin += told.words.at(begin) == "the"
        is_often = told.has("recurring") or any(word in glue.EVERY for word in rest[rest.index("by", 1) :])
        yield from (told.made("deadline", (begin, told.clause.end), "is"),) if is_often else ()
        return
    if told.verb.modal != "must":
        return
    span = (told.verb.place, told.clause.end)
    if is_known_person(told.subject.who) and not glue.EVERY.isdisjoint(told.rest()):
        yield told.made("work", span, "is")
    elif told.has("date") and "by" in told.rest():
        yield told.made("deadline", span, "is")


def _in_the_present(told: Told) -> Iterator[Statement]:
    verb, words, end = told.verb, told.words, told.clause.end
    if told.has("recurring"):
        is_clear = told.subject.who.kind == "person" or _OF_TALK.isdisjoint(told.rest()[:2])
        is_clear = is_clear and "those" not in told.rest()
        if verb.verb not in _NO_HABITS and is_clear:
            yield told.made("schedule", (_from_lead(told), end), "is not" if verb.is_denied else "is")
    elif verb.is_denied and told.subject.who.kind in ("user", "we") and _is_bounded(told):
        yield told.made("schedule", (verb.begin, end), "is")
    elif _is_hours(told) or (verb.verb == "work" and told.times and is_week(words, told.times[0])):
        yield told.made("schedule", (verb.place, end), "is not" if verb.is_denied else "is")
    elif verb.verb in ("start", "begin") and told.times and told.times[-1].begin == verb.end:
        yield told.made("start date", (told.times[-1].begin, told.times[-1].end), "is")
    elif _is_ahead(told):
        is_aside = bool(told.times) and words.at(told.times[-1].end) == ","
        is_aside = is_aside and words.at(told.times[-1].end + 1) not in glue.PREPOSITIONS
        yield told.made("plan", (verb.place, told.times[-1].end if is_aside else end), "is")
    elif _is_hobby(told):
        is_work = words.at(verb.end) in ("on", "at", "in", "for") and words.at(verb.end + 1) in glue.DETERMINERS
        stop = end_of_object(words, verb.end, end, rest=False)
        if is_work and not _POINTING.isdisjoint(told.rest()):
            return
        yield told.made("work" if is_work else "hobby", (verb.place, stop), "is")
    elif not verb.is_denied and _is_work(told):
        yield told.made("work", (verb.place, first_part(words, verb.end, end)), "is")


def _is_hours(told: Told) -> bool:
    """Tell whether somebody works by the clock: "work 9 to 5", "start at six", "finish at two"."""
    letters = told.words.time_letters[told.verb.end : told.clause.end]
    if told.verb.verb == "work":
        return _HOURS.match(letters) is not None
    following = told.words.at(told.verb.end)
    return told.verb.verb in ("start", "begin", "finish") and following == "at" and letters[1:2] in ("C", "N")


def _is_plan(told: Told) -> bool:
    verb = told.verb
    is_ahead = verb.tense == "future" or (verb.is_progressive and verb.tense in ("present", "bare"))
    is_wedding = is_of_life(told) or verb.verb == "get" and told.rest()[:1] in (["married"], ["divorced"])
    is_meant = is_ahead and not verb.is_denied and verb.phase != "no longer" and told.subject.who.kind != "thing"
    if not is_meant or not (is_wedding or _has_day(told)):
        return False
    if any(told.words.words[one.begin] == "this" for one in told.times) and verb.verb not in _UNDERTAKEN:
        return False  # "we're struggling this quarter"
    if _is_stranded(told) or _is_made_sure(told):
        return False
    if verb.verb in _NO_PLANS or kind_of(verb.verb) == "emotion" or not _is_begun(told):
        return False
    return "trouble" not in told.rest()[:2] and _HERE.isdisjoint(told.rest()[:2])


def _is_made_sure(told: Told) -> bool:
    """Tell whether a clause is what somebody makes sure of: "make sure I'm telling it well"."""
    before = told.words.words[max(told.clause.place - 2, 0) : told.clause.place]
    return "sure" in before or "ensure" in before


def _is_stranded(told: Told) -> bool:
    """Tell whether a preposition has lost its noun: "Porto we're flying to at Easter"."""
    verb, words = told.verb, told.words
    is_open = words.at(verb.end) in ("to", "from", "with", "for", "into", "about")
    is_next = any(one.begin == verb.end + 1 for one in told.times)
    return is_open and is_next and words.at(verb.end + 1) in glue.PREPOSITIONS


def _from_lead(told: Told) -> int:
    """Return where a habit or plan is told from: its verb, or the time in front of it ("every August we …")."""
    if any(one.begin >= told.verb.end for one in told.times):
        return told.verb.place
    near = [one.begin for one in told.times if 0 <= told.clause.place - one.end <= 1]
    return min(near, default=told.verb.place)


def _has_day(told: Told) -> bool:
    """Tell whether a date is more than a time of day: "at lunch" plans nothing that is worth keeping."""
    dates = (one for one in told.times if one.kind == "date")
    return any(not _TIMES_OF_DAY.issuperset(told.words.words[one.begin : one.end]) for one in dates)


def _is_ahead(told: Told) -> bool:
    """Tell whether the simple present tells what is to come: "we meet the auditors on Thursday"."""
    verb, rest = told.verb, told.rest()
    is_handover = verb.verb == "take" and rest[:1] == ["over"]
    if (verb.verb not in _AHEAD and not is_handover) or not _has_day(told) or verb.is_denied or told.has("past"):
        return False
    if verb.verb == "get":
        return not _AWAITED.isdisjoint(rest[1:3])
    if verb.verb == "have":
        return not _APPOINTMENTS.isdisjoint(rest)
    return _is_begun(told)


def _is_begun(told: Told) -> bool:
    """Tell whether "start" is said of something: not "start by …", "starting next month"."""
    if told.verb.verb not in ("start", "begin", "host"):
        return True
    is_timed = any(one.begin == told.verb.end for one in told.times)
    return not is_timed and told.words.at(told.verb.end) not in ("with", "by", "from", "off")


def _is_hobby(told: Told) -> bool:
    verb = told.verb
    subject = told.clause.subject
    is_meant = (
        subject is not None
        and subject[0] >= told.clause.begin
        and not verb.is_denied
        and verb.verb not in _NO_HOBBIES
    )
    following = told.words.at(verb.end) if verb.end < told.clause.end else ""
    is_alone = (
        not following
        or following in glue.MARKS
        or kinds.is_activity(following)
        or following in ("on", "at", "in", "with", "a")
        or told.times
    )
    return bool(is_meant and is_alone and kinds.is_activity(_gerund(verb.verb)))


def _is_work(told: Told) -> bool:
    """Tell whether what somebody does is what they are there for: "repairs violins", "signs off on the budget"."""
    verb, words, end = told.verb, told.words, told.clause.end
    if told.clause.subject is None or words.at(verb.end) in ("sure", "sense", "to"):
        return False
    place = verb.end + (words.at(verb.end) in _PARTICLES)
    if verb.verb == "have" or (words.at(place) in glue.PREPOSITIONS and words.at(place) != "on"):
        return False
    if verb.end >= end or not _POINTING.isdisjoint(words.words[verb.end : end]):
        return False
    if told.subject.who.kind == "person":
        is_known = is_known_person(told.subject.who)
        is_third = words.words[verb.place].endswith("s") or verb.is_denied
        return is_known and is_third and kind_of(verb.verb) in _DEEDS and verb.verb not in _NO_DEEDS
    return verb.verb in _WORK and _is_general(words, verb.end, end) and _TRIFLES.isdisjoint(told.rest()[:3])


def _gerund(verb: str) -> str:
    if verb.endswith("e"):
        return f"{verb[:-1]}ing"
    return f"{verb}{verb[-1]}ing" if verb in ("swim", "run", "knit", "jog") else f"{verb}ing"


def _is_general(words: Words, begin: int, end: int) -> bool:
    """Tell whether an object is no single thing: "model boats", "hair"."""
    if begin >= end or words.words[begin] in glue.CLOSED:
        return False
    last = first_part(words, begin, end) - 1
    return any(kinds_of(word) or word.endswith("s") for word in words.words[begin : min(begin + 3, last + 1)])
