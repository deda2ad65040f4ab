"""What a database must do its own way to stand under the store; everything else is written once."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import sqlalchemy
from sqlalchemy import Connection as Connection

from hermes_agent.errors import ForeignStore, HermesError
from hermes_agent.records.vectors import Fingerprint, Nearest
from hermes_agent.store.text_index import TextIndex
from hermes_agent.store.vectors import EPISODE

if TYPE_CHECKING:
    from hermes_agent.store.vectors import Numbers


@dataclass(frozen=True, slots=True)
class Condition:
    """How the database is: its version, its size, and what it finds wrong with itself."""

    version: str
    size_bytes: int
    problems: tuple[str, ...]


def foreign(place: str) -> ForeignStore:
    """Return the refusal of a database that another program made."""
    return ForeignStore(
        f"{place} was made by another program; it was not touched.",
        hint="To take over its sessions run: hermes import PATH (its home or its state.db; none for this home)",
    )


class Engine(Protocol):
    """A database under the store."""

    @property
    def name(self) -> str:
        """`sqlite` or `postgres`."""

    @property
    def place(self) -> str:
        """Where it is, for people; never with a password."""

    @property
    def schema(self) -> str | None:
        """The schema the tables are in; None where there are no schemas."""

    @property
    def reading(self) -> Mapping[str, Any]:
        """The execution options of a transaction that only reads: it sees one moment.

        Any: what SQLAlchemy takes as options.
        """

    @property
    def text(self) -> TextIndex:
        """How words are matched."""

    @property
    def packs_bodies(self) -> bool:
        """Whether old messages are to be packed; a database may do that by itself."""

    def open(self) -> sqlalchemy.Engine:
        """Make the connections."""

    def copied(self, connections: sqlalchemy.Engine) -> AbstractContextManager[Connection]:
        """Open a transaction in a private copy of this moment: it holds up nobody, and nothing of it is kept."""

    def explain(self, error: Exception) -> HermesError:
        """Turn a driver's error into the one a person can act on."""

    def match_vectors(
        self,
        connection: Connection,
        fingerprint: Fingerprint,
        vector: "Numbers",
        limit: int,
        *,
        kinds: Sequence[str] = (EPISODE,),
    ) -> Nearest:
        """Return the items of these kinds whose vectors are nearest, with their cosines."""

    def match_outlines(self, connection: Connection, bits: bytes, limit: int) -> Sequence[int]:
        """Return the old episodes of the nearest outlines, so many outlines, the nearest first."""

    def settle_vectors(self, connection: Connection, *, is_erasure: bool = False, is_anew: bool = False) -> None:
        """Bring in order what vectors are searched with: after many came, and after some were erased.

        Called outside a transaction. After an erasure somebody waits: only copies of what is gone must go.
        Copies are made `anew` from the vectors when they may be damaged.
        """

    def check_vectors(self, connection: Connection) -> Sequence[str]:
        """Say which copies of vectors are not what the store has."""

    def lock_shape(self, connection: Connection) -> None:
        """Keep other processes from migrating until the transaction ends."""

    def inspect(self, connection: Connection, *, is_thorough: bool) -> Condition:
        """Tell version and size; when thorough, let the database check itself."""

    def vacuum(self, connection: Connection) -> None:
        """Give unused room back; called outside a transaction."""

    def erase(self, connection: Connection) -> bool:
        """Leave no trace of what was deleted, neither in indexes nor in free pages; called outside a transaction.

        False if another process is in the way: then it is to be done again.
        """

    def fold(self, connection: Connection) -> bool:
        """Bring everything into the one file that is copied; False if another process is in the way."""
