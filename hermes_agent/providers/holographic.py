"""The holographic memory: facts with names, trust and vectors in a file of the home; no server, no model.

It is the local memory of the public Hermes Agent, and reads and writes the same `memory_store.db`. Facts come from
the model's tools and from the notes; turns are not kept, unless `auto_extract` lets the end of a conversation keep
what the user said of themselves. The same fact twice is one fact, so whatever is brought again does no harm.
The file is plain: in an encrypted home it is refused.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

from hermes_agent import clock
from hermes_agent.config.paths import Home
from hermes_agent.errors import ProviderRefused, ToolError
from hermes_agent.providers import arguments, options, outgoing, public_settings
from hermes_agent.providers import holographic_algebra as algebra
from hermes_agent.providers.holographic_algebra import Phases
from hermes_agent.providers.holographic_file import Draft, FactFile, StoredFact
from hermes_agent.providers.provider import Kept, MemoryProvider, Schema, Surroundings
from hermes_agent.text.entities import entities
from hermes_agent.text.stopwords import STOP_WORDS
from hermes_agent.text.words import UNSPACED, fold, words

_CATEGORIES = ("user_pref", "project", "tool", "general")
_ACTIONS = ("add", "search", "probe", "related", "reason", "contradict", "update", "remove", "list")
_PREFETCHED = 5
_MOST_RESULTS = 50
_MOST_WORDS = 64
_WORDS_WEIGHT, _OVERLAP_WEIGHT = 0.4, 0.3
_HELPFUL, _UNHELPFUL = 0.05, -0.10
_LEAST_SHARED, _LEAST_CONFLICT, _MOST_COMPARED = 0.3, 0.3, 500
_DAY_SECONDS = 86_400
_SHORTEST_SAID, _LONGEST_SAID = 10, 400
_PREFERENCE = re.compile(
    r"\bI\s+(?:prefer|like|love|use|want|need|always|never|usually)\s+\S|\bmy\s+(?:favou?rite|preferred|default)\b",
    re.I,
)
_DECISION = re.compile(r"\bwe\s+(?:decided|agreed|chose)\b|\bthe\s+project\s+(?:uses|needs|requires)\s+\S", re.I)
_WORD = re.compile(r"\w+")
_PAIR = re.compile(f"[{UNSPACED}]{{2}}")

_STORE_TOOL: Schema = {
    "name": "fact_store",
    "description": (
        "Long-term facts with the people and things they name. add: keep a fact. search: find by words. probe: "
        "all facts about one entity. related: facts that name or mention it. reason: facts that connect several "
        "entities. contradict: facts about the same entities that say different things. update, remove, list: by "
        "fact_id. Before answering a question about the user, probe or search."
    ),
    "parameters": {
        "type": "object",
        "properties": {
            "action": {"type": "string", "enum": list(_ACTIONS)},
            "content": {"type": "string", "description": "The fact, for add and update."},
            "query": {"type": "string", "description": "What to find, for search."},
            "entity": {"type": "string", "description": "A name, for probe and related."},
            "entities": {"type": "array", "items": {"type": "string"}, "description": "Names, for reason."},
            "fact_id": {"type": "integer", "description": "For update and remove."},
            "category": {"type": "string", "enum": list(_CATEGORIES)},
            "tags": {"type": "string", "description": "Separated by commas."},
            "trust_delta": {"type": "number", "description": "Change of trust, for update."},
            "min_trust": {"type": "number", "description": "The least trust of results (default 0.3)."},
            "limit": {"type": "integer", "description": "How many results at most (default 10)."},
        },
        "required": ["action"],
    },
}
_FEEDBACK_TOOL: Schema = {
    "name": "fact_feedback",
    "description": "Rate a fact after using it: helpful if it was right, unhelpful if it is wrong or outdated.",
    "parameters": {
        "type": "object",
        "properties": {
            "action": {"type": "string", "enum": ["helpful", "unhelpful"]},
            "fact_id": {"type": "integer"},
        },
        "required": ["action", "fact_id"],
    },
}


class Holographic(MemoryProvider):
    """The memory in `memory_store.db`."""

    name = "holographic"

    def __init__(self, surroundings: Surroundings) -> None:
        self._home = Home(surroundings.folder, surroundings.profile)
        public = public_settings.section(self._home, "plugins", "hermes-memory-store")
        self._options = options.Options(surroundings, public)

    def is_available(self) -> bool:
        return not self._home.encryption.exists()

    def initialize(self, session_id: str, **kwargs: Any) -> None:
        """Refuse what cannot work; the file is opened when it is needed."""
        self._file  # noqa: B018 - it tells of a locked home
        self._dimensions  # noqa: B018 - and these of a wrong setting
        self._number("default_trust", 0.5)

    def get_tool_schemas(self) -> list[Schema]:
        return [_STORE_TOOL, _FEEDBACK_TOOL]

    def get_config_schema(self) -> list[Schema]:
        return [
            {"key": "db_path", "description": "The SQLite file", "default": "$HERMES_HOME/memory_store.db"},
            {
                "key": "auto_extract",
                "description": "Keep preferences and decisions when a conversation ends",
                "default": "false",
                "choices": ["true", "false"],
            },
            {"key": "default_trust", "description": "Trust of a new fact, 0 to 1", "default": "0.5"},
            {"key": "hrr_dim", "description": "Dimensions of the vectors", "default": "1024"},
        ]

    def system_prompt_block(self) -> str:
        return (
            "# Holographic memory\nFacts are kept with the fact_store tool: add what the user would expect you to "
            "remember, probe or search before you answer about them. Rate what you used with fact_feedback."
        )

    def prefetch(self, query: str, *, session_id: str = "") -> str:
        found = self._search(query, None, self._number("min_trust_threshold", 0.3), _PREFETCHED)
        return "\n".join(
            outgoing.line(fact.content, f"{fact.updated_at[:10]} (trust {fact.trust:.1f})") for fact, _ in found
        )

    def on_session_end(self, messages: Sequence[Schema], *, session_id: str = "") -> None:
        """Keep what users said of themselves and of decisions, if `auto_extract` is on; word for word."""
        if not self._options.is_on("auto_extract", default=False):
            return
        for message in messages:
            said = message.get("content")
            if message.get("role") != "user" or not isinstance(said, str) or len(said) < _SHORTEST_SAID:
                continue
            if _PREFERENCE.search(said):
                self._add(said[:_LONGEST_SAID], "user_pref")
            elif _DECISION.search(said):
                self._add(said[:_LONGEST_SAID], "project")

    def on_memory_write(
        self, action: str, target: str, content: str, metadata: Mapping[str, Any] | None = None
    ) -> None:
        """Follow the notes: what is added is kept, what is replaced or removed there goes here, too."""
        if action in ("replace", "remove"):
            former = self._file.saying(outgoing.sendable(str((metadata or {}).get("old_text") or "")))
            if former is not None:
                self._file.remove(former.id)
        if action in ("add", "replace") and content.strip():
            self._add(content, "user_pref" if target == "user" else "general")

    def remember(self, text: str) -> str:
        return str(self._add(text, "general"))

    def memories(self) -> Iterator[Kept]:
        for fact in self._file.listed(None, 0.0, -1):
            yield Kept(str(fact.id), fact.content)

    def forget(self, kept_id: str) -> None:
        """Forget one fact; one that is gone already is forgotten."""
        if not kept_id.isdecimal():
            raise ToolError(f"{kept_id[:40]!r} is no number of a fact.")
        self._file.remove(int(kept_id))

    def handle_tool_call(self, tool_name: str, args: Schema, **kwargs: Any) -> str:
        if tool_name == "fact_feedback":
            return json.dumps(self._rate(args))
        if tool_name != "fact_store":
            raise ToolError(f"{self.name} has no tool {tool_name!r}.")
        actions: dict[str, Callable[[Schema], Schema]] = {
            "add": lambda args: {"fact_id": self._added(args), "status": "added"},
            "search": self._searched,
            "probe": lambda args: self._about(args, [arguments.text(args, "entity")], algebra.presence),
            "related": lambda args: self._about(args, [arguments.text(args, "entity")], algebra.mention),
            "reason": lambda args: self._about(args, arguments.texts(args, "entities"), algebra.mention),
            "contradict": self._conflicts,
            "update": self._updated,
            "remove": lambda args: {"removed": self._file.remove(int(arguments.number(args, "fact_id")))},
            "list": self._listed,
        }
        action = arguments.text(args, "action")
        if action not in actions:
            raise ToolError(f"There is no action {action[:40]!r}: use one of {', '.join(_ACTIONS)}.")
        return json.dumps(actions[action](args), ensure_ascii=False)

    def backup_paths(self) -> list[str]:
        """Return its one file."""
        return [str(self._path)]

    @property
    def _path(self) -> Path:
        home = str(self._home.root)
        told = self._options.text("db_path", default="$HERMES_HOME/memory_store.db")
        return Path(told.replace("${HERMES_HOME}", home).replace("$HERMES_HOME", home)).expanduser()

    @cached_property
    def _file(self) -> FactFile:
        if self._home.encryption.exists():
            raise ProviderRefused(
                "The holographic memory is a plain file, and this home is encrypted.",
                hint="Turn it off (hermes memory off), or decrypt the home: hermes decrypt",
            )
        return FactFile(self._path)

    @cached_property
    def _dimensions(self) -> int:
        return max(16, int(self._number("hrr_dim", 1024, most=65_536)))

    def _number(self, option: str, default: float, most: float = 1.0) -> float:
        return self._options.number(option, default=default, least=0.0, most=most)

    def _add(self, content: str, category: str, tags: str = "") -> int:
        return self._file.add(self._draft(content, category, tags, self._number("default_trust", 0.5)))

    def _draft(self, content: str, category: str, tags: str, trust: float) -> Draft:
        plain = outgoing.sendable(content)
        if not plain:
            raise ToolError("A fact needs content.")
        names = list(dict.fromkeys(self._file.known_as(entity.name) for entity in entities(plain)))
        vector = algebra.packed(algebra.of_fact(plain, names, self._dimensions))
        return Draft(plain, category, outgoing.sendable(tags), trust, names, vector)

    def _vector(self, fact: StoredFact) -> Phases:
        """Return a fact's vector; made again where the file has none, or one of other dimensions."""
        stored = algebra.unpacked(fact.vector, self._dimensions)
        if stored is not None:
            return stored
        return algebra.of_fact(fact.content, self._file.names_of(fact.id), self._dimensions)

    def _search(
        self, query: str, category: str | None, least_trust: float, limit: int
    ) -> list[tuple[StoredFact, float]]:
        """Return the best facts with their score: words, overlap and vectors, times trust."""
        plain = outgoing.sendable(query)
        told = _topical(words(plain, _MOST_WORDS))
        written = _topical(_WORD.findall(plain)[:_MOST_WORDS])
        found = {fact.id: fact for fact in self._file.matching(written, category, least_trust, limit * 3)}
        pairs = [word for word in told if _PAIR.fullmatch(word)]
        for fact in self._file.holding(pairs, category, least_trust, limit * 3):
            found.setdefault(fact.id, fact)
        best = max((fact.rank for fact in found.values()), default=0.0) or 1.0
        query_vector = algebra.as_content(query, self._dimensions)
        weight = self._number("hrr_weight", 0.3)
        scored = []
        for fact in found.values():
            likeness = (algebra.likeness(query_vector, self._vector(fact)) + 1) / 2
            overlap = _overlap(set(told), set(words(f"{fact.content} {fact.tags}")))
            score = _WORDS_WEIGHT * fact.rank / best + _OVERLAP_WEIGHT * overlap + weight * likeness
            scored.append((fact, score * fact.trust * self._decay(fact)))
        return sorted(scored, key=lambda pair: pair[1], reverse=True)[:limit]

    def _decay(self, fact: StoredFact) -> float:
        days = self._number("temporal_decay_half_life", 0.0, most=36_500)
        written = _moment(fact.updated_at)
        if not days or written is None:
            return 1.0
        age = max(0.0, clock.to_seconds(clock.now() - written) / _DAY_SECONDS)
        return float(0.5 ** (age / days))

    def _added(self, args: Schema) -> int:
        return self._add(arguments.text(args, "content"), _chosen(args) or "general", str(args.get("tags") or ""))

    def _searched(self, args: Schema) -> Schema:
        least = arguments.number(args, "min_trust", self._number("min_trust_threshold", 0.3))
        return _results(
            self._search(
                arguments.text(args, "query"),
                _chosen(args),
                least,
                arguments.whole(args, "limit", 10, _MOST_RESULTS),
            )
        )

    def _about(self, args: Schema, names: Sequence[str], measured: Callable[[Phases, str], float]) -> Schema:
        """Return the facts that have to do with each of the names."""
        known = [self._file.known_as(name) for name in names]
        scored = []
        for fact in self._file.with_vectors(_chosen(args)):
            vector = self._vector(fact)
            least = min(measured(vector, name) for name in known)
            if least > 0:
                scored.append((fact, (least + 1) / 2 * fact.trust))
        return _results(
            sorted(scored, key=lambda pair: pair[1], reverse=True)[
                : arguments.whole(args, "limit", 10, _MOST_RESULTS)
            ]
        )

    def _conflicts(self, args: Schema) -> Schema:
        """Return pairs of facts that name the same and say something else; of the newest facts only."""
        facts = self._file.with_vectors(_chosen(args))[:_MOST_COMPARED]
        named = self._file.all_names()
        said = {fact.id: algebra.of_text(fact.content, self._dimensions) for fact in facts if fact.id in named}
        found: list[tuple[float, Schema]] = []
        for first, second in combinations((fact for fact in facts if fact.id in said), 2):
            shared = _overlap(named[first.id], named[second.id])
            if shared < _LEAST_SHARED:
                continue
            conflict = round(shared * (1 - (algebra.likeness(said[first.id], said[second.id]) + 1) / 2), 3)
            if conflict >= _LEAST_CONFLICT:
                pair = {"fact_a": _shown(first), "fact_b": _shown(second), "contradiction_score": conflict}
                found.append((conflict, {**pair, "shared_entities": sorted(named[first.id] & named[second.id])}))
        best = sorted(found, key=lambda pair: pair[0], reverse=True)[
            : arguments.whole(args, "limit", 10, _MOST_RESULTS)
        ]
        return {"results": [pair for _, pair in best], "count": len(best)}

    def _updated(self, args: Schema) -> Schema:
        fact = self._there(args)
        trust = _clamped(fact.trust + arguments.number(args, "trust_delta", 0.0))
        content = arguments.text(args, "content") if args.get("content") is not None else fact.content
        tags = fact.tags if args.get("tags") is None else str(args["tags"])
        if not self._file.change(fact, self._draft(content, _chosen(args) or fact.category, tags, trust)):
            raise ToolError("Another fact says exactly that already: remove one of the two.")
        return {"updated": True}

    def _listed(self, args: Schema) -> Schema:
        facts = self._file.listed(
            _chosen(args),
            arguments.number(args, "min_trust", 0.0),
            arguments.whole(args, "limit", 10, _MOST_RESULTS),
        )
        return {"facts": [_shown(fact) for fact in facts], "count": len(facts)}

    def _rate(self, args: Schema) -> Schema:
        action = arguments.text(args, "action")
        if action not in ("helpful", "unhelpful"):
            raise ToolError("The action is helpful or unhelpful.")
        fact, is_helpful = self._there(args), action == "helpful"
        trust = _clamped(fact.trust + (_HELPFUL if is_helpful else _UNHELPFUL))
        self._file.rate(fact.id, trust, is_helpful)
        helpful = fact.helpful + is_helpful
        return {"fact_id": fact.id, "old_trust": fact.trust, "new_trust": trust, "helpful_count": helpful}

    def _there(self, args: Schema) -> StoredFact:
        number = int(arguments.number(args, "fact_id"))
        fact = self._file.get(number)
        if fact is None:
            raise ToolError(f"There is no fact {number}: search or list first.")
        return fact


def _chosen(args: Schema) -> str | None:
    return arguments.choice(args, "category", _CATEGORIES, "general") if args.get("category") else None


def _shown(fact: StoredFact) -> Schema:
    shown = asdict(replace(fact, vector=None))
    del shown["vector"], shown["rank"]
    return {"fact_id": shown.pop("id"), **shown, "trust": round(fact.trust, 3)}


def _results(scored: Sequence[tuple[StoredFact, float]]) -> Schema:
    return {
        "results": [{**_shown(fact), "score": round(score, 3)} for fact, score in scored],
        "count": len(scored),
    }


def _topical(found: Sequence[str]) -> list[str]:
    """Return the words without those that carry no topic, unless there are only such."""
    return [word for word in found if fold(word) not in STOP_WORDS] or list(found)


def _overlap(left: set[str], right: set[str]) -> float:
    return len(left & right) / len(left | right) if left | right else 0.0


def _clamped(trust: float) -> float:
    return min(1.0, max(0.0, trust))


def _moment(written: str) -> int | None:
    """Read the file's time, `2026-04-14 09:30:00` in UTC."""
    from datetime import UTC, datetime

    try:
        return clock.from_datetime(datetime.fromisoformat(written).replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        return None
