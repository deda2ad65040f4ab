"""What was forgotten, but is not gone from everywhere: it was cut short, is being done, or something is left."""

from hermes_agent.app import App
from hermes_agent.records.status import Line
from hermes_agent.store import receipts
from hermes_agent.text.quantities import counted

_PENDING = "forgotten, but not out of every file"


def unfinished(app: App) -> list[Line]:
    """Tell of receipts whose files are still to be cleaned, and of those that name what is left."""
    with app.store.read() as connection:
        waiting = [one.name for one in receipts.pending(connection)]
        left = [one.name for one in receipts.with_something_left(connection)]
    told, advice = [], []
    if waiting:
        told.append(f"{counted(len(waiting), 'receipt')} pending ({', '.join(waiting)}): {_PENDING}")
        advice.append("If nobody is forgetting just now: hermes memory forget --finish")
    if left:
        told.append(f"something is left of what was forgotten ({', '.join(left)})")
        advice.append(f"See what, remove it by hand, and look again: hermes memory verify-deletion {left[0]}")
    if not told:
        return []
    return [Line("Forgetting", "; ".join(told), {"pending": list(waiting), "left": list(left)}, ". ".join(advice))]
