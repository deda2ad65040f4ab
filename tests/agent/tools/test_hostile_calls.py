"""Whatever a model sends, it gets an answer, and nothing outside of the working folder changes.

The working folder stands in a tree of files with traps in it: links that lead out, a pipe, names that look
like options. The tree and the home are compared before and after every call.
"""

import hashlib
import json
import os
import stat
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes_agent.agent.toolbox import LONGEST_RESULT, Tool, Toolbox, ToolResult
from hermes_agent.agent.tools.files import EditFile, ReadFile, WriteFile
from hermes_agent.agent.tools.journal import Journal
from hermes_agent.agent.tools.overflow import Overflow
from hermes_agent.agent.tools.recall import Recall
from hermes_agent.agent.tools.search import SearchFiles
from hermes_agent.agent.tools.session_search import SessionSearch
from hermes_agent.agent.tools.shell import Shell
from hermes_agent.agent.tools.todo import Todo, TodoList
from hermes_agent.agent.tools.web_fetch import WebFetch
from hermes_agent.agent.tools.workspace import Workspace
from hermes_agent.config.paths import Home
from hermes_agent.config.settings import Approval
from hermes_agent.memory.memory import Memory
from hermes_agent.records.talk import ToolCall
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store
from tests.agent.tools.conftest import Notebook
from tests.counts import count, record
from tests.recall.conversations import talk

SECONDS = 30
"""No call may take longer; the longest limit of a tool here is a fifth of a second."""

Fingerprint = Mapping[str, tuple[int, str]]


@dataclass(frozen=True)
class World:
    """A tree with the working folder in it, the home, and the tools of a conversation."""

    around: Path
    folder: Path
    home: Path
    toolbox: Toolbox

    def outside(self) -> Fingerprint:
        """Describe everything but the inside of the working folder."""
        return {**fingerprint(self.around, leave_out=self.folder), **fingerprint(self.home)}


def fingerprint(root: Path, leave_out: Path | None = None) -> Fingerprint:
    """Describe each file of a tree: its kind, mode and bytes."""
    found: dict[str, tuple[int, str]] = {}
    for folder, names, files in os.walk(root):
        if leave_out is not None and Path(folder) == leave_out:
            names.clear()
            continue
        for name in (*names, *files):
            path = Path(folder, name)
            mode = path.lstat().st_mode
            content = b""
            if stat.S_ISLNK(mode):
                content = os.fsencode(path.readlink())
            elif stat.S_ISREG(mode):
                content = path.read_bytes()
            found[str(path)] = (mode, hashlib.sha256(content).hexdigest())
    return found


def build(tmp_path: Path, home: Home, memory: Memory, approval: Approval) -> World:
    around = (tmp_path / "around").resolve()
    folder = around / "work"
    (folder / "sub" / "deep").mkdir(parents=True)
    (around / "beside").mkdir()
    for file in ("outside.txt", "beside/secret.txt", "work/a.txt", "work/sub/b.py", "work/-rf"):
        (around / file).write_text(f"text of {file}\nneedle\n" + "a" * 200 + "b\n")
    (folder / "crlf.txt").write_bytes(b"one\r\ntwo\r\n")
    (folder / "binary").write_bytes(bytes(range(256)))
    (folder / "read-only.txt").write_text("needle")
    (folder / "read-only.txt").chmod(0o444)
    os.mkfifo(folder / "pipe")
    os.mkfifo(around / "beside" / "pipe")
    links = {
        "to-file": "../outside.txt",
        "to-folder": "../beside",
        "to-nothing": "../not-there.txt",
        "to-root": "/",
        "to-home": str(home.root),
        "to-pipe": "../beside/pipe",
        "to-zero": "/dev/zero",
        "to-itself": "to-itself",
        "sub/up": "../..",
    }
    for name, target in links.items():
        (folder / name).symlink_to(target)
    os.link(around / "outside.txt", folder / "same-as-outside.txt")
    for own in (home.env_file, home.state_db, home.soul, home.config_yaml):
        own.write_text("of the home\n")
    workspace = Workspace(folder, (), home.root, home.outputs)
    overflow, keeper = Overflow(home.outputs), Notebook()
    tools: list[Tool] = [
        ReadFile(workspace, overflow),
        WriteFile(workspace, keeper),
        EditFile(workspace, keeper),
        SearchFiles(workspace, seconds=0.2),
        Shell(folder, approval, ["echo *", "true"], {"PATH": os.environ["PATH"]}, overflow, keeper),
        WebFetch(overflow, seconds=0.2),
        Todo(TodoList()),
        Journal(memory, "now"),
        Recall(memory, "now"),
        SessionSearch(memory, "now"),
    ]
    return World(around, folder, home.root, Toolbox({tool.spec.name: tool for tool in tools}))


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    store = Store(Sqlite(tmp_path / "state.db"), "default")
    memory = Memory(store, "default")
    talk(memory, "s", "Where is the needle?", "In the haystack.")
    yield memory
    store.close()


