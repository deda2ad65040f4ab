"""Say what a statement says, to the user: "your name is Ada", "your sister Mia lives in Oslo"."""

import re
from collections.abc import Sequence
from datetime import date

from hermes_agent.agent.embedded.phrases import ENGLISH, Phrases
from hermes_agent.learn import attributes
from hermes_agent.learn.grammar_english import DOES
from hermes_agent.learn.patterns import Pattern
from hermes_agent.records.statements import Statement, Who

LONGEST_QUOTE = 240
_OWN_WORDS = "Said: “"
_MODEL_COMMAND = "hermes model set PROVIDER:NAME"
ADDS_MODEL = f"`{_MODEL_COMMAND}` adds one."

_TURNED = {
    **{"i": "you", "me": "you", "my": "your", "mine": "yours", "myself": "yourself", "am": "are", "i'm": "you're"},
    **{
        "i've": "you've",
        "i'll": "you'll",
        "i'd": "you'd",
        "our": "your",
        "ours": "yours",
        "we": "you",
        "us": "you",
    },
    **{"we're": "you're", "we've": "you've"},
}
_WORD = Pattern(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_OF = Pattern(r"\s(?:of|at|with|for|in|on|to)\s")
_DOING = Pattern(rf"(?:{DOES})\s")


def phrases(language: str) -> Phrases:
    """Return the words of a language; the others are loaded when somebody speaks them."""
    if language == "en":
        return ENGLISH
    from hermes_agent.agent.embedded.phrases_abroad import ABROAD

    return ABROAD.get(language, ENGLISH)


def turned(text: str) -> str:
    """Turn the user's first person into the second, for speaking back."""
    return _WORD.sub(_turned_word, text)


def _turned_word(match: re.Match[str]) -> str:
    word = match[0].replace("’", "'")
    before = match.string[: match.start()]
    if before[-1:].isdigit() or (word.lower() == "am" and before.rstrip()[-1:].isdigit()):
        return match[0]  # an hour
    # A capital letter makes a title of it: “Call Me by Your Name” is nobody's but its own.
    is_title = word[:1].isupper() and not word.startswith(("I'", "I")) or word[:2].istitle() and len(word) > 2
    return match[0] if is_title else _TURNED.get(word.lower(), match[0])


def who_is(who: Who) -> str:
    """Name somebody to the user."""
    if who.relation:
        return f"your {who.relation} {who.name}".strip()
    return {"user": "you", "we": "you"}.get(who.kind, who.name)


def told(statement: Statement, language: str = "en") -> str:
    """Say a statement back, as a clause without a full stop."""
    if clause := _in_language(statement, phrases(language)):
        return clause
    if language != "en" and statement.who.kind == "user" and statement.attribute not in attributes.TABLE:
        return f"{statement.attribute}: {statement.value}"
    value = turned(statement.value)
    who, attribute = statement.who, statement.attribute
    is_not = statement.polarity in ("is not", "no longer")
    known = attributes.TABLE.get(attribute)
    if attribute == attributes.NAME and who.kind == "person":
        whose = f"your {who.relation}" if who.relation else who.name
        return f"{whose}'s name is {'not ' if is_not else ''}{value}"
    if attribute in (attributes.INSTRUCTION, attributes.MEANING, attributes.NOTE):
        return f"“{statement.value}”"
    if known is None:
        return _thing(statement, value, is_not)
    if attribute == attributes.DECISION:
        return f"you {attributes.settled(value)}"
    if attribute == "age" and value.isdigit():
        value = f"{value} years old"
    if who.kind in ("user", "we"):
        return (known.you_not if is_not else known.you).format(v=value)
    return (known.they_not if is_not else known.they).format(who=who_is(who), v=value)


def told_names(relation: str, names: Sequence[str]) -> str:
    """Say the names of several of the same relation at once."""
    whose = "children's" if relation == "child" else f"{relation}s'"
    return f"your {whose} names are {', '.join(names[:-1])} and {names[-1]}"


def _thing(statement: Statement, value: str, is_not: bool) -> str:
    attribute, who = turned(statement.attribute), statement.who
    no = " not" if is_not else ""
    head = _OF.split(attribute)[0]
    if attribute.startswith("to "):
        return f"you do{no} {attribute[3:]} {value}" if is_not else f"you {attribute[3:]} {value}"
    owner = {"user": "your", "we": "the"}.get(who.kind) or f"{who_is(who)}'s"
    verb = "" if _DOING.match(value) else (" are" if head.endswith("s") and not head.endswith("ss") else " is")
    return f"{owner} {attribute}{verb}{no} {value}"


def _in_language(statement: Statement, words: Phrases) -> str:
    """Say a statement in another language; empty when the table has no words for it."""
    form = words.said.get(statement.attribute if statement.polarity == "is" else f"not {statement.attribute}")
    who = statement.who
    if who.kind == "person":
        form = words.of_person.get(statement.attribute)
        if form is None or not who.relation or statement.polarity != "is":
            return ""
        relation = words.relations.get(who.relation)
        name = "" if statement.attribute == attributes.NAME or not who.name else f" {who.name}"
        return form.format(who=f"{relation}{name}", v=statement.value) if relation else ""
    return form.format(v=statement.value) if form and who.kind == "user" else ""


def sentence(clause: str) -> str:
    """Make a clause a sentence."""
    text = clause.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?", "”.", "…")) else ".")


def day(at: date, language: str = "en") -> str:
    """Write a date in words."""
    words = phrases(language)
    return words.date.format(day=at.day, month=words.months.split()[at.month - 1], year=at.year)


def ended(text: str) -> str:
    """Close a sentence that ends with a quotation: one that was cut ends with its ellipsis."""
    return text if text.endswith("…") else f"{text}."


def quote(text: str, *, is_cut: bool = False) -> str:
    """Put the user's own words between quotation marks; what is cut has its ellipsis behind them, never inside."""
    words = text.strip()
    if words.startswith(_OWN_WORDS) and words.endswith("”"):
        # An entry that is a quotation already.
        return words.removeprefix(_OWN_WORDS[:-1])
    if len(words) <= LONGEST_QUOTE:
        return f"“{words}” …" if is_cut else f"“{words}”"
    cut = words[:LONGEST_QUOTE].rsplit(maxsplit=1)[0] if " " in words[:LONGEST_QUOTE] else words[:LONGEST_QUOTE]
    return f"“{cut}” …"


def joined(clauses: Sequence[str]) -> str:
    """Join clauses with semicolons."""
    return "; ".join(clauses)
