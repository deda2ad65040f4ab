"""Seal bytes so that only the key opens them, and only as what they were sealed as.

    89 "HERMES SEALED" CR LF | version | id of the key, 8 bytes | nonce, 12 bytes | AES-256-GCM of the bytes

The first byte is no UTF-8, so whoever takes a sealed file for a text is told so. The head and the name something
was sealed under are authenticated with it: USER.md cannot be passed off as SOUL.md.
"""

import os

MAGIC = b"\x89HERMES SEALED\r\n"
_VERSION = b"\x01"
_ID_LENGTH, _NONCE_LENGTH, _TAG_LENGTH = 8, 12, 16
_HEAD_LENGTH = len(MAGIC) + len(_VERSION) + _ID_LENGTH

OVERHEAD = _HEAD_LENGTH + _NONCE_LENGTH + _TAG_LENGTH
"""How much longer bytes become when they are sealed."""


class NotOpened(Exception):
    """Sealed with another key or under another name, or changed since."""


def is_sealed(data: bytes) -> bool:
    """Tell whether bytes begin as sealed ones do."""
    return data.startswith(MAGIC)


def key_id(sealed: bytes) -> bytes:
    """Return the id of the key that bytes were sealed with."""
    return sealed[_HEAD_LENGTH - _ID_LENGTH : _HEAD_LENGTH]


def seal(data: bytes, key: bytes, id: bytes, name: str) -> bytes:
    """Seal bytes under a name."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    head, nonce = MAGIC + _VERSION + id, os.urandom(_NONCE_LENGTH)
    return head + nonce + AESGCM(key).encrypt(nonce, data, head + name.encode("utf-8", "surrogateescape"))


def open_sealed(sealed: bytes, key: bytes, name: str) -> bytes:
    """Return the bytes that were sealed; NotOpened if this key and this name do not fit, or a byte was changed."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    head, nonce = sealed[:_HEAD_LENGTH], sealed[_HEAD_LENGTH : _HEAD_LENGTH + _NONCE_LENGTH]
    if len(sealed) < OVERHEAD or head[len(MAGIC) : len(MAGIC) + 1] != _VERSION:
        raise NotOpened
    said = sealed[_HEAD_LENGTH + _NONCE_LENGTH :]
    try:
        return AESGCM(key).decrypt(nonce, said, head + name.encode("utf-8", "surrogateescape"))
    except InvalidTag as error:
        raise NotOpened from error
