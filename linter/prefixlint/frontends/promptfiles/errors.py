"""What goes wrong in a prompt file, with its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.model.templates import Problem

if TYPE_CHECKING:
    from prefixlint.model.sources import Position, Span


class PromptFileError(ValueError):
    """A file or template that cannot be read. ``problem`` says where, why, and the way out."""

    def __init__(self, path: str, position: Position, message: str) -> None:
        super().__init__(f"{path}:{position.line}:{position.column}: {message}")
        self.problem = Problem(path, position, message)

    @classmethod
    def at(cls, span: Span, message: str) -> PromptFileError:
        return cls(span.path, span.start, message)
