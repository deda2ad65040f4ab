"""ByteRover: a tree of markdown files in the home, written by the command `brv` with a model of its own.

`brv` ends well even when it failed: what happened stands in the last line of its JSON. It also says that it kept
something when its model kept nothing, so we look at what it changed. Curating has no idempotency: what is brought
twice is read twice by ByteRover's model, which is told to update what is there. Memories are found by
`brv search`, which asks no model.
"""

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import IO, Any

from hermes_agent.config.paths import Home
from hermes_agent.errors import ProviderDown, ProviderRefused, ToolError
from hermes_agent.providers import arguments, options, outgoing, public_settings
from hermes_agent.providers.described import key, setting, tool, words
from hermes_agent.providers.provider import Kept, MemoryProvider, Schema, Surroundings
from hermes_agent.text import outside_json
from hermes_agent.text.clean import preview

_SECONDS = 10.0
_TIMES = {"search": 1.0, "status": 1.5, "query": 3.0, "curate": 12.0}
"""How much longer than a search a command may take: two of them ask a model."""
_LEAST_TIMEOUT = 10
_SHORTEST_QUERY, _LONGEST_QUERY = 10, 5_000
_LONGEST_SAID = 2_000
_LONGEST_CURATED = 20_000
_LONGEST_RESULT = 8_000
_LONGEST_REASON = 200
_FOUND = 5
_MOST_BYTES = 4_000_000
_NOTES = {"user": "User profile", "memory": "Agent memory"}
_PLACES = ("~/.brv-cli/bin/brv", "/usr/local/bin/brv", "~/.npm-global/bin/brv")
_SUMMARIES = (".abstract.md", ".overview.md", ".stub.md")
# The keys of other vendors are none of its business.
_SECRET = re.compile(r"(?!BRV_).*(_KEY|_TOKEN|_SECRET|PASSWORD|PASSPHRASE)", re.I)
_OWNERS = re.compile(
    r"no provider|not logged in|log ?in|unauthori[sz]ed|api key|authenticat|credential|forbidden", re.I
)
_FRONT = re.compile(r"\A---\n(.*?)\n---\n", re.S)
_FIELD = re.compile(r"^(summary|updatedAt): *(.+)$", re.M)
_HINT = "Look with: brv status. A model is chosen with: brv providers connect"

_TOOLS = [
    tool("brv_query", "Ask ByteRover's knowledge tree.", ["query"], query=words("A whole question.")),
    tool(
        "brv_curate", "Keep something in ByteRover's knowledge tree.", ["content"], content=words("What to keep.")
    ),
    tool("brv_status", "See how ByteRover is.", []),
]


