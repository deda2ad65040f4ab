"""What is told: the calls that keep it, and the words that say what was understood and where it is kept."""

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from hermes_agent.agent.embedded.keeping import Change, Plan, plan
from hermes_agent.agent.embedded.notes import FILES
from hermes_agent.agent.embedded.parts import Tell
from hermes_agent.agent.embedded.phrases import ENGLISH
from hermes_agent.agent.embedded.scene import Done, Scene
from hermes_agent.agent.embedded.wording import ended, joined, phrases, quote, sentence, told, told_names, turned
from hermes_agent.learn import attributes
from hermes_agent.learn.matching import same_value
from hermes_agent.records.archive import Json
from hermes_agent.records.talk import NOT_NOTED, NOT_NOTED_AGAIN

Call = tuple[str, str]
"""A tool's name and its arguments as JSON."""

_NOTHING_KEPT = "Understood. Nothing is kept here: this conversation writes no notes."
_REST = "The rest is kept in this conversation."
_FOLLOWED = "A language model follows the instruction; the memory alone only quotes it."
_LEADS = (
    ENGLISH.noted,
    "Got it: {what}. I keep that in {file}.",
    "Understood: {what}. {file} has it now.",
)


def call(tool: str, /, **arguments: Json) -> Call:
    """Write a call; equal arguments always give equal bytes."""
    return tool, json.dumps(arguments, ensure_ascii=False)


def tell_calls(tell: Tell, scene: Scene) -> list[Call]:
    """Return one call of `memory` for each note that changes."""
    if "memory" not in scene.tools:
        return []
    made = plan(tell.statements, scene.before)
    return [call("memory", target=target, operations=list(of)) for target, of in made.operations.items()]


def tell_answer(tell: Tell, scene: Scene, results: Sequence[Done]) -> str:
    """Say what was understood, what became of it, and where it is."""
    made = plan(tell.statements, scene.before)
    is_remark = all(change.kind == "absent" and _is_open_end(change) for change in made.changes)
    if not tell.statements or is_remark:
        if "memory" not in scene.tools:
            return _NOTHING_KEPT
        return NOT_NOTED_AGAIN if any(NOT_NOTED in one for one in scene.answers) else NOT_NOTED
    if made.operations and "memory" not in scene.tools:
        what = _all_told(made.changes)
        return f"Understood: {what}. Nothing is kept here: this conversation writes no notes."
    failed = _failures(made, results)
    parts = [text for target in ("user", "memory") if (text := _of_target(made, target, failed, scene))]
    return " ".join([*parts, *_beside(tell, made, is_written=not failed)])


def _beside(tell: Tell, made: Plan, *, is_written: bool) -> list[str]:
    """Say what else there is to a message: words without a note, an instruction that a memory cannot follow."""
    if _language(made.changes) != "en":
        return []
    is_open = any(change.kind == "absent" and _is_open_end(change) for change in made.changes)
    rules = [change for change in made.changes if change.kind in ("added", "changed") and _is_rule(change)]
    texts = [_FOLLOWED] if rules and is_written else []
    return [*texts, *([_REST] if tell.has_rest or is_open else [])]


def _is_rule(change: Change) -> bool:
    return change.statement.attribute == attributes.INSTRUCTION and change.statement.polarity == "is"


def _failures(made: Plan, results: Sequence[Done]) -> dict[str, str]:
    """Return for each note that could not be written what the tool said."""
    failed = {}
    for place, target in enumerate(made.operations):
        done = results[place] if place < len(results) else None
        if done is None or not done.succeeded:
            failed[target] = _reason(done, target)
        elif done.payload is not None and done.payload.get("staged"):
            failed[target] = "It waits for your approval."
    return failed


def _reason(done: Done | None, target: str) -> str:
    payload = done.payload if done is not None else None
    error = str(payload.get("error") or "") if payload is not None else ""
    usage = payload.get("usage") if payload is not None else None
    name = FILES[target]
    if usage and "limit" in error:
        return (
            f"I could not note it: {name} is full ({usage} characters). Take something out with “forget …” or"
            f" `hermes notes edit --target {target}`, then tell me again; this conversation keeps it meanwhile."
        )
    said = error.split(". ")[0].rstrip(".") if error else "the note could not be written"
    return f"I could not note it in {name}: {said}. This conversation keeps it meanwhile."


