"""Programs as text, and the templates that are found in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.frontends.python import analyse
from prefixlint.model.sources import SourceFile

if TYPE_CHECKING:
    from prefixlint.model.templates import Template


def templates_of(program: str, path: str = "app.py") -> tuple[Template, ...]:
    """The templates of a program of one module, which has to be followed without a fault."""
    found = analyse([SourceFile(path, program)], lambda _: None)[path]
    assert found.faults == ()
    return tuple(found.templates)
