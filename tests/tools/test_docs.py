"""What the reference pages say about a setting's values, in words."""

from typing import Annotated, Any, Literal

import click
import pytest
from annotated_types import Ge, Le, MinLen

from tools.docs import default, values, walk

FORMS = [
    (bool, "true or false"),
    (Literal["sqlite", "postgres"], "`sqlite`, `postgres`"),
    (Annotated[int, Ge(1), Le(3600)], "whole number, 1 to 3,600"),
    (Annotated[float, Ge(0)], "number, at least 0"),
    (Annotated[str, MinLen(1)] | None, "text"),
    (list[str], "list of text"),
]


@pytest.mark.parametrize(("form", "words"), FORMS)
def test_values_in_words(form: Any, words: str) -> None:
    assert values(form) == words


@pytest.mark.parametrize(("value", "shown"), [(None, "unset"), (True, "`true`"), (30, "`30`"), ("x", "`x`")])
def test_a_default_looks_as_in_the_settings_file(value: object, shown: str) -> None:
    assert default(value) == shown


def test_hidden_commands_stay_hidden() -> None:
    group = click.Group("hermes")
    group.add_command(click.Command("open"))
    group.add_command(click.Command("secret", hidden=True))
    assert [context.command_path for context in walk(group, "hermes")] == ["hermes", "hermes open"]
