"""`python -m hermes_agent` is `hermes`."""

from hermes_agent.cli.start import run

run()
