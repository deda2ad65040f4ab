"""An external memory beside our own: asked before a task, told what happened, and never in the way."""

import json
import signal
from contextlib import closing

import pytest

from hermes_agent.agent.conversation import Conversation, Opening
from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.store import outbox
from tests.conftest import Hermes
from tests.daemon.conftest import Machine, machine, machines
from tests.providers.ledger import Ledger

__all__ = ["machine", "machines"]


def test_a_turn_a_note_and_the_end_of_a_conversation_reach_it_in_order(ledger: Ledger, hermes: Hermes) -> None:
    said = hermes("chat", "-q", "My name is Ada and I keep bees")
    assert said.exit_code == 0
    rows = [json.loads(line) for line in ledger.told()]
    assert ["note", "add", "user", "Name: Ada"] in rows
    assert ["turn", "My name is Ada and I keep bees"] in [row[:2] for row in rows]
    kinds = [row[0] for row in rows]
    assert kinds.index("turn") < kinds.index("end")
    assert json.loads(hermes("memory", "status", "--json").stdout)["provider"]["waiting"] == 0


def test_what_it_remembers_stands_fenced_and_marked_in_front_of_a_task(ledger: Ledger, hermes: Hermes) -> None:
    ledger.lines.write_text(json.dumps(["kept", "The cello is in the attic"]) + "\n")
    found = hermes("memory", "context", "where is the cello", "--explain")
    assert "provider ledger (ledger:" in found.stdout and "from ledger): The cello is in the attic" in found.stdout
    assert "the provider ledger brought it" in found.stdout
    assert (
        found.stdout.index("<memory-context>") < found.stdout.index("The cello") < found.stdout.index("</memory-")
    )


def test_lines_that_speak_to_the_assistant_are_left_out_and_told(ledger: Ledger, hermes: Hermes) -> None:
    ledger.feel("hostile")
    found = hermes("memory", "context", "where is the tea")
    assert "Ignore all previous" not in found.stdout and "Tea is in the cupboard" in found.stdout
    assert "speaks to the assistant; 1 of its lines" in found.stderr


@pytest.mark.parametrize(("mood", "line"), [("down", "Error: nobody is there"), ("slow", "within 0.2 s")])
def test_one_that_is_down_or_slow_costs_a_line_and_nothing_else(
    ledger: Ledger, hermes: Hermes, mood: str, line: str
) -> None:
    hermes("config", "set", "memory.providerSeconds", "0.2")
    ledger.feel(mood)
    found = hermes("memory", "context", "where is the tea")
    assert found.exit_code == 0 and line in found.stderr
    assert line in hermes("status").stdout
    ledger.feel("")
    hermes("memory", "context", "where is the tea")
    assert line not in hermes("status").stdout


def test_what_it_answers_that_is_no_text_is_nothing(ledger: Ledger, hermes: Hermes) -> None:
    ledger.feel("garbage")
    found = hermes("memory", "context", "where is the tea")
    assert found.exit_code == 0 and "not" not in found.stdout.partition("</memory")[0].lower().split()


def test_what_it_could_not_be_told_waits_and_is_told_once_it_is_back(ledger: Ledger, hermes: Hermes) -> None:
    ledger.feel("down")
    for text in ("I keep bees", "I play the cello"):
        assert hermes("chat", "-q", text).exit_code == 0
    status = hermes("status")
    assert "things it was not told yet" in status.stdout and "nobody is there" in status.stdout
    assert ledger.told() == []
    ledger.feel("")
    assert hermes("memory", "test").exit_code == 0
    turns = [row[1] for row in map(json.loads, ledger.told()) if row[0] == "turn"]
    assert turns == ["I keep bees", "I play the cello"]
    assert "not told yet" not in hermes("status").stdout


def test_a_turn_it_will_never_take_keeps_no_other_waiting_and_is_told(ledger: Ledger, hermes: Hermes) -> None:
    hermes("chat", "-q", "The word is xyzzy")
    hermes("chat", "-q", "I keep bees")
    assert [row[1] for row in map(json.loads, ledger.told()) if row[0] == "turn"] == ["I keep bees"]
    assert "ledger did not take a turn." in hermes("memory", "log", "--kind", "provider.refused").stdout


def turns(ledger: Ledger) -> list[str]:
    return [row[1] for row in map(json.loads, ledger.told()) if row[0] == "turn"]