class ByteRover(MemoryProvider):
    """The knowledge tree of one home."""

    name = "byterover"
    recall_seconds = 6.0  # each call starts a program, which takes 1.5 to 3.5 s

    def __init__(self, surroundings: Surroundings) -> None:
        self._surroundings = surroundings
        self._home = Home(surroundings.folder, surroundings.profile)
        self._options = options.Options(surroundings, public_settings.section(self._home, "memory", "byterover"))

    def is_available(self) -> bool:
        return self._found_program() is not None and not self._home.encryption.exists()

    def initialize(self, session_id: str, **kwargs: Any) -> None:
        self._seconds  # noqa: B018 - it tells of a wrong setting
        self._program, self._folder  # noqa: B018 - and these of what is missing

    def get_config_schema(self) -> list[Schema]:
        return [
            key("ByteRover's cloud", "BRV_API_KEY", "https://app.byterover.dev", required=False),
            setting("auto_extract", "Let it learn from turns and notes", "true", choices=["true", "false"]),
            setting("command", "Where brv is, if it is not on the PATH", ""),
            setting("timeout_seconds", "How long a search may take", "10"),
        ]

    def get_tool_schemas(self) -> list[Schema]:
        return list(_TOOLS)

    def system_prompt_block(self) -> str:
        return "# ByteRover\nA knowledge tree. Ask it with brv_query, keep what lasts with brv_curate."

    def prefetch(self, query: str, *, session_id: str = "") -> str:
        if len(query.strip()) < _SHORTEST_QUERY:
            return ""
        data = self._run("search", ["--limit", str(_FOUND)], query[:_LONGEST_QUERY])
        results = data.get("results")
        if not isinstance(results, list):
            raise _strange()
        # Its index may know a file for some seconds after it was removed.
        lines = [_line(result) for result in results[:_FOUND] if not self._is_removed(result)]
        return "\n".join(lines)

    def sync_turn(
        self,
        user_content: str,
        assistant_content: str,
        *,
        session_id: str = "",
        messages: Sequence[Schema] | None = None,
    ) -> None:
        """Let it learn from a turn; that its model found nothing worth keeping is fine."""
        if self._is_learning and len(user_content.strip()) >= _SHORTEST_QUERY:
            told = f"User: {user_content[:_LONGEST_SAID]}\nAssistant: {assistant_content[:_LONGEST_SAID]}"
            self._curate(told)

    def on_memory_write(
        self, action: str, target: str, content: str, metadata: Mapping[str, Any] | None = None
    ) -> None:
        """Tell it of what is added to the notes; what is removed there, its model cannot find again."""
        if self._is_learning and action in ("add", "replace") and content.strip():
            self._curate(f"[{_NOTES.get(target, target)}] {content}")

    def remember(self, text: str) -> str:
        """Let it keep a sentence; raise if it kept nothing. Its model may choose other words."""
        kept = self._curate(text)
        if not kept:
            raise ProviderDown("ByteRover kept nothing of it: its model answered without writing.", hint=_HINT)
        return kept[0]

    def memories(self) -> Iterator[Kept]:
        """Yield the files of the tree, without what ByteRover made of them."""
        for path in sorted(self._tree.rglob("*.md")):
            name = path.relative_to(self._tree).as_posix()
            if not name.startswith("_") and not name.endswith(_SUMMARIES):
                text = path.read_text("utf-8", "replace")
                yield Kept(name, _FRONT.sub("", text).strip() or text.strip())

    def forget(self, kept_id: str) -> None:
        """Remove one file of the tree, and what was made of it; ByteRover's own logs are not ours to clean."""
        path = (self._tree / kept_id).resolve()
        if path.suffix != ".md" or not path.is_relative_to(self._tree.resolve()):
            raise ToolError(f"{kept_id[:80]!r} is no file of ByteRover's tree.")
        for ending in (".md", *_SUMMARIES):
            path.with_name(path.name.removesuffix(".md") + ending).unlink(missing_ok=True)

    def handle_tool_call(self, tool_name: str, args: Schema, **kwargs: Any) -> str:
        match tool_name:
            case "brv_query":
                return json.dumps({"result": self._query(arguments.text(args, "query"))}, ensure_ascii=False)
            case "brv_curate":
                kept = self._curate(arguments.text(args, "content"))
                result = "Memory curated successfully." if kept else "ByteRover found nothing in it to keep."
                return json.dumps({"result": result, "files": kept}, ensure_ascii=False)
            case "brv_status":
                return json.dumps({"status": self._run("status", [], None)}, ensure_ascii=False)
        raise ToolError(f"{self.name} has no tool {tool_name!r}.")

    @property
    def _is_learning(self) -> bool:
        return self._options.is_on("auto_extract")

    @cached_property
    def _seconds(self) -> float:
        return self._options.number("timeout_seconds", default=_SECONDS, least=0.1, most=600)

    @cached_property
    def _program(self) -> str:
        found = self._found_program()
        if found is None:
            raise ProviderRefused(
                "The command brv of ByteRover was not found.", hint="Install it: npm install -g byterover-cli"
            )
        return found

    def _found_program(self) -> str | None:
        told = self._options.text("command")
        named = [told] if told else ["brv", *_PLACES]
        path = self._surroundings.variables.get("PATH")
        found = (shutil.which(Path(name).expanduser(), path=path) for name in named)
        return next((place for place in found if place is not None), None)

    @cached_property
    def _folder(self) -> Path:
        if self._home.encryption.exists():
            raise ProviderRefused(
                "ByteRover keeps its memories in plain files, and this home is encrypted.",
                hint="Turn it off (hermes memory off), or decrypt the home: hermes decrypt",
            )
        folder = self._home.root / "byterover"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder

    @property
    def _tree(self) -> Path:
        return self._folder / ".brv" / "context-tree"

    def _is_removed(self, result: object) -> bool:
        path = (
            result.get("path") if isinstance(result, dict) and result.get("origin", "local") == "local" else None
        )
        return isinstance(path, str) and not (self._tree / path).exists()

    def _query(self, query: str) -> str:
        data = self._run("query", [], query[:_LONGEST_QUERY])
        result, documents = data.get("result"), data.get("matchedDocs", [])
        if not isinstance(result, str) or not isinstance(documents, list):
            raise _strange()
        if not documents and "No matching knowledge found" in result:
            return "No relevant memories found."
        return result if len(result) <= _LONGEST_RESULT else f"{result[:_LONGEST_RESULT]}\n\n[... truncated]"

    def _curate(self, text: str) -> list[str]:
        """Let it take a text in; return the files that it wrote, as the tree names them."""
        if not text.strip():
            raise ToolError("There is nothing to remember.")
        if len(text) > _LONGEST_CURATED:
            raise ToolError(f"ByteRover takes at most {_LONGEST_CURATED:,} characters at once: shorten it.")
        seconds = max(_LEAST_TIMEOUT, int(self._seconds * _TIMES["curate"]))
        data = self._run("curate", ["--timeout", str(seconds)], text)
        changes = data.get("changes", {})
        if data.get("status") != "completed" or not isinstance(changes, dict):
            raise _strange()
        written = [*(changes.get("created") or []), *(changes.get("updated") or [])]
        return [_below(self._tree, str(path)) for path in written]

    def _run(self, verb: str, options: Sequence[str], text: str | None) -> Schema:
        """Run one command and return the data of its answer; it has its time, and no more."""
        words = [] if text is None else ["--", outgoing.sendable(text)]
        command = [self._program, verb, "--format", "json", *options, *words]
        code, said, complaint = self._finished(command, self._seconds * _TIMES[verb])
        lines = [read for line in said.splitlines() if isinstance(read := outside_json.read(line), dict)]
        answer = lines[-1] if lines else {}
        data = answer.get("data")
        if not code and answer.get("success") is True and isinstance(data, dict):
            return data
        if not code and answer.get("success") is not False:
            raise _strange()
        told = data.get("error") or data.get("message") if isinstance(data, dict) else None
        raise self._failed(verb, told if isinstance(told, str) else complaint)

    def _finished(self, command: Sequence[str], seconds: float) -> tuple[int, str, str]:
        # Into files: the server that brv leaves behind may keep a pipe open, and reading it would never end.
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
            try:
                with subprocess.Popen(
                    command,
                    cwd=self._folder,
                    env=self._environment,
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=errors,
                ) as process:
                    try:
                        code = process.wait(seconds)
                    except subprocess.TimeoutExpired:
                        process.kill()
                        raise ProviderDown(f"brv {command[1]} did not end within {seconds:g} s.") from None
            except OSError as error:
                raise ProviderRefused(f"{self._program} does not start: {error.strerror}.", hint=_HINT) from error
            return code, _read(out), _read(errors)

    @cached_property
    def _environment(self) -> dict[str, str]:
        """What brv is told of the environment; node, which runs it, may lie beside it."""
        variables = self._surroundings.variables
        kept = {name: value for name, value in variables.items() if not _SECRET.fullmatch(name)}
        kept["PATH"] = f"{Path(self._program).parent}:{variables.get('PATH', '')}"
        return kept

    def _failed(self, verb: str, reason: str) -> ProviderDown | ProviderRefused:
        key = self._surroundings.variables.get("BRV_API_KEY")
        shown = preview(reason.replace(key, "…") if key else reason, _LONGEST_REASON)
        sentence = f"brv {verb} failed{f': {shown}' if shown else '.'}"
        return ProviderRefused(sentence, hint=_HINT) if _OWNERS.search(reason) else ProviderDown(sentence)


def _read(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read(_MOST_BYTES).decode("utf-8", "replace")


def _line(result: object) -> str:
    """Write what was found on one line: its day and its summary, or how it begins."""
    excerpt = result.get("excerpt") if isinstance(result, dict) else None
    if not isinstance(excerpt, str):
        raise _strange()
    fields = {name: value.strip("'\"") for name, value in _FIELD.findall(excerpt)}
    return outgoing.line(fields.get("summary") or _FRONT.sub("", excerpt), fields.get("updatedAt", "")[:10])


def _below(tree: Path, path: str) -> str:
    """Return a path as the tree names it."""
    return path.removeprefix(f"{tree}/").removeprefix(f"{tree.resolve()}/")


def _strange() -> ProviderDown:
    return ProviderDown("brv answered with something else than it should.", hint=_HINT)
