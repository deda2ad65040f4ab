"""A receipt as a file that its owner can keep or show: counts, hashes and what was found, no word and no key."""

import json

from hermes_agent import clock
from hermes_agent.config.paths import Home
from hermes_agent.config.replace import replace_text
from hermes_agent.records.archive import Json
from hermes_agent.records.receipts import Receipt

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
