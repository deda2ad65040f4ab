"""What is said, read and written: commands, yes and no, files, and when a session ends."""

from datetime import UTC, datetime

import pytest

from hermes_agent.config.gateway_settings import ResetPolicy
from hermes_agent.gateways import intake
from hermes_agent.gateways.attachments import Saved, Unsaved, safe_name, told
from hermes_agent.gateways.gateway import Attachment, Person, Place
from hermes_agent.gateways.resetting import Resetting, is_due

UID = "019b7796-0400-7000-8000-0123456789ab"


def moment(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1_000_000)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("/new", ("new", "")),
        ("/New@hermes_bot", ("new", "")),
        ("/remember my bike is green", ("remember", "my bike is green")),
        ("/unknown", ("unknown", "")),
        ("/no_such@hermes_bot 5", ("no_such", "5")),
        ("/etc/hosts is broken", None),
        ("/ 5", None),
        ("/5 of them", None),
        ("new", None),
        ("a /new", None),
        ("", None),
    ],
)
def test_what_is_a_command(text: str, command: tuple[str, str] | None) -> None:
    assert intake.command(text) == command


def test_what_is_a_yes_or_a_no() -> None:
    assert [intake.decision(one) for one in ("Yes", " y ", "yes!", "no", "N.", "maybe", "yes please do")] == [
        *(True,) * 3,
        *(False,) * 2,
        *(None,) * 2,
    ]


def test_words_come_back_as_they_were_kept() -> None:
    words = intake.Words(
        "hi", Person("7", "Ann"), Place("-5", "group", "3"), attachments=[Attachment("f", "a.txt", 3)]
    )
    assert intake.read(intake.written(words)) == words


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("report.pdf", "report.pdf"),
        ("../../etc/passwd", "passwd"),
        ("C:\\temp\\a b.txt", "a_b.txt"),
        (".bashrc", "bashrc"),
        ("", "file"),
        ("...", "file"),
        ("Ünal résumé.docx", "nal_r_sum_.docx"),
        ("x" * 200 + "." + "y" * 50, "x" * 60 + "." + "y" * 12),
        ("a\x00b\n.sh", "a_b_.sh"),
    ],
)
def test_a_file_gets_a_name_that_is_nothing_but_a_name(given: str, kept: str) -> None:
    assert safe_name(given, UID, 1) == f"0123456789ab-1-{kept}"


def test_files_are_told_behind_the_words() -> None:
    text = told(
        "Look at this.", [Saved("/w/a.txt", 1200), Unsaved("b.iso", "It is larger than 20,000,000 bytes.")]
    )
    assert text == (
        "Look at this.\n\n[Attached file, 1,200 bytes: /w/a.txt]\n"
        "[A file was not taken in: b.iso. It is larger than 20,000,000 bytes.]"
    )
    assert told("Only words.", []) == "Only words."


@pytest.mark.parametrize(
    ("policy", "last", "now", "expected"),
    [
        ("none", "2026-01-01T00:00", "2026-06-01T00:00", False),
        ("idle", "2026-01-01T12:00", "2026-01-02T11:59", False),
        ("idle", "2026-01-01T12:00", "2026-01-02T12:00", True),
        ("daily", "2026-01-01T12:00", "2026-01-02T03:59", False),
        ("daily", "2026-01-01T12:00", "2026-01-02T04:00", True),
        ("daily", "2026-01-01T03:00", "2026-01-01T05:00", True),
        ("daily", "2026-01-01T05:00", "2026-01-01T23:00", False),
        ("both", "2026-01-01T03:59", "2026-01-01T04:01", True),
        ("both", "2026-01-01T05:00", "2026-01-01T06:00", False),
    ],
)
def test_when_a_chat_begins_a_new_session(policy: ResetPolicy, last: str, now: str, expected: bool) -> None:
    assert is_due(Resetting(policy), moment(last), moment(now), UTC) is expected
