"""The git store behind checkpoints: one bare repository in the home, apart from everybody's own git.

Each call names the store, the folder and an index of its own, and sees no settings but ours: no hooks, no
signatures, no filters, no line-end conversion, whatever the owner's git or the project's attributes say.
The project's own `.git` is never opened. Objects and references are git's; what a checkpoint is,
`checkpoints.py` says.
"""

import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from hermes_agent.errors import HermesError
from hermes_agent.text.clean import preview

TIMEOUT_SECONDS = 30.0
REPACK_TIMEOUT_SECONDS = 600.0

# What is large, made by programs, or secret.
_EXCLUDED = """\
node_modules/
.venv/
venv/
__pycache__/
*.pyc
.mypy_cache/
.pytest_cache/
.ruff_cache/
.tox/
.nox/
.hypothesis/
.gradle/
.next/
.terraform/
.DS_Store
.hg/
.svn/
.env
.env.*
!.env.example
!.env.sample
!.env.template
*.pem
*.key
*.p12
*.pfx
id_rsa
id_ed25519
*.mp3
*.mp4
*.m4a
*.m4v
*.mov
*.avi
*.mkv
*.webm
*.wav
*.flac
*.ogg
*.iso
*.dmg
*.img
*.zip
*.tar
*.tar.*
*.tgz
*.gz
*.bz2
*.xz
*.zst
*.7z
*.rar
"""
# Stronger than the project's own .gitattributes: a file comes back with the bytes it had.
_ATTRIBUTES = "* -text !eol !crlf !ident !filter !working-tree-encoding !diff\n"

_SETTINGS = (
    "core.autocrlf=false",
    "core.safecrlf=false",
    "core.symlinks=true",
    "core.fileMode=true",
    "core.ignoreCase=false",
    "core.precomposeUnicode=false",
    "core.protectNTFS=false",
    "core.protectHFS=false",
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    "core.looseCompression=1",
    f"core.hooksPath={os.devnull}",
    f"core.excludesFile={os.devnull}",
    f"core.attributesFile={os.devnull}",
    "commit.gpgSign=false",
    "gc.auto=0",
)


class ShadowGit:
    """Runs git on the store at one place."""

    def __init__(self, store: Path) -> None:
        self.store = store

    @property
    def exists(self) -> bool:
        """Whether the store was made; its attributes are written last."""
        return (self.store / "info" / "attributes").exists()

    def ensure(self) -> None:
        """Make the store, or finish making it, and renew what is excluded."""
        if not self.exists:
            self.run("init", "--quiet", "--bare", "--template=")
        info = self.store / "info"
        info.mkdir(exist_ok=True)
        for name, text in (("exclude", _EXCLUDED), ("attributes", _ATTRIBUTES)):
            file = info / name
            if not file.exists() or file.read_text(encoding="utf-8") != text:
                file.write_text(text, encoding="utf-8")

    def run(
        self,
        *arguments: str,
        folder: Path | None = None,
        index: Path | None = None,
        given: bytes = b"",
        variables: Mapping[str, str] | None = None,
        codes: Sequence[int] = (0,),
        timeout_seconds: float = TIMEOUT_SECONDS,
    ) -> bytes:
        """Run one command of git and return what it printed; a failure is one sentence."""
        try:
            done = subprocess.run(
                self._command(arguments),
                input=given,
                capture_output=True,
                env=self._environment(folder, index) | dict(variables or {}),
                cwd=folder or self.store.parent,
                timeout=timeout_seconds,
                start_new_session=True,  # Ctrl-C is for the chat; git ends what it began
            )
        except subprocess.TimeoutExpired as error:
            raise HermesError(f"git took longer than {timeout_seconds:.0f} seconds.") from error
        except OSError as error:
            raise HermesError(f"git cannot be run in {folder or self.store}: {error.strerror}.") from error
        if done.returncode not in codes:
            said = preview(done.stderr.decode("utf-8", "replace"), 200)
            raise HermesError(f"git {arguments[0]} failed: {said or f'exit code {done.returncode}'}")
        return done.stdout

    def names(self, *arguments: str, folder: Path, index: Path) -> list[str]:
        """Run a command that prints file names, each ended by NUL."""
        return split(self.run(*arguments, folder=folder, index=index))

    def contents(self, hashes: Sequence[str]) -> Iterator[bytes]:
        """Yield the content of each object, in the order asked for, one at a time."""
        with subprocess.Popen(
            self._command(["cat-file", "--batch"]),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=self._environment(None, None),
            cwd=self.store.parent,
            start_new_session=True,
        ) as process:
            assert process.stdin is not None and process.stdout is not None
            for name in hashes:
                process.stdin.write(name.encode() + b"\n")
                process.stdin.flush()
                header = process.stdout.readline().split()
                if len(header) != 3:
                    raise HermesError(f"The object {name} is missing in {self.store}.")
                content = process.stdout.read(int(header[2]))
                process.stdout.read(1)
                yield content

    def repack(self) -> None:
        """Give back the space of what nothing refers to any more."""
        self.clear_locks()
        for arguments in (["pack-refs", "--all"], ["repack", "-a", "-d", "-q"], ["prune", "--expire=now"]):
            self.run(*arguments, timeout_seconds=REPACK_TIMEOUT_SECONDS)

    def clear_locks(self) -> None:
        """Remove what a git that was killed left locked; the caller holds the lock of all checkpoints."""
        for file in [*self.store.glob("*.lock"), *_files(self.store / "refs")]:
            if file.suffix == ".lock":
                file.unlink(missing_ok=True)

    def size_bytes(self) -> int:
        """Return how much room the objects take."""
        size = 0
        for file in _files(self.store / "objects"):
            with suppress(FileNotFoundError):
                size += file.stat().st_size
        return size

    def _command(self, arguments: Sequence[str]) -> list[str]:
        program = shutil.which("git")
        if program is None:
            raise HermesError("git is not installed.", hint="Install git: checkpoints are made with it.")
        return [program, *(part for setting in _SETTINGS for part in ("-c", setting)), *arguments]

    def _environment(self, folder: Path | None, index: Path | None) -> dict[str, str]:
        """Make the whole environment of a call: nothing of the owner's own comes in."""
        named = {"GIT_WORK_TREE": folder, "GIT_INDEX_FILE": index}
        return {
            "PATH": os.defpath,
            "HOME": str(self.store),
            "LC_ALL": "C",
            "GIT_DIR": str(self.store),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_ATTR_NOSYSTEM": "1",
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_LITERAL_PATHSPECS": "1",
            **{name: str(value) for name, value in named.items() if value is not None},
        }


def ended(names: Iterable[str]) -> bytes:
    """Write names as git reads them from stdin: each ended by NUL."""
    return b"".join(os.fsencode(name) + b"\0" for name in names)


def split(printed: bytes) -> list[str]:
    """Read names as git prints them with -z."""
    return [os.fsdecode(name) for name in printed.split(b"\0") if name]


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder; a git that outlived its killed process may take them away meanwhile."""
    for place, _, names in os.walk(folder):
        yield from (Path(place, name) for name in names)
