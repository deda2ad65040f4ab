"""What a vendor was set up with: who wins, and what is refused."""

from pathlib import Path

import pytest

from hermes_agent.errors import ProviderRefused
from hermes_agent.providers import options
from hermes_agent.providers.options import Options
from hermes_agent.providers.provider import Surroundings


def _options(tmp_path: Path, variable: str = "", setting: str = "", file: str = "") -> Options:
    given = Surroundings(tmp_path, options={"place": setting}, variables={"A_PLACE": variable})
    return Options(given, {"place": file})


@pytest.mark.parametrize(
    ("given", "wins"),
    [
        (("variable", "setting", "file"), "variable"),
        (("", "setting", "file"), "setting"),
        (("", "", "file"), "file"),
        (("", "", ""), "default"),
    ],
)
def test_a_variable_wins_over_a_setting_and_that_over_the_file(
    tmp_path: Path, given: tuple[str, str, str], wins: str
) -> None:
    assert _options(tmp_path, *given).text("place", "A_PLACE", default="default") == wins


@pytest.mark.parametrize(("value", "number"), [("7", 7), ("0", 1), ("99", 20), ("", 5)])
def test_a_number_is_held_between_its_bounds(tmp_path: Path, value: str, number: float) -> None:
    assert _options(tmp_path, value).number("place", "A_PLACE", default=5, least=1, most=20) == number


def test_a_number_that_is_none_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(ProviderRefused, match="place is 'soon'"):
        _options(tmp_path, setting="soon").number("place", default=5, least=1, most=20)


@pytest.mark.parametrize(("value", "is_on"), [("off", False), ("False", False), ("0", False), ("yes", True)])
def test_a_switch_understands_the_usual_words(tmp_path: Path, value: str, is_on: bool) -> None:
    assert _options(tmp_path, value).is_on("place", "A_PLACE") == is_on


def test_a_key_that_no_header_takes_is_refused_without_repeating_it(tmp_path: Path) -> None:
    assert _options(tmp_path, " Bearer abc\n").secret("place", "A_PLACE") == "abc"
    with pytest.raises(ProviderRefused, match="A_PLACE") as refused:
        _options(tmp_path, "schlüssel").secret("place", "A_PLACE")
    assert "schl" not in refused.value.message


@pytest.mark.parametrize("text", ["{", "[]", "\x00"])
def test_a_file_of_something_else_is_refused_by_name(tmp_path: Path, text: str) -> None:
    file = tmp_path / "vendor.json"
    assert options.read(file) == {}
    file.write_text(text)
    with pytest.raises(ProviderRefused, match=r"vendor\.json"):
        options.read(file)
