"""Work that follows: handlers and the worker."""
