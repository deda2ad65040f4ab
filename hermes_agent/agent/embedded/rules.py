"""What the user told the assistant to do always or never, said back."""

from hermes_agent.agent.embedded.evidence import Knowledge, Known
from hermes_agent.agent.embedded.keeping import lifts
from hermes_agent.agent.embedded.quoting import quoted
from hermes_agent.learn import attributes
from hermes_agent.learn.matching import plain, same_value

_MOST = 20


def told_rules(knowledge: Knowledge) -> str:
    """Answer how the user wants to be answered: the newest of each rule, without those that were lifted."""
    kinds = (attributes.INSTRUCTION, attributes.MEANING, attributes.CALLED)
    found: dict[str, Known] = {}
    for known in knowledge.every:
        statement = known.statement
        if statement.attribute in kinds and statement.polarity == "is":
            found[plain(statement.value)] = known
        elif statement.attribute in kinds:
            # A rule that was lifted, a name that is not wanted any more.
            found = {
                value: old
                for value, old in found.items()
                if not lifts(statement, old.statement) and not same_value(value, statement.value)
            }
    if not found:
        return "You have given me no standing instructions that I know of."
    lines = [f"- {quoted(known, 'en')}" for known in found.values()]
    more = len(lines) - _MOST
    return "\n".join([*lines[:_MOST], *([f"… and {more} more: `hermes notes show`."] if more > 0 else [])])
