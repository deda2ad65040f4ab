"""Write hermes_agent/store/migrations/new_*.sql: what the migrations execute on an empty database.

`python -m tools.new_store` writes both files; run it after adding a migration. A test compares them.
"""

import re
import tempfile
from pathlib import Path

from sqlalchemy import event

from hermes_agent.ids import new_uid
from hermes_agent.store import migrate
from hermes_agent.store.engine import Engine
from hermes_agent.store.new_store import END
from hermes_agent.store.postgres import Postgres, schema_name
from hermes_agent.store.sqlite import Sqlite

FOLDER = Path(migrate.__file__).parent / "migrations"
_LOOKING = ("SELECT", "BEGIN", "PRAGMA MAIN.", "PRAGMA TEMP.")


def script(engine: Engine) -> str:
    """Migrate an empty database and return what was executed, without what only looked."""
    connections = engine.open()
    executed: list[str] = []

    # The names and the order are SQLAlchemy's.
    def note(_connection: object, _cursor: object, statement: str, given: object, *_: object) -> None:
        if not statement.strip().upper().startswith(_LOOKING):
            executed.append(_with_value(statement, given))

    with connections.connect() as connection, connection.execution_options(writes=True).begin():
        engine.lock_shape(connection)
        event.listen(connection, "before_cursor_execute", note)
        migrate.take_steps(connection, engine)
    connections.dispose()
    # What is made without a schema is made in ours: it is the first on the search path.
    own = "" if engine.schema is None else f"{engine.schema}."
    return END.join(_folded(statement.replace(own, "") if own else statement) for statement in executed) + "\n"


def _with_value(statement: str, given: object) -> str:
    """Put the one number that is ever given, the shape's, into its statement."""
    values = list(given.values() if isinstance(given, dict) else given if isinstance(given, tuple) else ())
    return re.sub(r"\?|%\(\w+\)s(::\w+)?", str(int(values[0])), statement) if values else statement


def _folded(statement: str) -> str:
    """Leave out the blank at the ends of lines: nobody sees it, and editors take it away."""
    return "\n".join(line.rstrip() for line in statement.splitlines() if line.strip())


def main() -> None:
    """Write the script of each engine."""
    from tests.postgres import server_address

    with tempfile.TemporaryDirectory() as folder:
        engines = (Sqlite(Path(folder) / "new.db"), Postgres(server_address(), schema_name(new_uid())))
        for engine in engines:
            (FOLDER / f"new_{engine.name}.sql").write_text(script(engine), "utf-8")


if __name__ == "__main__":
    main()
