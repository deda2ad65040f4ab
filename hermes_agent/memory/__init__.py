"""The facade: what doors call to remember, find, correct and forget."""
