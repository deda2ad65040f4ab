"""Train the dictionary that old messages are packed with: `python -m tools.dictionary`.

Of our own texts only: the documents and the code of this repository, and what everyday commands print about it.
Bodies that are packed name the dictionary they need, so train it anew only under a new name.
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

from backports import zstd

_ROOT = Path(__file__).parent.parent
_TARGET = _ROOT / "hermes_agent" / "store" / "bodies.zdict"
_BYTES = 65_536
_SAMPLE = (200, 3_000)
_COMMANDS = (
    "git log --stat -40",
    "git log -p -5",
    "git status",
    "git diff HEAD~3 --stat",
    "ls -la hermes_agent hermes_agent/store hermes_agent/memory tests docs",
    "find hermes_agent -name '*.py'",
    "grep -rn 'def ' hermes_agent/memory hermes_agent/store",
    "wc -l hermes_agent/*/*.py",
    "python -m pip list",
    "python -m pip show numpy sqlalchemy",
    "python -m pytest --collect-only -q tests/store",
    "python -m pytest -q tests/text/test_words.py -v",
    "python -m hermes_agent --help",
    "python -m ruff check --select ALL --statistics hermes_agent",
    "python -c 'import nothing_like_it'",
    "env -i ls -l /nowhere",
    "df -h . --output=size,used,pcent",
    "ps -o pid,stat,time,comm",
)


def main() -> int:
    """Train and write the dictionary."""
    texts = [*_documents(), *_outputs()]
    samples = list(_cut(texts, Random(1)))
    trained = zstd.train_dict(samples, _BYTES)
    _TARGET.write_bytes(trained.dict_content)
    print(f"{len(samples):,} samples of {len(texts):,} texts, {len(trained.dict_content):,} bytes: {_TARGET.name}")
    return 0


def _documents() -> Iterator[str]:
    for pattern in ("docs/**/*.md", "*.md", "hermes_agent/**/*.py", "tests/agent/*.py", "tests/cli/*.py"):
        for path in sorted(_ROOT.glob(pattern)):
            yield path.read_text(encoding="utf-8")


def _outputs() -> Iterator[str]:
    for command in _COMMANDS:
        command = command.replace("python ", f"{sys.executable} ", 1) if command.startswith("python ") else command
        done = subprocess.run(command, shell=True, cwd=_ROOT, capture_output=True, text=True, check=False)
        yield (done.stdout + done.stderr).replace(str(_ROOT), "/home/me/project").replace(sys.prefix, "/usr")


def _cut(texts: list[str], chance: Random) -> Iterator[bytes]:
    """Cut texts into pieces as long as messages are."""
    for text in texts:
        start = 0
        while start < len(text):
            length = chance.randint(*_SAMPLE)
            yield text[start : start + length].encode()
            start += length


if __name__ == "__main__":
    sys.exit(main())
