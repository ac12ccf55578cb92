"""Finds and reads the configuration, and says exactly what is wrong with it."""

from __future__ import annotations

import os
import tomllib
from typing import TYPE_CHECKING, Any

from prefixlint.config import own, values
from prefixlint.config.model import Config, ConfigError, did_you_mean
from prefixlint.config.selection import Selection
from prefixlint.discover import globs
from prefixlint.discover.walk import DEFAULT_EXCLUDE
from prefixlint.model.findings import Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

OWN_FILE = "prefixlint.toml"
PROJECT_FILE = "pyproject.toml"


def find_file(start: str) -> str | None:
    """The nearest configuration file in ``start``'s folder or above it.

    In one folder prefixlint.toml comes before pyproject.toml, which counts only with a ``[tool.prefixlint]`` table.
    Raises ``ConfigError`` when a pyproject.toml on the way is not TOML.
    """
    at = os.path.abspath(start)
    if not os.path.isdir(at):
        at = os.path.dirname(at)
    while True:
        own = os.path.join(at, OWN_FILE)
        if os.path.isfile(own):
            return own
        project = os.path.join(at, PROJECT_FILE)
        # The byte test spares the parse of every pyproject.toml that says nothing of prefixlint.
        if os.path.isfile(project) and _mentions(project) and _table(project) is not None:
            return project
        above = os.path.dirname(at)
        if above == at:
            return None
        at = above


def load(start: str = ".", file: str | None = None) -> Config:
    """The configuration for a run whose first path is ``start``; ``file`` names one instead of searching.

    Raises ``ConfigError``. Codes and targets are checked later, where rules and engines are known.
    """
    path = file or find_file(start)
    if path is None:
        return Config(root=os.getcwd())
    table = _table(path)
    if table is None:
        if file is not None and os.path.basename(file) == PROJECT_FILE:
            raise ConfigError(f"{_shown(path)}: no [tool.prefixlint] table")
        table = {}
    return _config(os.path.dirname(os.path.abspath(path)), _shown(path), table)


def _shown(path: str) -> str:
    try:
        relative = os.path.relpath(path)
    except ValueError:
        return path
    return path if relative.startswith("..") else relative


def _mentions(path: str) -> bool:
    try:
        with open(path, "rb") as stream:
            return b"prefixlint" in stream.read()
    except OSError:
        return False


def _table(path: str) -> Mapping[str, Any] | None:
    """The table with our settings; ``None`` when a pyproject.toml has none."""
    try:
        with open(path, "rb") as stream:
            document = tomllib.load(stream)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{_shown(path)}: not valid TOML: {error}") from None
    except OSError as error:
        raise ConfigError(f"{_shown(path)}: cannot read configuration: {error.strerror or error}") from None
    if os.path.basename(path) != PROJECT_FILE:
        return document
    tool = document.get("tool", {})
    table = tool.get("prefixlint") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise ConfigError(f"{_shown(path)}: tool.prefixlint must be a table, not {values.kind_of(table)}")
    return table


def _config(root: str, file: str, table: Mapping[str, Any]) -> Config:
    known = tuple(_READERS)
    for key in table:
        if key not in _READERS:
            raise ConfigError(f"{file}: unknown key {key!r}{did_you_mean(key, known)}")
    given: dict[str, Any] = {}
    for key, (name, reader) in _READERS.items():
        if key in table:
            given[name] = reader(f"{file}: {key}", table[key])
    selection = Selection(given.pop("select", None), given.pop("extend", ()), given.pop("ignore", ()))
    if "extend_exclude" in given:
        given["exclude"] = given.get("exclude", DEFAULT_EXCLUDE) + given.pop("extend_exclude")
    for path in given.get("sinks", ()):
        if path in given.get("sources", ()):
            raise ConfigError(f"{file}: {path!r} is under sources and under sinks; keep one")
    return Config(root=root, file=file, selections=(selection,) if selection != Selection() else (), **given)


def _codes(where: str, value: object) -> tuple[str, ...]:
    return tuple(code.upper() for code in values.strings(where, value))


def _severity(where: str, value: object) -> Severity:
    return values.member(where, value, Severity)


def _rules(where: str, value: object) -> Mapping[str, Mapping[str, object]]:
    return {name.upper(): inner for name, inner in values.tables(where, value).items()}


def _ignores(where: str, value: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
    pairs = []
    for pattern, codes in values.table(where, value).items():
        if not globs.valid(pattern):
            raise ConfigError(f"{where}: {pattern!r} is not a valid glob")
        pairs.append((pattern, _codes(f"{where}.{pattern!r}", codes)))
    return tuple(pairs)


_READERS: Mapping[str, tuple[str, Callable[[str, object], object]]] = {
    "select": ("select", _codes),
    "extend-select": ("extend", _codes),
    "ignore": ("ignore", _codes),
    "per-file-ignores": ("per_file_ignores", _ignores),
    "target": ("targets", values.strings),
    "targets": ("target_overrides", values.tables),
    "exclude": ("exclude", values.glob_patterns),
    "extend-exclude": ("extend_exclude", values.glob_patterns),
    "include": ("include", values.glob_patterns),
    "max-file-size": ("max_file_size", values.count),
    "min-stranded-tokens": ("min_stranded_tokens", values.count),
    "fail-on": ("fail_on", _severity),
    "show-info": ("show_info", values.boolean),
    "rules": ("rules", _rules),
    "sources": ("sources", own.sources),
    "sinks": ("sinks", own.sinks),
    "names": ("names", own.names),
    "templates": ("templates", own.templates),
}
"""Each key of the file: the field it fills, and how its value is read."""
