"""The home's `.env`: secrets and other variables, kept out of the settings file and of backups.

Its values are looked up after the process's own environment and never copied into it, so that a
command we start does not inherit them.
"""

import io
import re
import stat

from hermes_agent.config.paths import Home, ensure
from hermes_agent.config.replace import locked, replace_text
from hermes_agent.errors import SettingError

_NEEDS_NO_QUOTES = re.compile(r"[^\s'\"#\\`]+")


def read(home: Home) -> dict[str, str]:
    """Return the variables of the `.env`, with `${…}` as it stands; empty without the file."""
    return _parse(_read_text(home))


def permission_warning(home: Home) -> str | None:
    """Warn when other users of this machine can read the secrets."""
    try:
        mode = home.env_file.stat().st_mode
    except OSError:
        return None  # not there, or not ours to look at: reading it says so
    if not mode & (stat.S_IRWXG | stat.S_IRWXO):
        return None
    return f"{home.env_file} can be read by other users. Run `chmod 600 {home.env_file}`."


def write(home: Home, variable: str, value: str) -> None:
    """Set one variable and close the file to other users; the other lines stay as they are."""
    ensure(home)
    line = f"{variable}={_quote(value)}\n"
    with locked(home.config_lock):
        text = _read_text(home)
        _replace(home, text, variable, line, {**_parse(text), variable: value})


def erase(home: Home, variable: str) -> bool:
    """Take one variable out; False if it does not stand there."""
    if variable not in read(home):
        return False
    with locked(home.config_lock):
        text = _read_text(home)
        kept = {name: value for name, value in _parse(text).items() if name != variable}
        _replace(home, text, variable, "", kept)
    return True


def _read_text(home: Home) -> str:
    path = home.env_file
    try:
        if path.exists() and not path.is_file():
            raise SettingError(f"{path} is not a file.")
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        raise SettingError(f"{path} is not UTF-8 text (byte {error.start}).") from error
    except OSError as error:
        raise SettingError(f"{path} cannot be read: {error.strerror}.") from error


def _parse(text: str) -> dict[str, str]:
    from dotenv import dotenv_values

    if not text:
        return {}
    found = dotenv_values(stream=io.StringIO(text), interpolate=False)
    return {name: value for name, value in found.items() if value is not None}


def _replace(home: Home, text: str, variable: str, line: str, wanted: dict[str, str]) -> None:
    from dotenv.parser import parse_stream

    bindings = list(parse_stream(io.StringIO(text)))
    kept = "".join(binding.original.string for binding in bindings if binding.key != variable)
    if line and kept and not kept.endswith("\n"):
        kept += "\n"
    if _parse(kept + line) != wanted:
        raise SettingError(
            f"{variable} cannot be written to {home.env_file} so that it reads the same again.",
            hint="Write the line by hand.",
        )
    replace_text(home.env_file, kept + line, mode=0o600)


def _quote(value: str) -> str:
    if _NEEDS_NO_QUOTES.fullmatch(value):
        return value
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
