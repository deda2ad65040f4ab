"""A home with a little of everything in it, for clients to find."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.memory import facts, skills
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.records.notes import Operation

DEPLOY = """\
---
name: deploy
description: Deploy Atlas to production. Use it for every release.
---
1. Run `make test`.
2. Run `make deploy`.
"""
SESSION = "20260414_090000_abcdef"


@pytest.fixture
def app(own_home: Home) -> Iterator[App]:
    """The seeded home, opened by somebody else at the same time."""
    with closing(App(own_home, load(own_home))) as app:
        facts.add(app.store, "Atlas runs on Postgres 16.")
        facts.add(app.store, "Ana lives in Ljubljana.")
        app.notebook.change("user", [Operation("add", "Is called Mira.")], actor="owner")
        skills.create(app.store, app.library.folder, "deploy", DEPLOY)
        app.memory.begin(NewSession(source="cli", id=SESSION))
        for number in range(30):
            app.memory.append(
                SESSION,
                NewMessage("user", f"What about turbine {number}?"),
                NewMessage("assistant", f"Turbine {number} spins."),
            )
        yield app
