"""Every router of the API: one module for each kind of thing, in the order of the document."""

from collections.abc import Sequence

from fastapi import APIRouter

from hermes_agent.web.api import (
    backups,
    chat,
    episodes,
    facts,
    forget,
    jobs,
    journal,
    learned,
    messages,
    notes,
    review,
    run,
    search,
    sessions,
    settings,
    skills,
    status,
    tokens,
    transfer,
)

ROUTERS: Sequence[APIRouter] = tuple(
    one.router
    for one in (
        sessions,
        messages,
        search,
        facts,
        episodes,
        learned,
        journal,
        skills,
        notes,
        review,
        jobs,
        status,
        forget,
        transfer,
        backups,
        settings,
        tokens,
        chat,
        run,
    )
)
