"""Whom a clause is about: me, us, somebody by relation or name, a thing of ours, or whom a pronoun means."""

from dataclasses import dataclass, field

from hermes_agent.learn import glue
from hermes_agent.learn.kinds import kinds_of
from hermes_agent.learn.lexicon import GIVEN_NAMES, NUMBERED_NOUNS, PLURAL_RELATIONS, RELATIONS, word_set
from hermes_agent.learn.parsing import Span
from hermes_agent.learn.pronouns import may_be, must_be
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.values import titled
from hermes_agent.learn.verb_groups import BEHIND_MANY
from hermes_agent.records.statements import USER, WE, Statement, Who
from hermes_agent.text.entity_openers import OPENERS
from hermes_agent.text.verbs import Form, is_sure, lemma
from hermes_agent.text.words import fold, lowered

_FARTHEST_RELATION = 4
_LONGEST_THING = 6
_FIRST_BORN = word_set("eldest oldest youngest baby twin twins kid")
_OURS = word_set("firm company team department startup studio lab band practice agency")
_NO_THINGS = word_set(
    """let one ones two heads sounds makes helps looks feels seems means other others same rest lot kind way
    point idea problem"""
)
_ORDINARY = tuple(word_set("ly tion ness ment ity ful ous ive able ible ism ics ship ware"))
SEVERAL = word_set("children grandchildren grandkids grandparents kids parents triplets twins")
"""Those of the user's whom "they" can mean."""
_MOST_PEOPLE = 6
TITLES = word_set("mr mrs ms miss dr prof professor sir rev uncle aunt auntie grandma grandpa")
_BARE = word_set(
    """mum mom dad grandma grandad grandpa granny nan nana gf bf sis bro girlfriend boyfriend hubby"""
)
_WHOSE = word_set("at in of from on with near next who whose") | {"'s"}
_FORMAL = word_set("father mother grandfather grandmother")
_BEFORE_PLACES = word_set("in on at outside near past around through across of inside towards round")
_BEFORE_LANGUAGES = word_set("speak speaks speaking spoke learn learns learning")
_FORMS: tuple[Form, ...] = ("ing", "third", "past", "base")
NO_NAMES = word_set(
    """monday tuesday wednesday thursday friday saturday sunday january february march april may june july
    august september october november december christmas easter english god mondays tuesdays wednesdays
    thursdays fridays saturdays sundays"""
)


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom a clause is about; `noun` is set when it is about something of theirs, or a thing."""

    who: Who
    noun: Span | None = None
    is_the: bool = False


@dataclass(slots=True)
class Talk:
    """Who and what was spoken of so far in a message."""

    people: list[Who] = field(default_factory=list)
    thing: Who | None = None
    told: Statement | None = None
    """What the clause before told."""
    relative: tuple[Span, Who] | None = None
    """Whom "who" meant last, and the words it stood behind."""
    newcomer: Who | None = None
    """The pet that was just got, or who just had a child: "they named him Otis" is said of them."""
    newcomer_is_child: bool = False
    pronouns: dict[str, Who] = field(default_factory=dict)
    """Whom "he" and "she" meant last, until somebody else is told of."""
    sentences: list[Words] = field(default_factory=list)
    """The sentences before, for what is told of somebody only later."""

    def add(self, who: Who) -> None:
        """Remember somebody as the one spoken of last."""
        if who.kind == "person":
            self.people = [*self.people[-_MOST_PEOPLE:], who]
        elif who.kind == "thing":
            self.thing = who

    def mention(self, who: Who, subject: str) -> None:
        """Remember somebody who was named: from now on a pronoun may mean them, unless it is the subject."""
        if who not in self.pronouns.values():
            self.pronouns = {
                one: bound for one, bound in self.pronouns.items() if one == subject or not may_be(one, who)
            }
        self.add(who)

    def meant(self, pronoun: str) -> Who | None:
        """Return whom a pronoun means: the last one it fits."""
        if pronoun == "they":
            return next((who for who in reversed(self.people) if who.relation in SEVERAL), None)
        if pronoun in self.pronouns:
            return self.pronouns[pronoun]
        others = list(self.pronouns.values())
        alone = [who for who in reversed(self.people) if who.relation not in SEVERAL and who not in others]
        sure = next((who for who in alone if must_be(pronoun, who)), None)
        return sure or next((who for who in alone if may_be(pronoun, who)), None)


def subject_at(words: Words, span: Span | None, talk: Talk) -> Subject | None:
    """Read a subject; None if nobody knows whom it means."""
    if span is None:
        return Subject(USER)
    begin, end = span
    first = words.words[begin]
    if first in glue.I_OR_WE:
        return Subject(USER if first == "i" else WE)
    if end - begin == 1 and first in ("he", "she", "they"):
        who = talk.meant(first)
        if who is not None and first != "they":
            talk.pronouns[first] = who
        return Subject(who) if who else None
    if end - begin == 1 and first == "it" and talk.thing is not None:
        return Subject(talk.thing, is_the=True)
    if end - begin == 1 and (first in glue.PRONOUNS or first in glue.INDEFINITE):
        return None
    if first in ("his", "her"):
        who = talk.meant("he" if first == "his" else "she")
        return Subject(who, (begin + 1, end)) if who and not _relation(words, begin + 1, end) else None
    if first in (*glue.MINE, "the") and end - begin == 2 and words.words[begin + 1] in _OURS:
        return Subject(WE)
    if first in glue.MINE:
        return _mine(words, begin, end)
    if first in glue.DETERMINERS and first not in ("the", "half", "all"):
        return None
    return _other(words, begin, end)


def _mine(words: Words, begin: int, end: int) -> Subject:
    owner = USER if words.words[begin] == "my" else WE
    found = _relation(words, begin + 1, end) or _ours(words, begin + 1, end)
    if found is None:
        return Subject(owner, (begin + 1, end))
    who, after = found
    if after < end and words.words[after] == "'s":
        return Subject(who, (after + 1, end))
    return Subject(who) if after >= end or words.words[after] in glue.CLOSED else Subject(owner, (begin + 1, end))


def _relation(words: Words, begin: int, end: int) -> tuple[Who, int] | None:
    """Read "younger sister Mia": the person, and where the words for them end."""
    for place in range(begin, min(begin + _FARTHEST_RELATION, end)):
        word = fold(words.words[place])
        if word in glue.CLOSED:
            return None
        relation = RELATIONS.get(word) or RELATIONS.get(word.replace("-", ""))
        is_more = place + 1 < end and word in _FIRST_BORN and fold(words.words[place + 1]) in RELATIONS
        if relation is None or is_more:  # "my eldest son"
            continue
        after = place + 1
        while after < end and _is_name(words, after, is_behind_relation=True):
            after += 1
        first = place + 1
        is_a = words.at(after + 1) in ("a", "an") and words.at(after + 2) in TITLES  # "my solicitor, a Ms Bell"
        if (
            after == first
            and after + 1 + is_a < end
            and words.words[after] == ","
            and _is_name(words, after + 1 + is_a)
        ):
            first = after = after + 1 + is_a
            while after < end and _is_name(words, after):
                after += 1
            if after < end and words.words[after] == "and":  # a list: "my sister, Ana and Bea"
                first = after = place + 1
        if after == first and (called := _called(words, after, end)) is not None:
            first, after = called
        name = titled(words.said(first, after)) if after > first else ""
        return Who(
            "person", " ".join([*words.words[begin:place][:1], relation]) if place > begin else relation, name
        ), after
    return None


def _ours(words: Words, begin: int, end: int) -> tuple[Who, int] | None:
    """Read "our Kev", as some call their own."""
    if begin >= end or fold(words.words[begin]) not in GIVEN_NAMES or not words.is_capital(begin):
        return None
    if kinds_of(words.words[begin]) or words.words[begin] in NO_NAMES or begin + 1 >= end:
        return None
    if words.is_capital(begin + 1):
        return None
    return Who("person", name=titled(words.said(begin, begin + 1))), begin + 1


def _called(words: Words, place: int, end: int) -> Span | None:
    """Return the name in "our lodger, a quiet Estonian called Taavi"."""
    if words.words[place : place + 1] != [","] or words.at(place + 1) not in ("a", "an"):
        return None
    for at in range(place + 2, min(place + _LONGEST_THING, end - 1)):
        if words.words[at] in ("called", "named") and _is_name(words, at + 1):
            after = at + 2
            while after < end and _is_name(words, after):
                after += 1
            return at + 1, after
        if words.words[at] in glue.CLOSED:
            return None
    return None


def _is_name(words: Words, place: int, *, is_behind_relation: bool = False) -> bool:
    word = words.words[place]
    if word in glue.CLOSED and (word not in ("will", "may") or words.is_lower):
        return False
    if is_behind_relation and words.is_lower:
        is_verb = any(lemma(word, form) for form in _FORMS)
        return word.isalpha() and (fold(word) in GIVEN_NAMES or (not is_verb and not is_common(word)))
    return words.is_capital(place) and fold(word) not in NO_NAMES


def _other(words: Words, begin: int, end: int) -> Subject | None:
    """Read a subject that is no pronoun and nobody's: a name, a bare relation, a thing."""
    first = words.words[begin]
    is_bare = (
        end - begin == 1 and first in RELATIONS and words.at(end) in ("is", "'s") and not words.is_capital(begin)
    )
    if (_is_bare(words, begin) or is_bare) and (relation := _relation(words, begin, end)):
        who, after = relation
        return Subject(who, (after + 1, end) if after < end and words.words[after] == "'s" else None)
    if first == "new" and end - begin == 2 and kinds_of(words.words[begin + 1]) & {"animal", "dog", "cat"}:
        animal = RELATIONS.get(words.words[begin + 1], "")
        return Subject(Who("person", animal)) if animal else None  # "new puppy is called Biscuit"
    start = begin + (first in glue.DETERMINERS)
    if first == "the" and end - begin == 2 and words.words[start] in SEVERAL and _are_ours(words, end):
        return Subject(Who("person", words.words[start]))  # "the kids"
    if start == begin and _is_person(words, begin, end):
        name_end = begin + 1
        while name_end < end and _is_name(words, name_end):
            name_end += 1
        who = Who("person", name=titled(words.said(begin, name_end)))
        if name_end < end and words.words[name_end] == "'s":
            return Subject(who, (name_end + 1, end))
        return Subject(who)
    if start >= end or not _is_thing(words, begin, start, end):
        return None
    return Subject(Who("thing", name=lowered(words.said(start, end))), (start, end), is_the=True)


