"""Make the tables of an empty database at once: just those that the migrations make one after another.

`migrations/new_sqlite.sql` and `new_postgres.sql` hold what these execute on an empty database, written down by
`python -m tools.new_store`; a test compares. A new home is there in 15 ms instead of 60, and Alembic stays out.
"""

from importlib.resources import files

from sqlalchemy import Connection

from hermes_agent.store.engine import Engine

END = ";\n\n"
"""Stands between the statements of a script."""


def make(connection: Connection, engine: Engine) -> None:
    """Make the newest shape in an empty database, within the transaction that is open."""
    script = files("hermes_agent.store").joinpath("migrations", f"new_{engine.name}.sql").read_text("utf-8")
    for statement in script.split(END):
        # Without parameters: a % in it is a % then.
        connection.exec_driver_sql(statement, execution_options={"no_parameters": True})
