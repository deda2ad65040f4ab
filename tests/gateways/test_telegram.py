"""Telegram against a Bot API server on loopback, with the model that ships with us."""

import asyncio
from contextlib import closing
from pathlib import Path

import pytest

from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.config import files, paths
from hermes_agent.config.gateway_settings import GATEWAYS_MOST_ATTACHMENT_MB
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.config.settings import BASE_URL, MCP_SERVERS, MODEL
from hermes_agent.errors import GatewayRefused
from hermes_agent.gateways.telegram_files import download
from hermes_agent.store.sessions import Listing
from tests import openai_server
from tests.gateways.conftest import GUEST, OWNER, STRANGER, at_work
from tests.gateways.telegram_server import TelegramServer
from tests.openai_server import Call, Say, Use


def test_a_message_is_answered(server: TelegramServer, gateway: App) -> None:
    server.say(OWNER, "Remember that my bike is green.")
    server.wait_for(lambda: len(server.texts(OWNER)) == 1)
    server.say(OWNER, "What colour is my bike?")
    server.wait_for(lambda: len(server.texts(OWNER)) == 2)
    assert "green" in server.texts(OWNER)[1]
    (listed,) = gateway.memory.sessions(Listing(), 10)
    assert listed.session.source == "telegram"
    assert "sendChatAction" in server.calls


def test_strangers_are_told_once_and_nothing_of_theirs_is_kept(server: TelegramServer, gateway: App) -> None:
    server.say(STRANGER, "My secret is xylophone.")
    server.say(STRANGER, "Are you there?")
    server.say(OWNER, "hello")
    server.wait_for(lambda: server.texts(OWNER) and server.texts(STRANGER))
    assert len(server.texts(STRANGER)) == 1
    assert [entry.kind for entry in gateway.memory.log(10)].count("gateway.refused") == 1


def answers(server: TelegramServer, user: int, count: int) -> list[str]:
    """Wait until somebody got so many messages, and return them."""
    server.wait_for(lambda: len(server.texts(user)) >= count)
    return server.texts(user)


def said(app: App) -> list[str]:
    """Return what the archive holds of what people said."""
    sessions = app.memory.sessions(Listing(), 100)
    found = [one for listed in sessions for one in app.memory.messages(listed.session.id)]
    return [one.content or "" for one in found if one.role == "user"]


def test_an_answer_that_is_long_comes_in_parts(server: TelegramServer, telegram_home: Home) -> None:
    paragraphs = "\n\n".join(f"Paragraph {number}. " + "Many words follow. " * 20 for number in range(30))
    with openai_server.serve(Say(paragraphs)) as model:
        asking_model(telegram_home, model)
        with at_work(telegram_home):
            server.say(OWNER, "Tell me a long story.")
            parts = answers(server, OWNER, 3)
    assert all(len(part) <= 4096 for part in parts)
    assert "".join(parts).replace("\n", "") == paragraphs.replace("\n", "").strip()


def test_commands_are_answered(server: TelegramServer, gateway: App) -> None:
    server.say(OWNER, "/help")
    server.say(OWNER, "/remember My bike is green.")
    server.say(OWNER, "/status")
    server.say(OWNER, "/undo")
    server.say(OWNER, "/stop")
    helped, noted, status, undone, stopped = answers(server, OWNER, 5)
    assert "/new – begin a new conversation" in helped
    assert noted == "Noted: My bike is green."
    assert status == "Model: embedded\nConversation: none yet.\nMemory: the owner's."
    assert undone == "There is nothing to take back in this conversation."
    assert stopped == "Nothing is being answered."
    assert said(gateway) == []


def test_a_command_that_there_is_not_is_answered_with_those_there_are(
    server: TelegramServer, gateway: App
) -> None:
    server.say(OWNER, "/nosuch")
    server.say(GUEST, "/nosuch thing")
    server.say(OWNER, "/etc/hosts is a file.")
    answered, _ = answers(server, OWNER, 2)
    assert answers(server, GUEST, 1) == [answered]
    assert answered.startswith("There is no command /nosuch. There are:\n/new – begin a new conversation\n")
    assert said(gateway) == ["/etc/hosts is a file."]
    with closing(App(paths.home_of("telegram-7"), load(paths.home_of("telegram-7")))) as guest:
        assert said(guest) == []


def test_new_begins_another_session_and_undo_takes_back(server: TelegramServer, gateway: App) -> None:
    server.say(OWNER, "Good morning.")
    server.say(OWNER, "/new")
    server.say(OWNER, "Good evening.")
    server.say(OWNER, "/undo")
    texts = answers(server, OWNER, 4)
    assert texts[1] == "A new conversation begins. What I know stays."
    assert texts[3].startswith("Taken back: Good evening.")
    first, second = sorted(gateway.memory.sessions(Listing(), 10), key=lambda one: one.session.started_at)
    assert (first.session.end_reason, second.session.end_reason) == ("gateway_reset", None)


