"""Files that a disk or a power cut damaged: a log that was cut off, a page with other bytes.

A text that is damaged is told, and what can be read is saved. SQLite keeps no checksums: a number that became
another number is not noticed, and counted here. (A torn cache: `tests/store/matrix/test_damage.py`.)
"""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from hermes_agent.store import canonical
from tests.counts import count, record
from tests.faults import homes
from tests.faults.content import Content, content_of
from tests.faults.injecting import Fault
from tests.faults.recording import Tally
from tests.faults.running import Shell
from tests.proof.processes import seeded

_PAGE = 4_096


@pytest.fixture
def folder(hermes_shell: Shell, tmp_path: Path) -> Path:
    """A home that has lived, everything folded into one file."""
    made = tmp_path / "made"
    made.mkdir()
    homes.old(hermes_shell, made)
    return made


def test_a_log_that_was_cut_off_loses_only_what_was_behind_the_cut(
    hermes_shell: Shell, folder: Path, tmp_path: Path
) -> None:
    chance, tally = seeded("logs"), Tally("cut log")
    before = content_of(folder)
    told = hermes_shell.run(folder, "memory", "fact", "add", "My boat is called Heron", fault=Fault("kill", 10**9))
    last = next(number for number, line in enumerate(told.log, 1) if line.endswith(" /home/state.db"))
    for number in range(count(3, 60)):
        attempt = _copy(tmp_path, number, folder)
        # Killed when the log is whole and before it is folded in.
        hermes_shell.run(attempt, "memory", "fact", "add", "My boat is called Rex", fault=Fault("kill", last))
        log = attempt / "home" / "state.db-wal"
        size = log.stat().st_size
        with log.open("r+b") as file:
            file.truncate(chance.randrange(size))
        wrong = list(_missing(before, content_of(attempt)))
        checked = hermes_shell.run(attempt, "db", "check")
        wrong += [] if checked.status == 0 else [f"not well: {checked.stdout}{checked.stderr}"]
        tally.add("fact add", wrong)
        shutil.rmtree(attempt)
    tally.close()


def test_a_damaged_page_is_told_and_what_can_be_read_is_saved(
    hermes_shell: Shell, folder: Path, tmp_path: Path
) -> None:
    chance, tally, unnoticed, hopeless = seeded("pages"), Tally("damaged page"), 0, 0
    before = content_of(folder)
    for number in range(count(4, 80)):
        attempt = _copy(tmp_path, number, folder)
        _flip(chance, attempt / "home" / "state.db")
        damaged = (attempt / "home" / "state.db").read_bytes()
        checked = hermes_shell.run(attempt, "db", "check")
        wrong = [] if checked.is_plain or checked.status == 1 else [f"no plain word: {checked.stderr[-300:]}"]
        if checked.status == 0:
            now = content_of(attempt)
            wrong += [f"silent: {one}" for one in _missing(before, now, only_texts=True)]
            unnoticed += any(_missing(before, now))
        repaired = hermes_shell.run(attempt, "db", "repair", "--yes")
        if _is_without_schema(attempt / "home" / "state.db"):
            hopeless += 1
            is_refused = repaired.status == 1 and "it was left as it is" in repaired.stderr
            wrong += [] if is_refused else ["a file that tells of no table was not refused"]
            wrong += [] if (attempt / "home" / "state.db").read_bytes() == damaged else ["that file was changed"]
        elif repaired.status != 0:
            wrong.append(f"repair ended with {repaired.status}: {repaired.stderr[-900:]}")
        elif hermes_shell.run(attempt, "db", "check").status != 0:
            wrong.append("not well after the repair")
        elif "is kept as" in repaired.stdout:
            aside = [file.read_bytes() for file in (attempt / "home").glob("state.db.damaged-*")]
            wrong += [] if damaged in aside else ["the damaged file is not kept as it was"]
        seen = [line for line in checked.stdout.splitlines() + checked.stderr.splitlines() if "roblem" in line]
        tally.add("db check, db repair", wrong, seen[:1])
        shutil.rmtree(attempt)
    record("fault.damaged page.unnoticed", unnoticed)
    record("fault.damaged page.hopeless", hopeless)
    tally.close()


