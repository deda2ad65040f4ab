"""A gateway in a process that is to be killed: it goes on with what it finds, and answers."""

import os
import threading

from hermes_agent.app import App
from hermes_agent.config import paths
from hermes_agent.config.load import load
from hermes_agent.gateways import found
from hermes_agent.gateways.running import Running, State


def listen(name: str, platform: str = "telegram") -> None:
    """Run a gateway of the active home until somebody ends the process."""
    home = paths.active_home()

    def tell(state: State) -> None:
        os.write(1, f"{state.condition} {state.trouble or ''}\n".encode())

    Running(App(home, load(home)), found.platform(platform), tell).start()
    threading.Event().wait()
