"""Ollama, a server of models on a machine of one's own."""

import re
from collections.abc import Mapping

from hermes_agent.config.addresses import checked
from hermes_agent.embedders.answers import listed_vectors
from hermes_agent.embedders.vendor import Model, Question, Vendor

_USUAL_PORT = 11_434
_PORT = re.compile(r":\d+/?$")
_SEARCHING = "Represent this sentence for searching relevant passages: "


def request(question: Question) -> Mapping[str, object]:
    """Let the server cut what is longer than the model's window."""
    return {"model": question.model, "input": list(question.texts), "truncate": True}


def read_address(given: str, said_by: str) -> str:
    """Read what Ollama itself takes for OLLAMA_HOST: a host, a port behind it, or a whole address.

    `0.0.0.0` is where a server listens; a client finds it on its own machine. The `/v1` of an address for OpenAI's
    language is left out.
    """
    host = given.strip()
    if "://" not in host:
        host = f"http://{'localhost' + host if host.startswith(':') else host}"
        host = host if _PORT.search(host) else f"{host.rstrip('/')}:{_USUAL_PORT}"
    address = checked(host, said_by, bare_path="").removesuffix("/v1")
    return address.replace("//0.0.0.0", "//127.0.0.1", 1)


VENDOR = Vendor(
    provider="ollama",
    title="Ollama",
    address="http://localhost:11434",
    path="/api/embed",
    address_variables=("OLLAMA_HOST", "OLLAMA_BASE_URL"),
    key_variable="OLLAMA_API_KEY",
    is_key_needed=False,
    has_imitators=False,
    most_texts=512,
    most_bytes=1_000_000,
    models=(
        Model(
            "nomic-embed-text",
            768,
            query_prefix="search_query: ",
            text_prefix="search_document: ",
            form="nomic-1",
        ),
        Model("mxbai-embed-large", 1_024, query_prefix=_SEARCHING, form="searching-1"),
        Model("snowflake-arctic-embed2", 1_024, query_prefix="query: ", form="query-1"),
        Model(
            "embeddinggemma",
            768,
            query_prefix="task: search result | query: ",
            text_prefix="title: none | text: ",
            form="gemma-1",
        ),
        Model("bge-m3", 1_024),
        Model("all-minilm", 384),
    ),
    read_address=read_address,
    request=request,
    read=listed_vectors,
)
