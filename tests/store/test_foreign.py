"""Reading another program's archive: by column names, and without a trace in its folder."""

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from hermes_agent.errors import DamagedStore, NotFound, Transient, UsageError
from hermes_agent.store.foreign import identify, open_foreign
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store
from tests.ops import foreign_homes


def _contents(path: Path) -> list[object]:
    with open_foreign(path) as archive:
        return [m["content"] for session in archive.sessions() for m in archive.messages(session["_place"])]


@pytest.mark.parametrize("version", foreign_homes.VERSIONS)
def test_every_known_version_is_read(tmp_path: Path, version: int) -> None:
    database = foreign_homes.build(tmp_path / "theirs", version)
    with open_foreign(database) as archive:
        first = next(archive.sessions())
        assert (archive.version, archive.session_count()) == (version, 3)
        assert first["system_prompt"] == "You are Hermes."
        assert "system_prompt_hash" not in first or first["system_prompt_hash"] is None


@pytest.mark.parametrize("version", foreign_homes.VERSIONS)
def test_reading_leaves_no_trace(tmp_path: Path, version: int) -> None:
    folder = tmp_path / "theirs"
    database = foreign_homes.build(folder, version)
    before = foreign_homes.fingerprint(folder)
    assert _contents(database)
    assert foreign_homes.fingerprint(folder) == before


def test_an_archive_is_read_while_the_other_program_writes_to_it(tmp_path: Path) -> None:
    database = tmp_path / "state.db"
    with closing(foreign_homes.create(database, 23)) as theirs:
        foreign_homes.fill(theirs, 23)
        before = database.read_bytes(), database.with_name("state.db-wal").read_bytes()
        with open_foreign(database) as archive:
            theirs.execute("UPDATE messages SET content = 'later'")
            contents = [m["content"] for s in archive.sessions() for m in archive.messages(s["_place"])]
        assert "later" not in contents
        assert "exit 0" in contents
        assert database.read_bytes() == before[0]
        assert database.with_name("state.db-wal").read_bytes().startswith(before[1])
        assert set(_contents(database)) == {"later"}


def test_a_log_that_was_copied_without_its_index_is_read_from_a_copy(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    with closing(foreign_homes.create(tmp_path / "state.db", 6)) as theirs:
        foreign_homes.fill(theirs, 6)
        for name in ("state.db", "state.db-wal"):
            shutil.copyfile(tmp_path / name, copy / name)
    before = foreign_homes.fingerprint(copy)
    assert "exit 0" in _contents(copy / "state.db")
    assert foreign_homes.fingerprint(copy) == before


def test_a_journal_that_must_be_rolled_back_is_rolled_back_in_a_copy(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    with closing(foreign_homes.create(tmp_path / "state.db", 6)) as theirs:
        foreign_homes.fill(theirs, 6)
        theirs.execute("PRAGMA journal_mode = DELETE")
        theirs.execute("PRAGMA cache_size = 1")
        theirs.execute("BEGIN")
        theirs.execute("UPDATE messages SET content = hex(zeroblob(100000))")
        for name in ("state.db", "state.db-journal"):
            shutil.copyfile(tmp_path / name, copy / name)
    before = foreign_homes.fingerprint(copy)
    assert "exit 0" in _contents(copy / "state.db")
    assert foreign_homes.fingerprint(copy) == before


def test_a_program_that_starts_to_write_meanwhile_is_noticed(tmp_path: Path) -> None:
    database = foreign_homes.build(tmp_path / "theirs", 6)
    with pytest.raises(Transient, match="began to write"), open_foreign(database) as archive:
        with closing(foreign_homes.connect(database)) as theirs:
            theirs.execute("UPDATE messages SET content = 'later'")
        archive.session_count()


def test_text_that_is_not_utf8_keeps_its_bytes(tmp_path: Path) -> None:
    database = tmp_path / "state.db"
    with closing(foreign_homes.create(database, 6)) as theirs:
        foreign_homes.fill(theirs, 6)
        theirs.execute("UPDATE messages SET content = CAST(x'61ff62' AS TEXT)")
    assert set(_contents(database)) == {"a\udcffb"}


@pytest.mark.parametrize(("version", "words"), [(5, "6 is the oldest"), (26, "newer than the known 25")])
def test_unknown_versions_are_refused_unless_asked_for(tmp_path: Path, version: int, words: str) -> None:
    database = foreign_homes.build(tmp_path / "theirs", version)
    with pytest.raises(UsageError, match=words) as caught, open_foreign(database):
        pass
    assert "--any-version" in (caught.value.hint or "")
    with open_foreign(database, takes_any_version=True) as archive:
        assert archive.session_count() == 3


def test_what_is_no_archive_is_refused(tmp_path: Path) -> None:
    other, text = tmp_path / "other.db", tmp_path / "text.db"
    with closing(foreign_homes.connect(other)) as connection:
        connection.execute("CREATE TABLE sessions (id TEXT)")
    text.write_text("not a database, but long enough to look into")
    with pytest.raises(UsageError, match="not a database of Hermes"), open_foreign(other):
        pass
    with pytest.raises(DamagedStore, match="not a SQLite database"), open_foreign(text):
        pass
    with pytest.raises(NotFound), open_foreign(tmp_path / "nothing.db"):
        pass
    assert [identify(path) for path in (other, text, tmp_path / "nothing.db")] == ["other", "other", "absent"]


def test_our_own_store_is_recognised(tmp_path: Path) -> None:
    store = Store(Sqlite(tmp_path / "ours.db"), "default")
    with store.read():
        pass
    store.close()
    assert identify(tmp_path / "ours.db") == "ours"
    with (
        pytest.raises(UsageError, match="a store of this program already"),
        open_foreign(tmp_path / "ours.db"),
    ):
        pass


def test_a_damaged_archive_is_named(tmp_path: Path) -> None:
    database = foreign_homes.build(tmp_path / "theirs", 6)
    raw = bytearray(database.read_bytes())
    raw[100:4096] = b"\xff" * 3996
    database.write_bytes(raw)
    with pytest.raises(DamagedStore, match="cannot be read"), open_foreign(database):
        pass
