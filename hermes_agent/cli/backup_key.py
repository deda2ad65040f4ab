"""Tell the owner of the key of their backups, once, whoever made it: without it no backup can be opened."""

from typing import TYPE_CHECKING

from hermes_agent.cli.output import say

if TYPE_CHECKING:
    from hermes_agent.app import App
    from hermes_agent.ops.backups.keys import Lock


def tell_key(app: "App", lock: "Lock") -> None:
    """Say where the key is and how to keep it, unless they were told before or it is their own."""
    from hermes_agent.ops.backups import confirming

    if not lock.is_own or confirming.is_told(app.store, lock.shown[0]):
        return
    home = app.home
    told = f"A key was made: {home.backup_key}." if lock.is_fresh else f"The key of backups is {home.backup_key}."
    say(f"{told} Without it no backup of this home can be opened.", is_error=True)
    if home.sealed_backup_key.exists():
        say("A copy lies beside each backup, protected by the passphrase, which opens it on any", is_error=True)
        say("machine: keep the passphrase, and have a backup on another disk.", is_error=True)
    else:
        say("Copy it to another place now, a password manager or a sheet of paper. Or let a", is_error=True)
        say("passphrase protect a copy beside each backup: hermes backup key --passphrase", is_error=True)
        say("When you have done so: hermes backup key --confirm", is_error=True)
    confirming.note_told(app.store, lock.shown[0])
