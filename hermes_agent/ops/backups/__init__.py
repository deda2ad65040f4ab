"""Backups of a home: one encrypted file each, which `age` opens too, and which is verified by restoring it."""
