"""The Python API: `from hermes_agent import Agent, Memory`."""
