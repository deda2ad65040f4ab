"""Keeping memory well: transfer, takeover, doctor."""
