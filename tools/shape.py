"""Print the shape of the code base, and fail when it breaks a limit of the design.

Every rule is a pure function from a parsed file to findings, so a test can show it a few made-up lines.
`make check` runs it. Style that ruff knows is ruff's; the layers are import-linter's; here stands what
neither can say: sizes, broad excepts, and who may ask the time, the environment or the database.
"""

import ast
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from math import ceil
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "hermes_agent"

FILE_LINES = 400
FUNCTION_LINES = 80
BROAD_EXCEPTS_PER_1000_LINES = 1
MOCKS_PER_1000_LINES = 2

# The boundaries that must outlive any failure: a job, a tool call, a message from a chat platform, and the
# code and files of others: a plugin, a model whose libraries raise bare exceptions.
BROAD_EXCEPT_ALLOWED = (
    "jobs/worker.py",
    "memory/hindered.py",
    "agent/toolbox.py",
    "mcp/server.py",
    # The boundary of a message that came over HTTP: whoever follows the turn is told, the log says where.
    "web/turns.py",
    # The boundary of a request: the client is told, the log says where.
    "web/gate.py",
    "gateways/*.py",
    "embedders/plugin.py",
    "providers/watched.py",
    "recall/rerank_onnx.py",
)

# Beside the store: the file of a provider that lives inside this package. Its shape is given by the public
# product, none of our records are in it, and a provider may not import the store.
SQL_ALLOWED = {"providers/holographic_file.py"}

BROAD = {"Exception", "BaseException"}
VAGUE_NAMES = {"utils", "util", "helpers", "helper", "common", "misc"}
DATABASES = {"sqlalchemy", "alembic", "psycopg", "psycopg_pool", "sqlite3", "pysqlite3", "sqlcipher3"}
ENVIRONMENT = {"os.environ", "os.environb", "os.getenv", "os.putenv", "os.unsetenv"}
CLOCKS = {
    *("datetime.now", "datetime.utcnow", "datetime.today", "date.today"),
    *("time.time", "time.time_ns", "time.monotonic", "time.monotonic_ns"),
    *("time.perf_counter", "time.perf_counter_ns", "time.localtime", "time.gmtime"),
}
SQL = re.compile(
    r"\s*(SELECT\s.*\sFROM\s|INSERT\s+(OR\s+\w+\s+)?INTO\s|UPDATE\s+\S+\s+SET\s|DELETE\s+FROM\s"
    r"|(CREATE|ALTER|DROP)\s+(VIRTUAL\s+)?(TABLE|INDEX|SCHEMA|TRIGGER)\s|PRAGMA\s+\w+)",
    re.DOTALL,
)


@dataclass(frozen=True)
class Source:
    """A Python file: its path from the root of the repository, and its text."""

    path: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, self.path)

    @cached_property
    def nodes(self) -> list[ast.AST]:
        return list(ast.walk(self.tree))

    @property
    def lines(self) -> int:
        return self.text.count("\n")

    @property
    def top(self) -> str:
        """The first folder: `hermes_agent`, `tests`, `tools`, `benchmarks`."""
        return self.path.split("/")[0]

    @property
    def inside(self) -> str:
        """The path below the first folder: `store/tables.py`."""
        return self.path.partition("/")[2]

    @property
    def module(self) -> str:
        return self.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


@dataclass(frozen=True)
class Finding:
    """A broken rule, at a place."""

    path: str
    line: int
    sentence: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.sentence}"


Function = ast.FunctionDef | ast.AsyncFunctionDef
Rule = Callable[[Source], Iterator[Finding]]


def functions(source: Source) -> Iterator[tuple[Function, int]]:
    """Yield every function with its length, decorators not counted."""
    for node in source.nodes:
        if isinstance(node, Function):
            yield node, (node.end_lineno or node.lineno) - node.lineno + 1


def dotted(node: ast.AST) -> str:
    """Return the last two parts of a dotted expression: `datetime.datetime.now` gives `datetime.now`."""
    match node:
        case ast.Attribute(value=ast.Name(id=owner), attr=name):
            return f"{owner}.{name}"
        case ast.Attribute(value=ast.Attribute(attr=owner), attr=name):
            return f"{owner}.{name}"
    return ""


def imported_names(source: Source) -> Iterator[tuple[int, str]]:
    """Yield every absolutely imported name: `from os import environ` gives `os.environ`."""
    for node in source.nodes:
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, alias.name) for alias in names)
            case ast.ImportFrom(module=str(module), names=names, level=0):
                yield from ((node.lineno, f"{module}.{alias.name}") for alias in names)


def broad_handlers(source: Source) -> Iterator[ast.ExceptHandler]:
    """Yield every `except` that catches any error."""
    for node in source.nodes:
        if isinstance(node, ast.ExceptHandler):
            kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            if any(kind is None or (isinstance(kind, ast.Name) and kind.id in BROAD) for kind in kinds):
                yield node


