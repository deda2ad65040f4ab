"""Which gateways are to run, without loading any."""

from hermes_agent.config.gateway_settings import GATEWAYS_OTHERS, OURS
from hermes_agent.config.load import Settings


def enabled_gateways(settings: Settings) -> list[str]:
    """Return the names of the gateways that are to run."""
    ours = [name for name, one in OURS.items() if settings[one.enabled]]
    others = [name for name, options in settings[GATEWAYS_OTHERS].items() if options.get("enabled") is True]
    return [*ours, *others]
