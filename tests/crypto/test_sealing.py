"""Sealed bytes: opened by their key and under their name, and by nothing else."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.crypto import keys, sealing, wrapping
from hermes_agent.crypto.keys import Costs, Keys

KEYS = keys.new()
CHEAP = Costs(iterations=1, lanes=1, memory_kib=64)


def seal(data: bytes, name: str = "USER.md") -> bytes:
    return sealing.seal(data, KEYS.files, KEYS.id, name)


@given(st.binary(max_size=2_000), st.text(max_size=40).filter(lambda name: name.isprintable()))
def test_what_was_sealed_is_opened_as_it_was(data: bytes, name: str) -> None:
    sealed = seal(data, name)
    assert sealing.is_sealed(sealed) and sealing.key_id(sealed) == KEYS.id
    assert len(sealed) == len(data) + sealing.OVERHEAD
    assert sealing.open_sealed(sealed, KEYS.files, name) == data
    assert seal(data, name) != sealed, "the same text looks different each time"


@given(st.binary(min_size=1, max_size=100), st.integers(min_value=0))
def test_a_changed_bit_opens_nothing(data: bytes, place: int) -> None:
    sealed = bytearray(seal(data))
    place %= len(sealed) * 8
    sealed[place // 8] ^= 1 << place % 8
    with pytest.raises(sealing.NotOpened):
        sealing.open_sealed(bytes(sealed), KEYS.files, "USER.md")


@given(st.binary(max_size=100), st.integers(min_value=0, max_value=140))
def test_a_part_opens_nothing(data: bytes, length: int) -> None:
    sealed = seal(data)
    with pytest.raises(sealing.NotOpened):
        sealing.open_sealed(sealed[: min(length, len(sealed) - 1)], KEYS.files, "USER.md")


def test_another_key_or_another_name_opens_nothing() -> None:
    for key, name in ((os.urandom(32), "USER.md"), (KEYS.files, "SOUL.md")):
        with pytest.raises(sealing.NotOpened):
            sealing.open_sealed(seal(b"x"), key, name)


def test_a_wrapped_key_is_unwrapped_by_the_same_passphrase_only() -> None:
    salt = os.urandom(16)
    wrapped = wrapping.wrap(KEYS, keys.stretched("correct horse", salt, CHEAP))
    assert wrapping.unwrap(wrapped, keys.stretched("correct horse", salt, CHEAP)) == KEYS
    for words, other in (("correct hors", salt), ("correct horse", os.urandom(16))):
        with pytest.raises(wrapping.WrongKey):
            wrapping.unwrap(wrapped, keys.stretched(words, other, CHEAP))


def test_keys_of_one_master_have_nothing_in_common_and_are_not_shown() -> None:
    assert KEYS.files not in KEYS.database and KEYS.master not in (KEYS.files, KEYS.database[:32])
    assert Keys(b"another!", KEYS.master).database != KEYS.database
    assert KEYS.master.hex() not in repr(KEYS) and repr(KEYS.master) not in repr(KEYS)
