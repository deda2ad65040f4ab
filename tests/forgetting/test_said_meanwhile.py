"""What is said while a forgetting is looked at or under way: never deleted unseen, never left in secret."""

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
import sqlalchemy
from sqlalchemy import event

from hermes_agent.app import App
from hermes_agent.config.paths import Home
from hermes_agent.errors import ChangedMeanwhile, StoreFull
from hermes_agent.memory import facts
from hermes_agent.memory.forget_asked import Asked
from hermes_agent.ops.forgetting import carrying_out, resetting
from hermes_agent.ops.steps import finish
from hermes_agent.records.archive import NewMessage, NewSession
from tests.conftest import Hermes
from tests.forgetting.homes import everything, fill, opened
from tests.held import held_at

SECRET = "Xylvorena Pumpernickelova hides krzbtwf."


def test_what_was_said_after_it_was_shown_stays_until_it_is_shown(hermes: Hermes, own_home: Home) -> None:
    hermes("-q", "My cat is called Minkalotta Zwiebel.")
    asking = subprocess.Popen(
        [sys.executable, "-m", "hermes_agent", "memory", "forget", "--about", "Minkalotta"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=dict(os.environ),
    )
    assert asking.stderr is not None
    seen = b""
    while b"[y/N]" not in seen:
        seen += asking.stderr.read(1)
    hermes("-c", "-q", "Minkalotta is allergic to Wirsingkohl.")
    _, told = asking.communicate(b"y\n")
    assert asking.returncode == 2
    assert b"Something was said or changed meanwhile" in told
    assert "Wirsingkohl" in hermes("sessions", "search", "Wirsingkohl").stdout
    assert "Minkalotta" in own_home.user_note.read_text()
    assert hermes("memory", "receipts").stdout == "Nothing was forgotten yet.\n"


@pytest.mark.parametrize("kind", ["plain", "postgres"])
def test_a_conversation_that_was_shown_goes_as_it_was_shown(kind: str, tmp_path: Path) -> None:
    with opened(kind, tmp_path) as app:
        name = app.memory.begin(NewSession("cli"))
        app.memory.append(name, NewMessage("user", "The vault opens with krzbtwf flmqvxd."))
        wanted = carrying_out.seek(Asked(session=name))
        shown = carrying_out.preview(app.forgetting, wanted)
        receipt = finish(carrying_out.carry_out(app.forgetting, wanted, shown))
        assert (receipt.found, receipt.counts["messages"]) == ([], 1)


def test_what_is_said_while_it_is_forgotten_unasked_goes_everywhere(tmp_path: Path) -> None:
    with opened("plain", tmp_path) as app:
        name = app.memory.begin(NewSession("cli"))
        app.memory.append(name, NewMessage("user", "The vault opens with krzbtwf flmqvxd."))
        for step in (work := carrying_out.carry_out(app.forgetting, carrying_out.seek(Asked(session=name)))):
            if step.what == "Forgetting":
                break
        app.memory.append(name, NewMessage("user", "The other one opens with dnspghk wqzzrtp."))
        app.notebook.kept("memory").file.write("The other one opens with dnspghk wqzzrtp.")
        app.notebook.reconcile()
        receipt = finish(work)
        assert (receipt.found, receipt.counts["messages"]) == ([], 2)
        assert not any(b"dnspghk wqzz" in data for data in everything(app))


@pytest.mark.parametrize("kind", ["plain", "postgres"])
def test_what_quotes_it_since_it_was_shown_is_seen_before_notes_and_files_are_touched(
    kind: str, tmp_path: Path
) -> None:
    with opened(kind, tmp_path) as app:
        wanted = carrying_out.seek(Asked(session=fill(app, SECRET, "The lake is calm today.", kind)))
        shown = carrying_out.preview(app.forgetting, wanted)
        quote(app)
        files = (app.home.memory_note, app.home.daemon_log, app.home.outputs / "1.txt")
        before = [file.read_bytes() for file in files]
        with pytest.raises(ChangedMeanwhile) as refused:
            finish(carrying_out.carry_out(app.forgetting, wanted, shown))
        assert refused.value.hint == "Nothing was taken out of the store. Run the same command again."
        assert [file.read_bytes() for file in files] == before and SECRET.encode() in b"".join(before)


@pytest.mark.parametrize("kind", ["plain", "postgres"])
def test_what_quotes_it_at_the_last_moment_is_told_as_what_it_is(kind: str, tmp_path: Path) -> None:
    with opened(kind, tmp_path) as app:
        wanted = carrying_out.seek(Asked(session=fill(app, SECRET, "The lake is calm today.", kind)))
        shown = carrying_out.preview(app.forgetting, wanted)
        for step in (work := carrying_out.carry_out(app.forgetting, wanted, shown)):
            if step.what == "Forgetting":
                break
        quote(app)
        with pytest.raises(ChangedMeanwhile) as refused:
            finish(work)
        told = "Nothing was taken out of the store; notes and files may have lost it. Run the same command again."
        assert refused.value.hint == told
        shown = carrying_out.preview(app.forgetting, wanted)
        assert finish(carrying_out.carry_out(app.forgetting, wanted, shown)).found == []


@pytest.mark.parametrize("kind", ["plain", "postgres"])
def test_a_reset_that_is_refused_leaves_the_notes_as_they_are(kind: str, tmp_path: Path) -> None:
    with opened(kind, tmp_path) as app:
        fill(app, SECRET, "The lake is calm today.", kind)
        seen = resetting.preview(app.forgetting, ["all"])
        note, before = app.home.memory_note, app.home.memory_note.read_text()
        work = resetting.carry_out(app.forgetting, ["all"], seen)
        with held_at("SELECT note_versions.id", partial(finish, work)) as refused:
            facts.add(app.store, "The cat is white")
        with pytest.raises(ChangedMeanwhile, match="nothing was reset"):
            refused.result()
        assert note.read_text() == before and SECRET in before
        again = resetting.carry_out(app.forgetting, ["all"], resetting.preview(app.forgetting, ["all"]))
        assert (finish(again).state, note.read_text()) == ("done", "")
        assert app.notebook.text("memory") == ""
        assert resetting.preview(app.forgetting, ["notes"]).counts == {"versions of notes": 0}


def test_a_reset_whose_end_is_not_kept_puts_the_notes_back(tmp_path: Path) -> None:
    with opened("plain", tmp_path) as app:
        fill(app, SECRET, "The lake is calm today.", "plain")
        before = app.home.memory_note.read_text()
        app.home.user_note.unlink(missing_ok=True)
        app.notebook.kept("user").file.write("I live in Oslo.")
        app.notebook.reconcile()
        told = app.notebook.history("memory", 9)
        with full_once_empty(app.home.memory_note), pytest.raises(StoreFull):
            finish(resetting.carry_out(app.forgetting, ["all"]))
        assert (app.home.memory_note.read_text(), app.notebook.text("user")) == (before, "I live in Oslo.")
        assert app.notebook.history("memory", 9) == told, "nobody edited it"
        assert not [one for one in app.home.memories.iterdir() if "put_back" in one.name]


def quote(app: App) -> None:
    app.memory.append(app.memory.begin(NewSession("cli")), NewMessage("assistant", f"As you know: {SECRET}"))


@contextmanager
def full_once_empty(note: Path) -> Iterator[None]:
    """Let what ends a transaction find no room once a note is empty; nor is there any for what is written then."""
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)

    def end(_: object) -> None:
        if not note.read_text():
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, usual[1]))
            raise StoreFull("The disk is full.")

    event.listen(sqlalchemy.Engine, "commit", end)
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
        event.remove(sqlalchemy.Engine, "commit", end)
