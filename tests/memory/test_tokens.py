"""Tokens on both engines: what two do with one at the same moment."""

from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial

from hermes_agent.errors import UsageError
from hermes_agent.memory import tokens
from hermes_agent.store.store import Store
from tests.held import held_at

_A_MOMENT = 0.3
"""Who need not wait is done by then."""


def test_a_token_that_is_revoked_while_it_logs_a_browser_in_takes_it_along(store: Store) -> None:
    shown = tokens.create(store, "laptop", "write").shown
    with ThreadPoolExecutor(1) as others:
        with held_at("INSERT INTO tokens", partial(tokens.log_in, store, shown, "Firefox")) as browser:
            revoking = others.submit(tokens.revoke, store, "laptop")
            wait([revoking], _A_MOMENT)
        made = browser.result()
        assert revoking.result().revoked_at is not None
    assert made is None or tokens.check(store, made.shown) is None
    assert tokens.log_in(store, shown, "Firefox") is None


def test_two_who_make_a_token_of_one_name_make_one(store: Store) -> None:
    with ThreadPoolExecutor(1) as others:
        with held_at("INSERT INTO tokens", partial(tokens.create, store, "laptop", "write")):
            late = others.submit(tokens.create, store, "laptop", "admin")
            wait([late], _A_MOMENT)
        assert isinstance(late.exception(), UsageError)
    assert [one.scope for one in tokens.every(store)] == ["write"]
