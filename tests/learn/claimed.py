"""What a scripted light model hands in: claims with everything set that a test does not care about."""

import json
from typing import Any

from hermes_agent.learn.claims import FORM
from tests.openai_server import Call, Use

# Any: JSON as a model writes it, right or wrong.
Claimed = dict[str, Any]


def claim(quote: str, attribute: str = "home", value: object = "Lyon", **more: object) -> Claimed:
    """Return a claim about the user of the first message, unless something else is said."""
    said = {"message": 1, "quote": quote, "about": "user", "attribute": attribute, "value": value}
    return {**said, "confidence": 0.9, **more}


def hand_in(*claims: object) -> Use:
    """Let the model hand in claims."""
    return Use(Call(FORM.name, json.dumps({"facts": claims})))
