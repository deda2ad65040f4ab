"""A preview of a forgetting changes nothing and holds up nobody, on both engines, and leaves nothing behind."""

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

from hermes_agent.app import App
from hermes_agent.config import held_folder
from hermes_agent.errors import HermesError, StoreFull
from hermes_agent.memory import facts
from hermes_agent.memory.forget_asked import Asked
from hermes_agent.memory.forget_shown import Forgotten
from hermes_agent.ops.forgetting import carrying_out
from hermes_agent.ops.steps import finish
from hermes_agent.records.archive import NewMessage, NewSession
from tests.forgetting.homes import fill, opened
from tests.held import held_at

SECRET = "Xylvorena Pumpernickelova hides krzbtwf."
OTHER = "The lake is calm today."
_HANDLES = Path("/proc/self/fd")
LAST = "INSERT INTO receipts ("
"""Almost the last that a preview does: whatever it locks is locked then."""


def looked(app: App, asked: Asked) -> Forgotten:
    return carrying_out.preview(app.forgetting, carrying_out.seek(asked))


@pytest.mark.parametrize("kind", ["plain", "encrypted", "postgres"])
def test_who_writes_does_not_wait_for_a_preview(kind: str, tmp_path: Path) -> None:
    with opened(kind, tmp_path) as app:
        name = fill(app, SECRET, OTHER, kind)
        with held_at(LAST, partial(looked, app, Asked(session=name))) as preview:
            app.memory.append(name, NewMessage("user", "And the boat is blue."))
            app.memory.append(app.memory.begin(NewSession("cli")), NewMessage("user", "Good morning."))
            facts.add(app.store, "The cat is white")
            assert looked(app, Asked("fact:001")).counts["facts"] == 1
            finish(carrying_out.carry_out(app.forgetting, carrying_out.seek(Asked("fact:001"))))
        assert preview.result().counts["messages"] == 2
        assert looked(app, Asked(session=name)).counts["messages"] == 3


@pytest.mark.parametrize("kind", ["plain", "packed", "encrypted", "postgres"])
def test_what_a_preview_counts_is_what_goes(kind: str, tmp_path: Path) -> None:
    with opened(kind, tmp_path) as app:
        asked = Asked(session=fill(app, SECRET, OTHER, kind))
        facts.add(app.store, "Xylvorena Pumpernickelova hides many things")
        shown = looked(app, asked)
        assert looked(app, asked).counts == shown.counts
        receipt = finish(carrying_out.carry_out(app.forgetting, carrying_out.seek(asked), shown))
        assert {name: count for name, count in receipt.counts.items() if count} == {
            name: count for name, count in shown.counts.items() if count
        }
        assert (receipt.id, receipt.found) == (1, [])


@pytest.mark.skipif(not _HANDLES.exists(), reason="only Linux tells what a process has open")
@pytest.mark.parametrize("kind", ["plain", "encrypted"])
def test_the_copy_that_a_preview_works_in_has_no_name_and_is_encrypted_with_its_home(
    kind: str, tmp_path: Path
) -> None:
    with opened(kind, tmp_path) as app:
        asked = Asked(session=fill(app, SECRET, OTHER, kind))
        looked(app, asked)
        before = names(tmp_path)
        with held_at(LAST, partial(looked, app, asked)):
            assert names(tmp_path) == before
            data = b"".join(nameless())
        assert data and (b"Xylvorena" in data) == (kind == "plain")
        assert not any(nameless()) and names(tmp_path) == before


@pytest.mark.parametrize("kind", ["plain", "encrypted"])
def test_a_preview_that_would_fill_the_disk_is_refused_before_it_writes(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(kind, tmp_path) as app:
        asked = Asked(session=fill(app, SECRET, OTHER, kind))
        free = 16 << 20  # room for those who write meanwhile, and none for a copy beside them
        monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(total=free, used=0, free=free))
        with pytest.raises(
            StoreFull, match="cannot be copied, to try it in the copy: it needs .* are free"
        ) as told:
            looked(app, asked)
        assert told.value.hint == "Make room and try again. Nothing was changed."
        assert not list(tmp_path.rglob(".hermes-copy-*"))


def test_what_a_killed_preview_left_goes_with_the_next(tmp_path: Path) -> None:
    with opened("plain", tmp_path) as app:
        asked = Asked(session=fill(app, SECRET, OTHER, "plain"))
        (left := app.home.root / ".hermes-copy-01234567").mkdir()
        (left / "copy.db").write_bytes(b"")
        owners = [app.home.root / ".hermes-copy-of-photos", app.home.root / ".copy-of-photos"]
        for folder in owners:
            folder.mkdir()
            (folder / "rex.jpg").write_bytes(b"Rex")
        with held_folder.made(app.home.root, ".hermes-copy-") as held:
            (app.home.root / ".hermes-copy-abcdefgh").mkdir()
            looked(app, asked)
            assert set(app.home.root.glob(".hermes-copy-*")) == {held, owners[0]}
        assert all((folder / "rex.jpg").exists() for folder in owners), "they are the owner's"


@pytest.mark.parametrize(
    ("number", "told"),
    [(errno.EACCES, "No folder can be made in .*: Permission denied"), (errno.ENOSPC, "is full")],
)
def test_why_no_copy_can_be_made_is_told_as_it_is(
    number: int, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_: object) -> str:
        raise OSError(number, os.strerror(number))

    with opened("plain", tmp_path) as app:
        asked = Asked(session=fill(app, SECRET, OTHER, "plain"))
        monkeypatch.setattr(tempfile, "mkdtemp", fail)
        with pytest.raises(HermesError, match=told) as refused:
            looked(app, asked)
        assert isinstance(refused.value, StoreFull) == (number == errno.ENOSPC)


def names(folder: Path) -> set[str]:
    return {str(file.relative_to(folder)) for file in folder.rglob("*")}


def nameless() -> Iterator[bytes]:
    """Yield what the files without a name hold that this process has open and that are a database's."""
    for handle in _HANDLES.iterdir():
        try:
            name = str(handle.readlink())
        except FileNotFoundError:
            continue
        if ".db" in name and name.endswith("(deleted)"):
            yield handle.read_bytes()
