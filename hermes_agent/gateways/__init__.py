"""Gateways: chat platforms through which people write to the agent; one session per chat and person."""
