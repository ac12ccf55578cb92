"""Data files of the package, which stand beside the modules that read them or in folders there."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def text(module: str, name: str) -> str:
    """The text of the file ``name`` beside a module, which hands its ``__file__``; raises ``FileNotFoundError``."""
    return (Path(module).parent / name).read_text(encoding="utf-8")


def table(module: str, name: str) -> dict[str, Any]:
    """The TOML table of such a file."""
    import tomllib

    return tomllib.loads(text(module, name))


def names(module: str, folder: str) -> tuple[str, ...]:
    """Names of the TOML files in a folder beside a module, in order, without their suffix."""
    return tuple(sorted(path.stem for path in (Path(module).parent / folder).glob("*.toml")))
