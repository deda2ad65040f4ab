"""Every page: on a phone and at a desk, in light and dark, with and without the script."""

import pytest

from hermes_agent.web.navigation import SECTIONS
from tests.browser.conftest import DESK, PHONE, Scheme, Visit, Visiting, quiet
from tests.browser.home import pages

MENU = {page.title.lower().replace(" ", "-"): page.path for group in SECTIONS for page in group.pages}
SCHEMES: tuple[Scheme, Scheme] = ("light", "dark")
PICTURES = {PHONE: "dark", DESK: "light"}


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_every_page_opens_fits_and_keeps_nobody_out(visiting: Visiting, width: int) -> None:
    visit = visiting(width)
    for name, path in {**MENU, **pages(visit.app)}.items():
        visit.open(path)
        _look(visit, name, width)


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_a_stranger_is_shown_the_way_in_and_a_mistake_is_told(visiting: Visiting, width: int) -> None:
    visit = visiting(width, is_known=False)
    visit.open("/facts")
    assert visit.page.get_by_label("Token").is_visible()
    _look(visit, "login", width)
    known = visiting(width)
    with quiet(known):
        known.page.goto(known.address + "/facts/999999")
    assert known.page.get_by_role("alert").is_visible()
    _look(known, "error", width)


def test_every_page_is_read_without_the_script(visiting: Visiting) -> None:
    visit = visiting(has_script=False)
    for path in {**MENU, **pages(visit.app)}.values():
        visit.open(path)
        assert visit.page.get_by_role("heading", level=1).is_visible(), path


def test_a_table_on_a_phone_shows_everything_without_moving_it(visiting: Visiting) -> None:
    visit = visiting(PHONE)
    shown = pages(visit.app)
    for path in ("/tokens", "/jobs", shown["entry"]):
        visit.open(path)
        (table,) = visit.page.locator("main table").all()
        assert table.evaluate("table => table.parentElement.scrollWidth <= table.parentElement.clientWidth"), path


def _look(visit: Visit, name: str, width: int) -> None:
    assert visit.page.get_by_role("heading", level=1).count() == 1, visit.page.url
    for scheme in SCHEMES:
        visit.dress(scheme)
        visit.check(of_colours=scheme == SCHEMES[1])
        if PICTURES[width] == scheme:
            visit.shoot(f"{name}-{width}-{scheme}")
