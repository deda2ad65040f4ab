"""The PostgreSQL engine: the contract against a real server, and what only a server can go through."""

import itertools
import threading
from collections.abc import Iterator

import pytest

from hermes_agent.errors import SettingError, StoreUnreachable
from hermes_agent.ids import new_uid
from hermes_agent.store.migrate import HEAD
from hermes_agent.store.postgres import Postgres, schema_name
from hermes_agent.store.store import Store
from tests.postgres import server_address
from tests.store.contract import StoreContract
from tests.store.entity_contract import EntityContract
from tests.store.episode_contract import EpisodeContract
from tests.store.fact_contract import FactContract
from tests.store.outline_contract import OutlineContract
from tests.store.session_contract import SessionContract
from tests.store.talk import Open, found, say
from tests.store.vector_contract import VectorContract

_NUMBERS = itertools.count()


@pytest.fixture
def open_store() -> Iterator[Open]:
    place = new_uid().replace("-", "")
    opened: list[Store] = []

    def open_one(profile: str) -> Store:
        store = Store(Postgres(server_address(), schema_name(f"{profile}{place}")), profile)
        opened.append(store)
        return store

    yield open_one
    for store in opened:
        store.close()


@pytest.fixture
def store(open_store: Open) -> Store:
    return open_store("default")


class TestPostgres(StoreContract):
    """The contract on PostgreSQL."""


class TestPostgresSessions(SessionContract):
    """The contract of sessions on PostgreSQL."""


class TestPostgresEpisodes(EpisodeContract):
    """The contract of episodes on PostgreSQL."""


class TestPostgresEntities(EntityContract):
    """The contract of things named on PostgreSQL."""


class TestPostgresFacts(FactContract):
    """The contract of facts on PostgreSQL."""


class TestPostgresOutlines(OutlineContract):
    """The contract of outlines on PostgreSQL."""


class TestPostgresVectors(VectorContract):
    """The contract of vectors on PostgreSQL."""


def test_both_spellings_of_the_address_work() -> None:
    address = server_address().removeprefix("postgresql://")
    for scheme in ("postgres://", "postgresql://"):
        store = Store(Postgres(scheme + address, schema_name(new_uid())), "default")
        assert say(store, "hello") == [1]
        store.close()


@pytest.mark.parametrize("address", ["", "mysql://u:p@h/d", "not an address"])
def test_an_address_of_something_else_is_refused(address: str) -> None:
    with pytest.raises(SettingError, match="connectionString"), Store(Postgres(address, "s"), "default").read():
        pass


def test_a_server_that_is_not_there_is_named_without_its_password() -> None:
    engine = Postgres("postgres://ada:hunter2@127.0.0.1:1/db", "s")
    with pytest.raises(StoreUnreachable) as caught, Store(engine, "default").read():
        pass
    assert "127.0.0.1:1" in caught.value.message
    assert "hunter2" not in caught.value.message + repr(engine)


def test_many_first_connections_migrate_once() -> None:
    schema = schema_name(new_uid())
    stores = [Store(Postgres(server_address(), schema), "default") for _ in range(6)]
    failures: list[BaseException] = []

    def begin(store: Store) -> None:
        try:
            say(store, "hello")
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=begin, args=(store,)) for store in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    with stores[0].read() as connection:
        assert connection.exec_driver_sql("SELECT version FROM schema_version").scalars().all() == [HEAD]
    assert len(found(stores[0], "hello")) == 6
    for store in stores:
        store.close()


def test_schema_names_are_short_and_never_shared() -> None:
    names = [schema_name(profile) for profile in ("default", "a-b", "a_b", "x" * 64, "x" * 63)]
    assert len(set(names)) == len(names)
    assert all(len(name) <= 63 for name in names)


@pytest.mark.parametrize("schema", ['a"; DROP SCHEMA public; --', "Upper", "x" * 64, ""])
def test_a_strange_schema_name_is_refused(schema: str) -> None:
    with pytest.raises(SettingError, match="name of a schema"):
        Postgres("postgres://h/d", schema)
