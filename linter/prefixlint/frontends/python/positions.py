"""Places of ``ast`` nodes as character offsets (``ast`` counts UTF-8 bytes within a line)."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ast

    from prefixlint.model.sources import SourceFile, Span


SOURCE_LIMIT = 120


@dataclass(frozen=True, eq=False)
class Places:
    """Converts positions of the nodes parsed from ``file``."""

    file: SourceFile
    _spans: dict[ast.AST, Span] = field(default_factory=dict, repr=False)
    _sources: dict[ast.AST, str] = field(default_factory=dict, repr=False)

    def forget(self) -> None:
        """Forgets what is known of the nodes so far."""
        self._spans.clear()
        self._sources.clear()

    @cached_property
    def _ascii(self) -> bool:
        return self.file.text.isascii()

    def offset(self, line: int, byte_column: int) -> int:
        """Character offset of line ``line`` (from 1), byte ``byte_column`` (from 0)."""
        starts = self.file.line_starts
        start = starts[min(line, len(starts)) - 1]
        if self._ascii:
            return start + byte_column
        end = starts[line] if line < len(starts) else len(self.file.text)
        prefix = self.file.text[start : min(end, start + byte_column)]
        if prefix.isascii():
            return start + byte_column
        return start + len(prefix.encode("utf-8", "surrogatepass")[:byte_column].decode("utf-8", "ignore"))

    def start(self, node: ast.expr | ast.stmt) -> int:
        return self.offset(node.lineno, node.col_offset)

    def end(self, node: ast.expr | ast.stmt) -> int:
        return self.offset(node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)

    def span(self, node: ast.expr | ast.stmt) -> Span:
        """File span of a node (remembered: the same code is run many times)."""
        found = self._spans.get(node)
        if found is None:
            found = self._spans[node] = self.file.span(self.start(node), self.end(node))
        return found

    def source(self, node: ast.expr | ast.stmt) -> str:
        """The node's source on one line, at most ``SOURCE_LIMIT`` characters."""
        limit = SOURCE_LIMIT
        found = self._sources.get(node)
        if found is None:
            start = self.start(node)
            found = " ".join(self.file.text[start : min(self.end(node), start + 4 * limit)].split())
            found = self._sources[node] = found if len(found) <= limit else found[: limit - 1] + "…"
        return found
