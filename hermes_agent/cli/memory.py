"""`hermes memory`: see what is remembered and how it changed."""

import click

from hermes_agent.cli.lazy import LazyGroup
from hermes_agent.cli.output import examples

# name → (where the command is, its one-line help)
COMMANDS: dict[str, tuple[str, str]] = {
    "search": (
        "hermes_agent.cli.memory_search:search",
        "Find what is remembered, by words and by meaning.",
    ),
    "context": ("hermes_agent.cli.context:context", "Print what memory puts in front of a task."),
    "status": ("hermes_agent.cli.memory_status:status", "Count what memory holds."),
    "facts": ("hermes_agent.cli.facts:facts", "List facts; `hermes memory fact` changes them."),
    "fact": ("hermes_agent.cli.facts:fact", "Add, show, change and delete facts."),
    "user": ("hermes_agent.cli.user:user", "Tell what is known of you, and from what."),
    "conflicts": ("hermes_agent.cli.conflicts:conflicts", "List facts that contradict each other."),
    "review": ("hermes_agent.cli.review:review", "Decide about what is in quarantine."),
    "reflections": ("hermes_agent.cli.reflections:reflections", "See what tasks taught."),
    "summaries": ("hermes_agent.cli.summaries:summaries", "See what stands for old episodes."),
    "compact": ("hermes_agent.cli.compact:compact", "Let summaries stand for what is old."),
    "events": ("hermes_agent.cli.events:events", "Tell what was done, decided and learned, and why."),
    "suggest": ("hermes_agent.cli.suggest:suggest", "Propose what to add to the notes from a conversation."),
    "log": ("hermes_agent.cli.memory_log:log", "List the changes of memory, the newest first."),
    "history": ("hermes_agent.cli.memory_log:history", "List the versions of the notes, the newest first."),
    "diff": ("hermes_agent.cli.memory_diff:diff", "Show what differs between two moments."),
    "tidy": ("hermes_agent.cli.memory_tidy:tidy", "Merge what says the same, and name what fills up."),
    "undo": ("hermes_agent.cli.memory_undo:undo", "Take back changes of memory."),
    "forget": ("hermes_agent.cli.forget:forget", "Forget for good, with proof."),
    "receipts": ("hermes_agent.cli.forget:receipts", "List what was forgotten, without its words."),
    "verify-deletion": ("hermes_agent.cli.forget:verify_deletion", "Look whether anything forgotten is left."),
    "unblock": ("hermes_agent.cli.forget:unblock", "Let what was forgotten be learned again."),
    "reset": ("hermes_agent.cli.reset:reset", "Empty parts of memory, or all of it."),
    "cost": ("hermes_agent.cli.cost:cost", "Tell what memory costs, and what it saves."),
    "export": ("hermes_agent.cli.memory_file:export_memory", "Write all of your memory to one file."),
    "import": ("hermes_agent.cli.memory_file:import_memory", "Bring a memory in that was exported."),
    "setup": ("hermes_agent.cli.provider_setup:setup", "Use an external memory beside our own."),
    "off": ("hermes_agent.cli.provider_setup:off", "Use no external memory any more."),
    "test": ("hermes_agent.cli.provider_trial:test", "Try the external memory for real."),
    "migrate": ("hermes_agent.cli.provider_trial:migrate", "Copy memories from one memory to another."),
    "selftest": ("hermes_agent.cli.selftest:selftest", "Test how well memory finds what you told it."),
}


@click.group(
    cls=LazyGroup,
    lazy=COMMANDS,
    epilog=examples('hermes memory search "the violin"', "hermes memory log", "hermes memory undo"),
)
def memory() -> None:
    """See what is remembered and how it changed."""
