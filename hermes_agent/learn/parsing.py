"""Cut a sentence into clauses, each with its subject, its verb and what follows.

A clause begins at the start of a sentence, behind a mark or a conjunction, or with "I" or "she", where a subject
and a verb can be read; behind "and" the subject may be that of the clause before. What has no verb is a
fragment, what begins as a question is asked, what begins with a bare verb is an order.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from hermes_agent.learn import glue
from hermes_agent.learn.asking import BREAKS, asks, from_now_on, is_for_good, refuses, turned_out
from hermes_agent.learn.continuing import LIKE_WE, antecedent, goes_on, has_finite
from hermes_agent.learn.left_out import is_own, is_own_refusal
from hermes_agent.learn.lexicon import RELATIONS, word_set
from hermes_agent.learn.times import is_aside, times, until
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.verb_groups import NOUNS_IN_ING, Behind, VerbGroup, is_adverb, verb_group
from hermes_agent.text.verbs import is_sure, lemma

Kind = Literal["told", "asked", "order", "fragment"]
Span = tuple[int, int]

_SUBJECTS = word_set("i we he she they")
_STARTS = BREAKS | glue.JOINTS | glue.CONDITIONS | glue.RELATIVES
_ORDERING = word_set("please kindly always never just only also henceforth")
# At the head of a sentence these are no nouns: "keep sentences under 20 words".
_OPENING = word_set("keep put give write avoid include add treat send cite")
_SKIPPED = (
    glue.LEADS | glue.JOINTS | glue.CONDITIONS | word_set("that which who whose where please kindly") | BREAKS
)
_ASKED_POLITELY = word_set("can could would will")
_RELATIVE, _NO_NOUNS = word_set("who which that whose"), word_set("got gotten been")
_LONGEST_LEAD, _LONGEST_BRACKET, _MOST_ASIDES = 9, 16, 3


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause: `joint` joins it to what stands before, `place` is where it begins behind them."""

    kind: Kind
    begin: int
    place: int
    end: int
    joint: tuple[str, ...] = ()
    subject: Span | None = None
    verb: VerbGroup | None = None
    asides: tuple[Span, ...] = ()
    """Appositions to the subject: "my wife Lucy, a nurse, …"."""

    def until(self, end: int) -> "Clause":
        """Return the clause with another end."""
        return Clause(self.kind, self.begin, self.place, end, self.joint, self.subject, self.verb, self.asides)

    @property
    def is_supposed(self) -> bool:
        """Whether it is a condition, or says what may be."""
        return any(word in glue.CONDITIONS for word in self.joint) or (
            self.verb is not None and self.verb.is_supposed
        )


def clauses(words: Words, *, is_question: bool) -> list[Clause]:
    """Cut a sentence into its clauses; what follows the first one that asks is asked too."""
    found = list(_cut(words))
    asked = [place for place, one in enumerate(found) if one.kind == "asked"]
    if is_question:
        first = asked[0] if asked else 0
        found[first:] = [one if _is_demand(one) else replace(one, kind="asked") for one in found[first:]]
    return found


def _is_demand(one: Clause) -> bool:
    """Tell whether an order stands within a question: in "can you please stop", not in "how can I … and avoid"."""
    return one.kind == "order" and not {"please", "always", "never", "so"}.isdisjoint(one.joint)


def _cut(words: Words) -> Iterator[Clause]:
    end = len(words.words)
    place = 0
    current = _clause(words, 0, end, None)
    while place < end:
        if current is None:
            current = _fragment(words, place, end)
        after = current.verb.end if current.verb else max(current.place, place + 1)
        after = _behind_asked(words, current.place, after) if current.kind == "asked" else after
        place, following = _next(words, after, end, current)
        yield current.until(_trimmed(words, current.place, place))
        current = following


def _behind_asked(words: Words, place: int, after: int) -> int:
    """Return where to read on behind a question: its own subject begins no clause ("can I use …")."""
    own = (at for at in range(place, min(place + 3, len(words.words))) if words.words[at] in _SUBJECTS)
    return max(after, next(own, -1) + 1)


def _fragment(words: Words, place: int, end: int) -> Clause:
    start, joint = _lead(words, place, end)
    return Clause("fragment", place, min(start, end - 1), end, joint)


