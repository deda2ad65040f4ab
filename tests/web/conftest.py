"""A home that is served: in this process for the API and the pages, on a real port for browsers and streams."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial

import pytest
from starlette.testclient import TestClient

from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.memory import tokens
from hermes_agent.records.tokens import Scope
from hermes_agent.web.callers import cookie_at, csrf_word
from hermes_agent.web.server import Server
from hermes_agent.web.site import build, stop
from tests.locks import has_lost_locks

ADDRESS = "http://127.0.0.1"


@pytest.fixture
def app(own_home: Home, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    """What works in the test's home; its server takes any free port. Nothing it does costs it its locks."""
    monkeypatch.setenv("HERMES_WEB_PORT", "0")
    with closing(App(own_home, load(own_home))) as made:
        yield made
        assert not has_lost_locks(own_home.state_db)


@dataclass(frozen=True)
class Doors:
    """Clients of the site of one home."""

    app: App
    site: TestClient

    def program(self, scope: Scope = "admin") -> TestClient:
        """Return a program with a token."""
        shown = tokens.create(self.app.store, f"test {scope} {len(tokens.every(self.app.store))}", scope).shown
        return self._client({"Authorization": f"Bearer {shown}"})

    def browser(self, scope: Scope = "admin", *, of_program: bool = False) -> TestClient:
        """Return a browser that a link, or a program's token, let in; its forms carry the word that pages know."""
        store = self.app.store
        with_what = tokens.create(store, "a program", scope) if of_program else tokens.create_link(store, scope)
        made = tokens.log_in(store, with_what.shown, "a test")
        assert made is not None
        client = self._client({"Accept": "text/html", "X-CSRF-Token": csrf_word(made.shown)})
        client.cookies.set(cookie_at(None), made.shown)
        return client

    def stranger(self) -> TestClient:
        """Return somebody with no token."""
        return self._client({})

    def _client(self, headers: dict[str, str]) -> TestClient:
        return TestClient(
            self.site.app, base_url=ADDRESS, headers=headers, follow_redirects=False, raise_server_exceptions=False
        )


@pytest.fixture
def doors(app: App) -> Doors:
    """Return the site of the test's home, in this process."""
    return Doors(app, TestClient(build(app), base_url=ADDRESS))


@contextmanager
def serving(app: App) -> Iterator[str]:
    """Serve the site of a home on a free port; yield its address."""
    site = build(app)
    with closing(Server(site, app.settings, on_stop=partial(stop, site))) as server:
        server.start()
        yield server.address
