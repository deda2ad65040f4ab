"""Ways in and out, and around a page without a mouse."""

from playwright.sync_api import expect

from hermes_agent.memory import tokens
from tests.browser.conftest import DESK, PHONE, Visiting, press
from tests.browser.home import pages


def test_a_link_logs_in_once_and_leads_where_one_wanted_to_go(visiting: Visiting) -> None:
    visit = visiting(is_known=False)
    page = visit.page
    code = tokens.create_link(visit.app.store).shown
    visit.open(f"/login?code={code}&next=/facts")
    press(page, "Log in")
    expect(page).to_have_url(f"{visit.address}/facts")
    late = visiting(is_known=False)
    late.open(f"/login?code={code}")
    press(late.page, "Log in")
    expect(late.page.get_by_role("alert")).to_contain_text("used up")
    visit.check()


def test_a_token_logs_in_and_the_way_out_is_in_the_menu(visiting: Visiting) -> None:
    visit = visiting(is_known=False)
    page = visit.page
    visit.open("/notes")
    page.get_by_label("Token").fill("wrong")
    press(page, "Log in")
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_label("Token").fill(tokens.create(visit.app.store, "by hand", "read").shown)
    press(page, "Log in")
    expect(page).to_have_url(f"{visit.address}/notes")
    page.get_by_role("button", name="Log out").click()
    visit.open("/facts")
    expect(page.get_by_label("Token")).to_be_visible()
    visit.check()


def test_whoever_may_only_look_is_offered_nothing_else(visiting: Visiting) -> None:
    visit = visiting(is_known=False)
    page = visit.page
    visit.open("/login?next=/facts")
    page.get_by_label("Token").fill(tokens.create(visit.app.store, "reader", "read").shown)
    press(page, "Log in")
    # What looks after the home is not shown to such a token at all.
    admins = ("backups", "tokens", "settings", "data", "profiles")
    for path in pages(visit.app).values():
        if path.startswith(tuple(f"/{one}" for one in admins)) or path.endswith(
            ("/delete", "/undo", "/empty", "-all")
        ):
            continue
        visit.open(path)
        assert page.locator("main form[method=post]").count() == 0, path


def test_the_keyboard_reaches_the_content_and_the_search(visiting: Visiting) -> None:
    visit = visiting()
    page = visit.page
    visit.open("/facts")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_label("About")).to_be_focused()
    page.keyboard.press("/")
    expect(page.get_by_label("About")).to_have_value("/")
    page.get_by_label("About").blur()
    page.keyboard.press("/")
    expect(page.get_by_label("Search memory")).to_be_focused()
    expect(page.get_by_label("Search memory")).to_have_value("")


def test_on_a_phone_the_menu_unfolds(visiting: Visiting) -> None:
    visit = visiting(PHONE)
    page = visit.page
    visit.open("/")
    link = page.get_by_role("navigation", name="Pages").get_by_role("link", name="Facts")
    expect(link).to_be_hidden()
    page.get_by_text("Menu").click()
    link.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Facts")
    expect(link).to_be_hidden()
    page.set_viewport_size({"width": DESK, "height": 800})
    expect(link).to_be_visible()
    visit.check()
