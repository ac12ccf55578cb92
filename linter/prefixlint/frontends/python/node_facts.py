"""What is known of syntax nodes alone, whoever evaluates them and when: found once for a project."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ast

    from prefixlint.frontends.python.literals import Piece
    from prefixlint.frontends.python.older_places import Older
    from prefixlint.frontends.python.values import Opaque, Val


@dataclass(frozen=True, slots=True)
class NodeFacts:
    """``unknown`` and ``fixed`` are the opaque values at expressions of which nothing is known, or that never change,
    ``constants`` the values of constants, ``pieces`` the parts of f-strings, ``placed`` the expressions of their fields
    with true positions. Of loops, ``plain`` says whether all passes are run to their end and send nothing, ``older``
    what they do to all but the last messages, ``by_number`` whether they give another form to those behind the first
    few, ``measuring`` whether they are repeated while there is too much; ``turned`` is the same loop written as one
    over a list from its end on. Of calls, ``asking`` says whether they seem to ask a model, ``modelled`` whether what
    they call is one by its name."""

    unknown: dict[ast.AST, Opaque] = field(default_factory=dict)
    fixed: dict[ast.AST, Opaque] = field(default_factory=dict)
    constants: dict[ast.AST, Val] = field(default_factory=dict)
    pieces: dict[ast.AST, tuple[Piece, ...] | None] = field(default_factory=dict)
    placed: dict[ast.AST, ast.expr] = field(default_factory=dict)
    plain: dict[ast.AST, bool] = field(default_factory=dict)
    older: dict[ast.AST, Older | None] = field(default_factory=dict)
    by_number: dict[ast.AST, bool] = field(default_factory=dict)
    measuring: dict[ast.AST, bool] = field(default_factory=dict)
    asking: dict[ast.AST, bool] = field(default_factory=dict)
    modelled: dict[ast.AST, bool] = field(default_factory=dict)
    turned: dict[ast.AST, ast.For | None] = field(default_factory=dict)

    def forget(self) -> None:
        """Forgets all, with the nodes."""
        for known in (self.unknown, self.fixed, self.constants, self.pieces, self.placed, self.turned, self.older):
            known.clear()
        for told in (self.plain, self.by_number, self.measuring, self.asking, self.modelled):
            told.clear()
