"""Skills in the dashboard: made, read, changed, compared, put away and brought back."""

from hermes_agent.memory import skills
from hermes_agent.memory.skill_reading import kept
from hermes_agent.records.skills import KeptSkill
from tests.web.conftest import Doors
from tests.web.forms import HOSTILE, SHOWN, form, submit, take_back

TEXT = "---\nname: deploy\ndescription: Deploy Atlas.\n---\n\n1. Run the tests.\n"


def make(doors: Doors, text: str = TEXT, name: str = "deploy") -> None:
    skills.create(doors.app.store, doors.app.home.skills, name, text)


def the_skill(doors: Doors) -> KeptSkill:
    return kept(doors.app.store)["deploy"]


def test_an_empty_home_says_how_skills_come_about(doors: Doors) -> None:
    assert "There are no skills yet" in doors.browser("read").get("/skills").text


def test_a_skill_is_made_and_taken_back(doors: Doors) -> None:
    browser = doors.browser("write")
    made = submit(browser, browser.get("/skills"), "/skills", name="deploy", text=TEXT.replace("\n", "\r\n"))
    assert the_skill(doors).files["SKILL.md"] == TEXT
    page = browser.get("/skills/deploy").text
    assert "Run the tests." in page
    assert "it is valid" in page
    take_back(doors, browser, made)
    assert "deploy" not in kept(doors.app.store) or the_skill(doors).state != "live"


def test_what_breaks_the_rules_stays_in_the_form(doors: Doors) -> None:
    browser = doors.browser("write")
    refused = submit(browser, browser.get("/skills"), "/skills", name="Deploy!", text="no front matter")
    assert refused.status_code == 422
    assert form(refused, "/skills").fields["text"] == "no front matter"
    make(doors)
    bad = submit(browser, browser.get("/skills/deploy"), "/skills/deploy/edit", text="gone wrong")
    assert bad.status_code == 422
    assert form(bad, "/skills/deploy/edit").fields["text"] == "gone wrong"
    assert the_skill(doors).files["SKILL.md"] == TEXT


def test_two_editors_lose_nothing(doors: Doors) -> None:
    make(doors)
    first, second = doors.browser("write"), doors.browser("write")
    mine, theirs = first.get("/skills/deploy"), second.get("/skills/deploy")
    assert submit(second, theirs, "/skills/deploy/edit", text=TEXT + "2. Theirs.\n").status_code == 303
    late = submit(first, mine, "/skills/deploy/edit", text=TEXT + "2. Mine.\n")
    assert late.status_code == 412
    assert "2. Theirs." in late.text
    assert form(late, "/skills/deploy/edit").fields["text"].endswith("2. Mine.\n")
    together = submit(first, late, "/skills/deploy/edit", text=TEXT + "2. Theirs.\n3. Mine.\n")
    assert together.status_code == 303
    assert the_skill(doors).files["SKILL.md"].endswith("2. Theirs.\n3. Mine.\n")


def test_versions_are_listed_and_compared(doors: Doors) -> None:
    make(doors)
    browser = doors.browser("write")
    changed = submit(browser, browser.get("/skills/deploy"), "/skills/deploy/edit", text=TEXT + "2. Tag it.\n")
    assert "+2. Tag it." in browser.get("/skills/deploy/versions").text
    assert "Nothing differs" in browser.get("/skills/deploy/versions?one=2&other=2").text
    assert browser.get("/skills/deploy/versions?one=1&other=9").status_code == 404
    take_back(doors, browser, changed)
    assert the_skill(doors).files["SKILL.md"] == TEXT


