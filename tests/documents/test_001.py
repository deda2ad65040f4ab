"""What document 001 teaches: the two notebooks, the tool behind them, the frozen snapshot, the search."""

import json

from hermes_agent.agent.conversation import Conversation, Opening
from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from tests.conftest import Hermes
from tests.fakes import ScriptedModel, call, reply


def converse(home: Home, model: ScriptedModel) -> Conversation:
    app = App(home, load(home), model=model)
    return Conversation(app.desk, Opening("cli", home.root))


def test_remember_that_i_prefer_becomes_a_line_of_user_md(hermes: Hermes, own_home: Home) -> None:
    hermes("chat", "-q", "Remember that I prefer ripgrep over grep.")
    assert "ripgrep" in (own_home.memories / "USER.md").read_text()


def test_scratch_that_note_removes_it(hermes: Hermes, own_home: Home) -> None:
    hermes("chat", "-q", "Remember that this repo deploys via Vercel.")
    assert "Vercel" in (own_home.memories / "MEMORY.md").read_text()
    hermes("chat", "-q", "Forget that this repo deploys via Vercel.")
    assert "Vercel" not in (own_home.memories / "MEMORY.md").read_text()


def test_a_fact_saved_in_a_session_is_in_the_tools_output_and_in_the_next_sessions_header(own_home: Home) -> None:
    add = json.dumps({"action": "add", "target": "user", "content": "Call them by their first name, Kevin."})
    model = ScriptedModel([reply("", call("memory", add)), reply("Saved."), reply("Hello again.")])
    conversation = converse(own_home, model)
    conversation.ask("Always call me by my first name, Kevin.")
    conversation.ask("Hello")
    first, second, third = model.requests
    # Frozen: the header of the running session does not change, byte for byte.
    assert first.system_prompt == second.system_prompt == third.system_prompt
    assert "first name, Kevin" not in third.system_prompt
    assert "first name, Kevin" in str(second.lines)
    later = ScriptedModel([reply("Hello Kevin.")])
    converse(own_home, later).ask("Hello")
    assert "Call them by their first name, Kevin." in later.requests[0].system_prompt


def test_a_resumed_session_sends_the_header_it_began_with(own_home: Home) -> None:
    model = ScriptedModel([reply("Hello.")])
    conversation = converse(own_home, model)
    began = conversation.ask("Hello").session_id
    (own_home.memories / "USER.md").write_text("Name: Somebody else")
    again = ScriptedModel([reply("Back.")])
    resumed = converse(own_home, again)
    resumed.resume(began)
    resumed.ask("I am back")
    assert again.requests[0].system_prompt == model.requests[0].system_prompt
    assert list(again.requests[0].lines[:1]) == list(model.requests[0].lines)


def test_the_agent_searches_its_own_past(own_home: Home) -> None:
    converse(own_home, ScriptedModel([reply("Noted.")])).ask("The staging deploy runs on Fridays.")
    search = json.dumps({"query": "staging deploy"})
    model = ScriptedModel([reply("", call("session_search", search)), reply("On Fridays.")])
    converse(own_home, model).ask("Have we ever talked about it?")
    found = json.loads(str(model.requests[1].lines[-1].text))
    assert found["results"][0]["snippet"].count(">>>") > 0
