"""Behind a proxy with TLS: whom it speaks for, and that it came by TLS, is believed of those the owner names."""

import httpx2
import pytest

from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.memory import tokens
from tests.conftest import Hermes
from tests.web.conftest import serving
from tests.web.talking import PATIENCE_SECONDS

PROXY = "127.0.0.2"
"""Another address of this machine's, from which the proxy asks."""
GUESSES = 25


def proxied(address: str) -> httpx2.Client:
    """Return a proxy that speaks for clients that came to it by TLS."""
    transport = httpx2.HTTPTransport(local_address=PROXY)
    headers = {"X-Forwarded-Proto": "https"}
    return httpx2.Client(base_url=address, transport=transport, headers=headers, timeout=PATIENCE_SECONDS)


@pytest.mark.parametrize(
    ("proxies", "is_believed"), [(None, False), ('["10.88.0.1"]', False), ('["127.0.0.0/8"]', True)]
)
def test_a_proxy_is_believed_if_the_owner_names_it(
    own_home: Home, monkeypatch: pytest.MonkeyPatch, proxies: str | None, is_believed: bool
) -> None:
    monkeypatch.setenv("HERMES_WEB_PORT", "0")
    if proxies is not None:
        monkeypatch.setenv("HERMES_WEB_PROXIES", proxies)
    app = App(own_home, load(own_home))
    with serving(app) as address, proxied(address) as proxy:
        link = tokens.create_link(app.store).shown
        cookie = proxy.post("/login", data={"token": link}).headers["set-cookie"]
        assert ("Secure" in cookie) == is_believed
        codes = {
            proxy.post(
                "/login", data={"token": "wrong"}, headers={"X-Forwarded-For": f"192.0.2.{client}"}
            ).status_code
            for client in range(GUESSES)
        }
        assert codes == ({200} if is_believed else {200, 429})
    app.close()


def test_without_the_setting_a_proxy_on_this_machine_is_believed(app: App) -> None:
    with (
        serving(app) as address,
        httpx2.Client(base_url=address, headers={"X-Forwarded-Proto": "https"}, trust_env=False) as proxy,
    ):
        link = tokens.create_link(app.store).shown
        assert "Secure" in proxy.post("/login", data={"token": link}).headers["set-cookie"]


@pytest.mark.parametrize("wrong", ["*", "proxy.example", "10.0.0.1/8", "1.2.3"])
def test_what_is_no_address_is_refused_as_a_proxy(hermes: Hermes, wrong: str) -> None:
    refused = hermes("config", "set", "web.proxies", f'["{wrong}"]')
    assert refused.exit_code == 2
    assert "addresses and networks" in refused.stderr and wrong in refused.stderr
    assert hermes("config", "set", "web.proxies", '["10.88.0.1", "fd00::/8"]').exit_code == 0
