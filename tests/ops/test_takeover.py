"""Taking over another home: everything arrives, the source is only read, and twice is once."""

import os
import shutil
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from hermes_agent.config import paths
from hermes_agent.config.paths import Home
from hermes_agent.errors import ForeignStore, NotFound, UsageError
from hermes_agent.ops.aside import all_aside, set_aside
from hermes_agent.ops.steps import finish
from hermes_agent.ops.takeover import TakeoverReport, find_source, take_over
from hermes_agent.records.archive import Message, Session
from hermes_agent.store import journal, messages, sessions
from hermes_agent.store.store import Store
from tests.ops import foreign_homes
from tests.ops.stores import exported, imported, open_at

FIRST, NEXT, DELEGATED = "20260401_101500_aaaaaa", "20260401_110000_bbbbbb", "20260401_102000_cccccc"


@pytest.fixture
def home(own_home: Home) -> Home:
    paths.ensure(own_home)
    return own_home


@pytest.fixture
def store(home: Home) -> Iterator[Store]:
    with open_at(home.state_db) as store:
        yield store


def run(
    path: Path | None, home: Home, store: Store | None, *, is_dry: bool = False, any_version: bool = False
) -> TakeoverReport:
    source = find_source(path, home, home.state_db)
    return finish(take_over(source, home, store, is_dry=is_dry, takes_any_version=any_version))


def read(store: Store, session_id: str) -> tuple[Session, list[Message], str | None]:
    with store.read() as connection:
        session = sessions.get(connection, session_id)
        assert session is not None
        said = list(messages.of_session(connection, session_id, states=("live", "compacted", "rewound")))
        return session, said, sessions.prompt_of(connection, session)


@pytest.mark.parametrize("version", foreign_homes.VERSIONS)
def test_conversations_of_every_version_arrive(tmp_path: Path, home: Home, store: Store, version: int) -> None:
    foreign_homes.build(tmp_path / "theirs", version)
    (taken,) = run(tmp_path / "theirs", home, store).databases
    assert (taken.version, taken.aside, taken.sessions.broken) == (version, None, ())
    assert set(taken.sessions.imported) == {FIRST, NEXT, DELEGATED}
    session, said, prompt = read(store, FIRST)
    assert prompt == "You are Hermes."
    assert (session.started_at, session.ended_at) == (1_775_038_500_123456, 1_775_040_000_500000)
    assert (session.title, session.model_config, session.input_tokens) == (
        "Docker",
        {"temperature": 0.5},
        1000,
    )
    assert session.metadata["billing_provider"] == "someone"
    assert (session.message_count, session.tool_call_count) == (3, 1)
    assert [m.role for m in said] == ["user", "assistant", "tool"]
    assert said[0].said_at == 1_775_038_501_250000
    assert said[1].metadata["reasoning_details"] == '[{"type": "text"}]'
    assert said[2].source_class == "tool"


@pytest.mark.parametrize("version", foreign_homes.VERSIONS)
def test_lineage_is_found_out(tmp_path: Path, home: Home, store: Store, version: int) -> None:
    foreign_homes.build(tmp_path / "theirs", version)
    run(tmp_path / "theirs", home, store)
    kinds = {name: read(store, name)[0] for name in (NEXT, DELEGATED)}
    assert {name: s.parent_session_id for name, s in kinds.items()} == {NEXT: FIRST, DELEGATED: FIRST}
    assert (kinds[NEXT].parent_kind, kinds[DELEGATED].parent_kind) == ("compression", "delegation")


def test_compacted_and_rewound_messages_keep_their_state(tmp_path: Path, home: Home, store: Store) -> None:
    foreign_homes.build(tmp_path / "theirs", 25)
    run(tmp_path / "theirs", home, store)
    assert [(m.content, m.state) for m in read(store, NEXT)[1]] == [
        ('[{"type": "text", "text": "ein Bild"}]', "live"),
        ("old words", "compacted"),
        ("taken back", "rewound"),
    ]


