"""A new user finds a wrong fact, sees where it came from, corrects it, and takes the correction back."""

from tests.browser.conftest import Visiting


def test_a_wrong_fact_is_found_corrected_and_put_back(visiting: Visiting) -> None:
    visit = visiting()
    page = visit.page
    visit.open("/facts")
    page.get_by_role("link", name="User's dog Rex does not like trains").click()
    assert page.locator("blockquote mark").inner_text().startswith("My dog Rex is afraid")
    page.get_by_label("It was wrong; right is").fill("My dog Rex loves trains")
    page.get_by_role("button", name="Correct").click()
    assert page.locator(".statement").inner_text() == "My dog Rex loves trains"
    page.get_by_role("button", name="Undo").click()
    visit.open("/facts")
    assert page.get_by_role("link", name="User's dog Rex does not like trains").is_visible()
    visit.check()
