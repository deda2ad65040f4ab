"""Addresses of servers as owners write them: checked, brought into one form, and told apart from this machine."""

import re
from collections.abc import Sequence
from ipaddress import ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

from hermes_agent.errors import SettingError

# The key of the owner's own server. A vendor's key is sent only to the vendor, and to an address that
# stands beside it in the vendor's own variable.
SERVER_KEY = "HERMES_API_KEY"
_EXAMPLE = "http://localhost:11434/v1"
_NAME = re.compile(r"[\w.-]+")


def server_problem(url: str | None) -> str | None:
    """Say what an address of a daemon elsewhere must be; None if it is one."""
    try:
        parts = urlsplit((url or "https://here").strip())
        is_fine = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        is_fine = False
    is_bare = is_fine and not parts.path.strip("/") and not parts.query and parts.username is None
    return None if is_bare else "a server's address, such as https://memory.example.org:8642"


def model_server_problem(url: str | None) -> str | None:
    """Say what the address of a model's server must be; None if it is one."""
    return None if url is None or _split(url) is not None else f"an address such as {_EXAMPLE}"


def names_problem(names: Sequence[str]) -> str | None:
    """Say what names of a server must be, if one is neither a name nor an address."""
    for one in names:
        if not _NAME.fullmatch(one) and not _is_number(one):
            return f"names without a port, such as memory.example.org, and {one[:60]!r} is none"
    return None


def proxies_problem(proxies: Sequence[str]) -> str | None:
    """Say what proxies must be, if one is neither an address nor a network."""
    for one in proxies:
        try:
            ip_network(one)
        except ValueError:  # a name, or a network with an address of a machine in it
            return f"addresses and networks, such as 10.88.0.1 or 172.17.0.0/16, and {one[:60]!r} is neither"
    return None


def checked(url: str, said_by: str, *, bare_path: str = "/v1") -> str:
    """Return the address without a slash at its end; one without a path gets the usual one."""
    parts = _split(url)
    if parts is None:
        raise SettingError(f"{said_by} must be an address such as {_EXAMPLE}, not {url[:80]!r}.")
    if parts.username or parts.password:
        raise SettingError(f"{said_by} holds a password.", hint=f"Put the key into {SERVER_KEY} instead.")
    return parts._replace(path=parts.path.rstrip("/") or bare_path, query="", fragment="").geturl()


def is_loopback(url: str) -> bool:
    """Tell whether a request to the address stays on this machine, so that no proxy has a part in it."""
    return is_own_host(urlsplit(url).hostname or "")


def is_own_host(host: str) -> bool:
    """Tell whether a name or a number is this machine's own, which others do not reach."""
    host = host.lower()
    if host == "localhost" or host.endswith(".localhost"):
        return True
    return _is_number(host) and ip_address(host).is_loopback


def _is_number(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url.strip())
        is_fine = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number, a bracket that is not closed
        return None
    return parts if is_fine else None
