"""Which session a message belongs to, and in whose memory it is."""

import pytest

from hermes_agent.config.paths import PROFILE_NAME
from hermes_agent.gateways.access import Access, profile_of
from hermes_agent.gateways.gateway import Person, Place
from hermes_agent.gateways.keys import Sharing, session_key

ANN = Person("7", "Ann")
EVERYBODY_SHARES = Sharing(per_user_in_groups=False)
EVERYONE_APART = Sharing(per_user_in_threads=True)


@pytest.mark.parametrize(
    ("profile", "place", "sharing", "key"),
    [
        ("default", Place("7"), Sharing(), "agent:main:telegram:dm:7"),
        ("work", Place("7"), Sharing(), "agent:work:telegram:dm:7"),
        ("default", Place(""), Sharing(), "agent:main:telegram:dm:7"),
        ("default", Place("7", thread_id="3"), Sharing(), "agent:main:telegram:dm:7:3"),
        ("default", Place("-5", "group"), Sharing(), "agent:main:telegram:group:-5:7"),
        ("default", Place("-5", "channel"), Sharing(), "agent:main:telegram:channel:-5:7"),
        ("default", Place("-5", "group"), EVERYBODY_SHARES, "agent:main:telegram:group:-5"),
        ("default", Place("-5", "group", "3"), Sharing(), "agent:main:telegram:group:-5:3"),
        ("default", Place("-5", "group", "3"), EVERYONE_APART, "agent:main:telegram:group:-5:3:7"),
        ("default", Place("a:b%"), Sharing(), "agent:main:telegram:dm:a%3Ab%25"),
    ],
)
def test_the_key_of_a_session(profile: str, place: Place, sharing: Sharing, key: str) -> None:
    assert session_key(profile, "telegram", place, ANN, sharing) == key


def test_only_who_is_listed_may_talk() -> None:
    access = Access(True, owners=frozenset({"1"}), allowed=frozenset({"7"}))
    assert [access.standing(Person(one)) for one in ("1", "7", "8", "")] == [
        "owner",
        "guest",
        "stranger",
        "stranger",
    ]
    everybody = Access(True, owners=frozenset({"1"}), allowed=frozenset({"*"}))
    assert [everybody.standing(Person(one)) for one in ("1", "8")] == ["owner", "guest"]


def test_only_the_owner_alone_works_in_the_homes_own_memory() -> None:
    assert profile_of("owner", "default", "telegram", Place("1"), Person("1"), is_shared=False) == "default"
    assert profile_of("guest", "default", "telegram", Place("7"), ANN, is_shared=False) == "telegram-7"
    shared = profile_of("owner", "default", "telegram", Place("-5", "group"), Person("1"), is_shared=True)
    assert shared == "telegram-chat--5"


@pytest.mark.parametrize("user", ["Ann@Example.org", "ann@example.org", "x" * 200, "../../etc", "Ünal", ""])
def test_every_person_gets_a_name_that_a_profile_may_have(user: str) -> None:
    name = profile_of("guest", "default", "webhook", Place("1"), Person(user), is_shared=False)
    assert PROFILE_NAME.fullmatch(name)


def test_two_people_never_get_one_profile() -> None:
    users = ["ann.b", "ann-b", "ann_b", "Ann-b", "x" * 70, "x" * 71]
    names = {profile_of("guest", "default", "hook", Place("1"), Person(one), is_shared=False) for one in users}
    assert len(names) == len(users)
