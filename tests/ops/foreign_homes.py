"""Homes of the public Hermes, built by its documented schema: versions 6, 11, 23 and 25."""

from contextlib import closing
from pathlib import Path
from typing import Any

from hermes_agent.store.sqlite import driver

VERSIONS = (6, 11, 23, 25)

_SESSIONS_6 = (
    "id TEXT PRIMARY KEY, source TEXT NOT NULL, user_id TEXT, model TEXT, model_config TEXT, system_prompt TEXT,"
    " parent_session_id TEXT REFERENCES sessions(id), started_at REAL NOT NULL, ended_at REAL, end_reason TEXT,"
    " message_count INTEGER DEFAULT 0, tool_call_count INTEGER DEFAULT 0, input_tokens INTEGER DEFAULT 0,"
    " output_tokens INTEGER DEFAULT 0, cache_read_tokens INTEGER DEFAULT 0, cache_write_tokens INTEGER DEFAULT 0,"
    " reasoning_tokens INTEGER DEFAULT 0, billing_provider TEXT, billing_base_url TEXT, billing_mode TEXT,"
    " estimated_cost_usd REAL, actual_cost_usd REAL, cost_status TEXT, cost_source TEXT, pricing_version TEXT,"
    " title TEXT"
)
_SESSIONS_11 = ", api_call_count INTEGER DEFAULT 0"
_SESSIONS_23 = (
    ", cwd TEXT, git_branch TEXT, session_key TEXT, handoff_state TEXT, rewind_count INTEGER DEFAULT 0,"
    " archived INTEGER DEFAULT 0, pinned INTEGER DEFAULT 0, title_source TEXT"
)
_SESSIONS_25 = ", system_prompt_hash TEXT REFERENCES system_prompts(hash), last_activity_at REAL"
_MESSAGES_6 = (
    "id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL REFERENCES sessions(id), role TEXT NOT NULL,"
    " content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL NOT NULL,"
    " token_count INTEGER, finish_reason TEXT, reasoning TEXT, reasoning_details TEXT, codex_reasoning_items TEXT"
)
_MESSAGES_11 = ", reasoning_content TEXT, codex_message_items TEXT"
_MESSAGES_23 = (
    ", platform_message_id TEXT, observed INTEGER DEFAULT 0, active INTEGER NOT NULL DEFAULT 1,"
    " compacted INTEGER NOT NULL DEFAULT 0, api_content TEXT"
)


# Any: the connection of a driver chosen at run time.
def connect(database: Path) -> Any:
    """Open a database as the other program would."""
    return driver().connect(str(database), isolation_level=None)


def create(database: Path, version: int) -> Any:
    """Create an empty archive of a version, in WAL mode; return its open connection."""
    database.parent.mkdir(parents=True, exist_ok=True)
    connection = connect(database)
    connection.execute("PRAGMA journal_mode = WAL")
    sessions, messages = _SESSIONS_6, _MESSAGES_6
    if version >= 11:
        sessions, messages = sessions + _SESSIONS_11, messages + _MESSAGES_11
    if version >= 23:
        sessions, messages = sessions + _SESSIONS_23, messages + _MESSAGES_23
    if version >= 25:
        sessions += _SESSIONS_25
        connection.execute("CREATE TABLE system_prompts (hash TEXT PRIMARY KEY, prompt TEXT NOT NULL)")
    connection.execute(f"CREATE TABLE sessions ({sessions})")
    connection.execute(f"CREATE TABLE messages ({messages})")
    connection.execute("CREATE TABLE schema_version (version INTEGER NOT NULL)")
    connection.execute("INSERT INTO schema_version VALUES (?)", (version,))
    connection.execute("CREATE VIRTUAL TABLE messages_fts USING fts5(content, content=messages, content_rowid=id)")
    return connection


def insert(connection: Any, table: str, **values: object) -> None:
    """Insert one row."""
    names, marks = ", ".join(values), ", ".join("?" * len(values))
    connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(values.values()))


