"""Quantities as people read them: numbers with their noun, sizes, days."""

from datetime import date


def counted(count: int, one: str, many: str | None = None) -> str:
    """Write a number with its noun: `1 line`, `2 memories`."""
    return f"1 {one}" if count == 1 else f"{count:,} {many or one + 's'}"


def size(size_bytes: int) -> str:
    """Write a number of bytes as 002 prints it: `18.4 MB`."""
    return f"{size_bytes / 1e6:.1f} MB" if size_bytes >= 100_000 else f"{size_bytes / 1e3:.1f} kB"


def days_text(days: tuple[date, date]) -> str:
    """Write the days from one to another, or the one."""
    first, last = days
    return first.isoformat() if first == last else f"{first.isoformat()} to {last.isoformat()}"
