"""What is told of somebody in words that no table knows, kept as it was said: "gets seasick in a bathtub".

The simple present of a verb that is neither of the moment nor of opinion, told of the user or of somebody who is
known, is a habit, a trait or a duty. What points at the talk ("it", "this", "you"), at the task or at the moment
is none. Of the user, who speaks in the present about the task at hand, only verbs of habits count, or any with
"usually".
"""

from collections.abc import Iterator

from hermes_agent.learn import glue
from hermes_agent.learn.attributes import NOTE
from hermes_agent.learn.facts_told import Told
from hermes_agent.learn.kinds import is_food, is_lasting_illness, kinds_of
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.objects import end_of_object, first_part
from hermes_agent.learn.people import is_known_person
from hermes_agent.records.statements import Statement
from hermes_agent.text.verbs import kind_of

_PASSING_KINDS = ("cognition", "communication", "perception", "emotion", "weather")
# Of somebody else these are seldom lasting; of the user hardly ever.
_PASSING = word_set(
    """agree allow appear arrive ask attend become begin believe bring call care cause change check choose come
    consider contain continue create decide depend describe do drop end ensure equal expect explain face fall
    feel find finish follow forget get give go guess happen hear help hope include inspire involve know lack
    lead leave let like look love make matter mean mention miss need notice offer plan point prefer prove
    provide put reach realise realize remember remind represent require respond return run say see seem send
    set share show sound start stop suggest take swell laugh snack tell thank think try turn understand use
    visit wait want watch win wish wonder work"""
)
_QUALIFYING = word_set("before after until unless without except when while if")
_LASTING_SPEECH = word_set("refuse preach lecture reply report accept")
_OWN = word_set(
    """bake bike brew busk carry chair clean close coach commute crochet cure cycle deliver fence fish fix
    foster freelance garden groom hike hoard homeschool jog juggle knit mend moonlight paint patrol pay
    preach quilt refuse rent repair report sculpt sew sing skate ski sleep smoke snore sail swim tutor tune
    vape vote walk weld whittle wrestle"""
)
_ALONE = word_set(
    """crochet knit sew sing smoke snore freelance swim ski sail quilt weld tutor commute cycle jog"""
)
_TEAM = word_set(
    """bill deploy document host invoice lint log merge pay release review ship sign squash store tag track"""
)
_USUALLY = word_set(
    "usually normally generally typically rarely seldom mostly hardly always never only exclusively"
)
_DONE = word_set("go take run work use watch have leave")
_SKILLS = word_set("swim drive ride read sing dance whistle ski skate type sew")
_MASTERED = word_set("music braille notes bike horse motorbike forklift lorry truck tractor unicycle hgv well")
_OBJECTS = word_set(
    """it this that these those you your them him there here one what how something anything nothing"""
)
_ANYBODYS = word_set("my our his her their like")
"""Of somebody else these point at what only the talk tells, or compare: "beside her bed", "like a horse"."""
_OTHERS = _OBJECTS | word_set("me us")
_ONE_THING = word_set("the this that another his her their its")
_NOW = word_set("again today tonight tomorrow yesterday soon recently already just")
_MOST_WORDS = 11


def read_note(told: Told) -> Iterator[Statement]:
    """Yield what a clause tells of somebody, in its own words."""
    verb, words = told.verb, told.words
    is_unable = verb.modal == "can" and (verb.is_denied or verb.phase == "no longer")
    if is_unable and verb.verb in _SKILLS and told.clause.subject is not None:
        yield told.made("skill", (verb.place, _short(told)), "no longer" if verb.phase else "is not")
    if verb.modal == "can" and not verb.is_denied and verb.verb in _SKILLS and _is_able(told):
        yield told.made("skill", (verb.place, _short(told)), "is")
    if not _is_in_habit(told):
        return
    if (
        verb.verb == "want"
        and is_known_person(told.subject.who)
        and words.at(verb.end) not in _OTHERS | {"to", "a"}
    ):
        is_once = bool(told.times) and not any(word.endswith("days") for word in told.rest())
        is_manner = not is_once and words.at(verb.end) not in glue.DETERMINERS
        if told.rest() and not verb.is_denied and is_manner and not is_food(told.rest()):
            yield told.made("prefers", (verb.end, told.clause.end), "is")
        return
    start = verb.begin if verb.is_denied else verb.place
    end = end_of_object(words, verb.end, told.clause.end, rest=True) if verb.end < told.clause.end else verb.end
    end = max(_with_times(told, first_part(words, verb.end, end)), verb.end)
    if end < told.clause.end and words.words[end] in _QUALIFYING:
        end = told.clause.end  # "doesn't take calls" is something else than "… before ten"
    value = words.words[verb.end : end]
    if value and value[0] in glue.BE:
        return  # "the thing I never eat is liver"
    if len(value) > _MOST_WORDS or not _NOW.isdisjoint(words.words[verb.begin : end]):
        return
    if told.subject.who.kind in ("user", "we"):
        is_next = told.clause.subject is not None and told.clause.subject[1] == verb.begin
        is_next = is_next and (bool(value) or verb.verb in _ALONE)
        if told.clause.subject is not None and is_next and _is_own_habit(told, value):
            yield told.made(NOTE, (told.clause.subject[0], end), "is")
    elif is_known_person(told.subject.who) and _is_of_others(told, value):
        yield told.made(NOTE, (start, end), "is")


