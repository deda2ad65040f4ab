"""A gateway to Discord killed again and again while messages come doubled, out of order, and while it is down."""

from collections import Counter
from functools import partial
from random import Random

from hermes_agent.config.paths import Home
from tests.counts import count, record
from tests.gateways.conftest import GUEST, OTHER_GUEST, OWNER
from tests.gateways.discord_server import DiscordServer
from tests.gateways.test_kills import left, troubles
from tests.proof.processes import Nursery, seeded, spin

_LONGEST_SPIN_SECONDS = 0.1
_PROFILES = {OWNER: "default", GUEST: "discord-7", OTHER_GUEST: "discord-8"}


def test_each_message_over_discord_is_handled_once_and_in_order(
    discord_home: Home, discord_server: DiscordServer
) -> None:
    server, kills, updates = discord_server, count(5, 100), count(60, 1000)
    chance = seeded("discord kills")
    server.chaos = chance
    said: dict[int, list[str]] = {user: [] for user in _PROFILES}
    with Nursery() as nursery:
        for kill in range(kills):
            first, last = kill * updates // kills, (kill + 1) * updates // kills
            middle = chance.randint(first, last)
            talk(server, said, chance, range(first, middle))
            process = nursery.begin("listen", f"gateway{kill}", "discord")
            # By what it has asked of the server it is somewhere between connecting and being idle.
            for more, numbers in ((25, range(middle, last)), (15, range(0))):
                wanted = len(server.calls) + chance.randrange(1, more)
                server.wait_for(partial(has_come_to, server, wanted, sum(map(len, said.values()))))
                talk(server, said, chance, numbers)
                if chance.random() < 0.2:
                    server.cut()
            spin(chance.uniform(0, _LONGEST_SPIN_SECONDS))
            process.kill()
        process = nursery.begin("listen", "last", "discord")
        everything = sum(map(len, said.values()))
        server.wait_for(lambda: len(server.sent) >= everything and not left(discord_home), 300)
        process.kill()
    wrong = [trouble for user in said for trouble in troubles(_PROFILES[user], said[user])]
    sent = Counter(one.channel_id for one in server.sent)
    for user, texts in said.items():
        answers = sent[server.alone_with(user)]
        wrong += [] if answers == len(texts) else [f"{user}: {answers} answers to {len(texts)} messages"]
    record("kill.discord.updates", updates)
    record("kill.discord.kills", kills)
    record("kill.discord.wrong", len(wrong))
    assert wrong == []


def talk(server: DiscordServer, said: dict[int, list[str]], chance: Random, numbers: range) -> None:
    """Let people write, several at a time."""
    together: list[tuple[int, str]] = []
    for number in numbers:
        user = chance.choice(list(_PROFILES))
        text = f"Remember that box {number} is blue." if number % 10 == 0 else f"This is message {number}."
        said[user].append(text)
        together.append((user, text))
    server.say_all(together)


def has_come_to(server: DiscordServer, calls: int, answers: int) -> bool:
    """Tell whether so much was asked of the server, or everything was answered."""
    return len(server.calls) >= calls or len(server.sent) >= answers
