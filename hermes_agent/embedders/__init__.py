"""Embedders: turning text into vectors, here or over HTTP, and choosing who does it from the settings."""
