"""Make the list of verbs by their class: `python -m tools.verbs FOLDER`, a folder with WordNet 3.0.

The folder holds `index.sense` and `LICENSE.txt`. WordNet sorts the meanings of a verb into fifteen classes
(motion, possession, cognition …); a verb is of the class it was met in most. A word that is hardly ever a verb is
left out: nobody reads "dog" as one.
"""

import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from textwrap import wrap

from tools.shape import ROOT

LIST = ROOT / "hermes_agent" / "text" / "verbs.txt"
_SHARE, _SURE_SHARE = 0.1, 0.75
"""So much of what a word means must be a verb; so much that it is hardly ever anything else."""
_UNSEEN = 0.5
"""What the first meaning of a word counts beside how often it was met; the second counts half of it, and so on."""
_VERB = "2"
_CLASSES = {
    "29": "body",
    "30": "change",
    "31": "cognition",
    "32": "communication",
    "33": "competition",
    "34": "consumption",
    "35": "contact",
    "36": "creation",
    "37": "emotion",
    "38": "motion",
    "39": "perception",
    "40": "possession",
    "41": "social",
    "42": "stative",
    "43": "weather",
}
# Verbs of our days, and nouns that are verbs in the mouth of people at work.
_FURTHER = {
    "communication": "book email message phone text",
    "creation": "blog code knit paint",
    "motion": "bike ship ski surf",
    "possession": "hand rehome",
    "social": "babysit chair farm freelance host intern major minor volunteer",
    "competition": "game",
    "consumption": "stomach",
}


def classes(senses: Iterable[str]) -> Mapping[str, Sequence[str]]:
    """Sort the verbs in the lines of `index.sense`: "motion", and "motion or noun" for those that may be one."""
    weights: defaultdict[str, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
    for line in senses:
        key, _, number, times = line.split()
        word, _, rest = key.partition("%")
        part_of_speech, file = rest.split(":")[:2]
        if word.isascii() and word.isalpha():
            weight = int(times) + _UNSEEN / int(number)
            weights[word][_CLASSES[file] if part_of_speech == _VERB else ""] += weight
    found: defaultdict[str, set[str]] = defaultdict(set)
    for word, by_class in weights.items():
        other = by_class.pop("", 0.0)
        share = sum(by_class.values()) / (other + sum(by_class.values()))
        if share >= _SHARE:
            name = max(sorted(by_class), key=lambda each: by_class[each])
            found[name if share >= _SURE_SHARE else f"{name} or noun"].add(word)
    for name, words in _FURTHER.items():
        found[f"{name} or noun"] |= set(words.split())
    return {name: sorted(found[name]) for name in sorted(found)}


def written(found: Mapping[str, Sequence[str]], licence: str) -> str:
    """Write the list: the licence, then each class and indented its verbs."""
    lines = ["# Made by tools/verbs.py from:", "#", *(f"# {line}".rstrip() for line in licence.splitlines())]
    for name, words in found.items():
        lines += [name, *wrap(" ".join(words), width=110, initial_indent=" ", subsequent_indent=" ")]
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str]) -> int:
    """Write the list anew."""
    (folder,) = map(Path, arguments)
    with (folder / "index.sense").open(encoding="utf-8") as senses:
        found = classes(senses)
    LIST.write_text(written(found, (folder / "LICENSE.txt").read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
