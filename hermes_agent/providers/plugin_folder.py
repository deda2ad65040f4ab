"""Providers in the home's `plugins/`: folders as the public Hermes Agent has them, loaded unchanged.

Such a folder has an `__init__.py` with `register(ctx)`, which calls `ctx.register_memory_provider(provider)`, or
with a subclass of `MemoryProvider`. It imports that from `agent.memory_provider`, its place in the public product,
which leads to ours (`public_modules.py`).
"""

import importlib.util
import sys
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType

from hermes_agent.errors import ProviderRefused
from hermes_agent.providers import public_modules
from hermes_agent.providers.provider import MemoryProvider, Surroundings

_MARKS = ("MemoryProvider", "register_memory_provider")


class _Context:
    """What `register` is given: it takes the provider, and nothing of what else the public product offers."""

    def __init__(self) -> None:
        self.provider: object = None

    def register_memory_provider(self, provider: object) -> None:
        self.provider = provider

    def __getattr__(self, name: str) -> object:
        if name.startswith("register_"):
            return lambda *args, **kwargs: None
        raise AttributeError(name)


def names(home: Path) -> list[str]:
    """Return the names of the folders that hold a provider."""
    found = (home / "plugins").glob("*/__init__.py")
    return sorted(file.parent.name for file in found if _holds_provider(file))


def load(name: str, surroundings: Surroundings) -> MemoryProvider:
    """Run the folder's code and return its provider."""
    folder = surroundings.folder / "plugins" / name
    public_modules.offer(surroundings.folder)
    made = _made_by(_run(name, folder))
    if not isinstance(made, MemoryProvider):
        raise ProviderRefused(f"{folder} registers no MemoryProvider.", hint="See docs/guides/providers.md.")
    return made


def _run(name: str, folder: Path) -> ModuleType:
    module_name = f"hermes_plugins.{name}"
    spec = importlib.util.spec_from_file_location(
        module_name, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    if spec is None or spec.loader is None:
        raise ProviderRefused(f"{folder} cannot be loaded.")
    module = importlib.util.module_from_spec(spec)
    # Its own parts are imported from it by its name.
    sys.modules[module_name] = module
    with ExitStack() as failed:
        failed.callback(sys.modules.pop, module_name, None)
        spec.loader.exec_module(module)
        failed.pop_all()
    return module


def _made_by(module: ModuleType) -> object:
    register = vars(module).get("register")
    if callable(register):
        context = _Context()
        register(context)
        return context.provider
    classes = [one for one in vars(module).values() if isinstance(one, type) and issubclass(one, MemoryProvider)]
    own = [one for one in classes if one.__module__ == module.__name__]
    return own[0]() if own else None


def _holds_provider(file: Path) -> bool:
    try:
        text = file.read_text("utf-8", "replace")
    except OSError:
        return False
    return any(mark in text for mark in _MARKS)
