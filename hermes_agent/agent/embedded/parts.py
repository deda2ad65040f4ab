"""Take a message apart into what is told, asked and wanted, in the order it was said.

"My name is Ada. What is my dog called?" is a statement to keep and a question to answer; both get their due.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from hermes_agent.agent.embedded.asked import Check, Happened, Person, Question, Same, Slot, Why
from hermes_agent.agent.embedded.event_questions import without_journal
from hermes_agent.agent.embedded.evidence import Knowledge, correction_of, whose_end
from hermes_agent.agent.embedded.questions import read_foreign, read_question
from hermes_agent.agent.embedded.requests import Wish, read_request, read_skill_request, read_told_skill
from hermes_agent.agent.embedded.scene import Scene
from hermes_agent.agent.embedded.smalltalk import is_small_talk, small_talk
from hermes_agent.learn import attributes
from hermes_agent.learn.changing import with_changes
from hermes_agent.learn.matching import same_person
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.pronouns import brings_in, follows, may_be, must_be
from hermes_agent.learn.second_thoughts import mended, reaches_over
from hermes_agent.learn.sentences import Sentence, sentences
from hermes_agent.learn.statements import clauses, read_statements
from hermes_agent.records.statements import USER, Statement, Who

# These are kept in the words they were said in.
_WHOLE = (attributes.NOTE, attributes.MEANING)
_FEWEST_WORDS = 3
_ASKED = Pattern(r"(?:please|remember|forget|ignore|don't\s+forget)\b")
_LOOKING_BACK = "[This is not from the user."


@dataclass(frozen=True, slots=True)
class Chat:
    """Words that need no memory."""

    answer: str


@dataclass(frozen=True, slots=True)
class Tell:
    """What is worth a note; none when it was only a remark. `has_rest` when more was told than that."""

    statements: Sequence[Statement]
    has_rest: bool = False


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to answer, and the words it was asked in."""

    question: Question
    said: str


@dataclass(frozen=True, slots=True)
class Do:
    """Something to do."""

    wish: Wish


Part = Chat | Tell | Ask | Do


def read_parts(scene: Scene, knowledge: Knowledge) -> list[Part]:
    """Return the parts of what was said now."""
    said = scene.said.strip()
    if said.startswith(_LOOKING_BACK):
        # A review after the answer: what is worth a note was noted when it was said.
        return [Chat("Nothing to save.")]
    chat = small_talk(said, name_of_user(knowledge), scene.now, is_kept="memory" in scene.tools)
    if chat is not None:
        return [Chat(chat)]
    skill = read_skill_request(said) or read_told_skill(said)
    if skill is not None:
        return [Do(skill)]  # what follows its colon, or stands before it, are steps, nothing told or asked
    found = list(_by_sentence(scene, knowledge))
    told = [statement for part in found if isinstance(part, Tell) for statement in part.statements]
    has_rest = any(isinstance(part, Tell) and part.has_rest for part in found)
    parts: list[Part] = [Tell(told, has_rest)] if told else []
    parts += [part for part in found if not isinstance(part, Tell)]
    return parts or [Tell(())]


def _by_sentence(scene: Scene, knowledge: Knowledge) -> Iterator[Part]:
    every = with_changes(scene.said, mended(scene.said, read_statements(scene.said)))
    person = _spoken_of(scene, knowledge)
    heard = person if person is not None and _is_heard_last(person, scene) else None
    since = 0
    for sentence in sentences(scene.said):
        if is_small_talk(sentence.text) or reaches_over(every, sentence.start, sentence.end):
            continue
        inside = [one for one in every if sentence.start <= one.start < sentence.end]
        resolved = []
        for one in inside:
            # A pronoun means somebody of the message before only where nothing else was said since.
            is_next = one.who.kind == "someone" and follows(scene.said[since : one.start])
            made = _resolved(one, heard if is_next else None, knowledge)
            since = one.end if is_next else since
            resolved += [made] if made is not None else []
        lasting = [one for one in resolved if one.is_lasting]
        if lasting:
            yield Tell(lasting, _has_rest(sentence, lasting))
        elif (question := _question(sentence)) is not None:
            words = scene.said[sentence.start : sentence.end + 1]  # with its question mark
            yield Ask(_about_whom(question, person, scene), words.strip())
        elif _is_asked_alone(sentence, inside) and (wish := read_request(sentence.text)) is not None:
            yield Do(wish)
        else:
            yield Tell((), len(sentence.text.split()) >= _FEWEST_WORDS)


def _is_asked_alone(sentence: Sentence, inside: Sequence[Statement]) -> bool:
    """Tell whether a sentence states nothing but what a task is to hold: "draft a mail: the heating is cold"."""
    task, colon, _ = sentence.text.partition(": ")
    is_task = bool(colon) and len(task.split()) >= _FEWEST_WORDS
    return not inside or (is_task and all(one.start > sentence.start + len(task) for one in inside))


def _has_rest(sentence: Sentence, noted: Sequence[Statement]) -> bool:
    """Tell whether a clause of a sentence is in none of its notes."""
    if any(one.language != "en" or one.attribute in _WHOLE for one in noted):
        return False
    spans = [(one.start - sentence.start, one.end - sentence.start) for one in noted]
    for start, end in clauses(sentence.text):
        words = sentence.text[start:end]
        # A person named by the way is noted, but not what the clause says.
        around = [
            sentence.text[start:begin] + sentence.text[stop:end]
            for begin, stop in spans
            if begin < end and start < stop
        ]
        is_noted = any(len(words_around.split()) < _FEWEST_WORDS for words_around in around)
        is_said = len(words.split()) >= _FEWEST_WORDS and not is_small_talk(words) and not _ASKED.match(words)
        if is_said and not is_noted:
            return True
    return False