@pytest.mark.parametrize("version", foreign_homes.VERSIONS)
def test_the_source_is_not_changed(tmp_path: Path, home: Home, store: Store, version: int) -> None:
    folder = tmp_path / "theirs"
    foreign_homes.build(folder, version)
    before = foreign_homes.fingerprint(folder)
    run(folder, home, store)
    assert foreign_homes.fingerprint(folder) == before


def test_a_second_run_adds_nothing(tmp_path: Path, home: Home, store: Store) -> None:
    foreign_homes.build(tmp_path / "theirs", 25)
    run(tmp_path / "theirs", home, store)
    before = exported(store), foreign_homes.fingerprint(home.skills), foreign_homes.fingerprint(home.memories)
    report = run(tmp_path / "theirs", home, store)
    assert report.databases[0].sessions.messages == 0
    assert {file.done for file in (*report.notes, *report.skills)} == {"same"}
    after = exported(store), foreign_homes.fingerprint(home.skills), foreign_homes.fingerprint(home.memories)
    assert after == before
    with store.read() as connection:
        assert len(journal.recent(connection, 10, kind="sessions.imported")) == 1


def test_what_their_own_export_brought_already_is_known(tmp_path: Path, home: Home, store: Store) -> None:
    database = foreign_homes.build(tmp_path / "theirs", 6)
    line = (
        f'{{"id": "{DELEGATED}", "started_at": 1775038800.0, "source": "subagent", "messages": []}}\n'
        f'{{"id": "{NEXT}", "started_at": 1775040001.0, "messages": [{{"id": 4, "role": "user", '
        '"content": [{"type": "text", "text": "ein Bild"}], "timestamp": 1775040002.0}]}\n'
    )
    imported(store, tmp_path, line)
    (taken,) = run(database, home, store).databases
    assert (taken.sessions.imported, set(taken.sessions.skipped)) == ((FIRST,), {NEXT, DELEGATED})


def test_later_messages_of_theirs_are_brought_by_the_next_run(tmp_path: Path, home: Home, store: Store) -> None:
    database = foreign_homes.build(tmp_path / "theirs", 11)
    run(database, home, store)
    with closing(foreign_homes.connect(database)) as theirs:
        foreign_homes.insert(
            theirs, "messages", session_id=NEXT, role="user", content="and then?", timestamp=1_775_050_000.0
        )
    (taken,) = run(database, home, store).databases
    assert (taken.sessions.extended, taken.sessions.messages) == ((NEXT,), 1)


def test_notes_and_skills_are_copied_byte_for_byte(tmp_path: Path, home: Home, store: Store) -> None:
    folder = tmp_path / "theirs"
    foreign_homes.build(folder, 6)
    report = run(folder, home, store)
    for name in (
        "SOUL.md",
        "memories/MEMORY.md",
        "memories/USER.md",
        "workspace/MEMORY.md",
        "skills/deploy/SKILL.md",
        "skills/deploy/scripts/run.sh",
        "skills/writing/haiku/SKILL.md",
        "skills/.bundled_manifest",
    ):
        assert (home.root / name).read_bytes() == (folder / name).read_bytes()
        assert (home.root / name).stat().st_mode & 0o077 == 0
    assert os.access(home.skills / "deploy/scripts/run.sh", os.X_OK)
    assert [(file.place, file.done) for file in report.skills] == [
        ("skills/.bundled_manifest", "copied"),
        ("skills/deploy", "copied"),
        ("skills/writing/haiku", "copied"),
    ]
    assert not (home.skills / ".taking-over").exists()


def test_the_first_guides_places_of_notes_are_known(tmp_path: Path, home: Home, store: Store) -> None:
    folder = tmp_path / "theirs"
    folder.mkdir()
    (folder / "MEMORY.md").write_text("old place")
    assert [note.place for note in run(folder, home, store).notes] == ["MEMORY.md"]
    assert (home.memories / "MEMORY.md").read_text() == "old place"


