"""Who gets in: tokens of programs and browsers, and what each may do."""

import json
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from hermes_agent import clock
from hermes_agent.memory import facts, tokens
from tests.conftest import Hermes
from tests.web.conftest import Doors
from tests.web.forms import submit


def test_without_a_token_nothing_is_read(doors: Doors) -> None:
    answer = doors.stranger().get("/api/facts")
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("shown", ["hermes_wrong", "", "x" * 10_000, "\xff"])
def test_a_wrong_token_opens_nothing(doors: Doors, shown: str) -> None:
    stranger = doors.stranger()
    header = (b"Authorization", f"Bearer {shown}".encode("latin-1"))
    assert stranger.get("/api/facts", headers=[header]).status_code == 401


def test_a_revoked_token_opens_nothing(doors: Doors) -> None:
    program = doors.program()
    assert program.get("/api/facts").status_code == 200
    for token in tokens.every(doors.app.store):
        tokens.revoke(doors.app.store, str(token.id))
    assert program.get("/api/facts").status_code == 401


def test_an_expired_token_opens_nothing(doors: Doors) -> None:
    soon = clock.now() + clock.MICROSECONDS // 5
    shown = tokens.create(doors.app.store, "short", "read", soon).shown
    while clock.now() <= soon:
        clock.sleep(0.01)
    answer = doors.stranger().get("/api/facts", headers={"Authorization": f"Bearer {shown}"})
    assert answer.status_code == 401


def test_a_token_that_may_read_changes_nothing(doors: Doors) -> None:
    answer = doors.program("read").post("/api/facts", json={"text": "The moon is made of cheese"})
    assert answer.status_code == 403
    assert facts.recent(doors.app.store, 10) == []


def test_a_link_logs_one_browser_in_once(doors: Doors) -> None:
    link = tokens.create_link(doors.app.store).shown
    stranger = doors.stranger()
    first = stranger.post("/login", data={"token": link, "next": "/facts"})
    assert (first.status_code, first.headers["location"]) == (303, "/facts")
    assert "HttpOnly" in first.headers["set-cookie"]
    assert "SameSite=strict" in first.headers["set-cookie"]
    assert "opens nothing" in doors.stranger().post("/login", data={"token": link}).text


def test_a_token_that_logs_a_browser_in_was_used(doors: Doors) -> None:
    doors.browser(of_program=True)
    assert [one.used_at is not None for one in tokens.every(doors.app.store) if one.kind == "program"] == [True]


def test_a_link_is_no_token(doors: Doors) -> None:
    link = tokens.create_link(doors.app.store).shown
    answer = doors.stranger().get("/api/facts", headers={"Authorization": f"Bearer {link}"})
    assert answer.status_code == 401


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:1"])
def test_logging_in_leads_to_no_other_site(doors: Doors, target: str) -> None:
    link = tokens.create_link(doors.app.store).shown
    answer = doors.stranger().post("/login", data={"token": link, "next": target})
    assert answer.headers["location"] == "/"


@pytest.mark.parametrize(
    ("stood_on", "next"),
    [
        ("http://127.0.0.1/facts/1?done=x", "/facts/1?done=x"),
        ("http://127.0.0.1/facts/1/edit", "/"),  # the page of a form that was refused: nobody can ask for it
        ("http://127.0.0.1//evil.example/facts", "/"),
        ("https://evil.example/facts/1", "/"),
        ("http://[", "/"),
        (None, "/"),
    ],
)
def test_a_form_sent_after_the_login_ended_leads_back_to_its_page(
    doors: Doors, stood_on: str | None, next: str
) -> None:
    fact = facts.add(doors.app.store, "I live in Lisbon").fact
    link = tokens.create_link(doors.app.store).shown
    stranger = doors.stranger()
    stranger.headers |= {"Accept": "text/html"} | ({} if stood_on is None else {"Referer": stood_on})
    sent = stranger.post(f"/facts/{fact.id}/edit", data={"csrf": "x", "tag": "x", "text": "I live in Porto"})
    assert sent.headers["location"] == f"/login?next={quote(next)}"
    submit(stranger, stranger.get(sent.headers["location"]), "/login", token=link)
    assert stranger.get(next).status_code == 200


def test_a_browser_without_the_word_of_a_page_changes_nothing(doors: Doors) -> None:
    browser = doors.browser()
    del browser.headers["X-CSRF-Token"]
    assert browser.post("/facts", data={"text": "The moon is made of cheese"}).status_code == 403
    assert browser.post("/api/facts", json={"text": "The moon is made of cheese"}).status_code == 403
    assert facts.recent(doors.app.store, 10) == []


def test_who_guesses_is_kept_waiting(doors: Doors) -> None:
    stranger = doors.stranger()
    codes = [
        stranger.get("/api/facts", headers={"Authorization": f"Bearer hermes_{guess}"}).status_code
        for guess in range(25)
    ]
    assert set(codes[:20]) == {401}
    assert set(codes[20:]) == {429}


