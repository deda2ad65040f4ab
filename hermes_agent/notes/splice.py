"""Change single entries in the text of a note and leave every other byte as it is.

Whatever an owner likes in a file stays: line ends of Windows, a byte order mark, space around entries, blank lines
at the end. Taking out what was added gives the text back as it was.
"""

import re
from collections.abc import Mapping, Sequence

from hermes_agent.notes.format import BOM, BOUNDARY

_DANGLING = re.compile(r"(?:^|\r?\n)[ \t]*§$")


def splice(text: str, changes: Mapping[str, str | None], added: Sequence[str]) -> str:
    """Put other entries in the place of some, take out those that become None, and add some at the end."""
    body = text.removeprefix(BOM)
    pieces, boundaries = BOUNDARY.split(body), BOUNDARY.findall(body)
    end = pieces[-1].rstrip()
    tail, pieces[-1] = pieces[-1][len(end) :], end
    if added and (dangling := _DANGLING.search(end)):
        # A mark at the end with nothing behind it: what is added stands behind it.
        pieces[-1], tail = end[: dangling.start()], ""
    line_end = "\r\n" if "\r\n" in (boundaries[-1] if boundaries else body) else "\n"
    kept = [
        (boundary, changed)
        for boundary, piece in zip(["", *boundaries], pieces, strict=True)
        if (changed := _changed(piece, changes)) is not None
    ]
    for entry in added:
        if kept and not kept[-1][1]:
            kept[-1] = kept[-1][0], entry
        else:
            kept.append((f"{line_end}§{line_end}", entry))
    joined = "".join(piece if place == 0 else boundary + piece for place, (boundary, piece) in enumerate(kept))
    return text[: len(text) - len(body)] + joined + tail


def _changed(piece: str, changes: Mapping[str, str | None]) -> str | None:
    entry = piece.strip()
    if not entry or entry not in changes:
        return piece
    changed = changes[entry]
    return None if changed is None else piece.replace(entry, changed, 1)