def _next(words: Words, place: int, end: int, current: Clause) -> tuple[int, Clause | None]:
    """Find where the next clause begins, and read it."""
    is_relative = words.words[current.begin] in _RELATIVE and current.verb is not None
    is_own = "whose" in current.joint or _has_own_subject(current)
    subject = antecedent(words, current.begin, 0) if is_own else current.subject
    for at in range(place, end):
        word = words.words[at]
        if is_relative and at > place and word in glue.AUXILIARIES and (verb := verb_group(words, at, end, "he")):
            # "my cousin who stays with us is coeliac": the clause before goes on.
            return at, Clause("told", at, at, end, (), subject, verb)
        is_short = at == place + 1 and current.verb is not None and current.verb.verb == "be"
        if (
            is_relative and is_short and (verb := verb_group(words, at, end, "he"))
        ):  # "my mum who's 61 started uni"
            return at, Clause("told", at, at, end, (), subject, verb)
        if is_own and word == "," and (verb := verb_group(words, at + 1, end, "he")) and subject is not None:
            return at, Clause("told", at, at + 1, end, (",",), subject, verb)
        is_it = word in ("it", "there", "that") and words.at(at + 1) in glue.AUXILIARIES
        is_next = current.verb is not None and at == current.verb.end
        if is_next and word == "as" and words.at(at + 1) not in glue.CLOSED:
            continue  # "serves as chair": no clause
        if word in _STARTS or word in _SUBJECTS or is_it:
            found = _clause(words, at, end, current)
            if found is not None:
                return at, found
            if current.kind == "fragment" and word in BREAKS and at > place:
                return at, None
    return end, None


def _has_own_subject(clause: Clause) -> bool:
    """Tell whether a clause behind "who" is about somebody else: "my neighbour, who I can't stand, …"."""
    return "who" in clause.joint and clause.subject is not None and clause.subject[0] == clause.place


def _trimmed(words: Words, begin: int, end: int) -> int:
    is_cut = words.at(end) in ("which", "whom") and words.words[end - 1] in glue.PREPOSITIONS  # ", during which"
    end -= is_cut and end > begin + 1
    while end > begin + 1 and (words.words[end - 1] in BREAKS or words.words[end - 1] in glue.JOINTS):
        end -= 1
    return end


def _lead(words: Words, place: int, end: int) -> tuple[int, tuple[str, ...]]:
    """Go over conjunctions, interjections, adverbs and times in front of a clause."""
    joint: list[str] = []
    while place < end:
        word = words.words[place]
        if word == "that" and words.at(place + 1) in glue.BE:
            break
        if after := from_now_on(words, place) or turned_out(words, place):
            joint.extend(words.words[place:after])
            place = after
            continue
        if word == "since" and place > 0 and words.words[place - 1] not in BREAKS and is_aside(words, place, end):
            return end, ()  # "vegetarian since 2019, bacon never …": the clause before goes on
        if word in ("until", "till") and place == 0 and (behind := until(words, place, end)):
            return behind, tuple(words.words[1:behind])
        if word == "turns" and words.at(place + 1) == "out":
            joint.append(word)
            place += 2
            continue
        if word in _SKIPPED or (is_adverb(word) and word not in ("never", "no")):
            joint.append(word)
            place += 1
            continue
        found = times(words, place, min(place + 6, end))
        is_behind = bool(found) and words.words[found[0].end : found[0].end + 2] in ([",", "so"], [",", "and"])
        if is_behind and found[0].begin == place and place > 0:
            return end, tuple(joint)  # "…, six till two, so …": the clause before goes on
        if found and found[0].begin == place and words.at(found[0].end) in {",", *_SUBJECTS, *glue.MINE, "the"}:
            joint.extend(words.words[place : found[0].end])
            place = found[0].end
        elif word == "for" and place == 0 and "use" in words.words[2:5]:
            place = next(at for at, one in enumerate(words.words) if one == "use" or one in _SUBJECTS)
        elif word in glue.PREPOSITIONS and "," in words.words[place : place + _LONGEST_LEAD]:
            after = words.words.index(",", place) + 1
            if words.at(after) not in glue.PRONOUNS and words.at(after) not in glue.DETERMINERS:
                break
            place = after
        else:
            break
    return place, tuple(joint)


def _clause(words: Words, begin: int, end: int, before: Clause | None) -> Clause | None:
    """Read a clause that begins at a place; None if none does."""
    place, joint = _lead(words, begin, end)
    if place >= end:
        return None
    is_allowed = words.words[place] == "you" and words.at(place + 1) in ("can", "may")
    is_allowed = is_allowed and (place == 0 or words.words[place - 1] not in glue.RELATIVES)
    is_asked = place > 0 and words.words[place - 1] in glue.QUESTION_WORDS
    is_shared = words.at(place + 1) == "we" and is_for_good(words)
    is_asked_of_you = words.words[place] in _ASKED_POLITELY and (words.at(place + 1) == "you" or is_shared)
    if is_allowed or (is_asked_of_you and not is_asked):
        polite = place + 2 + (words.at(place + 2) == "please")
        verb = verb_group(words, polite, end, "nobody")
        if verb is not None and verb.tense == "bare" and not verb.is_progressive:
            return Clause("order", begin, polite, end, (*joint, "please"), None, verb)
    if refuses(words, begin, place, end, joint):
        return Clause("fragment", begin, place - (words.words[place] != "no"), end, joint)
    if asks(words, begin, place, end):
        return Clause("asked", begin, place, end, joint)
    is_polite = "please" in joint or "kindly" in joint
    is_ordered = not _ORDERING.isdisjoint(joint) and is_sure(words.words[place])
    is_ordered = is_ordered or (is_polite and bool(lemma(words.words[place], "base")))
    is_ordered = is_ordered or (place == 0 and words.words[0] in _OPENING)
    if before is None and (own := verb_group(words, place, end, "nobody")) and is_own(words, own, end):
        return Clause("told", begin, place, end, joint, None, replace(own, tense="present"))
    found = None if is_ordered else _with_subject(words, begin, place, end, joint)
    return found or _without_subject(words, begin, place, end, joint, before)


