"""`hermes mcp install`: tell another agent how to reach this memory."""

import shlex
import sys
from pathlib import Path

import click

from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.output import examples, say
from hermes_agent.config import client_files, variables
from hermes_agent.config.replace import replace_bytes, replace_text
from hermes_agent.errors import UsageError
from hermes_agent.mcp import clients
from hermes_agent.mcp.clients import CLIENTS, Address, Client, Command

_READABLE = 0o644


@click.command(
    epilog=examples(
        "hermes mcp install claude-code",
        "hermes mcp install cursor --write --read-only",
        "hermes mcp install codex --url https://memory.example/mcp --token-env HERMES_TOKEN",
        "hermes -p work mcp install claude-code --write",
    )
)
@click.argument("client", type=click.Choice(CLIENTS))
@click.option("--write", "is_written", is_flag=True, help="Put it into the client's file, with a copy beside it.")
@click.option(
    "--file", type=click.Path(path_type=Path, dir_okay=False), help="Another file than the client's usual."
)
@click.option("--name", help="What the client calls this memory; hermes if not given.")
@click.option("--read-only", is_flag=True, help="Let the client only read.")
@click.option("--as-owner", is_flag=True, help="Let what the client writes count like your own word.")
@click.option("--url", metavar="URL", help="Reach a running server over HTTP instead of starting one.")
@click.option("--token-env", metavar="NAME", default="HERMES_TOKEN", show_default=True, help="Where the token is.")
@pass_invocation
def install(
    invocation: Invocation,
    client: Client,
    is_written: bool,
    file: Path | None,
    name: str | None,
    read_only: bool,
    as_owner: bool,
    url: str | None,
    token_env: str,
) -> None:
    """Print the configuration that gives CLIENT this memory, or put it into its file.

    Claude Code's is .mcp.json of the project in this folder, Cursor's ~/.cursor/mcp.json, Codex's
    ~/.codex/config.toml, the public Hermes' ~/.hermes/config.yaml.
    """
    if read_only and as_owner:
        raise UsageError("Who may only read writes nothing as the owner.", hint="Leave out one of the two.")
    if url is not None and (read_only or as_owner):
        raise UsageError("Over HTTP the token says what is allowed.", hint="Leave out --read-only and --as-owner.")
    profile = invocation.profile
    called = name or ("hermes" if profile is None else f"hermes-{profile}")
    flags = [*(["--read-only"] if read_only else []), *(["--as-owner"] if as_owner else [])]
    server = _command(profile, flags) if url is None else Address(url, token_env)
    entry = clients.entry_for(client, server)
    place = client_files.place_of(client, Path.cwd()) if file is None else file
    if not is_written:
        say(clients.written(client, called, entry).rstrip())
        say(f"This belongs into {place}; --write puts it there.", is_error=True)
        if client == "claude-code" and isinstance(server, Command) and not server.env:
            started = shlex.join([server.command, *server.args])
            say(f"For all your projects: claude mcp add --scope user {called} -- {started}", is_error=True)
        return
    _refuse_own(invocation, place)
    _write(place, client, called, entry)


def _command(profile: str | None, flags: list[str]) -> Command:
    chosen = [*([] if profile is None else ["-p", profile]), "mcp", *flags]
    home = variables.of_process().get("HERMES_HOME")
    env = {"HERMES_HOME": str(Path(home).expanduser().absolute())} if home else {}
    # The whole path: a client that was not started from a shell may not know where we are.
    program = Path(sys.executable).with_name("hermes")
    if program.exists():
        return Command(str(program), chosen, env)
    return Command(sys.executable, ["-m", "hermes_agent", *chosen], env)


def _refuse_own(invocation: Invocation, place: Path) -> None:
    """Refuse to make this memory a server of its own agent: it has it without one."""
    if place.absolute() == invocation.home.config_yaml.absolute():
        raise UsageError(
            f"{place} are the settings of this very home, which needs no server to reach its own memory.",
            hint="Name the file of the other program: --file PATH",
        )


def _write(place: Path, client: Client, name: str, entry: clients.Entry) -> None:
    former = _text(place)
    text = clients.merged(client, former or "", name, entry)
    if text == former:
        say(f"{place} has it already.")
        return
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{place.parent} cannot be made: {error.strerror}.") from None
    if former is None:
        replace_text(place, text, mode=_READABLE)
        say(f"Wrote {place}.")
        return
    copy = client_files.beside(place)
    replace_bytes(copy, place.read_bytes())
    replace_text(place, text)
    say(f"Wrote {place}; as it was: {copy}")


def _text(place: Path) -> str | None:
    try:
        return place.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError):
        raise UsageError(f"{place} cannot be read.", hint="Name another file: --file PATH") from None
