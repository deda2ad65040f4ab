"""What a vendor was set up with: variables, then our settings, then the public product's own file, then a default.

The public Hermes Agent keeps the options of a vendor in a file in the home, such as `VENDOR.json`. A home that was
made by it works here: the file is read, never written, and whatever stands elsewhere wins over it.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hermes_agent.errors import ProviderRefused
from hermes_agent.providers.provider import Surroundings

_OFF = ("0", "false", "no", "off")


def read(file: Path) -> dict[str, object]:
    """Return what a vendor's file of the public product holds; without the file it is nothing."""
    try:
        parsed = json.loads(file.read_text("utf-8-sig"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise ProviderRefused(f"{file} cannot be read as JSON.", hint="Mend it or remove it.") from error
    if not isinstance(parsed, dict):
        raise ProviderRefused(f"{file} holds no options.", hint="Mend it or remove it.")
    return parsed


@dataclass(frozen=True, slots=True)
class Options:
    """The options of one vendor."""

    surroundings: Surroundings
    file: Mapping[str, object]
    """What the public product's own file says."""

    def text(self, option: str, *variables: str, default: str = "") -> str:
        """Return an option as text: the first variable that is set, the settings, the file, the default."""
        surroundings = self.surroundings
        found = (
            *(surroundings.variables.get(variable) for variable in variables),
            surroundings.options.get(option),
            self.file.get(option),
        )
        return next((str(value).strip() for value in found if value not in (None, "")), default)

    def secret(self, option: str, variable: str) -> str:
        """Return a key as it goes into a header: copied with what stood around it, it is still the key."""
        value = self.text(option, variable).removeprefix("Bearer ").strip()
        if not value.isascii() or not value.isprintable():
            raise ProviderRefused(f"{variable} has characters that no key has.", hint="Copy the key again.")
        return value

    def number(self, option: str, *variables: str, default: float, least: float, most: float) -> float:
        """Return an option as a number, held between two bounds."""
        value = self.text(option, *variables, default=str(default))
        try:
            return min(max(float(value), least), most)
        except ValueError:
            message = f"{option} is {value!r}, which is no number."
            raise ProviderRefused(message, hint="See docs/reference/providers.md.") from None

    def is_on(self, option: str, *variables: str, default: bool = True) -> bool:
        """Tell whether an option is switched on."""
        return self.text(option, *variables, default=str(default)).lower() not in _OFF
