"""One process runs a gateway, also where several machines share a store, and whatever becomes of a connection."""

import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import text

from hermes_agent.app import App
from hermes_agent.config import paths
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.gateways import found, running
from hermes_agent.gateways.running import Running, State
from hermes_agent.store.store import Store
from tests.gateways.conftest import OWNER, at_work
from tests.gateways.telegram_server import TelegramServer
from tests.postgres import server_address


@contextmanager
def machine(home: Home, telegram: Home, told: list[State]) -> Iterator[tuple[App, Running]]:
    """Run the gateway of a home that is set up as another is; what it becomes is told."""
    paths.ensure(home)
    for file in (telegram.config_yaml, telegram.env_file):
        (home.root / file.name).write_bytes(file.read_bytes())
        (home.root / file.name).chmod(0o600)
    with closing(App(home, load(home))) as app:
        gateway = Running(app, found.platform("telegram"), told.append)
        gateway.start()
        try:
            yield app, gateway
        finally:
            gateway.stop()
            assert gateway.wait(60)


def break_hold(store: Store) -> None:
    """Break the connection that holds the gateway, as a server does that is started again."""
    with store.bare() as connection:
        wanted = {"what": f"{store.engine.schema} gateway telegram"}
        key = connection.execute(text("SELECT hashtextextended(:what, 0)"), wanted).scalar_one()
        halves = {"high": (key >> 32) & 0xFFFFFFFF, "low": key & 0xFFFFFFFF}
        own = "locktype = 'advisory' AND classid::bigint = :high AND objid::bigint = :low"
        broken = connection.execute(text(f"SELECT pg_terminate_backend(pid) FROM pg_locks WHERE {own}"), halves)
        assert broken.scalars().all() == [True]


def test_who_loses_its_hold_stops_and_one_of_two_goes_on(
    server: TelegramServer, telegram_home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "_HOLD_SECONDS", 0.1)
    monkeypatch.setenv("HERMES_MEMORY_BACKEND", "postgres")
    monkeypatch.setenv("HERMES_MEMORY_CONNECTION_STRING", server_address())
    # Other tests share the server: no other has an owner of this name.
    profile = f"owner{abs(hash(str(tmp_path))) % 10**9}"
    with ExitStack() as open_until_then:
        homes = [Home(tmp_path / name, profile) for name in ("here", "there")]
        told: list[State] = []
        (app, here), (_, there) = (
            open_until_then.enter_context(machine(one, telegram_home, told)) for one in homes
        )
        server.say(OWNER, "Good morning.")
        server.wait_for(lambda: len(server.texts(OWNER)) == 1)
        server.wait_for(lambda: sorted(one.state.condition for one in (here, there)) == ["connected", "waiting"])
        break_hold(app.store)
        server.wait_for(lambda: any("broke" in (one.trouble or "") for one in told))
        server.say(OWNER, "Good evening.")
        server.wait_for(lambda: len(server.texts(OWNER)) == 2)
        server.wait_for(lambda: sorted(one.state.condition for one in (here, there)) == ["connected", "waiting"])
    assert len(server.texts(OWNER)) == 2


def test_who_stands_by_takes_over_soon_however_long_it_has_stood(
    server: TelegramServer, telegram_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert running._LONGEST_STANDBY_SECONDS <= 30
    monkeypatch.setattr(running, "_FIRST_WAIT_SECONDS", 0.01)
    monkeypatch.setattr(running, "_LONGEST_STANDBY_SECONDS", 0.1)
    with at_work(telegram_home), closing(App(telegram_home, load(telegram_home))) as app:
        standby = Running(app, found.platform("telegram"))
        standby.start()
        server.wait_for(lambda: standby.state.condition == "waiting")
        time.sleep(3)
        ended = time.monotonic()
    server.wait_for(lambda: standby.state.condition == "connected")
    assert time.monotonic() - ended < 2
    standby.stop()
    assert standby.wait(60)
