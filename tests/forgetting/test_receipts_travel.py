"""What was forgotten stays known wherever a memory is carried: its receipts come along, of every kind."""

import json
from pathlib import Path

import pytest

from hermes_agent import clock
from hermes_agent.memory.forget_asked import Asked
from hermes_agent.ops.forgetting import carrying_out
from hermes_agent.ops.steps import finish
from hermes_agent.ops.whole import joining, reading
from hermes_agent.ops.whole.writing import export
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.store import receipts
from tests.conftest import Hermes
from tests.forgetting.homes import fill, opened

SECRET = "The vault opens with krzbtwf flmqvxd dnspghk."
WAYS = (
    Asked("message:1"),
    Asked("reflection:1"),
    Asked("entry:1"),
    Asked(about="krzbtwf flmqvxd"),
    Asked(session="short"),
    Asked(before=clock.now() + 10**15),
)


@pytest.mark.parametrize("kind", ("plain", "postgres"))
def test_an_export_after_any_forgetting_can_be_imported(kind: str, tmp_path: Path) -> None:
    file = tmp_path / "memory.json"
    for asked in WAYS:
        with opened(kind, tmp_path) as app, opened(kind, tmp_path) as other:
            fill(app, SECRET, "Fine weather.", kind)
            app.memory.begin(NewSession("cli", id="short"))
            app.memory.append("short", NewMessage("user", "I am at home."))
            finish(carrying_out.carry_out(app.forgetting, carrying_out.seek(asked)))
            with file.open("wb") as out:
                finish(export(app.store, out, {}, {}))
            whole = finish(reading.check(file))
            finish(joining.join(other.notebook, file, whole, is_own=True))
            with app.store.read() as ours, other.store.read() as theirs:
                assert [one.runs for one in receipts.every(theirs)] == [one.runs for one in receipts.every(ours)]


def test_a_profile_is_cloned_after_a_name_was_forgotten(hermes: Hermes, tmp_path: Path) -> None:
    hermes("-q", "My cat is called Minkalotta Zwiebel.")
    assert hermes("memory", "forget", "--about", "Minkalotta", "--yes").exit_code == 0
    cloned = hermes("profile", "clone", "default", "copy", "--memory")
    assert (cloned.exit_code, cloned.stderr) == (0, "")
    (receipt,) = json.loads(hermes("-p", "copy", "memory", "receipts", "--json").stdout)
    assert any(one.startswith("word:1:") for one in receipt["runs"])
