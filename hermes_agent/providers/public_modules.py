"""The modules of the public Hermes Agent that its memory plugins import, as far as they lead to something of ours.

A plugin may import them when it is loaded, or in the middle of its work. Nothing of that name which is installed
is hidden by them: they are looked for last.
"""

import json
import sys
from collections.abc import Mapping
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

from hermes_agent.config.replace import replace_text
from hermes_agent.config.yamltext import parse
from hermes_agent.providers.provider import MemoryProvider

_SETTINGS = "config.yaml"


def offer(home: Path) -> None:
    """Let plugins of a home find the modules from now on."""
    for finder in [one for one in sys.meta_path if isinstance(one, _Finder)]:
        sys.meta_path.remove(finder)
        for name in finder.contents:
            if getattr(sys.modules.get(name), "__loader__", None) is finder:
                del sys.modules[name]
    sys.meta_path.append(_Finder(home))


class _Finder(MetaPathFinder, Loader):
    """Makes the modules, for one home."""

    def __init__(self, home: Path) -> None:
        self.contents = _contents(home)

    def find_spec(self, fullname: str, path: object, target: ModuleType | None = None) -> ModuleSpec | None:
        if fullname not in self.contents:
            return None
        is_package = any(name.startswith(f"{fullname}.") for name in self.contents)
        return ModuleSpec(fullname, self, is_package=is_package)

    def exec_module(self, module: ModuleType) -> None:
        vars(module).update(self.contents[module.__name__])


# Any: functions and classes of every kind.
def _contents(home: Path) -> Mapping[str, Mapping[str, Any]]:
    def load_config() -> dict[str, Any]:
        file = home / _SETTINGS
        found = parse(file.read_text("utf-8")) if file.is_file() else None
        return dict(found) if isinstance(found, Mapping) else {}

    return {
        "agent": {},
        "agent.memory_provider": {"MemoryProvider": MemoryProvider},
        "tools": {},
        "tools.registry": {"tool_error": tool_error, "tool_result": tool_result},
        "hermes_constants": {"get_hermes_home": lambda: home, "display_hermes_home": lambda: str(home)},
        "hermes_cli": {},
        "hermes_cli.config": {"load_config": load_config},
        "utils": {"atomic_json_write": atomic_json_write},
    }


def tool_error(message: object, **more: Any) -> str:
    """Write what went wrong as the public product's tools do."""
    return json.dumps({"error": str(message), **more}, ensure_ascii=False)


def tool_result(data: Any = None, **more: Any) -> str:
    """Write a result as the public product's tools do: one value, or several by their names."""
    return json.dumps(more if data is None else data, ensure_ascii=False)


def atomic_json_write(path: str | Path, data: Any, *, indent: int = 2, **_: Any) -> None:
    """Write a file of JSON at once or not at all."""
    replace_text(Path(path), json.dumps(data, indent=indent, ensure_ascii=False))
