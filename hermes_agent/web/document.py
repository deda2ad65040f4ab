"""The API's document (OpenAPI): what each group of routes is about, and what a problem looks like.

It is served without a token, and says nothing that the public docs do not say.
"""

from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from hermes_agent.web.shapes import Problem

ABOUT = """The memory of one profile: read, searched, corrected and deleted by programs.

Show a token of `hermes token create` as `Authorization: Bearer …`. Lists have pages: `next` is the `offset` of the
next one. What can be changed has an `ETag`; a change sends it as `If-Match`, so that nobody overwrites what they
have not seen. Refusals are problems (RFC 9457): `detail` says what is wrong, `hint` what to do."""

TAGS: Mapping[str, str] = {
    "health": "Whether the server answers.",
    "sessions": "Conversations and their messages.",
    "chat": "Talk with the agent; what happens comes back as events.",
    "search": "What is remembered, for a question or for a task.",
    "facts": "What is held to be true, each with where it came from.",
    "episodes": "Exchanges, and the summaries that stand for old ones.",
    "reflections": "What tasks taught.",
    "user model": "What is known of the user, and the facts it stands on.",
    "journal": "How memory changed, and what happened; changes are undone here.",
    "skills": "Procedures that the agent knows.",
    "notes": "What is always in front of the agent.",
    "review": "What waits for its owner's word.",
    "jobs": "The work that waits in the background.",
    "status": "How everything is, what it costs, how well memory finds things.",
    "forgetting": "Forgetting for good, and the proof of it.",
    "export and import": "All of a memory in one file.",
    "backups": "Encrypted copies of the home.",
    "settings": "How the home behaves.",
    "tokens": "Who may ask, and what they may do.",
    "profiles": "The profiles of this installation.",
    "remote use": "Commands of `hermes` that another machine runs here.",
}


# Any: OpenAPI as Python reads JSON.
def describe(site: FastAPI) -> dict[str, Any]:
    """Write the document of a site, once."""
    if site.openapi_schema is None:
        made = get_openapi(
            title=site.title,
            version=site.version,
            description=ABOUT,
            routes=site.routes,
            tags=[{"name": name, "description": about} for name, about in TAGS.items()],
        )
        schemas = made.setdefault("components", {}).setdefault("schemas", {})
        schemas["Problem"] = Problem.model_json_schema()
        site.openapi_schema = made
    return site.openapi_schema