def _of_target(made: Plan, target: str, failed: dict[str, str], scene: Scene) -> str:
    changes = [change for change in made.changes if change.target == target]
    written = [change for change in changes if change.kind in ("added", "changed", "removed")]
    texts = []
    if target in failed and written:
        texts.append(f"Understood: {_all_told(written)}. {failed[target]}")
    else:
        texts += _written(written, FILES[target], len(scene.answers))
    known = [change for change in changes if change.kind == "known"]
    if known:
        language = _language(known)
        what = _all_told(known)
        texts.append(phrases(language).known.format(what=what))
    texts += [_absent(change) for change in changes if change.kind == "absent" and not _is_open_end(change)]
    texts += [_unsure(change, FILES[target]) for change in changes if change.kind == "unsure"]
    return " ".join(texts)


def _written(changes: Sequence[Change], file: str, turn: int) -> list[str]:
    added = [change for change in changes if change.kind == "added"]
    texts = []
    if added:
        language = _language(added)
        form = _LEADS[turn % len(_LEADS)] if language == "en" else phrases(language).noted
        texts.append(form.format(what=_all_told(added), file=file))
    for change in changes:
        if change.kind == "changed":
            texts.append(_changed(change, file))
        elif change.kind == "removed":
            out = quote(change.former) if change.former else _positive(change)
            texts.append(ended(f"Taken out of {file}: {out}"))
        if change.beside:
            texts.append(f"{file} also says {quote(change.beside)}: `hermes notes edit` can mend that.")
    return texts


def _changed(change: Change, file: str) -> str:
    if _is_own_words(change):
        return f"Changed in {file}: {_told(change)} instead of “{change.former}”."
    statement = change.statement
    if statement.language == "en" and same_value(change.former, statement.value):
        # The same thing, liked before and not any more, or the other way round.
        return f"Changed in {file}: {_told(change)} {'now' if statement.polarity == 'is' else 'any more'}."
    form = phrases(_language([change])).changed
    return form.format(what=_told(change), former=turned(change.former), file=file)


def _is_own_words(change: Change) -> bool:
    return change.statement.attribute in (attributes.INSTRUCTION, attributes.MEANING, attributes.NOTE)


def _all_told(changes: Sequence[Change]) -> str:
    """Say several statements in one sentence; the names of several children, cats, … are said together."""
    clauses = []
    for relation, group in groupby(changes, _relation_named):
        statements = [change.statement for change in group]
        if relation and len(statements) > 1:
            clauses.append(told_names(relation, [one.value for one in statements]))
        else:
            clauses += [told(one, one.language) for one in statements]
    return joined(clauses)


def _relation_named(change: Change) -> str:
    is_name = change.statement.attribute == attributes.NAME and change.statement.language == "en"
    return change.statement.who.relation if is_name else ""


def _told(change: Change) -> str:
    return told(change.statement, change.statement.language)


def _positive(change: Change) -> str:
    """Say what was taken out, as it had been said."""
    statement = change.statement
    return f"that {told(replace(statement, polarity='is'))}"


def _absent(change: Change) -> str:
    said = sentence(told(change.statement))[:-1]
    return f"{said}: the notes did not say otherwise, so there was nothing to change."


def _unsure(change: Change, file: str) -> str:
    noted = told(replace(change.statement, value=change.former))
    return f"{file} says {noted}, and I left it so. If that is wrong, say “actually, {_as_said(change)}”."


def _as_said(change: Change) -> str:
    return f"my {change.statement.attribute} is {change.statement.value}"


def _is_open_end(change: Change) -> bool:
    return change.statement.attribute in (attributes.ENDED, attributes.INSTRUCTION)


def _language(changes: Sequence[Change]) -> str:
    """Return the language of all of them; English when they differ."""
    languages = {change.statement.language for change in changes}
    return languages.pop() if len(languages) == 1 else "en"
