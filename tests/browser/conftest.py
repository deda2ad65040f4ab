"""A real browser on a real server: Debian's Chromium, driven by Playwright, and the home it looks at.

`make test` leaves these out where no Chromium is installed; in CI that is a failure, since `.ci/run` installs it.
What happened in the home happens once; each file of tests gets a copy of it, served as the daemon serves it.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, FloatRect, Page, sync_playwright

from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.daemon.web import open_server
from hermes_agent.jobs.pulse import Pulse
from hermes_agent.memory import tokens
from hermes_agent.web.callers import cookie_at
from tests.browser.home import fill
from tests.conftest import KEY_ENDINGS

_QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    # Pictures without coloured edges of letters are half as large.
    "--disable-lcd-text",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
# The violations alone, and of them what is told: all that axe found out would be megabytes.
_LOOK = """async (rules) => (await axe.run({resultTypes: ["violations"], ...rules})).violations
  .filter((one) => ["serious", "critical"].includes(one.impact))
  .map((one) => [one.id, one.nodes.map((node) => node.html.slice(0, 200))])"""
Scheme = Literal["light", "dark"]
PHONE, DESK = 390, 1280
_HEIGHT = 900
_HIGHEST_PICTURE = 720
IMAGES = Path(__file__).resolve().parents[2] / "docs" / "images"
# Read when the tests are collected: each test takes such variables out of its environment.
_ARE_PICTURES_WANTED = bool(os.environ.get("HERMES_IMAGES"))
_SETTINGS = {
    "HERMES_WEB_PORT": "0",
    "HERMES_WEB_REQUESTS_PER_MINUTE": "0",
    "HERMES_DISPLAY_TIME_ZONE": "Europe/Oslo",
}


@dataclass(frozen=True)
class Visit:
    """A browser that looks at a served home, and what its console complained of."""

    app: App
    address: str
    page: Page
    complaints: list[str] = field(default_factory=list)

    def open(self, path: str) -> None:
        """Go to a page of the site."""
        answer = self.page.goto(self.address + path)
        assert answer is not None and answer.ok, f"{path}: {answer and answer.status}"

    def check(self, *, of_colours: bool = False) -> None:
        """Fail if the console complained, somebody could be kept out, or the page is wider than the screen.

        With `of_colours` only these are looked at: nothing else changed since the last time.
        """
        assert self.complaints == [], self.page.url
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE_SCRIPT)
        rules = {"runOnly": ["color-contrast"]} if of_colours else {}
        assert self.page.evaluate(_LOOK, rules) == [], self.page.url
        assert self.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), self.page.url

    def dress(self, scheme: Scheme) -> None:
        """Show the page in light or dark."""
        self.page.emulate_media(color_scheme=scheme)

    def shoot(self, name: str) -> None:
        """Keep a picture in docs/images, when pictures are wanted (`make images`)."""
        if _ARE_PICTURES_WANTED:
            size = self.page.viewport_size
            high = self.page.evaluate("Math.ceil(document.body.getBoundingClientRect().height)")
            assert size is not None and isinstance(high, int)
            clip = FloatRect(x=0, y=0, width=size["width"], height=min(high, _HIGHEST_PICTURE))
            self.page.screenshot(path=IMAGES / f"{name}.png", full_page=True, clip=clip)


Visiting = Callable[..., Visit]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Start the browser for one file: while it runs, no other test of this worker can run a loop of its own."""
    path = shutil.which("chromium")
    if path is None:
        if os.environ.get("CI"):
            pytest.fail("Chromium is not installed: .ci/run should have done that.")
        pytest.skip("Chromium is not installed (Debian: apt-get install chromium).")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(_QUIET))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def lived_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a home in which something happened."""
    folder = tmp_path_factory.mktemp("lived-in") / ".hermes"
    with _settings(folder), closing(App(Home(folder, "default"), load(Home(folder, "default")))) as made:
        fill(made)
    return folder


@pytest.fixture(scope="module")
def served(
    chromium: Browser, lived_in: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[App, str]]:
    """Serve a copy of it."""
    with serving(lived_in, tmp_path_factory.mktemp("served")) as found:
        yield found


@contextmanager
def serving(lived_in: Path, beside: Path, **more: str) -> Iterator[tuple[App, str]]:
    """Serve a copy of a home in another folder, with more settings."""
    folder = beside / ".hermes"
    shutil.copytree(lived_in, folder, symlinks=True)
    home = Home(folder, "default")
    with (
        _settings(folder, **more),
        closing(App(home, load(home))) as app,
        closing(open_server(app, Pulse(), lambda: None)) as server,
    ):
        yield app, server.address


@contextmanager
def _settings(folder: Path, **more: str) -> Iterator[None]:
    """Let a home be found, and nothing of whoever runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        for name in os.environ:
            if name.startswith("HERMES_") or name.endswith(KEY_ENDINGS):
                patch.delenv(name)
        for name, value in {**_SETTINGS, **more, "HERMES_HOME": str(folder)}.items():
            patch.setenv(name, value)
        yield


@pytest.fixture
def visiting(
    own_home: Home, served: tuple[App, str], chromium: Browser, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Visiting]:
    """Let somebody visit, on a screen of a width, in light or dark, with or without the script."""
    app, address = served
    # The test's own home is not the one that is served.
    for name, value in {**_SETTINGS, "HERMES_HOME": str(app.home.root)}.items():
        monkeypatch.setenv(name, value)
    contexts: list[BrowserContext] = []

    def visit(width: int = DESK, *, has_script: bool = True, is_known: bool = True) -> Visit:
        context = chromium.new_context(
            viewport={"width": width, "height": _HEIGHT},
            color_scheme="light",
            java_script_enabled=has_script,
            reduced_motion="reduce",
        )
        contexts.append(context)
        if is_known:
            made = tokens.log_in(app.store, tokens.create_link(app.store).shown, "Chromium")
            assert made is not None
            name = cookie_at(urlsplit(address).port)
            context.add_cookies([{"name": name, "value": made.shown, "url": address, "httpOnly": True}])
        made_visit = Visit(app, address, context.new_page())
        made_visit.page.set_default_timeout(15_000)
        made_visit.page.on("console", lambda message: _hear(made_visit, message))
        made_visit.page.on("pageerror", lambda error: made_visit.complaints.append(str(error)))
        return made_visit

    yield visit
    for context in contexts:
        context.close()


def _hear(visit: Visit, message: ConsoleMessage) -> None:
    if message.type in ("error", "warning"):
        visit.complaints.append(message.text)


def press(page: Page, name: str) -> None:
    """Press the button that is called so in the content."""
    page.locator("main").get_by_role("button", name=name, exact=True).click()


@contextmanager
def quiet(visit: Visit) -> Iterator[None]:
    """Let the console complain within the block: of an answer that is meant to be refused."""
    yield
    visit.complaints.clear()
