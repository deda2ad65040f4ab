"""Write all of a memory to a file, packed or plain: for whichever door its owner uses."""

from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from typing import BinaryIO, cast

from hermes_agent.config.load import Settings
from hermes_agent.config.portable import portable
from hermes_agent.memory.notebook import Notebook
from hermes_agent.ops.steps import Step
from hermes_agent.ops.whole.writing import export


def write(
    notebook: Notebook, settings: Settings, out: BinaryIO, *, is_packed: bool
) -> Generator[Step, None, Mapping[str, int]]:
    """Write the memory, the notes and the settings that can be taken elsewhere; return how many rows there are."""
    notes, (kept, _) = notebook.texts(), portable(settings)
    with _packing(out, is_packed) as packed:
        return (yield from export(notebook.store, packed, notes, kept))


@contextmanager
def _packing(out: BinaryIO, is_packed: bool) -> Iterator[BinaryIO]:
    if not is_packed:
        yield out
        return
    from backports import zstd

    with zstd.ZstdFile(out, "wb") as packed:
        yield cast(BinaryIO, packed)
