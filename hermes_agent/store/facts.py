"""Facts: sentences held to be true, found by number, by words and as of a moment.

A fact that ended stays in the table and in the index: whoever asks what was believed in March gets
it. Readers of the present keep to what is in the state `current` and not past its last day. What was
replaced without a last day, or retracted, was wrong: it was believed, and true at no time.
"""

from collections.abc import Sequence

from sqlalchemy import (
    ColumnElement,
    Connection,
    FromClause,
    Select,
    and_,
    case,
    func,
    insert,
    not_,
    or_,
    select,
    update,
)

from hermes_agent import clock
from hermes_agent.ids import new_uid
from hermes_agent.records.memory import Dispute, Fact, FactState, NewFact
from hermes_agent.store import meta
from hermes_agent.store.engine import Engine
from hermes_agent.store.id_lists import is_in
from hermes_agent.store.rows import to_record
from hermes_agent.store.tables import disputes, entity_links, facts, messages
from hermes_agent.store.text_index import IndexedText
from hermes_agent.store.types import String
from hermes_agent.text.query import Group, Query, Term
from hermes_agent.text.words import fold, words

_ALIKE = 1_000
_MOST_NAMING = 1_000
_LOCK = "facts"
_IS_MERGED = facts.c.state == "merged"
_WAS_WRONG = or_(facts.c.state == "retracted", and_(facts.c.state == "superseded", facts.c.valid_to.is_(None)))
# What another fact stands for went with it.
_WENT_WRONG = or_(_WAS_WRONG, and_(_IS_MERGED, facts.c.superseded_by.in_(select(facts.c.uid).where(_WAS_WRONG))))
_TAKEN_BACK = (
    select(messages.c.id, facts.c.text)
    .join(facts, facts.c.source_message == messages.c.uid)
    .where(is_in(messages.c.id), _WENT_WRONG)
    .order_by(facts.c.id)
)


def lock(connection: Connection) -> None:
    """Keep others from changing facts until the transaction ends: what two say at once is one fact."""
    meta.lock(connection, _LOCK)


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


def existing(connection: Connection, ids: Sequence[int]) -> set[int]:
    """Return those of the numbers that a fact has."""
    return set(connection.execute(select(facts.c.id).where(is_in(facts.c.id)), {"ids": ids}).scalars())


def by_uids(connection: Connection, uids: Sequence[str]) -> dict[str, Fact]:
    """Return the facts with these uids."""
    if not uids:
        return {}
    rows = connection.execute(select(facts).where(is_in(facts.c.uid)), {"ids": uids}).mappings()
    return {row["uid"]: to_record(Fact, row) for row in rows}


def said_in(connection: Connection, message_uids: Sequence[str]) -> list[Fact]:
    """Return the facts that were learned of messages."""
    query = select(facts).where(is_in(facts.c.source_message)).order_by(facts.c.id)
    return [to_record(Fact, row) for row in connection.execute(query, {"ids": message_uids}).mappings()]


def taken_back(connection: Connection, message_ids: Sequence[int]) -> dict[int, list[str]]:
    """Return what messages say that was retracted or corrected since, by the message."""
    found: dict[int, list[str]] = {}
    for message_id, text in connection.execute(_TAKEN_BACK, {"ids": message_ids}):
        found.setdefault(message_id, []).append(text)
    return found


def wrong_among(connection: Connection, ids: Sequence[int]) -> list[Fact]:
    """Return those of the facts that were retracted or corrected."""
    return _fetch(connection, select(facts).where(is_in(facts.c.id), _WENT_WRONG), ids)


def replaced_by(connection: Connection, uids: Sequence[str]) -> list[Fact]:
    """Return the facts whose place others took, in the order they were learned."""
    query = select(facts).where(is_in(facts.c.superseded_by)).order_by(facts.c.id)
    return [to_record(Fact, row) for row in connection.execute(query, {"ids": uids}).mappings()]


def recent(
    connection: Connection,
    limit: int,
    *,
    with_ended: bool = False,
    among: Sequence[int] | None = None,
    as_of: int | None = None,
    believed: int | None = None,
    offset: int = 0,
) -> list[Fact]:
    """Return the facts learned last, the newest first; those that ended only when asked for.

    With `as_of` what was true at a moment, with `believed` what memory held to be true at one; with both, what it
    then held to have been true.
    """
    query = select(facts).order_by(facts.c.id.desc()).limit(limit).offset(offset)
    if believed is not None:
        query = query.where(_was_believed(believed))
    if as_of is not None:
        query = query.where(_was_true(as_of, believed))
    if believed is None and as_of is None and not with_ended:
        query = query.where(_is_held(facts))
    if among is None:
        return _fetch(connection, query)
    return _fetch(connection, query.where(is_in(facts.c.id)), among)


def count(connection: Connection) -> int:
    """Count the facts that are held to be true."""
    query = select(func.count()).select_from(facts).where(_is_held(facts))
    return int(connection.execute(query).scalar_one())


