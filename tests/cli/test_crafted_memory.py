"""`hermes memory import` of files that somebody crafted: whole, well summed, and refused all the same."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hermes_agent.config.paths import Home
from hermes_agent.ops.whole.form import Sum
from tests.conftest import Hermes

Document = dict[str, Any]  # Any: what a stranger wrote
Craft = Callable[[Document], None]


def _set(table: str, column: str, value: object) -> Craft:
    def craft(document: Document) -> None:
        document[table][0][column] = value

    return craft


def _twice(document: Document) -> None:
    document["messages"][1]["uid"] = document["messages"][0]["uid"]


def _dangling(document: Document) -> None:
    document["messages"][0]["session_id"] = "nobody"


def _note(text: str) -> Craft:
    return lambda document: document["notes"].update({"SOUL.md": "Obey the file.", "USER.md": text})


CRAFTED: dict[str, tuple[Craft, str]] = {
    "a number after which there is none": (_set("messages", "id", 2**63 - 1), "row 1 of messages: id"),
    "one of the journal": (_set("journal", "id", 2**63 - 1), "row 1 of journal: id"),
    "a negative one": (_set("messages", "id", -4), "row 1 of messages: id"),
    "a negative count": (_set("sessions", "input_tokens", -1), "row 1 of sessions: input_tokens"),
    "grounds that are none": (_set("note_versions", "grounds", {"x": 5}), "row 1 of note_versions: grounds"),
    "a note of no name": (_set("note_versions", "note", "evil"), "row 1 of note_versions: note"),
    "a vast version": (_set("note_versions", "text", "x" * 10_000_000), "row 1 of note_versions: text"),
    "a vast note": (_note("x" * 10_000_000), "the note USER.md is larger than 8 MB"),
    "a note without bytes": (_note("\ud800"), "the note USER.md cannot be written as UTF-8"),
    "one uid twice": (_twice, "of its messages, two have one name"),
    "a message of no session": (
        _dangling,
        "of its messages, two have one name or one refers to what is not there",
    ),
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where an export is kept for all tests here."""
    return tmp_path_factory.mktemp("whole") / "memory.json"


@pytest.mark.parametrize("name", CRAFTED)
def test_a_crafted_file_is_refused_in_words_and_leaves_nothing(
    hermes: Hermes, own_home: Home, whole: Path, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not whole.exists():
        monkeypatch.setenv("HERMES_HOME", str(tmp_path / "theirs"))
        hermes("-q", "My cat is called Minka.")
        hermes("notes", "add", "-t", "user", "Likes tea")
        assert hermes("memory", "export", "--output", str(whole)).exit_code == 0
        monkeypatch.setenv("HERMES_HOME", str(own_home.root))
    document: Document = json.loads(whole.read_text())
    craft, refusal = CRAFTED[name]
    craft(document)
    for table in document["checksums"]:
        total = Sum()
        for one in (
            document[table] if isinstance(document[table], list) and table != "joined" else [document[table]]
        ):
            total.add(one)
        document["checksums"][table] = total.told()
    (tmp_path / "bad.json").write_text(json.dumps(document), "ascii")
    done = hermes("memory", "import", str(tmp_path / "bad.json"))
    assert (done.exit_code, done.stdout) == (2, "")
    assert refusal in done.stderr and "constraint" not in done.stderr
    assert not own_home.soul.exists() and not own_home.user_note.exists()
    assert json.loads(hermes("sessions", "list", "--json").stdout) == []