# What is sent: words that lead somewhere, words that should lead nowhere, and noise.
PATHS = ["a.txt", "sub", "sub/b.py", ".", "new.txt", "new/er/x.txt", "-rf", "crlf.txt", "binary", "read-only.txt"]
TRAPS = [
    "to-file",
    "to-folder/secret.txt",
    "to-folder/new.txt",
    "to-nothing",
    "to-root/etc/passwd",
    "to-home/.env",
]
TRAPS += ["to-pipe", "pipe", "to-zero", "to-itself", "to-itself/x", "sub/up/outside.txt", "sub/up/new.txt"]
TRAPS += ["../outside.txt", "../new.txt", "sub/../../outside.txt", "../work/../outside.txt", "same-as-outside.txt"]
TRAPS += ["/etc/passwd", "/dev/zero", "/dev/stdin", "/proc/self/mem", "/proc/self/environ", "/", "~", "~root/x"]
TRAPS += ["~/.hermes/.env", "~/.hermes/state.db", "~/.hermes/new.txt", "~/.hermes/cache/outputs/x", "$HOME/.env"]
TRAPS += [
    "a.txt/",
    "a.txt/x",
    "//etc/passwd",
    "./././a.txt",
    "sub//b.py",
    "",
    " ",
    "\0",
    "a\0.txt",
    "x" * 300,
    "x/" * 3_000,
]
PATTERNS = ["needle", "(", "(a|aa)+$", "(?:(?:a+)+)+c", "(?:x{65535}){65535}", "[", "*", ".*", "(?R)", "\\p{X}"]
GLOBS = ["*.py", "**/*", "{a,b", "[", "*a" * 50, "../*", "/etc/*"]
COMMANDS = ["rm -rf ..", "echo x > ../outside.txt", "sleep 600 &", "cat /dev/zero", "true"]
URLS = [
    "http://127.0.0.1/",
    "http://127.1:1/",
    "http://0x7f000001/",
    "http://[::1]/",
    "http://localhost./",
    "http://[",
]
URLS += [
    "http://[::ffff:127.0.0.1]/",
    "http://169.254.169.254/latest",
    "file:///etc/passwd",
    "https://",
    "http://0/",
]
WORDS = [
    "needle",
    "pending",
    "newest",
    "index",
    "s",
    "default/s",
    "true",
    "1",
    "-1",
    "text of",
    "one\ntwo",
    "nan",
    "[]",
    "{}",
]
NUMBERS = st.one_of(st.integers(-3, 70), st.integers(), st.floats(), st.just(10**300), st.just(2**63))
NOISE = st.text(st.characters(codec=None, exclude_categories=()), max_size=60)
LEADING = st.sampled_from([*PATHS, *TRAPS, *PATTERNS, *GLOBS, *COMMANDS, *URLS, *WORDS])
HUGE = st.builds(lambda character, times: character * times, st.sampled_from("a\n/😀\ud800\0"), st.just(200_000))
SCALAR = st.one_of(st.none(), st.booleans(), NUMBERS, NOISE, LEADING, HUGE)
JSON = st.recursive(SCALAR, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NOISE, inner, max_size=3))
BROKEN = [
    "[" * 100_000,
    '{"path":' * 50_000,
    '{"path": "a.txt"',
    "null",
    "[]",
    '"x"',
    "1" * 5_000,
    "{}",
    "",
    "\0",
    "NaN",
]
FITTING = {
    "action": st.sampled_from(["record", "look_up"]) | NOISE,
    "kind": st.sampled_from(["decision", "remark", "turn"]) | NOISE,
    "path": st.sampled_from([*PATHS, *TRAPS]) | NOISE,
    "pattern": st.sampled_from(PATTERNS) | NOISE,
    "glob": st.sampled_from(GLOBS) | NOISE,
    "command": st.sampled_from(COMMANDS) | NOISE,
    "url": st.sampled_from(URLS) | NOISE,
    "old_text": st.sampled_from(["needle", "one\ntwo", "", "text of"]) | NOISE,
    "content": NOISE | HUGE,
    "items": st.lists(st.fixed_dictionaries({"text": NOISE, "status": LEADING | st.just("done")}), max_size=4),
}
TOOLS = [
    "read_file",
    "write_file",
    "edit_file",
    "search_files",
    "shell",
    "web_fetch",
    "todo",
    "journal",
    "recall",
    "session_search",
]


