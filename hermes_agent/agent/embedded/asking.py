"""What is asked: whether the archive must be searched for it, and with which words."""

from hermes_agent.agent.embedded.asked import (
    JUST_NOW,
    Check,
    Happened,
    Profile,
    Question,
    Rules,
    Same,
    Slot,
    Talk,
    Why,
)
from hermes_agent.agent.embedded.events import event_calls
from hermes_agent.agent.embedded.evidence import Knowledge
from hermes_agent.agent.embedded.lookup import check_claim, query_for, slot_holding
from hermes_agent.agent.embedded.scene import Scene
from hermes_agent.agent.embedded.telling import Call, call
from hermes_agent.learn import attributes

_MOST_RESULTS = 10


def ask_calls(question: Question, scene: Scene, knowledge: Knowledge) -> list[Call]:
    """Return the search a question needs; none when this conversation answers it."""
    if isinstance(question, Happened | Why):
        return event_calls(question, scene, knowledge)
    if "session_search" not in scene.tools:
        return []
    if isinstance(question, Talk):
        if question.time == JUST_NOW:
            return []
        return [call("session_search", limit=_MOST_RESULTS)]
    if (
        isinstance(question, Profile | Rules | Same)
        or _is_answered_here(question, knowledge)
        or _is_unclear(question)
    ):
        return []
    query = query_for(question, knowledge).strip()
    if not query:
        return []
    # Of a single value the newest counts; of everything else the best match.
    is_single = (
        isinstance(question, Slot)
        and question.attribute in attributes.TABLE
        and attributes.is_single(question.attribute)
    )
    if is_single:
        return [call("session_search", query=query, role_filter="user", limit=_MOST_RESULTS, sort="newest")]
    return [call("session_search", query=query, role_filter="user", limit=_MOST_RESULTS)]


def _is_answered_here(question: Question, knowledge: Knowledge) -> bool:
    """Tell whether the user said it in this conversation: nothing in the archive is newer."""
    if isinstance(question, Slot) and not question.is_former:
        held = slot_holding(question, knowledge)
        return bool(held.now) and held.now[0].saying.source == "now" and held.now[0].statement.is_single
    if isinstance(question, Check):
        found = check_claim(question, knowledge)
        known = found.holds or found.ended
        return known is not None and known.saying.source == "now"
    return False


def _is_unclear(question: Question) -> bool:
    who = (
        question.who
        if isinstance(question, Slot)
        else question.statement.who
        if isinstance(question, Check)
        else None
    )
    return who is not None and who.kind == "someone"
