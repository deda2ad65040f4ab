"""The outbox of providers: its place is kept here until it is merged."""

revision = "112"
down_revision = "111"


def upgrade() -> None:
    """Change nothing."""
