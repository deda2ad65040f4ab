"""The web server of the daemon: the site with every door that is reached over HTTP."""

from collections.abc import Callable, MutableMapping, Sequence
from functools import partial
from typing import Any

from hermes_agent.app import App
from hermes_agent.config import passing
from hermes_agent.gateways.door import Door
from hermes_agent.gateways.running import Running
from hermes_agent.jobs.pulse import Pulse
from hermes_agent.jobs.worker import LOG
from hermes_agent.mcp import http
from hermes_agent.mcp.access import Access
from hermes_agent.web import site
from hermes_agent.web.behind import Mounted, caller_of
from hermes_agent.web.connections import make_room
from hermes_agent.web.server import Server

_MCP = "/mcp"


def open_server(app: App, pulse: Pulse, on_end: Callable[[], None], gateways: Sequence[Running] = ()) -> Server:
    """Begin to serve the site of a home; refuse an address that is not safe, or taken.

    Those of the gateways that are reached over HTTP are found under `/gateways/NAME`.
    """
    site.check_address(app)
    for left in passing.clear(app.home):
        LOG.warning("Removed %s: a command for somebody elsewhere was killed.", left)
    mcp = http.asgi_app(app, _access)
    mounted = [Mounted(_MCP, mcp, mcp.running())]
    doors = [one for one in gateways if one.platform.is_over_http]
    mounted += [Mounted(f"/gateways/{one.platform.name}", Door(one), is_signed=True) for one in doors]
    built = site.build(app, pulse, mounted)
    server = Server(built, app.settings, on_end, partial(site.stop, built), make_room())
    server.start()
    return server


# Any: what servers put into an ASGI scope.
def _access(scope: MutableMapping[str, Any]) -> Access:
    token = caller_of(scope).token
    return Access(token.scope, token.name)
