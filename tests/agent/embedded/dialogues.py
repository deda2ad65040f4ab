"""Conversations as new users hold them, in pairs of sessions: what is told in one is asked for in another.

`DIALOGUES` are printed in the guide. `MORE` are not: they went wrong when a new user first tried it.
"""

from tests.agent.embedded.dialogue import Dialogue, Session
from tests.agent.embedded.fitting_dialogues import FITTING
from tests.agent.embedded.language_dialogues import LANGUAGES
from tests.agent.embedded.people_dialogues import PEOPLE
from tests.agent.embedded.request_dialogues import REQUESTS
from tests.agent.embedded.second_thoughts_dialogues import SECOND_THOUGHTS
from tests.agent.embedded.unnoted_dialogues import UNNOTED
from tests.agent.embedded.work_dialogues import WORK

__all__ = ["DIALOGUES", "MORE", "Dialogue", "Session"]

DIALOGUES = [*PEOPLE, *WORK, *UNNOTED, *LANGUAGES, *REQUESTS]
MORE = [*SECOND_THOUGHTS, *FITTING]
