"""Discord against a small one on loopback, with the model that ships with us."""

from contextlib import closing
from pathlib import Path

from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.config import files, paths
from hermes_agent.config.gateway_settings import DISCORD
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.config.settings import BASE_URL, MODEL
from hermes_agent.gateways import found
from hermes_agent.gateways.running import Running, State
from hermes_agent.store import chats
from hermes_agent.store.sessions import Listing
from tests import openai_server
from tests.gateways.conftest import GUEST, OTHER_GUEST, OWNER, STRANGER, at_work
from tests.gateways.discord_server import BOT_ID, DiscordServer
from tests.openai_server import Call, Say, Use

MENTION = f"<@{BOT_ID}>"
CHANNEL, THREAD = 600, 700


def answers(server: DiscordServer, user: int, count: int) -> list[str]:
    """Wait until somebody got so many messages alone, and return them."""
    server.wait_for(lambda: len(server.texts(user)) >= count)
    return server.texts(user)


def said(app: App) -> list[str]:
    """Return what the archive holds of what people said."""
    sessions = app.memory.sessions(Listing(), 100)
    messages = [one for listed in sessions for one in app.memory.messages(listed.session.id)]
    return [one.content or "" for one in messages if one.role == "user"]


def keys(app: App) -> set[str]:
    """Return the keys of the chats."""
    with app.store.read() as connection:
        return {one.chat_key for one in chats.every(connection)}


def asking_model(home: Home, model: openai_server.Server) -> None:
    files.write(home, MODEL, "openai:test")
    files.write(home, BASE_URL, model.url)


def test_a_direct_message_is_answered(discord_server: DiscordServer, discord_gateway: App) -> None:
    discord_server.say(OWNER, "Remember that my bike is green.")
    answers(discord_server, OWNER, 1)
    discord_server.say(OWNER, "What colour is my bike?")
    assert "green" in answers(discord_server, OWNER, 2)[1]
    (listed,) = discord_gateway.memory.sessions(Listing(), 10)
    assert listed.session.source == "discord"
    channel = discord_server.alone_with(OWNER)
    assert keys(discord_gateway) == {f"agent:main:discord:dm:{channel}"}
    assert f"POST channels/{channel}/typing" in discord_server.calls


def test_in_a_channel_it_answers_only_what_is_meant_for_it(
    discord_server: DiscordServer, discord_home: Home
) -> None:
    discord_server.open_channel(CHANNEL)
    with at_work(discord_home, "discord") as app:
        discord_server.wait_for(discord_server.is_connected)
        discord_server.say(OWNER, "Lunch?", channel=CHANNEL)
        asked = discord_server.say(OWNER, f"{MENTION} good morning, <@7>", channel=CHANNEL)
        discord_server.say(OWNER, f"{MENTION} /help", channel=CHANNEL)
        discord_server.wait_for(lambda: len(discord_server.texts_in(CHANNEL)) == 2)
        assert said(app) == ["good morning, @user-7"]
        assert keys(app) == {f"agent:main:discord:group:{CHANNEL}:{OWNER}"}
    assert discord_server.sent[0].reply_to == str(asked)
    assert "/new – begin a new conversation" in discord_server.sent[1].text


def test_in_a_thread_it_goes_on_without_being_named_in_a_memory_of_the_threads_own(
    discord_server: DiscordServer, discord_home: Home
) -> None:
    discord_server.open_channel(CHANNEL)
    discord_server.open_channel(THREAD, parent=CHANNEL)
    with at_work(discord_home, "discord") as app:
        discord_server.wait_for(discord_server.is_connected)
        discord_server.say(GUEST, "Nobody is meant.", channel=THREAD)
        discord_server.say(GUEST, f"{MENTION} Remember that the team meets on Monday.", channel=THREAD)
        discord_server.wait_for(lambda: len(discord_server.texts_in(THREAD)) == 1)
        discord_server.say(OWNER, "When does the team meet?", channel=THREAD)
        discord_server.wait_for(lambda: len(discord_server.texts_in(THREAD)) == 2)
        assert keys(app) == {f"agent:main:discord:group:{CHANNEL}:{THREAD}"}
        assert said(app) == []
    assert "Monday" in discord_server.texts_in(THREAD)[1]


