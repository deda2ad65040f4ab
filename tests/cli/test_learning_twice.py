"""The same conversations learned twice without a model, in two homes, give the same memory."""

import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home, ensure
from hermes_agent.store import facts, journal
from tests.learn.story import tell_story

_MOST = 100_000
# Uids, what names one, and when memory took something up: they are another in each home.
_OTHER = ("uid", "source_message", "source_entry", "superseded_by", "learned_at", "ended_at", "at")


def learned(root: Path, seed: int) -> dict[str, object]:
    """Keep the story in a new home and let the jobs run in a process that orders its sets by a seed."""
    home = Home(root, "default")
    ensure(home)
    app = App(home, load(home))
    tell_story(app.memory)
    settings = {"HERMES_NO_JOBS": "1", "HERMES_MEMORY_COMPRESSION_AFTER_DAYS": "0"}
    environment = os.environ | settings | {"HERMES_HOME": str(root), "PYTHONHASHSEED": str(seed)}
    program = [sys.executable, "-m", "hermes_agent", "jobs", "run"]
    subprocess.run(program, env=environment, capture_output=True, check=True)
    with app.store.read() as connection:
        kept = facts.recent(connection, _MOST, with_ended=True)
        disputes = facts.open_disputes(connection, _MOST)
        told = [(entry.kind, entry.subject, entry.text) for entry in journal.recent(connection, _MOST)]
    app.close()
    names = {fact.uid: fact.name for fact in kept}
    return {
        "facts": [_alike(asdict(fact)) for fact in kept],
        "replaced": [names.get(fact.superseded_by or "") for fact in kept],
        "disputes": [_alike(asdict(one)) for one in disputes],
        "journal": told,
        "USER.md": home.user_note.read_text(),
    }


def _alike(values: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in values.items() if name not in _OTHER}


def test_the_same_talk_gives_the_same_memory(tmp_path: Path) -> None:
    one, other = (learned(tmp_path / f"home-{seed}" / ".hermes", seed) for seed in (1, 2))
    assert one["facts"] and one["journal"] and one["USER.md"]
    for name, told in one.items():
        assert other[name] == told, name
