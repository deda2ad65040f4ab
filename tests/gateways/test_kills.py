"""A gateway killed again and again while updates come doubled and out of order: each handled once, in order."""

from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from functools import partial

from hermes_agent.agent.window import is_answer
from hermes_agent.app import App
from hermes_agent.config import paths
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.ops import doctor
from hermes_agent.records.archive import Message
from hermes_agent.store import arrivals
from hermes_agent.store.sessions import Listing
from tests.counts import count, record
from tests.gateways.conftest import GUEST, OTHER_GUEST, OWNER
from tests.gateways.telegram_server import TelegramServer
from tests.proof.processes import Nursery, seeded, spin

_LONGEST_SPIN_SECONDS = 0.1
_PROFILES = {OWNER: "default", GUEST: "telegram-7", OTHER_GUEST: "telegram-8"}


def test_each_message_is_handled_once_and_in_order_per_chat(telegram_home: Home, server: TelegramServer) -> None:
    kills, updates = count(6, 100), count(60, 1000)
    chance = seeded("gateway kills")
    server.chaos = chance
    said: dict[int, list[str]] = {user: [] for user in _PROFILES}
    with Nursery() as nursery:
        for kill in range(kills):
            for number in range(kill * updates // kills, (kill + 1) * updates // kills):
                user = chance.choice(list(_PROFILES))
                text = f"Remember that box {number} is blue." if number % 10 == 0 else f"This is message {number}."
                server.say(user, text)
                said[user].append(text)
            process = nursery.begin("listen", f"gateway{kill}")
            wanted = len(server.calls) + chance.randrange(1, 40)
            # By what it has asked of the server it is somewhere between connecting and being idle.
            server.wait_for(partial(has_come_to, server, wanted))
            spin(chance.uniform(0, _LONGEST_SPIN_SECONDS))
            process.kill()
        last = nursery.begin("listen", "last")
        server.wait_for(lambda: server.is_confirmed() and not left(telegram_home), 300)
        last.kill()
    wrong = [trouble for user in said for trouble in troubles(_PROFILES[user], said[user])]
    sent = Counter(one.chat_id for one in server.sent)
    for user, texts in said.items():
        # Killed between the sending of a part and its mark, that part is sent again.
        extra = sent[str(user)] - len(texts)
        wrong += [] if 0 <= extra <= kills else [f"{user}: {sent[str(user)]} answers to {len(texts)} messages"]
    record("kill.gateway.updates", updates)
    record("kill.gateway.kills", kills)
    record("kill.gateway.wrong", len(wrong))
    assert wrong == []


def has_come_to(server: TelegramServer, calls: int) -> bool:
    """Tell whether so much was asked of the server, or everything was taken."""
    return len(server.calls) >= calls or server.is_confirmed()


def left(home: Home) -> int:
    """Count what is not finished."""
    with closing(App(home, load(home))) as app, app.store.read() as connection:
        return sum(sum(states.values()) for states in arrivals.counts(connection).values())


def troubles(profile: str, said: Sequence[str]) -> list[str]:
    """Compare what somebody said with what their archive holds."""
    home = paths.home_of(profile)
    found: list[str] = []
    with closing(App(home, load(home))) as app:
        sessions = app.memory.sessions(Listing(), 100)
        messages = [one for listed in sessions for one in app.memory.messages(listed.session.id)]
        found += [str(one) for one in doctor.check(app.store).problems]
    heard = [one.content or "" for one in messages if one.role == "user"]
    if heard != list(said):
        found.append(f"{profile}: heard {heard}, said {said}")
    for turn in turns(messages):
        answers = [one for one in turn[1:] if is_answer(one)]
        rounds = [one for one in turn[1:] if one.role == "assistant" and not is_answer(one)]
        if len(answers) != 1 or len(rounds) > 1:
            found.append(f"{turn[0].content}: {len(answers)} answers, {len(rounds)} rounds of tools")
    return found


def turns(messages: Sequence[Message]) -> list[list[Message]]:
    """Cut a conversation before each thing the user said."""
    found: list[list[Message]] = []
    for message in messages:
        if message.role == "user":
            found.append([])
        if found:
            found[-1].append(message)
    return found
