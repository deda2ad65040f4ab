"""The agent: one turn of talk on top of the memory."""
