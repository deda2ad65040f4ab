"""Secrets are found by their form and their place; what merely looks like one stays."""

import json
import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.text.secrets import find, redact
from tests.proof.processes import ROOT, environment
from tests.text.secret_lines import INNOCENT, SECRETS

MARK = re.compile(r"\[redacted: [^\]]+\]")
ANY_STRING = st.text(st.characters(codec=None, exclude_categories=()), max_size=300)
# Pieces that begin, join or end secrets, in any order, with whole secrets between them.
PIECES = st.lists(
    st.one_of(
        st.sampled_from([line for _, _, line in SECRETS]),
        st.sampled_from([secret for _, secret, _ in SECRETS]),
        st.sampled_from(
            ["sk-", "password", "token", "api_key", "secret", " is ", "=", ": ", '"', "'", "\\", "\\n", "@", "://"]
            + ["a:", "ghp_", "eyJ", ".", "-----", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----"]
            + [
                "Authorization: ",
                "Bearer ",
                "Basic ",
                "--token ",
                "AKIA",
                "\n",
                " ",
                "_",
                "-",
                "İ",
                "ſ",
                "K",
                "x1Y2z3",
            ]
        ),
        st.text("aB1-_.=/ ", max_size=40),
    ),
    max_size=12,
).map("".join)


@pytest.mark.parametrize(("kind", "secret", "line"), SECRETS, ids=lambda value: None)
def test_a_secret_is_found_whole_and_nothing_else(kind: str, secret: str, line: str) -> None:
    assert [(one.kind, line[one.start : one.end]) for one in find(line)] == [(kind, secret)]


@pytest.mark.parametrize(("kind", "secret", "line"), SECRETS, ids=lambda value: None)
def test_a_redacted_line_keeps_everything_but_the_secret(kind: str, secret: str, line: str) -> None:
    assert redact(line) == (line.replace(secret, f"[redacted: {kind}]"), [kind])


@pytest.mark.parametrize("line", INNOCENT)
def test_an_innocent_line_stays_as_it_is(line: str) -> None:
    assert redact(line) == (line, [])


def test_there_are_enough_lines_of_both_sorts() -> None:
    assert min(len(SECRETS), len(INNOCENT)) >= 60


def test_kinds_are_named_once_in_the_order_of_the_text() -> None:
    github, openai = "ghp_" + "a1B2" * 9, "sk-" + "c3D4" * 10
    text, kinds = redact(f"{github} then {openai} then {github}")
    assert kinds == ["GitHub token", "OpenAI key"]
    assert text == "[redacted: GitHub token] then [redacted: OpenAI key] then [redacted: GitHub token]"


def test_all_lines_together_are_redacted_as_each_alone() -> None:
    lines = [line for _, _, line in SECRETS if "cut short" not in line] + INNOCENT
    # Between paragraphs of prose: nothing of one line reaches into the next.
    together = "\n\nAnd then, they said:\n\n".join(lines)
    assert redact(together)[0] == "\n\nAnd then, they said:\n\n".join(redact(line)[0] for line in lines)


@pytest.mark.parametrize(("kind", "secret", "line"), SECRETS, ids=lambda value: None)
def test_a_secret_is_found_in_the_json_of_a_tool_call(kind: str, secret: str, line: str) -> None:
    said = json.loads(
        redact(json.dumps({"content": f"first\n{line}\nlast", "path": "a.txt"}, ensure_ascii=False))[0]
    )
    assert secret not in said["content"]
    assert (said["content"][:6], said["content"][-5:], said["path"]) == ("first\n", "\nlast", "a.txt")


@given(st.lists(PIECES, max_size=3))
def test_json_stays_json(texts: list[str]) -> None:
    assert len(json.loads(redact(json.dumps(texts, ensure_ascii=False))[0])) <= len(texts)


def test_letters_that_grow_when_lowered_do_not_move_a_span() -> None:
    assert redact("İİİ API_KEY=" + "aB3dE6gH9" * 3 + " İ") == (
        "İİİ API_KEY=[redacted: secret key] İ",
        ["secret key"],
    )


@given(st.one_of(ANY_STRING, PIECES))
def test_spans_are_in_order_and_apart(text: str) -> None:
    secrets = find(text)
    edges = [0, *(edge for one in secrets for edge in (one.start, one.end)), len(text)]
    assert edges == sorted(edges)
    assert all(one.start < one.end for one in secrets)


@given(st.one_of(ANY_STRING, PIECES))
def test_redacting_twice_changes_nothing(text: str) -> None:
    once, _ = redact(text)
    assert redact(once) == (once, [])


@given(st.one_of(ANY_STRING, PIECES))
def test_what_is_left_was_there_in_the_same_order(text: str) -> None:
    place = 0
    for left in MARK.split(redact(text)[0]):
        place = MARK.sub("", text).find(MARK.sub("", left), place)
        assert place >= 0
        place += len(left)


HOSTILE = [
    *(secret for _, secret, _ in SECRETS),
    *("a", "A", "0", "-", "_", ".", ":", "=", "@", "/", "://", "://a:", "://:@", "\\n", "-----"),
    *(
        "sk-",
        "sk-ant-",
        "sk-proj-",
        "ghp_",
        "github_pat_",
        "glpat-",
        "xoxb-",
        "AKIA",
        "AIza",
        "eyJ",
        "eyJ-",
        "eyJ.",
    ),
    *("eyJhbGciOiJIUzI1NiJ9.", "MTIz", "MTIzNDU2Nzg5MDEyMzQ1Njc4.", "SG.", "SG.a.", "AC", "1:AA", "12345678:AA"),
    *("token", "token:", "token is ", "token=a1", "token='", "secret_key:", "--a-", "--a-b-c-token ", "api key "),
    *("password", "password:", 'password="', "password:'a", "_pass", "passwort：", "pwd=a1", '\\"password\\": '),
    *(
        "authorization",
        "authorization: ",
        "authorization: bearer ",
        "bearer ",
        "bearer a1",
        "basic ",
        "basic YTpi",
    ),
    *("-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\nA: b"),
    *(
        "-----BEGIN " + "A" * 39,
        "-----BEGIN PRIVATE KEY-----" + "a" * 20,
        "Private-Lines: 1\n",
        "İ",
        "İtoken=a1B2",
    ),
    *(
        "hooks.slack.com/services/",
        "discord.com/api/webhooks/1234567890/",
        "gsk_",
        "hvs.",
        "key-0",
        "AGE-SECRET-KEY-1",
    ),
]


REDACT = """
import json, sys
from hermes_agent.text.secrets import redact
for piece in json.load(sys.stdin):
    sys.stdout.write(piece[:40].encode("unicode_escape").decode() + "\\n")
    sys.stdout.flush()
    redact((piece * 500_000)[:500_000])
sys.stdout.write("all\\n")
"""


@pytest.mark.alone
def test_hostile_text_takes_time_in_proportion_to_its_length() -> None:
    # Some ten seconds in all; one pattern that is quadratic takes minutes, and is the last that was told.
    child = subprocess.Popen(
        [sys.executable, "-c", REDACT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, env=environment()
    )
    try:
        told, _ = child.communicate(json.dumps(HOSTILE).encode(), timeout=120)
    except subprocess.TimeoutExpired:
        child.kill()
        told, _ = child.communicate()
    assert told.decode().splitlines()[-1] == "all"
