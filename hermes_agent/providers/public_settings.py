"""What the public Hermes Agent was told of a provider in the home's config.yaml: the last place to look at."""

from collections.abc import Mapping

from hermes_agent.config import yamltext
from hermes_agent.config.broken import BrokenText
from hermes_agent.config.paths import Home


def section(home: Home, *keys: str) -> dict[str, object]:
    """Return what stands below the keys; nothing if the file cannot be read, which is told elsewhere."""
    try:
        found: object = yamltext.parse(home.config_yaml.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, BrokenText):
        return {}
    for key in keys:
        found = found.get(key) if isinstance(found, Mapping) else None
    return {str(key): value for key, value in found.items()} if isinstance(found, Mapping) else {}
