"""Honcho: a memory service that reasons about people, spoken to with its own client `honcho-ai`.

Two peers talk in each session of ours: the user and the agent. Honcho reads the messages in its own time and draws
conclusions about the user from them; those are what is recalled, together with the user's card: what the agent
knows of the user ("directional", as the public product has it) or the user of itself ("unified").
"""

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar

from hermes_agent.errors import ToolError
from hermes_agent.providers import arguments, honcho_client, honcho_tools, outgoing
from hermes_agent.providers.provider import Kept, MemoryProvider, Schema, Surroundings

if TYPE_CHECKING:
    import httpx
    from honcho import Conclusion, Message, Peer, Session
    from honcho import Honcho as Client
    from honcho.conclusions import ConclusionsView

T = TypeVar("T")

_TURN = "hermes_turn"
# Honcho's own limits.
_MOST_AT_ONCE = 100
_LONGEST_CONCLUSION = 65_535
_LONGEST_QUESTION = 10_000
# What is embedded may have about 8,000 tokens; a token of Chinese is a character.
_LONGEST_QUERY = 4_000
# A little less than a model waits for a tool.
_CHAT_SECONDS = 25.0
_SAME_AMONG = 5
# A longer note may be too much to be embedded; the start of it is kept.
_LONGEST_NOTE = 8_000