def _question(sentence: Sentence) -> Question | None:
    wish = read_request(sentence.text)
    if wish is not None and not (wish.kind == "task" and sentence.is_asked):
        return None
    if sentence.is_asked:
        return read_question(sentence.text)
    return read_foreign(sentence.text)


def _resolved(statement: Statement, person: Who | None, knowledge: Knowledge) -> Statement | None:
    """Say whom a pronoun means and what a bare correction corrects; None if that cannot be said."""
    who = statement.who
    if who.kind == "someone":
        return replace(statement, who=person) if person is not None and must_be(who.name, person) else None
    if statement.attribute == attributes.UNNAMED:
        return _corrected(statement, knowledge)
    if statement.attribute == attributes.ENDED:
        return whose_end(statement, knowledge.people)
    if who.kind == "person" and who.name and not who.relation:
        known = [one for one in knowledge.people if same_person(who, one)]
        return replace(statement, who=known[0]) if len(known) == 1 else statement
    return statement


def _corrected(statement: Statement, knowledge: Knowledge) -> Statement | None:
    """Find what a bare correction corrects: the latest single value said in this conversation."""
    for known in reversed(knowledge.said):
        was = known.statement
        if known.saying.source != "now":
            break
        if was.is_single and was.polarity == "is" and (made := correction_of(statement, was)) is not None:
            return made
    return None


def _about_whom(question: Question, person: Who | None, scene: Scene) -> Question:
    """Put the person a pronoun means into a question; ask the question before again for another person."""
    if isinstance(question, Happened | Why) and "journal" not in scene.tools:
        return without_journal(question)
    if question == Why():
        return _about_what(question, scene)
    asked = _asked_of(question)
    is_meant = asked is not None and asked.kind == "someone" and person is not None and may_be(asked.name, person)
    if isinstance(question, Same):
        who = person if is_meant and person is not None else question.who
        before = _question_before(scene)
        if isinstance(before, Slot):
            return replace(before, who=who)
        return Slot(who, attributes.NAME) if who.relation else read_question(f"who is {who.name}?")
    if not is_meant or person is None:
        return question
    if isinstance(question, Slot):
        return replace(question, who=person)
    if isinstance(question, Check):
        return replace(question, statement=replace(question.statement, who=person))
    return question


def _about_what(question: Why, scene: Scene) -> Question:
    """Say what "why did you do that?" is about: what the question before was about, if the journal answered it."""
    before = _question_before(scene)
    if isinstance(before, Happened):
        return Why(time=before.time)
    return before if isinstance(before, Why) else question


def _asked_of(question: Question) -> Who | None:
    """Return whom a question is about, if it is about somebody."""
    match question:
        case Slot() | Same():
            return question.who
        case Check():
            return question.statement.who
        case Person():
            return Who("person", name=question.name)
    return None


def _is_heard_last(person: Who, scene: Scene) -> bool:
    """Tell whether the message directly before speaks of this person and of nobody else."""
    before = scene.earlier[-1].text if scene.earlier else ""
    spoken = [one for one in read_statements(before) if same_person(person, one.who)]
    return bool(spoken) and not brings_in(before, person)


def _question_before(scene: Scene) -> Question | None:
    for saying in reversed(scene.earlier):
        asked = [one for one in sentences(saying.text) if one.is_asked]
        if asked:
            question = read_question(asked[-1].text)
            if not isinstance(question, Same):
                return question
    return None


def _spoken_of(scene: Scene, knowledge: Knowledge) -> Who | None:
    """Return the one person the exchange before was about; None when it was about nobody or about several."""
    for place, saying in enumerate(reversed(scene.earlier)):
        people = list(dict.fromkeys(_people_in(saying.text)))
        answered = scene.answers[-1 - place] if place < len(scene.answers) else ""
        people += [who for who in knowledge.people if who.name and who.name in answered and not people]
        known = [next((tie for tie in knowledge.people if same_person(who, tie)), who) for who in people]
        unique = list(dict.fromkeys(known))
        if unique:
            return unique[0] if len(unique) == 1 else None
        if not _is_pronoun_only(saying.text):
            return None
    return None


def _people_in(text: str) -> Iterator[Who]:
    for statement in read_statements(text):
        if statement.who.kind == "person":
            yield statement.who
    for sentence in sentences(text):
        asked = _asked_of(read_question(sentence.text)) if sentence.is_asked else None
        if asked is not None and asked.kind == "person":
            yield asked


def _is_pronoun_only(text: str) -> bool:
    """Tell whether a line itself speaks of somebody by pronoun: then the one before it says whom."""
    asked = [_asked_of(read_question(one.text)) for one in sentences(text) if one.is_asked]
    people = [*asked, *(one.who for one in read_statements(text))]
    return any(who is not None and who.kind == "someone" for who in people)


def name_of_user(knowledge: Knowledge) -> str:
    """Return what to call the user; empty when it is not known."""
    for attribute in (attributes.CALLED, attributes.NAME):
        # Not from other conversations: the one in which they asked to forget it may not be at hand.
        here = [known for known in reversed(knowledge.said) if known.saying.source == "now"]
        for known in [*here, *knowledge.noted]:
            statement = known.statement
            if statement.who == USER and statement.attribute == attribute and statement.polarity == "is":
                return statement.value
    return ""
