"""`hermes import` of a backup of the public product: zip, tar and tar.gz; what may do harm is refused whole."""

import gzip
import io
import json
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_agent.config.paths import Home
from tests.conftest import Hermes
from tests.ops import foreign_homes


@pytest.fixture
def theirs(tmp_path: Path) -> Path:
    folder = tmp_path / "theirs"
    foreign_homes.build(folder, 25)
    (folder / ".env").write_text("OPENAI_API_KEY=sk-very-secret\n")
    return folder


def packed(folder: Path, file: Path, above: str = "") -> Path:
    """Pack a folder as the ending of the file says, below some folders."""
    files = [one for one in sorted(folder.rglob("*")) if one.is_file() and not one.name.endswith(("-wal", "-shm"))]
    names = [f"{above}{one.relative_to(folder)}" for one in files]
    if file.suffix == ".zip":
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for one, name in zip(files, names, strict=True):
                archive.write(one, name)
    else:
        with tarfile.open(file, "w:gz" if file.suffix != ".tar" else "w") as tar:
            for one, name in zip(files, names, strict=True):
                tar.add(one, name)
    return file


@pytest.mark.parametrize(("name", "above"), [("b.zip", ""), ("b.tar", ".hermes/"), ("b.tgz", "home/ada/.hermes/")])
def test_a_backup_of_the_public_product_is_taken_over(
    hermes: Hermes, own_home: Home, theirs: Path, tmp_path: Path, name: str, above: str
) -> None:
    file = packed(theirs, tmp_path / name, above)
    before = file.read_bytes()
    dry = hermes("import", str(file), "--dry-run")
    assert dry.exit_code == 0 and "Would import" in dry.stdout, dry
    assert not own_home.state_db.exists()
    done = hermes("import", str(file))
    assert done.exit_code == 0 and f"From {file} (schema 25)" in done.stdout, done
    assert "docker" in hermes("sessions", "search", "deploy docker").stdout
    assert own_home.memory_note.read_text() == "uses docker\n§\nlikes tea"
    script = own_home.skills / "deploy" / "scripts" / "run.sh"
    assert script.stat().st_mode & 0o100 and not own_home.env_file.exists()
    assert "nothing new" in hermes("import", str(file)).stdout
    assert file.read_bytes() == before and not list(own_home.root.glob(".importing-*"))
    assert str(file) in json.dumps(json.loads(hermes("memory", "log", "--json").stdout))


def test_other_profiles_in_a_backup_are_named(hermes: Hermes, theirs: Path, tmp_path: Path) -> None:
    foreign_homes.build(theirs / "profiles" / "coder", 25)
    done = hermes("import", str(packed(theirs, tmp_path / "b.zip")))
    assert done.exit_code == 0 and "coder" in done.stderr


def _zip(file: Path, name: str, data: bytes = b"x", mode: int = 0o100644, flags: int = 0) -> None:
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as archive:
        info = zipfile.ZipInfo(name)
        info.external_attr, info.compress_type = mode << 16, zipfile.ZIP_DEFLATED
        archive.writestr(info, data)
    if flags:  # as the central directory of an encrypted one says
        raw = bytearray(file.read_bytes())
        at = raw.rindex(b"PK\x01\x02")
        raw[at + 8] |= flags
        file.write_bytes(raw)


def _tar(file: Path, member: tarfile.TarInfo, data: bytes = b"") -> None:
    member.size = len(data)
    with tarfile.open(file, "a") as archive:
        archive.addfile(member, io.BytesIO(data))


def _link(name: str, kind: bytes, target: str) -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname = kind, target
    return made


def _grow(file: Path) -> None:
    """Let a header of a tar claim to be four gigabytes long."""
    raw = bytearray(file.read_bytes())
    info = tarfile.TarInfo("x")
    info.type, info.size = tarfile.XHDTYPE, 4 << 30
    file.write_bytes(info.tobuf(tarfile.GNU_FORMAT) + bytes(raw))