def naming(
    connection: Connection, entity_ids: Sequence[int], moment: int | None = None, *, with_ended: bool = False
) -> list[int]:
    """Return the facts that name any of the things, newest first: held to be true, or at a moment, or ever."""
    links = select(entity_links.c.item).where(is_in(entity_links.c.entity_id), entity_links.c.kind == "fact")
    query = select(facts.c.id).where(facts.c.id.in_(links)).order_by(facts.c.id.desc())
    if not with_ended:
        query = query.where(_is_held(facts) if moment is None else _was_believed(moment))
    return list(connection.execute(query.limit(_MOST_NAMING), {"ids": entity_ids}).scalars())


def about(connection: Connection, subjects: Sequence[str], attribute: str | None = None) -> list[Fact]:
    """Return the current facts about somebody, by the names they go by, in the order they were learned."""
    query = select(facts).where(facts.c.subject.in_(subjects), _is_held(facts))
    if attribute is not None:
        query = query.where(func.lower(facts.c.attribute, type_=String) == attribute.lower())
    return _fetch(connection, query.order_by(facts.c.id))


def over(connection: Connection, subjects: Sequence[str], attribute: str, text: str) -> list[Fact]:
    """Return the facts of a slot, and those in these very words, that are not held to be true any more."""
    is_slot = and_(facts.c.subject.in_(subjects), func.lower(facts.c.attribute, type_=String) == attribute.lower())
    is_said = and_(facts.c.subject.is_(None), func.lower(facts.c.text, type_=String) == text.lower())
    query = select(facts).where(or_(is_slot, is_said), not_(_is_held(facts)))
    return _fetch(connection, query.order_by(facts.c.id))


def ids_about(connection: Connection, subjects: Sequence[str]) -> list[int]:
    """Return every fact about somebody, also those that ended."""
    return list(connection.execute(select(facts.c.id).where(facts.c.subject.in_(subjects))).scalars())


def people(connection: Connection, *, with_ended: bool = False) -> list[str]:
    """Return whom facts are about; with those that ended, whom they ever were about."""
    query = select(facts.c.subject).where(facts.c.subject.is_not(None)).distinct().order_by(facts.c.subject)
    return list(connection.execute(query if with_ended else query.where(_is_held(facts))).scalars())


def alike(connection: Connection, engine: Engine, text: str) -> Fact | None:
    """Return the current fact that says the same but for case, accents and space."""
    found = words(text)
    if found:
        phrase = Query(text, (Group((Term(tuple(found)),)),), is_plain=False)
        matches = engine.text.match(connection, "facts", phrase, _ALIKE, "best").best
        candidates = list(get_many(connection, [match.id for match in matches]).values())
    else:
        candidates = _fetch(connection, select(facts).where(facts.c.text == text))
    now = clock.now()
    same = [fact for fact in candidates if folded(fact.text) == folded(text)]
    held = [fact for fact in same if fact.state == "current" and not fact.has_expired(now)]
    return min(held, key=lambda fact: fact.id, default=None)


def corroborate(connection: Connection, fact_id: int, by: int = 1) -> None:
    """Count that a fact was said once more, or once less."""
    more = facts.c.corroborations + by
    connection.execute(update(facts).where(facts.c.id == fact_id).values(corroborations=more))


def own(connection: Connection, fact_id: int) -> None:
    """Let a fact that came as an import's be its owner's own."""
    connection.execute(update(facts).where(facts.c.id == fact_id).values(source_class="user"))


def end(
    connection: Connection,
    fact_id: int,
    state: FactState,
    at: int,
    valid_to: int | None = None,
    superseded_by: str | None = None,
) -> bool:
    """Stop holding a fact to be true, since `valid_to` if that is known; False if it had ended already.

    An end that is still to come leaves it held until then.
    """
    change = update(facts).where(facts.c.id == fact_id, facts.c.state == "current")
    ended = change.values(superseded_by=superseded_by)
    if valid_to is None or valid_to <= at:
        ended = ended.values(state=state, ended_at=at)
    if valid_to is not None:
        # A last day that was set before counts if it comes first.
        is_first = or_(facts.c.valid_to.is_(None), facts.c.valid_to > valid_to)
        ended = ended.values(valid_to=case((is_first, valid_to), else_=facts.c.valid_to))
    return connection.execute(ended).rowcount > 0


def merge(connection: Connection, merged: Fact, kept: Fact, at: int) -> None:
    """Let a fact stand for one that says the same: how often either was said counts, and the surer of them."""
    values: dict[str, object] = {"corroborations": facts.c.corroborations + merged.corroborations + 1}
    if merged.confidence > kept.confidence:
        values |= {"confidence": merged.confidence, "confidence_reason": merged.confidence_reason}
    connection.execute(update(facts).where(facts.c.id == kept.id).values(values))
    gone = {"state": "merged", "ended_at": at, "superseded_by": kept.uid}
    connection.execute(update(facts).where(facts.c.id == merged.id).values(gone))