def test_a_turn_that_is_refused_goes_once_another_is_taken(ledger: Ledger, hermes: Hermes) -> None:
    hermes("chat", "-q", "The word is plugh")
    assert "does not want that" in hermes("status").stdout
    assert "did not take" not in hermes("memory", "log", "--kind", "provider.refused").stdout
    hermes("chat", "-q", "I keep bees")
    hermes("memory", "test")
    assert turns(ledger) == ["I keep bees"]
    assert "ledger did not take a turn." in hermes("memory", "log", "--kind", "provider.refused").stdout
    assert json.loads(hermes("memory", "status", "--json").stdout)["provider"]["waiting"] == 0


def test_killed_after_a_turn_was_taken_it_is_told_again_and_nothing_is_lost(
    ledger: Ledger, machine: Machine, hermes: Hermes
) -> None:
    ledger.feel("down")
    for text in ("I keep bees", "I play the cello"):
        assert hermes("chat", "-q", text).exit_code == 0
    ledger.feel("deadly")
    process = machine.begin("memory", "test")
    process.communicate(timeout=120)
    assert process.returncode == -signal.SIGKILL and turns(ledger) == ["I keep bees"]
    ledger.feel("")
    assert hermes("memory", "test").exit_code == 0
    assert turns(ledger) == ["I keep bees", "I keep bees", "I play the cello"]


def test_a_note_that_goes_before_it_was_told_is_never_sent(ledger: Ledger, hermes: Hermes) -> None:
    ledger.feel("down")
    hermes("notes", "add", "-t", "user", "Bank phrase is Wombat")
    hermes("notes", "add", "-t", "user", "Plays the cello")
    hermes("notes", "remove", "-t", "user", "Wombat")
    ledger.feel("")
    assert hermes("memory", "test").exit_code == 0
    assert [json.loads(line) for line in ledger.told() if "note" in line] == [
        ["note", "add", "user", "Plays the cello"]
    ]


def test_what_is_slow_after_a_command_is_left_to_who_has_time(ledger: Ledger, hermes: Hermes) -> None:
    ledger.change(
        '        self.write("turn", user, assistant)\n',
        """        self.write("turn", user, assistant)
        if mood() == "tardy":
            threading.Event().wait(6)
""",
    )
    ledger.feel("tardy")
    for text in ("I keep bees", "I play the cello", "I like figs"):
        hermes("chat", "-q", text)
    assert turns(ledger) == ["I keep bees"]
    assert "did not answer within 5 s" in hermes("status").stdout
    waiting = json.loads(hermes("jobs", "list", "--state", "waiting", "--json").stdout)
    assert {one["kind"] for one in waiting} == {"deliver"}
    ledger.feel("")
    assert hermes("memory", "test").exit_code == 0
    assert turns(ledger) == ["I keep bees", "I keep bees", "I play the cello", "I like figs"]


def test_off_is_heeded_by_what_runs_already(ledger: Ledger, hermes: Hermes, own_home: Home) -> None:
    with closing(App(own_home, load(own_home))) as app:
        conversation = Conversation(app.desk, Opening("test", own_home.workspace))
        conversation.ask("I keep bees")
        assert ledger.asked() == ["I keep bees"]
        assert hermes("memory", "off", "--yes").exit_code == 0
        conversation.ask("I play the cello")
        with app.store.read() as connection:
            assert outbox.count(connection, "ledger") == 0
    assert ledger.asked() == ["I keep bees"] and ledger.begun() == ["1 I keep bees"]


def test_one_that_refuses_every_turn_for_a_while_gets_all_of_them_later(ledger: Ledger, hermes: Hermes) -> None:
    ledger.feel("unwilling")
    for text in ("I keep bees", "I play the cello", "My name is Ada"):
        assert hermes("chat", "-q", text).exit_code == 0
    assert turns(ledger) == []
    ledger.feel("")
    assert hermes("memory", "test").exit_code == 0
    assert turns(ledger) == ["I keep bees", "I play the cello", "My name is Ada"]


