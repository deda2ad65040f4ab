"""`hermes profile export` and `hermes profile import`: a profile in one archive, without its keys."""

from contextlib import closing

import click

from hermes_agent.cli.invocation import Invocation
from hermes_agent.cli.main import COMMANDS
from hermes_agent.cli.options import opened
from hermes_agent.cli.output import examples, say
from hermes_agent.cli.progress import follow
from hermes_agent.cli.transfer import destination
from hermes_agent.config import paths, profiles
from hermes_agent.config import portable as portable_settings
from hermes_agent.config.portable import portable
from hermes_agent.errors import UsageError

_ENDING = ".tar.gz"


@click.command(
    "export",
    epilog=examples("hermes profile export default", "hermes profile export work --output /media/usb/work.tar.gz"),
)
@click.argument("name")
@click.option("-o", "--output", metavar="FILE", help="Where to; NAME.tar.gz in this folder if not given.")
@click.option("--force", is_flag=True, help="Replace FILE if it exists.")
def export_profile(name: str, output: str | None, force: bool) -> None:
    """Write a profile to one archive: memory, notes, skills and settings, never its keys.

    It is not encrypted; for a copy that is, see `hermes backup create`.
    """
    from hermes_agent.ops import profile_archive
    from hermes_agent.ops.importing import things

    file = output or f"{name}{_ENDING}"
    with opened(Invocation(profiles.find(name).profile)) as app:
        settings, left_out = portable(app.settings)
        with destination(file, force=force) as out:
            rows = follow(profile_archive.export(app.home, app.store, out, app.notebook.texts(), settings))
    say(f"Exported the profile {name} to {file}: {things(rows)}.")
    if app.keys is not None:
        say("The profile is encrypted, the file is not.", is_error=True)
    if left_out:
        say(f"Settings of this machine were left out: {', '.join(left_out)}.", is_error=True)


@click.command(
    "import",
    epilog=examples("hermes profile import work.tar.gz", "hermes profile import default.tar.gz --name laptop"),
)
@click.argument("file")
@click.option("--name", metavar="NAME", help="The name of the new profile; that of the file if not given.")
def import_profile(file: str, name: str | None) -> None:
    """Make a new profile of an archive that `hermes profile export` wrote.

    It is there whole or not at all. A profile that is here is never changed; to join two memories see
    `hermes memory import`.
    """
    from hermes_agent.app import App
    from hermes_agent.config.load import load
    from hermes_agent.ops import profile_archive, unfinished_profile
    from hermes_agent.ops.importing import things
    from hermes_agent.ops.whole import joining, reading

    archive = paths.expand(file)
    chosen = name or archive.name.removesuffix(_ENDING)
    with unfinished_profile.unfinished(chosen) as (folder, home):
        memory = profile_archive.unpack(archive, folder)
        if memory is None:
            raise UsageError(f"{file} is no archive of a profile.", hint="`hermes profile export` writes one.")
        whole = follow(reading.check(memory))
        portable_settings.check(whole.settings)
        finished = profiles.check_new(chosen, COMMANDS)
        paths.ensure(home)
        profile_archive.place_skills(folder, home)
        with closing(App(home, load(home))) as app:
            joined = follow(joining.join(app.notebook, memory, whole, is_own=True))
        unfinished_profile.place(home, finished)
    say(f"Created the profile {chosen}: {things(joined.brought.new)}. Keys do not come with it.")
    say(f"Use it once with `hermes -p {chosen} …`, or always after `hermes profile use {chosen}`.")
