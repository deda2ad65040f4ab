"""Write what was measured of recall for docs/benchmarks.md and for the terminal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from benchmarks.conversations import mean
from benchmarks.measure import Times
from benchmarks.page import measured_on, table
from benchmarks.signals import LEFT_OUT, NOTHING
from benchmarks.unanswerable import FOREIGN, OWN, RENAMED, Thresholded

Rows = Sequence[Mapping[str, float]]

COLUMNS: Final = {
    "turn @5": ("turn", "recall@5"),
    "turn @10": ("turn", "recall@10"),
    "turn @20": ("turn", "recall@20"),
    "session @10": ("session", "recall@10"),
    "session any@5": ("session", "any@5"),
    "session all@5": ("session", "all@5"),
}
_DETAILS = ("recall@5", "recall@10", "recall@20", "any@5", "all@5", "mrr", "ndcg@10")

# Measured once, before there was a product, on the same conversations: the prototype kept every turn in memory and
# scored them all. For `minilm` cross-validated, for `local` fitted on these conversations, as our weights are.
# In the order of COLUMNS; None was not noted down.
_RANKED_OR: Final = {
    "locomo": (44.0, 51.8, 58.9, 89.1, None, None),
    "realtalk": (None, 48.5, 56.9, None, None, None),
    "lme-pool": (None, 78.2, 83.9, None, None, None),
    "lme-s-lite": (None, 86.1, None, None, 93.8, 84.1),
    "beam-100k": (None, 40.5, 50.0, None, None, None),
}
_PROTOTYPES: Final[Mapping[str, Mapping[str, tuple[float | None, ...]]]] = {
    "local": {
        "locomo": (78.4, 85.1, 89.5, 94.7, None, None),
        "realtalk": (None, 72.7, 81.1, None, None, None),
        "lme-pool": (None, 95.6, 97.8, None, None, None),
        "lme-s-lite": (None, 97.7, None, None, 100.0, 95.7),
        "beam-100k": (None, 69.0, 76.3, None, None, None),
    },
    "minilm": {
        "locomo": (80.1, 85.9, 90.6, 95.3, None, None),
        "realtalk": (None, 77.3, 85.7, None, None, None),
        "lme-pool": (None, 96.4, 97.9, None, None, None),
        "lme-s-lite": (None, 98.2, None, None, 100.0, 97.1),
        "beam-100k": (None, 68.0, 76.4, None, None, None),
    },
    "none": {},
}


@dataclass(frozen=True)
class Result:
    """The figures of one set: a row for each question, of turns and of sessions, by category."""

    turns: Mapping[str, Rows]
    sessions: Mapping[str, Rows]
    times: Times
    turns_per_second: float

    def figure(self, column: str) -> float:
        """Return a figure of `COLUMNS` in percent."""
        level, name = COLUMNS[column]
        rows = self.turns if level == "turn" else self.sessions
        return 100 * mean(rows["all"])[name]

    def data(self) -> dict[str, object]:
        """Return everything as plain numbers."""
        return {
            "questions": len(self.turns["all"]),
            "turn": {category: mean(rows) for category, rows in self.turns.items()},
            "session": {category: mean(rows) for category, rows in self.sessions.items()},
            "speed": {
                "turns_per_s": self.turns_per_second,
                "search_ms_p50": self.times.p50,
                "search_ms_p95": self.times.p95,
            },
        }


def by_category(result: Result) -> str:
    """Write the figures of one set by category, for the terminal."""
    rows = []
    for category in sorted(result.turns, key=lambda name: (name != "all", name)):
        rows.append(_detail("turn", category, result.turns[category]))
    rows.append(_detail("session", "all", result.sessions["all"]))
    return table(("", "category", "n", *_DETAILS), rows)


def scores(embedder: str, results: Mapping[str, Result]) -> str:
    """Write the section of one embedder: its figures, the prototype's beside, and plain words."""
    rows = []
    for name, result in results.items():
        speed = f"{result.times.p50:.0f} / {result.times.p95:.0f}"
        ours = [f"{result.figure(column):.1f}" for column in COLUMNS]
        rows.append([name, "**hermes**", str(len(result.turns["all"])), *ours, speed])
        for who, printed in (("prototype", _PROTOTYPES[embedder]), ("ranked OR", _RANKED_OR)):
            if name in printed:
                cells = ["–" if figure is None else f"{figure:.1f}" for figure in printed[name]]
                rows.append(["", who, "", *cells, ""])
    head = ("set", "", "questions", *COLUMNS, "p50 / p95 ms")
    return f"Embedder `{embedder}`. {measured_on()}.\n\n{table(head, rows)}"


def worth(embedder: str, recalls: Mapping[str, Mapping[str, float]], kinds: Mapping[str, str]) -> str:
    """Write what each group of signals is worth: the points of turn recall@10 that leave with it.

    `recalls` has for each set the recall without each group that counts in it, and without nothing.
    `kinds` says of each set whether people talk, or a user with an assistant.
    """
    rows = [["with all of them", *(f"{100 * found[NOTHING]:.1f}" for found in recalls.values())]]
    for group in list(LEFT_OUT)[1:]:
        cells = [
            f"{100 * (found[group] - found[NOTHING]):+.1f}".replace("-", "−") if group in found else "–"
            for found in recalls.values()
        ]
        rows.append([f"without {group}", *cells])
    head = ("", *(f"{name} ({kinds[name]})" for name in recalls))
    return f"Embedder `{embedder}`, turn recall@10. {measured_on()}.\n\n{table(head, rows)}"


def thresholds(embedder: str, found: Mapping[str, Thresholded], threshold: float) -> str:
    """Write how often the unanswerable gets a hit, and what the threshold costs the rest."""
    rows = []
    for name, one in found.items():
        shares = [_share(one, kind) for kind in (FOREIGN, RENAMED, OWN)]
        recall, above = (100 * sum(rows) / len(rows) for rows in (one.recall, one.recall_above))
        rows.append([name, *shares, f"{recall:.1f}", f"{above:.1f}", f"{100 * one.cost:.1f}"])
    head = (
        "set",
        "of other conversations",
        "the same, renamed",
        "the set's own",
        "recall@10",
        f"at {threshold} or more",
        "cost",
    )
    return f"Embedder `{embedder}`. {measured_on()}.\n\n{table(head, rows)}"


def _share(found: Thresholded, kind: str) -> str:
    share = found.share(kind)
    return "–" if share is None else f"{100 * share:.1f} % of {len(found.is_hit[kind])}"


def _detail(level: str, category: str, rows: Rows) -> list[str]:
    row = mean(rows)
    return [level, category, str(len(rows)), *(f"{100 * row[column]:.1f}" for column in _DETAILS)]