def _with_subject(words: Words, begin: int, place: int, end: int, joint: tuple[str, ...]) -> Clause | None:
    after = noun_phrase(words, place, end)
    if after == place:
        return None
    subject: Span = (place, after)
    is_pronoun = (
        after == place + 1 and words.words[place] in _SUBJECTS and words.words[after : after + 1] == ["like"]
    )
    at, asides = (after, ()) if is_pronoun else _behind_subject(words, after, end)
    verb = verb_group(words, at, end, _behind(words, subject, at))
    if verb is None and at != after:
        verb, asides = verb_group(words, after, end, _behind(words, subject, after)), ()
    if verb is None:
        subject, verb = _split(words, place, after)
    if verb is not None and words.words[verb.begin] == "being":
        return None  # "I dislike being telephoned": no subject with its verb
    return None if verb is None else Clause("told", begin, place, end, joint, subject, verb, asides)


def _split(words: Words, place: int, end: int) -> tuple[Span, VerbGroup | None]:
    """Find a verb among what was read as nouns: "the team needs joins"."""
    is_marked = words.words[place] in glue.DETERMINERS or words.is_capital(place)
    for at in range(place + 2 if is_marked else end, end):
        if verb := lemma(words.words[at], "third"):
            return (place, at), VerbGroup(at, at + 1, verb, "present", at)
    return (place, end), None


def _behind(words: Words, subject: Span, at: int) -> Behind:
    first = words.words[subject[0]]
    if subject[1] - subject[0] > 1:
        return "noun"
    if first in LIKE_WE:
        return "we"
    if at > subject[1] and words.words[at - 1] == "i":
        return "we"
    return "he" if first in glue.PRONOUNS or first in glue.INDEFINITE or first in glue.RELATIVES else "noun"


def noun_phrase(words: Words, place: int, end: int) -> int:
    """Return where the noun phrase at a place ends; the place itself if there is none."""
    if place >= end:
        return place
    listed, first = words.words, words.words[place]
    following = listed[place + 1] if place + 1 < end else ""
    is_pronoun = first in glue.PRONOUNS and (
        first not in glue.DETERMINERS or following in glue.CLOSED or not following
    )
    if is_pronoun or first in glue.INDEFINITE:
        return place + 1
    if first in _NO_NOUNS:
        return place
    start = place
    while start < end and (listed[start] in glue.DETERMINERS or (start > place and is_adverb(listed[start]))):
        start += 1
    at = start
    while at < end and listed[at] not in glue.CLOSED and not _is_verb(words, start, at, end):
        at += 1
    if at == start:
        return place
    if at < end and listed[at] == "'s" and (owned := _owned(words, at, end)):
        return owned
    if at + 1 < end and listed[at] == "of" and (after := noun_phrase(words, at + 1, end)) > at + 1:
        return after
    return at


def _is_verb(words: Words, start: int, at: int, end: int) -> bool:
    if at > start:
        return verb_group(words, at, end, "noun") is not None
    # The first word is a noun, unless nothing but a verb: "hates meetings".
    word = words.words[at]
    is_doing = word.endswith("ing") and bool(lemma(word, "ing")) and words.at(at + 1) not in glue.AUXILIARIES
    following = verb_group(words, at + 1, end, "noun") if is_doing else None
    if is_doing and (following is None or following.tense == "past"):
        return words.words[at - 1 : at] == [] or words.words[at - 1] not in glue.DETERMINERS
    is_listed = bool(lemma(word, "third") or lemma(word, "past")) and not words.is_capital(at)
    return (
        is_listed
        and start == at
        and words.words[at - 1 : at] != []
        and words.words[at - 1] not in glue.DETERMINERS
    )


