"""Alembic's door: it runs the steps on the connection, and in the transaction, it is given."""

from alembic import context
from sqlalchemy import delete, insert

from hermes_agent.store import tables
from hermes_agent.store.migrate import HEAD

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=tables.metadata, transactional_ddl=True)
context.run_migrations()
connection.execute(delete(tables.schema_version))
connection.execute(insert(tables.schema_version).values(version=HEAD))
