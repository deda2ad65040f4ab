"""What all tables are declared in, and the type of their numbers."""

from sqlalchemy import BigInteger, Integer, MetaData

metadata = MetaData()

# SQLite gives a rowid alias only to INTEGER; a 64-bit integer is BIGINT on PostgreSQL.
Id = BigInteger().with_variant(Integer, "sqlite")
