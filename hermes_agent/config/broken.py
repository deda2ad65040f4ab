"""What the readers of settings text raise when the text cannot be read or edited."""


class BrokenText(ValueError):
    """The text is not what it should be; `line` counts from 1 where the place is known."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
