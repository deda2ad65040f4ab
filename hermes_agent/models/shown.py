"""Which models are chosen, as JSON; of a key only whether there is one."""

from hermes_agent.models.choose import Choice, Choices, EmbeddedChoice
from hermes_agent.records.archive import Json


def choices_json(choices: Choices) -> dict[str, Json]:
    """Write the model that answers and the one for background work, and what is to be known of them."""
    return {
        "model": _choice_json(choices.main),
        "light": _choice_json(choices.light),
        "notes": list(choices.notes),
    }


def _choice_json(choice: Choice) -> dict[str, Json]:
    if isinstance(choice, EmbeddedChoice):
        return {"name": choice.name, "reason": choice.reason}
    return {
        "name": choice.name,
        "reason": choice.reason,
        "provider": choice.provider,
        "base_url": choice.base_url,
        "key_variable": choice.key_variable,
        "is_key_set": choice.key is not None,
        "is_ready": choice.is_ready,
    }
