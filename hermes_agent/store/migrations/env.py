"""Alembic's door: it runs the steps on the connection, and in the transaction, it is given."""

from alembic import context
from sqlalchemy import delete, insert

from hermes_agent.store import tables

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=tables.metadata, transactional_ddl=True)
context.run_migrations()
connection.execute(delete(tables.schema_version))
version = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar_one()
connection.execute(insert(tables.schema_version).values(version=int(version)))
