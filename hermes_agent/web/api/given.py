"""What is sent to the API as JSON."""

from pydantic import BaseModel, ConfigDict


class Given(BaseModel):
    """Something that is sent: a field that nobody knows is refused, or a mistyped name would go unseen."""

    model_config = ConfigDict(extra="forbid")
