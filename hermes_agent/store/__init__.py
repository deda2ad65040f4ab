"""The database: tables, migrations and statements, once for SQLite and PostgreSQL. The only SQL here is."""