def test_a_note_of_ours_stays_and_theirs_is_put_beside_it_once(tmp_path: Path, home: Home, store: Store) -> None:
    folder = tmp_path / "theirs"
    foreign_homes.build(folder, 6)
    ours = home.memories / "MEMORY.md"
    ours.write_text("mine")
    for _ in range(2):
        run(folder, home, store)
    assert ours.read_text() == "mine"
    (beside,) = home.memories.glob("MEMORY.md.imported-*")
    assert beside.read_bytes() == (folder / "memories/MEMORY.md").read_bytes()
    (folder / "memories/MEMORY.md").write_text("changed")
    run(folder, home, store)
    assert len(list(home.memories.glob("MEMORY.md.imported-*"))) == 2


def test_a_skill_of_ours_stays_and_theirs_is_put_where_it_is_not_found(
    tmp_path: Path, home: Home, store: Store
) -> None:
    folder = tmp_path / "theirs"
    foreign_homes.build(folder, 6)
    (home.skills / "deploy").mkdir()
    (home.skills / "deploy/SKILL.md").write_text("mine")
    for _ in range(2):
        run(folder, home, store)
    assert (home.skills / "deploy/SKILL.md").read_text() == "mine"
    assert not (home.skills / "deploy/scripts").exists()
    (beside,) = home.skills.glob(".imported-*")
    assert (beside / "deploy/SKILL.md").read_bytes() == (folder / "skills/deploy/SKILL.md").read_bytes()
    assert [path.name for path in beside.iterdir()] == ["deploy"]


def test_links_out_of_their_home_and_special_files_are_left_out(tmp_path: Path, home: Home, store: Store) -> None:
    folder = tmp_path / "theirs"
    foreign_homes.build(folder, 6)
    (tmp_path / "secret").write_text("secret")
    (folder / "memories/USER.md").unlink()
    (folder / "memories/USER.md").symlink_to(tmp_path / "secret")
    (folder / "skills/out").symlink_to(tmp_path)
    (folder / "skills/deploy/out").symlink_to("/etc")
    (folder / "skills/deploy/up").symlink_to("..")
    (folder / "skills/deploy/nowhere").symlink_to("nothing")
    (folder / "skills/deploy/same").symlink_to("SKILL.md")
    os.mkfifo(folder / "skills/deploy/pipe")
    with closing(socket.socket(socket.AF_UNIX)) as plug:
        plug.bind(str(folder / "skills/plug"))
    report = run(folder, home, store)
    left_out = {file.place for file in (*report.notes, *report.skills) if file.done == "skipped"}
    assert left_out == {
        "memories/USER.md",
        "skills/out",
        "skills/plug",
        *(f"skills/deploy/{name}" for name in ("out", "up", "nowhere", "pipe")),
    }
    assert (home.skills / "deploy/same").read_text() == (folder / "skills/deploy/SKILL.md").read_text()
    assert not (home.memories / "USER.md").exists()


def test_a_dry_run_tells_everything_and_writes_nothing(tmp_path: Path, home: Home) -> None:
    folder = tmp_path / "theirs"
    foreign_homes.build(folder, 23)
    before = foreign_homes.fingerprint(home.root)
    report = run(folder, home, None, is_dry=True)
    assert set(report.databases[0].sessions.imported) == {FIRST, NEXT, DELEGATED}
    assert report.databases[0].sessions.messages == 6
    assert {file.done for file in (*report.notes, *report.skills)} == {"copied"}
    assert foreign_homes.fingerprint(home.root) == before


def test_in_our_own_home_the_database_is_set_aside_first(home: Home) -> None:
    foreign_homes.build(home.root, 11)
    with open_at(home.state_db) as store:
        with pytest.raises(ForeignStore), store.read():
            pass
        (taken,) = run(None, home, store).databases
        assert taken.aside is not None
        assert taken.aside.name.startswith("state.db.foreign-2")
        assert set(taken.sessions.imported) == {FIRST, NEXT, DELEGATED}
        (again,) = run(home.root, home, store).databases
        assert (again.aside, len(again.sessions.skipped)) == (None, 3)
        assert all_aside(home.state_db) == [taken.aside]