def test_files_are_saved_under_safe_names_and_told(server: TelegramServer, gateway: App) -> None:
    server.files["doc1"] = b"the content"
    document = {"file_id": "doc1", "file_unique_id": "doc1", "file_name": "../../evil name.txt", "file_size": 11}
    server.say(OWNER, "", document=document, caption="Look at this file.")
    answers(server, OWNER, 1)
    (text,) = said(gateway)
    path = Path(text.partition("11 bytes: ")[2].rstrip("]"))
    assert text.startswith("Look at this file.\n\n[Attached file, ")
    assert path.read_bytes() == b"the content"
    assert path.parent == gateway.home.workspace / "attachments"
    assert path.name.endswith("-1-evil_name.txt")


def test_a_file_that_is_too_large_is_not_taken_in(server: TelegramServer, gateway: App) -> None:
    document = {"file_id": "big", "file_unique_id": "big", "file_name": "big.iso", "file_size": 30_000_000}
    server.say(OWNER, "", document=document, caption="A film.")
    answers(server, OWNER, 1)
    assert said(gateway) == ["A film.\n\n[A file was not taken in: big.iso. It is larger than 20,000,000 bytes.]"]
    assert "getFile" not in server.calls


def document(name: str, **more: object) -> dict[str, object]:
    return {"file_id": name, "file_unique_id": name, "file_name": f"{name}.txt", **more}


@pytest.mark.parametrize("trouble", ["lost", "cut"])
def test_a_file_that_cannot_be_fetched_is_given_up_and_the_chat_goes_on(
    server: TelegramServer, gateway: App, trouble: str
) -> None:
    (server.lost if trouble == "lost" else server.cut).add("doc1")
    server.say(OWNER, "", document=document("doc1"), caption="Look at this file.")
    server.say(OWNER, "/help")
    assert "/new" in answers(server, OWNER, 2)[1]
    (text,) = said(gateway)
    assert text.startswith("Look at this file.\n\n[A file was not taken in: doc1.txt. ")


def test_a_file_whose_size_is_not_told_is_read_no_further_than_it_may_be_large(
    server: TelegramServer, telegram_home: Home
) -> None:
    files.write(telegram_home, GATEWAYS_MOST_ATTACHMENT_MB, 1)
    server.files["doc1"] = bytes(60_000_000)
    server.unsized.add("doc1")
    with at_work(telegram_home) as app:
        server.say(OWNER, "", document=document("doc1"), caption="A film.")
        answers(server, OWNER, 1)
        assert said(app) == ["A film.\n\n[A file was not taken in: doc1.txt. It is larger than 1,000,000 bytes.]"]
    assert server.file_bytes < 30_000_000


@pytest.mark.parametrize("size", [1_000_000, 1_000_001])
def test_a_file_of_a_server_on_this_machine_is_read_by_its_path(tmp_path: Path, size: int) -> None:
    (tmp_path / "doc").write_bytes(bytes(size))
    reading = download(str(tmp_path / "doc"), 1_000_000)
    if size > 1_000_000:
        with pytest.raises(GatewayRefused):
            asyncio.run(reading)
    else:
        assert len(asyncio.run(reading)) == size


def test_what_is_neither_text_nor_a_file_is_told_so(server: TelegramServer, gateway: App) -> None:
    server.say(OWNER, "", location={"latitude": 1.0, "longitude": 2.0})
    assert answers(server, OWNER, 1) == ["I can read text and files; this was neither."]


def test_it_waits_when_telegram_asks_it_to(server: TelegramServer, gateway: App) -> None:
    server.ask_to_wait(1, times=2)
    began = clock.monotonic()
    server.say(OWNER, "/help")
    answers(server, OWNER, 1)
    assert clock.monotonic() - began >= 2


def test_it_connects_again_when_the_network_was_lost(server: TelegramServer, telegram_home: Home) -> None:
    server.fail(2)
    with at_work(telegram_home):
        server.say(OWNER, "/help")
        answers(server, OWNER, 1)


OF_OWNER = {"message_id": 1, "date": 1, "chat": {"id": OWNER, "type": "private"}}


@pytest.mark.parametrize(
    "broken",
    [
        {"message": {"text": "the word is xylophone"}},
        {"message": "xylophone"},
        {"edited_message": {**OF_OWNER, "date": "xylophone"}},
        {
            "message": {
                **OF_OWNER,
                "from": {"id": OWNER, "is_bot": False, "first_name": "Me"},
                "text": ["xylophone"],
            }
        },
        {"callback_query": {"id": "1", "data": 7}},
    ],
)
def test_an_update_that_cannot_be_read_is_passed_over(
    server: TelegramServer, gateway: App, broken: dict[str, object], caplog: pytest.LogCaptureFixture
) -> None:
    server.bring(broken)
    server.say(OWNER, "/help")
    answers(server, OWNER, 1)
    server.wait_for(server.is_confirmed)
    assert "is passed over" in caplog.text
    assert "xylophone" not in caplog.text


def test_in_groups_it_answers_only_what_is_meant_for_it(server: TelegramServer, gateway: App) -> None:
    group = {"id": -5, "type": "group", "title": "Team"}
    server.say(OWNER, "Lunch?", chat=group)
    server.say(OWNER, "@hermes_test_bot good morning", chat=group)
    server.say(OWNER, "/help@hermes_test_bot", chat=group)
    server.wait_for(lambda: len(server.texts(-5)) == 2)
    assert said(gateway) == ["good morning"]