def mocks(source: Source) -> Iterator[ast.AST]:
    """Yield every use of a mock or a patched attribute."""
    for node in source.nodes:
        match node:
            case ast.Import(names=names) if any(alias.name.startswith("unittest.mock") for alias in names):
                yield node
            case ast.ImportFrom(module=str(module)) if module.startswith("unittest.mock"):
                yield node
            case ast.Call(func=ast.Attribute(value=ast.Name(id="monkeypatch"), attr="setattr" | "setitem")):
                yield node
            case ast.Call(func=ast.Name(id="Mock" | "MagicMock" | "AsyncMock" | "patch")):
                yield node


def file_length(source: Source) -> Iterator[Finding]:
    if source.lines > FILE_LINES:
        yield Finding(source.path, 1, f"{source.lines} lines, limit {FILE_LINES}: move pure functions out")


def function_length(source: Source) -> Iterator[Finding]:
    for node, lines in functions(source):
        if lines > FUNCTION_LINES:
            yield Finding(source.path, node.lineno, f"{node.name} has {lines} lines, limit {FUNCTION_LINES}")


def vague_name(source: Source) -> Iterator[Finding]:
    for part in PurePosixPath(source.path).with_suffix("").parts:
        if part in VAGUE_NAMES:
            yield Finding(source.path, 1, f"`{part}` names no idea: name the file after what it holds")


def broad_except(source: Source) -> Iterator[Finding]:
    if any(PurePosixPath(source.inside).match(pattern) for pattern in BROAD_EXCEPT_ALLOWED):
        return
    for node in broad_handlers(source):
        yield Finding(source.path, node.lineno, "catches every error: name the narrowest type")


def silent_except(source: Source) -> Iterator[Finding]:
    """Find broad errors that vanish; no file may do that."""
    for handler in broad_handlers(source):
        if all(isinstance(step, ast.Pass | ast.Continue) or is_constant(step) for step in handler.body):
            yield Finding(source.path, handler.lineno, "swallows every error: someone must see it")
    for node in source.nodes:
        match node:
            case ast.Call(func=ast.Name(id="suppress") | ast.Attribute(attr="suppress"), args=kinds) if any(
                isinstance(kind, ast.Name) and kind.id in BROAD for kind in kinds
            ):
                yield Finding(source.path, node.lineno, "suppresses every error: someone must see it")


def is_constant(step: ast.stmt) -> bool:
    return isinstance(step, ast.Expr) and isinstance(step.value, ast.Constant)


def printing(source: Source) -> Iterator[Finding]:
    if source.inside.startswith("cli/"):
        return
    for node in source.nodes:
        match node:
            case ast.Call(func=ast.Name(id="print")):
                yield Finding(source.path, node.lineno, "prints: only cli/ does")


def asking_the_time(source: Source) -> Iterator[Finding]:
    if source.inside == "clock.py":
        return
    for line, name in uses(source, CLOCKS):
        yield Finding(source.path, line, f"`{name}` asks the time: only clock.py does")


def reading_the_environment(source: Source) -> Iterator[Finding]:
    if source.inside.startswith("config/"):
        return
    for line, name in uses(source, ENVIRONMENT):
        yield Finding(source.path, line, f"`{name}` reads the environment: only config/ does")


def uses(source: Source, names: set[str]) -> Iterator[tuple[int, str]]:
    """Yield where one of the dotted names is imported or written out."""
    yield from ((line, name) for line, name in imported_names(source) if name in names)
    for node in source.nodes:
        if isinstance(node, ast.Attribute) and dotted(node) in names:
            yield node.lineno, dotted(node)


def speaking_sql(source: Source) -> Iterator[Finding]:
    if source.inside.startswith("store/") or source.inside in SQL_ALLOWED:
        return
    for line, name in imported_names(source):
        if name.split(".")[0] in DATABASES:
            yield Finding(source.path, line, f"imports {name.split('.')[0]}: only store/ speaks to a database")
    for node in source.nodes:
        match node:
            case ast.Constant(value=str(text)) if SQL.match(text):
                yield Finding(source.path, node.lineno, "holds SQL: only store/ does")


EVERYWHERE: tuple[Rule, ...] = (vague_name, silent_except)
SIZES: tuple[Rule, ...] = (file_length, function_length)
PACKAGE_ONLY: tuple[Rule, ...] = (
    broad_except,
    printing,
    asking_the_time,
    reading_the_environment,
    speaking_sql,
)


def check(source: Source) -> list[Finding]:
    """Return what one file breaks: the package keeps every rule, tools sizes, tests only the common ones."""
    rules = list(EVERYWHERE)
    if source.top != "tests":
        rules += SIZES
    if source.top == PACKAGE:
        rules += PACKAGE_ONLY
    return [finding for rule in rules for finding in rule(source)]


