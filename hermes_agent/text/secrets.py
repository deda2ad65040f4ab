"""Find keys, tokens and passwords in text, so that they can be taken out before anything keeps them.

A secret is known by its form (a vendor's prefix, a web token, a private key) or by its place: the password
in an address, an Authorization header, a value that looks generated behind a name such as `api_key`.
A password goes also when it is said in a sentence ("my password is Tr0ub4dor&3"): notes and messages are
sent to models. What only a reader can tell stays: "my password is secret", a PIN, the name of a pet.

Every message passes here: a rule's pattern runs only when one of its hints is in the text, and every
pattern is bounded or possessive, so the time is linear in the text, whatever the text is.
"""

from collections.abc import Sequence

from hermes_agent.text.secret_forms import GROUPS, Secret
from hermes_agent.text.words import lowered_in_place

__all__ = ["Secret", "find", "redact"]


def find(text: str) -> list[Secret]:
    """Return the secrets of a text in order; none overlaps another."""
    lowered = lowered_in_place(text)
    found: list[Secret] = []
    for gate, rules in GROUPS:
        if gate not in lowered:
            continue
        for hints, look in rules:
            for hint in hints:
                if hint in lowered:
                    found += look(text, lowered)
                    break
    return _apart(found) if len(found) > 1 else found


def redact(text: str) -> tuple[str, list[str]]:
    """Return the text with `[redacted: <kind>]` for each secret, and the kinds, each once, in order."""
    kinds: dict[str, None] = {}
    # What stood right beside a secret may be one too, now that they are apart. The text outside of the
    # marks gets shorter each time, so this ends.
    while secrets := find(text):
        pieces: list[str] = []
        end = 0
        for secret in secrets:
            pieces += [text[end : secret.start], f"[redacted: {secret.kind}]"]
            end = secret.end
            kinds.setdefault(secret.kind)
        text = "".join([*pieces, text[end:]])
    return text, list(kinds)


def _apart(found: Sequence[Secret]) -> list[Secret]:
    """Join spans that overlap; the rule that stands first in the table names them."""
    joined: list[tuple[int, Secret]] = []
    for rank, secret in sorted(enumerate(found), key=lambda pair: (pair[1].start, pair[0])):
        if not joined or secret.start >= joined[-1][1].end:
            joined.append((rank, secret))
            continue
        last_rank, last = joined[-1]
        kind = secret.kind if rank < last_rank else last.kind
        joined[-1] = (min(rank, last_rank), Secret(kind, last.start, max(last.end, secret.end)))
    return [secret for _, secret in joined]
