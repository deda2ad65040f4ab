"""What is known of a vendor that embeds over HTTP; each has a file of its own, named after it."""

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Model:
    """A model and its measures. `other_dimensions` are lengths that it gives when asked to.

    `window_bytes` surely fits the model's window: a token has at least one byte. The prefixes are what the model
    was trained to see before a question and before a text; `form` names them in the fingerprint.
    """

    name: str
    dimensions: int
    other_dimensions: Container[int] = ()
    window_bytes: int = 8_000
    query_prefix: str = ""
    text_prefix: str = ""
    form: str = "plain-1"

    def has(self, dimensions: int) -> bool:
        """Tell whether the model gives vectors of that length."""
        return dimensions == self.dimensions or dimensions in self.other_dimensions


@dataclass(frozen=True, slots=True)
class Question:
    """What a server is asked. `dimensions` is None where the model's own length is wanted."""

    model: str
    dimensions: int | None
    texts: Sequence[str]
    is_query: bool


@dataclass(frozen=True, slots=True)
class Vendor:
    """A vendor; the first of its models is the default.

    `has_imitators` says that servers of others speak its language, and have other models. `most_bytes` of a
    request surely fit the vendor's limit of tokens. `read_address` takes what stands in a setting or variable, and
    its name; `read` takes an answer and the number of texts, and returns the vectors in the texts' order.
    """

    provider: str
    title: str
    address: str
    path: str
    address_variables: tuple[str, ...]
    key_variable: str
    is_key_needed: bool
    has_imitators: bool
    most_texts: int
    most_bytes: int
    models: tuple[Model, ...]
    read_address: Callable[[str, str], str]
    request: Callable[[Question], Mapping[str, object]]
    read: Callable[[object, int], Sequence[object]]

    def model(self, name: str) -> Model | None:
        """Return what is known of a model under the name the owner gave it; a tag does not change its measures."""
        plain = name.removesuffix(":latest")
        bare = plain.partition(":")[0]
        found = next((model for model in self.models if model.name in (plain, bare)), None)
        return None if found is None else replace(found, name=plain)
