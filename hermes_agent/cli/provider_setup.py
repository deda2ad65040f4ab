"""`hermes memory setup / off`: choose an external memory, tell it what it wants to know, or leave it."""

from collections.abc import Mapping, Sequence
from functools import partial

import click

from hermes_agent.app import App
from hermes_agent.cli.completed_names import providers
from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import as_json, opened
from hermes_agent.cli.output import confirm, examples, print_json, print_table, say
from hermes_agent.config import changing, envfile, paths, pid_file
from hermes_agent.config import settings as names
from hermes_agent.errors import HermesError, UsageError
from hermes_agent.memory import provider_health
from hermes_agent.providers import choose
from hermes_agent.providers.fields import Field, fields, typed
from hermes_agent.providers.provider import MemoryProvider
from hermes_agent.providers.watched import READY_SECONDS, as_text, call
from hermes_agent.store import outbox
from hermes_agent.text.clean import preview

_MASKED = "(kept as it is)"
_LONGEST_ABOUT = 200
_SECONDS = 10.0
"""What a provider may take to say what it wants to know, and to keep what it is told."""


@click.command(
    epilog=examples(
        "hermes memory setup",
        "hermes memory setup --list",
        "hermes memory setup custom --set base_url=http://localhost:8765",
        "HONCHO_API_KEY=… hermes memory setup honcho --no-input",
    )
)
@click.argument("name", required=False, shell_complete=providers)
@click.option("--set", "given", multiple=True, metavar="KEY=VALUE", help="Answer a question beforehand.")
@click.option("--no-input", is_flag=True, help="Ask nothing; what is not given keeps its value or its default.")
@click.option("--list", "is_listing", is_flag=True, help="List the external memories there are.")
@as_json
@pass_invocation
def setup(
    invocation: Invocation, name: str | None, given: Sequence[str], no_input: bool, is_listing: bool, is_json: bool
) -> None:
    """Use an external memory beside our own: Honcho, Mem0, Hindsight and others, or a service of yours.

    Your conversations stay in the archive here, whoever remembers beside it. One is used at a time; `hermes memory
    off` leaves it. Keys go to the home's .env, everything else to its settings.
    """
    with opened(invocation) as app:
        if is_listing or (is_json and name is None):
            _list(app, is_json)
            return
        chosen = name or _chosen(app, no_input)
        answers = _answers(app, chosen, _parsed(given), no_input)
        former = app.settings[names.MEMORY_PROVIDER]
        if former not in (None, chosen) and not _may_leave(app, former, yes=no_input):
            return
        _keep(app, chosen, answers)
        waited = _leave(app, former) if former not in (None, chosen) else 0
        if waited:
            say(f"{former} is not told of {waited:,} things that waited for it.", is_error=True)
    with opened(Invocation(invocation.profile)) as app:
        _tell(app, chosen, is_json)


@click.command(epilog=examples("hermes memory off"))
@click.option("-y", "--yes", is_flag=True, help="Do not ask what becomes of what waits.")
@pass_invocation
def off(invocation: Invocation, yes: bool) -> None:
    """Use no external memory any more. Its settings and keys stay; what waits for it is let go of."""
    with opened(invocation) as app:
        name = app.settings[names.MEMORY_PROVIDER]
        if name is None:
            say("There is no external memory.")
            return
        if not _may_leave(app, name, yes=yes):
            return
        changing.take_out(app.home, names.MEMORY_PROVIDER)
        _leave(app, name)
    say(f"{name} is not used any more, also not by what runs now. Again: hermes memory setup {name}")


def _may_leave(app: App, name: str, *, yes: bool) -> bool:
    """Ask whether what waits for a provider may be let go of."""
    waiting = provider_health.read(app.store, name).waiting
    return not waiting or confirm(f"{name} will not be told of {waiting:,} things that wait. Go on?", yes=yes)


def _leave(app: App, name: str) -> int:
    """Let go of what waits for a provider that is not used any more; return how much it was."""
    with app.store.write() as connection:
        waited = outbox.clear(connection, name)
    provider_health.clear(app.store)
    return waited


def _list(app: App, is_json: bool) -> None:
    found = []
    for name in choose.names(app.surroundings("")):
        try:
            provider = choose.make(name, app.surroundings(name))
            is_ready, about = call(name, READY_SECONDS, partial(_described, provider))
            found.append((name, is_ready, about))
        except HermesError as error:
            found.append((name, False, error.message))
    used = app.settings[names.MEMORY_PROVIDER]
    if is_json:
        print_json([{"name": n, "is_ready": r, "is_used": n == used, "about": a} for n, r, a in found])
        return
    rows = [(n, "used" if n == used else "ready" if r else "not set up", a) for n, r, a in found]
    print_table(("name", "state", "what it is"), rows)