def test_a_log_goes_with_the_database_that_is_set_aside(home: Home) -> None:
    away = home.root / "away"
    away.mkdir()
    with closing(foreign_homes.create(home.state_db, 6)) as theirs:
        foreign_homes.fill(theirs, 6)
        for suffix in ("", "-wal", "-shm"):
            shutil.copyfile(f"{home.state_db}{suffix}", away / f"state.db{suffix}")
    for suffix in ("", "-wal", "-shm"):
        shutil.move(away / f"state.db{suffix}", f"{home.state_db}{suffix}")
    with open_at(home.state_db) as store:
        (taken,) = run(None, home, store).databases
        assert len(taken.sessions.imported) == 3


@pytest.mark.parametrize("done", ["named", "renamed", "half read"])
def test_a_crash_in_our_own_home_is_mended_by_running_again(home: Home, done: str) -> None:
    foreign_homes.build(home.root, 6)
    if done == "named":
        os.link(home.state_db, f"{home.state_db}.foreign-20260401T000000Z")
    else:
        set_aside(home.state_db)
    with open_at(home.state_db) as store:
        if done == "half read":
            work = take_over(find_source(None, home, home.state_db), home, store)
            next(work)
            next(work)
            work.close()
        run(None, home, store)
        assert len(exported(store).splitlines()) == 3
    assert len(all_aside(home.state_db)) == 1


def test_what_was_set_aside_before_is_never_overwritten(home: Home) -> None:
    for content in ("first", "second", "third"):
        home.state_db.write_text(content)
        set_aside(home.state_db)
    assert sorted(path.read_text() for path in all_aside(home.state_db)) == ["first", "second", "third"]


def test_a_dry_run_in_our_own_home_moves_nothing(home: Home) -> None:
    foreign_homes.build(home.root, 6)
    before = foreign_homes.fingerprint(home.root)
    (taken,) = run(None, home, None, is_dry=True).databases
    assert len(taken.sessions.imported) == 3
    assert foreign_homes.fingerprint(home.root) == before


def test_what_cannot_be_taken_over_stays_in_its_place(home: Home) -> None:
    foreign_homes.build(home.root, 26)
    before = foreign_homes.fingerprint(home.root)
    with open_at(home.state_db) as store:
        with pytest.raises(UsageError, match="newer"):
            run(None, home, store)
        assert foreign_homes.fingerprint(home.root) == before
        assert len(run(None, home, store, any_version=True).databases[0].sessions.imported) == 3


def test_another_programs_database_in_our_place_is_not_touched(home: Home) -> None:
    with closing(foreign_homes.connect(home.state_db)) as connection:
        connection.execute("CREATE TABLE things (id)")
    with open_at(home.state_db) as store, pytest.raises(UsageError, match="not a database of Hermes"):
        run(None, home, store)
    assert home.state_db.exists()


def test_an_empty_folder_and_a_wrong_path_are_named(tmp_path: Path, home: Home, store: Store) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(NotFound, match="holds nothing of Hermes"):
        run(tmp_path / "empty", home, store)
    with pytest.raises(NotFound, match="There is nothing at"):
        run(tmp_path / "nowhere", home, store)


def test_a_database_that_is_a_link_out_of_the_home_must_be_named_itself(
    tmp_path: Path, home: Home, store: Store
) -> None:
    database = foreign_homes.build(tmp_path / "elsewhere", 6)
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs/state.db").symlink_to(database)
    with pytest.raises(UsageError, match="leads out") as caught:
        run(tmp_path / "theirs", home, store)
    assert str(database) in (caught.value.hint or "")


def test_a_session_nobody_can_read_is_reported_and_the_rest_arrives(
    tmp_path: Path, home: Home, store: Store
) -> None:
    database = foreign_homes.build(tmp_path / "theirs", 6)
    with closing(foreign_homes.connect(database)) as theirs:
        theirs.execute("UPDATE sessions SET started_at = 'long ago' WHERE id = ?", (DELEGATED,))
    (taken,) = run(database, home, store).databases
    assert set(taken.sessions.imported) == {FIRST, NEXT}
    assert [broken.place for broken in taken.sessions.broken] == [f"session {DELEGATED}"]
