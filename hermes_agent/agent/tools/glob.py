"""Read the patterns by which models name files: `*.py`, `src/**/*.ts`, `*.{md,txt}`.

A pattern without a slash is about the name of a file at any depth, one with a slash about its path from the
folder that is searched, as in `.gitignore`. `*` and `?` stay within a name, `**` spans folders.
"""

import re

_PIECE = re.compile(r"\*\*/|\*+|\?|\[!?\]?[^\]/]*\]|[{},]|[^*?\[{},]+|.", re.DOTALL)


def as_expression(pattern: str) -> str:
    """Return the regular expression that a whole relative path must match."""
    pattern = pattern.removeprefix("./").lstrip("/")
    is_path = "/" in pattern
    return ("" if is_path else "(?:.*/)?") + "".join(_pieces(pattern))


def _pieces(pattern: str) -> list[str]:
    pieces: list[str] = []
    # A brace without its partner, and a comma outside of braces, are ordinary characters.
    is_balanced = pattern.count("{") == pattern.count("}") and _closes_in_order(pattern)
    depth = 0
    for piece in _PIECE.findall(pattern):
        if piece == "**/":
            pieces.append("(?:.*/)?")
        elif piece.startswith("**"):
            pieces.append(".*")
        elif piece == "*":
            pieces.append("[^/]*")
        elif piece == "?":
            pieces.append("[^/]")
        elif piece.startswith("[") and len(piece) > 2:
            pieces.append(_characters(piece[1:-1]))
        elif piece == "{" and is_balanced:
            depth += 1
            pieces.append("(?:")
        elif piece == "}" and is_balanced:
            depth -= 1
            pieces.append(")")
        elif piece == "," and depth:
            pieces.append("|")
        else:
            pieces.append(re.escape(piece))
    return pieces


def _closes_in_order(pattern: str) -> bool:
    depth = 0
    for character in pattern:
        depth += {"{": 1, "}": -1}.get(character, 0)
        if depth < 0:
            return False
    return True


def _characters(inside: str) -> str:
    """Return a set of characters; a dash stands for a range, everything else for itself."""
    is_not = inside.startswith("!")
    wanted = re.sub(r"([\\\[\]^&~|])", r"\\\1", inside.removeprefix("!"))
    return f"(?!/)[{'^' if is_not else ''}{wanted}]"
