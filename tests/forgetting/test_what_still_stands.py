"""After something was forgotten: what still stands is named, and what is gone is not offered back."""

from pathlib import Path

import pytest

from hermes_agent.config.paths import Home
from tests.conftest import Hermes


def test_parts_of_a_forgotten_name_that_still_stand_are_named(hermes: Hermes) -> None:
    hermes("-q", "My aunt is called Brunhilda Quastenflosser.")
    hermes("-q", "Where does Brunhilda live?")
    done = hermes("memory", "forget", "--about", "Brunhilda Quastenflosser", "--yes")
    hint = "'Brunhilda' alone is still named. To forget that, too: hermes memory forget --about Brunhilda\n"
    assert done.stdout.endswith(hint)
    assert "is still named" not in hermes("memory", "forget", "--about", "Brunhilda", "--yes").stdout


def test_skills_that_were_reset_are_not_offered_back(hermes: Hermes) -> None:
    text = "---\nname: sort-mail\ndescription: Sort the mail.\n---\n\nSort it.\n"
    assert hermes("skills", "create", "sort-mail", "--file", "-", input=text).exit_code == 0
    assert hermes("memory", "reset", "--yes").exit_code == 0
    assert hermes("skills", "list").stdout.startswith("There are no skills yet.")
    refused = hermes("skills", "restore", "sort-mail")
    assert refused.exit_code == 2
    assert "was forgotten or reset, and is nowhere any more" in refused.stderr


def test_a_plain_backup_of_an_encrypted_home_that_may_hold_it_is_no_success(
    hermes: Hermes, own_home: Home, tmp_path: Path
) -> None:
    hermes("notes", "add", "-t", "memory", "The Wibbelstetz fork lies in the drawer")
    hermes("backup", "create")
    assert hermes("encrypt", "--key-file", str(tmp_path / "usb" / "hermes.key"), "--yes").exit_code == 0
    hermes("memory", "forget", "--about", "Wibbelstetz", "--yes")
    finished = hermes("memory", "forget", "--finish", "--backups")
    assert finished.exit_code == 1
    assert "May still hold it" in finished.stdout


@pytest.mark.parametrize("is_away", [False, True], ids=["there", "away"])
def test_backups_in_other_folders_are_named(hermes: Hermes, own_home: Home, tmp_path: Path, is_away: bool) -> None:
    hermes("notes", "add", "-t", "memory", "The Wibbelstetz fork lies in the drawer")
    hermes("backup", "create")
    (inside,) = own_home.backups.glob("*.age")
    stick = tmp_path / "usb"
    stick.mkdir()
    hermes("backup", "create", "--output", str(stick / "mine.age"))
    hermes("config", "set", "backup.directory", str(tmp_path / "elsewhere"))
    if is_away:
        stick.rename(tmp_path / "taken-away")
    told = hermes("memory", "forget", "--about", "Wibbelstetz", "--yes").stdout
    assert "2 backups may still hold it." in told
    assert inside.name in told and str(stick / "mine.age") in told
    finished = hermes("memory", "forget", "--finish", "--backups")
    assert f"Made anew without it: {inside.name}\n" in finished.stdout
    if is_away:
        assert finished.exit_code == 1 and "May still hold it" in finished.stdout
    else:
        assert f"Made anew without it: {stick / 'mine.age'}\n" in finished.stdout and finished.exit_code == 0
