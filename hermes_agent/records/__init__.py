"""Stored values: frozen dataclasses, no input or output."""
