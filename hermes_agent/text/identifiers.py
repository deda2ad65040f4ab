"""Find the parts of text that words cannot: pieces of identifiers, by their trigrams.

`getUserById` is one word, `UserBy` none of it. Only runs that look like identifiers are cut into
trigrams: indexing everything would double the database (the public product's users complain of it).
"""

import re

TRIGRAM_CAP = 4_000

# A letter beside a digit, an underscore, a hump, or a joint inside the run.
_IDENTIFIER = re.compile(
    r"[A-Za-z][0-9]|[0-9][A-Za-z]|[A-Za-z0-9]_|_[A-Za-z0-9]|[a-z][A-Z]|[A-Za-z0-9_][./\\:@#+~$-]+[A-Za-z0-9_]"
)
# Where it begins is one class of rare characters: any other beginning takes seven times as long.
_HINT = re.compile(
    r"[0-9_A-Z./\\:@#+~$-]"
    r"(?:(?<=[0-9_])|(?<=[a-z][A-Z])|(?<=[A-Za-z][./\\:@#+~$-])[./\\:@#+~$-]*[A-Za-z])"
)
_RUN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./\\:@#+~$-]{2,}")
_JOINTS = "./\\:@#+~$-"
_RUN_LENGTH_CAP = 256


def identifiers(text: str) -> list[str]:
    """Return the runs of the text that look like identifiers, lower-cased, each once."""
    seen: dict[str, None] = {}
    if not _HINT.search(text):
        return []
    for piece in text.split():
        if _HINT.search(piece):
            for run in _RUN.findall(piece):
                if _IDENTIFIER.search(run):
                    seen.setdefault(run.rstrip(_JOINTS)[:_RUN_LENGTH_CAP].lower())
    return list(seen)


def trigrams(fragment: str) -> list[str]:
    """Return the distinct trigrams of one fragment as words an index can hold.

    Those with other than letters and digits are written as hexadecimal: full-text indexes would split them.
    """
    folded = fragment.lower()
    grams = [folded[i : i + 3] for i in range(len(folded) - 2)]
    if not (folded.isascii() and folded.isalnum()):
        grams = [
            gram if gram.isascii() and gram.isalnum() else gram.encode("utf-8", "surrogatepass").hex()
            for gram in grams
        ]
    return list(dict.fromkeys(grams))


def text_trigrams(text: str) -> list[str]:
    """Return the distinct trigrams of all identifiers in the text, up to a cap."""
    seen: dict[str, None] = {}
    for run in identifiers(text):
        seen.update(dict.fromkeys(trigrams(run)))
        if len(seen) >= TRIGRAM_CAP:
            break
    return list(seen)[:TRIGRAM_CAP]
