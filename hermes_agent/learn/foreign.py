"""Read a sentence of another language by the lines of `grammar_languages`."""

import re
from collections.abc import Iterator
from dataclasses import replace

from hermes_agent.learn import attributes, lexicon
from hermes_agent.learn import grammar_languages as languages
from hermes_agent.learn.grammar_languages import Form
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.values import is_lasting_noun, is_passing, is_telling, shaped, titled
from hermes_agent.records.statements import USER, WE, Statement, Who
from hermes_agent.text.words import fold

_WE = Pattern(r"(?:wir|nous|on|usamos|utilizamos|usiamo|utilizziamo|wij|we)\b")
_LEAD = Pattern(
    r"(?:(?:hallo|hi|guten\s+(?:morgen|tag|abend)|servus|moin|salut|bonjour|bonsoir|hola|buenos\s+días"
    r"|buenas|ciao|buongiorno"
    r"|olá|oi|bom\s+dia|hoi|goedemorgen|also|übrigens|doch|eigentlich|tatsächlich|en\s+fait|en\s+realidad"
    r"|in\s+realtà"
    r"|na\s+verdade|eigenlijk)\b[\s,.!:-]*|(?:nein|non|no|não|nee|ja|oui|sí|si|sim)\s*[,.!:-]+\s*)+"
)
# "…, nicht mehr in Bonn", "… depuis trois ans", "… als Ingenieur": beside the value, not of it.
_TAIL = Pattern(
    r",?\s+(?:nicht\s+mehr|seit|depuis|plus\s+(?:à|en|au)|pas\s+(?:à|en|au)|desde|ya\s+no|non\s+più"
    r"|da\s+(?:\d+|due|tre|quattro|cinque|molti|un)|há|já\s+não|niet\s+meer|sinds|als|comme|como|come)(?!\w).*$"
    r"|\s*,\s*(?:nicht|pas|non|não|niet|no)\s.*$"
)
_CORRECTS = Pattern(
    r"(?:nein|doch|non|no|não|nee|eigentlich|tatsächlich|en\s+fait|en\s+realidad|in\s+realtà|na\s+verdade"
    r"|eigenlijk)\b"
)


def candidates(text: str) -> list[str]:
    """Return the languages a sentence may be in, by the words it holds, the likeliest first."""
    counts = {code: sum(1 for _ in languages.hints(code).finditer(text)) for code in languages.LANGUAGES}
    found = [code for code, count in counts.items() if count]
    return sorted(found, key=lambda code: -counts[code])


def read_foreign(text: str, at: int) -> Iterator[Statement]:
    """Yield what a sentence states in the first language that has a line for it."""
    for code in candidates(text):
        found = list(read_in(text, at, code))
        if found:
            yield from found
            return


def read_in(text: str, at: int, code: str) -> Iterator[Statement]:
    """Yield what a sentence states in a language."""
    lead = _LEAD.match(text)
    is_correction = lead is not None and _CORRECTS.search(lead[0]) is not None
    start = lead.end() if lead else 0
    yield from _in_language(text, start, at, code, is_correction)


def _in_language(text: str, start: int, at: int, code: str, is_correction: bool) -> Iterator[Statement]:
    """Go through the clauses; one without a subject goes on with the person of the one before."""
    subject = ""
    who: Who | None = None
    for begin, end in _clauses(text, start, code):
        clause = text[begin:end]
        found, words = _clause(clause, code)
        if found is None and subject and who is not None:
            found, words = _clause(f"{subject} {clause.strip()}", code)
            found = replace(found, who=who) if found is not None else None
        if found is not None:
            if found.who.kind == "person":
                subject, who = words, found.who
            is_change = found.is_correction or is_correction
            is_weak = found.is_weak and not is_change
            yield replace(found, start=at + begin, end=at + end, is_correction=is_change, is_weak=is_weak)


def _clauses(text: str, start: int, code: str) -> Iterator[tuple[int, int]]:
    begin = start
    for joint in languages.joints(code).finditer(text):
        if joint.start() >= begin:
            yield begin, joint.start()
            begin = joint.end()
    yield begin, len(text)


def _clause(clause: str, code: str) -> tuple[Statement | None, str]:
    """Return what a clause states, and the words in it that name its person."""
    words = clause.strip(" ,;.!")
    for form in languages.said_forms(code):
        match = form.pattern.match(words)
        made = _statement(form, match, words, code) if match is not None else None
        if match is not None and made is not None:
            who, attribute, value, lasts = made
            statement = Statement(
                who,
                attribute,
                value,
                0,
                len(clause),
                "is not" if form.is_not else "is",
                attributes.is_single(attribute),
                lasts,
                form.is_change,
                language=code,
                is_weak="(?P<self>" in form.pattern.source,
            )
            has_person = "relation" in form.pattern.source
            return statement, words[: match.end("relation")] if has_person else ""
    return None, ""


def _statement(form: Form, match: re.Match[str], words: str, code: str) -> tuple[Who, str, str, bool] | None:
    """Return who, attribute, value and whether it lasts; None when a value has not the shape its slot needs."""
    groups = {name: text for name, text in match.groupdict().items() if text}
    who = WE if _WE.match(words) and form.attribute == attributes.USES else USER
    if "relation" in groups:
        relation = lexicon.RELATIONS.get(fold(groups["relation"]))
        if relation is None:
            return None
        who = Who("person", relation, titled(groups.get("who", "")))
    slot = next((name for name in groups if name not in ("relation", "who", "noun")), None)
    if slot is None:
        return None
    said = _TAIL.sub("", groups[slot]) if slot in ("place", "value", "role") else groups[slot]
    value = said if slot == "clause" else shaped(said, languages.shape_of(slot))
    if value is None:
        return None
    match form.attribute:
        case "person":
            return Who("person", who.relation, titled(value)), attributes.NAME, titled(value), True
        case "thing":
            noun = groups["noun"]
            if fold(noun) in lexicon.RELATIONS:
                return None
            lasts = (is_lasting_noun(noun) or is_telling(value)) and not is_passing(value)
            return USER, noun, value, lasts
        case "remember":
            inner, _ = _clause(value, code)
            if inner is not None:
                return inner.who, inner.attribute, inner.value, True
            return WE, attributes.NOTE, value.strip(), True
    value = titled(value) if slot in ("name", "self") else value
    return who, form.attribute, value, not is_passing(value)
