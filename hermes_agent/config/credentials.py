"""The tokens that open servers elsewhere: from the environment, or from a file that only its owner may read.

They are kept beside the profiles, since they are this machine's. A saved token is sent to the one address it was
saved for, that of the environment to no other server than the environment names, if it names one. None stands in a
setting, a log or a command line.
"""

import json
import os
import stat
from urllib.parse import urlsplit

from hermes_agent.config import paths
from hermes_agent.config.replace import replace_text
from hermes_agent.errors import SettingError, UsageError

SERVER_VARIABLE = "HERMES_SERVER"
TOKEN_VARIABLE = "HERMES_TOKEN"
LOCAL = "local"
"""What `--server` is given to work on this machine although the settings name a server."""
_MODE = 0o600


def address_of(text: str) -> str:
    """Return a server's address in one form: scheme, name and port."""
    try:
        parts = urlsplit(text.strip())
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.query:
        raise UsageError(
            f"{text[:80]!r} is no server's address.", hint="It looks like: https://memory.example.org:8642"
        )
    if parts.username is not None or parts.password is not None:
        raise UsageError("A server's address holds no token.", hint="Save it with: hermes login URL")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}" + ("" if port is None else f":{port}")


def server_in_environment() -> str | None:
    """Return the server that the environment names."""
    return os.environ.get(SERVER_VARIABLE) or None


def token_for(address: str) -> str | None:
    """Return the token for a server: the environment's, if that names no other, or the one that was saved."""
    named = server_in_environment()
    is_meant = named in (None, LOCAL) or address_of(named) == address
    given = os.environ.get(TOKEN_VARIABLE, "").strip() if is_meant else ""
    return given or _read().get(address)


def save(address: str, token: str) -> None:
    """Save a token for a server, closed to other users."""
    _write({**_read(), address: token})


def forget(address: str) -> bool:
    """Forget the token of a server; False if there is none."""
    kept = _read()
    if address not in kept:
        return False
    _write({name: token for name, token in kept.items() if name != address})
    return True


def _read() -> dict[str, str]:
    path = paths.credentials_file()
    try:
        if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise SettingError(f"{path} can be read by other users.", hint=f"Run `chmod 600 {path}`.")
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise SettingError(f"{path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise SettingError(f"{path} is not JSON.", hint="Remove it, and log in again: hermes login URL") from error
    return (
        {name: token for name, token in found.items() if isinstance(token, str)} if isinstance(found, dict) else {}
    )


def _write(tokens: dict[str, str]) -> None:
    path = paths.credentials_file()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    replace_text(path, json.dumps(tokens, indent=2) + "\n", mode=_MODE)
