"""Start hermes from a checkout: `python main.py` is the command `hermes`."""

from hermes_agent.cli.start import run

if __name__ == "__main__":
    run()
