"""Every page of the menu: on a phone and at a desk, in light and dark, with and without the script."""

import pytest

from hermes_agent.web.navigation import SECTIONS
from tests.browser.conftest import DESK, PHONE, Visiting

PAGES = [page for group in SECTIONS for page in group.pages]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [PHONE, DESK])
def test_every_page_opens_fits_and_keeps_nobody_out(visiting: Visiting, width: int, scheme: str) -> None:
    visit = visiting(width, scheme)
    for page in PAGES:
        visit.open(page.path)
        assert visit.page.get_by_role("heading", level=1).count() == 1, page.path
        visit.check()
        visit.shoot(f"{page.title.lower().replace(' ', '-')}-{width}-{scheme}")


def test_every_page_is_read_without_the_script(visiting: Visiting) -> None:
    visit = visiting(has_script=False)
    for page in PAGES:
        visit.open(page.path)
        assert visit.page.get_by_role("heading", level=1).is_visible(), page.path
