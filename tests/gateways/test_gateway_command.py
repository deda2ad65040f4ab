"""`hermes gateway`: set up, listed, told; secrets only in the `.env`."""

import json
import sys

import pytest

from hermes_agent.config import paths
from hermes_agent.config.gateway_settings import TELEGRAM
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from tests.conftest import Hermes
from tests.terminal import open_chat

TOKEN = "123456:a-token-of-nobody"
OTHER_TOKEN = "654321:another-token"


def test_what_there_is_and_what_each_needs(hermes: Hermes) -> None:
    outcome = hermes("gateway", "list", "--json")
    assert outcome.exit_code == 0
    listed = {one["name"]: one for one in json.loads(outcome.stdout)}
    assert {"telegram", "webhook"} <= set(listed)
    assert listed["telegram"] == {
        "name": "telegram",
        "title": "Telegram",
        "is_enabled": False,
        "needs": "TELEGRAM_BOT_TOKEN, somebody who may write",
    }
    assert "telegram" in hermes("gateway", "list").stdout


def test_a_set_up_keeps_the_secret_in_the_env_and_nowhere_else(hermes: Hermes, own_home: Home) -> None:
    outcome = hermes("gateway", "setup", "telegram", "--owner", "12", "--allow", "7", "--allow", "8", input=TOKEN)
    assert (outcome.exit_code, TOKEN in outcome.stdout + outcome.stderr) == (0, False)
    settings = load(own_home)
    assert settings[TELEGRAM.enabled]
    assert (settings[TELEGRAM.owners], settings[TELEGRAM.allowed]) == (["12"], ["7", "8"])
    assert own_home.env_file.read_text() == f"TELEGRAM_BOT_TOKEN={TOKEN}\n"
    holding = [path for path in own_home.root.rglob("*") if path.is_file() and TOKEN.encode() in path.read_bytes()]
    assert holding == [own_home.env_file]


def test_a_set_up_without_people_says_that_nobody_may_write(hermes: Hermes) -> None:
    outcome = hermes("gateway", "setup", "telegram", input=TOKEN)
    assert outcome.exit_code == 0
    assert "Nobody may write yet: hermes gateway setup telegram --owner ID" in outcome.stderr


@pytest.mark.parametrize(
    ("name", "given", "sentence"),
    [
        ("telegram", ("--owner", ""), "An id for --owner is empty."),
        ("webhook", ("--owner", "me", "--allow", " "), "An id for --allow is empty."),
        ("telegram", ("--owner", "@ada"), "'@ada' is no id on Telegram: ids there are numbers."),
        ("discord", ("--owner", "12", "--allow", "ada#1"), "'ada#1' is no id on Discord: ids there are numbers."),
        ("telegram", ("--owner", "*"), "'*' is no id on Telegram: ids there are numbers."),
    ],
)
def test_what_is_no_id_is_refused_and_nothing_is_kept(
    hermes: Hermes, own_home: Home, name: str, given: tuple[str, ...], sentence: str
) -> None:
    outcome = hermes("gateway", "setup", name, *given, input=TOKEN)
    assert (outcome.exit_code, outcome.stdout) == (2, "")
    assert outcome.stderr.startswith(f"Error: {sentence}\nHint: ")
    assert not own_home.env_file.exists() and not own_home.config_yaml.exists()


def test_everybody_may_be_let_in_where_ids_are_numbers(hermes: Hermes, own_home: Home) -> None:
    assert hermes("gateway", "setup", "telegram", "--owner", " 12 ", "--allow", "*", input=TOKEN).exit_code == 0
    settings = load(own_home)
    assert (settings[TELEGRAM.owners], settings[TELEGRAM.allowed]) == (["12"], ["*"])


