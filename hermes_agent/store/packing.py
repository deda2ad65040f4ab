"""Pack the bodies of old messages: zstd with a dictionary of what messages and tools mostly say.

The dictionary is trained on texts of our own (`tools/dictionary.py`) and ships with the package: nobody's
words are in it, and no row of a store is needed to read another. A frame names its dictionary; one that was ever
used stays. A frame carries a checksum of its text, so that a damaged one is noticed; early ones carry none and are
read as they are.
"""

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from hermes_agent.errors import DamagedStore

if TYPE_CHECKING:
    from backports.zstd import ZstdDict

WORTH = 96
"""Shorter texts stay as they are: they would hardly get smaller."""
_LEVEL = 12
_FILE = "bodies.zdict"


def pack(text: str) -> bytes | None:
    """Return a text packed; None where that saves nothing worth."""
    from backports import zstd  # here: only old messages are packed

    parameter = zstd.CompressionParameter
    options: dict[int, int] = {parameter.compression_level: _LEVEL, parameter.checksum_flag: 1}
    raw = text.encode("utf-8")
    if len(raw) < WORTH:
        return None
    packed = zstd.compress(raw, options=options, zstd_dict=_dictionary().as_digested_dict)
    return packed if len(packed) < len(raw) * 0.9 else None


def unpack(packed: bytes) -> str:
    """Return the text that was packed, byte for byte."""
    from backports import zstd

    try:
        return zstd.decompress(packed, zstd_dict=_dictionary()).decode("utf-8")
    except (zstd.ZstdError, UnicodeDecodeError) as error:
        raise DamagedStore(
            f"The packed body of a message cannot be read: {error}.", hint="Save what can be: hermes db repair"
        ) from error


@cache
def _dictionary() -> "ZstdDict":
    from backports.zstd import ZstdDict

    return ZstdDict(files("hermes_agent.store").joinpath(_FILE).read_bytes())
