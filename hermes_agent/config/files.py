"""The settings file of a home: `config.yaml`, or `config.json` / `config.jsonc` as guides print it.

Reading sorts what the file holds into settings and names that mean nothing to us. Writing changes one
value in the file's own text, so comments and order stay; the outcome is parsed again and compared with
what was wanted before it replaces the file. A layout that cannot be edited so is refused, not rewritten.
"""

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from hermes_agent.config import jsonc, yamltext
from hermes_agent.config.broken import BrokenText
from hermes_agent.config.paths import Home, ensure
from hermes_agent.config.replace import locked, replace_text
from hermes_agent.config.setting import Setting
from hermes_agent.config.setting_names import BY_FOLDED_NAME, SECTIONS, fold, suggestion
from hermes_agent.errors import SettingError

KeyPath = tuple[str, ...]


class _Format(Protocol):
    """How one kind of file is read and edited; the modules `jsonc` and `yamltext` are such."""

    def parse(self, text: str) -> object: ...

    def put(self, text: str, path: KeyPath, value: object) -> str: ...

    def remove(self, text: str, path: KeyPath) -> str: ...


_FORMATS: dict[str, _Format] = {".yaml": yamltext, ".json": jsonc, ".jsonc": jsonc}


@dataclass(frozen=True)
class Entry:
    """A setting as a file spells it, with the value as the file gives it; None is "not set"."""

    keys: KeyPath
    value: object


@dataclass(frozen=True)
class SettingsFile:
    """What a settings file says: entries by the setting's name, and the names nobody knows."""

    path: Path
    entries: Mapping[str, Entry]
    sections: Mapping[str, KeyPath]
    unknown: tuple[str, ...]

    def warnings(self) -> list[str]:
        """Say which names are ignored, and which setting each may have meant."""
        lines = []
        strange = []
        for name in self.unknown:
            hint = suggestion(name)
            if hint is None:
                strange.append(name)
            else:
                lines.append(f"{self.path}: {name} is not a setting and is ignored. {hint}")
        if strange:
            lines.append(f"{self.path}: not a setting, ignored: {', '.join(strange)}.")
        return lines


def locate(home: Home) -> Path | None:
    """Return the home's settings file, None if it has none; two of them are an error."""
    try:
        found = [
            path
            for path in (home.config_yaml, home.config_json, home.config_jsonc)
            if path.exists() or path.is_symlink()
        ]
    except OSError as error:
        raise SettingError(f"{home.root} cannot be read: {error.strerror}.") from error
    if len(found) > 1:
        names = " and ".join(path.name for path in found)
        raise SettingError(
            f"The home {home.root} has more than one settings file: {names}.",
            hint="Keep one: move its settings there and remove the other.",
        )
    return found[0] if found else None


def read(home: Home) -> SettingsFile | None:
    """Read the home's settings file, None if it has none."""
    path = locate(home)
    return None if path is None else _sort_out(path, _parse(path, _read_text(path)))


def write(home: Home, setting: Setting[Any], value: object) -> Path:
    """Set one value in the settings file, creating the file if the home has none."""
    ensure(home)
    with locked(home.config_lock):
        path = locate(home) or home.config_yaml
        text = _read_text(path) if path.exists() or path.is_symlink() else ""
        data = _parse(path, text)
        keys = _keys_for(_sort_out(path, data), setting)
        wanted = copy.deepcopy(dict(data))
        _put(wanted, keys, value)
        form = _FORMATS[path.suffix]
        _replace(path, text, lambda plain: form.put(plain, keys, value), wanted, f"set {setting.name}")
        return path


def erase(home: Home, setting: Setting[Any]) -> Path | None:
    """Take one setting out of the settings file; None if it does not stand there."""
    path = locate(home)
    if path is None:
        return None
    with locked(home.config_lock):
        text = _read_text(path)
        data = _parse(path, text)
        entry = _sort_out(path, data).entries.get(setting.name)
        if entry is None:
            return None
        wanted = copy.deepcopy(dict(data))
        _put(wanted, entry.keys, None)
        form = _FORMATS[path.suffix]
        _replace(path, text, lambda plain: form.remove(plain, entry.keys), wanted, f"remove {setting.name}")
        return path


