"""How often a test tries, and where it writes down what it measured.

`make test` runs reduced counts, `make proof` (HERMES_PROOF=1) the full ones. What a full run measured goes
as lines of JSON into the file named by HERMES_PROOF_RECORD; `tools/proof.py` makes docs/proof.md of them.
The environment is read when this module is imported: every test gets a cleaned environment of its own.
"""

import json
import os
from pathlib import Path

from hypothesis import HealthCheck, settings

IS_PROOF = os.environ.get("HERMES_PROOF", "") not in ("", "0")
_RECORD = os.environ.get("HERMES_PROOF_RECORD")


def count(normal: int, proof: int) -> int:
    """Return how often to try: `normal` in `make test`, `proof` in `make proof`."""
    return proof if IS_PROOF else normal


def record(name: str, value: int | float | str, *, to: Path | None = None) -> None:
    """Write down a measured value under a name of `tools/proof.py`; nothing happens in a reduced run.

    Several processes write at once, so a line is one append of its own. `to` overrides the file.
    """
    path = to or (Path(_RECORD) if _RECORD else None)
    if path is None:
        return
    line = json.dumps({"name": name, "value": value}, ensure_ascii=False) + "\n"
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        os.write(descriptor, line.encode())
    finally:
        os.close(descriptor)


def load_hypothesis_profile() -> None:
    """Set how many examples a property test tries; conftest calls it once."""
    # A real database stands behind most properties: a slow example is no failure.
    settings.register_profile(
        "hermes",
        max_examples=count(25, 1_000),
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
        print_blob=True,
    )
    settings.load_profile("hermes")
