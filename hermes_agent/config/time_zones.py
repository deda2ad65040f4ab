"""Names of time zones, as owners write them."""


def problem(name: str | None) -> str | None:
    """Say what is wrong with a time zone's name."""
    from zoneinfo import ZoneInfo

    if name is None:
        return None
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # OSError: a folder of the database, such as "America"
        return "a time zone's name, such as Europe/London"
    return None