def _is_able(told: Told) -> bool:
    """Tell whether "can" tells a skill: "can read music", not "can read it", "can drive to the airport"."""
    rest = told.rest()
    return not told.times and (not rest or (rest[-1] in _MASTERED and len(rest) < 3))


def _short(told: Told) -> int:
    """Return where a skill ends: "ride a bike"."""
    return end_of_object(told.words, told.verb.end, told.clause.end, rest=False) if told.rest() else told.verb.end


def _is_in_habit(told: Told) -> bool:
    verb = told.verb
    if told.clause.begin > 0 and told.words.words[told.clause.begin - 1] in glue.DO:
        return False  # "what do I wear"
    if told.clause.subject is None or told.has("fleeting") or told.has("past") or verb.is_passive:
        return False
    if verb.modal or verb.is_progressive or verb.phase:
        return False
    return verb.tense == "present" and verb.verb != "be"


def _with_times(told: Told, end: int) -> int:
    """Return where a predicate ends if the time behind it belongs to it: "swims every morning"."""
    for one in told.times:
        if one.begin == end and one.kind in ("recurring", "lasting"):
            return one.end
    return end


def _is_of_others(told: Told, value: list[str]) -> bool:
    verb = told.verb.verb
    rest = told.words.words[told.verb.end : told.clause.end]
    is_refused = told.verb.is_denied and ("before" in rest or "after" in rest)  # "doesn't take calls before ten"
    if verb == "keep" and value and value[0].endswith("ing"):
        return False
    if verb == "live" and value[:1] in (["in"], ["near"], ["at"]):
        return False
    if verb in _PASSING and not is_refused and not (verb == "get" and _is_state(value)):
        return False
    if verb == "have" and not (value and (value[0].isdigit() or value[0] in glue.NUMBERS)):
        return False
    if kind_of(verb) in _PASSING_KINDS and verb not in _LASTING_SPEECH:
        return False
    is_third = told.verb.is_denied or told.words.words[told.verb.place].endswith("s")
    return is_third and _OBJECTS.isdisjoint(value) and _ANYBODYS.isdisjoint(value)


def _is_state(value: list[str]) -> bool:
    """Tell whether "get" is followed by how somebody becomes: seasick, sunburnt, muddled."""
    return (
        bool(value)
        and value[0].isalpha()
        and value[0] not in glue.CLOSED
        and not kinds_of(value[0])
        and not value[0].endswith("s")
    )


def _is_own_habit(told: Told, value: list[str]) -> bool:
    """Tell whether the user does something as a rule: the verb is of such things, or a word says so."""
    if not _OTHERS.isdisjoint(value) or (value and value[0] in _ONE_THING):
        return False
    verb = told.verb.verb
    if verb == "tend":
        return len(value) > 2 and value[0] == "to" and kind_of(value[1]) not in _PASSING_KINDS
    if verb in _OWN or (verb in _TEAM and told.subject.who.kind == "we" and value):
        return True
    if verb == "get":
        return bool(value) and (is_lasting_illness(value[-1]) or (_is_state(value) and value[0].endswith("sick")))
    around = [*told.words.words[told.verb.begin : told.verb.place], *value[:1], *value[-1:]]
    is_usual = not _USUALLY.isdisjoint(around)
    if "only" in around and (verb == "have" or not value or value[0] in glue.NUMBERS or value[0].isdigit()):
        return False  # "I only have an hour"
    return is_usual and bool(value) and verb not in _PASSING - _DONE and kind_of(verb) not in _PASSING_KINDS
