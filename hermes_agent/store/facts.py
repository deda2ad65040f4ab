"""Facts: sentences held to be true, found by number, by words and as of a moment.

A fact that ended stays in the table and in the index: whoever asks what was believed in March gets
it. Readers of the present keep to the state `current`.
"""

from collections.abc import Sequence

from sqlalchemy import Connection, Select, and_, func, insert, or_, select, update

from hermes_agent import clock
from hermes_agent.ids import new_uid
from hermes_agent.records.memory import Fact, FactState, NewFact
from hermes_agent.store import meta
from hermes_agent.store.engine import Engine
from hermes_agent.store.id_lists import is_in
from hermes_agent.store.rows import to_record
from hermes_agent.store.tables import entity_links, facts, store_meta
from hermes_agent.store.text_index import IndexedText
from hermes_agent.text.query import Group, Query, Term
from hermes_agent.text.words import fold, words

_ALIKE = 1_000
_MOST_NAMING = 1_000
_LOCK = "facts"


def lock(connection: Connection) -> None:
    """Keep others from changing facts until the transaction ends: what two say at once is one fact."""
    meta.put_first(connection, _LOCK, "")
    connection.execute(select(store_meta.c.key).where(store_meta.c.key == _LOCK).with_for_update())


def add(connection: Connection, engine: Engine, new: NewFact) -> Fact:
    """Keep a fact and index its words."""
    values = {name: getattr(new, name) for name in NewFact.__dataclass_fields__}
    learned_at = clock.now() if new.learned_at is None else new.learned_at
    values |= {"uid": new_uid(learned_at), "learned_at": learned_at, "state": "current"}
    row = connection.execute(insert(facts).returning(facts), values).mappings().one()
    fact = to_record(Fact, row)
    engine.text.put(connection, [indexed(fact)])
    return fact


def get(connection: Connection, fact_id: int) -> Fact | None:
    """Return one fact."""
    return get_many(connection, [fact_id]).get(fact_id)


def get_many(connection: Connection, ids: Sequence[int]) -> dict[int, Fact]:
    """Return the facts with these ids."""
    rows = connection.execute(select(facts).where(is_in(facts.c.id)), {"ids": ids}).mappings()
    return {row["id"]: to_record(Fact, row) for row in rows}


def recent(connection: Connection, limit: int, *, with_ended: bool = False) -> list[Fact]:
    """Return the facts learned last, the newest first; those that ended only when asked for."""
    query = select(facts).order_by(facts.c.id.desc()).limit(limit)
    return _fetch(connection, query if with_ended else query.where(facts.c.state == "current"))


def count(connection: Connection) -> int:
    """Count the facts that are held to be true."""
    query = select(func.count()).select_from(facts).where(facts.c.state == "current")
    return int(connection.execute(query).scalar_one())


def naming(connection: Connection, entity_ids: Sequence[int], moment: int | None = None) -> list[int]:
    """Return the facts that name any of the things and are held to be true, or were at a moment, newest first."""
    is_held = facts.c.state == "current"
    if moment is not None:
        is_held = and_(facts.c.learned_at <= moment, or_(facts.c.ended_at.is_(None), facts.c.ended_at > moment))
    links = select(entity_links.c.item).where(is_in(entity_links.c.entity_id), entity_links.c.kind == "fact")
    query = select(facts.c.id).where(facts.c.id.in_(links), is_held).order_by(facts.c.id.desc())
    return list(connection.execute(query.limit(_MOST_NAMING), {"ids": entity_ids}).scalars())


def alike(connection: Connection, engine: Engine, text: str) -> Fact | None:
    """Return the current fact that says the same but for case, accents and space."""
    found = words(text)
    if found:
        phrase = Query(text, (Group((Term(tuple(found)),)),), is_plain=False)
        matches = engine.text.match(connection, "facts", phrase, _ALIKE, "best").best
        candidates = list(get_many(connection, [match.id for match in matches]).values())
    else:
        candidates = _fetch(connection, select(facts).where(facts.c.text == text))
    same = [fact for fact in candidates if fact.state == "current" and folded(fact.text) == folded(text)]
    return min(same, key=lambda fact: fact.id, default=None)


def corroborate(connection: Connection, fact_id: int) -> None:
    """Count that a fact was said once more."""
    more = facts.c.corroborations + 1
    connection.execute(update(facts).where(facts.c.id == fact_id).values(corroborations=more))


def set_source_entry(connection: Connection, fact_id: int, entry_uid: str) -> None:
    """Name the journal's entry that brought a fact."""
    connection.execute(update(facts).where(facts.c.id == fact_id).values(source_entry=entry_uid))


def end(connection: Connection, fact_id: int, state: FactState, at: int) -> bool:
    """Stop holding a fact to be true; False if it had ended already."""
    change = update(facts).where(facts.c.id == fact_id, facts.c.state == "current")
    return connection.execute(change.values(state=state, ended_at=at)).rowcount > 0


def after(connection: Connection, fact_id: int, limit: int) -> list[Fact]:
    """Return the next facts by number, for rebuilding what is derived from them."""
    return _fetch(connection, select(facts).where(facts.c.id > fact_id).order_by(facts.c.id).limit(limit))


def indexed(fact: Fact) -> IndexedText:
    """Return what the index holds of a fact."""
    return IndexedText(fact.id, "facts", words(fact.text), ())


def folded(text: str) -> str:
    """Bring a fact's text to the form in which two are compared."""
    return fold(" ".join(text.split()))


# Any: SQLAlchemy's name for a select of whatever columns.
def _fetch(connection: Connection, query: Select[tuple[object, ...]]) -> list[Fact]:
    return [to_record(Fact, row) for row in connection.execute(query).mappings()]
