"""A receipt as a file that its owner can keep or show: counts, hashes and what was found, no word and no key.

If the store loses the row, the file brings it back, with the key that the store keeps once more.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from hermes_agent import clock
from hermes_agent.config import private
from hermes_agent.config.paths import Home
from hermes_agent.config.replace import replace_text
from hermes_agent.records.archive import Json
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.receipts import Receipt
from hermes_agent.store import journal, receipts
from hermes_agent.store.store import Store
from hermes_agent.text import outside_json

FORMAT = "hermes-agent receipt"
VERSION = 1


def write(home: Home, receipt: Receipt) -> None:
    """Write it, closed to others."""
    home.receipts.mkdir(mode=0o700, parents=True, exist_ok=True)
    text = json.dumps({"format": FORMAT, "version": VERSION, **shown(receipt)}, indent=1)
    replace_text(home.receipt(receipt.uid), text + "\n", mode=0o600)


def shown(receipt: Receipt) -> dict[str, Json]:
    """Return what of a receipt anybody may see; without the key the hashes say nothing."""
    return {
        "receipt": receipt.name,
        "uid": receipt.uid,
        "at": clock.iso(receipt.at),
        "state": receipt.state,
        "asked": receipt.asked,
        "counts": dict(receipt.counts),
        "runs": list(receipt.runs),
        "blocks": list(receipt.blocks),
        "found": list(receipt.found),
        "backups": list(receipt.backups),
        "lifted_at": None if receipt.lifted_at is None else clock.iso(receipt.lifted_at),
    }


@dataclass(frozen=True, slots=True)
class BroughtBack:
    """Receipts whose rows were lost: those that are there again, and the files that were not enough for it."""

    restored: Sequence[str]
    left: Sequence[str]


def bring_back(home: Home, store: Store) -> BroughtBack:
    """Keep those receipts again that have a file and no row: what they tell of would be learned again."""
    restored: list[str] = []
    left: list[str] = []
    with store.read() as connection:
        known = {one.uid for one in receipts.every(connection)}
        key = receipts.key(connection)
    for file in sorted(home.receipts.glob("*.json")):
        if file.stem in known:
            continue
        found = None if key is None else _read(outside_json.read(private.read(file)), key)
        if found is None or found.uid != file.stem:
            left.append(file.name)
            continue
        with store.write() as connection:
            name = receipts.bring_back(connection, found).name
            text = f"{name} was brought back from its file: the store had lost it."
            journal.write(connection, NewEntry("receipt.restored", name, text))
        restored.append(name)
    return BroughtBack(restored, left)


def _read(told: object, key: str) -> Receipt | None:
    """Read what a file tells; None if it is no receipt of ours."""
    if not isinstance(told, dict) or told.get("format") != FORMAT or told.get("version") != VERSION:
        return None
    try:
        lifted = told["lifted_at"]
        return Receipt(
            id=int(str(told["receipt"]).removeprefix("receipt:")),
            uid=str(told["uid"]),
            at=_moment(told["at"]),
            state="pending" if told["state"] == "pending" else "done",
            asked=str(told["asked"]),
            counts={str(name): int(number) for name, number in told["counts"].items()},
            key=key,
            runs=[str(one) for one in told["runs"]],
            blocks=[str(one) for one in told["blocks"]],
            found=[str(one) for one in told["found"]],
            backups=[str(one) for one in told["backups"]],
            lifted_at=None if lifted is None else _moment(lifted),
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def _moment(told: object) -> int:
    return clock.from_datetime(datetime.fromisoformat(str(told)))
