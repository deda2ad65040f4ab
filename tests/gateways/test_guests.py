"""Guests: a memory of their own, and nothing of the owner's reaches them, nor the reverse."""

from contextlib import closing
from pathlib import Path

import pytest

from hermes_agent.app import App
from hermes_agent.config import files, paths
from hermes_agent.config.gateway_settings import TELEGRAM
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.config.settings import BASE_URL, MODEL
from hermes_agent.store import meta
from hermes_agent.store.postgres import schema_name
from tests import openai_server
from tests.conftest import Hermes
from tests.gateways.conftest import GUEST, OTHER_GUEST, OWNER, at_work
from tests.gateways.telegram_server import TOKEN, TelegramServer
from tests.openai_server import Call, Say, Use
from tests.postgres import server_address

OWNERS_WORDS = "xylophone", "zeppelin", "quokka", "marzipan"
SKILL = "---\nname: brew-tea\ndescription: How quokka tea is brewed.\n---\n\nBoil the quokka.\n"


def files_holding(home: Home, *words: str) -> list[str]:
    """Return the files of a home, but for other profiles, in which one of the words stands."""
    inside = [path for path in home.root.rglob("*") if path.is_file()]
    own = [path for path in inside if home.profile != "default" or "profiles" not in path.parts]
    return [str(path) for path in own if any(word.encode() in path.read_bytes() for word in words)]


def fill(home: Home) -> None:
    """Give the owner notes, facts, a skill and a conversation."""
    paths.ensure(home)
    home.user_note.write_text("Plays the xylophone.")
    home.soul.write_text("You are Zeppelin, also called zeppelin.")
    skill = home.skills / "brew-tea"
    skill.mkdir()
    (skill / "SKILL.md").write_text(SKILL)
    with home.env_file.open("a") as file:
        file.write("OPENAI_API_KEY=sk-marzipan\n")


def test_nothing_of_the_owners_reaches_a_guest_nor_the_reverse(
    server: TelegramServer, telegram_home: Home, hermes: Hermes
) -> None:
    fill(telegram_home)
    with openai_server.serve(Say("Fine.")) as model:
        files.write(telegram_home, MODEL, "openai:test")
        files.write(telegram_home, BASE_URL, model.url)
        with at_work(telegram_home):
            server.say(OWNER, "My xylophone is in the zeppelin with the quokka.")
            server.wait_for(lambda: server.texts(OWNER))
            asked_by_owner = len(model.requests)
            server.say(GUEST, "My canary is called Pavarotti. What do you know?")
            server.wait_for(lambda: server.texts(GUEST))
            asked_by_guest = model.requests[asked_by_owner:]
            server.say(OWNER, "What do you know of canaries?")
            server.wait_for(lambda: len(server.texts(OWNER)) == 2)
    guest_home = paths.home_of("telegram-7")
    assert any(b"xylophone" in one.body for one in model.requests[:asked_by_owner])
    assert asked_by_guest and all(word.encode() not in one.body for one in asked_by_guest for word in OWNERS_WORDS)
    assert files_holding(guest_home, *OWNERS_WORDS, TOKEN) == []
    assert all(b"Pavarotti" not in one.body for one in model.requests if one not in asked_by_guest)
    assert files_holding(guest_home, "Pavarotti") != []
    assert files_holding(telegram_home, "Pavarotti") == []
    assert "telegram-7" in hermes("profile", "list").stdout


def test_two_guests_know_nothing_of_each_other(server: TelegramServer, gateway: App) -> None:
    server.say(GUEST, "Remember that my canary is called Pavarotti.")
    server.wait_for(lambda: server.texts(GUEST))
    server.say(OTHER_GUEST, "What is my canary called?")
    server.wait_for(lambda: server.texts(OTHER_GUEST))
    server.say(GUEST, "What is my canary called?")
    server.wait_for(lambda: len(server.texts(GUEST)) == 2)
    assert "Pavarotti" in server.texts(GUEST)[1]
    assert "Pavarotti" not in server.texts(OTHER_GUEST)[0]


