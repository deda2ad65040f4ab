"""Small stand-ins for what is not ours: a language model that follows a script, tools that do one thing."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from hermes_agent.agent.toolbox import ToolResult
from hermes_agent.records.archive import Json
from hermes_agent.records.talk import Piece, Reply, Request, TextPiece, ToolCall, ToolSpec, Usage

Step = Reply | Exception | BaseException


@dataclass
class ScriptedModel:
    """Answers each request with the next step of its script and remembers what it was asked."""

    script: Sequence[Step]
    name: str = "scripted"
    context_window: int = 100_000
    is_embedded: bool = False
    requests: list[Request] = field(default_factory=list)

    def ask(self, request: Request) -> Iterator[Piece]:
        """Give the next step, the text word by word."""
        self.requests.append(request)
        step = self.script[min(len(self.requests), len(self.script)) - 1]
        if not isinstance(step, Reply):
            raise step
        for word in step.text.split(" ") if step.text else []:
            yield TextPiece(word + " ")
        yield replace(step, model=self.name)


def reply(text: str = "", *calls: ToolCall) -> Reply:
    """Return a reply that cost something."""
    return Reply(text, calls, usage=Usage(input=10, output=5))


def call(name: str, arguments: str = "{}", id: str = "call_1") -> ToolCall:
    """Return a wish to use a tool."""
    return ToolCall(id, name, arguments)


@dataclass(frozen=True)
class PlainTool:
    """A tool that does what it is told to."""

    name: str
    work: Callable[[Mapping[str, Json]], ToolResult]
    asked: str | None = None

    @property
    def spec(self) -> ToolSpec:
        """What the model sees."""
        return ToolSpec(self.name, f"Do {self.name}.", {"type": "object", "properties": {}})

    def question(self, arguments: Mapping[str, Json]) -> str | None:
        """Ask what the test wants to be asked."""
        return self.asked

    def run(self, arguments: Mapping[str, Json]) -> ToolResult:
        """Do it."""
        return self.work(arguments)
