"""Where the command `hermes` begins: from its first line on Ctrl-C ends it, quietly and always.

While the program is loaded nothing is under way, so Ctrl-C may end the process as it ends any other. Afterwards
it is an exception, which Python cannot raise everywhere: within the callback of a weak reference, or what frees an
object, it is printed and dropped. There it is sent once more.
"""

import _thread
import signal
import sys
import threading
from typing import NoReturn

_AGAIN_SECONDS = 0.02
_ORDINARY = signal.getsignal(signal.SIGINT)
# Whoever is started to ignore it (`nohup`, a job in the background) goes on ignoring it.
if _ORDINARY is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def run() -> NoReturn:
    """Run the command line and leave."""
    from hermes_agent.cli import main

    sys.unraisablehook = _interrupt_again
    try:
        signal.signal(signal.SIGINT, _ORDINARY)
        main.run()
    except KeyboardInterrupt:
        sys.exit(main.INTERRUPTED)


def _interrupt_again(dropped: "sys.UnraisableHookArgs") -> None:
    """Send a Ctrl-C that could not be raised once more, from beside: here it could not be raised either."""
    if issubclass(dropped.exc_type, KeyboardInterrupt):
        threading.Timer(_AGAIN_SECONDS, _thread.interrupt_main).start()
    else:
        sys.__unraisablehook__(dropped)