def test_a_text_that_is_damaged_in_a_whole_page_is_told_and_repaired(hermes_shell: Shell, folder: Path) -> None:
    database = folder / "home" / "state.db"
    database.write_bytes(database.read_bytes().replace(b"The deadline of Atlas", b"The deadline of \xffTLAS"))
    checked = hermes_shell.run(folder, "db", "check")
    assert (checked.status, "a text in the table facts is damaged" in checked.stdout) == (1, True), checked
    assert hermes_shell.run(folder, "db", "repair", "--yes").status == 0
    assert hermes_shell.run(folder, "db", "check").status == 0
    assert "The deadline of \ufffdTLAS is 2027-03-01" in hermes_shell.run(folder, "memory", "facts", "list").stdout


def test_what_a_damaged_schema_still_tells_of_is_saved(hermes_shell: Shell, folder: Path) -> None:
    database, before = folder / "home" / "state.db", content_of(folder)
    database.write_bytes(
        database.read_bytes().replace(b"CREATE TABLE selftests", b"CREATE \xd4\xffBLE s\xff\xfeftests")
    )
    checked = hermes_shell.run(folder, "db", "check")
    assert (checked.status, checked.is_plain) == (1, True), checked
    repaired = hermes_shell.run(folder, "db", "repair", "--yes")
    assert repaired.status == 0, repaired
    assert list(_missing(before, content_of(folder))) == []


def test_a_column_whose_name_is_damaged_is_read_by_its_place(hermes_shell: Shell, folder: Path) -> None:
    database, before = folder / "home" / "state.db", content_of(folder)
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("PRAGMA writable_schema = ON")
        for table, name, damaged in (("messages", "content", "cgntent"), ("facts", "text", "tuxt")):
            connection.execute(
                "UPDATE sqlite_master SET sql = replace(sql, ?, ?) WHERE name = ?",
                (f"\t{name} ", f"\t{damaged} ", table),
            )
        last = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'facts'").fetchone()[0]
    assert hermes_shell.run(folder, "db", "check").status == 1
    repaired = hermes_shell.run(folder, "db", "repair", "--yes")
    assert (repaired.status, "Not readable: messages, facts" in repaired.stderr) == (0, True), repaired
    assert list(_missing(before, content_of(folder))) == []
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'facts'").fetchone()[0] == last


def test_json_that_is_none_any_more_and_rows_that_refer_to_lost_ones_do_not_stop_a_repair(
    hermes_shell: Shell, folder: Path
) -> None:
    database = folder / "home" / "state.db"
    with closing(sqlite3.connect(database)) as connection, connection:
        told = connection.execute("UPDATE reflections SET worked = '[\"half'").rowcount
        assert told and connection.execute("UPDATE journal SET after = '{' WHERE after IS NOT NULL").rowcount
        assert connection.execute("DELETE FROM system_prompts").rowcount
        connection.execute("INSERT INTO disputes VALUES (9, 1, 999, 0, 'lost')")
    assert hermes_shell.run(folder, "db", "check").status == 1
    repaired = hermes_shell.run(folder, "db", "repair", "--yes")
    assert (repaired.status, "Not readable: " in repaired.stderr) == (0, True), repaired
    assert hermes_shell.run(folder, "db", "check").status == 0
    assert len(hermes_shell.run(folder, "memory", "reflections", "list", "--json").stdout.splitlines()) >= told


def _is_without_schema(database: Path) -> bool:
    """Tell whether the page is gone that says where the tables are: then only a backup helps."""
    with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as connection:
        connection.text_factory = bytes
        connection.execute("PRAGMA writable_schema = ON")
        return not connection.execute("PRAGMA table_info(messages)").fetchall()


def _copy(place: Path, number: int, folder: Path) -> Path:
    attempt = place / f"{number}"
    shutil.copytree(folder, attempt, symlinks=True)
    return attempt


def _flip(chance: Random, file: Path, first: int = _PAGE) -> None:
    """Change some bytes in the middle of a file."""
    size = file.stat().st_size
    place = chance.randrange(min(first, size - 1), size)
    with file.open("r+b") as opened:
        opened.seek(place)
        old = opened.read(chance.choice((1, 16, 200)))
        opened.seek(place)
        opened.write(bytes(byte ^ 0xFF for byte in old))


def _missing(before: Content, now: Content, *, only_texts: bool = False) -> Iterator[str]:
    """Name rows that are not as they were; of those that are there only the texts, if asked."""
    for table, rows in before.rows.items():
        uids = canonical.uids(table.partition(".")[2])
        for key, row in rows.items():
            found = now.rows.get(table, {}).get(key)
            if found is None:
                yield f"{table} {key} is lost"
                continue
            for column, value in row.items():
                is_text = not isinstance(value, int | float) and column not in uids
                if found[column] != value and (is_text or not only_texts):
                    yield f"{table} {key}: {column} is not as it was"
