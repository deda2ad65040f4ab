"""The typed answer of a light model: what it claims that messages state, and reading that from a reply.

A claim has the right types and nothing more: whether its words stand in a message is seen in `checking`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from hermes_agent.learn.answers import Unreadable, handed_in
from hermes_agent.records.statements import Polarity
from hermes_agent.records.talk import Reply, ToolSpec

_MOST = 200


class Claim(BaseModel):
    """One fact as a model says that a message states it."""

    model_config = ConfigDict(frozen=True, strict=True)

    message: Annotated[int, Field(description="The number of the message that states it.")]
    quote: Annotated[str, Field(description="The words that state it, copied exactly from that message.")]
    about: Annotated[
        Literal["user", "team", "person", "thing"],
        Field(description="Whom it is about. The team is the user's company, project or family: what 'we' means."),
    ]
    attribute: Annotated[str, Field(description="What of them, as a name of the list or another noun.")]
    value: Annotated[str, Field(description="The value, in words of the quote.")]
    confidence: Annotated[float, Field(description="How sure it is that the user means it so, from 0 to 1.")]
    name: Annotated[str | None, Field(description="The name of the person or thing.")] = None
    relation: Annotated[str | None, Field(description="What the person is to the user: sister, boss.")] = None
    polarity: Annotated[
        Polarity, Field(description="'no longer' if it ended, 'was' if it is only about the past.")
    ] = "is"
    is_single: Annotated[
        bool, Field(description="Whether there is one value at a time, so that a new one replaces the old one.")
    ] = False
    repeats: Annotated[int | None, Field(description="The number of the known fact that says the same.")] = None
    replaces: Annotated[
        list[int], Field(description="The numbers of the known facts that are so no longer because of it.")
    ] = Field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Malformed:
    """A claim that has not the right types."""

    reason: str


FORM = ToolSpec(
    "learn",
    "Hand in the facts that the messages state.",
    {
        "type": "object",
        "properties": {"facts": {"type": "array", "items": Claim.model_json_schema()}},
        "required": ["facts"],
    },
)


def read_answer(reply: Reply) -> list[Claim | Malformed] | Unreadable:
    """Return the claims of a reply."""
    answers = handed_in(reply, FORM)
    if isinstance(answers, Unreadable):
        return answers
    found: list[Claim | Malformed] = []
    for answer in answers:
        facts = answer.get("facts")
        if not isinstance(facts, list):
            return Unreadable('The answer is not an object with a list "facts".')
        found += _claims(facts)
    return found if len(found) <= _MOST else Unreadable(f"The answer has {len(found)} facts.", is_cut=True)


def _claims(facts: list[object]) -> Iterator[Claim | Malformed]:
    for one in facts:
        try:
            yield Claim.model_validate(one)
        except ValidationError as error:
            wrong = sorted({str(part["loc"][0]) for part in error.errors() if part["loc"]})
            yield Malformed(f"{', '.join(wrong) or 'a fact'} of the wrong type")
