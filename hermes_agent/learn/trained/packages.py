"""Which packages the trained reader needs: of the extra `minilm`, those that hold files."""

from hermes_agent.embedders import minilm


def missing_packages() -> list[str]:
    """Return which packages are not installed, without importing any. The runtime is not needed."""
    return [package for package in minilm.missing_packages() if package != "onnxruntime"]
