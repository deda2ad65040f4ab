"""Figures of speech, which tell nothing of what they name: "drives a hard bargain", "married to my job"."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from hermes_agent.learn.glue import POSSESSIVES
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.verb_groups import VerbGroup

_NEAR = 8
_ANYBODY = {
    **dict.fromkeys(POSSESSIVES, "one's"),
    **dict.fromkeys(word_set("me us him them everyone everybody"), "one"),
}


@cache
def _table() -> Mapping[str, Sequence[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    text = files("hermes_agent.learn").joinpath("idioms.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if not line.startswith("#"):
            verb, _, behind = line.partition(" = ")
            found[verb].append(f" {behind} ")
    return dict(found)


def is_idiom(words: Words, verb: VerbGroup, end: int) -> bool:
    """Tell whether a verb and what stands close behind it are a figure of speech."""
    idioms = _table().get(verb.verb, ())
    if not idioms:
        return False
    near = words.words[verb.end : min(verb.end + _NEAR, end)]
    said = f" {' '.join(_ANYBODY.get(word, word) for word in near)} "
    return any(said.startswith(idiom) for idiom in idioms)
