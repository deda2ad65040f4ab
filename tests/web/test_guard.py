"""What is refused before anything is read: other names, other origins, bodies without end."""

import pytest

from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.errors import SettingError
from hermes_agent.web.site import check_address
from tests.web.conftest import Doors


def test_another_name_is_refused(doors: Doors) -> None:
    assert doors.stranger().get("/health", headers={"Host": "evil.example"}).status_code == 421


def test_pages_of_other_sites_change_nothing(doors: Doors) -> None:
    browser = doors.browser()
    for origin in ("https://evil.example", "null", "http://127.0.0.1:1"):
        answer = browser.post("/facts", data={"text": "The moon is made of cheese"}, headers={"Origin": origin})
        assert answer.status_code == 403


def test_our_own_pages_do(doors: Doors) -> None:
    answer = doors.browser().post("/facts", data={"text": "Rex is a dog"}, headers={"Origin": "http://127.0.0.1"})
    assert answer.status_code == 303


def test_every_answer_tells_browsers_what_pages_may_do(doors: Doors) -> None:
    for path in ("/health", "/facts", "/api/facts", "/nowhere", "/static/hermes.css"):
        headers = doors.browser().get(path).headers
        assert "script-src 'self'" in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"


def test_a_request_that_is_too_large_is_refused(doors: Doors) -> None:
    answer = doors.program().post("/api/facts", content=b"x", headers={"Content-Length": str(10**12)})
    assert answer.status_code == 413


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.7", "memory.example.org", "::"])
def test_others_can_read_along_only_when_that_is_asked_for(
    own_home: Home, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMES_WEB_HOST", host)
    with pytest.raises(SettingError, match="no TLS"):
        check_address(App(own_home, load(own_home)))
    monkeypatch.setenv("HERMES_WEB_PLAIN", "true")
    check_address(App(own_home, load(own_home)))
