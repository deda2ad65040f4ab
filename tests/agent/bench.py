"""A bench for turns: a real store, a scripted model, plain tools."""

from hermes_agent.agent.nudge import Intervals
from hermes_agent.agent.recollection import Recollection
from hermes_agent.agent.toolbox import Tool, Toolbox
from hermes_agent.agent.turn import Bench, Happening, hear
from hermes_agent.agent.turn import take_turn as answer
from hermes_agent.memory.memory import Memory
from hermes_agent.models.model import Model
from hermes_agent.records.archive import Message, NewSession


def bench_for(memory: Memory, model: Model, *tools: Tool, recall_tokens: int = 2_000) -> Bench:
    session_id = memory.begin(NewSession(source="cli", system_prompt="You remember."))
    return Bench(
        archive=memory,
        model=model,
        light_model=model,
        toolbox=Toolbox({tool.spec.name: tool for tool in tools}),
        session_id=session_id,
        prompt=lambda: "You remember.",
        max_rounds=5,
        nudges=Intervals(memory_turns=0, skill_rounds=0),
        recollection=Recollection(memory, session_id, recall_tokens),
    )


def take_turn(bench: Bench, said: str) -> Happening:
    return answer(bench, hear(bench.archive, bench.session_id, said))


def kept(memory: Memory, bench: Bench) -> list[Message]:
    return list(memory.messages(bench.session_id))


def roles(memory: Memory, bench: Bench) -> list[str]:
    return [message.role for message in kept(memory, bench)]
