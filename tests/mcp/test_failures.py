"""What a defect of a tool leaves behind: a sentence for the client, and where it happened in the daemon's log."""

import logging
from dataclasses import replace
from typing import Any, NoReturn

import pytest

from hermes_agent.app import App
from hermes_agent.jobs.worker import LOG
from hermes_agent.mcp.access import Access
from hermes_agent.mcp.server import _run
from hermes_agent.mcp.tools.every import TOOLS
from hermes_agent.mcp.visit import Visit
from hermes_agent.memory.program_sessions import ProgramSessions


# Any: a tool of any form.
def broken(visit: Visit, form: Any) -> NoReturn:
    raise ValueError(form.task)


def test_a_defect_is_told_in_the_daemons_log_by_its_place_alone(
    app: App, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LOG, "propagate", True)
    tool = replace(TOOLS["recall"], run=broken)
    visit = Visit(app, Access("read", "laptop"), ProgramSessions(app.memory, "mcp"))
    with caplog.at_level(logging.ERROR, LOG.name):
        answer = _run(tool, visit, {"task": "Where is Dr. Okafor?"})
    assert answer.is_error
    told = [record.getMessage() for record in caplog.records if record.name == LOG.name]
    assert len(told) == 1 and "recall" in told[0] and "ValueError" in told[0] and "test_failures.py" in told[0]
    assert "Okafor" not in caplog.text