def test_tokens_are_made_listed_and_revoked_at_the_terminal(hermes: Hermes) -> None:
    made = hermes("token", "create", "laptop", "--scope", "read")
    assert made.exit_code == 0
    assert made.stdout.startswith("hermes_")
    assert made.stdout.strip() not in hermes("token", "list", "--json").stdout
    assert "laptop" in hermes("token", "list").stdout
    again = hermes("token", "create", "laptop")
    assert again.exit_code == 2
    assert hermes("token", "revoke", "laptop").stdout == "Revoked: laptop.\n"
    assert "laptop" not in hermes("token", "list").stdout


def test_all_tokens_are_revoked_at_once_with_the_browsers_they_logged_in(doors: Doors, hermes: Hermes) -> None:
    laptop, *numbered = [tokens.create(doors.app.store, name, "write").shown for name in ("laptop", "4", "1")]
    browser = doors.stranger()
    assert browser.post("/login", data={"token": laptop}).status_code == 303
    gone = hermes("token", "revoke", "--all", "--yes", "--json")
    assert gone.exit_code == 0
    programs = [one["name"] for one in json.loads(gone.stdout) if one["kind"] == "program"]
    assert (programs, len(json.loads(gone.stdout))) == (["laptop", "4", "1"], 4)
    assert browser.get("/facts").status_code == 401
    for shown in (laptop, *numbered):
        headers = {"Authorization": f"Bearer {shown}"}
        assert doors.stranger().get("/api/facts", headers=headers).status_code == 401
    assert hermes("token", "revoke", "--all", "--yes").stdout == "There are no tokens.\n"


def test_whoever_only_looks_does_not_wait_for_who_writes(doors: Doors) -> None:
    program = doors.program("read")
    began = clock.monotonic()
    with doors.app.store.write():
        assert program.get("/api/facts").status_code == 200
    # Less than the store waits for its turn to write.
    assert clock.monotonic() - began < 20
    assert tokens.every(doors.app.store)[0].used_at is None
    assert program.get("/api/facts").status_code == 200
    assert tokens.every(doors.app.store)[0].used_at is not None


def test_whoever_has_no_token_does_not_wait_for_who_writes(doors: Doors) -> None:
    stranger = doors.stranger()
    with doors.app.store.write():
        for guess in range(25):
            answer = stranger.post("/login", data={"token": f"hermes_{guess}"})
            assert answer.status_code == (200 if guess < 20 else 429)
            assert guess >= 20 or "opens nothing" in answer.text


def test_a_link_that_two_use_at_once_logs_one_browser_in(doors: Doors) -> None:
    link = tokens.create_link(doors.app.store).shown
    start = Barrier(4)

    def log_in(browser: TestClient) -> int:
        start.wait()
        return browser.post("/login", data={"token": link}).status_code

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(log_in, [doors.stranger() for _ in range(4)])) == [200, 200, 200, 303]


def test_who_guesses_keeps_nobody_else_of_the_same_address_out(doors: Doors) -> None:
    stranger = doors.stranger()
    for _ in range(25):
        wrong = stranger.post("/login", data={"token": "hermes_wrong"})
    assert wrong.status_code == 429
    link = tokens.create_link(doors.app.store).shown
    assert stranger.post("/login", data={"token": link}).status_code == 303


def test_with_a_token_the_browsers_it_logged_in_are_revoked(doors: Doors) -> None:
    store = doors.app.store
    shown = tokens.create(store, "laptop", "write").shown
    other = tokens.create(store, "phone", "write").shown
    browsers = [doors.stranger(), doors.stranger()]
    for browser, token in zip(browsers, (shown, other), strict=True):
        assert browser.post("/login", data={"token": token, "next": "/facts"}).status_code == 303
        assert browser.get("/facts").status_code == 200
    tokens.revoke(store, "laptop")
    assert [browser.get("/facts").status_code for browser in browsers] == [401, 200]
    (entry,) = doors.app.memory.log(1, kind="token.revoked")
    assert entry.text == "The token laptop was revoked, and with it 1 browser."


def test_the_dashboards_of_two_profiles_do_not_log_each_other_out(doors: Doors) -> None:
    browser = doors.stranger()
    work, home = "http://127.0.0.1:8642", "http://127.0.0.1:8643"
    for address in (work, home):
        link = tokens.create_link(doors.app.store).shown
        assert browser.post(f"{address}/login", data={"token": link}).status_code == 303
    assert len(browser.cookies) == 2, "a browser sends the cookies of one host to all of its ports"
    tokens.revoke(doors.app.store, str(tokens.every(doors.app.store)[0].id))
    assert sorted(browser.get(f"{address}/facts").status_code for address in (work, home)) == [200, 401]
