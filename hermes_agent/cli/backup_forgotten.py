"""What a restore says of things that were forgotten since: they are forgotten again, or may have come back."""

from collections.abc import Sequence

from hermes_agent.cli.invocation import Invocation
from hermes_agent.cli.options import opened
from hermes_agent.cli.output import say
from hermes_agent.cli.progress import follow
from hermes_agent.errors import HermesError
from hermes_agent.records.receipts import Receipt
from hermes_agent.store import receipts
from hermes_agent.text.quantities import counted

_BACK = "What was forgotten since the backup was made may be there again"


def receipts_here(invocation: Invocation, *, is_there: bool) -> Sequence[Receipt]:
    """Return the receipts of the home that is replaced; say so if they cannot be read."""
    if not is_there:
        return []
    try:
        with opened(Invocation(invocation.profile)) as app, app.store.read() as connection:
            return receipts.every(connection)
    except HermesError as error:
        say(f"{_BACK}: the receipts of this home cannot be read ({error.message})", is_error=True)
        return []


def forget_again(invocation: Invocation, kept: Sequence[Receipt]) -> None:
    """Forget in the restored home what was forgotten before; say what cannot be done."""
    from hermes_agent.ops.forgetting import after_restore

    if not kept:
        return
    try:
        with opened(Invocation(invocation.profile)) as app:
            done = follow(after_restore.forget_again(app.forgetting, kept))
    except HermesError as error:
        say(f"{_BACK}: {error.message}", is_error=True)
        return
    if done:
        times = counted(len(done), "time")
        say(f"What was forgotten since was forgotten again ({times}): hermes memory receipts", is_error=True)
    for one in done:
        for place in one.found:
            say(f"{one.name}: something is left in {place}", is_error=True)
