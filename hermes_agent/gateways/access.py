"""Who may talk on a platform, and in whose memory: pure decisions from the settings."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal, cast

from hermes_agent.config.gateway_settings import GATEWAYS_OTHERS, OURS
from hermes_agent.config.load import Settings
from hermes_agent.errors import SettingError
from hermes_agent.gateways.gateway import Person, Place
from hermes_agent.records.archive import Json

Standing = Literal["owner", "guest", "stranger"]
EVERYBODY = "*"
_LONGEST_NAME = 60
_HASH_LENGTH = 8


@dataclass(frozen=True, slots=True)
class Access:
    """Whether a gateway is to run, and who may talk there."""

    is_enabled: bool
    owners: frozenset[str]
    allowed: frozenset[str]

    def standing(self, person: Person) -> Standing:
        """Tell what somebody may do."""
        if person.id and person.id in self.owners:
            return "owner"
        is_allowed = EVERYBODY in self.allowed or (bool(person.id) and person.id in self.allowed)
        return "guest" if is_allowed else "stranger"


def access_of(settings: Settings, name: str) -> Access:
    """Read who may talk on a platform."""
    ours = OURS.get(name)
    if ours is not None:
        return Access(settings[ours.enabled], _ids(settings[ours.owners]), _ids(settings[ours.allowed]))
    options = options_of(settings, name)
    is_enabled = options.get("enabled", False)
    if not isinstance(is_enabled, bool):
        raise SettingError(f"gateways.others.{name}.enabled must be true or false.")
    return Access(is_enabled, _listed(options, name, "owners"), _listed(options, name, "allowed"))


def options_of(settings: Settings, name: str) -> Mapping[str, Json]:
    """Return what stands under `gateways.others` for a gateway of another package."""
    return cast("Mapping[str, Json]", settings[GATEWAYS_OTHERS].get(name, {}))


def profile_of(
    standing: Standing, own: str, platform: str, place: Place, person: Person, *, is_shared: bool
) -> str:
    """Return the profile whose memory a chat is in.

    The owner works in the home's own. A session that several people share is nobody's own: it gets a guest
    profile by the chat, also for the owner, whose memory the others would read from there.
    """
    if standing == "owner" and not is_shared:
        return own
    return _profile_name(f"{platform}-chat-{place.chat_id}" if is_shared else f"{platform}-{person.id}")


def _profile_name(wanted: str) -> str:
    """Make a name a profile may have; two that would look alike then get different ones."""
    lower = "".join(one if one.isascii() and (one.isalnum() or one in "-_") else "-" for one in wanted.lower())
    if lower == wanted and len(lower) <= _LONGEST_NAME:
        return lower
    return f"{lower[: _LONGEST_NAME - _HASH_LENGTH - 1]}-{sha256(wanted.encode()).hexdigest()[:_HASH_LENGTH]}"


def _ids(given: list[str | int]) -> frozenset[str]:
    return frozenset(str(one) for one in given)


def _listed(options: Mapping[str, Json], name: str, field: str) -> frozenset[str]:
    given = options.get(field, [])
    if not isinstance(given, list) or not all(isinstance(one, str | int) for one in given):
        option = "--owner" if field == "owners" else "--allow"
        raise SettingError(
            f"gateways.others.{name}.{field} must be a list of ids.",
            hint=f"Give them anew: hermes gateway setup {name} {option} ID",
        )
    return _ids(given)