def _described(provider: MemoryProvider) -> tuple[bool, str]:
    """Return whether a provider is ready, and the first line of what its module says of itself."""
    import sys

    kind = type(provider)
    about = as_text(getattr(sys.modules.get(kind.__module__), "__doc__", None) or provider.__doc__).strip()
    return bool(provider.is_available()), preview(about.splitlines()[0], _LONGEST_ABOUT) if about else ""


def _chosen(app: App, no_input: bool) -> str:
    known = choose.names(app.surroundings(""))
    if no_input:
        raise UsageError("Which external memory?", hint=f"Name one: {', '.join(known)}.")
    _list(app, is_json=False)
    return str(click.prompt("Which one", type=click.Choice(known)))


def _parsed(given: Sequence[str]) -> dict[str, str]:
    parsed = {}
    for one in given:
        key, sign, value = one.partition("=")
        if not sign or not key.strip():
            raise UsageError(f"{one!r} is no KEY=VALUE.")
        parsed[key.strip()] = value
    return parsed


def _answers(app: App, name: str, given: Mapping[str, str], no_input: bool) -> dict[Field, str]:
    """Return what every field is to be; of a secret that stays as it is, nothing."""
    surroundings = app.surroundings(name)
    provider = choose.make(name, surroundings)
    wanted = call(name, _SECONDS, lambda: fields(provider.get_config_schema()))
    unknown = sorted(set(given) - {field.key for field in wanted})
    if unknown:
        known = ", ".join(field.key for field in wanted) or "nothing"
        raise UsageError(f"{name} does not know {', '.join(unknown)}.", hint=f"It knows: {known}.")
    answers: dict[Field, str] = {}
    for field in wanted:
        if not field.is_wanted({one.key: value for one, value in answers.items()}):
            continue
        before = surroundings.text(field.key, field.variable or "")
        if field.key in given:
            answers[field] = field.checked(given[field.key])
        elif no_input:
            answers[field] = before or field.default or ""
        else:
            answers[field] = _asked(field, before)
        if field.is_required and not answers[field]:
            raise UsageError(
                f"{name} needs {field.key}: {field.description}.", hint=f"Give it with --set {field.key}=…"
            )
    return answers


def _asked(field: Field, before: str) -> str:
    shown = _MASKED if field.is_secret and before else before or field.default or ""
    kind = click.Choice(field.choices) if field.choices else None
    answer = str(
        click.prompt(
            field.description, default=shown, type=kind, hide_input=field.is_secret, show_default=bool(shown)
        )
    )
    return before if answer == _MASKED else field.checked(answer)


def _keep(app: App, name: str, answers: Mapping[Field, str]) -> None:
    """Keep keys in the .env, the rest in the settings, and use the provider from now on."""
    paths.ensure(app.home)
    plain = {field.key: typed(value) for field, value in answers.items() if value and not field.is_secret}
    for field, value in answers.items():
        if field.is_secret and value and field.variable:
            envfile.write(app.home, field.variable, value)
    asked = {field.key for field in answers}
    others = {key: value for key, value in app.surroundings(name).options.items() if key not in asked}
    options = {**app.settings[names.MEMORY_PROVIDERS], name: {**others, **plain}}
    changing.put(app.home, names.MEMORY_PROVIDERS, options)
    changing.put(app.home, names.MEMORY_PROVIDER, name)
    provider = choose.make(name, app.surroundings(name))
    # A key that no variable holds is the provider's own to keep.
    keys = {field.key: value for field, value in answers.items() if field.is_secret and not field.variable}
    call(name, _SECONDS, lambda: provider.save_config({**plain, **keys}, str(app.home.root)))


def _tell(app: App, name: str, is_json: bool) -> None:
    provider = choose.make(name, app.surroundings(name))
    is_ready = call(name, READY_SECONDS, lambda: bool(provider.is_available()))
    if is_json:
        print_json({"provider": name, "is_ready": is_ready})
        return
    say(f"{name} is used from now on, beside our own memory.")
    if not is_ready:
        say(
            f"It is not ready: a setting or its package is missing (extra `{name}`).",
            is_error=True,
        )
    if app.settings[names.MEMORY_PROVIDER_MODE] == "local":
        say("memory.providerMode is local: it is left alone. hermes config set memory.providerMode hybrid")
    if pid_file.running(app.home) is not None:
        say("The daemon learns of it by: hermes restart")
    say("Try it: hermes memory test")
