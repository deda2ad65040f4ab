"""The home in the dashboard: jobs, backups, profiles, tokens and settings."""

import pytest

from hermes_agent import clock
from hermes_agent.config import changing, files
from hermes_agent.config.load import load
from hermes_agent.config.setting_names import find
from hermes_agent.config.settings import MCP_SERVERS, MEMORY_CONNECTION_STRING, MEMORY_POOL_SIZE, TOOLS_FOLDERS
from hermes_agent.handlers import every_handler
from hermes_agent.jobs import backing_up, retrying
from hermes_agent.jobs.worker import run_due
from hermes_agent.memory import facts, tokens
from hermes_agent.ops.backups import keeping
from hermes_agent.records.jobs import Job
from hermes_agent.store import jobs
from tests.web.conftest import Doors
from tests.web.forms import HOSTILE, SHOWN, form, submit

HOME = ("/backups", "/profiles", "/tokens", "/settings", "/settings/memory.poolSize", "/data", "/data/receipts")


def failed(doors: Doors, reason: str = "It broke.") -> Job:
    with doors.app.store.write() as connection:
        number = jobs.add(connection, "learn", "learn", max_attempts=1)
        job = jobs.claim(connection, "w", 60)
        assert job is not None
        jobs.postpone(connection, job, reason)
    return retrying.get(doors.app.store, number)


@pytest.mark.parametrize("path", HOME)
def test_the_home_is_for_admins(doors: Doors, path: str) -> None:
    assert doors.browser("admin").get(path).status_code == 200
    assert doors.browser("write").get(path).status_code == 403
    assert doors.stranger().get(path).status_code == 401


def test_a_new_home_has_no_jobs(doors: Doors) -> None:
    assert "No jobs." in doors.browser("read").get("/jobs").text


def test_a_failed_job_says_why_and_is_tried_again(doors: Doors) -> None:
    job = failed(doors, f"The server said {HOSTILE}")
    browser = doors.browser()
    page = browser.get("/jobs").text
    assert "Failed, and not done since" in page
    assert SHOWN not in page
    assert "The server said" in browser.get("/jobs?state=failed").text
    again = submit(browser, browser.get(f"/jobs/{job.id}"), f"/jobs/{job.id}/retry")
    assert "due now" in browser.get(again.headers["location"]).text
    assert retrying.get(doors.app.store, job.id).state == "waiting"


def test_what_waits_is_let_run_at_once(doors: Doors) -> None:
    later = clock.now() + 3600 * clock.MICROSECONDS
    with doors.app.store.write() as connection:
        number = jobs.add(connection, "learn", "learn", due_at=later)
    browser = doors.browser()
    submit(browser, browser.get("/jobs"), "/jobs/run")
    assert retrying.get(doors.app.store, number).due_at < later


def test_jobs_are_shown_to_readers_and_run_by_admins(doors: Doors) -> None:
    job = failed(doors)
    writer = doors.browser("write")
    page = writer.get(f"/jobs/{job.id}")
    assert submit(writer, page, f"/jobs/{job.id}/retry").status_code == 303
    assert writer.post("/jobs/run").status_code == 403
    for path in ("/jobs/99", "/jobs/0", "/jobs/x", "/jobs?state=gone", "/jobs?told=%3Cb%3E"):
        assert writer.get(path).status_code in (404, 422)


def test_a_backup_is_made_and_checked(doors: Doors) -> None:
    app, browser = doors.app, doors.browser()
    facts.add(app.store, "The office is in Oslo")
    page = browser.get("/backups")
    assert "None yet" in page.text
    making = submit(browser, page, "/backups")
    assert "is being made" in browser.get(making.headers["location"]).text
    assert all(
        not one.is_trouble for one in run_due(app.store, {backing_up.JOB: every_handler(app)[backing_up.JOB]})
    )
    (made,) = keeping.of_home(app.home, app.store, app.home.backups)
    page = browser.get("/backups")
    assert made.path.name in page.text
    assert f"hermes backup restore {made.path.name}" in page.text
    checked = submit(browser, page, "/backups/verify")
    assert "nothing is wrong" in checked.text
    made.path.write_bytes(made.path.read_bytes()[:-40])
    damaged = submit(browser, page, "/backups/verify")
    assert damaged.status_code == 422
    assert "damaged" in damaged.text


