"""The job `tidy`, once a week: memory is brought into order, one change after the other."""

from collections.abc import Generator
from dataclasses import dataclass

from hermes_agent.config.load import Settings
from hermes_agent.config.settings import SKILLS_ARCHIVE_AFTER_DAYS
from hermes_agent.memory import tidying
from hermes_agent.memory.notebook import Notebook
from hermes_agent.memory.tidying import Proposals, Tidying
from hermes_agent.memory.unwritten import Unwritten
from hermes_agent.ops.steps import Step

_WHAT = "Tidying"


@dataclass(frozen=True, slots=True)
class Tidied:
    """What was proposed, and what of it was done."""

    proposals: Proposals
    made: list[Tidying]


def run(notebook: Notebook, settings: Settings, *, is_dry: bool = False) -> Generator[Step, None, Tidied]:
    """Tidy memory; a dry run only says what would be done."""
    yield Step(_WHAT, 0)
    store, folder = notebook.store, notebook.home.skills
    if not is_dry:
        tidying.begin(store)
    proposals = tidying.propose(store, notebook, settings[SKILLS_ARCHIVE_AFTER_DAYS])
    made: list[Tidying] = []
    unwritten = Unwritten()
    changes = [] if is_dry else proposals.changes
    for done, change in enumerate(changes, start=1):
        with unwritten.set_aside():
            if tidying.make(store, folder, change):
                made.append(change)
        yield Step(_WHAT, done, len(changes))
    if not is_dry:
        tidying.finish(store)
    unwritten.tell()
    return Tidied(proposals, made)
