"""Keys, sealed bytes, and which homes this process has unlocked: what encryption at rest is made of."""
