"""Looking back: what a review may do, and what is proposed."""

import json
from pathlib import Path

from hermes_agent.agent import review
from hermes_agent.agent.conversation import Conversation, Opening
from hermes_agent.agent.nudge import REVIEW
from hermes_agent.agent.tools.todo import TodoList
from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.handlers import every_handler
from hermes_agent.jobs.worker import run_due
from hermes_agent.records.talk import Reply
from hermes_agent.store.sessions import Listing
from tests.conftest import Hermes
from tests.fakes import ScriptedModel, call, reply

SAVED = json.dumps({"action": "add", "target": "user", "content": "Prefers tabs"})


NOTES_DUE = "memory:\n  nudgeInterval: 2\n"
SKILLS_DUE = "memory:\n  nudgeInterval: 0\nskills:\n  creationNudgeInterval: 1\n"
DOCUMENT = """---
name: release-the-tool
description: Release the tool. Use when the user asks for a release.
---
1. Run the tests.
2. Tag the commit and push the tag.
"""
KEPT = json.dumps({"action": "create", "name": "release-the-tool", "content": DOCUMENT})


def reviewed(home: Home, folder: Path, *script: Reply, settings: str = NOTES_DUE) -> tuple[App, ScriptedModel]:
    """Talk until a review is due, and run it."""
    home.root.mkdir(parents=True, exist_ok=True)
    home.config_yaml.write_text(settings)
    talk = [reply("Hello."), reply("Yes.")]
    if settings == SKILLS_DUE:
        talk = [reply("", call("todo")), reply("Released."), reply("Yes.")]
    model = ScriptedModel([*talk, *script])
    app = App(home, load(home), model=model)
    conversation = Conversation(app.desk, Opening("cli", folder))
    conversation.ask("I always use tabs.")
    conversation.ask("Never spaces.")
    assert [o.reason for o in run_due(app.store, {REVIEW: every_handler(app)[REVIEW]})] == [None]
    return app, model


def test_a_review_saves_a_note_and_leaves_no_word_in_the_archive(own_home: Home, tmp_path: Path) -> None:
    app, model = reviewed(own_home, tmp_path, reply("", call("memory", SAVED)), reply("Saved."))
    assert app.notebook.entries("user") == ["Prefers tabs"]
    assert app.memory.log(1)[0].actor == "review"
    (session,) = [listed.session for listed in app.memory.sessions(Listing(), 5)]
    assert [message.content for message in app.memory.messages(session.id)] == [
        "I always use tabs.",
        "Hello.",
        "Never spaces.",
        "Yes.",
    ]
    # The vendor's cache serves it: the same prompt, tools and lines as the conversation had.
    talk, look_back = model.requests[1], model.requests[2]
    assert (talk.system_prompt, talk.tools) == (look_back.system_prompt, look_back.tools)
    assert list(look_back.lines[: len(talk.lines)]) == list(talk.lines)
    app.close()


def test_a_review_may_use_nothing_but_memory(own_home: Home, tmp_path: Path) -> None:
    write = json.dumps({"path": "x.txt", "content": "x"})
    app, model = reviewed(own_home, tmp_path, reply("", call("write_file", write)), reply("Nothing to save."))
    assert not (tmp_path / "x.txt").exists()
    assert "Only `memory`" in str(model.requests[-1].lines[-1])
    app.close()


def test_after_rounds_of_tools_a_review_keeps_a_skill(own_home: Home, tmp_path: Path) -> None:
    app, model = reviewed(
        own_home, tmp_path, reply("", call("skill_manage", KEPT)), reply("Kept."), settings=SKILLS_DUE
    )
    assert [skill.name for skill in app.library.list()] == ["release-the-tool"]
    entry = app.memory.log(1, subject="release-the-tool")[0]
    assert (entry.actor, entry.cause) == ("agent", "review")
    assert "skill_manage" in str(model.requests[-2].lines[-1])
    app.close()


def test_a_review_of_the_work_writes_no_notes_and_one_of_the_notes_no_skills(
    own_home: Home, tmp_path: Path
) -> None:
    app, model = reviewed(
        own_home, tmp_path, reply("", call("memory", SAVED)), reply("Nothing."), settings=SKILLS_DUE
    )
    assert app.notebook.entries("user") == []
    assert "Only `skill_manage`" in str(model.requests[-1].lines[-1])
    app.close()
    app, model = reviewed(own_home, tmp_path, reply("", call("skill_manage", KEPT)), reply("Nothing."))
    assert app.library.list() == []
    app.close()


def test_a_review_stops_after_some_rounds(own_home: Home, tmp_path: Path) -> None:
    app, model = reviewed(own_home, tmp_path, reply("", call("memory", SAVED)))
    assert len(model.requests) == 2 + 16
    app.close()


def test_a_model_proposes_and_nothing_is_written(own_home: Home) -> None:
    model = ScriptedModel([reply("Hello."), reply("", call("memory", SAVED)), reply("Done.")])
    app = App(own_home, load(own_home), model=model)
    conversation = Conversation(app.desk, Opening("cli", own_home.root))
    session_id = conversation.ask("I use tabs.").session_id
    opened = app.memory.opened(session_id)
    spec = app.desk.toolbox(session_id, own_home.root, TodoList()).tools["memory"].spec
    found = review.suggest(model, spec, opened.system_prompt or "", opened.messages, known=[])
    assert found == [review.Proposal("user", "Prefers tabs")]
    assert app.notebook.entries("user") == []
    app.close()


def test_without_a_model_a_remark_that_was_not_noted_is_proposed(hermes: Hermes) -> None:
    hermes("chat", "-q", "it was raining cats and dogs this afternoon")
    assert "raining" not in hermes("notes", "show").stdout
    (proposal,) = json.loads(hermes("memory", "suggest", "--json").stdout)["proposals"]
    assert "raining cats and dogs" in proposal["text"]
    hermes("memory", "suggest", "--yes")
    assert "raining cats and dogs" in hermes("notes", "show").stdout