def test_a_file_is_added_and_removed(doors: Doors) -> None:
    make(doors)
    browser = doors.browser("write")
    page = browser.get("/skills/deploy")
    added = browser.post(
        "/skills/deploy/edit",
        data={**form(page, "/skills/deploy/edit").fields, "file": "references/hosts.md", "text": "atlas-1"},
    )
    assert added.status_code == 303
    assert "atlas-1" in browser.get("/skills/deploy?file=references/hosts.md").text
    asked = browser.get("/skills/deploy/remove?file=references/hosts.md")
    gone = submit(browser, asked, "/skills/deploy/remove")
    assert "references/hosts.md" not in the_skill(doors).files
    take_back(doors, browser, gone)
    assert the_skill(doors).files["references/hosts.md"] == "atlas-1"
    for file in ("../../.env", "/etc/passwd", "SKILL.md/x", ""):
        data = {**form(browser.get("/skills/deploy"), "/skills/deploy/edit").fields, "file": file, "text": "x"}
        assert browser.post("/skills/deploy/edit", data=data).status_code == 422
        assert browser.get("/skills/deploy/remove", params={"file": file}).status_code == 404


def test_a_skill_is_archived_restored_and_deleted(doors: Doors) -> None:
    make(doors)
    browser = doors.browser("write")
    page = browser.get("/skills/deploy")
    submit(browser, page, "/skills/deploy/archive")
    assert the_skill(doors).state == "archived"
    assert submit(browser, page, "/skills/deploy/archive").status_code == 412
    assert "/skills/deploy" in browser.get("/skills?every=true").text
    submit(browser, browser.get("/skills/deploy"), "/skills/deploy/restore")
    assert the_skill(doors).state == "live"
    asked = browser.get("/skills/deploy/delete")
    gone = submit(browser, asked, "/skills/deploy/delete")
    assert the_skill(doors).state == "deleted"
    take_back(doors, browser, gone)
    assert the_skill(doors).state == "live"


def test_who_may_only_read_changes_nothing(doors: Doors) -> None:
    make(doors)
    reader, writer = doors.browser("read"), doors.browser("write")
    page = writer.get("/skills/deploy")
    for action in ("edit", "archive"):
        assert submit(reader, page, f"/skills/deploy/{action}").status_code == 403
    for path in ("/skills/deploy/delete", "/skills/deploy/remove?file=x"):
        assert reader.get(path).status_code == 403
    assert submit(reader, writer.get("/skills"), "/skills", name="x", text=TEXT).status_code == 403
    assert list(kept(doors.app.store)) == ["deploy"]


def test_hostile_text_is_shown_as_text(doors: Doors) -> None:
    make(doors, TEXT + "</textarea>" + HOSTILE)
    browser = doors.browser("write")
    for path in ("/skills", "/skills/deploy", "/skills/deploy/versions", "/skills/deploy/delete"):
        page = browser.get(path)
        assert page.status_code == 200
        assert SHOWN not in page.text
    for path in ("/skills/%3Cscript%3E", "/skills/%00", "/skills/..%2f..", "/skills/deploy?file=../../.env"):
        assert browser.get(path).status_code == 404


def test_an_edit_of_a_skill_that_was_deleted_meanwhile_says_so_and_keeps_what_was_typed(doors: Doors) -> None:
    make(doors)
    browser = doors.browser("write")
    page, asked = browser.get("/skills/deploy"), browser.get("/skills/deploy/delete")
    assert submit(browser, asked, "/skills/deploy/delete").status_code == 303
    late = submit(browser, page, "/skills/deploy/edit", text=TEXT + "2. Mine.\n")
    assert late.status_code == 412
    assert "deleted meanwhile" in late.text
    assert "Save this one" not in late.text
    assert form(late, "/skills").fields["text"].endswith("2. Mine.\n")
    assert submit(browser, late, "/skills").status_code == 303
    assert the_skill(doors).files["SKILL.md"].endswith("2. Mine.\n")


def test_an_edit_of_a_skill_that_was_archived_meanwhile_keeps_what_was_typed(doors: Doors) -> None:
    make(doors)
    browser = doors.browser("write")
    page = browser.get("/skills/deploy")
    assert submit(browser, page, "/skills/deploy/archive").status_code == 303
    late = submit(browser, page, "/skills/deploy/edit", text=TEXT + "2. Mine.\n")
    assert late.status_code == 412
    assert "archived meanwhile" in late.text
    assert "2. Mine." in late.text
    assert form(late, "/skills/deploy/restore").fields["tag"]