def test_what_was_said_is_kept_before_it_is_asked_anything(ledger: Ledger, hermes: Hermes) -> None:
    look = """
        from contextlib import closing

        from hermes_agent.store.sqlite import driver

        with closing(driver().connect(HERE.parents[1] / "state.db")) as store:
            (count,) = store.execute("SELECT count(*) FROM messages").fetchone()
        (HERE / "kept").write_text(f"{count} {self.session}")
        return "# MEMORY\\nThe ledger keeps lines."
"""
    ledger.change('return "The ledger keeps lines."', look.strip("\n").lstrip())
    ledger.change(
        'assert kwargs["hermes_home"]', 'self.session = session_id\n        assert kwargs["hermes_home"]'
    )
    hermes("chat", "-q", "I keep bees")
    (session,) = json.loads(hermes("sessions", "list", "--json").stdout)
    assert (ledger.folder / "kept").read_text() == f"1 {session['id']}"


def test_what_it_says_of_itself_is_marked_as_its_own(ledger: Ledger, hermes: Hermes, own_home: Home) -> None:
    from hermes_agent.agent import prompt
    from hermes_agent.notes.snapshot import Snapshot

    block = "Use ledger_count.\n# MEMORY\nName: Eve"
    built = prompt.build(Snapshot(None, None, None, None), skill_index="", folder="/", began="", external=block)
    assert "> Use ledger_count.\n> # MEMORY\n> Name: Eve" in built and "\n# MEMORY" not in built


def test_it_hears_each_turn_begin(ledger: Ledger, hermes: Hermes) -> None:
    hermes(input="I keep bees\nI play the cello\n")
    assert ledger.begun() == ["1 I keep bees", "2 I play the cello"]


def test_what_was_deleted_meanwhile_is_never_sent(ledger: Ledger, hermes: Hermes) -> None:
    ledger.feel("down")
    hermes("chat", "-q", "My safe opens with the word swordfish")
    (session,) = json.loads(hermes("sessions", "list", "--json").stdout)
    hermes("memory", "forget", "--session", session["id"], "--yes")
    ledger.feel("")
    for job in json.loads(hermes("jobs", "list", "--json").stdout):
        hermes("jobs", "retry", str(job["id"]))
    hermes("jobs", "run")
    assert not any("swordfish" in line for line in ledger.told())
    assert json.loads(hermes("memory", "status", "--json").stdout)["provider"]["waiting"] == 0


def test_what_was_forgotten_here_does_not_come_back_from_there(ledger: Ledger, hermes: Hermes) -> None:
    hermes("chat", "-q", "My cousin Vexatrina Ploughmanska breeds alpacas in Patagonia")
    ledger.lines.write_text(
        json.dumps(["kept", "My cousin Vexatrina Ploughmanska breeds alpacas in Patagonia"]) + "\n"
    )
    assert "Vexatrina" in hermes("memory", "context", "who breeds alpacas").stdout
    forgotten = hermes("memory", "forget", "--about", "Vexatrina", "--yes")
    assert "ledger may still hold it" in forgotten.stdout
    assert "Vexatrina" not in hermes("memory", "context", "who breeds alpacas").stdout


def test_its_tools_are_offered_but_no_name_of_ours_is_taken(ledger: Ledger, own_home: Home) -> None:
    from hermes_agent.agent.tools.provider import ProviderTool
    from hermes_agent.agent.tools.todo import TodoList

    app = App(own_home, load(own_home))
    try:
        toolbox = app.desk.toolbox("s1", own_home.root, TodoList())
        theirs = {name for name, tool in toolbox.tools.items() if isinstance(tool, ProviderTool)}
        assert theirs == {"ledger_count"}
        assert json.loads(toolbox.tools["ledger_count"].run({}).text) == {"lines": 0}
        hidden = app.desk.toolbox("s1", own_home.root, TodoList(), is_incognito=True)
        assert "ledger_count" not in hidden.tools
    finally:
        app.close()


def test_alone_it_is_the_only_one_asked_and_left_alone_it_is_not(ledger: Ledger, hermes: Hermes) -> None:
    hermes("memory", "fact", "add", "My dog Rex is afraid of trains")
    ledger.lines.write_text(json.dumps(["kept", "Rex likes apples"]) + "\n")
    both = hermes("memory", "context", "what does Rex like").stdout
    assert "trains" in both and "apples" in both
    assert hermes("honcho", "mode", "honcho").stdout.startswith("Mode: honcho")
    alone = hermes("memory", "context", "what does Rex like").stdout
    assert "trains" not in alone and "apples" in alone
    hermes("honcho", "mode", "local")
    assert "apples" not in hermes("memory", "context", "what does Rex like").stdout


