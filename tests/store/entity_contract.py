"""What every engine must do with the things that texts name: one class of tests, inherited for each engine."""

import threading

from hermes_agent.records.memory import Named, NamedThings
from hermes_agent.store import entities
from hermes_agent.store.store import Store
from hermes_agent.text.entity_keys import entity_key
from tests.store.named import names


def thing(name: str) -> Named:
    return Named(entity_key(name), name, "name")


class EntityContract:
    """Tests of the things named in a store; `store` is a new one."""

    def test_an_alias_leads_both_ways_and_goes_with_the_text_that_used_it(self, store: Store) -> None:
        with store.write() as connection:
            aliased = NamedThings((thing("Deb"), thing("Deborah")), (("deb", "deborah"),))
            entities.link(connection, "episode", {1: aliased, 2: NamedThings((thing("Deborah"),))})
            entities.link(connection, "fact", {1: NamedThings((thing("Deborah"),))})
            found = entities.resolve(connection, ["deb", "deborah", "nobody"])
            assert set(found) == {"deb", "deborah"}
            assert set(found["deb"]) == set(found["deborah"]) and len(found["deb"]) == 2
            assert entities.items_of(connection, found["deborah"], "episode", 10) == [2, 1]
            assert entities.items_of(connection, found["deborah"], "episode", 1) == [2]
            assert [named.name for named in names(connection)] == ["Deb", "Deborah"]
            entities.unlink(connection, "episode", [1])
            assert entities.resolve(connection, ["deb"]) == {}
            assert len(entities.resolve(connection, ["deborah"])["deborah"]) == 1
            entities.unlink(connection, "episode", [2])
            assert entities.items_of(connection, entities.resolve(connection, ["deborah"])["deborah"], "fact", 9)
            entities.unlink(connection, "fact", [1])
            assert names(connection) == []

    def test_what_only_a_giant_session_named_goes_with_it(self, store: Store) -> None:
        with store.write() as connection:
            entities.link(connection, "fact", {1: NamedThings((thing("Deborah"),))})
            aliased = NamedThings((thing("Deb"), thing("Deborah")), (("deb", "deborah"),))
            entities.link(connection, "episode", {1: aliased})
            connection.exec_driver_sql(
                "WITH RECURSIVE counted(number) AS"
                " (SELECT 1 UNION ALL SELECT number + 1 FROM counted WHERE number < 70000)"  # engines bind fewer
                " INSERT INTO entities (key, name, kind)"
                " SELECT 'thing' || number, 'Thing ' || number, 'name' FROM counted"
            )
            connection.exec_driver_sql(
                "INSERT INTO entity_links (entity_id, kind, item)"
                " SELECT id, 'episode', 2 FROM entities WHERE key LIKE 'thing%%'"
            )
            entities.unlink(connection, "episode", [1, 2])
            assert names(connection) == [thing("Deborah")]
            entities.link(connection, "episode", {3: NamedThings((thing("Deb"),))})
            assert len(entities.resolve(connection, ["deb"])["deb"]) == 1, "the alias went with its text"

    def test_many_may_name_the_same_things_at_once(self, store: Store) -> None:
        with store.read():
            pass
        names = [f"Thing {n}" for n in range(12)]
        failures: list[BaseException] = []

        def work(place: int) -> None:
            try:
                for number in range(6):
                    item = place * 100 + number
                    order = names[place:] + names[:place]
                    with store.write() as connection:
                        entities.link(connection, "fact", {item: NamedThings(tuple(map(thing, order)))})
                    if number % 2:
                        with store.write() as connection:
                            entities.unlink(connection, "fact", [item])
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=work, args=(place,)) for place in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []
        with store.read() as connection:
            ids = entities.resolve(connection, [entity_key(name) for name in names])
            assert {len(entities.items_of(connection, own, "fact", 99)) for own in ids.values()} == {12}
            assert len(ids) == len(names)
