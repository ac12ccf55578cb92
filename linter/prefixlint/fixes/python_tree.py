"""A Python file as libcst reads it, with the place of each node in characters."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import libcst as cst

    from prefixlint.model.sources import SourceFile


N = TypeVar("N", bound="cst.CSTNode")


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

    @cached_property
    def _by_type(self) -> dict[type[cst.CSTNode], list[cst.CSTNode]]:
        """All nodes of each class, in the order of the file. One walk serves every question: libcst's matchers walk
        the whole file for each."""
        out: dict[type[cst.CSTNode], list[cst.CSTNode]] = defaultdict(list)
        stack: list[cst.CSTNode] = [self.module]
        while stack:
            node = stack.pop()
            out[type(node)].append(node)
            stack.extend(reversed(node.children))
        return out

    @cached_property
    def _by_name(self) -> dict[str, list[cst.Name]]:
        import libcst

        out: dict[str, list[cst.Name]] = defaultdict(list)
        for node in self._by_type[libcst.Name]:
            if isinstance(node, libcst.Name):
                out[node.value].append(node)
        return out

    def every(self, kind: type[N], within: cst.CSTNode | None = None) -> list[N]:
        """The nodes of a class, in the whole file or within a node."""
        found = [node for node in self._by_type[kind] if isinstance(node, kind)]
        return found if within is None else [node for node in found if self._holds(within, node)]

    def any_of(self, kinds: Iterable[type[cst.CSTNode]], within: cst.CSTNode) -> bool:
        return any(self.every(kind, within) for kind in kinds)

    def names(self, value: str, within: cst.CSTNode) -> list[cst.Name]:
        """Where a name stands within a node."""
        return [node for node in self._by_name[value] if self._holds(within, node)]

    def _holds(self, outer: cst.CSTNode, inner: cst.CSTNode) -> bool:
        if outer is self.module:
            return True
        (low, high), (start, end) = self.place(outer), self.place(inner)
        return low <= start and end <= high

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
