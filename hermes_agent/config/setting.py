"""One setting of the table in `settings.py`: its name, its type, its default and what is said of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from typing_extensions import TypeForm

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Setting(Generic[T]):
    """One setting. `check` says what is wrong with a value; `mend` is the advice for who has given it."""

    name: str
    form: TypeForm[T]
    default: T
    help: str
    is_secret: bool = False
    check: Callable[[T], str | None] | None = None
    mend: str | None = None

    @property
    def variable(self) -> str:
        """The environment variable, in the spelling that help and messages use."""
        words = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", self.name)
        return "HERMES_" + words.replace(".", "_").upper()
