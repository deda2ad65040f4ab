"""Which provider is used: names, plugins in the home, and what happens when one cannot be loaded."""

import importlib
import json
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


_HELPED = """
import json

from agent.memory_provider import MemoryProvider
from tools.registry import tool_error, tool_result


class Helped(MemoryProvider):
    name = "helped"

    def is_available(self):
        from hermes_cli.config import load_config

        return load_config() == {"memory": {"provider": "helped"}}

    def initialize(self, session_id, **kwargs):
        pass

    def get_tool_schemas(self):
        return []

    def handle_tool_call(self, tool_name, args, **kwargs):
        from hermes_constants import display_hermes_home, get_hermes_home
        from utils import atomic_json_write

        file = get_hermes_home() / "helped.json"
        atomic_json_write(file, {"home": display_hermes_home()})
        return tool_result(json.loads(file.read_text())) if args else tool_error("There is nothing.", code=1)


def register(ctx):
    ctx.register_memory_provider(Helped())
"""


def test_the_modules_that_plugins_of_the_public_product_import_are_there(own_home: Home) -> None:
    own_home.root.mkdir(exist_ok=True)
    own_home.config_yaml.write_text("memory:\n  provider: helped\n")
    made = choose.make("helped", _plugin(own_home, "helped", _HELPED))
    assert made.is_available()
    assert json.loads(made.handle_tool_call("any", {"a": 1})) == {"home": str(own_home.root)}
    assert json.loads(made.handle_tool_call("any", {})) == {"error": "There is nothing.", "code": 1}


def test_what_is_installed_under_such_a_name_is_not_hidden(
    own_home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "hermes_constants.py").write_text("get_hermes_home = lambda: 'elsewhere'")
    monkeypatch.syspath_prepend(tmp_path)
    choose.make("notebook", _plugin(own_home, "notebook", _PUBLIC))
    monkeypatch.delitem(sys.modules, "hermes_constants", raising=False)
    assert importlib.import_module("hermes_constants").get_hermes_home() == "elsewhere"
    monkeypatch.delitem(sys.modules, "hermes_constants")


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