def set_successor(connection: Connection, fact_id: int, valid_to: int, superseded_by: str) -> None:
    """Say that another fact took the place of one that ended, and when."""
    values = {"valid_to": valid_to, "superseded_by": superseded_by}
    connection.execute(update(facts).where(facts.c.id == fact_id).values(values))


def set_valid_to(connection: Connection, fact_id: int, valid_to: int | None) -> None:
    """Say until when a fact is true; None if no end is known."""
    connection.execute(update(facts).where(facts.c.id == fact_id).values(valid_to=valid_to))


def pin(connection: Connection, fact_id: int, *, is_pinned: bool) -> None:
    """Keep a fact whatever is said, or no longer."""
    connection.execute(update(facts).where(facts.c.id == fact_id).values(is_pinned=is_pinned))


def dispute(connection: Connection, fact_id: int, rival_ids: Sequence[int], reason: str, at: int) -> list[Dispute]:
    """Keep that facts contradict each other."""
    fresh = insert(disputes).returning(disputes)
    rows = [{"fact_id": fact_id, "rival_id": rival, "at": at, "reason": reason} for rival in rival_ids]
    return [to_record(Dispute, connection.execute(fresh, row).mappings().one()) for row in rows]


def disputed(connection: Connection) -> set[int]:
    """Return the facts that ever contradicted another."""
    rows = connection.execute(select(disputes.c.fact_id, disputes.c.rival_id))
    return {number for row in rows for number in row}


def open_disputes(
    connection: Connection, limit: int, offset: int = 0, *, among: Sequence[int] | None = None
) -> list[Dispute]:
    """Return the contradictions between facts that are both still held to be true, the latest first.

    `among` are the numbers of facts of which one must be one of the two.
    """
    one, other = facts.alias(), facts.alias()
    query = (
        select(disputes)
        .join(one, one.c.id == disputes.c.fact_id)
        .join(other, other.c.id == disputes.c.rival_id)
        .where(_is_held(one), _is_held(other))
        .order_by(disputes.c.id.desc())
        .limit(limit)
        .offset(offset)
    )
    if among is not None:
        query = query.where(is_in(disputes.c.fact_id) | is_in(disputes.c.rival_id))
    bound = {} if among is None else {"ids": among}
    return [to_record(Dispute, row) for row in connection.execute(query, bound).mappings()]


def has_turned(connection: Connection, since: int, until: int) -> bool:
    """Tell whether the first or the last day of a current fact came after a moment, up to another."""
    turned = or_(*(and_(day > since, day <= until) for day in (facts.c.valid_from, facts.c.valid_to)))
    query = select(facts.c.id).where(facts.c.state == "current", turned).limit(1)
    return connection.execute(query).first() is not None


def after(connection: Connection, fact_id: int, limit: int) -> list[Fact]:
    """Return the next facts by number, for rebuilding what is derived from them."""
    return _fetch(connection, select(facts).where(facts.c.id > fact_id).order_by(facts.c.id).limit(limit))


def indexed(fact: Fact) -> IndexedText:
    """Return what the index holds of a fact."""
    return IndexedText(fact.id, "facts", words(fact.text), ())


def folded(text: str) -> str:
    """Bring a fact's text to the form in which two are compared."""
    return fold(" ".join(text.split()))


def _is_held(table: FromClause) -> ColumnElement[bool]:
    has_no_end = or_(table.c.valid_to.is_(None), table.c.valid_to > clock.now())
    return and_(table.c.state == "current", has_no_end)


def _was_believed(moment: int) -> ColumnElement[bool]:
    """Memory had learned it, and neither ended it nor knew that its last day was past."""
    ended_later = facts.c.ended_at > moment
    is_open = and_(facts.c.ended_at.is_(None), _has_no_end_before(moment))
    return and_(facts.c.learned_at <= moment, or_(ended_later, is_open))


def _was_true(moment: int, believed: int | None) -> ColumnElement[bool]:
    """It had begun and not ended; what ended after memory is asked for was then without an end.

    What is merged is told by the fact that stands for it, except to whoever asks for what was believed before.
    """
    has_begun = func.coalesce(facts.c.valid_from, facts.c.said_at) <= moment
    if believed is None:
        return and_(has_begun, _has_no_end_before(moment), not_(_WAS_WRONG), not_(_IS_MERGED))
    has_no_end = and_(_has_no_end_before(moment), not_(_IS_MERGED))
    return and_(has_begun, or_(has_no_end, facts.c.ended_at > believed))


def _has_no_end_before(moment: int) -> ColumnElement[bool]:
    return or_(facts.c.valid_to.is_(None), facts.c.valid_to > moment)


# Any: SQLAlchemy's name for a select of whatever columns.
def _fetch(
    connection: Connection, query: Select[tuple[object, ...]], ids: Sequence[int] | None = None
) -> list[Fact]:
    bound = {} if ids is None else {"ids": ids}
    return [to_record(Fact, row) for row in connection.execute(query, bound).mappings()]
