"""The settings of the gateways: common ones, and for each platform of ours who may talk there.

What another package's gateway is told stands under `gateways.others`: its name, and there `enabled`, `allowed`,
`owners` and whatever else it reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from annotated_types import Ge, Le

from hermes_agent.config.setting import Setting
from hermes_agent.config.settings import Text, setting

ResetPolicy = Literal["none", "idle", "daily", "both"]
_Ids = list[Text | int]

GATEWAYS_RESET_POLICY = setting(
    "gateways.resetPolicy",
    ResetPolicy,
    "none",
    "When a chat begins a new session by itself: never, after idle time, once a day, or both.",
)
GATEWAYS_IDLE_MINUTES = setting(
    "gateways.idleMinutes", Annotated[int, Ge(1), Le(525_600)], 1440, "Minutes of silence that end a session."
)
GATEWAYS_DAILY_HOUR = setting(
    "gateways.dailyHour", Annotated[int, Ge(0), Le(23)], 4, "The hour of the day at which sessions end."
)
GATEWAYS_GROUP_SESSIONS_PER_USER = setting(
    "gateways.groupSessionsPerUser", bool, True, "Give each person in a group a session of their own."
)
GATEWAYS_THREAD_SESSIONS_PER_USER = setting(
    "gateways.threadSessionsPerUser",
    bool,
    False,
    "Give each person in a group's thread a session of their own.",
)
GATEWAYS_APPROVAL_SECONDS = setting(
    "gateways.approvalSeconds",
    Annotated[float, Ge(0.01), Le(86_400)],
    300.0,
    "How long a chat waits for the owner's yes before a tool runs; then it is a no.",
)
GATEWAYS_MOST_ATTACHMENT_MB = setting(
    "gateways.mostAttachmentMb", Annotated[int, Ge(0), Le(10_000)], 20, "The largest file that is taken in."
)


@dataclass(frozen=True)
class PlatformSettings:
    """The settings that every platform of ours has."""

    enabled: Setting[bool]
    allowed: Setting[list[str | int]]
    owners: Setting[list[str | int]]
    has_numbers: bool
    """Whether the ids of people are numbers there."""


def _platform(name: str, title: str, *, has_numbers: bool) -> PlatformSettings:
    mend = f"Give them anew: hermes gateway setup {name}"
    return PlatformSettings(
        setting(f"gateways.{name}.enabled", bool, False, f"Let the daemon connect to {title}."),
        setting(
            f"gateways.{name}.allowed",
            _Ids,
            [],
            f"Who may write over {title} beside you, each in a memory of their own: ids, or * for everybody.",
            mend=f"{mend} --allow ID",
        ),
        setting(
            f"gateways.{name}.owners",
            _Ids,
            [],
            f"Your own ids on {title}: they work in this memory.",
            mend=f"{mend} --owner ID",
        ),
        has_numbers,
    )


TELEGRAM = _platform("telegram", "Telegram", has_numbers=True)
GATEWAYS_TELEGRAM_API_URL = setting(
    "gateways.telegram.apiUrl", Text, "https://api.telegram.org", "The address of the Bot API server."
)
DISCORD = _platform("discord", "Discord", has_numbers=True)
GATEWAYS_DISCORD_API_URL = setting(
    "gateways.discord.apiUrl", Text, "https://discord.com", "The address of Discord, or of a proxy for it."
)
WEBHOOK = _platform("webhook", "the webhook", has_numbers=False)
GATEWAYS_WEBHOOK_CALLBACK_URL = setting(
    "gateways.webhook.callbackUrl",
    Text | None,
    None,
    "Where answers of the webhook are sent; they come in the response unless set.",
)
GATEWAYS_OTHERS = setting(
    "gateways.others",
    dict[str, dict[str, object]],
    {},
    "Gateways of other packages: name: {enabled, allowed, owners, …}.",
)
OURS: Mapping[str, PlatformSettings] = {"telegram": TELEGRAM, "discord": DISCORD, "webhook": WEBHOOK}
