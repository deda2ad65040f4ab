"""A memory service of your own, for `hermes memory setup custom`: the four verbs and an SQLite file.

    pip install fastapi uvicorn
    MEMORY_KEY=choose-one uvicorn memory_server:app --port 8900

It finds memories by their words. Put your own search behind `recall`; the rest can stay.
"""

import os
import re
import sqlite3
from typing import Annotated
from uuid import uuid4

from fastapi import Body, Depends, FastAPI, Header, HTTPException

KEY = os.environ.get("MEMORY_KEY", "")
FILE = sqlite3.connect(os.environ.get("MEMORY_FILE", "memory.db"), check_same_thread=False, isolation_level=None)
FILE.execute(
    "CREATE TABLE IF NOT EXISTS memories (id TEXT PRIMARY KEY, profile TEXT, key TEXT, text TEXT,"
    " date TEXT DEFAULT CURRENT_TIMESTAMP, UNIQUE (profile, key))"
)
Text = Annotated[str, Body()]
Optional = Annotated[str | None, Body()]


def let_in(authorization: Annotated[str, Header()] = "") -> None:
    if KEY and authorization != f"Bearer {KEY}":
        raise HTTPException(401, "wrong key")


app = FastAPI(dependencies=[Depends(let_in)])


@app.post("/recall")
async def recall(
    profile: Text, query: Text, limit: Annotated[int, Body()], session_id: Optional = None, cursor: Optional = None
) -> dict:
    sql = "SELECT id, text, date FROM memories WHERE profile = ? AND id > ? ORDER BY id"
    rows = [
        dict(zip(("id", "text", "date"), row, strict=True)) for row in FILE.execute(sql, (profile, cursor or ""))
    ]
    if not query:
        return {"memories": rows[:limit], "next": rows[limit - 1]["id"] if len(rows) > limit else None}
    asked = set(re.findall(r"\w+", query.lower()))
    scored = [(len(asked & set(re.findall(r"\w+", row["text"].lower()))), row) for row in rows]
    best = sorted((pair for pair in scored if pair[0]), key=lambda pair: pair[0], reverse=True)
    return {"memories": [row for _, row in best[:limit]], "next": None}


@app.post("/sync")
async def sync(profile: Text, session_id: Text, key: Text, turn: Annotated[dict[str, str], Body()]) -> dict:
    return keep(profile, key, f"User: {turn['user']}\nAssistant: {turn['assistant']}")


@app.post("/remember")
async def remember(profile: Text, text: Text, key: Text) -> dict:
    return keep(profile, key, text)


@app.post("/forget")
async def forget(profile: Text, id: Optional = None, key: Optional = None) -> dict:
    FILE.execute("DELETE FROM memories WHERE profile = ? AND (id = ? OR key = ?)", (profile, id, key))
    return {}


def keep(profile: str, key: str, text: str) -> dict:
    sql = "INSERT INTO memories (id, profile, key, text) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
    FILE.execute(sql, (str(uuid4()), profile, key, text))
    return {
        "id": FILE.execute("SELECT id FROM memories WHERE profile = ? AND key = ?", (profile, key)).fetchone()[0]
    }