def _is_bare(words: Words, place: int) -> bool:
    """Tell whether a word names one of the user's people without "my": mum, sis."""
    if words.words[place] in _FORMAL:  # Grandfather; but Father Brown, Mother Nature
        is_named = words.is_capital(place + 1) if place + 1 < len(words.words) else False
        return words.is_capital(place) and not is_named and words.at(place + 1) != "'s"
    return words.words[place] in _BARE or words.said(place, place + 1).lower() in _BARE


def _is_thing(words: Words, begin: int, start: int, end: int) -> bool:
    """Tell whether a subject is the name of a thing: a short phrase of nouns, not a clause read wrongly."""
    listed = words.words[start:end]
    if (
        len(listed) > _LONGEST_THING
        or "getting" in listed
        or listed[0] in _NO_THINGS
        or listed[0][0].isdigit()
        or "'" in listed
    ):
        return False
    if start > begin:
        return True
    is_open = (
        begin == 0 or words.words[begin - 1] in (",", ";", ":", ".", "(") or words.words[begin - 1] in glue.JOINTS
    )
    is_verb = is_sure(lemma(listed[0], "ing")) or is_sure(lemma(listed[0], "base"))
    is_noun = words.at(end) in glue.BE | glue.HAVE  # "prod is in eu-central-1"
    is_noun = is_noun or (len(listed) > 1 and words.at(end) in BEHIND_MANY)  # "feature flags live in …"
    return is_open and len(listed) <= 3 and (is_noun or not is_verb)


