"""Alembic's door: it runs the steps on the connection, and in the transaction, it is given."""

from alembic import context
from sqlalchemy import delete, insert

from hermes_agent.store import tables

connection = context.config.attributes["connection"]
# With its schema: another program's alembic_version may be on the search path.
schema = context.config.attributes["schema"]
context.configure(
    connection=connection,
    target_metadata=tables.metadata,
    transactional_ddl=True,
    version_table_schema=schema,
)
context.run_migrations()
connection.execute(delete(tables.schema_version))
table = "alembic_version" if schema is None else f'"{schema}".alembic_version'
version = connection.exec_driver_sql(f"SELECT version_num FROM {table}").scalar_one()
connection.execute(insert(tables.schema_version).values(version=int(version)))