def test_a_thread_that_was_opened_later_is_known_by_its_channel(
    discord_server: DiscordServer, discord_gateway: App
) -> None:
    discord_server.wait_for(discord_server.is_connected)
    discord_server.open_channel(CHANNEL)
    discord_server.open_channel(THREAD, parent=CHANNEL)
    discord_server.say(OWNER, f"{MENTION} /help", channel=THREAD)
    discord_server.wait_for(lambda: discord_server.texts_in(THREAD))
    assert keys(discord_gateway) == {f"agent:main:discord:group:{CHANNEL}:{THREAD}"}


def test_strangers_are_told_once_and_nothing_of_theirs_is_kept(
    discord_server: DiscordServer, discord_gateway: App
) -> None:
    discord_server.wait_for(discord_server.is_connected)
    discord_server.say(STRANGER, "My secret is xylophone.")
    discord_server.say(STRANGER, "Are you there?")
    discord_server.say(OWNER, "hello")
    discord_server.wait_for(lambda: discord_server.texts(OWNER) and discord_server.texts(STRANGER))
    assert len(discord_server.texts(STRANGER)) == 1
    assert [entry.kind for entry in discord_gateway.memory.log(10)].count("gateway.refused") == 1


def test_guests_know_nothing_of_the_owner_nor_of_each_other(
    discord_server: DiscordServer, discord_gateway: App
) -> None:
    discord_server.say(OWNER, "Remember that my bike is green.")
    answers(discord_server, OWNER, 1)
    discord_server.say(GUEST, "Remember that my boat is red.")
    answers(discord_server, GUEST, 1)
    for user in (GUEST, OTHER_GUEST):
        discord_server.say(user, "What colour is my bike? What colour is my boat?")
        discord_server.say(user, "/status")
    assert "green" not in " ".join(answers(discord_server, GUEST, 3))
    told = " ".join(answers(discord_server, OTHER_GUEST, 2))
    assert "green" not in told and "red" not in told.replace("remembered", "")
    assert "Memory: a guest's, apart from everybody else's." in told
    assert said(discord_gateway) == ["Remember that my bike is green."]
    with closing(App(home := paths.home_of("discord-7"), load(home))) as guest:
        assert said(guest)[0] == "Remember that my boat is red."


def test_an_answer_that_is_long_comes_in_parts(discord_server: DiscordServer, discord_home: Home) -> None:
    paragraphs = "\n\n".join(f"Paragraph {number}. " + "Many words follow. " * 20 for number in range(15))
    with openai_server.serve(Say(paragraphs)) as model:
        asking_model(discord_home, model)
        with at_work(discord_home, "discord"):
            discord_server.say(OWNER, "Tell me a long story.")
            parts = answers(discord_server, OWNER, 3)
            discord_server.wait_for(lambda: "Paragraph 14" in discord_server.texts(OWNER)[-1])
            parts = discord_server.texts(OWNER)
    assert all(len(part) <= 2000 for part in parts)
    assert "".join(parts).replace("\n", "") == paragraphs.replace("\n", "").strip()


def test_parts_that_are_alike_are_all_sent(discord_server: DiscordServer, discord_home: Home) -> None:
    with openai_server.serve(Say("x" * 6000)) as model:
        asking_model(discord_home, model)
        with at_work(discord_home, "discord"):
            discord_server.say(OWNER, "Write a row of x.")
            assert answers(discord_server, OWNER, 3) == ["x" * 2000] * 3


def test_commands_are_answered(discord_server: DiscordServer, discord_gateway: App) -> None:
    for command in ("/help", "/remember My bike is green.", "/status", "/undo", "/stop"):
        discord_server.say(OWNER, command)
    helped, noted, status, undone, stopped = answers(discord_server, OWNER, 5)
    assert "/new – begin a new conversation" in helped
    assert noted == "Noted: My bike is green."
    assert status == "Model: embedded\nConversation: none yet.\nMemory: the owner's."
    assert undone == "There is nothing to take back in this conversation."
    assert stopped == "Nothing is being answered."
    assert said(discord_gateway) == []


def attached(server: DiscordServer, name: str, size: int, number: int = 5) -> dict[str, object]:
    address = f"{server.url}/files/{number}"
    return {"id": str(number), "filename": name, "size": size, "url": address, "proxy_url": address}


def test_files_are_saved_under_safe_names_and_told(discord_server: DiscordServer, discord_gateway: App) -> None:
    discord_server.files["5"] = b"the content"
    file = attached(discord_server, "../../evil name.txt", 11)
    discord_server.say(OWNER, "Look at this file.", attachments=[file])
    answers(discord_server, OWNER, 1)
    (text,) = said(discord_gateway)
    path = Path(text.partition("11 bytes: ")[2].rstrip("]"))
    assert text.startswith("Look at this file.\n\n[Attached file, ")
    assert path.read_bytes() == b"the content"
    assert path.parent == discord_gateway.home.workspace / "attachments"