def _is_person(words: Words, begin: int, end: int) -> bool:
    word = words.words[begin]
    if word in glue.CLOSED or word in glue.INDEFINITE:
        return False
    if word in TITLES or fold(word) in GIVEN_NAMES:
        return words.is_capital(begin) or words.is_lower
    if not words.is_capital(begin) or fold(word) in NO_NAMES or word in RELATIONS or word in PLURAL_RELATIONS:
        return False
    if begin == 0 and word in NUMBERED_NOUNS:
        return False
    is_opening = begin == 0 and (fold(word) in OPENERS or word in glue.LEADS)
    if words.words[begin + 1 : begin + 3] == ["and", "i"] and begin > 0:
        return True
    is_ours = words.at(begin + 1) == "," and words.at(begin + 2) in glue.MINE and not is_opening
    if is_ours or _is_apposed(words, begin):
        return True
    if begin > 0 and words.words[begin - 1] in ("called", "named"):
        return True
    if begin == 0 and (fold(word) in OPENERS or word.endswith(_ORDINARY) or not _may_follow_name(words, 1)):
        return False
    is_ordinary = (
        word.endswith("ing")
        or word in glue.NUMBERS
        or is_common(word)
        or lemma(word, "base") != ""
        or not word[0].isalpha()
    )
    after = begin + 1
    while after < end and words.is_capital(after) and words.words[after] not in glue.CLOSED:
        is_ordinary = is_ordinary or fold(words.words[after]) in OPENERS or is_common(words.words[after])
        after += 1
    is_acronym = words.message[words.starts[begin] : words.ends[begin]].isupper()
    return (
        not is_ordinary and not is_acronym and word not in glue.LEADS and not (begin == 0 and word.endswith("s"))
    )


