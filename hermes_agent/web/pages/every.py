"""Every router of the dashboard, in an order in which paths that end in words come before those that take any."""

from collections.abc import Sequence

from fastapi import APIRouter

from hermes_agent.web.pages import (
    backups,
    chat,
    context,
    data,
    episodes,
    facts,
    forgetting,
    jobs,
    journal,
    login,
    map,
    note_versions,
    notes,
    overview,
    profiles,
    reader,
    reflections,
    review,
    search,
    sessions,
    settings,
    skill_changes,
    skills,
    tokens,
    user,
)

ROUTERS: Sequence[APIRouter] = tuple(
    one.router
    for one in (
        login,
        overview,
        search,
        facts,
        user,
        notes,
        note_versions,
        skills,
        skill_changes,
        reflections,
        map,
        # Its paths end in words, those of the reader in anything.
        sessions,
        reader,
        episodes,
        journal,
        chat,
        context,
        review,
        jobs,
        backups,
        profiles,
        tokens,
        settings,
        data,
        forgetting,
    )
)