def test_the_key_of_backups_is_asked_about_until_there_is_a_copy(doors: Doors) -> None:
    app, browser = doors.app, doors.browser()
    assert browser.post("/backups/confirm-key").status_code == 422
    facts.add(app.store, "The office is in Oslo")
    submit(browser, browser.get("/backups"), "/backups")
    list(run_due(app.store, {backing_up.JOB: every_handler(app)[backing_up.JOB]}))
    page = browser.get("/backups")
    assert "no backup can be opened" in page.text
    submit(browser, page, "/backups/confirm-key")
    assert "no backup can be opened" not in browser.get("/backups").text


@pytest.mark.parametrize("name", ["../../state.db", "/etc/passwd", "", "\x00", HOSTILE])
def test_only_backups_of_this_home_are_checked(doors: Doors, name: str) -> None:
    assert doors.browser().post("/backups/verify", data={"name": name}).status_code in (404, 422)


def test_profiles_are_named_and_nothing_of_others_is_shown(doors: Doors) -> None:
    other = doors.app.home.root / "profiles" / "work" / "memories"
    other.mkdir(parents=True)
    (other / "USER.md").write_text("A secret of work", "utf-8")
    page = doors.browser().get("/profiles").text
    assert "hermes -p work dashboard" in page
    assert "A secret of work" not in page


def test_a_token_is_made_shown_once_and_revoked(doors: Doors) -> None:
    browser = doors.browser()
    made = submit(browser, browser.get("/tokens"), "/tokens", name="laptop", scope="read", expires="2099-01-01")
    assert tokens.PREFIX in made.text
    page = browser.get("/tokens").text
    assert "laptop" in page
    assert tokens.PREFIX not in page
    (token,) = [one for one in tokens.every(doors.app.store) if one.name == "laptop"]
    asked = browser.get(f"/tokens/{token.id}/revoke")
    assert submit(browser, asked, f"/tokens/{token.id}/revoke").status_code == 303
    assert "laptop" not in form(browser.get("/tokens"), "/tokens").fields.values()
    assert not [one for one in tokens.every(doors.app.store) if one.name == "laptop" and not one.revoked_at]
    assert "revoked" in browser.get("/tokens?every=true").text


def test_a_token_is_revoked_by_its_number_whatever_others_are_called(doors: Doors) -> None:
    browser = doors.browser()
    (own,) = tokens.every(doors.app.store)
    shown = tokens.create(doors.app.store, str(own.id), "read").shown
    out = submit(browser, browser.get(f"/tokens/{own.id}/revoke"), f"/tokens/{own.id}/revoke")
    assert out.headers["location"] == "/login"
    assert browser.get("/tokens").status_code == 303, "it was this browser's"
    assert tokens.check(doors.app.store, shown) is not None


def test_a_token_that_cannot_be_made_says_why(doors: Doors) -> None:
    browser = doors.browser()
    page = browser.get("/tokens")
    for values in ({"name": " "}, {"name": "x", "expires": "2001-01-01"}, {"name": "x", "expires": "yonder"}):
        assert submit(browser, page, "/tokens", **values).status_code == 422
    assert submit(browser, page, "/tokens", name="x", scope="root").status_code == 422
    made = submit(browser, page, "/tokens", name=HOSTILE)
    assert SHOWN not in made.text
    assert SHOWN not in browser.get("/tokens").text
    assert browser.get("/tokens/99/revoke").status_code == 404
    assert browser.get("/tokens/%00/revoke").status_code == 404


def test_a_setting_is_changed_and_unset(doors: Doors) -> None:
    browser, path = doors.browser(), "/settings/memory.poolSize"
    page = browser.get(path)
    changed = submit(browser, page, path, value="7")
    assert load(doors.app.home)[MEMORY_POOL_SIZE] == 7
    assert "run hermes restart" in browser.get(changed.headers["location"]).text
    assert submit(browser, page, path, value="8").status_code == 412
    submit(browser, browser.get(path), f"{path}/unset")
    assert load(doors.app.home)[MEMORY_POOL_SIZE] == 5


