"""Talking over HTTP: events in order, approvals, stopping, and what is kept of each."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.handlers import every_handler
from hermes_agent.jobs import upkeep
from hermes_agent.jobs.worker import run_due
from hermes_agent.memory import facts, tokens
from hermes_agent.records.archive import Message
from hermes_agent.store.sessions import Listing
from tests import openai_server
from tests.openai_server import Call, Fail, Hang, Received, Say, Server, Use
from tests.recall.conversations import talk
from tests.web.conftest import Doors, serving
from tests.web.talking import PATIENCE_SECONDS, Program, at_once

COMMAND = Use(Call("shell", json.dumps({"command": "echo done > made.txt"})))


def program(app: App, address: str, name: str = "laptop") -> Program:
    return Program(address, tokens.create(app.store, name, "admin").shown)


@contextmanager
def talking(app: App, *script: openai_server.Step, **environment: str) -> Iterator[tuple[App, Program, Server]]:
    """Serve the home with a model that follows a script."""
    with openai_server.serve(*script) as model, pytest.MonkeyPatch.context() as patch:
        patch.setenv("HERMES_BASE_URL", model.url)
        for name, value in environment.items():
            patch.setenv(name, value)
        served = App(app.home, load(app.home))
        try:
            with serving(served) as address:
                yield served, program(served, address), model
        finally:
            served.close()


def said(app: App, session: str) -> list[tuple[str, str | None]]:
    return [(message.role, message.content) for message in kept(app, session)]


def kept(app: App, session: str) -> list[Message]:
    return app.memory.window(session)


def until_kept(app: App, session: str, count: int) -> list[tuple[str, str | None]]:
    """Wait until a session has so many messages."""
    deadline = clock.monotonic() + PATIENCE_SECONDS
    while len(said(app, session)) < count:
        assert clock.monotonic() < deadline, said(app, session)
        clock.sleep(0.02)
    return said(app, session)


def learn(app: App) -> None:
    upkeep.enqueue_due(app.memory, app.settings, app.home.reflections)
    assert not any(one.is_trouble for one in run_due(app.store, every_handler(app)))


def test_the_embedded_default_answers_and_is_kept_as_a_session_of_the_web(app: App) -> None:
    with serving(app) as address, program(app, address).say("My name is Ada.") as talk:
        names = talk.rest()
    assert names[0] == "begun" and names[-1] == "finished"
    assert "text" in names
    answer = talk.seen[-1][1]
    assert answer["ending"] == "answered" and answer["session_id"] == talk.session
    assert said(app, talk.session)[0] == ("user", "My name is Ada.")
    session = app.memory.session(talk.session)
    assert session.source == "web"
    assert session.folder == str(app.home.workspace)


def test_a_conversation_that_is_over_is_learned_from_and_goes_on_when_it_is_taken_up(app: App) -> None:
    with serving(app) as address:
        laptop = program(app, address)
        with laptop.say("I live in Oslo.") as chat:
            chat.rest()
        learn(app)
        assert facts.recent(app.store, 9) == [], "somebody may still talk"
        ended = laptop.post("/api/chat/end", {"session": chat.session})
        assert ended.json() == {"session_id": chat.session, "ended": True}
        learn(app)
        assert [fact.text for fact in facts.recent(app.store, 9)] == ["User lives in Oslo"]
        with laptop.say("And I like sailing.", session=chat.session) as more:
            more.rest()
        assert more.session == chat.session and app.memory.session(chat.session).ended_at is None


def test_only_what_was_said_here_is_ended_here(app: App) -> None:
    talk(app.memory, "terminal", "I live in Rome.", "Fine.")
    with serving(app) as address:
        laptop = program(app, address)
        assert laptop.post("/api/chat/end", {"session": "terminal"}).json()["ended"] is False
        assert app.memory.session("terminal").ended_at is None, "somebody may still talk there"
        assert laptop.post("/api/chat/end", {"session": "nowhere"}).status_code == 404
        with laptop.say("And I like sailing.", session="terminal") as chat:
            chat.rest()
        assert laptop.post("/api/chat/end", {"session": "terminal"}).json()["ended"] is True


def test_a_conversation_by_any_name_is_not_ended_while_it_is_answered(app: App) -> None:
    with talking(app, Hang("Half an ans")) as (served, laptop, _):
        with laptop.say("Tell me all.") as talk:
            talk.until("text")
            served.memory.rename(talk.session, "The trip")
            for name in (talk.session, talk.session[:-1], "The trip"):
                assert (
                    program(served, laptop.address, name).post("/api/chat/end", {"session": name}).status_code
                    == 409
                )
            assert laptop.post(f"/api/chat/{talk.turn}/stop", {}).status_code == 200
            talk.rest()
        assert served.memory.session(talk.session).ended_at is None
        assert laptop.post("/api/chat/end", {"session": "The trip"}).json()["ended"] is True


def test_a_program_ends_only_what_it_talked_in(app: App) -> None:
    with serving(app) as address:
        laptop = program(app, address)
        with laptop.say("I live in Oslo.") as chat:
            chat.rest()
        other = Program(address, tokens.create(app.store, "other", "write").shown)
        assert other.post("/api/chat/end", {"session": chat.session}).json()["ended"] is False
        assert app.memory.session(chat.session).ended_at is None
        owner = Program(address, tokens.create(app.store, "owner", "admin").shown)
        assert owner.post("/api/chat/end", {"session": chat.session}).json()["ended"] is True


def test_an_older_conversation_does_not_take_the_place_of_what_was_noted_in_a_chat(app: App) -> None:
    note = app.home.user_note
    with serving(app) as address, program(app, address).say("I live in Oslo.") as chat:
        chat.rest()
    assert note.read_text() == "Lives in Oslo"
    talk(app.memory, "old", "I live in Rome. I like sailing.", "Fine.", day=-900, ended="user_exit")
    learn(app)
    assert [fact.text for fact in facts.recent(app.store, 9)] == ["User likes sailing", "User lives in Rome"]
    assert note.read_text() == "Lives in Oslo\n§\nLikes sailing", "the chat, not over yet, is the later one"
    app.memory.end(chat.session, "user_exit")
    learn(app)
    assert "User lives in Oslo" in [fact.text for fact in facts.recent(app.store, 9)]
    assert note.read_text() == "Lives in Oslo\n§\nLikes sailing"


def test_a_fact_that_is_deleted_takes_its_line_along_though_it_was_said_long_before_too(app: App) -> None:
    with serving(app) as address, program(app, address).say("I live in Oslo.") as chat:
        chat.rest()
    talk(app.memory, "old", "I live in Oslo.", "Fine.", day=-900, ended="user_exit")
    app.memory.end(chat.session, "user_exit")
    learn(app)
    (fact,) = facts.recent(app.store, 9)
    facts.delete(app.store, fact.name)
    learn(app)
    assert "Oslo" not in app.home.user_note.read_text()


def test_words_come_as_the_model_says_them_and_tools_in_order(app: App) -> None:
    looked = Use(Call("session_search", '{"query": "Lisbon"}'), text="I look.")
    with talking(app, looked, Say("Found", " nothing."), Say("Nothing", " new.")) as (_, laptop, model):
        with laptop.say("Where did I want to go?") as talk:
            names = talk.rest()
        assert [name for name in names if name not in ("thinking", "warned")] == [
            *["begun", "text", "tool", "result", "text", "text", "finished"]
        ]
        assert talk.seen[-1][1]["text"] == "Found nothing."
        assert talk.seen[-1][1]["usage"]["input"] > 0
        with laptop.say("And now?", session=talk.session) as second:
            second.rest()
        assert second.session == talk.session
        assert len(model.requests[-1].json["messages"]) > len(model.requests[0].json["messages"])


def test_memories_that_were_recalled_are_told(app: App) -> None:
    with serving(app) as address:
        laptop = program(app, address)
        with laptop.say("Remember that my dentist is Dr. Okafor in Leeds.") as talk:
            talk.rest()
        with laptop.say("Who is my dentist?") as again:
            memories = again.until("recalled")["memories"]
    assert any("Okafor" in one["text"] for one in memories)


def test_the_message_is_on_the_disk_before_the_model_is_asked(app: App) -> None:
    seen: list[bool] = []

    def look(request: Received) -> Say:
        with_message = app.memory.sessions(Listing(), 5)
        seen.append(bool(with_message) and said(app, with_message[0].session.id)[0][1] == "Hello there")
        return Say("Hello.")

    with talking(app, look) as (_, laptop, _), laptop.say("Hello there") as talk:
        talk.rest()
    assert seen == [True]


@pytest.mark.parametrize("is_allowed", [True, False])
def test_a_tool_runs_after_a_yes_and_not_after_a_no(app: App, is_allowed: bool) -> None:
    with talking(app, COMMAND, Say("So be it.")) as (served, laptop, _):
        with laptop.say("Make it.") as talk:
            asked = talk.until("approval")
            assert "echo done" in asked["question"]
            place, answer = f"/api/chat/{talk.turn}/approval", {"id": asked["id"], "is_allowed": is_allowed}
            assert laptop.post(place, answer).status_code == 200
            result = talk.until("result")
            talk.rest()
        assert "decided" in talk.names
        assert (served.home.workspace / "made.txt").exists() is is_allowed
        assert result["is_error"] is not is_allowed
        assert laptop.post(place, answer).status_code == 409


def test_a_yes_needs_a_token_that_may_admin(app: App) -> None:
    with talking(app, COMMAND, Say("Then not.")) as (served, laptop, _):
        writer = Program(laptop.address, tokens.create(served.store, "writer", "write").shown)
        with writer.say("Make it.") as talk:
            asked = talk.until("approval")
            place = f"/api/chat/{talk.turn}/approval"
            assert writer.post(place, {"id": asked["id"], "is_allowed": True}).status_code == 403
            assert writer.post(place, {"id": asked["id"], "is_allowed": False}).status_code == 200
            talk.rest()
        assert not (served.home.workspace / "made.txt").exists()


def test_an_answer_ends_with_its_token_and_is_kept_so_far(app: App) -> None:
    with talking(app, COMMAND, Say("Never said.")) as (served, laptop, _):
        one = Program(laptop.address, tokens.create(served.store, "lost", "admin").shown)
        with one.say("Make it.") as talk:
            talk.until("approval")
            tokens.revoke(served.store, "lost")
            assert talk.rest()[-1] == "failed" and "was revoked" in talk.seen[-1][1]["detail"]
        deadline = clock.monotonic() + PATIENCE_SECONDS
        while len(said(served, talk.session)) < 2:
            assert clock.monotonic() < deadline
        assert not (served.home.workspace / "made.txt").exists()
        assert "Never said." not in str(said(served, talk.session))


def test_what_nobody_answers_in_time_is_a_no(app: App) -> None:
    with talking(app, COMMAND, Say("Then not."), HERMES_WEB_APPROVAL_SECONDS="0.05") as (served, laptop, _):
        with laptop.say("Make it.") as talk:
            talk.rest()
        decided = dict(talk.seen)["decided"]
        assert decided["is_allowed"] is False and decided["is_answered"] is False
        assert not (served.home.workspace / "made.txt").exists()
        assert talk.seen[-1][1]["text"] == "Then not."


def test_only_the_token_that_asked_may_answer_follow_or_stop(app: App) -> None:
    with talking(app, COMMAND, Say("Done.")) as (served, laptop, _):
        other = program(served, laptop.address, "another")
        with laptop.say("Make it.") as talk:
            asked = talk.until("approval")
            place = f"/api/chat/{talk.turn}"
            answer = {"id": asked["id"], "is_allowed": True}
            assert other.post(f"{place}/approval", answer).status_code == 404
            assert other.post(f"{place}/stop", {}).status_code == 404
            assert other.get(place).status_code == 404
            assert laptop.post(f"{place}/approval", {**answer, "id": "another"}).status_code == 409
            assert laptop.post(f"{place}/approval", answer).status_code == 200
            assert talk.until("result")["is_error"] is False


def test_stopping_keeps_the_words_that_had_come(app: App) -> None:
    with talking(app, Hang("Half an ans")) as (served, laptop, model):
        with laptop.say("Tell me all.") as talk:
            talk.until("text")
            assert laptop.post(f"/api/chat/{talk.turn}/stop", {}).status_code == 200
            finished = talk.until("finished")
            assert laptop.post(f"/api/chat/{talk.turn}/stop", {}).status_code == 200
        assert finished["ending"] == "interrupted" and finished["text"] == "Half an ans"
        assert said(served, talk.session) == [("user", "Tell me all."), ("assistant", "Half an ans")]
        assert kept(served, talk.session)[-1].finish_reason == "interrupted"
        assert model.left.wait(PATIENCE_SECONDS)


def test_a_client_that_leaves_stops_the_answer_and_it_is_kept(app: App) -> None:
    with talking(app, Hang("Half"), Say("Whole.")) as (served, laptop, model):
        with laptop.say("Tell me.") as talk:
            talk.until("text")
        assert until_kept(served, talk.session, 2) == [("user", "Tell me."), ("assistant", "Half")]
        assert model.left.wait(PATIENCE_SECONDS)
        with laptop.say("Again.", session=talk.session) as again:
            assert again.until("finished")["text"] == "Whole."


def test_stopping_ends_a_command_that_runs(app: App) -> None:
    slow = Use(Call("shell", json.dumps({"command": "sleep 300"})))
    with talking(
        app, slow, Say("?"), HERMES_TOOLS_SHELL="allow", HERMES_TOOLS_SHELL_ALLOWED='["sleep *"]'
    ) as made:
        served, laptop, _ = made
        with laptop.say("Sleep.") as talk:
            talk.until("tool")
            laptop.post(f"/api/chat/{talk.turn}/stop", {})
            assert talk.until("finished")["ending"] == "interrupted"
        assert "stopped this while it was" in (kept(served, talk.session)[-2].content or "")


def test_a_stop_while_a_question_waits_runs_nothing(app: App) -> None:
    with talking(app, COMMAND, Say("?")) as (served, laptop, _):
        with laptop.say("Make it.") as talk:
            talk.until("approval")
            laptop.post(f"/api/chat/{talk.turn}/stop", {})
            assert talk.until("finished")["ending"] == "interrupted"
        assert not (served.home.workspace / "made.txt").exists()


def test_a_session_has_one_turn_at_a_time(app: App) -> None:
    with talking(app, Say("Yes."), Hang("Wait")) as (served, laptop, _):
        with laptop.say("First.") as talk:
            talk.rest()
        with laptop.say("Second.", session=talk.session) as busy:
            busy.until("text")
            refused = laptop.post("/api/chat", {"message": "Third.", "session": talk.session})
            assert refused.status_code == 409
            assert refused.headers["content-type"] == "application/problem+json"
            assert [text for role, text in said(served, talk.session) if role == "user"] == ["First.", "Second."]


def test_two_chats_go_on_at_once(app: App) -> None:
    both = threading.Barrier(2, timeout=PATIENCE_SECONDS)

    def together(request: Received) -> Say:
        both.wait()
        return Say("Me too.")

    with talking(app, together) as (_, laptop, _):
        sessions: list[str] = []

        def talk_once() -> None:
            with laptop.say("Both at once.") as talk:
                assert talk.until("finished")["text"] == "Me too."
                sessions.append(talk.session)

        at_once(talk_once, talk_once)
    assert len(set(sessions)) == 2


def test_the_same_message_with_the_same_key_is_one_turn(app: App) -> None:
    with talking(app, Say("Once.")) as (served, laptop, model):
        turns: list[str] = []

        def once() -> None:
            with laptop.say("Only once.", key="k1") as talk:
                assert talk.until("finished")["text"] == "Once."
                turns.append(talk.turn)

        at_once(once, once)
        once()
        assert len(set(turns)) == 1 and len(model.requests) == 1
        with laptop.say("Only once.", key="k2") as talk:
            talk.rest()
        assert talk.turn not in turns
        with laptop._client() as client:
            other = client.post("/api/chat", json={"message": "Else."}, headers={"Idempotency-Key": "k1"})
        assert other.status_code == 422
        assert len(served.memory.sessions(Listing(), 10)) == 2


def test_a_turn_can_be_followed_again_from_its_beginning(app: App) -> None:
    with talking(app, Say("One", " two.")) as (_, laptop, _):
        with laptop.say("Count.") as talk:
            talk.rest()
        again = laptop.get(f"/api/chat/{talk.turn}")
    assert again.text.count("event: text") == talk.names.count("text")
    assert "event: finished" in again.text


def test_why_there_is_no_answer_is_an_event_and_kept(app: App) -> None:
    with talking(app, Fail(401, "bad key")) as (served, laptop, _):
        with laptop.say("Hello.") as talk:
            failed = talk.until("failed")
        assert failed["detail"] and failed["status"] == 502
        assert "[No answer:" in (said(served, talk.session)[-1][1] or "")


def test_an_incognito_conversation_goes_on_and_leaves_nothing(app: App) -> None:
    with talking(app, Say("Psst."), Say("Still here.")) as (served, laptop, model):
        with laptop.say("A secret plan.", incognito=True) as talk:
            talk.rest()
        with laptop.say("Which plan?", session=talk.session, incognito=True) as again:
            assert again.until("finished")["text"] == "Still here."
        assert "A secret plan." in json.dumps(model.requests[-1].json)
        assert served.memory.sessions(Listing(), 5) == []


def test_what_does_not_fit_is_refused_before_anything_is_kept(doors: Doors) -> None:
    writer = doors.program("write")
    assert writer.post("/api/chat", json={"message": "  "}).status_code == 422
    assert writer.post("/api/chat", json={"message": ""}).status_code == 422
    assert writer.post("/api/chat", json={"message": "Hi", "session": "nowhere"}).status_code == 404
    assert writer.post("/api/chat/none/stop").status_code == 404
    assert writer.get("/api/chat/none").status_code == 404
    assert doors.program("read").post("/api/chat", json={"message": "Hi"}).status_code == 403
    assert doors.stranger().post("/api/chat", json={"message": "Hi"}).status_code == 401
    assert doors.app.memory.sessions(Listing(), 5) == []
