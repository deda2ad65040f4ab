"""`hermes dashboard`: open the pages of the daemon in a browser that is logged in."""

import webbrowser

import click

from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import as_json, opened
from hermes_agent.cli.output import examples, print_json, say
from hermes_agent.config import pid_file
from hermes_agent.errors import HermesError
from hermes_agent.memory import tokens


@click.command(epilog=examples("hermes dashboard", "hermes dashboard --print"))
@click.option("--print", "is_printed", is_flag=True, help="Only print the link; open no browser.")
@as_json
@pass_invocation
def dashboard(invocation: Invocation, is_printed: bool, is_json: bool) -> None:
    """Open the dashboard. The link logs one browser in, once, within five minutes."""
    found = pid_file.running(invocation.home)
    if found is None:
        raise HermesError("The daemon does not run; it serves the dashboard.", hint="Start it: hermes start")
    if found.address is None:
        why = found.web_trouble or "It is switched off: web.enabled."
        raise HermesError(f"The daemon serves no dashboard. {why}", hint="When that is mended: hermes restart")
    with opened(invocation) as app:
        made = tokens.create_link(app.store)
    link = f"{found.address}/login?code={made.shown}"
    if is_json:
        print_json({"address": found.address, "link": link})
        return
    if is_printed or not webbrowser.open(link):
        say(link)
    else:
        say(f"Opened {found.address} in your browser.")
