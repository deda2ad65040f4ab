"""`/api/backups`: encrypted copies of the home: listed, made, checked by restoring them into a folder."""

from fastapi import APIRouter, Response

from hermes_agent.app import App
from hermes_agent.errors import NotFound
from hermes_agent.jobs import backing_up
from hermes_agent.memory.shown.jobs import job_json
from hermes_agent.records.archive import Json
from hermes_agent.store import jobs
from hermes_agent.web import checking
from hermes_agent.web.answers import answer, gives, lists, page
from hermes_agent.web.api.jobs import JOB
from hermes_agent.web.asked import Name
from hermes_agent.web.at_length import at_length
from hermes_agent.web.callers import Admin, TheApp
from hermes_agent.web.paging import Limit, Offset
from hermes_agent.web.shapes import Moment, having

router = APIRouter(prefix="/backups", tags=["backups"])

BACKUP = having("Backup", "A backup of this home.", name=str, made_at=Moment, size_bytes=int, has_sealed_key=bool)
VERIFIED = having("VerifiedBackup", "What is wrong with a backup.", name=str, files=int, problems=list[str])


@router.get("", responses=lists(BACKUP))
def list_backups(app: TheApp, caller: Admin, limit: Limit = 50, offset: Offset = 0) -> Response:
    """List the backups of this home, the newest first."""
    return page(_listed(app)[offset : offset + limit + 1], limit, offset)


@router.post("", status_code=202, responses=gives(JOB, 202))
def create_backup(app: TheApp, caller: Admin) -> Response:
    """Let a backup be made in the background; the job tells when it is done. Old ones are let go of then."""
    with app.store.write() as connection:
        number = jobs.add(connection, backing_up.JOB, backing_up.JOB)
        job = jobs.get(connection, number)
    assert job is not None, "it was added just now"
    return answer(job_json(job), 202)


@router.post("/{name}/verify", responses=gives(VERIFIED))
@at_length
def verify_backup(app: TheApp, caller: Admin, name: Name) -> Response:
    """Restore a backup into a folder of its own, open it, and compare; the answer waits for it."""
    if not any(one["name"] == name for one in _listed(app)):
        raise NotFound(f"There is no backup {name!r} of this home.", hint="List them: GET /api/backups")
    path = backing_up.folder_of(app.home, app.settings) / name
    found = checking.check(app, path)
    return answer({"name": name, "files": found.files, "problems": list(found.problems)})


def _listed(app: App) -> list[dict[str, Json]]:
    from hermes_agent.ops.backups import keeping

    found = keeping.of_home(app.home, app.store, backing_up.folder_of(app.home, app.settings))
    shown = [(one.path.name, keeping.backup_json(one)) for one in found]
    return [
        {"name": name, **{key: one[key] for key in ("made_at", "size_bytes", "has_sealed_key")}}
        for name, one in shown
    ]