def test_an_edit_of_what_was_answered_is_told_as_an_edit(server: TelegramServer, gateway: App) -> None:
    message = server.say(OWNER, "Good morning.")
    answers(server, OWNER, 1)
    server.edit(OWNER, message, "Good evening.")
    answers(server, OWNER, 2)
    assert said(gateway) == ["Good morning.", "[Edited: this replaces what I wrote before]\nGood evening."]


def test_an_edit_of_what_was_not_begun_replaces_it(server: TelegramServer, telegram_home: Home) -> None:
    message = server.say(OWNER, "Good morning.")
    server.edit(OWNER, message, "Good evening.")
    with at_work(telegram_home) as app:
        answers(server, OWNER, 1)
        server.say(OWNER, "/help")
        answers(server, OWNER, 2)
        assert said(app) == ["Good evening."]


def asking_model(telegram_home: Home, model: openai_server.Server) -> None:
    files.write(telegram_home, MODEL, "openai:test")
    files.write(telegram_home, BASE_URL, model.url)


def test_the_owner_is_asked_before_a_tool_runs_and_answers_by_a_button(
    server: TelegramServer, telegram_home: Home
) -> None:
    call = Use(Call("shell", '{"command": "touch made.txt"}'))
    with openai_server.serve(call, Say("It is made.")) as model:
        asking_model(telegram_home, model)
        with at_work(telegram_home):
            server.say(OWNER, "Make a file.")
            server.wait_for(lambda: server.sent)
            assert "touch made.txt" in server.sent[0].text
            markup = server.sent[0].markup
            assert markup is not None
            yes = markup["inline_keyboard"][0][0]["callback_data"]
            server.press(GUEST, yes)
            server.press(OWNER, yes)
            assert answers(server, OWNER, 2)[1] == "It is made."
    assert (telegram_home.workspace / "made.txt").exists()
    assert len(server.answered) == 2


def test_a_no_that_is_written_is_a_no(server: TelegramServer, telegram_home: Home) -> None:
    call = Use(Call("shell", '{"command": "touch made.txt"}'))
    with openai_server.serve(call, Say("Then not.")) as model:
        asking_model(telegram_home, model)
        with at_work(telegram_home):
            server.say(OWNER, "Make a file.")
            answers(server, OWNER, 1)
            server.say(OWNER, "No.")
            assert answers(server, OWNER, 2)[1] == "Then not."
    assert not (telegram_home.workspace / "made.txt").exists()


def test_stop_ends_the_answer_that_is_being_written(server: TelegramServer, telegram_home: Home) -> None:
    with openai_server.serve(openai_server.Hang("I begin to")) as model:
        asking_model(telegram_home, model)
        with at_work(telegram_home):
            server.say(OWNER, "Tell me everything.")
            server.wait_for(lambda: "sendChatAction" in server.calls)
            server.say(OWNER, "/stop")
            assert answers(server, OWNER, 1)[0].endswith("(Stopped.)")


def test_what_goes_wrong_is_told_the_owner_in_a_line_and_guests_without_details(
    server: TelegramServer, telegram_home: Home
) -> None:
    with openai_server.serve(openai_server.Fail(401, "Incorrect API key provided: sk-1234.")) as model:
        asking_model(telegram_home, model)
        with at_work(telegram_home):
            server.say(OWNER, "hello")
            server.say(GUEST, "hello")
            (told,), (told_guest,) = answers(server, OWNER, 1), answers(server, GUEST, 1)
    assert told.startswith("⚠ ") and "\n" not in told
    assert told_guest == "I cannot answer this now; the owner can see why."


def test_a_warning_is_shown_to_the_owner_once(server: TelegramServer, telegram_home: Home) -> None:
    files.write(telegram_home, MCP_SERVERS, {"broken": {"command": "/no/such/program"}})
    with openai_server.serve(Say("Fine.")) as model:
        asking_model(telegram_home, model)
        with at_work(telegram_home):
            for user in (OWNER, OWNER, GUEST):
                server.say(user, "Good morning.")
            first, second = answers(server, OWNER, 2)
            (told_guest,) = answers(server, GUEST, 1)
    assert first.startswith("⚠ ") and "broken" in first
    assert second == told_guest == "Fine."


def test_an_answer_that_is_refused_is_journalled_and_kept(server: TelegramServer, gateway: App) -> None:
    server.blocked_by.add(OWNER)
    server.say(OWNER, "Remember that my bike is green.")
    server.wait_for(lambda: any(entry.kind == "gateway.unsent" for entry in gateway.memory.log(10)))
    (entry,) = [one for one in gateway.memory.log(10) if one.kind == "gateway.unsent"]
    assert entry.text == "An answer could not be sent over Telegram." and "blocked by the user" in (
        entry.cause or ""
    )
    server.blocked_by.clear()
    server.say(OWNER, "What colour is my bike?")
    assert len(answers(server, OWNER, 1)) == 1
    assert said(gateway) == ["Remember that my bike is green.", "What colour is my bike?"]
