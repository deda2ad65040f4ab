"""The notes in the dashboards of two machines that share one PostgreSQL."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home, ensure
from hermes_agent.ids import new_uid
from hermes_agent.store.postgres import Postgres, schema_name
from hermes_agent.store.store import Store
from hermes_agent.web.site import build
from tests.postgres import server_address
from tests.web.conftest import ADDRESS, Doors
from tests.web.forms import submit


@pytest.fixture
def two(tmp_path: Path) -> Iterator[tuple[Doors, Doors]]:
    """Two homes that share a schema, each with its dashboard."""
    schema = schema_name(new_uid())
    doors = []
    for name in ("desk", "laptop"):
        home = Home(tmp_path / name, "default")
        ensure(home)
        app = App(home, load(home), store=Store(Postgres(server_address(), schema), "default"))
        doors.append(Doors(app, TestClient(build(app), base_url=ADDRESS)))
    with closing(doors[0].app), closing(doors[1].app):
        yield doors[0], doors[1]


def test_what_is_saved_at_one_dashboard_is_at_the_other(two: tuple[Doors, Doors]) -> None:
    desk, laptop = (each.browser("write") for each in two)
    late = laptop.get("/notes/memory")
    assert submit(desk, desk.get("/notes/memory"), "/notes/memory", text="From the desk").status_code == 303
    assert "From the desk" in laptop.get("/notes/memory").text
    assert submit(laptop, late, "/notes/memory", text="From the laptop").status_code == 412


def test_a_change_on_two_machines_at_once_is_told(two: tuple[Doors, Doors]) -> None:
    desk, laptop = (each.browser("write") for each in two)
    submit(desk, desk.get("/notes/memory"), "/notes/memory", text="Deploys run on Fridays")
    laptop.get("/notes/memory")
    two[1].app.notebook.path("memory").write_text("Deploys run on Sundays", "utf-8")
    submit(desk, desk.get("/notes/memory"), "/notes/memory", text="Deploys run on Mondays")
    page = laptop.get("/notes/memory").text
    assert "was changed here and on another machine" in page
    assert "Deploys run on Mondays" in page
    assert "Changed on two machines at once" in laptop.get("/notes/memory").text, "it stays listed"
