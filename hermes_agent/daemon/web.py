"""The web server of the daemon: the site with every door that is reached over HTTP."""

from collections.abc import Callable

from hermes_agent.app import App
from hermes_agent.jobs.pulse import Pulse
from hermes_agent.web import site
from hermes_agent.web.server import Server


def open_server(app: App, pulse: Pulse, on_end: Callable[[], None]) -> Server:
    """Begin to serve the site of a home; refuse an address that is not safe, or taken."""
    site.check_address(app)
    server = Server(site.build(app, pulse), app.settings, on_end)
    server.start()
    return server
