"""Providers: memory services of others, beside our own memory; at most one at a time."""
