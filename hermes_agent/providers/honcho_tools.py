"""Honcho's tools as the model sees them, and what `hermes memory setup honcho` asks.

Four tools, as the public product had them in April 2026: `honcho_context` is the one that answers questions.
`honcho_reasoning`, its later name, is understood as well.
"""

from typing import Any, Protocol

from hermes_agent.errors import ToolError
from hermes_agent.providers import arguments
from hermes_agent.providers.described import key, number, setting, tool, words
from hermes_agent.providers.provider import Schema

PROMPT = (
    "Honcho remembers the user across conversations. honcho_profile gives key facts at once; honcho_search finds "
    "what was said or concluded; honcho_context answers a question about the user from everything Honcho knows; "
    "honcho_conclude keeps a lasting fact that the user stated."
)

_LEVELS = ("minimal", "low", "medium", "high", "max")
_CHARACTERS_A_TOKEN = 4
_LONGEST_ANSWER = 8_000
_LONGEST_CARD = 40
_PEER = words("About whom: user (default), ai, or the id of another peer.")

SCHEMAS = [
    tool(
        "honcho_profile",
        "The user's card in Honcho: curated key facts, at once and without a model. With card it is replaced.",
        [],
        card={"type": "array", "items": {"type": "string"}, "description": "New facts in place of all old ones."},
        peer=_PEER,
    ),
    tool(
        "honcho_search",
        "Search Honcho's memory by meaning; returns conclusions and excerpts of messages, nearest first.",
        ["query"],
        query=words("What to look for."),
        max_tokens=number("How much to return: 800, at most 2000."),
        peer=_PEER,
    ),
    tool(
        "honcho_context",
        "Ask Honcho a question about the user; its own model answers from the whole history. Slower than search.",
        ["query"],
        query=words("The question, in plain words."),
        reasoning_level=words("How hard to think; low.", *_LEVELS),
        peer=_PEER,
    ),
    tool(
        "honcho_conclude",
        "Keep a lasting fact in Honcho, list what is kept, or delete one. Give exactly one of the three.",
        [],
        conclusion=words("The fact, as one sentence."),
        delete_id=words("The id of the conclusion to delete."),
        list={"type": "boolean", "description": "List conclusions, with query those nearest to it."},
        query=words("Only with list."),
        peer=_PEER,
    ),
]

CONFIG = [
    key("Honcho; a server of one's own may need none", "HONCHO_API_KEY", "https://app.honcho.dev", required=False),
    setting("baseUrl", "Address of the server", "https://api.honcho.dev", "HONCHO_BASE_URL"),
    setting("workspace", "Workspace in Honcho", "hermes"),
    setting("peerName", "What the user is called there", "user"),
    setting("aiPeer", "What the agent is called there", "hermes"),
    setting(
        "recallMode",
        "What Honcho gives: memory before each message (context), tools, or both",
        "hybrid",
        choices=["hybrid", "context", "tools"],
    ),
]


class Asked(Protocol):
    """Who does what the tools ask for. `peer` is empty for the user, "ai" for the agent, or somebody else's id."""

    def card(self, peer: str, card: list[str] | None) -> list[str]:
        """Return what is known best about somebody, or set it."""

    def search(self, query: str, peer: str) -> list[dict[str, str]]:
        """Return conclusions and messages, nearest first."""

    def answer(self, question: str, level: str, peer: str) -> str:
        """Let Honcho's own model answer a question from everything it knows; nothing is an empty text."""

    def conclude(self, text: str, peer: str) -> str:
        """Make a conclusion and return its id."""

    def conclusions(self, query: str, peer: str) -> list[dict[str, str]]:
        """Return the newest conclusions, or those nearest to a query."""

    def forget(self, kept_id: str) -> None:
        """Delete a conclusion; one that is gone already is forgotten."""


def call(honcho: Asked, name: str, args: Schema) -> dict[str, Any]:
    """Do what the model asks for with one of the tools."""
    peer = arguments.plain(args, "peer")
    match name:
        case "honcho_profile":
            return {"card": honcho.card(peer, _card(args))[:_LONGEST_CARD]}
        case "honcho_search":
            tokens = arguments.whole(args, "max_tokens", 800, 2_000)
            return _fitting(honcho.search(arguments.text(args, "query"), peer), tokens)
        case "honcho_context" | "honcho_reasoning":
            level = arguments.choice(args, "reasoning_level", ("", *_LEVELS), "")
            answer = honcho.answer(arguments.text(args, "query"), level, peer)
            return {"answer": answer[:_LONGEST_ANSWER] or None}
        case "honcho_conclude":
            return _conclude(honcho, args, peer)
        case _:
            raise ToolError(f"Honcho has no tool {name!r}.")


def _conclude(honcho: Asked, args: Schema, peer: str) -> dict[str, Any]:
    conclusion, delete_id = arguments.optional_text(args, "conclusion"), arguments.plain(args, "delete_id")
    is_list = args.get("list") is True
    if [bool(conclusion), bool(delete_id), is_list].count(True) != 1:
        raise ToolError("Give exactly one of conclusion, delete_id and list.")
    if conclusion:
        return {"kept": honcho.conclude(conclusion, peer)}
    if delete_id:
        honcho.forget(delete_id)
        return {"deleted": delete_id}
    return {"conclusions": honcho.conclusions(arguments.optional_text(args, "query"), peer)}


def _card(args: Schema) -> list[str] | None:
    card = args.get("card")
    if card is None:
        return None
    if not isinstance(card, list) or not all(isinstance(fact, str) for fact in card):
        raise ToolError("card must be a list of texts.")
    return [fact.strip() for fact in card if fact.strip()]


def _fitting(found: list[dict[str, str]], tokens: int) -> dict[str, Any]:
    """Keep the nearest that fit; a long message is cut."""
    room = tokens * _CHARACTERS_A_TOKEN
    taken: list[dict[str, str]] = []
    for one in found:
        cut = {name: value[:room] for name, value in one.items()}
        room -= sum(len(value) + len(name) + 6 for name, value in cut.items())
        if room < 0 and taken:
            break
        taken.append(cut)
    return {"results": taken, "left_out": len(found) - len(taken)}
