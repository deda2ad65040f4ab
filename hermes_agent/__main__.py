"""`python -m hermes_agent` is `hermes`."""

from hermes_agent.cli.main import run

run()
