"""`hermes model`: see, choose and try the language model."""

import click

from hermes_agent import clock
from hermes_agent.cli.config import set_ as set_setting
from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import as_json
from hermes_agent.cli.output import examples, print_json, say
from hermes_agent.config import settings as names
from hermes_agent.config import variables
from hermes_agent.errors import NotFound, UsageError
from hermes_agent.models import known, vendors
from hermes_agent.models.choose import Choice, Choices, EmbeddedChoice, RemoteChoice, choose, is_provider, named
from hermes_agent.models.shown import choices_json
from hermes_agent.records.talk import Reply, Request, UserLine
from hermes_agent.text.clean import preview

_TEST = Request("You are being tried out.", [UserLine("Answer with the one word: ready")])

light_option = click.option("--light", is_flag=True, help="The model for background work instead.")


@click.group(
    invoke_without_command=True,
    epilog=examples(
        "hermes model",
        "hermes model set anthropic:claude-sonnet-5-5",
        "hermes model set embedded",
        "hermes model test",
    ),
)
@as_json
@click.pass_context
def model(ctx: click.Context, is_json: bool) -> None:
    """See, choose and try the language model.

    Without a command: which model is asked, and why. A vendor's key alone selects its default model; with
    no key and no server the embedded default answers.
    """
    if ctx.invoked_subcommand is None:
        _show(_choices(ctx.find_object(Invocation) or Invocation()), is_json)


@model.command("list", epilog=examples("hermes model list gpt", "hermes model list --provider anthropic"))
@click.argument("text", required=False)
@click.option("--provider", metavar="NAME", help="Only models of this provider.")
@as_json
@pass_invocation
def list_models(invocation: Invocation, text: str | None, provider: str | None, is_json: bool) -> None:
    """List the models of your own server, or else the known names; TEXT keeps those that contain it.

    A name that is not listed may work all the same: vendors add models faster than lists learn of them.
    """
    if provider is not None and not is_provider(provider):
        raise NotFound(f"There is no provider {provider!r}.", hint=f"Known: {', '.join(vendors.PROVIDERS)}.")
    found = [name for name in _listed(invocation, provider) if text is None or text.lower() in name.lower()]
    if is_json:
        print_json(found)
        return
    for name in found:
        say(name)
    if not found:
        raise NotFound("No known model fits.", hint="`hermes model set provider:name` takes unlisted ones too.")


@model.command("set", epilog=examples("hermes model set openai:gpt-6.1-sol", "hermes model set --light embedded"))
@click.argument("name")
@light_option
@click.pass_context
def set_model(ctx: click.Context, name: str, light: bool) -> None:
    """Choose the model by its name: provider:name, the bare name of a known model, or `embedded`."""
    invocation = ctx.find_object(Invocation) or Invocation()
    setting = names.LIGHT_MODEL if light else names.MODEL
    choice = named(name, invocation.settings, variables.read(invocation.home), reason="just set")
    ctx.invoke(set_setting, key=setting.name, value=_written(choice, name))
    _warn(choice)
    _doubt(choice)


@model.command(epilog=examples("hermes model test", "hermes model test --light"))
@light_option
@as_json
@pass_invocation
def test(invocation: Invocation, light: bool, is_json: bool) -> None:
    """Ask the model one tiny question, and say how long it took."""
    choices = _choices(invocation)
    choice = choices.light if light else choices.main
    if isinstance(choice, EmbeddedChoice):
        raise UsageError(
            f"The embedded default answers: {choice.reason}. It needs no test.",
            hint="Add a model: hermes model set provider:name",
        )
    began = clock.monotonic()
    name, reply = ask(choice)
    seconds = clock.monotonic() - began
    if is_json:
        tokens = {"input": reply.usage.input, "output": reply.usage.output}
        print_json({"model": name, "seconds": round(seconds, 3), "answer": reply.text, "tokens": tokens})
        return
    say(f"{name} answered in {seconds:.1f} s: {preview(reply.text, 60) or '(nothing)'}")
    say(f"{reply.usage.input} tokens in, {reply.usage.output} out.")


def ask(choice: RemoteChoice, most_seconds: float | None = None) -> tuple[str, Reply]:
    """Ask a model one tiny question, once and briefly if a time is given; return who answered what."""
    from hermes_agent.models.remote import SILENCE_SECONDS, Remote
    from hermes_agent.patience import ONCE, PATIENT

    is_short = most_seconds is not None
    remote = Remote(choice, ONCE if is_short else PATIENT, most_seconds or SILENCE_SECONDS)
    try:
        *_, reply = remote.ask(_TEST)
    finally:
        remote.close()
    assert isinstance(reply, Reply)
    return remote.name, reply


def _choices(invocation: Invocation) -> Choices:
    return choose(invocation.settings, variables.read(invocation.home))


def _show(choices: Choices, is_json: bool) -> None:
    if is_json:
        print_json(choices_json(choices))
        return
    say(f"Model: {choices.main.name} ({choices.main.reason})")
    say(f"For background work: {choices.light.name} ({choices.light.reason})")
    for note in choices.notes:
        say(f"Note: {note}")
    _warn(choices.main)
    if isinstance(choices.main, EmbeddedChoice):
        say("It keeps and quotes what you say. A language model is added with: hermes model set provider:name")


def _listed(invocation: Invocation, provider: str | None) -> list[str]:
    if provider is not None:
        return [name for name in known.names() if name.startswith(f"{provider}:")]
    main = _choices(invocation).main
    if isinstance(main, RemoteChoice) and main.base_url is not None:
        from hermes_agent.models import served

        return [model.name for model in served.models(main)]
    # OpenAI's models are listed once: by name they are asked in the newer of its two ways.
    return [name for name in known.names() if not name.startswith("openai-chat:")]


def _written(choice: Choice, name: str) -> str:
    """Return the name with its provider; on a server of one's own a name stays as it is."""
    if isinstance(choice, EmbeddedChoice) or choice.base_url is not None:
        return name
    return choice.name


def _warn(choice: Choice) -> None:
    """Say what will keep the choice from working."""
    if isinstance(choice, EmbeddedChoice):
        return
    if not choice.is_ready:
        say(f"Warning: {choice.key_variable} is not set, and {choice.name} needs it.", is_error=True)


def _doubt(choice: Choice) -> None:
    """Say when nobody has heard of a vendor's model."""
    if isinstance(choice, EmbeddedChoice) or choice.base_url is not None or choice.name in known.names():
        return
    near = known.nearest(choice.model or "", choice.provider)
    if near is not None:
        say(f"Note: {choice.name} is not among the known names. Did you mean {near}?", is_error=True)