@st.composite
def arguments(draw: st.DrawFn, names: list[str]) -> str:
    """Write the arguments of a call: mostly the right names with values that fit more or less."""
    if draw(st.integers(0, 9)) == 0:
        return draw(st.sampled_from(BROKEN) | NOISE)
    sent = {name: draw(FITTING.get(name, SCALAR) if draw(st.integers(0, 3)) else JSON) for name in names}
    sent |= draw(st.dictionaries(NOISE, JSON, max_size=2))
    for name in draw(st.lists(st.sampled_from(names), max_size=2)):
        sent.pop(name, None)
    text = json.dumps(sent)
    return text[: draw(st.integers(0, len(text)))] if draw(st.integers(0, 19)) == 0 else text


PARAMETERS = {
    "read_file": ["path", "offset", "limit", "column"],
    "write_file": ["path", "content"],
    "edit_file": ["path", "old_text", "new_text", "replace_all"],
    "search_files": ["pattern", "path", "glob", "limit"],
    "shell": ["command", "timeout_seconds"],
    "web_fetch": ["url", "max_chars"],
    "todo": ["items"],
    "journal": ["action", "kind", "text", "reason", "about", "since", "limit", "here"],
    "recall": ["query", "limit", "since", "until"],
    "session_search": ["query", "limit", "session_id", "around_message_id", "summarize", "detail"],
}


@dataclass(frozen=True)
class Sent:
    """A call as it was drawn; what is printed of it is cut."""

    name: str
    arguments: str

    def __repr__(self) -> str:
        return f"{self.name} {self.arguments[:1_000]!r} ({len(self.arguments)} characters)"


CALLS = st.sampled_from([*TOOLS, "no_such_tool"]).flatmap(
    lambda name: st.builds(Sent, st.just(name), arguments(PARAMETERS.get(name, ["path"])))
)


def check(world: World, call: ToolCall) -> ToolResult:
    """Make a call and see that it does no harm."""
    before = world.outside()
    started = time.monotonic()
    world.toolbox.question(call)
    result = world.toolbox.run(call)
    assert time.monotonic() - started < SECONDS
    assert isinstance(result, ToolResult)
    assert result.text
    assert len(result.text) <= LONGEST_RESULT + 1_000
    assert "failed inside" not in result.text
    result.text.encode("utf-8")
    assert world.outside() == before
    return result


def test_the_parameters_tried_are_those_of_the_tools(tmp_path: Path, home: Home, memory: Memory) -> None:
    specs = {spec.name: spec for spec in build(tmp_path, home, memory, "deny").toolbox.specs}
    assert sorted(specs) == sorted(TOOLS) == sorted(PARAMETERS)
    for name, tried in PARAMETERS.items():
        properties = specs[name].parameters["properties"]
        assert isinstance(properties, dict)
        assert set(tried) <= set(properties)


def test_hostile_and_malformed_calls_do_no_harm(tmp_path: Path, home: Home, memory: Memory) -> None:
    world = build(tmp_path, home, memory, "deny")
    calls = 0

    @settings(max_examples=count(300, 10_000))
    @given(CALLS)
    def calls_do_no_harm(sent: Sent) -> None:
        nonlocal calls
        check(world, ToolCall("1", sent.name, sent.arguments))
        calls += 1

    calls_do_no_harm()
    record("tools.hostile.calls", calls)
    record("tools.hostile.escaped", 0)  # the first would have ended the test


@pytest.mark.parametrize("name", ["read_file", "write_file", "edit_file", "search_files"])
def test_no_trap_leads_out_of_the_folder(tmp_path: Path, home: Home, memory: Memory, name: str) -> None:
    world = build(tmp_path, home, memory, "deny")
    for path in TRAPS:
        sent = {"path": path, "content": "x", "old_text": "needle", "new_text": "x", "pattern": "root:|home"}
        result = check(world, ToolCall("1", name, json.dumps(sent)))
        assert "of the home" not in result.text
        assert "root:x" not in result.text
        assert "text of beside" not in result.text


PIECES = [
    "echo",
    "true",
    " ",
    " ",
    ";",
    "&&",
    "||",
    "|",
    "&",
    "`",
    "$(",
    ")",
    ">",
    "<",
    "\n",
    "'",
    '"',
    "\\",
    "{",
    "}",
    "#",
]
PIECES += [
    "../outside.txt",
    "touch ../new.txt",
    "rm -rf ..",
    "x",
    "$HOME",
    "*",
    "~",
    "A=1",
    "\0",
    "\t",
    "\r",
    "!",
    "é",
    "[a]",
]


def test_no_command_slips_past_the_list(tmp_path: Path, home: Home, memory: Memory) -> None:
    world = build(tmp_path, home, memory, "allow")
    inside = fingerprint(world.folder)

    @settings(max_examples=count(100, 2_000))
    @given(st.lists(st.sampled_from(PIECES), max_size=8).map("".join))
    def the_list_holds(command: str) -> None:
        check(world, ToolCall("1", "shell", json.dumps({"command": command})))
        assert fingerprint(world.folder) == inside

    the_list_holds()
