"""`/api/messages`: one message by its number or uid, as facts and search results name it."""

from fastapi import APIRouter, Request, Response

from hermes_agent.memory import message_reading
from hermes_agent.memory.shown.archive import message_json
from hermes_agent.web.answers import shows, tagged
from hermes_agent.web.api.sessions import MESSAGE
from hermes_agent.web.asked import Name
from hermes_agent.web.callers import Reader, TheApp

router = APIRouter(prefix="/messages", tags=["sessions"])


@router.get("/{name}", responses=shows(MESSAGE))
def show_message(app: TheApp, caller: Reader, request: Request, name: Name) -> Response:
    """Show a message; `/api/sessions/{session_id}/messages?around={id}` shows those around it."""
    return tagged(request, message_json(message_reading.get(app.store, name)))
