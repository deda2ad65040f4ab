"""The requests that answers were given to, with what was put before them: an answer may repeat either."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, func, select

from hermes_agent.store.id_lists import is_in
from hermes_agent.store.tables import messages

_answer, _request, _earlier = messages.alias("answer"), messages.alias("request"), messages.alias("earlier")
_LAST = select(func.max(_earlier.c.id)).where(
    _earlier.c.session_id == _answer.c.session_id, _earlier.c.role == "user", _earlier.c.id < _answer.c.id
)
_REQUESTS = (
    select(_answer.c.id, _request.c.id, _request.c.sent)
    .select_from(_answer.join(_request, _request.c.id == _LAST.correlate(_answer).scalar_subquery()))
    .where(is_in(_answer.c.id), _answer.c.role == "assistant")
)


class Request(NamedTuple):
    """A message by its id, and as it was sent, with what was recalled for it."""

    id: int
    sent: str


def requests_of(connection: Connection, answer_ids: Sequence[int]) -> dict[int, Request]:
    """Return what each of the answers was given to."""
    rows = connection.execute(_REQUESTS, {"ids": answer_ids}) if answer_ids else ()
    return {answer_id: Request(request_id, sent or "") for answer_id, request_id, sent in rows}
