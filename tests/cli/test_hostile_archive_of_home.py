"""Archives made to do harm are refused in a sentence, soon; ours are told to the command that takes them."""

import io
import json
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_agent.config.paths import Home
from tests.conftest import Hermes

IMPORT, VERIFY = ("import",), ("backup", "verify")


def tar(file: Path, *members: tuple[str, bytes], pax: dict[str, str] | None = None) -> Path:
    with tarfile.open(file, "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for name, data in members:
            told = tarfile.TarInfo(name)
            told.size, told.pax_headers = len(data), pax or {}
            archive.addfile(told, io.BytesIO(data))
    return file


def sparse(folder: Path) -> Path:
    return tar(folder / "a.tgz", ("SOUL.md", b"x"), pax={"GNU.sparse.size": "x", "GNU.sparse.map": "a,b"})


def holes(folder: Path) -> Path:
    pax = {
        "GNU.sparse.major": "0",
        "GNU.sparse.minor": "1",
        "GNU.sparse.map": "0,1",
        "GNU.sparse.size": "999999999",
    }
    return tar(folder / "a.tgz", ("state.db", b"x"), pax=pax)


def nested(folder: Path) -> Path:
    return tar(folder / "a.tgz", ("SOUL.md", b"x"), (f"skills/{'d/' * 1_900}f", b"x"))


def deep(folder: Path) -> Path:
    return tar(folder / "a.tgz", ("state.db", b"x"), (f"skills/{'d/' * 900}f", b"x"))


def damaged_lzma(folder: Path) -> Path:
    file = folder / "a.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("SOUL.md", "I am calm. " * 1_000)
    data = bytearray(file.read_bytes())
    data[50:70] = bytes(20)
    file.write_bytes(data)
    return file


def wrong_name(folder: Path) -> Path:
    file = folder / "a.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("SOUL\u00e9.md", "I am calm.")
    file.write_bytes(file.read_bytes().replace("\u00e9".encode(), b"\xff\xfe"))
    return file


@pytest.mark.parametrize("build", [sparse, holes, nested, deep, damaged_lzma, wrong_name])
@pytest.mark.parametrize("command", [IMPORT, VERIFY], ids=" ".join)
def test_it_is_refused_in_a_sentence(
    hermes: Hermes, own_home: Home, tmp_path: Path, build: Callable[[Path], Path], command: tuple[str, ...]
) -> None:
    done = hermes(*command, str(build(tmp_path)))
    assert done.exit_code in (1, 2) and "Traceback" not in done.stderr, done
    assert done.stderr.startswith("Error: ") or "holds no memory" in done.stdout, done
    assert len(done.stderr) < 1_000 and not list(own_home.root.glob(".[ir]*-*"))


def test_a_folder_in_folders_is_not_followed_for_ever(hermes: Hermes, tmp_path: Path) -> None:
    place = tmp_path / "old" / "skills"
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "SOUL.md").write_text("I am calm.")
    place.mkdir()
    for _ in range(200):
        place = place / "d"
        place.mkdir()
    (place / "f").write_text("x")
    done = hermes("import", str(tmp_path / "old"))
    assert done.exit_code == 0 and "it lies too deep" in done.stdout, done


def test_a_name_with_a_wide_space_is_fine(hermes: Hermes, own_home: Home, tmp_path: Path) -> None:
    name = "skills/\u7a7a\u3000\u767d/SKILL.md"
    file = tar(tmp_path / "a.tgz", (name, b"---\nname: tidy\ndescription: Tidy up.\n---\n\nTidy.\n"))
    done = hermes("import", str(file))
    assert done.exit_code == 0 and (own_home.root / name).exists(), done


def test_files_below_a_folder_of_our_name_stay_where_they_are(
    hermes: Hermes, own_home: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    document = "---\nname: sort-mail\ndescription: Sort the mail.\n---\n\nSort it.\n"
    hermes("skills", "create", "sort-mail", "--file", "-", input=document)
    inner = own_home.skills / "sort-mail" / ".hermes" / "rules.txt"
    inner.parent.mkdir()
    inner.write_text("by date")
    assert hermes("profile", "export", "default", "-o", str(tmp_path / "a.tar.gz")).exit_code == 0
    assert hermes("profile", "import", str(tmp_path / "a.tar.gz"), "--name", "lab").exit_code == 0
    assert (own_home.root / "profiles/lab/skills/sort-mail/.hermes/rules.txt").read_text() == "by date"
    with tarfile.open(tmp_path / "old.tgz", "w:gz") as archive:
        archive.add(own_home.root, "homeA")
    monkeypatch.setenv("HERMES_HOME", str(tmp_path / "second"))
    assert hermes("backup", "restore", str(tmp_path / "old.tgz")).exit_code == 0
    assert (tmp_path / "second/skills/sort-mail/.hermes/rules.txt").read_text() == "by date"


def test_the_wrong_command_names_the_right_one(hermes: Hermes, own_home: Home, tmp_path: Path) -> None:
    hermes("memory", "fact", "add", "Rex is afraid of trains")
    backup = json.loads(hermes("backup", "create", "--json").stdout)["file"]
    profile = str(tmp_path / "default.tar.gz")
    hermes("profile", "export", "default", "-o", profile)
    for command in (("import", profile), ("memory", "import", profile), ("backup", "restore", profile)):
        done = hermes(*command)
        assert done.exit_code == 2 and "hermes profile import FILE" in done.stderr, done
    for command in (("import", backup), ("memory", "import", backup)):
        done = hermes(*command)
        assert done.exit_code == 2 and "hermes backup restore FILE" in done.stderr, done
