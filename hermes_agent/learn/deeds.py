"""Word what somebody does, plans or wants in the third person: "reviews code", "plans to fly on Sunday"."""

from hermes_agent.text.verbs import lemma

_DOING = ("work", "schedule", "habit", "family")
_MEANT = {"plan": "plan", "goal": "want"}
_TIMES = ("at", "on", "in", "every", "from", "between", "until")
_THIRD = {"have": "has", "do": "does", "go": "goes", "be": "is"}


def predicate(attribute: str, value: str, *, is_not: bool = False) -> str:
    """Return what is said of somebody, to stand behind the name; empty if the value names no deed."""
    if attribute in _MEANT:
        return _meant(_MEANT[attribute], value.removeprefix("to "), is_not=is_not)
    if attribute not in _DOING:
        return ""
    first, _, rest = value.partition(" ")
    word = first.lower()
    if " I " in f" {value} ":
        return ""
    if attribute == "schedule" and ":" in word and word[0].isdigit():
        return f"is {'not ' if is_not else ''}at {value}"
    if word in _TIMES or (word.endswith("ing") and lemma(word, "ing")):
        return f"is {'not ' if is_not else ''}{value}"
    base = lemma(word, "third") or lemma(word, "base")
    if not base or not rest or attribute == "family":
        return ""
    return f"does not {base} {rest}" if is_not else f"{_third(base)} {rest}"


def _meant(verb: str, value: str, *, is_not: bool) -> str:
    word = value.partition(" ")[0].lower()
    if word.endswith("ing") and lemma(word, "ing"):
        return f"is {'not ' if is_not else ''}{value}"
    if not lemma(word, "base"):
        return ""
    if word == verb:  # who said "I plan a trip" plans it, and does not plan to plan
        return f"does not {value}" if is_not else f"{_third(verb)}{value[len(word) :]}"
    return f"does not {verb} to {value}" if is_not else f"{_third(verb)} to {value}"


def _third(base: str) -> str:
    if base in _THIRD:
        return _THIRD[base]
    if base.endswith("y") and base[-2:-1] not in "aeiou":
        return f"{base[:-1]}ies"
    return f"{base}es" if base.endswith(("s", "x", "z", "ch", "sh", "o")) else f"{base}s"
