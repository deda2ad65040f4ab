"""How the gateways of a home are: from the daemon's own file, and from the store."""

from collections import Counter

from hermes_agent.app import App
from hermes_agent.config import pid_file
from hermes_agent.config.enabled_gateways import enabled_gateways
from hermes_agent.memory.shown.gateways import GatewayHealth, health
from hermes_agent.store import arrivals, chats


def health_of(app: App) -> list[GatewayHealth]:
    """Tell how each gateway is that is to run."""
    daemon = pid_file.running(app.home)
    with app.store.read() as connection:
        counts = arrivals.counts(connection)
    return health(enabled_gateways(app.settings), None if daemon is None else daemon.gateways, counts)


def chat_counts(app: App) -> Counter[str]:
    """Count the chats of each platform in which somebody was let in."""
    with app.store.read() as connection:
        return Counter(one.platform for one in chats.every(connection) if one.profile is not None)
