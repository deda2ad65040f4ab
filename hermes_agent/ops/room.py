"""How much an archive may hold: a small file can be packed so that it fills any disk.

One measure for whoever unpacks something. Sizes that an archive tells are not believed: what is read is counted.
"""

import lzma
import tarfile
import unicodedata
import zipfile
import zlib
from pathlib import PurePosixPath

from hermes_agent.errors import UsageError
from hermes_agent.text.quantities import size as shown

_OF_FORMATS = (tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError)
UNREADABLE = (*_OF_FORMATS, EOFError, NotImplementedError, ValueError)
"""What the libraries raise that read archives; a ValueError is of numbers and names that are none."""
MOST_FILES = 200_000
_DEEPEST = 64
_ANYHOW = 256 << 20
_RATIO = 200
"""Text and databases shrink to a tenth, what is very regular to a fiftieth."""
_UNSEEN = ("Cc", "Cs", "Zl", "Zp")
"""Characters that steer a terminal or begin a line, and halves of them."""


def most(packed: int) -> int:
    """Return how many bytes a packed file of a size may hold."""
    return _ANYHOW + _RATIO * packed


def is_clean(name: str) -> bool:
    """Tell whether the name of a member can be one of a file in a home: not too deep, and nothing unseen in it."""
    is_seen = not any(unicodedata.category(one) in _UNSEEN for one in name)
    return is_seen and "\\" not in name and len(PurePosixPath(name).parts) <= _DEEPEST


class Budget:
    """How much of an archive may still be unpacked; `what` begins the sentence that refuses more."""

    def __init__(self, packed: int, what: str, most_files: int = MOST_FILES) -> None:
        self._most = most(packed)
        self._most_files = most_files
        self._what = what
        self._files = self._written = 0
        self.expected = 0

    def expect(self, size: int) -> None:
        """Refuse what the archive itself says is too much."""
        self._files += 1
        self.expected += max(size, 0)
        self._check(self.expected)

    def write(self, size: int) -> None:
        """Refuse what turns out to be too much."""
        self._written += size
        self._check(self._written)

    def _check(self, size: int) -> None:
        if size > self._most or self._files > self._most_files:
            raise UsageError(
                f"{self._what}: it unpacks to more than {shown(self._most)} or {self._most_files:,} files,"
                " which no home of its size does.",
                hint="If it is your own home, unpack it by hand.",
            )
