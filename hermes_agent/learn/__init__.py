"""Learning: turning what was said and done into memory."""
