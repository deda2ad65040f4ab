"""How a command that leaves the program left it."""

from collections.abc import Callable


def left(run: Callable[[], object]) -> int:
    """Run something that ends with `sys.exit`; return the code."""
    try:
        run()
    except SystemExit as ended:
        return int(str(ended.code))
    raise AssertionError("it did not leave")
