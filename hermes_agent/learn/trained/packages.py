"""Whether the trained reader can read: of the extra `minilm` it needs the packages that hold files."""

from hermes_agent.embedders import minilm
from hermes_agent.errors import EmbedderDown


def trouble() -> str | None:
    """Say why the trained reader cannot read, if it cannot. The runtime of the extra is not needed."""
    missing = [package for package in minilm.missing_packages() if package != "onnxruntime"]
    if missing:
        return f"packages are missing: {', '.join(missing)}"
    try:
        minilm.model_file()
        minilm.tokenizer_file()
    except EmbedderDown as error:
        return error.message
    return None