def test_a_file_that_is_too_large_is_not_taken_in(discord_server: DiscordServer, discord_gateway: App) -> None:
    discord_server.say(OWNER, "A film.", attachments=[attached(discord_server, "big.iso", 30_000_000)])
    answers(discord_server, OWNER, 1)
    (text,) = said(discord_gateway)
    assert text == "A film.\n\n[A file was not taken in: big.iso. It is larger than 20,000,000 bytes.]"


def test_it_waits_when_discord_asks_it_to(discord_server: DiscordServer, discord_gateway: App) -> None:
    discord_server.ask_to_wait(1.0, times=2)
    began = clock.monotonic()
    discord_server.say(OWNER, "/help")
    answers(discord_server, OWNER, 1)
    assert clock.monotonic() - began >= 2


def test_an_answer_waits_while_discord_does_not_know_the_token(
    discord_server: DiscordServer, discord_gateway: App
) -> None:
    discord_server.say(OWNER, "/status")
    answers(discord_server, OWNER, 1)
    discord_server.refuse_token(2)
    discord_server.say(OWNER, "/undo")
    assert answers(discord_server, OWNER, 2)[1] == "There is nothing to take back in this conversation."


def test_it_connects_again_when_the_network_was_lost(discord_server: DiscordServer, discord_home: Home) -> None:
    discord_server.fail(2)
    with at_work(discord_home, "discord"):
        discord_server.say(OWNER, "/help")
        answers(discord_server, OWNER, 1)


def test_a_connection_that_was_cut_is_resumed(discord_server: DiscordServer, discord_gateway: App) -> None:
    discord_server.say(OWNER, "/help")
    answers(discord_server, OWNER, 1)
    discord_server.cut()
    discord_server.say(OWNER, "/status")
    answers(discord_server, OWNER, 2)
    discord_server.ask_to_reconnect()
    discord_server.say(OWNER, "/undo")
    answers(discord_server, OWNER, 3)
    assert (discord_server.calls.count("IDENTIFY"), discord_server.calls.count("RESUME")) == (1, 2)


def test_what_an_invalid_session_did_not_bring_is_asked_for(
    discord_server: DiscordServer, discord_gateway: App
) -> None:
    discord_server.say(OWNER, "Good morning.")
    answers(discord_server, OWNER, 1)
    discord_server.invalidate()
    discord_server.say(OWNER, "Good evening.")
    answers(discord_server, OWNER, 2)
    assert said(discord_gateway) == ["Good morning.", "Good evening."]
    assert discord_server.calls.count("IDENTIFY") == 2


def test_what_comes_again_is_handled_once(discord_server: DiscordServer, discord_gateway: App) -> None:
    discord_server.say_all([(OWNER, "Good morning."), (OWNER, "Good day.")])
    answers(discord_server, OWNER, 2)
    discord_server.bring_again(8)
    discord_server.say(OWNER, "Good evening.")
    answers(discord_server, OWNER, 3)
    assert said(discord_gateway) == ["Good morning.", "Good day.", "Good evening."]


def test_what_was_said_while_it_was_down_is_answered_wherever_it_was(
    discord_server: DiscordServer, discord_home: Home
) -> None:
    discord_server.open_channel(CHANNEL)
    discord_server.open_channel(THREAD, parent=CHANNEL)
    with at_work(discord_home, "discord"):
        discord_server.say(GUEST, "/help")
        answers(discord_server, GUEST, 1)
        discord_server.say(OWNER, f"{MENTION} /help", channel=THREAD)
        discord_server.wait_for(lambda: discord_server.texts_in(THREAD))
    for number in range(120):
        discord_server.say(GUEST, f"Talk among others {number}.", channel=CHANNEL)
    discord_server.say(GUEST, "Good morning.")
    discord_server.say(GUEST, f"{MENTION} good evening.", channel=CHANNEL)
    discord_server.say(GUEST, "good night.", channel=THREAD)
    # Somebody who never wrote before, and is let in by name.
    discord_server.say(OTHER_GUEST, "Are you there?")
    with at_work(discord_home, "discord"):
        answers(discord_server, GUEST, 2)
        answers(discord_server, OTHER_GUEST, 1)
        discord_server.wait_for(lambda: discord_server.texts_in(CHANNEL))
        discord_server.wait_for(lambda: len(discord_server.texts_in(THREAD)) == 2)
    assert len(discord_server.texts_in(CHANNEL)) == 1
    assert len(discord_server.sent) == 6


