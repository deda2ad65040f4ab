"""Whether the daemon says of itself that it works: a full disk, and that its home went, it alone may have met."""

import os

from hermes_agent.config.pid_file import Daemon

_PATIENCE_SECONDS = 2.0


def trouble(daemon: Daemon) -> str | None:
    """Say what keeps the daemon from its memory, as its `/health/ready` tells; None where nobody answers.

    The daemon itself knows without asking.
    """
    if daemon.address is None or not daemon.is_here or daemon.pid == os.getpid():
        return None
    import httpx2  # here: few who load this ask a daemon

    address = f"{daemon.address}/health/ready"
    try:
        # Not verified: on this machine the name in the certificate is another, and nothing secret is sent.
        told = httpx2.get(address, verify=False, trust_env=False, timeout=_PATIENCE_SECONDS).json()
    except (httpx2.HTTPError, httpx2.InvalidURL, ValueError):
        return None
    is_cut_off = isinstance(told, dict) and told.get("store") is False
    return "It cannot use its memory: no change is kept." if is_cut_off else None
