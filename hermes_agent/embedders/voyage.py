"""Voyage, the vendor of embeddings that Anthropic recommends, having none of its own."""

from collections.abc import Mapping

from hermes_agent.config.addresses import checked
from hermes_agent.embedders.answers import numbered_vectors
from hermes_agent.embedders.vendor import Model, Question, Vendor

_LENGTHS = (256, 512, 2_048)


def request(question: Question) -> Mapping[str, object]:
    """Say whether it is a question or texts that are embedded."""
    asked: dict[str, object] = {
        "model": question.model,
        "input": list(question.texts),
        "input_type": "query" if question.is_query else "document",
        "encoding_format": "base64",
    }
    return asked if question.dimensions is None else asked | {"output_dimension": question.dimensions}


def _model(name: str, *other_dimensions: int) -> Model:
    # Voyage itself marks what is a question and what a text.
    return Model(name, 1_024, other_dimensions, window_bytes=16_000, form="typed-1")


VENDOR = Vendor(
    provider="voyage",
    title="Voyage",
    address="https://api.voyageai.com/v1",
    path="/embeddings",
    address_variables=("VOYAGE_BASE_URL",),
    key_variable="VOYAGE_API_KEY",
    is_key_needed=True,
    has_imitators=False,
    most_texts=1_000,
    most_bytes=100_000,
    models=(
        *(
            _model(name, *_LENGTHS)
            for name in ("voyage-3.5", "voyage-3.5-lite", "voyage-3-large", "voyage-code-3")
        ),
        *(_model(name, *_LENGTHS) for name in ("voyage-4", "voyage-4-lite", "voyage-4-large")),
        _model("voyage-finance-2"),
        _model("voyage-law-2"),
    ),
    read_address=checked,
    request=request,
    read=numbered_vectors,
)
