"""Fill in the forms of a page as somebody without a script does: what the page put in them is sent along."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import parse_qs, urlsplit

from httpx2 import Response
from starlette.testclient import TestClient

from hermes_agent.memory.undo_choice import Named
from hermes_agent.memory.undoing import undo
from hermes_agent.records.changes import Undone
from tests.web.conftest import Doors

HOSTILE = "<script>alert('x')</script>\" onmouseover=\"x {{ 7 * 7 }} \u202e"
SHOWN = "<script>alert"
"""What must never stand in a page as it is."""


@dataclass
class Form:
    """A form of a page, with what stands in its fields."""

    action: str
    method: str
    fields: dict[str, str] = field(default_factory=dict)


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[Form] = []
        self._open: Form | None = None
        self._area: str | None = None
        self._select: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        name = values.get("name")
        if tag == "form":
            self._open = Form(values.get("action") or "", (values.get("method") or "get").lower())
            self.found.append(self._open)
        elif self._open is None:
            return
        elif tag == "input" and name:
            if values.get("type") not in ("checkbox", "radio") or "checked" in values:
                self._open.fields[name] = values.get("value") or ""
        elif tag == "textarea" and name:
            self._area = name
            self._open.fields[name] = ""
        elif tag == "select" and name:
            self._select = name
        elif tag == "option" and self._select is not None and "selected" in values and values.get("value"):
            self._open.fields[self._select] = values["value"] or ""

    def handle_data(self, data: str) -> None:
        if self._area is not None and self._open is not None:
            self._open.fields[self._area] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = None
        elif tag == "textarea" and self._area is not None and self._open is not None:
            # A browser leaves the first line break out.
            self._open.fields[self._area] = self._open.fields[self._area].removeprefix("\n")
            self._area = None
        elif tag == "select":
            self._select = None


def forms(page: Response) -> list[Form]:
    """Return the forms of a page."""
    parser = _Forms()
    parser.feed(page.text)
    return parser.found


def form(page: Response, action: str) -> Form:
    """Return the form of a page that is sent to an address."""
    found = [one for one in forms(page) if one.action == action and one.method == "post"]
    assert found, (action, [one.action for one in forms(page)], page.text[-1500:])
    return found[0]


def submit(client: TestClient, page: Response, action: str, **values: str | list[str]) -> Response:
    """Send a form of a page with some fields filled in; those it has not are refused."""
    chosen = form(page, action)
    return client.post(action, data={**chosen.fields, **values})


def done_of(response: Response) -> str:
    """Return the change that a redirect tells of."""
    assert response.status_code == 303, response.text[-1500:]
    (uid,) = parse_qs(urlsplit(response.headers["location"]).query)["done"]
    return uid


def take_back(doors: Doors, client: TestClient, response: Response) -> None:
    """Undo what a form did, which the page after it must offer."""
    uid = done_of(response)
    page = client.get(response.headers["location"])
    assert page.status_code == 200
    assert f"/journal/{uid}/undo" in page.text
    outcome = undo(doors.app.notebook, Named(uid))
    assert isinstance(outcome, Undone), outcome
