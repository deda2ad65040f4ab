"""Words, queries and snippets: pure functions over strings, the same for both engines."""
