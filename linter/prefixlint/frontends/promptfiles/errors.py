"""What goes wrong in a prompt file, with its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.model.templates import Problem

if TYPE_CHECKING:
    from prefixlint.model.sources import Position, Span


MAX_PLACEHOLDERS = 5_000
"""Most placeholders, conditions and loops in one template; measuring takes seconds for ten times as many."""
TOO_MANY = (
    f"more than {MAX_PLACEHOLDERS:,} placeholders in one template; not read (exclude the file if it is no prompt)"
)


class PromptFileError(ValueError):
    """A file or template that cannot be read. ``problem`` says where, why, and the way out."""

    def __init__(self, path: str, position: Position, message: str) -> None:
        super().__init__(f"{path}:{position.line}:{position.column}: {message}")
        self.problem = Problem(path, position, message)

    @classmethod
    def at(cls, span: Span, message: str) -> PromptFileError:
        return cls(span.path, span.start, message)

    @property
    def is_bound(self) -> bool:
        """True for a template that is too large, which tells nothing of whether it is one."""
        return self.problem.message.endswith(TOO_MANY)
