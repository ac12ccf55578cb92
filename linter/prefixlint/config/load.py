"""Finds and reads the configuration, and says exactly what is wrong with it."""

from __future__ import annotations

import os
import tomllib
from typing import TYPE_CHECKING, Any

from prefixlint.config import values
from prefixlint.config.keys import KEYS
from prefixlint.config.model import Config, ConfigError, did_you_mean
from prefixlint.config.selection import Selection
from prefixlint.discover.projects import OWN_FILE, PROJECT_FILE
from prefixlint.discover.walk import DEFAULT_EXCLUDE

if TYPE_CHECKING:
    from collections.abc import Mapping

LARGEST = 10_000_000
"""Bytes of a configuration that are read at most."""


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
            return b"prefixlint" in stream.read(LARGEST)
    except OSError:
        return False


def _table(path: str) -> Mapping[str, Any] | None:
    """The table with our settings; ``None`` when a pyproject.toml has none."""
    try:
        with open(path, "rb") as stream:
            data = stream.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise ConfigError(f"{_shown(path)}: larger than {LARGEST:,} bytes; not read")
        document = tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:  # also numbers with too many digits
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
    for name in table:
        if name not in KEYS:
            raise ConfigError(f"{file}: unknown key {name!r}{did_you_mean(name, KEYS)}")
    given: dict[str, Any] = {}
    for name, key in KEYS.items():
        if name in table:
            given[key.field] = key.read(f"{file}: {name}", table[name])
    selection = Selection(given.pop("select", None), given.pop("extend", ()), given.pop("ignore", ()))
    if "extend_exclude" in given:
        given["exclude"] = given.get("exclude", DEFAULT_EXCLUDE) + given.pop("extend_exclude")
    for path in given.get("sinks", ()):
        if path in given.get("sources", ()):
            raise ConfigError(f"{file}: {path!r} is under sources and under sinks; keep one")
    return Config(root=root, file=file, selections=(selection,) if selection != Selection() else (), **given)
