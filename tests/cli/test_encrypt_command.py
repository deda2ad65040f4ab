"""`hermes encrypt` and `hermes decrypt`: no file tells what was said, and all goes on working."""

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import keyring
import keyring.backend
import pytest
from keyring.errors import PasswordDeleteError

from hermes_agent import Memory
from hermes_agent.config.paths import Home
from hermes_agent.crypto import sealing, unlocked
from hermes_agent.errors import LockedHome
from hermes_agent.records.archive import NewSession
from hermes_agent.store.file_head import is_plain
from hermes_agent.store.sqlite import driver
from tests.conftest import Hermes, Outcome

SAID = "I live in Quuxville and my favourite colour is Xyzzyteal."
WORDS = (b"quuxville", b"xyzzyteal", b"frobnitz", b"blorptech", b"zorkmid")
PASSPHRASE = "correct horse battery"
SKILL = "---\nname: deploy-zorkmid\ndescription: How zorkmid is deployed.\n---\n\nRun it twice.\n"


@pytest.fixture(scope="module")
def pattern(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the first test lays the home that the others begin with."""
    return tmp_path_factory.mktemp("pattern") / ".hermes"


@pytest.fixture
def lived(own_home: Home, hermes: Hermes, tmp_path: Path, pattern: Path) -> Home:
    """A home in which something was said, noted, learned."""
    if pattern.exists():
        shutil.copytree(pattern, own_home.root, symlinks=True)
        return own_home
    assert hermes("chat", "-q", SAID).exit_code == 0
    assert hermes("notes", "add", "The deploy key lives in Frobnitz").exit_code == 0
    (tmp_path / "SKILL.md").write_text(SKILL, encoding="utf-8")
    assert hermes("skills", "create", "deploy-zorkmid", "--file", str(tmp_path / "SKILL.md")).exit_code == 0
    shutil.copytree(own_home.root, pattern, symlinks=True)
    return own_home


@pytest.fixture
def key(tmp_path: Path) -> Path:
    return tmp_path / "usb" / "hermes.key"


@pytest.fixture
def encrypted(lived: Home, hermes: Hermes, key: Path) -> Home:
    """The same home, encrypted with a key file."""
    done = hermes("encrypt", "--key-file", str(key), "--yes")
    assert done.exit_code == 0, done
    return lived


def held(home: Home) -> dict[str, bytes]:
    return {
        str(file): file.read_bytes() for file in home.root.rglob("*") if file.is_file() and not file.is_symlink()
    }


def telling(home: Home) -> set[str]:
    """Return the files in which something that was said can be read."""
    return {name for name, data in held(home).items() if any(word in data.lower() for word in WORDS)}


def known(hermes: Hermes) -> list[str]:
    """Return what a person sees of all of it."""
    commands = (
        ("notes", "show"),
        ("memory", "fact", "list"),
        ("skills", "show", "deploy-zorkmid"),
        ("sessions", "list"),
    )
    outcomes = [hermes(*command) for command in commands]
    assert [one.exit_code for one in outcomes] == [0] * len(commands), outcomes
    return [one.stdout for one in outcomes]


def test_no_file_of_an_encrypted_home_tells_what_was_said(encrypted: Home, hermes: Hermes) -> None:
    assert telling(encrypted) == set()
    assert hermes("chat", "-q", "I work at Blorptech now.").exit_code == 0
    assert hermes("notes", "add", "Blorptech pays in zorkmid").exit_code == 0
    assert hermes("jobs", "run").exit_code == 0
    assert hermes("db", "vacuum").exit_code == 0
    assert "Quuxville" in hermes("chat", "-q", "Where do I live?").stdout
    assert "Blorptech" in hermes("memory", "search", "Where do I work?").stdout
    assert telling(encrypted) == set()
    assert list(encrypted.cache.iterdir()) == []
    assert hermes("doctor").exit_code == 0


def test_encrypting_and_decrypting_change_nothing_that_is_kept(lived: Home, hermes: Hermes, key: Path) -> None:
    before = known(hermes)
    assert hermes("encrypt", "--key-file", str(key), "--yes").exit_code == 0
    assert known(hermes) == before
    assert is_plain(lived.state_db) is False
    done = hermes("decrypt", "--yes")
    assert (done.exit_code, lived.encryption.exists(), is_plain(lived.state_db)) == (0, False, True)
    assert known(hermes) == before
    assert hermes("doctor").exit_code == 0
    assert (lived.memory_note.read_text(encoding="utf-8")).strip() == "The deploy key lives in Frobnitz"


def test_a_preview_names_what_is_and_what_is_not_encrypted(lived: Home, hermes: Hermes) -> None:
    assert hermes("config", "set", "display.timeZone", "UTC").exit_code == 0
    (lived.skills / "deploy-zorkmid" / "scripts").mkdir()
    (lived.skills / "deploy-zorkmid" / "scripts" / "run.sh").write_text("#!/bin/sh\n", encoding="utf-8")
    before = held(lived)
    shown = hermes("encrypt", "--dry-run")
    assert f"Encrypted: {lived.state_db}" in shown.stdout
    assert "  config.yaml: settings" in shown.stdout
    assert "  skills/deploy-zorkmid/scripts/run.sh: a program" in shown.stdout
    told = json.loads(hermes("encrypt", "--dry-run", "--json").stdout)
    assert {one["place"] for one in told["plain"]} == {"config.yaml", "skills/deploy-zorkmid/scripts/run.sh"}
    assert held(lived) == before


def test_nobody_to_ask_changes_nothing(lived: Home, hermes: Hermes) -> None:
    before = held(lived)
    refused = hermes("encrypt", input="")
    assert (refused.exit_code, "There is nobody to ask" in refused.stderr) == (2, True)
    assert hermes("encrypt", input="n\n").stdout.endswith("Nothing was changed.\n")
    assert held(lived) == before


def test_a_passphrase_opens_it_and_another_does_not(
    lived: Home, hermes: Hermes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMES_PASSPHRASE", PASSPHRASE)
    assert hermes("encrypt", "--yes").exit_code == 0
    assert "Frobnitz" in hermes("notes", "show").stdout
    before = held(lived)
    monkeypatch.setenv("HERMES_PASSPHRASE", "correct horse batterx")
    wrong = hermes("notes", "add", "x")
    assert (wrong.exit_code, wrong.stderr.splitlines()[0]) == (
        1,
        f"Error: The passphrase is not the one that {lived.root} is encrypted with.",
    )
    monkeypatch.delenv("HERMES_PASSPHRASE")
    missing = hermes("notes", "show")
    assert (missing.exit_code, "no passphrase was given" in missing.stderr) == (1, True)
    assert held(lived) == before
    assert "no passphrase was given" in hermes("start").stderr
    assert PASSPHRASE.encode() not in b"".join(before.values())


def test_a_short_passphrase_is_refused(lived: Home, hermes: Hermes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERMES_PASSPHRASE", "short")
    assert "at least 8 characters" in hermes("encrypt", "--yes").stderr
    assert not lived.encryption.exists()


def test_a_lost_key_file_is_named_and_may_lie_elsewhere(
    encrypted: Home, hermes: Hermes, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved = key.rename(key.with_name("moved"))
    lost = hermes("notes", "show")
    assert (lost.exit_code, f"The key file {key} cannot be read" in lost.stderr) == (1, True)
    monkeypatch.setenv("HERMES_KEY_FILE", str(moved))
    assert "Frobnitz" in hermes("notes", "show").stdout
    moved.write_bytes(os.urandom(32))
    assert "The key file is not the one" in hermes("notes", "show").stderr


def test_a_key_file_in_the_home_is_refused(lived: Home, hermes: Hermes) -> None:
    refused = hermes("encrypt", "--yes", "--key-file", str(lived.root / "key"))
    assert (refused.exit_code, "may not lie in the home" in refused.stderr) == (2, True)
    assert not lived.encryption.exists()


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"format": "hermes-agent encryption", "version": 1}'])
def test_a_damaged_key_record_is_refused_and_left_as_it_is(encrypted: Home, hermes: Hermes, damage: bytes) -> None:
    encrypted.encryption.write_bytes(damage)
    before = held(encrypted)
    refused = hermes("notes", "show")
    assert (refused.exit_code, f"{encrypted.encryption} is damaged" in refused.stderr) == (1, True)
    assert held(encrypted) == before


def test_costs_that_nobody_can_pay_are_refused(encrypted: Home, hermes: Hermes) -> None:
    told = json.loads(encrypted.encryption.read_bytes())
    costs = {"iterations": 3, "lanes": 4, "memory_kib": 1 << 40}
    told["source"] = {"kind": "passphrase", "salt": "AAAAAAAAAAAAAAAAAAAAAA==", "costs": costs}
    encrypted.encryption.write_text(json.dumps(told), encoding="utf-8")
    assert "is damaged" in hermes("notes", "show").stderr


def test_a_changed_byte_of_the_wrapped_key_opens_nothing(encrypted: Home, hermes: Hermes) -> None:
    told = json.loads(encrypted.encryption.read_bytes())
    told["wrapped"] = told["wrapped"][:-6] + ("AAAA==" if told["wrapped"][-6:] != "AAAA==" else "BBBB==")
    encrypted.encryption.write_text(json.dumps(told), encoding="utf-8")
    assert "The key file is not the one" in hermes("notes", "show").stderr


def test_another_key_opens_it_from_now_on(
    encrypted: Home, hermes: Hermes, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = encrypted.state_db.read_bytes()
    monkeypatch.setenv("HERMES_NEW_PASSPHRASE", PASSPHRASE)
    assert "opened by its passphrase from now on" in hermes("encrypt", "--rekey").stdout
    assert encrypted.state_db.read_bytes() == database, "only the key was wrapped anew"
    key.unlink()
    monkeypatch.setenv("HERMES_PASSPHRASE", PASSPHRASE)
    assert "Frobnitz" in hermes("notes", "show").stdout


def test_everything_is_encrypted_anew_with_a_new_key(encrypted: Home, hermes: Hermes) -> None:
    before, heads = known(hermes), (encrypted.state_db.read_bytes()[:16], sealing.key_id(note(encrypted)))
    done = hermes("encrypt", "--rotate", "--yes")
    assert (done.exit_code, "encrypted with a new key" in done.stdout) == (0, True)
    assert known(hermes) == before
    after = (encrypted.state_db.read_bytes()[:16], sealing.key_id(note(encrypted)))
    assert after[0] != heads[0] and after[1] != heads[1]
    assert telling(encrypted) == set()


def note(home: Home) -> bytes:
    return home.memory_note.read_bytes()


def test_a_plain_file_put_there_by_hand_is_read_and_sealed_when_it_is_written(
    encrypted: Home, hermes: Hermes
) -> None:
    encrypted.memory_note.write_text("Blorptech was founded in May\n", encoding="utf-8")
    assert "Blorptech was founded" in hermes("notes", "show").stdout
    assert "MEMORY.md (by hand)" in hermes("status").stdout or sealing.is_sealed(note(encrypted))
    assert hermes("notes", "add", "Something else").exit_code == 0
    assert sealing.is_sealed(note(encrypted))
    assert telling(encrypted) == set()


def test_a_sealed_note_is_not_taken_for_another(encrypted: Home, hermes: Hermes) -> None:
    encrypted.memory_note.write_bytes(encrypted.user_note.read_bytes())
    told = hermes("notes", "show", "-t", "memory")
    assert "damaged or renamed" in told.stdout + told.stderr
    assert "Quuxville" not in told.stdout


@pytest.mark.parametrize("command", [("decrypt", "--yes"), ("encrypt", "--rotate", "--yes")])
@pytest.mark.parametrize("name", ["kept.md", "MEMORY.md.old"])
def test_a_key_is_kept_while_a_file_that_needs_it_does_not_open(
    encrypted: Home, hermes: Hermes, command: tuple[str, ...], name: str
) -> None:
    renamed = encrypted.memory_note.rename(encrypted.memories / name)
    before = held(encrypted)
    refused = hermes(*command)
    assert (refused.exit_code, str(renamed) in refused.stderr) == (1, True), refused
    assert held(encrypted) == before
    renamed.rename(encrypted.memory_note)
    assert hermes(*command).exit_code == 0
    assert "Frobnitz" in hermes("notes", "show").stdout


def test_a_sealed_note_in_another_folder_is_opened_too(encrypted: Home, hermes: Hermes) -> None:
    (encrypted.memories / "2024").mkdir()
    moved = encrypted.memory_note.rename(encrypted.memories / "2024" / "MEMORY.md")
    assert hermes("decrypt", "--yes").exit_code == 0
    assert "Frobnitz" in moved.read_text(encoding="utf-8")


def test_what_a_killed_run_left_does_not_hold_the_key(encrypted: Home, hermes: Hermes) -> None:
    left = encrypted.memories / ".MEMORY.md.ab_12xyz"
    left.write_bytes(note(encrypted))
    done = hermes("decrypt", "--yes")
    assert (done.exit_code, left.exists()) == (0, False), done


def test_a_note_is_edited_as_a_plain_copy_that_goes(
    encrypted: Home, hermes: Hermes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor = tmp_path / "editor.sh"
    editor.write_text(
        f'#!/bin/sh\necho "$1" > {tmp_path}/place\nprintf "\\n§\\nBlorptech rules" >> "$1"\n', "utf-8"
    )
    editor.chmod(0o700)
    monkeypatch.setenv("EDITOR", str(editor))
    done = hermes("notes", "edit")
    assert done.exit_code == 0, done
    assert "Blorptech rules" in hermes("notes", "show").stdout
    copy = Path((tmp_path / "place").read_text("utf-8").strip())
    assert not copy.exists() and not copy.is_relative_to(encrypted.root)
    assert telling(encrypted) == set()


def test_it_is_refused_while_somebody_works_in_the_home(lived: Home, hermes: Hermes, key: Path) -> None:
    memory = Memory()
    try:
        memory.begin(NewSession(id="open"))
        refused = hermes("encrypt", "--yes", "--key-file", str(key))
    finally:
        memory.close()
    assert (refused.exit_code, "is using" in refused.stderr) == (2, True), refused
    assert not lived.encryption.exists()


def test_a_database_that_somebody_else_has_open_is_left_as_it_is(lived: Home, hermes: Hermes, key: Path) -> None:
    other = driver().connect(str(lived.state_db))
    try:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM messages").fetchone()
        refused = hermes("encrypt", "--yes", "--key-file", str(key))
        assert (refused.exit_code, "open" in refused.stderr, lived.encryption.exists()) == (1, True, False)
    finally:
        other.close()
    assert "Frobnitz" in hermes("notes", "show").stdout


def test_a_damaged_database_is_not_encrypted(lived: Home, hermes: Hermes, key: Path) -> None:
    whole = bytearray(lived.state_db.read_bytes())
    middle = len(whole) // 2 // 4096 * 4096
    whole[middle : middle + 3 * 4096] = os.urandom(3 * 4096)
    lived.state_db.write_bytes(whole)
    before = lived.state_db.read_bytes()
    refused = hermes("encrypt", "--yes", "--key-file", str(key))
    assert (refused.exit_code, lived.encryption.exists()) == (1, False), refused
    assert lived.state_db.read_bytes()[100:] == before[100:], "only the head tells that the log was folded"


def test_a_server_s_database_is_refused(own_home: Home, hermes: Hermes) -> None:
    assert hermes("config", "set", "memory.backend", "postgres").exit_code == 0
    refused = hermes("encrypt", "--yes")
    assert (refused.exit_code, "PostgreSQL" in refused.stderr, "Encrypt the disk" in refused.stderr) == (
        2,
        True,
        True,
    )


def test_twice_is_refused(encrypted: Home, hermes: Hermes) -> None:
    assert "is encrypted already" in hermes("encrypt", "--yes").stderr
    assert hermes("decrypt", "--yes").exit_code == 0
    assert "is not encrypted" in hermes("decrypt", "--yes").stderr


def test_a_backup_is_encrypted_inside_and_gives_an_encrypted_home_again(
    encrypted: Home, hermes: Hermes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, file = known(hermes), str(tmp_path / "b.age")
    assert hermes("backup", "create", "--output", file).exit_code == 0
    verified = hermes("backup", "verify", file)
    assert (verified.exit_code, "nothing is wrong" in verified.stdout) == (0, True), verified
    identity = encrypted.backup_key.rename(tmp_path / "backup.key")
    monkeypatch.setenv("HERMES_HOME", str(tmp_path / "new"))
    done = hermes("backup", "restore", "--yes", file, "--identity", str(identity))
    assert (done.exit_code, "It is encrypted" in done.stdout) == (0, True), done
    assert known(hermes) == before
    assert telling(Home(tmp_path / "new", "default")) == set()


def test_a_plain_backup_makes_an_encrypted_home_plain_and_says_so(
    lived: Home, hermes: Hermes, key: Path, tmp_path: Path
) -> None:
    before, file = known(hermes), str(tmp_path / "b.age")
    assert hermes("backup", "create", "--output", file).exit_code == 0
    assert hermes("encrypt", "--key-file", str(key), "--yes").exit_code == 0
    done = hermes("backup", "restore", "--yes", file)
    assert (done.exit_code, "the restored one will be plain" in done.stderr) == (0, True), done
    assert (lived.encryption.exists(), known(hermes)) == (False, before)
    assert list(lived.backups.glob("replaced-*/encryption.json")), "what was here can still be opened"


def test_a_foreign_database_is_taken_over_into_an_encrypted_home(
    encrypted: Home, hermes: Hermes, tmp_path: Path
) -> None:
    (tmp_path / "old" / "memories").mkdir(parents=True)
    (tmp_path / "old" / "memories" / "MEMORY.md").write_text("Blorptech is in Bergen\n", encoding="utf-8")
    done = hermes("import", str(tmp_path / "old"))
    assert done.exit_code == 0, done
    assert hermes("import").exit_code == 0, "its own database is known as its own"
    assert telling(encrypted) == set()


def test_a_profile_s_archive_is_plain(encrypted: Home, hermes: Hermes, tmp_path: Path) -> None:
    assert hermes("profile", "export", "default", "--output", str(tmp_path / "p.tar.gz")).exit_code == 0
    assert hermes("profile", "import", str(tmp_path / "p.tar.gz"), "--name", "copy").exit_code == 0
    assert "zorkmid" in hermes("-p", "copy", "skills", "show", "deploy-zorkmid").stdout


def test_status_names_the_key_and_what_is_plain(encrypted: Home, hermes: Hermes, key: Path) -> None:
    assert hermes("config", "set", "display.timeZone", "UTC").exit_code == 0
    shown = json.loads(hermes("status", "--json").stdout)["encryption"]
    assert shown == {"opened_by": f"opened by the key file {key}", "plain": ["config.yaml"]}


class Cupboard(keyring.backend.KeyringBackend):
    """A keyring in memory, in the place of the desktop's."""

    priority = 1.0

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # the library's
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if (service, username) not in self.kept:
            raise PasswordDeleteError(username)
        del self.kept[service, username]


@pytest.fixture
def cupboard() -> Iterator[Cupboard]:
    former = keyring.get_keyring()
    found = Cupboard()
    keyring.set_keyring(found)
    yield found
    keyring.set_keyring(former)


def test_the_system_s_keyring_holds_the_key_until_it_is_not_needed(
    lived: Home, hermes: Hermes, cupboard: Cupboard
) -> None:
    assert hermes("encrypt", "--keyring", "--yes").exit_code == 0
    assert "Frobnitz" in hermes("notes", "show").stdout
    kept, cupboard.kept = cupboard.kept, {}
    assert "keyring has no key of this home" in hermes("notes", "show").stderr
    cupboard.kept = kept
    assert hermes("encrypt", "--rekey", "--keyring", "--drop-key").exit_code == 0
    assert (len(cupboard.kept), kept is cupboard.kept) == (1, True)
    assert hermes("decrypt", "--drop-key", "--yes").exit_code == 0
    assert cupboard.kept == {}


def test_a_secret_of_the_keyring_stays_for_the_backups_that_need_it(
    lived: Home, hermes: Hermes, cupboard: Cupboard
) -> None:
    hermes("encrypt", "--keyring", "--yes")
    ((_, first),) = cupboard.kept
    files = [json.loads(hermes("backup", "create", "--json").stdout)["file"]]
    told = hermes("encrypt", "--rekey", "--keyring")
    assert told.exit_code == 0 and f"(hermes-agent, {first})" in told.stderr and "--drop-key" in told.stderr
    files.append(json.loads(hermes("backup", "create", "--json").stdout)["file"])
    assert "backups made before need it" in hermes("decrypt", "--yes").stderr
    unlocked.forget()
    for file in files:
        assert hermes("backup", "verify", file).exit_code == 0


def test_a_key_for_a_run_that_has_one_is_refused(lived: Home, hermes: Hermes, key: Path, tmp_path: Path) -> None:
    hermes("encrypt", "--key-file", str(key), "--yes")
    lived.encryption.write_text(lived.encryption.read_text().replace('"encrypted"', '"encrypting"'))
    done = hermes("encrypt", "--key-file", str(tmp_path / "other.key"))
    assert done.exit_code == 2 and "hermes encrypt --rekey" in done.stderr, done
    assert not (tmp_path / "other.key").exists()
    assert hermes("encrypt", "--key-file", str(key)).exit_code == 0, "the same key goes on"
    done = hermes("encrypt", "--rotate", "--key-file", str(tmp_path / "other.key"))
    assert done.exit_code == 2 and "--rekey" in done.stderr, done


def test_an_agent_s_command_does_not_inherit_the_passphrase(monkeypatch: pytest.MonkeyPatch) -> None:
    from hermes_agent.config import variables

    monkeypatch.setenv("HERMES_PASSPHRASE", PASSPHRASE)
    assert PASSPHRASE not in variables.for_commands().values()


def test_a_program_opens_it_with_the_key_and_is_refused_without(encrypted: Home, key: Path) -> None:
    memory = Memory()
    memory.begin(NewSession(id="of a program"))
    memory.close()
    unlocked.forget()
    key.unlink()
    with pytest.raises(LockedHome, match="cannot be read"):
        Memory()


def test_a_home_that_was_never_used_is_encrypted_from_the_start(own_home: Home, hermes: Hermes, key: Path) -> None:
    assert hermes("encrypt", "--yes", "--key-file", str(key)).exit_code == 0
    assert hermes("notes", "add", "The deploy key lives in Frobnitz").exit_code == 0
    assert hermes("chat", "-q", SAID).exit_code == 0
    assert (telling(own_home), is_plain(own_home.state_db)) == (set(), False)


def test_another_profile_stays_as_it_is(encrypted: Home, hermes: Hermes) -> None:
    assert hermes("profile", "create", "work").exit_code == 0
    assert hermes("-p", "work", "notes", "add", "The press is called Blorptech").exit_code == 0
    work = Home(encrypted.root / "profiles" / "work", "work")
    assert work.memory_note.read_text(encoding="utf-8").startswith("The press")
    assert is_plain(work.state_db)


def test_profiles_that_stay_plain_are_named(lived: Home, hermes: Hermes, key: Path) -> None:
    for name in ("work", "lab"):
        assert hermes("profile", "create", name).exit_code == 0
        assert hermes("-p", name, "notes", "add", "Something").exit_code == 0
    assert hermes("-p", "lab", "encrypt", "--yes", "--key-file", str(key)).exit_code == 0
    shown = hermes("encrypt", "--dry-run").stdout
    assert "  profiles/work/: a profile, which is encrypted by itself: hermes -p work encrypt" in shown
    assert "profiles/lab" not in shown
    assert (
        "profiles/work/"
        in hermes("encrypt", "--key-file", str(key), "--yes").stdout.partition("Not encrypted: ")[2]
    )
    assert json.loads(hermes("status", "--json").stdout)["encryption"]["plain"] == ["profiles/work/"]
    assert "profiles" not in hermes("-p", "lab", "encrypt", "--dry-run").stdout.partition("Not encrypted:")[2]


def test_what_killed_commands_left_is_removed(lived: Home, hermes: Hermes, key: Path) -> None:
    names = (".forgetting-x", ".importing-x", ".making-x", "profiles/.cloning-x", ".backup-x")
    for name in names:
        (lived.root / name).mkdir(parents=True)
        (lived.root / name / "memory.json").write_text(SAID, encoding="utf-8")
    assert hermes("encrypt", "--yes", "--key-file", str(key)).exit_code == 0
    assert [name for name in names if (lived.root / name).exists()] == []
    assert telling(lived) == set()


@pytest.mark.parametrize("command", [("decrypt", "--yes"), ("encrypt", "--rotate", "--yes")])
def test_it_is_said_that_older_backups_need_the_key_they_had(
    encrypted: Home, hermes: Hermes, command: tuple[str, ...]
) -> None:
    assert "made before are opened by the key they were made with: keep it." in hermes(*command).stderr


def test_an_exit_of_a_command_forgets_the_key(encrypted: Home, hermes: Hermes, key: Path) -> None:
    def show() -> Outcome:
        return hermes("notes", "show")

    assert show().exit_code == 0
    key.unlink()
    assert show().exit_code == 1
