"""What is done to the home in the browser: jobs, backups, tokens, settings, and all of a memory at once."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from hermes_agent.config.load import load
from hermes_agent.config.settings import DISPLAY_TIME_ZONE, MEMORY_RETRIEVAL_CONTEXT_BUDGET_TOKENS
from hermes_agent.memory import facts, tokens
from tests.browser.conftest import Visit, Visiting, press, quiet
from tests.browser.home import fact_of, work_off

EXPORT = "conversations.json"


@pytest.fixture
def visit(visiting: Visiting) -> Visit:
    """Return somebody at a desk."""
    return visiting()


def test_a_failed_job_is_tried_again_and_what_waits_is_run(visit: Visit) -> None:
    page = visit.page
    visit.open("/jobs")
    page.get_by_role("region", name="Failed").get_by_role("link").click()
    expect(page.locator("main")).to_contain_text("The disk is full")
    press(page, "Try again now")
    expect(page.get_by_role("status")).to_contain_text("It is due now")
    visit.open("/jobs")
    press(page, "Run what waits now")
    expect(page.get_by_role("status")).to_contain_text("Everything that waits is due now")
    work_off(visit.app)
    visit.open("/jobs")
    expect(page.get_by_role("region", name="Failed")).to_have_count(0)
    visit.check()


def test_a_backup_is_made_and_checked(visit: Visit) -> None:
    page = visit.page
    visit.open("/backups")
    page.get_by_role("button", name="Check it").first.click()
    expect(page.get_by_role("status").first).to_contain_text("all as they were")
    before = page.locator(".rows .dim").first.inner_text()
    press(page, "Make a backup now")
    expect(page.get_by_role("button", name="A backup is being made")).to_be_disabled()
    work_off(visit.app)
    visit.open("/backups")
    # Of one day only the last is kept.
    expect(page.locator(".rows .dim").first).not_to_have_text(before)
    press(page, "A copy is in another place")
    expect(page.get_by_role("status").first).to_contain_text("Noted")
    visit.check()


def test_a_token_is_shown_once_and_revoked(visit: Visit) -> None:
    page = visit.page
    visit.open("/tokens")
    page.get_by_label("Make a token").fill("phone")
    page.get_by_label("What it may do").select_option("read")
    press(page, "Make it")
    shown = page.get_by_label("The new token").inner_text()
    found = tokens.check(visit.app.store, shown)
    assert found is not None and found.scope == "read"
    visit.check()
    visit.open("/tokens")
    assert shown not in page.content()
    page.get_by_role("link", name="Revoke phone").click()
    press(page, "Revoke")
    expect(page.get_by_role("link", name="Revoke phone")).to_have_count(0)
    assert tokens.check(visit.app.store, shown) is None
    visit.check()


def test_a_setting_is_changed_refused_and_unset(visit: Visit) -> None:
    page = visit.page
    name = MEMORY_RETRIEVAL_CONTEXT_BUDGET_TOKENS.name
    visit.open("/settings")
    page.get_by_role("link", name=name).click()
    page.get_by_label("New value").fill("many")
    with quiet(visit):
        press(page, "Change")
        expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_label("New value")).to_have_value("many")
    visit.check()
    page.get_by_label("New value").fill("1234")
    press(page, "Change")
    expect(page.get_by_role("status").first).to_contain_text("It was changed")
    assert load(visit.app.home)[MEMORY_RETRIEVAL_CONTEXT_BUDGET_TOKENS] == 1234
    press(page, "Unset: let the default hold")
    assert (
        MEMORY_RETRIEVAL_CONTEXT_BUDGET_TOKENS.default
        == load(visit.app.home)[MEMORY_RETRIEVAL_CONTEXT_BUDGET_TOKENS]
    )
    visit.open(f"/settings/{DISPLAY_TIME_ZONE.name}")
    expect(page.get_by_text("HERMES_DISPLAY_TIME_ZONE").first).to_be_visible()
    visit.check()


def test_all_of_memory_is_downloaded(visit: Visit) -> None:
    visit.open("/data")
    with visit.page.expect_download() as begun:
        visit.page.get_by_role("link", name="Download JSON").click()
    path = begun.value.path()
    told = json.loads(Path(path).read_text("utf-8"))
    assert begun.value.suggested_filename.startswith("hermes-default-")
    assert "User's name is Ada" in json.dumps(told)


def test_an_export_of_another_product_is_brought_in(visit: Visit, tmp_path: Path) -> None:
    page = visit.page
    file = tmp_path / EXPORT
    file.write_text(json.dumps([_conversation()]), "utf-8")
    visit.open("/data")
    page.get_by_label("File").set_input_files(file)
    page.get_by_label("It is my own").check()
    press(page, "Import")
    expect(page.get_by_role("status").first).to_contain_text("Imported 1 session")
    visit.check()
    visit.open("/sessions?q=lighthouse")
    expect(page.get_by_role("list", name="Sessions found").get_by_role("listitem")).to_have_count(1)


def test_something_is_forgotten_for_good_with_a_receipt(visit: Visit) -> None:
    page = visit.page
    visit.open("/data")
    page.get_by_label("What", exact=True).select_option("about")
    page.get_by_label("Which").fill("Nordlys")
    page.get_by_role("region", name="Forget for good").get_by_role("button").click()
    expect(page.locator("main")).to_contain_text("cannot be undone")
    page.get_by_label("to confirm").fill("yes")
    with quiet(visit):
        press(page, "Forget it")
        expect(page.get_by_role("alert")).to_contain_text("Nothing was forgotten")
    page.get_by_label("to confirm").fill("forget")
    press(page, "Forget it")
    expect(page.get_by_role("heading", level=1)).to_have_text("receipt:002")
    press(page, "Verify: look once more")
    expect(page.get_by_role("status")).to_contain_text("Nothing is left of it")
    visit.check()
    press(page, "Let it be learned again")
    expect(page.locator("main")).to_contain_text("it may be learned again")
    visit.open("/search?q=Nordlys&type=facts")
    expect(page.locator("#results")).not_to_contain_text("deadline")


def test_memory_is_reset_once_the_name_is_typed(visiting: Visiting) -> None:
    visit = visiting()
    page = visit.page
    assert fact_of(visit.app, "User's name is Ada")
    visit.open("/data")
    page.get_by_label("facts").check()
    page.get_by_role("region", name="Reset").get_by_role("button").click()
    page.get_by_label("to confirm").fill(visit.app.home.profile)
    page.get_by_label("Make a backup first").uncheck()
    press(page, "Reset")
    expect(page.get_by_role("heading", level=1)).to_contain_text("receipt:")
    assert facts.recent(visit.app.store, 9) == []
    visit.open("/facts")
    expect(page.get_by_text("There are no facts yet.")).to_be_visible()
    visit.check()


def _conversation() -> dict[str, object]:
    """Return a conversation in the form of Claude's export."""
    return {
        "uuid": "5f0c9a52-0d5c-4a51-9d0e-3a8d5a2b7c11",
        "name": "The lighthouse",
        "created_at": "2026-03-01T10:00:00Z",
        "updated_at": "2026-03-01T10:01:00Z",
        "chat_messages": [
            {
                "uuid": "5f0c9a52-0d5c-4a51-9d0e-3a8d5a2b7c12",
                "sender": "human",
                "text": "We visit the lighthouse in June.",
                "created_at": "2026-03-01T10:00:00Z",
            },
            {
                "uuid": "5f0c9a52-0d5c-4a51-9d0e-3a8d5a2b7c13",
                "sender": "assistant",
                "text": "In June, then.",
                "created_at": "2026-03-01T10:01:00Z",
            },
        ],
    }