def _pictures(file: Path) -> None:
    file.unlink()
    _zip(file, "holiday/picture.jpg")


HARM: dict[str, tuple[str, Callable[[Path], object]]] = {
    "a name above": (".zip", lambda file: _zip(file, "../../evil")),
    "a name at the root": (".zip", lambda file: _zip(file, "/etc/evil")),
    "a name of another system": (".zip", lambda file: _zip(file, "..\\evil")),
    "a drive": (".zip", lambda file: _zip(file, "C:/evil")),
    "a link in a zip": (".zip", lambda file: _zip(file, "skills/evil", b"/etc/passwd", 0o120777)),
    "a password": (".zip", lambda file: _zip(file, "x", flags=1)),
    "a bomb": (".zip", lambda file: _zip(file, "memories/x", bytes(400 << 20))),
    "a zip cut off": (".zip", lambda file: file.write_bytes(file.read_bytes()[:-40])),
    "a zip that says other bytes": (".zip", lambda file: file.write_bytes(_spoiled(file.read_bytes()))),
    "a name above in a tar": (".tar", lambda file: _tar(file, tarfile.TarInfo("../evil"), b"x")),
    "a link in a tar": (".tar", lambda file: _tar(file, _link("skills/evil", tarfile.SYMTYPE, "/etc"))),
    "a hard link in a tar": (".tar", lambda file: _tar(file, _link("evil", tarfile.LNKTYPE, "/etc/passwd"))),
    "a pipe in a tar": (".tar", lambda file: _tar(file, _link("evil", tarfile.FIFOTYPE, ""))),
    "a name twice in a tar": (".tar", lambda file: _tar(file, tarfile.TarInfo("SOUL.md"), b"x")),
    "a file that is also a folder": (".tar", lambda file: _tar(file, tarfile.TarInfo("SOUL.md/x"), b"x")),
    "a tar cut off": (".tar", lambda file: file.write_bytes(file.read_bytes()[:-20_000])),
    "a tar cut off between two files": (".tar", lambda file: file.write_bytes(_without_end(file.read_bytes()))),
    "a header without end": (".tar", _grow),
    "a tar.gz cut off": (".tgz", lambda file: file.write_bytes(file.read_bytes()[:-200])),
    "a bomb in a tar.gz": (".tgz", lambda file: file.write_bytes(_bomb())),
    "a gz of something else": (".tgz", lambda file: file.write_bytes(gzip.compress(b"hello" * 500))),
    "nothing of Hermes": (".zip", _pictures),
    "an empty zip": (".zip", lambda file: file.write_bytes(b"PK\x05\x06" + bytes(18))),
}


def _spoiled(raw: bytes) -> bytes:
    at = len(raw) // 3
    return raw[:at] + bytes(255 - one for one in raw[at : at + 64]) + raw[at + 64 :]


def _without_end(raw: bytes) -> bytes:
    return raw.rstrip(b"\0") + bytes(-len(raw.rstrip(b"\0")) % 512)


def _bomb() -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        info = tarfile.TarInfo("memories/x")
        info.size = 400 << 20
        archive.addfile(info, io.BytesIO(bytes(info.size)))
    return out.getvalue()


@pytest.mark.parametrize("harm", HARM)
def test_what_may_do_harm_is_refused_whole(
    hermes: Hermes, own_home: Home, theirs: Path, tmp_path: Path, harm: str
) -> None:
    ending, spoil = HARM[harm]
    file = packed(theirs, tmp_path / f"b{ending}")
    spoil(file)
    outside = sorted(tmp_path.iterdir())
    for more in ((), ("--dry-run",)):
        done = hermes("import", str(file), *more)
        assert done.exit_code == 2 and "Traceback" not in done.stderr, (harm, done)
        assert "was not imported" in done.stderr or "nothing of Hermes" in done.stderr, done.stderr
    assert not own_home.state_db.exists() and not own_home.soul.exists()
    assert sorted(tmp_path.iterdir()) == outside
    assert not list(own_home.root.glob(".importing-*"))
