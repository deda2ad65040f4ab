"""Whether embedding costs money: texts that go to a service which is asked with a key are paid for."""

from hermes_agent.embedders.embedder import Embedder


def is_paid(embedder: Embedder) -> bool:
    """Tell whether an embedder's service may be one that is paid; of an installed plugin nobody knows."""
    if embedder.is_local:
        return False
    # Imported here: most homes embed on their own machine, and need neither.
    from hermes_agent.embedders.plugin import Plugin
    from hermes_agent.embedders.remote import Remote

    return isinstance(embedder, Plugin) or (isinstance(embedder, Remote) and embedder.has_key)