def _read_text(path: Path) -> str:
    try:
        if not path.is_file():
            what = "is a link to nothing" if path.is_symlink() and not path.exists() else "is not a file"
            raise SettingError(f"{path} {what}.", hint="Remove it, or put the settings file there.")
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SettingError(
            f"{path} is not UTF-8 text (byte {error.start}).", hint="Save it as UTF-8 in your editor."
        ) from error
    except OSError as error:
        raise SettingError(f"{path} cannot be read: {error.strerror}.") from error


def _parse(path: Path, text: str) -> Mapping[object, object]:
    try:
        data = _FORMATS[path.suffix].parse(text)
    except BrokenText as error:
        line = "" if error.line is None else f", line {error.line}"
        raise SettingError(
            f"{path}{line}: {error.message.rstrip('.')}.", hint="Mend it with `hermes config edit`."
        ) from error
    if data is None:
        return {}
    if not isinstance(data, Mapping):
        raise SettingError(
            f"{path} holds no settings: its top level must be names with values.",
            hint="A line looks like `memory: {backend: sqlite}`.",
        )
    return data


def _sort_out(path: Path, data: Mapping[object, object]) -> SettingsFile:
    entries: dict[str, Entry] = {}
    sections: dict[str, KeyPath] = {}
    unknown: list[str] = []

    def visit(mapping: Mapping[object, object], above: KeyPath) -> None:
        for key, value in mapping.items():
            keys = (*above, str(key))
            name = ".".join(keys)
            setting = BY_FOLDED_NAME.get(fold(name))
            if setting is not None:
                if setting.name in entries:
                    other = ".".join(entries[setting.name].keys)
                    raise SettingError(f"{path} sets {setting.name} twice: as {other} and as {name}.")
                entries[setting.name] = Entry(keys, value)
            elif fold(name) in SECTIONS and (value is None or isinstance(value, Mapping)):
                sections.setdefault(fold(name), keys)
                visit(value or {}, keys)
            else:
                unknown.append(name)

    visit(data, ())
    return SettingsFile(path, entries, sections, tuple(unknown))


def _keys_for(file: SettingsFile, setting: Setting[Any]) -> KeyPath:
    """Return where to write the setting: in its own spelling, or in the section that is already there."""
    entry = file.entries.get(setting.name)
    if entry is not None:
        return entry.keys
    words = setting.name.split(".")
    for depth in range(len(words) - 1, 0, -1):
        section = file.sections.get(fold(".".join(words[:depth])))
        if section is not None:
            return (*section, *words[depth:])
    return tuple(words)


def _replace(path: Path, text: str, edit: Callable[[str], str], wanted: object, deed: str) -> None:
    """Edit the text and replace the file, if the outcome says what was wanted."""
    form = _FORMATS[path.suffix]
    plain = text.replace("\r\n", "\n")
    try:
        edited = edit(plain)
        # A file without its last setting says nothing, and is read as None.
        is_right = _without_nothing(form.parse(edited) or {}) == _without_nothing(wanted)
    except (BrokenText, RecursionError):
        is_right = False
    if not is_right:
        raise SettingError(
            f"{path} is laid out in a way that cannot be edited safely.",
            hint=f"Run `hermes config edit` and {deed} by hand.",
        )
    replace_text(path, edited.replace("\n", "\r\n") if "\r\n" in text else edited)


def _put(data: dict[Any, Any], keys: KeyPath, value: object) -> None:
    """Set the value in nested mappings, finding keys by their text: YAML may read a key as a number."""
    for key in keys[:-1]:
        key = next((known for known in data if str(known) == key), key)
        if not isinstance(data.get(key), dict):
            data[key] = {}
        data = data[key]
    data[next((known for known in data if str(known) == keys[-1]), keys[-1])] = value


def _without_nothing(value: object) -> object:
    """Drop what is None or an empty section: to us they mean the same as not being there."""
    if not isinstance(value, Mapping):
        return value
    kept = ((key, _without_nothing(inner)) for key, inner in value.items())
    return {key: inner for key, inner in kept if inner is not None and inner != {}}
