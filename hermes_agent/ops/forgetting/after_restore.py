"""Forgetting wins over backups: what was forgotten since a backup was made is forgotten again when it is restored.

The receipts of the home are read before it is replaced, and brought into the restored store in the transaction
that takes out what they tell of, by their hashes; cleaning the files is then what it is after any forgetting.
"""

from collections.abc import Generator, Sequence
from dataclasses import asdict, replace

from hermes_agent.memory import forget_all
from hermes_agent.ops.forgetting import carrying_out
from hermes_agent.ops.forgetting.carrying_out import Place
from hermes_agent.ops.steps import Step
from hermes_agent.records.receipts import Receipt
from hermes_agent.store import canonical, receipts
from hermes_agent.store.engine import Connection

_TABLE = "receipts"


def forget_again(place: Place, former: Sequence[Receipt]) -> Generator[Step, None, list[Receipt]]:
    """Bring receipts of the home that was there into the restored one; return those that are new to it."""
    with place.store.read() as connection:
        known = {one.uid for one in receipts.every(connection)}
    came = [one for one in former if one.uid not in known]
    look = receipts.hashed_look([one for one in came if one.lifted_at is None])
    carrying_out.clean(place, look)  # the notes first: what they lose would else be taken for an edit by hand
    with place.store.write() as connection:
        _bring(connection, former)
        forget_all.forget_again(connection, place.store.engine, look)
    done = yield from carrying_out.finish(place)
    return [one for one in done if one.uid not in known]


def _bring(connection: Connection, former: Sequence[Receipt]) -> None:
    """Put receipts in, under their numbers where these are free; those that are here become what they were."""
    known = {one.uid: one for one in receipts.every(connection)}
    numbers = {one.id for one in known.values()}
    last = canonical.last_number(connection, _TABLE)
    for one in former:
        if one.uid in known:
            lifted = {"lifted_at": one.lifted_at, "blocks": list(one.blocks)}
            canonical.change(connection, _TABLE, "uid", one.uid, lifted)
            continue
        number = one.id if one.id not in numbers else last + 1
        last = max(last, number)
        # Files are cleaned again of what still must not be there, if there is anything to look by.
        is_open = bool(one.runs) and one.lifted_at is None
        put = replace(one, id=number, state="pending" if is_open else one.state)
        canonical.put(connection, _TABLE, [asdict(put)])
    canonical.settle_numbers(connection, _TABLE, last)
