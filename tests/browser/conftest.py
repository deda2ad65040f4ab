"""A real browser on a real server: Debian's Chromium, driven by Playwright, and the home it looks at.

`make test` leaves these out where no Chromium is installed; in CI that is a failure, since `.ci/run` installs it.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.daemon.web import open_server
from hermes_agent.jobs.pulse import Pulse
from hermes_agent.memory import tokens
from hermes_agent.web.callers import COOKIE
from tests.browser.home import fill

_QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
_SERIOUS = ("serious", "critical")
PHONE, DESK = 390, 1280
_HEIGHT = 900
IMAGES = Path(__file__).resolve().parents[2] / "docs" / "images"


@dataclass(frozen=True)
class Visit:
    """A browser that is logged in to a served home, and what its console complained of."""

    app: App
    address: str
    page: Page
    complaints: list[str] = field(default_factory=list)

    def open(self, path: str) -> None:
        """Go to a page of the site."""
        answer = self.page.goto(self.address + path)
        assert answer is not None and answer.ok, f"{path}: {answer and answer.status}"

    def check(self) -> None:
        """Fail if the console complained, somebody could be kept out, or the page is wider than the screen."""
        assert self.complaints == []
        found = Axe().run(self.page).response["violations"]
        serious = [
            (one["id"], [node["html"][:200] for node in one["nodes"]])
            for one in found
            if one["impact"] in _SERIOUS
        ]
        assert serious == []
        assert self.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")

    def shoot(self, name: str) -> None:
        """Keep a picture in docs/images, when pictures are wanted (`make images`)."""
        if os.environ.get("HERMES_IMAGES"):
            self.page.screenshot(path=IMAGES / f"{name}.png", full_page=True)


Visiting = Callable[..., Visit]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Start the browser once."""
    path = shutil.which("chromium")
    if path is None:
        if os.environ.get("CI"):
            pytest.fail("Chromium is not installed: .ci/run should have done that.")
        pytest.skip("Chromium is not installed (Debian: apt-get install chromium).")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(_QUIET))
        yield browser
        browser.close()


@pytest.fixture
def app(own_home: Home, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    """Return a home in which something happened."""
    monkeypatch.setenv("HERMES_WEB_PORT", "0")
    monkeypatch.setenv("HERMES_WEB_REQUESTS_PER_MINUTE", "0")
    monkeypatch.setenv("HERMES_DISPLAY_TIME_ZONE", "Europe/Oslo")
    with closing(App(own_home, load(own_home))) as made:
        fill(made)
        yield made


@pytest.fixture
def served(app: App) -> Iterator[tuple[App, str]]:
    """Serve the home."""
    with closing(open_server(app, Pulse(), lambda: None)) as server:
        yield app, server.address


@pytest.fixture
def visiting(served: tuple[App, str], chromium: Browser) -> Iterator[Visiting]:
    """Let somebody visit, on a screen of a width, in light or dark, with or without the script."""
    app, address = served
    contexts: list[BrowserContext] = []

    def visit(width: int = DESK, scheme: str = "light", *, has_script: bool = True) -> Visit:
        context = chromium.new_context(
            viewport={"width": width, "height": _HEIGHT},
            color_scheme="dark" if scheme == "dark" else "light",
            java_script_enabled=has_script,
            reduced_motion="reduce",
        )
        contexts.append(context)
        made = tokens.log_in(app.store, tokens.create_link(app.store).shown, "Chromium")
        assert made is not None
        context.add_cookies([{"name": COOKIE, "value": made.shown, "url": address, "httpOnly": True}])
        made_visit = Visit(app, address, context.new_page())
        made_visit.page.set_default_timeout(30_000)
        made_visit.page.on("console", lambda message: _hear(made_visit, message))
        made_visit.page.on("pageerror", lambda error: made_visit.complaints.append(str(error)))
        return made_visit

    yield visit
    for context in contexts:
        context.close()


def _hear(visit: Visit, message: ConsoleMessage) -> None:
    if message.type in ("error", "warning"):
        visit.complaints.append(message.text)


@contextmanager
def quiet(visit: Visit) -> Iterator[None]:
    """Let the console complain within the block: of an answer that is meant to be refused."""
    yield
    visit.complaints.clear()
