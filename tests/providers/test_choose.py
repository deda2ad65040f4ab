"""Which provider is used: names, plugins in the home, and what happens when one cannot be loaded."""

import sys
from pathlib import Path

import pytest

from hermes_agent import MemoryProvider
from hermes_agent.config.paths import Home
from hermes_agent.errors import ProviderError, SettingError
from hermes_agent.providers import choose
from hermes_agent.providers.provider import Surroundings

_PUBLIC = """
from agent.memory_provider import MemoryProvider


class Notebook(MemoryProvider):
    name = "notebook"

    def is_available(self):
        return True

    def initialize(self, session_id, **kwargs):
        self.home = kwargs["hermes_home"]

    def get_tool_schemas(self):
        return []

    def sync_turn(self, user, assistant, *, session_id=""):
        pass


def register(ctx):
    ctx.register_memory_provider(Notebook())
"""


def _plugin(home: Home, name: str, code: str) -> Surroundings:
    folder = home.root / "plugins" / name
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(code)
    return Surroundings(home.root)


def test_a_provider_written_for_the_public_product_loads_unchanged(own_home: Home) -> None:
    surroundings = _plugin(own_home, "notebook", _PUBLIC)
    made = choose.make("notebook", surroundings)
    assert made.name == "notebook" and isinstance(made, MemoryProvider)
    assert "notebook" in choose.names(surroundings)


def test_the_names_of_the_public_product_lead_to_ours_only_while_a_plugin_loads(own_home: Home) -> None:
    choose.make("notebook", _plugin(own_home, "notebook", _PUBLIC))
    assert "agent.memory_provider" not in sys.modules and "agent" not in sys.modules


def test_an_unknown_name_is_answered_with_the_nearest(own_home: Home) -> None:
    surroundings = _plugin(own_home, "notebook", _PUBLIC)
    with pytest.raises(SettingError, match="Did you mean notebook"):
        choose.make("notebok", surroundings)


@pytest.mark.parametrize(
    "code",
    [
        "import no_such_package  # MemoryProvider",
        "raise SystemError('broken')  # MemoryProvider",
        "def register(ctx):  # register_memory_provider\n    ctx.register_memory_provider('text')",
        "MemoryProvider = 1",
    ],
)
def test_code_that_fails_is_a_provider_that_is_not_there(own_home: Home, code: str) -> None:
    surroundings = _plugin(own_home, "broken", code)
    with pytest.raises(ProviderError):
        choose.make("broken", surroundings)


def test_a_folder_without_a_provider_is_none(tmp_path: Path) -> None:
    (tmp_path / "plugins" / "other").mkdir(parents=True)
    (tmp_path / "plugins" / "other" / "__init__.py").write_text("print('not us')")
    assert "other" not in choose.names(Surroundings(tmp_path))