def _owned(words: Words, at: int, end: int) -> int:
    """Return where "my mother's birthday" ends, if "'s" is a possessive and no verb."""
    is_doing = words.at(at + 1).endswith("ing") and words.at(at + 1) not in NOUNS_IN_ING
    if at + 1 >= end or words.words[at + 1] in glue.CLOSED or is_doing:
        return 0
    after = at + 1
    while after < end and words.words[after] not in glue.CLOSED and not _is_verb(words, at + 1, after, end):
        after += 1
    is_followed = at + 1 < after < end and verb_group(words, after, end, "noun") is not None
    is_kin = at + 2 == after < end and words.words[at + 1] in RELATIONS and words.words[after] in (",", "(")
    return after if is_followed or is_kin else 0


def _behind_subject(words: Words, at: int, end: int) -> tuple[int, tuple[Span, ...]]:
    """Go over what stands between a subject and its verb: "… in legal", "…, a nurse, …", "… and I"."""
    asides: list[Span] = []
    for _ in range(_MOST_ASIDES):
        word = words.at(at) if at < end else ""
        if word == "(" and ")" in words.words[at : at + _LONGEST_BRACKET]:
            at = words.words.index(")", at) + 1
            continue
        after = noun_phrase(words, at + 1, end) if word and at + 1 < end else at
        if after <= at + 1 and word != ",":
            break
        if at + 1 >= end:
            break
        if word == "," and words.at(after) == "," and words.words[at + 1] not in glue.PRONOUNS:
            asides.append((at + 1, after))
            at = after + (verb_group(words, after + 1, end, "noun") is not None)
        elif word == "," and (closing := _closing(words, at, end)):
            at = closing
        elif word in glue.PREPOSITIONS or word in glue.AND:
            at = after
        else:
            break
    return at, tuple(asides)


def _closing(words: Words, at: int, end: int) -> int:
    """Return where an aside between two commas ends, if a verb follows it: "Mum, on the other hand, can't …"."""
    for place in range(at + 2, min(at + _LONGEST_LEAD, end - 1)):
        if words.words[place] == ",":
            is_aside = words.words[at + 1] not in glue.PRONOUNS | glue.JOINTS | glue.RELATIVES
            return place + 1 if is_aside and verb_group(words, place + 1, end, "noun") is not None else 0
    return 0


def _without_subject(
    words: Words, begin: int, place: int, end: int, joint: tuple[str, ...], before: Clause | None
) -> Clause | None:
    if "who" in joint or "which" in joint or words.words[begin] == "that":
        if before is None:
            return None
        verb = verb_group(words, place, end, "he") or verb_group(words, place, end, "we")
        subject = antecedent(words, begin, before.place)
        return Clause("told", begin, place, end, joint, subject, verb) if verb and subject else None
    verb = verb_group(words, place, end, "nobody")
    if verb is None:
        return None
    if verb.tense == "bare" and verb.is_progressive and has_finite(words, verb.end, end):
        return None  # "learning to code is fun": the doing is the subject
    is_order = verb.tense == "bare" and not verb.is_progressive
    is_over = "anymore" in words.words[verb.end : end] or "any" in words.words[verb.end : end]
    is_listed = before is not None and before.kind == "order"
    is_refused = words.words[verb.begin] == "do" and verb.is_denied and ("and" not in joint or is_listed)
    is_refused = is_refused and not (is_over and begin == 0 and words.is_lower) and not is_own_refusal(words, verb)
    is_order = is_order or is_refused
    if before is None or before.kind == "fragment":
        return Clause("order" if is_order else "told", begin, place, end, joint, None, verb)
    is_answer = joint == (",",) and _is_condition(words, before)
    if is_order and (
        is_refused
        or is_answer
        or "so" in joint
        or not _ORDERING.isdisjoint(joint)
        or not _continues(words, before, verb, joint)
    ):
        is_opened = before.kind in ("order", "fragment") or not _ORDERING.isdisjoint(joint) or verb.is_denied
        is_opened = is_opened or is_answer or "so" in joint
        return Clause("order", begin, place, end, joint, None, verb) if is_opened else None
    if not _continues(words, before, verb, joint):
        return None
    if verb.tense == "bare" and not verb.is_progressive:
        verb = replace(verb, tense="present")
    return Clause("told", begin, place, end, joint, before.subject, verb, before.asides)


def _is_condition(words: Words, clause: Clause) -> bool:
    """Tell whether a clause says when an order behind it holds: "if I ask for a recipe, …"."""
    is_ours = clause.subject is not None and words.words[clause.subject[0]] in ("i", "you", "we")
    return is_ours and words.words[clause.begin] in ("if", "when", "whenever")


def _continues(words: Words, before: Clause, verb: VerbGroup, joint: tuple[str, ...]) -> bool:
    if before.verb is None or before.kind != "told":
        return False
    subject = words.words[before.subject[0]] if before.subject else ""
    return goes_on(words, subject, before.verb, verb, joint)