def test_ids_that_do_not_fit_are_mended_by_the_command_that_is_named(hermes: Hermes, own_home: Home) -> None:
    paths.ensure(own_home)
    own_home.config_yaml.write_text("gateways: {telegram: {owners: [''], allowed: 5}}\n")
    for option in ("--allow", "--owner"):
        told = hermes("gateway", "list").stderr
        assert f"Hint: Give them anew: hermes gateway setup telegram {option} ID" in told
        assert hermes("gateway", "setup", "telegram", option, "12", input=TOKEN).exit_code == 0
    assert hermes("gateway", "list").exit_code == 0


def test_a_secret_of_ours_is_made_and_shown_once(hermes: Hermes, own_home: Home) -> None:
    made = hermes("gateway", "setup", "webhook", "--owner", "me").stdout.splitlines()[0]
    assert own_home.env_file.read_text() == f"HERMES_WEBHOOK_SECRET={made}\n"
    assert made not in hermes("gateway", "setup", "webhook", "--owner", "me").stdout


def test_another_token_replaces_the_one_before(hermes: Hermes, own_home: Home) -> None:
    hermes("gateway", "setup", "telegram", "--owner", "12", input=TOKEN)
    outcome = hermes("gateway", "setup", "telegram", input=OTHER_TOKEN)
    assert (outcome.exit_code, "TELEGRAM_BOT_TOKEN is replaced." in outcome.stderr) == (0, True)
    assert own_home.env_file.read_text() == f"TELEGRAM_BOT_TOKEN={OTHER_TOKEN}\n"
    outcome = hermes("gateway", "setup", "telegram", "--allow", "7")
    assert (outcome.exit_code, "TELEGRAM_BOT_TOKEN" in outcome.stderr) == (0, False)
    assert own_home.env_file.read_text() == f"TELEGRAM_BOT_TOKEN={OTHER_TOKEN}\n"


def test_at_a_terminal_the_token_is_asked_for_again_and_may_stay(hermes: Hermes, own_home: Home) -> None:
    hermes("gateway", "setup", "telegram", "--owner", "12", input=TOKEN)
    for typed, kept in (("", TOKEN), (OTHER_TOKEN, OTHER_TOKEN)):
        with open_chat("gateway", "setup", "telegram", columns=200) as terminal:
            terminal.expect("TELEGRAM_BOT_TOKEN [(kept as it is)]:")
            terminal.type(f"{typed}\r")
            terminal.expect("Telegram is set up.")
            assert terminal.end() == 0
        assert own_home.env_file.read_text() == f"TELEGRAM_BOT_TOKEN={kept}\n"
        assert kept not in terminal.text


