"""Signed requests: HMAC-SHA256 over the time and the body, good for a few minutes. Pure."""

import hashlib
import hmac

WINDOW_SECONDS = 300
TIMESTAMP, SIGNATURE = "x-hermes-timestamp", "x-hermes-signature"
_PREFIX = "sha256="
_LONGEST_TIMESTAMP = 15


def sign(secret: str, timestamp: str, body: bytes) -> str:
    """Return the signature of a body that is sent at a time, in seconds since 1970."""
    digest = hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256)
    return _PREFIX + digest.hexdigest()


def problem(secret: str, timestamp: str, signature: str, body: bytes, now_seconds: float) -> str | None:
    """Say why a request is not let in; None if it is.

    The signature is looked at first, and compared in constant time: nobody learns from how long it took.
    """
    if not hmac.compare_digest(sign(secret, timestamp, body).encode(), signature.encode("utf-8", "replace")):
        return "The signature does not fit."
    if not timestamp.isdecimal() or len(timestamp) > _LONGEST_TIMESTAMP:
        return "The time of the request is no number of seconds."
    if abs(now_seconds - int(timestamp)) > WINDOW_SECONDS:
        return "The request is too old, or a clock is wrong."
    return None