def test_a_value_that_does_not_fit_stays_in_the_form(doors: Doors) -> None:
    browser, path = doors.browser(), "/settings/memory.poolSize"
    refused = submit(browser, browser.get(path), path, value="many")
    assert refused.status_code == 422
    assert "a whole number" in refused.text
    assert form(refused, path).fields["value"] == "many"
    assert browser.get("/settings/no.such").status_code == 404
    assert browser.get("/settings/%00").status_code == 404


def test_a_list_is_typed_as_json(doors: Doors) -> None:
    browser, path = doors.browser(), "/settings/tools.folders"
    submit(browser, browser.get(path), path, value='["/srv/atlas"]')
    assert load(doors.app.home)[TOOLS_FOLDERS] == ["/srv/atlas"]
    assert form(browser.get(path), path).fields["value"] == '["/srv/atlas"]'


def test_a_secret_is_never_shown(doors: Doors) -> None:
    browser, path = doors.browser(), "/settings/memory.connectionString"
    secret = "postgres://ana:hunter2@db.example/atlas"
    assert submit(browser, browser.get(path), path, value=secret).status_code == 303
    assert load(doors.app.home)[MEMORY_CONNECTION_STRING] == secret
    for page in (browser.get("/settings"), browser.get(path)):
        assert "hunter2" not in page.text
        assert "********" in page.text


def test_the_keys_of_servers_are_never_shown(doors: Doors) -> None:
    browser, path = doors.browser(), "/settings/mcpServers"
    value = '{"mail": {"command": "mail", "env": {"TOKEN": "hunter2", "USER": "${MAIL_USER}"}}}'
    changing.put(doors.app.home, MCP_SERVERS, value)
    for page in (browser.get("/settings"), browser.get(path)):
        assert "hunter2" not in page.text
        assert "${MAIL_USER}" in page.text
    assert form(browser.get(path), path).fields["value"] == ""


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("web.names", '["${HERMES_PASSPHRASE}"]'),
        ("memory.path", "${HERMES_PASSPHRASE}"),
        ("memory.connectionString", "postgres://${HERMES_PASSPHRASE}@db/x"),
        ("mcpServers", '{"mail": {"url": "https://x.example", "headers": {"A": "\\u0024{HERMES_PASSPHRASE}"}}}'),
    ],
)
def test_from_afar_no_setting_reads_a_variable(doors: Doors, name: str, value: str) -> None:
    browser, path = doors.browser(), f"/settings/{name}"
    refused = submit(browser, browser.get(path), path, value=value)
    assert (refused.status_code, "named at the terminal" in refused.text) == (422, True)
    answer = doors.program().put(f"/api/settings/{name}", json={"value": value}, headers={"If-Match": "*"})
    assert (answer.status_code, "named at the terminal" in answer.json()["detail"]) == (422, True)
    assert load(doors.app.home).origin(find(name)).kind == "default"


def test_from_afar_a_value_is_shown_with_the_name_of_its_variable(
    doors: Doors, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WHAT_IS_SECRET", "hunter2")
    for name in ("baseUrl", "display.timeZone", "memory.poolSize"):
        files.write(doors.app.home, find(name), "${WHAT_IS_SECRET}")
    program, browser = doors.program(), doors.browser()
    for name in ("baseUrl", "display.timeZone", "memory.poolSize"):
        shown = program.get(f"/api/settings/{name}")
        assert shown.json()["value"] == (None if shown.json()["problem"] else "${WHAT_IS_SECRET}")
        page = browser.get(f"/settings/{name}")
        assert "${WHAT_IS_SECRET}" in page.text
        assert "hunter2" not in shown.text + page.text
    assert "hunter2" not in program.get("/api/settings").text + browser.get("/settings").text


def test_every_setting_has_its_page(doors: Doors) -> None:
    browser = doors.browser()
    for name in ("model", "web.port", "mcpServers", "memory.backend", "noJobs", "backup.recipients"):
        assert name in browser.get("/settings").text
        assert browser.get(f"/settings/{name}").status_code == 200


def test_a_new_home_says_once_that_it_has_no_backup(doors: Doors) -> None:
    page = doors.browser("admin").get("/backups").text
    assert "None yet." in page
    assert "There are no backups yet." not in page


def test_the_help_of_settings_marks_what_is_typed(doors: Doors) -> None:
    page = doors.browser("admin").get("/settings").text
    assert "`" not in page
