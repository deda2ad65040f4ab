"""Outlines of old episodes, on both engines: made anew, also of what an older version compressed, and searched."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from sqlalchemy import select, text

from hermes_agent.embedders.embedder import Embedder
from hermes_agent.embedders.local import Local
from hermes_agent.memory.memory import Memory
from hermes_agent.ops import doctor
from hermes_agent.ops.steps import finish
from hermes_agent.recall.asking import ask
from hermes_agent.recall.meaning import Meant, by_meaning
from hermes_agent.store import episodes, gists, sketches
from hermes_agent.store.tables import outlines
from tests.hashed_embedder import HashedEmbedder
from tests.memory.old_talk import LONG_AGO, NOW, TALK, compress, outlined, talk, work_off


@pytest.fixture
def old(memory: Memory) -> Memory:
    """A memory whose conversation of March is compressed."""
    talk(memory, "march", LONG_AGO)
    talk(memory, "may", NOW, TALK[:1])
    work_off(memory)
    compress(memory)
    assert outlined(memory) == 4 * 2
    return memory


def kept(memory: Memory) -> list[tuple[object, ...]]:
    with memory.store.read() as connection:
        query = select(outlines.c.episode_id, outlines.c.bits).order_by(outlines.c.episode_id, outlines.c.id)
        return [tuple(row) for row in connection.execute(query)]


def meant(memory: Memory, embedder: Embedder, hidden: tuple[str, ...] = ()) -> Meant:
    asking = ask("Who gives the violin lessons?", datetime(2026, 6, 1, tzinfo=UTC))
    return by_meaning(memory.store, embedder, replace(asking, hidden_sources=hidden))


def words(memory: Memory, episode_id: int) -> str:
    with memory.store.read() as connection:
        return episodes.texts(connection, [episode_id])[episode_id][0].text


def test_a_rebuild_makes_them_anew(old: Memory) -> None:
    before = kept(old)
    with old.store.write() as connection:
        connection.execute(text("DELETE FROM outlines WHERE episode_id < (SELECT max(episode_id) FROM outlines)"))
        connection.execute(text("UPDATE outlines SET episode_id = (SELECT max(id) FROM episodes)"))
    finish(doctor.rebuild(old.store, UTC, has_vectors=True))
    assert outlined(old) == 4 * 2 and kept(old) == before


def test_what_an_older_version_compressed_gets_them(old: Memory) -> None:
    before = kept(old)
    with old.store.write() as connection:
        for later in ("outlines", "receipts", "tokens", "outbox", "arrivals", "chats"):
            connection.execute(text(f"DROP TABLE {later}"))
        connection.execute(text("UPDATE schema_version SET version = 108"))
        connection.execute(text("UPDATE alembic_version SET version_num = '108'"))
    old.store.close()
    assert kept(old) == before
    assert old.store.shape_found.found == 108
    assert doctor.check(old.store).problems == ()


@pytest.mark.parametrize("embedder", [Local(), HashedEmbedder(), HashedEmbedder(is_down=True)])
def test_what_is_old_is_found_by_its_meaning_whoever_embeds(old: Memory, embedder: Embedder) -> None:
    found = meant(old, embedder)
    assert len(found.old) == 4 and words(old, found.old[0]) == TALK[0][0]


def test_an_old_episode_is_as_near_as_the_nearest_of_its_passages(old: Memory) -> None:
    topic = Local().embed_query("violin lessons in Bergen")
    with old.store.read() as connection:
        of_episode = sketches.gists_of(connection, episodes.every_id(connection, 99) or [])
        found = gists.nearness(connection, list(of_episode), topic)
    exact = {one: (gists.read_shrunk(each).vectors @ topic).max() for one, each in of_episode.items()}
    raw = max(of_episode)  # its gists are whole, of which the bits are taken
    assert {one: near for one, near in found.items() if one != raw} == pytest.approx(
        {one: near for one, near in exact.items() if one != raw}, abs=1e-5
    )
    assert found[raw] == pytest.approx(exact[raw], abs=0.15)


def test_what_is_old_and_of_a_hidden_source_is_left_out(old: Memory) -> None:
    with old.store.read() as connection:
        (source,) = {one.source for one in episodes.latest(connection, 9)}
    assert meant(old, Local(), (source,)).old == []


def test_nothing_that_is_gone_is_found(old: Memory) -> None:
    old.delete(["march"], cause="test")
    assert outlined(old) == 0 and meant(old, Local()).old == []
