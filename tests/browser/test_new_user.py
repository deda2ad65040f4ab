"""A new user: finds a wrong fact, sees where it came from, corrects it, and takes the correction back.

What the next session begins with follows each time: its prompt is what the agent goes by.
"""

from playwright.sync_api import expect

from hermes_agent.agent.conversation import Conversation, Opening
from tests.browser.conftest import Visit, Visiting
from tests.browser.home import work_off

WRONG, RIGHT = "User lives in Bergen", "I live in Trondheim"


def test_a_wrong_fact_is_found_traced_corrected_and_put_back(visiting: Visiting) -> None:
    visit = visiting()
    page = visit.page
    visit.open("/")
    page.keyboard.press("/")
    page.keyboard.type("where do I live")
    page.keyboard.press("Enter")
    page.get_by_role("link", name=WRONG).first.click()
    expect(page.locator("blockquote mark")).to_have_text("I moved to Bergen last week")
    page.get_by_role("link", name="Message").click()
    expect(page.locator(".said.wanted")).to_contain_text("Actually, I moved to Bergen last week.")
    assert "Lives in Bergen" in _prompt(visit)
    page.go_back()
    page.locator(".said.wanted").get_by_role("link", name=WRONG).click()
    page.get_by_label("It was wrong; right is").fill(RIGHT)
    page.get_by_role("button", name="Correct").click()
    expect(page.locator(".statement")).to_have_text(RIGHT)
    visit.open("/notes/next")
    expect(page.get_by_role("status")).to_contain_text("load the page again")
    work_off(visit.app)
    page.reload()
    expect(page.get_by_role("status")).to_have_count(0)
    expect(page.get_by_role("region", name="USER.md")).to_contain_text("Trondheim")
    prompt = _prompt(visit)
    assert "Trondheim" in prompt and "Lives in Bergen" not in prompt
    visit.open("/journal")
    page.get_by_role("link", name="was edited").first.click()
    page.get_by_role("link", name="Undo …").click()
    page.get_by_role("button", name="Undo").click()
    visit.open("/facts?about=me")
    expect(page.get_by_role("link", name=WRONG)).to_be_visible()
    work_off(visit.app)
    assert "Lives in Bergen" in _prompt(visit)
    visit.check()


def _prompt(visit: Visit) -> str:
    """Return what a session that begins now stands on."""
    conversation = Conversation(visit.app.desk, Opening("cli", visit.app.home.root))
    conversation.ask("Hello.")
    name = conversation.session_id
    conversation.end()
    visit.open(f"/sessions/{name}/prompt")
    return visit.page.locator("main pre").inner_text()