def imports(source: Source, modules: set[str]) -> set[str]:
    """Return which of `modules` the file imports, at the top or inside a function."""
    found: set[str] = set()
    package = source.module.split(".")
    if not source.path.endswith("/__init__.py"):
        package = package[:-1]
    for node in source.nodes:
        match node:
            case ast.Import(names=names):
                candidates = [alias.name for alias in names]
            case ast.ImportFrom(module=module, names=names, level=level):
                base = package[: len(package) - level + 1] if level else []
                parent = ".".join([*base, *([module] if module else [])])
                candidates = [name if (name := f"{parent}.{alias.name}") in modules else parent for alias in names]
            case _:
                continue
        found.update(name for name in candidates if name in modules and name != source.module)
    return found


def cycle(sources: Iterable[Source]) -> list[str]:
    """Return one cycle of imports, or nothing."""
    by_module = {source.module: source for source in sources}
    names = set(by_module)
    try:
        TopologicalSorter({name: imports(source, names) for name, source in by_module.items()}).prepare()
    except CycleError as error:
        path: list[str] = error.args[1]
        return path[::-1]
    return []


@dataclass(frozen=True)
class Shape:
    """The figures of the design, measured."""

    modules: int
    lines: int
    largest_file: tuple[int, str]
    longest_function: tuple[int, str]
    broad_excepts: int
    test_lines: int
    mocks: int
    cycle: list[str]


def measure(sources: Sequence[Source]) -> Shape:
    """Measure the package, and the tests for their mocks."""
    package = [source for source in sources if source.top == PACKAGE]
    tests = [source for source in sources if source.top == "tests"]
    lengths = [
        (lines, f"{source.path}:{node.lineno} {node.name}")
        for source in package
        for node, lines in functions(source)
    ]
    return Shape(
        modules=len(package),
        lines=sum(source.lines for source in package),
        largest_file=max(((source.lines, source.path) for source in package), default=(0, "")),
        longest_function=max(lengths, default=(0, "")),
        broad_excepts=sum(len(list(broad_handlers(source))) for source in package),
        test_lines=sum(source.lines for source in tests),
        mocks=sum(len(list(mocks(source))) for source in tests),
        cycle=cycle(package),
    )


def over(shape: Shape) -> list[str]:
    """Return the limits that the whole breaks, where no single line is to blame."""
    broken = []
    if shape.cycle:
        broken.append(f"imports go in a circle: {' → '.join(shape.cycle)}")
    if shape.broad_excepts > BROAD_EXCEPTS_PER_1000_LINES * ceil(shape.lines / 1_000):
        broken.append(
            f"{shape.broad_excepts} broad excepts: at most {BROAD_EXCEPTS_PER_1000_LINES} per 1,000 lines"
        )
    if shape.mocks > MOCKS_PER_1000_LINES * ceil(shape.test_lines / 1_000):
        broken.append(f"{shape.mocks} mocks: at most {MOCKS_PER_1000_LINES} per 1,000 lines of tests")
    return broken


def report(shape: Shape) -> str:
    """Write the figures, one a line."""
    excepts_rate = per_1000(shape.broad_excepts, shape.lines)
    mocks_rate = per_1000(shape.mocks, shape.test_lines)
    rows = [
        ("modules", f"{shape.modules:,}"),
        ("lines", f"{shape.lines:,}"),
        ("largest file", f"{shape.largest_file[0]} ({shape.largest_file[1]})"),
        ("longest function", f"{shape.longest_function[0]} ({shape.longest_function[1]})"),
        (
            "broad excepts",
            f"{shape.broad_excepts} ({excepts_rate} per 1,000 lines)",
        ),
        ("test lines", f"{shape.test_lines:,}"),
        ("mocks", f"{shape.mocks} ({mocks_rate} per 1,000 test lines)"),
        ("import cycles", "none" if not shape.cycle else "yes"),
    ]
    return "\n".join(f"{name:<17} {value}" for name, value in rows)


def per_1000(number: int, lines: int) -> str:
    return f"{number * 1_000 / lines:.1f}" if lines else "0.0"


def read(root: Path) -> list[Source]:
    """Read every Python file of the repository that is ours."""
    paths = [path for top in (PACKAGE, "tests", "tools", "benchmarks") for path in (root / top).rglob("*.py")]
    return [Source(path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")) for path in sorted(paths)]


def main() -> int:
    """Print the figures and every broken rule."""
    sources = read(ROOT)
    shape = measure(sources)
    broken = [*map(str, (finding for source in sources for finding in check(source))), *over(shape)]
    print(report(shape))
    for line in broken:
        print(line, file=sys.stderr)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