def _may_follow_name(words: Words, place: int) -> bool:
    """Tell whether the first word of a sentence can be a name by what follows: no noun, as in "New email"."""
    if words.at(place) in glue.BE:  # "Life is short", but "Hamid is our new DBA"
        return words.at(place + 1) in ("our", "my", "the", "a", "an")
    if place >= len(words.words) or words.words[place] in glue.CLOSED or words.is_capital(place):
        return True
    return bool(lemma(words.words[place], "third") or lemma(words.words[place], "past"))


def _is_apposed(words: Words, begin: int) -> bool:
    """Tell whether a word is somebody's name by where it stands: "my carer, Blessing, …"."""
    if begin < 3 or words.words[begin - 1] != "," or words.words[begin - 2] in glue.CLOSED:
        return False
    is_owned = any(word in glue.MINE for word in words.words[max(begin - 5, 0) : begin - 2])
    return is_owned and words.at(begin + 1) in (",", "'s", "is", "has")


_SMALL = glue.CLOSED - glue.MINE
_ARTICLES = glue.DETERMINERS - {"that"}


@dataclass(frozen=True, slots=True)
class Mention:
    """Words that name somebody."""

    who: Who
    begin: int
    end: int


def mentions(words: Words) -> list[Mention]:
    """Return the people named in a sentence: "my sister Ana", "Mr Bell", "Ana"."""
    found: list[Mention] = []
    place, end = 0, len(words.words)
    while place < end:
        is_small = words.words[place] in _SMALL
        one = None if is_small else _mention(words, place, end)
        if one is None:
            place += 1
        else:
            found.append(one)
            place = one.end
    return found


def _mention(words: Words, place: int, end: int) -> Mention | None:
    word = words.words[place]
    if word == "gf" and place > 0 and words.words[place - 1] in glue.BE:
        return None  # gluten-free
    if word in glue.MINE or _is_bare(words, place):
        found = _relation(words, place + (word in glue.MINE), end)
        found = found or (_ours(words, place + 1, end) if word in glue.MINE else None)
        if found is not None:
            return Mention(found[0], place, found[1])
        return None
    before = words.words[place - 1] if place else ""
    if before == "the" and word in SEVERAL and _are_ours(words, place + 1):
        return Mention(Who("person", word), place - 1, place + 1)
    if (
        (before in _ARTICLES and word not in TITLES)
        or before in _BEFORE_PLACES
        or before in _BEFORE_LANGUAGES
        or not _is_person(words, place, end)
    ):
        return None
    after = place + 1
    while after < end and _is_name(words, after):
        after += 1
    if word in TITLES and after == place + 1:
        return None  # "an aunt who is a nun"
    name = titled(words.said(place, after))
    is_ours = words.at(after) in (",", "(") and words.at(after + 1) in glue.MINE
    kin = _relation(words, after + 2, end) if is_ours else None
    if kin is not None and not kin[0].name and words.at(kin[1]) in (",", ")", "", "who", "and"):
        return Mention(Who("person", kin[0].relation, name), place, kin[1])  # "Henrik, my husband"
    return Mention(Who("person", name=name), place, after)


def _are_ours(words: Words, place: int) -> bool:
    """Tell whether "the kids" are the user's by what follows: not "the kids at my school", "the kids' shoes"."""
    return words.at(place) not in _WHOSE


def is_known_person(who: Who) -> bool:
    """Tell whether somebody is known as a person: by a relation, a title or a given name."""
    if who.kind != "person":
        return False
    first = fold(who.name).split()[:1]
    return bool(who.relation) or (first != [] and (first[0] in GIVEN_NAMES or first[0].rstrip(".") in TITLES))


def is_common(word: str) -> bool:
    """Tell whether a word is a common noun."""
    return bool(kinds_of(word))
