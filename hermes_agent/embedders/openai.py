"""OpenAI, and every server that speaks its language: vLLM, llama.cpp, LM Studio."""

from collections.abc import Mapping

from hermes_agent.config.addresses import checked
from hermes_agent.embedders.answers import numbered_vectors
from hermes_agent.embedders.vendor import Model, Question, Vendor


def request(question: Question) -> Mapping[str, object]:
    """Ask for base64: a quarter of the size of printed numbers."""
    asked: dict[str, object] = {
        "model": question.model,
        "input": list(question.texts),
        "encoding_format": "base64",
    }
    return asked if question.dimensions is None else asked | {"dimensions": question.dimensions}


VENDOR = Vendor(
    provider="openai",
    title="OpenAI",
    address="https://api.openai.com/v1",
    path="/embeddings",
    address_variables=("OPENAI_BASE_URL",),
    key_variable="OPENAI_API_KEY",
    is_key_needed=True,
    has_imitators=True,
    most_texts=2_048,
    most_bytes=300_000,
    models=(
        Model("text-embedding-3-small", 1_536, range(1, 1_536)),
        Model("text-embedding-3-large", 3_072, range(1, 3_072)),
        Model("text-embedding-ada-002", 1_536),
    ),
    read_address=checked,
    request=request,
    read=numbered_vectors,
)