def test_a_guest_has_no_tools_that_touch_files_commands_or_the_web(
    server: TelegramServer, telegram_home: Home
) -> None:
    call = Use(Call("shell", '{"command": "touch made.txt"}'))
    with openai_server.serve(call, Say("I cannot.")) as model:
        files.write(telegram_home, MODEL, "openai:test")
        files.write(telegram_home, BASE_URL, model.url)
        with at_work(telegram_home):
            server.say(GUEST, "Make a file.")
            server.wait_for(lambda: server.texts(GUEST))
    offered = {tool["function"]["name"] for tool in model.requests[0].json["tools"]}
    assert offered & {"shell", "read_file", "write_file", "edit_file", "search_files", "web_fetch"} == set()
    assert "memory" in offered
    assert server.texts(GUEST) == ["I cannot."]
    assert list(paths.home_of("telegram-7").root.rglob("made.txt")) == []


def test_a_profile_that_the_owner_made_by_hand_is_nobodys_guest_profile(
    server: TelegramServer, telegram_home: Home, hermes: Hermes
) -> None:
    hermes("profile", "create", "telegram-7")
    hermes("-p", "telegram-7", "memory", "fact", "add", "The xylophone is mine.")
    with at_work(telegram_home):
        server.say(GUEST, "What do you know of the xylophone?")
        server.wait_for(lambda: server.texts(GUEST))
    assert server.texts(GUEST) == ["I cannot answer this now; the owner can see why."]


def test_settings_in_the_owners_environment_are_not_a_guests(
    server: TelegramServer, telegram_home: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HERMES_MEMORY_PATH", str(tmp_path / "owners.db"))
    with at_work(telegram_home):
        server.say(GUEST, "My canary is called Pavarotti.")
        server.wait_for(lambda: server.texts(GUEST))
    assert (tmp_path / "owners.db").exists()
    assert paths.home_of("telegram-7").state_db.exists()


def test_somebody_who_becomes_an_owner_begins_a_session_in_the_owners_memory(
    server: TelegramServer, telegram_home: Home
) -> None:
    with at_work(telegram_home):
        server.say(GUEST, "/status")
        server.say(GUEST, "Good morning.")
        server.wait_for(lambda: len(server.texts(GUEST)) == 2)
    files.write(telegram_home, TELEGRAM.owners, [OWNER, GUEST])
    with at_work(telegram_home):
        server.say(GUEST, "/status")
        server.wait_for(lambda: len(server.texts(GUEST)) == 3)
    assert server.texts(GUEST)[0].endswith("Memory: a guest's, apart from everybody else's.")
    assert server.texts(GUEST)[2] == "Model: embedded\nConversation: none yet.\nMemory: the owner's."


def test_on_postgresql_a_guest_has_a_schema_of_its_own(
    server: TelegramServer, telegram_home: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HERMES_MEMORY_BACKEND", "postgres")
    monkeypatch.setenv("HERMES_MEMORY_CONNECTION_STRING", server_address())
    # Other tests share the server: this one has an owner and a guest that no other has.
    guest = abs(hash(str(tmp_path))) % 10**9 + 1000
    files.write(telegram_home, TELEGRAM.allowed, [guest])
    owner = Home(paths.home_of(f"owner{guest}").root, f"owner{guest}")
    paths.ensure(owner)
    for file in (telegram_home.config_yaml, telegram_home.env_file):
        (owner.root / file.name).write_bytes(file.read_bytes())
        (owner.root / file.name).chmod(0o600)
    with at_work(owner) as app:
        server.say(guest, "My canary is called Pavarotti.")
        server.wait_for(lambda: server.texts(guest))
        schemas = (app.store.engine.schema, schema_name(f"telegram-{guest}"))
    home = paths.home_of(f"telegram-{guest}")
    assert not home.state_db.exists()
    with closing(App(home, load(home))) as guests:
        assert guests.store.engine.schema == schemas[1] != schemas[0]
        with guests.store.read() as connection:
            assert meta.get(connection, "guest") == f"telegram:{guest}"
