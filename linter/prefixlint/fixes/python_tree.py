"""A Python file as libcst reads it, with the place of each node in characters."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import libcst as cst

    from prefixlint.model.sources import SourceFile


class PythonTree:
    """The parsed file. Raises ``ValueError`` for a file that libcst does not give back letter for letter."""

    def __init__(self, source: SourceFile) -> None:
        import libcst
        from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper, ParentNodeProvider

        self.source = source
        try:
            module = libcst.parse_module(source.text)
        except (libcst.ParserSyntaxError, RecursionError) as error:
            raise ValueError(f"not Python that libcst reads: {error}") from None
        if module.code != source.text:
            raise ValueError("libcst does not give the file back as it is")
        wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
        self.module = wrapper.module
        self._parents: Mapping[cst.CSTNode, cst.CSTNode] = wrapper.resolve(ParentNodeProvider)
        self._bytes = wrapper.resolve(ByteSpanPositionProvider)

    @cached_property
    def _characters(self) -> list[int] | None:
        """For each byte of the file the character it belongs to; ``None`` where all are ASCII."""
        text = self.source.text
        if text.isascii():
            return None
        out: list[int] = []
        for at, char in enumerate(text):
            out.extend([at] * len(char.encode("utf-8", "surrogatepass")))
        out.append(len(text))
        return out

    def place(self, node: cst.CSTNode) -> tuple[int, int]:
        """First character of a node and the one behind its last; brackets around an expression are left out."""
        span = self._bytes[node]
        start, end = span.start, span.start + span.length
        table = self._characters
        return (start, end) if table is None else (table[start], table[end])

    def text(self, node: cst.CSTNode) -> str:
        start, end = self.place(node)
        return self.source.text[start:end]

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        return self._parents.get(node)

    def innermost(self, start: int, end: int) -> cst.CSTNode:
        """The smallest node that holds the characters ``start`` to ``end``."""
        node: cst.CSTNode = self.module
        while True:
            for child in node.children:
                if child in self._bytes:
                    low, high = self.place(child)
                    # Brackets stand outside of what they belong to, so a field's text is held by its parent.
                    if low <= start and end <= high and high > low:
                        node = child
                        break
            else:
                return node

    def exactly(self, start: int, end: int) -> cst.BaseExpression | None:
        """The outermost expression whose place is just that."""
        import libcst

        node: cst.CSTNode | None = self.innermost(start, end)
        found = None
        while node is not None and self.place(node) == (start, end):
            if isinstance(node, libcst.BaseExpression):
                found = node
            node = self.parent(node)
        return found

    def up(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The node's parents, the nearest first."""
        parent = self._parents.get(node)
        while parent is not None:
            yield parent
            parent = self._parents.get(parent)

    def scope(self, node: cst.CSTNode) -> cst.CSTNode:
        """The function that the node stands in, or the module."""
        import libcst

        return next((each for each in self.up(node) if isinstance(each, libcst.FunctionDef)), self.module)
