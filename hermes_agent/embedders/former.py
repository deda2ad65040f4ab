"""Make an embedder again that was in use before, by the fingerprint of its vectors.

Only those that run in this process can be: what another one needs (a server, a key) may be gone from the settings.
"""

from hermes_agent.embedders.embedder import Embedder


def of(fingerprint: str) -> Embedder | None:
    """Return the embedder that makes vectors of this fingerprint; None if it cannot be made any more."""
    made: Embedder | None = None
    match fingerprint.partition("/")[0]:
        case "local":
            from hermes_agent.embedders.local import Local

            made = Local()
        case "minilm":
            from hermes_agent.embedders import minilm

            made = None if minilm.missing_packages() else minilm.MiniLm()
    return made if made is not None and made.fingerprint == fingerprint else None