def test_an_edit_of_what_was_answered_is_told_as_an_edit(
    discord_server: DiscordServer, discord_gateway: App
) -> None:
    message = discord_server.say(OWNER, "Good morning.")
    answers(discord_server, OWNER, 1)
    discord_server.edit(message, "Good evening.")
    answers(discord_server, OWNER, 2)
    assert said(discord_gateway) == ["Good morning.", "[Edited: this replaces what I wrote before]\nGood evening."]


def test_an_edit_while_it_was_down_is_heard(discord_server: DiscordServer, discord_home: Home) -> None:
    with at_work(discord_home, "discord"):
        known = discord_server.say(OWNER, "Good morning.")
        answers(discord_server, OWNER, 1)
    discord_server.edit(known, "Good night.")
    unknown = discord_server.say(OWNER, "Godo day.")
    discord_server.edit(unknown, "Good day.")
    with at_work(discord_home, "discord") as app:
        answers(discord_server, OWNER, 3)
        assert sorted(said(app)) == sorted(
            ["Good morning.", "[Edited: this replaces what I wrote before]\nGood night.", "Good day."]
        )


def buttons(server: DiscordServer) -> list[str]:
    """Return the buttons of what was sent last."""
    return [one["custom_id"] for one in server.sent[-1].components[0]["components"]]


def test_the_owner_is_asked_before_a_tool_runs_and_answers_by_a_button(
    discord_server: DiscordServer, discord_home: Home
) -> None:
    call = Use(Call("shell", '{"command": "touch made.txt"}'))
    with openai_server.serve(call, Say("It is made.")) as model:
        asking_model(discord_home, model)
        with at_work(discord_home, "discord"):
            discord_server.say(OWNER, "Make a file.")
            assert "touch made.txt" in answers(discord_server, OWNER, 1)[0]
            yes, _ = buttons(discord_server)
            discord_server.press(GUEST, yes)
            discord_server.press(OWNER, yes)
            assert answers(discord_server, OWNER, 2)[1] == "It is made."
            discord_server.wait_for(
                lambda: sum(one.startswith("POST interactions/") for one in discord_server.calls) == 2
            )
    assert (discord_home.workspace / "made.txt").exists()


def test_a_no_that_is_written_is_a_no(discord_server: DiscordServer, discord_home: Home) -> None:
    call = Use(Call("shell", '{"command": "touch made.txt"}'))
    with openai_server.serve(call, Say("Then not.")) as model:
        asking_model(discord_home, model)
        with at_work(discord_home, "discord"):
            discord_server.say(OWNER, "Make a file.")
            answers(discord_server, OWNER, 1)
            discord_server.say(OWNER, "No.")
            assert answers(discord_server, OWNER, 2)[1] == "Then not."
    assert not (discord_home.workspace / "made.txt").exists()


def trouble_of(home: Home, server: DiscordServer) -> str:
    """Return what a gateway says that cannot connect."""
    troubles: list[str] = []

    def note(state: State) -> None:
        troubles.extend([state.trouble] if state.trouble else [])

    with closing(App(home, load(home))) as app:
        running = Running(app, found.platform("discord"), note)
        running.start()
        server.wait_for(lambda: troubles)
        running.stop()
        assert running.wait(60)
    return troubles[0]


def test_a_wrong_token_is_told(discord_server: DiscordServer, discord_home: Home) -> None:
    discord_home.env_file.write_text("DISCORD_BOT_TOKEN=another\n")
    assert trouble_of(discord_home, discord_server) == "Discord does not know the token."


def test_a_bot_that_may_not_read_is_told_how_to_mend_it(discord_server: DiscordServer, discord_home: Home) -> None:
    discord_server.has_message_content = False
    assert "Switch on the Message Content Intent" in trouble_of(discord_home, discord_server)


def test_everybody_may_be_let_in(discord_server: DiscordServer, discord_home: Home) -> None:
    files.write(discord_home, DISCORD.allowed, ["*"])
    with at_work(discord_home, "discord"):
        discord_server.wait_for(discord_server.is_connected)
        discord_server.say(STRANGER, "/status")
        assert "a guest's" in answers(discord_server, STRANGER, 1)[0]
