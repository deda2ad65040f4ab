"""What kind of thing a noun of another language names, read from `nouns_abroad.txt`."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from hermes_agent.learn.lexicon import DIETS, RELATIONS
from hermes_agent.text.words import fold

_SHORTEST_END = 4
_AILMENT_ENDS = ("itis", "algia", "algie", "idismo", "idisme", "amie", "anemie", "pathie", "patia", "plegia")
_FAVOURITE = ("favorit", "prefer", "lievelings", "favoriet", "predilet")
_JOB_ENDS = (
    *("meister", "meisterin", "arbeiter", "arbeiterin", "ologe", "ologin", "ingenieur", "medewerker", "therapeut"),
    *("therapeutin", "ologo", "ologa", "ologue", "oloog", "grafo", "iatra", "iatre", "iater"),
)
_TAKEN_UP = "ista"
_NO_JOBS = (
    "optim",
    "ottim",
    "otim",
    "pesim",
    "pessim",
    "egoi",
    "femin",
    "femmin",
    "real",
    "perfec",
    "perfez",
    "rac",
)
"""An optimist is none by trade."""


@cache
def _listed() -> Mapping[str, frozenset[str]]:
    text = files("hermes_agent.learn").joinpath("nouns_abroad.txt").read_text(encoding="utf-8")
    found: dict[str, frozenset[str]] = {}
    for line in text.splitlines():
        kind, _, words = line.partition(":")
        if not line.startswith("#"):
            found[kind] = found.get(kind, frozenset()) | {fold(word) for word in words.split()}
    return {**found, "diet": found["diet"] | DIETS}


@cache
def _pairs(kind: str) -> Mapping[str, str]:
    return dict(pair.split("=", 1) for pair in _listed()[kind])


def favourite(noun: str) -> str:
    """Return what somebody has a favourite of, in English where that is known; empty for any other noun."""
    words = fold(noun).split()
    if words[0].startswith("lieblings"):
        kind = words[0].removeprefix("lieblings")
        return f"favourite {_pairs('favourite').get(kind, kind)}"
    if len(words) != 2 or not any(word.startswith(_FAVOURITE) for word in words):
        return ""
    kind = words[words[0].startswith(_FAVOURITE)]
    return f"favourite {_pairs('favourite').get(kind, kind)}"


def is_a(kind: str, word: str) -> bool:
    """Tell whether a word names a thing of a kind; many an ailment is known by its end."""
    plain = fold(word)
    return plain in _listed()[kind] or (kind == "ailment" and plain.endswith(_AILMENT_ENDS))


def is_job(word: str) -> bool:
    """Tell whether a word names an occupation; compounds end with one: Grundschullehrerin, buschauffeur."""
    plain = fold(word)
    if plain in _listed()["job"] or plain.endswith(_JOB_ENDS):
        return True
    if plain.endswith(_TAKEN_UP) and len(plain) > len(_TAKEN_UP) + 2:
        return not plain.startswith(_NO_JOBS)
    tails = (plain[place:] for place in range(2, len(plain) - _SHORTEST_END))
    return any(tail in _listed()["job"] for tail in tails if len(tail) > _SHORTEST_END)


def relation_of_several(word: str) -> str:
    """Return what each of several people is to the user: of "meine Kinder" a child."""
    return _pairs("several").get(fold(word), "")


def relation_of(word: str) -> str:
    """Return what somebody is to the user, in English; empty if the word says nothing of the sort."""
    plain = fold(word)
    return _pairs("kinship").get(plain) or RELATIONS.get(plain, "")
