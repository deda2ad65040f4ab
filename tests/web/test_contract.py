"""The API keeps to its document, whatever it is asked: every answer is one that is declared, and none is a 500."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.testclient import TestClient

from tests.counts import count
from tests.web.conftest import Doors
from tests.web.filled import NAMES, fill

PARTS = 4
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
# They would let the other routes find nothing, or wait for work that has nothing to do with what is asked.
ALONE = ("POST /api/forget", "POST /api/jobs/run")
"""Each is tried in a home of its own."""


@pytest.fixture
def no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a token ask as often as it likes."""
    monkeypatch.setenv("HERMES_WEB_REQUESTS_PER_MINUTE", "0")
    monkeypatch.setenv("HERMES_MEMORY_EMBEDDINGS_PROVIDER", "none")


def operations(program: TestClient, part: int | str) -> Iterator[Any]:  # Any: schemathesis' own
    """Yield what the document tells of: one of those that are alone, or a part of all others."""
    document = program.get("/api/openapi.json").json()
    results: list[Any] = list(schemathesis.openapi.from_dict(document).get_all_operations())
    found = sorted((one.ok() for one in results), key=lambda one: str(one.label))
    for number, operation in enumerate(found):
        if part == (operation.label if operation.label in ALONE else number % PARTS):
            yield operation


@pytest.mark.parametrize("part", [*range(PARTS), *ALONE])
def test_every_answer_is_one_that_the_document_declares(no_limit: None, doors: Doors, part: int | str) -> None:
    fill(doors.app)
    program = doors.program("admin")
    breaches: list[str] = []
    tried = 0
    for operation in operations(program, part):
        tried += 1

        @settings(
            max_examples=count(4, 300),
            derandomize=True,
            database=None,
            deadline=None,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy())
        def ask(case: Any) -> None:
            check(program, case)

        try:
            ask()
        except (FailureGroup, ExceptionGroup) as error:
            breaches.append(f"{operation.label}: {error.exceptions[0]}")
        kind = operation.path.split("/")[2] if operation.path.startswith("/api/") else ""
        names = [one.name for one in operation.path_parameters]
        if operation.method.upper() == "GET" and names and kind in NAMES:
            case = operation.Case(path_parameters=dict.fromkeys(names, NAMES[kind]))
            answer = check(program, case)
            assert answer.status_code in (200, 404, 422), (operation.label, answer.text)
    assert tried
    if part == "POST /api/forget":
        (forget,) = operations(program, part)
        for status in (200, 404):
            case = forget.Case(body={"id": "fact:001"}, headers={"If-Match": "*"}, media_type="application/json")
            assert check(program, case).status_code == status
    assert not breaches, "\n\n".join(breaches)


def check(program: TestClient, case: Any) -> Any:
    """Send a case, and hold the answer against the document."""
    sent = case.as_transport_kwargs(base_url="http://127.0.0.1")
    # Its own token is tried elsewhere (`test_policy.py`); here each request is let in.
    given = dict(sent.get("headers") or {})
    headers = {name: value for name, value in given.items() if name.lower() != "authorization"}
    answer = program.request(
        sent["method"],
        sent["url"],
        params=sent.get("params"),
        headers={**headers, "Host": "127.0.0.1"},
        json=sent.get("json"),
        content=sent.get("data") if isinstance(sent.get("data"), bytes | str) else None,
    )
    case.validate_response(answer, checks=CHECKS)
    return answer