def fill(connection: Any, version: int) -> None:
    """Put in a conversation, its continuation, and work it delegated."""
    insert(
        connection,
        "sessions",
        id="20260401_101500_aaaaaa",
        source="cli",
        user_id="ada",
        model="big-model",
        model_config='{"temperature": 0.5}',
        system_prompt=None if version >= 25 else "You are Hermes.",
        started_at=1_775_038_500.123456,
        ended_at=1_775_040_000.5,
        end_reason="compression",
        message_count=99,
        input_tokens=1000,
        billing_provider="someone",
        title="Docker",
    )
    if version >= 25:
        insert(connection, "system_prompts", hash="h1", prompt="You are Hermes.")
        connection.execute("UPDATE sessions SET system_prompt_hash = 'h1'")
    insert(
        connection,
        "sessions",
        id="20260401_110000_bbbbbb",
        source="cli",
        parent_session_id="20260401_101500_aaaaaa",
        started_at=1_775_040_001.0,
        title="Docker #2",
    )
    insert(
        connection,
        "sessions",
        id="20260401_102000_cccccc",
        source="subagent",
        parent_session_id="20260401_101500_aaaaaa",
        started_at=1_775_038_800.0,
        model_config='{"_delegate_from": "20260401_101500_aaaaaa"}',
    )
    _say(connection, "20260401_101500_aaaaaa", "user", "How do I deploy with docker?", 1_775_038_501.25)
    insert(
        connection,
        "messages",
        session_id="20260401_101500_aaaaaa",
        role="assistant",
        content=None,
        tool_calls='[{"id": "c1", "function": {"name": "shell", "arguments": "{}"}}]',
        timestamp=1_775_038_502.5,
        reasoning="think",
        reasoning_details='[{"type": "text"}]',
    )
    insert(
        connection,
        "messages",
        session_id="20260401_101500_aaaaaa",
        role="tool",
        content="exit 0",
        tool_call_id="c1",
        tool_name="shell",
        timestamp=1_775_038_503.0,
    )
    parts = '\x00json:[{"type": "text", "text": "ein Bild"}]'
    _say(connection, "20260401_110000_bbbbbb", "user", parts, 1_775_040_002.0)
    if version >= 23:
        for content, active, compacted in (("old words", 0, 1), ("taken back", 0, 0)):
            insert(
                connection,
                "messages",
                session_id="20260401_110000_bbbbbb",
                role="user",
                content=content,
                timestamp=1_775_040_003.0,
                active=active,
                compacted=compacted,
            )


def build(folder: Path, version: int) -> Path:
    """Build a whole home that nobody has open; return its database."""
    database = folder / "state.db"
    with closing(create(database, version)) as connection:
        fill(connection, version)
    files = {
        "SOUL.md": "I am theirs.",
        "memories/MEMORY.md": "uses docker\n§\nlikes tea",
        "memories/USER.md": "Ada\n",
        "workspace/MEMORY.md": "the project",
        "skills/deploy/SKILL.md": "---\nname: deploy\ndescription: Deploy.\n---\nDo it.\n",
        "skills/deploy/scripts/run.sh": "#!/bin/sh\n",
        "skills/writing/haiku/SKILL.md": "---\nname: haiku\ndescription: Write.\n---\nFive.\n",
        "skills/.bundled_manifest": "deploy:abc\n",
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    (folder / "skills/deploy/scripts/run.sh").chmod(0o755)
    return database


def fingerprint(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Return the bytes and the time of change of everything in a folder, the folders included."""
    return {
        str(path.relative_to(folder)): (path.stat().st_mtime_ns, path.read_bytes() if path.is_file() else b"")
        for path in sorted((folder, *folder.rglob("*")))
    }


def _say(connection: Any, session: str, role: str, content: str, at: float) -> None:
    insert(connection, "messages", session_id=session, role=role, content=content, timestamp=at)