class Honcho(MemoryProvider):
    """The provider `honcho`."""

    name = "honcho"

    def __init__(self, surroundings: Surroundings) -> None:
        self._setup = honcho_client.setup(surroundings)
        self._session_id = ""
        self._opening = threading.Lock()
        self._client: Client | None = None
        self._http: httpx.Client | None = None
        self._peers: dict[str, Peer] = {}
        self._sessions: dict[str, Session] = {}
        self._card: tuple[str, list[str]] | None = None

    def is_available(self) -> bool:
        """Tell whether the package is there, and a key, or the address of a server of one's own."""
        return find_spec("honcho") is not None and bool(self._setup.key or self._setup.is_local)

    def initialize(self, session_id: str, **kwargs: Any) -> None:
        """Remember the conversation; nothing is asked before it is needed."""
        self._session_id = session_id

    def on_session_switch(self, new_session_id: str, **kwargs: Any) -> None:
        """Remember which conversation goes on."""
        self._session_id = new_session_id

    def get_tool_schemas(self) -> list[Schema]:
        """Return the four tools; none where only its context is wanted."""
        return [] if self._setup.recall == "context" else honcho_tools.SCHEMAS

    def system_prompt_block(self) -> str:
        """Say what Honcho is for."""
        return "" if self._setup.recall == "context" else honcho_tools.PROMPT

    def prefetch(self, query: str, *, session_id: str = "") -> str:
        """Return the conclusions nearest to a message, then the user's card as it was when the talk began."""
        query = outgoing.sendable(query)[:_LONGEST_QUERY]
        if self._setup.recall == "tools" or not query:
            return ""
        found = self._ask(lambda: self._view().query(query, top_k=10))
        if self._card is None or self._card[0] != session_id:
            self._card = session_id, self.card("", None)
        lines = [*(_line(one) for one in found), *(outgoing.line(one) for one in self._card[1])]
        return outgoing.lines(lines, self._setup.context_characters)

    def sync_turn(
        self,
        user_content: str,
        assistant_content: str,
        *,
        session_id: str = "",
        messages: Sequence[Schema] | None = None,
    ) -> None:
        """Add both messages to the session of the same id.

        Honcho has no key for messages that come twice: each carries the turn's key in its metadata, and those that
        are there already are not sent again.
        """
        if not self._setup.saves_messages:
            return
        session_id = session_id or self._session_id
        key = outgoing.turn_key(session_id, user_content, assistant_content, messages)
        when = outgoing.said_at(messages) or None
        said = ((self._setup.user, user_content), (self._setup.agent, assistant_content))
        parts = [(who, piece) for who, text in said for piece in self._pieces(text)]
        if not parts:
            return
        session = self._session(session_id)
        known = self._ask(lambda: session.messages(filters={"metadata": {_TURN: key}}, size=1).total) or 0
        for start in range(known, len(parts), _MOST_AT_ONCE):
            batch = [
                self._peer(who).message(piece, metadata={_TURN: key}, created_at=when)
                for who, piece in parts[start : start + _MOST_AT_ONCE]
            ]
            taken = self._ask(partial(session.add_messages, batch))
            if len(taken) != len(batch):
                raise honcho_client.nonsense()

    def on_memory_write(
        self, action: str, target: str, content: str, metadata: Mapping[str, Any] | None = None
    ) -> None:
        """Keep what is noted about the user as a conclusion; take back what exactly was one before."""
        if target != "user":
            return
        before, content = str((metadata or {}).get("old_text") or "")[:_LONGEST_NOTE], content[:_LONGEST_NOTE]
        if action in ("replace", "remove") and before:
            same = self._same(before)
            if same is not None:
                self.forget(same)
        if action in ("add", "replace") and content.strip():
            self.remember(content)

    def remember(self, text: str) -> str:
        """Keep a sentence as a conclusion about the user; one that is there already is not made twice."""
        return self._same(text) or self.conclude(text, "")

    def memories(self) -> Iterator[Kept]:
        """Yield every conclusion about the user."""
        page = self._ask(lambda: self._view().list(size=_MOST_AT_ONCE))
        while page is not None:
            for one in page.items:
                yield Kept(one.id, one.content)
            page = self._ask(page.get_next_page)

    def forget(self, kept_id: str) -> None:
        """Delete a conclusion; one that is gone already is forgotten."""
        if not arguments.is_plain(kept_id):
            raise ToolError(f"Honcho has no conclusion {kept_id[:60]!r}.")
        with suppress(honcho_client.Missing):
            self._ask(lambda: self._view().delete(kept_id))

    def handle_tool_call(self, tool_name: str, args: Schema, **kwargs: Any) -> str:
        """Do what the model asks; the answer is JSON."""
        return json.dumps(honcho_tools.call(self, tool_name, args), ensure_ascii=False)

    def shutdown(self) -> None:
        """Close the connections."""
        with self._opening:
            if self._http is not None:
                self._http.close()
            self._client = self._http = None
            self._peers, self._sessions = {}, {}

    def get_config_schema(self) -> list[Schema]:
        """Return what setup asks for."""
        return honcho_tools.CONFIG

    # What the tools do (`honcho_tools.Asked`)

    def card(self, peer: str, card: list[str] | None) -> list[str]:
        """Return what is known best about somebody, or set it."""
        observer, target = self._observer(peer), self._target(peer)
        if card is None:
            return list(self._ask(lambda: observer.get_card(target)) or [])
        self._card = None
        return list(self._ask(lambda: observer.set_card(card, target)) or [])

    def search(self, query: str, peer: str) -> list[dict[str, str]]:
        """Return conclusions and messages, nearest first."""
        query = outgoing.sendable(query)[:_LONGEST_QUERY]
        found = self._ask(lambda: self._view(peer).query(query, top_k=20))
        said = self._ask(lambda: self._peer(self._id(peer)).search(query, limit=10))
        return [
            *({"id": one.id, "when": f"{one.created_at:%Y-%m-%d}", "conclusion": one.content} for one in found),
            *(
                {"session": one.session_id, "when": f"{one.created_at:%Y-%m-%d}", "said": one.content}
                for one in said
            ),
        ]

    def answer(self, question: str, level: str, peer: str) -> str:
        """Let Honcho's own model answer a question from everything it knows; nothing is an empty text."""
        question = outgoing.sendable(question)[:_LONGEST_QUESTION]
        observer, target = self._observer(peer), self._target(peer)
        # Any: the client's list of levels is a Literal; ours comes from the model and was checked.
        chosen: Any = level or self._setup.level
        seconds = max(_CHAT_SECONDS, self._setup.seconds)
        ask = partial(observer.chat, question, target=target, reasoning_level=chosen, timeout=seconds)
        return str(self._ask(ask) or "")

    def conclude(self, text: str, peer: str) -> str:
        """Make a conclusion and return its id."""
        text = outgoing.sendable(text)
        if not text or len(text) > _LONGEST_CONCLUSION:
            raise ToolError(f"A conclusion has 1 to {_LONGEST_CONCLUSION:,} characters.")
        made = self._ask(lambda: self._view(peer).create([{"content": text}]))
        if len(made) != 1:
            raise honcho_client.nonsense()
        return str(made[0].id)

    def conclusions(self, query: str, peer: str) -> list[dict[str, str]]:
        """Return the newest conclusions, or those nearest to a query."""
        view = self._view(peer)
        found = self._ask(lambda: view.query(query, top_k=20) if query else list(view.list(size=20).items))
        return [_shown(one) for one in found]

    # Honcho's own things

    def _id(self, peer: str) -> str:
        setup = self._setup
        return {"": setup.user, "user": setup.user, "ai": setup.agent}.get(peer, peer)

    def _observer(self, peer: str = "") -> "Peer":
        """Return who is asked about somebody: the agent, or in the unified view the user about itself."""
        setup = self._setup
        return self._peer(setup.user if setup.is_unified and self._id(peer) == setup.user else setup.agent)

    def _target(self, peer: str = "") -> str | None:
        about = self._id(peer)
        return None if about == self._observer(peer).id else about

    def _view(self, peer: str = "") -> "ConclusionsView":
        # Both peers have to be there before something is concluded.
        return self._observer(peer).conclusions_of(self._peer(self._id(peer)))

    def _same(self, text: str) -> str | None:
        """Return the id of the conclusion that says exactly this."""
        text = outgoing.sendable(text)
        if not text:
            return None
        near = self._ask(lambda: self._view().query(text[:_LONGEST_QUERY], top_k=_SAME_AMONG))
        return next((one.id for one in near if one.content == text), None)

    def _pieces(self, text: str) -> list[str]:
        return outgoing.pieces(text, self._setup.message_characters)

    def _peer(self, peer_id: str) -> "Peer":
        if peer_id not in self._peers:
            self._peers[peer_id] = self._ask(lambda: self._open().peer(peer_id))
        return self._peers[peer_id]

    def _session(self, session_id: str) -> "Session":
        if session_id not in self._sessions:
            from honcho.api_types import SessionPeerConfig

            user, agent = self._peer(self._setup.user), self._peer(self._setup.agent)
            is_seen = SessionPeerConfig(observe_me=True, observe_others=not self._setup.is_unified)
            peers: list[Peer | str | tuple[Peer | str, SessionPeerConfig]] = [(user, is_seen), (agent, is_seen)]
            make = partial(self._open().session, honcho_client.fit(session_id or "hermes"), peers=peers)
            self._sessions[session_id] = self._ask(make)
        return self._sessions[session_id]

    def _open(self) -> "Client":
        with self._opening:
            if self._client is None:
                self._http, self._client = honcho_client.connected(self._setup)
            return self._client

    def _ask(self, work: Callable[[], T]) -> T:
        self._open()
        return honcho_client.ask(work)


def _line(conclusion: "Conclusion") -> str:
    return outgoing.line(conclusion.content, _day(conclusion))


def _shown(conclusion: "Conclusion") -> dict[str, str]:
    return {"id": conclusion.id, "when": _day(conclusion), "conclusion": conclusion.content}


def _day(one: "Conclusion | Message") -> str:
    return f"{one.created_at:%Y-%m-%d}"
