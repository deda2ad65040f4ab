"""The least a server of facts can be: FastAPI over sqlite3, for the load benchmark to compare with.

One table, one token in memory, a durable commit for each write. No journal, no index, no learning, no limits.
Run as `python -m benchmarks.plain_server DATABASE TOKEN FACTS`; it makes so many facts and prints its port.
"""

import socket
import sqlite3
import sys
import threading
from contextlib import closing
from typing import Annotated

import uvicorn
from fastapi import Depends, FastAPI, Header, HTTPException
from pydantic import BaseModel

_SHAPE = "CREATE TABLE IF NOT EXISTS facts (id INTEGER PRIMARY KEY, text TEXT NOT NULL)"


class NewFact(BaseModel):
    """A sentence."""

    text: str


def site(database: str, token: str) -> FastAPI:
    """Make the app."""
    local = threading.local()

    def connection() -> sqlite3.Connection:
        if not hasattr(local, "connection"):
            local.connection = sqlite3.connect(database, timeout=60, isolation_level=None)
            local.connection.execute("PRAGMA journal_mode = WAL")
            local.connection.execute("PRAGMA synchronous = FULL")
            local.connection.execute(_SHAPE)
        found = local.connection
        assert isinstance(found, sqlite3.Connection)
        return found

    def check(authorization: Annotated[str, Header()] = "") -> None:
        if authorization != f"Bearer {token}":
            raise HTTPException(401)

    app = FastAPI(dependencies=[Depends(check)])

    @app.get("/api/facts")
    def list_facts(limit: int = 50) -> dict[str, object]:
        rows = connection().execute("SELECT id, text FROM facts ORDER BY id DESC LIMIT ?", (limit,)).fetchall()
        return {"items": [{"id": row[0], "text": row[1]} for row in rows]}

    @app.get("/api/facts/{number}")
    def show_fact(number: int) -> dict[str, object]:
        row = connection().execute("SELECT id, text FROM facts WHERE id = ?", (number,)).fetchone()
        if row is None:
            raise HTTPException(404)
        return {"id": row[0], "text": row[1]}

    @app.post("/api/facts", status_code=201)
    def add_fact(new: NewFact) -> dict[str, object]:
        made = connection().execute("INSERT INTO facts (text) VALUES (?)", (new.text,))
        return {"id": made.lastrowid, "text": new.text}

    return app


def main(database: str, token: str, count: int) -> None:
    """Fill the database and serve it on a free port, until the process is ended."""
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(_SHAPE)
        rows = ((f"Shelf {number} of the library is about subject {number * 7}",) for number in range(count))
        connection.executemany("INSERT INTO facts (text) VALUES (?)", rows)
    listening = socket.create_server(("127.0.0.1", 0), backlog=512)
    print(listening.getsockname()[1], flush=True)
    uvicorn.Server(uvicorn.Config(site(database, token), log_level="critical")).run(sockets=[listening])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
