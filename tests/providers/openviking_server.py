"""OpenViking's HTTP API on loopback, as far as we use it, written from what version 0.5.2 answers.

Files and conversations of each user lie in memory; search counts shared words. `KEY` is the one key it takes, and
the key stands for the user `keyed`; without a key the header names the user.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from tests.providers.service_server import Json, Received, Server, serve

KEY = "ov-secret-key"
_WHEN = "2026-11-18T09:07:50Z"


@dataclass
class Space:
    """What one user has on the server."""

    files: dict[str, str] = field(default_factory=dict)
    sessions: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    commits: list[str] = field(default_factory=list)


@contextmanager
def openviking() -> Iterator[tuple[Server, dict[str, Space]]]:
    """Run the server until the block ends; yield it, and what it keeps for each user."""
    spaces: dict[str, Space] = {}

    def answer(request: Received) -> Json:
        key = request.headers.get("x-api-key")
        if key not in (None, KEY):
            return _error(401, "UNAUTHENTICATED", "Invalid API Key")
        user = request.headers["x-openviking-user"] if key is None else "keyed"
        return _answer(request, user, spaces.setdefault(user, Space()))

    with serve(answer) as server:
        yield server, spaces


def _answer(request: Received, user: str, space: Space) -> Json:
    path = request.path.removeprefix("/api/v1/")
    uri = request.parameters.get("uri", "")
    if uri and not uri.startswith("viking://"):
        return _error(400, "INVALID_URI", f"Invalid URI: {uri}")
    match request.method, path.split("/"):
        case "GET", ["system", "status"]:
            return _ok({"initialized": True, "user": user})
        case "POST", ["content", "write"]:
            space.files[request.json["uri"]] = request.json["content"]
            return _ok({"uri": request.json["uri"], "mode": request.json["mode"], "vector_status": "complete"})
        case "POST", ["search", "find" | "search"]:
            return _search(request.json, space)
        case "GET", ["content", level]:
            return _content(level, uri, space)
        case "GET", ["fs", "stat"]:
            entries = [entry for entry in _entries(space) if entry["uri"] == uri.rstrip("/")]
            return _ok(entries[0]) if entries else _error(404, "NOT_FOUND", f"File not found: {uri}")
        case "GET", ["fs", "ls" | "tree"]:
            return _list(request, uri, space)
        case "DELETE", ["fs"]:
            return _ok({"uri": uri, "estimated_deleted_count": int(space.files.pop(uri, None) is not None)})
        case _, ["sessions", name, *rest]:
            return _session(request, unquote(name), "/".join(rest), space)
        case "POST", ["resources"]:
            return _ok({"status": "success", "root_uri": "viking://resources/page", "errors": []})
    return _error(404, "NOT_FOUND", "Not Found")


def _search(asked: dict[str, Any], space: Space) -> Json:
    if not asked["query"]:
        return _error(400, "INVALID_ARGUMENT", "Search query must not be empty.")
    words = set(re.findall(r"\w+", asked["query"].lower()))
    target = asked["target_uri"]
    below = (target,) if isinstance(target, str) else tuple(target)
    hits = []
    for uri, text in space.files.items():
        shared = words & set(re.findall(r"\w+", text.lower()))
        if shared and uri.startswith(below):
            score = len(shared) / len(words)
            hits.append({"context_type": "memory", "uri": uri, "level": 2, "score": score, "abstract": text})
    hits.sort(key=lambda hit: float(str(hit["score"])), reverse=True)
    summary = {"context_type": "memory", "uri": "viking://user/x/memories/.overview.md", "level": 1, "score": 0.5}
    return _ok(
        {
            "memories": [*hits, {**summary, "abstract": "What the folder holds."}][: asked["limit"]],
            "resources": [],
            "skills": [],
            "total": len(hits) + 1,
        }
    )


def _content(level: str, uri: str, space: Space) -> Json:
    if uri in space.files:
        return _ok(space.files[uri] if level == "read" else "# Overview of the folder")
    if any(entry["uri"] == uri and entry["isDir"] for entry in _entries(space)) and level != "read":
        return _ok(f"{level} of {uri}")
    return _error(404, "NOT_FOUND", f"File not found: {uri}")


def _list(request: Received, uri: str, space: Space) -> Json:
    below = [
        entry for entry in _entries(space) if entry["uri"].startswith(uri.rstrip("/") + "/") or uri == "viking://"
    ]
    if not below:
        return _error(404, "NOT_FOUND", f"Directory not found: {uri}")
    start = int(request.parameters.get("offset", 0))
    end = start + int(request.parameters.get("limit", len(below)))
    return Json({"status": "ok", "result": below[start:end], "error": None, "has_more": end < len(below)})


def _entries(space: Space) -> list[dict[str, Any]]:
    folders = {uri[: place.start()] for uri in space.files for place in re.finditer(r"(?<![:/])/", uri)}
    return [
        {"uri": uri, "size": 0, "isDir": True, "modTime": _WHEN, "abstract": ""} for uri in sorted(folders)
    ] + [
        {"uri": uri, "size": len(text), "isDir": False, "modTime": _WHEN, "abstract": ""}
        for uri, text in sorted(space.files.items())
    ]


def _session(request: Received, name: str, verb: str, space: Space) -> Json:
    if verb == "messages/batch":
        messages = space.sessions.setdefault(name, [])
        for message in request.json["messages"]:
            parts = [{"type": "text", "text": message["content"]}]
            messages.append({"role": message["role"], "parts": parts, "turn_id": message.get("turn_id")})
        return _ok({"session_id": name, "message_count": len(messages), "added": len(request.json["messages"])})
    if name not in space.sessions:
        return _error(404, "NOT_FOUND", f"Session not found: {name}")
    if verb == "context":
        return _ok({"latest_archive_overview": "", "messages": space.sessions[name]})
    if verb != "commit" or request.method != "POST":
        return _error(404, "NOT_FOUND", "Not Found")
    has_messages = bool(space.sessions[name])
    space.sessions[name] = []
    space.commits += [name] * has_messages
    return _ok({"session_id": name, "status": "accepted" if has_messages else "skipped", "archived": has_messages})


def _ok(result: object) -> Json:
    return Json({"status": "ok", "result": result, "error": None, "telemetry": None, "profile": None})


def _error(status: int, code: str, message: str) -> Json:
    error = {"code": code, "message": message, "details": {}}
    return Json({"status": "error", "result": None, "error": error}, status)