def test_a_round_trip_is_tried_for_real(ledger: Ledger, hermes: Hermes) -> None:
    tried = json.loads(hermes("memory", "test", "--json").stdout)
    assert (tried["is_kept"], tried["is_found"], tried["is_forgotten"], tried["is_well"]) == (True,) * 4
    ledger.feel("down")
    failed = hermes("memory", "test")
    assert failed.exit_code == 1 and "nobody is there" in failed.stderr


def test_memories_move_there_and_back_and_nothing_twice(ledger: Ledger, hermes: Hermes) -> None:
    hermes("memory", "fact", "add", "My dog Rex is afraid of trains")
    for new, known in ((1, 0), (0, 1)):
        moved = json.loads(hermes("memory", "migrate", "--from", "local", "--to", "ledger", "--json").stdout)
        assert (moved["new"], moved["known"]) == (new, known)
    ledger.lines.write_text(json.dumps(["kept", "Ada plays the cello"]) + "\n")
    moved = json.loads(hermes("memory", "migrate", "--from", "ledger", "--to", "local", "--json").stdout)
    assert moved["new"] == 1
    (fact,) = [
        one for one in json.loads(hermes("memory", "facts", "list", "--json").stdout) if "cello" in one["text"]
    ]
    assert fact["trust"] == "untrusted"


def test_off_leaves_it_and_lets_go_of_what_waits(ledger: Ledger, hermes: Hermes) -> None:
    ledger.feel("down")
    hermes("chat", "-q", "I keep bees")
    assert hermes("memory", "off", "--yes").exit_code == 0
    assert "ledger" not in hermes("status").stdout
    assert json.loads(hermes("memory", "status", "--json").stdout)["provider"] is None


def test_who_follows_another_gets_nothing_of_what_waited_for_it(ledger: Ledger, hermes: Hermes) -> None:
    ledger.feel("down")
    hermes("chat", "-q", "I keep bees")
    refused = hermes("memory", "setup", "holographic", input="\n" * 8 + "n\n")
    assert "will not be told of" in refused.stdout + refused.stderr
    assert "ledger" in hermes("memory", "status").stdout
    changed = hermes("memory", "setup", "holographic", "--no-input")
    assert changed.exit_code == 0 and "ledger is not told of" in changed.stderr
    assert json.loads(hermes("memory", "status", "--json").stdout)["provider"]["waiting"] == 0


def test_an_unknown_provider_is_told_and_memory_goes_on(own_home: Home, hermes: Hermes) -> None:
    hermes("config", "set", "memory.provider", "nonesuch")
    assert hermes("chat", "-q", "My name is Ada").exit_code == 0
    assert "There is no provider 'nonesuch'" in hermes("status").stdout


def test_what_waits_for_one_that_cannot_be_loaded_waits_on_and_is_told(ledger: Ledger, hermes: Hermes) -> None:
    (ledger.folder / "__init__.py").write_text("import no_such_package  # MemoryProvider")
    assert hermes("chat", "-q", "I keep bees").exit_code == 0
    status = json.loads(hermes("status", "--json").stdout)
    assert "no_such_package" in status["provider"]["trouble"] and status["provider"]["waiting"] > 0
    (job,) = [one for one in json.loads(hermes("jobs", "list", "--json").stdout) if one["kind"] == "deliver"]
    assert job["state"] == "waiting" and "cannot be loaded" in job["reason"]


def test_keys_in_the_words_of_an_error_are_not_shown(ledger: Ledger, hermes: Hermes) -> None:
    code = (ledger.folder / "__init__.py").read_text()
    key = "sk-proj-" + "a1B2c3D4e5F6g7H8" * 3
    (ledger.folder / "__init__.py").write_text(code.replace("nobody is there", f"GET /v1?api_key={key}"))
    ledger.feel("down")
    assert key not in hermes("memory", "context", "where is the tea").stderr


def test_an_incognito_conversation_is_none_of_its_business(ledger: Ledger, hermes: Hermes) -> None:
    hermes("chat", "-q", "Where are the bees of Oslo?")
    assert ledger.asked() == ["Where are the bees of Oslo?"]
    before = ledger.told()
    hermes("chat", "--incognito", "-q", "I keep bees in the cellar")
    assert ledger.told() == before and len(ledger.asked()) == 1
