"""What was forgotten, but not out of every file yet: it was cut short, or is being done just now."""

from hermes_agent.app import App
from hermes_agent.records.status import Line
from hermes_agent.store import receipts
from hermes_agent.text.quantities import counted


def cut_short(app: App) -> list[Line]:
    """Tell of receipts whose files are still to be cleaned; nothing where there are none."""
    with app.store.read() as connection:
        waiting = [one.name for one in receipts.pending(connection)]
    if not waiting:
        return []
    text = (
        f"{counted(len(waiting), 'receipt')} pending ({', '.join(waiting)}): forgotten, but not out of every file"
    )
    advice = "If nobody is forgetting just now: hermes memory forget --finish"
    return [Line("Forgetting", text, {"pending": list(waiting)}, advice)]
