"""`hermes completion`: the script that makes a shell complete our commands."""

import click
from click.shell_completion import get_completion_class

from hermes_agent.cli.output import examples


@click.command(
    epilog=examples(
        "hermes completion bash >> ~/.bashrc",
        "hermes completion zsh >> ~/.zshrc",
        "hermes completion fish > ~/.config/fish/completions/hermes.fish",
    )
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script of your shell."""
    found = get_completion_class(shell)
    assert found is not None
    click.echo(found(ctx.find_root().command, {}, "hermes", "_HERMES_COMPLETE").source())
