"""One packed message damaged on the disk: it is noticed, named, and after a repair everything else works again."""

import json

import pytest
from backports import zstd

from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.errors import DamagedStore
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.store import packing
from hermes_agent.store.damaged_bodies import LOST
from hermes_agent.store.sqlite import driver
from tests.conftest import Hermes

LETTER = "The boiler in Turin hums at night; my sister Anna in Cork ordered another one on Friday. " * 3


def flipped(packed: bytes, place: int, bit: int) -> bytes:
    changed = bytearray(packed)
    changed[place] ^= 1 << bit
    return bytes(changed)


@pytest.fixture
def damaged(hermes: Hermes, own_home: Home) -> Hermes:
    """A home with a conversation whose second message is packed and damaged."""
    app = App(own_home, load(own_home))
    session_id = app.memory.begin(NewSession(id="letters"))
    calls = ({"id": "call", "name": "look", "arguments": {"where": "x" * 200}},)
    app.memory.append(
        session_id,
        NewMessage("user", "Tell me about the boiler."),
        NewMessage("assistant", LETTER, tool_calls=calls),
        NewMessage("user", "Thank you, that is all about pelicans."),
    )
    app.close()
    packed = packing.pack(LETTER)
    assert packed is not None
    connection = driver().connect(own_home.state_db)
    body = flipped(packed, len(packed) // 2, 3)
    connection.execute("UPDATE messages SET content = ?, tool_calls = ? WHERE id = 2", (body, body))
    connection.commit()
    connection.close()
    return hermes


def test_check_names_the_message_that_cannot_be_read(damaged: Hermes) -> None:
    outcome = damaged("db", "check")
    assert (outcome.exit_code, outcome.stdout) == (
        1,
        "Problem: message 2 of session letters cannot be read: it is damaged\n",
    )


def test_after_a_repair_the_message_says_that_it_is_lost_and_all_else_works(damaged: Hermes) -> None:
    assert damaged("sessions", "show", "letters").exit_code == 1
    outcome = damaged("db", "repair")
    assert (outcome.exit_code, outcome.stderr.splitlines()[0]) == (
        0,
        "Cannot be read, and now says so: message 2 of session letters",
    )
    assert damaged("db", "check").exit_code == 0
    shown = damaged("sessions", "show", "letters").stdout
    assert LOST in shown and "pelicans" in shown
    (exported,) = damaged("sessions", "export").stdout.splitlines()
    assert [message["content"] for message in json.loads(exported)["messages"]][1] == LOST
    assert damaged("sessions", "search", "pelicans").exit_code == 0
    assert damaged("memory", "compact", "--older-than", "0").exit_code == 0
    assert "Could not be read, and now says so: message 2 of session letters." in damaged("memory", "log").stdout


def test_a_flipped_bit_in_a_packed_text_is_noticed() -> None:
    packed = packing.pack(LETTER)
    assert packed is not None and packing.unpack(packed) == LETTER
    for place in range(len(packed)):
        for bit in range(8):
            try:
                assert packing.unpack(flipped(packed, place, bit)) == LETTER
            except DamagedStore as error:
                assert error.hint is not None and "hermes db repair" in error.hint


def test_what_was_packed_without_a_checksum_stays_readable() -> None:
    early = zstd.compress(LETTER.encode(), 12, zstd_dict=packing._dictionary())
    assert packing.unpack(early) == LETTER
