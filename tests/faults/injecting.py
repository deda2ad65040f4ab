"""Build the library that makes a process's writes go wrong, and say to it which one, and how.

`preload.c` tells what each kind of fault does. It needs Linux and a C compiler; without them these tests are
skipped, and the page of faults says nothing new.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

import pytest

Kind = Literal["none", "kill", "tear", "full", "broken", "hiccup", "readonly", "unreadable", "back"]
_SOURCE = Path(__file__).with_name("preload.c")


@dataclass(frozen=True, slots=True)
class Fault:
    """What goes wrong, and at which write; `unreadable` counts reads, `back` looks at the clock."""

    kind: Kind = "none"
    at: int = 0
    back_seconds: int = 0

    def variables(self, root: Path, book: Path, log: Path) -> dict[str, str]:
        """Return what the library reads: the fault, the folder whose files count, and where it keeps its books."""
        return {
            "FAULTS_KIND": self.kind,
            "FAULTS_AT": str(self.at),
            "FAULTS_BACK": str(self.back_seconds),
            "FAULTS_ROOT": str(root),
            "FAULTS_BOOK": str(book),
            "FAULTS_LOG": str(log),
        }


@cache
def library() -> Path:
    """Compile the library once a process; skip the test where that cannot be."""
    compiler = next((found for name in ("cc", "gcc", "clang") if (found := shutil.which(name))), None)
    if not sys.platform.startswith("linux") or compiler is None:
        pytest.skip("faults are injected on Linux, with a C compiler")
    built = Path(tempfile.mkdtemp(prefix="hermes-faults-")) / "faults.so"
    made = subprocess.run(
        [compiler, "-shared", "-fPIC", "-O2", "-Wall", "-Wextra", "-Werror", "-o", built, _SOURCE, "-ldl"],
        capture_output=True,
        text=True,
    )
    if made.returncode and "error" in made.stderr and not _can_compile(compiler):
        pytest.skip("the C compiler here has no headers")
    assert made.returncode == 0, made.stderr
    return built


def _can_compile(compiler: str) -> bool:
    """Tell whether the compiler can build anything at all: a Debian without libc6-dev cannot."""
    text = "#include <stdio.h>\nint main(void) { return 0; }\n"
    tried = subprocess.run(
        [compiler, "-x", "c", "-", "-o", os.devnull], input=text, capture_output=True, text=True
    )
    return tried.returncode == 0