def test_a_token_of_the_environment_wins_and_that_is_said(
    hermes: Hermes, own_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TELEGRAM_BOT_TOKEN", TOKEN)
    outcome = hermes("gateway", "setup", "telegram", "--owner", "12", input=OTHER_TOKEN)
    assert own_home.env_file.read_text() == f"TELEGRAM_BOT_TOKEN={OTHER_TOKEN}\n"
    assert "The environment here has a TELEGRAM_BOT_TOKEN, too, which wins." in outcome.stderr


def test_a_secret_of_ours_is_made_anew_when_that_is_wanted(hermes: Hermes, own_home: Home) -> None:
    before = hermes("gateway", "setup", "webhook", "--owner", "me").stdout.splitlines()[0]
    made = hermes("gateway", "setup", "webhook", "--new-secret").stdout.splitlines()[0]
    assert made != before
    assert own_home.env_file.read_text() == f"HERMES_WEBHOOK_SECRET={made}\n"


def test_a_secret_that_is_not_ours_is_not_made(hermes: Hermes, own_home: Home) -> None:
    outcome = hermes("gateway", "setup", "telegram", "--new-secret", input=TOKEN)
    assert (outcome.exit_code, own_home.env_file.exists()) == (2, False)
    assert "Telegram has no secret that is made here." in outcome.stderr


def test_a_set_up_is_told_to_programs_without_any_secret(hermes: Hermes, own_home: Home) -> None:
    outcome = hermes("gateway", "setup", "telegram", "--json", input=TOKEN)
    assert (outcome.exit_code, TOKEN in outcome.stdout + outcome.stderr) == (0, False)
    assert json.loads(outcome.stdout) == {
        "name": "telegram",
        "title": "Telegram",
        "is_enabled": True,
        "needs": "somebody who may write",
        "new_secrets": ["TELEGRAM_BOT_TOKEN"],
    }
    made = hermes("gateway", "setup", "webhook", "--owner", "me", "--json")
    told = json.loads(made.stdout)
    assert (told["needs"], told["new_secrets"]) == (None, ["HERMES_WEBHOOK_SECRET"])
    secret = own_home.env_file.read_text().split("HERMES_WEBHOOK_SECRET=")[1].strip()
    assert secret not in made.stdout + made.stderr
    assert json.loads(hermes("gateway", "setup", "webhook", "--json").stdout)["new_secrets"] == []
    off = json.loads(hermes("gateway", "setup", "webhook", "--off", "--json").stdout)
    assert (off["is_enabled"], off["new_secrets"]) == (False, [])


def test_it_is_turned_off_again(hermes: Hermes, own_home: Home) -> None:
    hermes("gateway", "setup", "telegram", "--owner", "12", input=TOKEN)
    assert hermes("gateway", "setup", "telegram", "--off").exit_code == 0
    assert not load(own_home)[TELEGRAM.enabled]
    assert load(own_home)[TELEGRAM.owners] == ["12"]


def test_the_status_tells_what_is_not_at_work(hermes: Hermes) -> None:
    assert hermes("gateway", "status").stdout == "No gateway is set up. Set one up: hermes gateway setup NAME\n"
    hermes("gateway", "setup", "telegram", "--owner", "12", input=TOKEN)
    outcome = hermes("gateway", "status")
    assert (outcome.exit_code, outcome.stdout) == (1, "telegram: not at work, 0 chats\n")
    told = json.loads(hermes("gateway", "status", "--json").stdout)
    assert told == [
        {"name": "telegram", "condition": "not at work", "trouble": None, "waiting": 0, "unsent": 0, "chats": 0}
    ]
    assert "telegram not at work" in hermes("status").stdout


def test_a_name_that_nobody_has_is_refused(hermes: Hermes) -> None:
    outcome = hermes("gateway", "setup", "telegraph")
    assert outcome.exit_code == 2
    assert "There is no gateway 'telegraph'." in outcome.stderr


def test_a_gateway_over_http_is_not_run_alone(hermes: Hermes) -> None:
    outcome = hermes("gateway", "run", "webhook")
    assert outcome.exit_code == 2
    assert "it runs with the daemon" in outcome.stderr


def test_a_library_that_is_missing_is_told_by_the_set_up_and_the_doctor(
    hermes: Hermes, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert hermes("doctor").exit_code == 0
    monkeypatch.setitem(sys.modules, "telegram", None)
    outcome = hermes("gateway", "setup", "telegram", "--owner", "12", input=TOKEN)
    assert outcome.exit_code == 0
    assert "Its library is missing: pip install 'hermes-agent[telegram]'" in outcome.stderr
    told = hermes("doctor", "--json")
    assert told.exit_code == 1
    found = {one["text"]: one["advice"] for one in json.loads(told.stdout)["findings"]}
    assert found["Telegram is on, and its library is missing."] == "pip install 'hermes-agent[telegram]'"
    assert hermes("gateway", "setup", "telegram", "--off").exit_code == 0
    assert hermes("doctor").exit_code == 0


def test_the_doctor_says_that_gateways_are_on_and_no_daemon_runs(hermes: Hermes) -> None:
    hermes("gateway", "setup", "telegram", "--owner", "12", input=TOKEN)
    told = hermes("doctor").stdout
    assert "note    Gateways: telegram not at work: no daemon runs\n        Run: hermes start\n" in told
