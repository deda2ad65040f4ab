"""A Honcho on loopback, by its public description (API v3): workspaces, peers, sessions, messages, conclusions.

It takes what the real one takes and refuses what that refuses: names of other characters, messages over 25,000
characters, more than a hundred at once. Meaning is words in common; the model behind `chat` quotes a conclusion.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from math import ceil
from typing import TypeVar

from honcho.api_types import (
    ConclusionBatchCreateParams,
    ConclusionQueryParams,
    ConclusionResponse,
    DialecticParams,
    MessageBatchCreateParams,
    MessageResponse,
    MessageSearchParams,
    PeerCreateParams,
    PeerResponse,
    SessionCreateParams,
    SessionResponse,
    WorkspaceResponse,
)
from pydantic import BaseModel, ValidationError

from tests.providers.vendor_server import Answer, Refused, Request, VendorServer, nearness

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,512}")
_BEGAN = datetime(2026, 11, 1, 12, tzinfo=UTC)

Params = TypeVar("Params", bound=BaseModel)
Item = TypeVar("Item", ConclusionResponse, MessageResponse)


@dataclass
class HonchoServer(VendorServer):
    """What Honcho keeps, of one workspace."""

    workspace: str = ""
    peers: dict[str, PeerResponse] = field(default_factory=dict)
    sessions: dict[str, SessionCreateParams] = field(default_factory=dict)
    messages: list[MessageResponse] = field(default_factory=list)
    conclusions: list[ConclusionResponse] = field(default_factory=list)
    cards: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def answer(self, request: Request) -> Answer:
        """Find the route."""
        parts = request.path.strip("/").split("/")
        if parts == ["v3", "workspaces"]:
            self.workspace = _named(request.json["id"])
            return _sent(201, WorkspaceResponse(id=self.workspace, created_at=_BEGAN))
        if parts[:3] != ["v3", "workspaces", self.workspace]:
            raise Refused(404)
        match request.method, parts[3:]:
            case "POST", ["peers"]:
                return self._make_peer(_valid(PeerCreateParams, request.json))
            case "POST", ["peers", peer, "chat"]:
                return self._chat(peer, _valid(DialecticParams, request.json))
            case "POST", ["peers", peer, "search"]:
                asked = _valid(MessageSearchParams, request.json)
                said = [one for one in self.messages if one.peer_id == peer]
                return _sent(200, _near(said, asked.query, asked.limit))
            case ("GET" | "PUT") as method, ["peers", peer, "card"]:
                about = (peer, request.query.get("target", peer))
                if method == "PUT":
                    self.cards[about] = request.json["peer_card"]
                return Answer(200, {"peer_card": self.cards.get(about)})
            case "POST", ["sessions"]:
                made = _valid(SessionCreateParams, request.json)
                self.sessions[_named(made.id)] = made
                return _sent(201, SessionResponse(id=made.id, is_active=True, workspace_id="w", created_at=_BEGAN))
            case "POST", ["sessions", session, "messages"] if session in self.sessions:
                return self._add(session, _valid(MessageBatchCreateParams, request.json))
            case "POST", ["sessions", session, "messages", "list"] if session in self.sessions:
                wanted = request.json["filters"]["metadata"].items()
                return _page(request, [one for one in self.messages if wanted <= one.metadata.items()], session)
            case "POST", ["conclusions"]:
                return self._conclude(_valid(ConclusionBatchCreateParams, request.json))
            case "POST", ["conclusions", "list"]:
                return _page(request, self._between(request.json["filters"])[::-1])
            case "POST", ["conclusions", "query"]:
                query = _valid(ConclusionQueryParams, request.json)
                if not query.query:
                    raise Refused(422)
                return _sent(200, _near(self._between(query.filters or {}), query.query, query.top_k))
            case "DELETE", ["conclusions", conclusion]:
                if conclusion not in [one.id for one in self.conclusions]:
                    raise Refused(404)
                self.conclusions = [one for one in self.conclusions if one.id != conclusion]
                return Answer(204)
        raise Refused(404)

    def _make_peer(self, asked: PeerCreateParams) -> Answer:
        made = PeerResponse(id=_named(asked.id), workspace_id=self.workspace, created_at=_BEGAN)
        return _sent(201, self.peers.setdefault(made.id, made))

    def _add(self, session: str, batch: MessageBatchCreateParams) -> Answer:
        if any(len(one.content) > 25_000 for one in batch.messages):
            raise Refused(422)
        made = [
            MessageResponse(
                id=f"m{len(self.messages) + place}",
                content=one.content.replace("\0", ""),
                peer_id=one.peer_id,
                session_id=session,
                metadata=one.metadata or {},
                created_at=self._now(place),
                workspace_id=self.workspace,
                token_count=len(one.content) // 4,
            )
            for place, one in enumerate(batch.messages)
        ]
        self.messages += made
        return _sent(201, made)

    def _conclude(self, batch: ConclusionBatchCreateParams) -> Answer:
        made = [
            ConclusionResponse(
                id=f"c{len(self.requests)}-{place}", created_at=self._now(place), **one.model_dump()
            )
            for place, one in enumerate(batch.conclusions)
        ]
        if any(peer not in self.peers for one in made for peer in (one.observer_id, one.observed_id)):
            raise Refused(404)
        self.conclusions += made
        return _sent(201, made)

    def _chat(self, peer: str, asked: DialecticParams) -> Answer:
        known = self._between({"observer_id": peer, "observed_id": asked.target or peer})
        best = _near(known, asked.query, 1)
        return Answer(200, {"content": f"I know this: {best[0].content}" if best else None})

    def _between(self, filters: dict[str, str]) -> list[ConclusionResponse]:
        return [one for one in self.conclusions if filters.items() <= one.model_dump().items()]

    def _now(self, place: int) -> datetime:
        return _BEGAN + timedelta(days=len(self.conclusions), seconds=len(self.messages) + place)


def _valid(kind: type[Params], asked: object) -> Params:
    try:
        return kind.model_validate(asked)
    except ValidationError:
        raise Refused(422) from None


def _named(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise Refused(422)
    return name


def _near(items: Sequence[Item], query: str, most: int) -> list[Item]:
    score: Callable[[Item], int] = lambda one: nearness(query, one.content)  # noqa: E731 - a name for its type
    return sorted((one for one in items if score(one)), key=score, reverse=True)[:most]


def _page(request: Request, items: Sequence[BaseModel], session: str = "") -> Answer:
    number, size = int(request.query["page"]), int(request.query["size"])
    shown = items[(number - 1) * size : number * size]
    page = {"items": [one.model_dump(mode="json") for one in shown], "page": number, "size": size}
    return Answer(200, {**page, "total": len(items), "pages": ceil(len(items) / size)})


def _sent(status: int, made: BaseModel | Sequence[BaseModel]) -> Answer:
    if isinstance(made, BaseModel):
        return Answer(status, made.model_dump(mode="json"))
    return Answer(status, [one.model_dump(mode="json") for one in made])
