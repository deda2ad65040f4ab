"""What somebody settled, and what became of things at work."""

import pytest

from tests.learn.test_hearing import learned, written

SETTLED: dict[str, list[str]] = {
    "We're keeping REST since the mobile team has no time.": ["we.decision=keeping REST"],
    "We're sticking with Postgres.": ["we.decision=sticking with Postgres"],
    "We're going with Kafka.": ["we.decision=going with Kafka"],
    "I'm keeping the cottage.": ["user.decision=keeping the cottage"],
    "decided im not doing the phd": ["user.decision=not doing the phd"],
    "We've agreed that we're closing the Ghent office.": ["we.decision=closing the Ghent office"],
    "I've decided not to do the PhD.": ["user.decision=not to do the PhD"],
    "We're not having a second child.": ["we.decision=not having a second child"],
    "I'm not going to the reunion after all.": ["user.decision=not going to the reunion"],
    "We'll convert the garage instead.": ["we.decision=convert the garage"],
    "We agreed to park the mobile app until next year.": ["we.decision=to park the mobile app until next year"],
    "I changed my mind about the loft.": ["no longer user.ended=loft"],
    "I turned the job down.": ["user.decision=turned the job down"],
    "I accepted the offer from Siemens.": ["user.decision=accepted the offer from Siemens"],
    "The choir tour's off.": ["no longer user.ended=choir tour"],
    "We launch on 3 May.": ["user.plan=launch on 3 May"],
}

AT_WORK: dict[str, list[str]] = {
    "Our customer ids are UUIDs, they used to be integers.": [
        "we.customer ids=UUIDs",
        "was we.customer ids=integers",
    ],
    "We deploy on Wednesdays. It used to be Mondays.": [
        "user.schedule=deploy on Wednesdays",
        "was user.schedule=Mondays",
    ],
    "The old VPN's been switched off.": ["no longer we.uses=old VPN"],
    "The hotmail address is dead.": ["no longer user.contact=hotmail address"],
    "Tickets without an owner get closed after thirty days.": [
        "user.note=Tickets without an owner get closed after thirty days"
    ],
    "Logs are kept for 30 days.": ["user.note=Logs are kept for 30 days"],
    "Prefix is OBS.": ["we.prefix=OBS"],
    "The staging box moved from Hetzner to OVH.": [
        "staging box.location=OVH",
        "no longer staging box.location=Hetzner",
    ],
    "Our QA lead is Petra and she signs off every release.": [
        "Petra.role=QA lead",
        "Petra.work=signs off every release",
    ],
    "House style is American.": ["we.house style=American"],
    "The budget is capped at 480,000 euros.": ["we.budget=480,000 euros"],
    "The ceiling for the chapel roof stands at €62,500.": ["chapel roof.ceiling=€62,500"],
    "We're pinned to Node 18.": ["we.uses=Node 18"],
    "We support Python 3.10 and up.": ["we.version=Python 3.10"],
    "We support Leeds United.": ["user.likes=Leeds United"],
}

NOTHING = [
    "We're keeping busy.",
    "I'm keeping it.",
    "I'm going with you.",
    "We're going with the flow.",
    "I'm not feeling well.",
    "I'm not getting any output.",
    "I'll have tea instead.",
    "I'm not having it.",
    "He decided he's leaving.",
    "I turned the page.",
    "I turned around.",
    "The light is off.",
    "I live here. It used to be quiet.",
    "The battery is dead.",
    "The old one's dead.",
    "Eggs hatch after 21 days.",
    "These tickets are valid for 30 days.",
    "Should we go with Kafka?",
    "If we're keeping REST, tell me.",
]


@pytest.mark.parametrize(("said", "facts"), (SETTLED | AT_WORK).items(), ids=list(SETTLED | AT_WORK))
def test_what_was_settled_is_learned(said: str, facts: list[str]) -> None:
    assert [written(one) for one in learned(said)] == facts


@pytest.mark.parametrize("said", NOTHING)
def test_what_settles_nothing_tells_nothing(said: str) -> None:
    assert [written(one) for one in learned(said)] == []
