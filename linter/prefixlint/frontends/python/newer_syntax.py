"""Reads syntax that is newer than the running Python: libcst parses it, and its pieces are written in an older way.

Every rewriting has the length of what it replaces, so that all places stay. What cannot be written so is left: the
file then does not parse. PEP 695 (type parameters, ``type``), PEP 701 (quotes and backslashes within f-strings), PEP
750 (t-strings) and PEP 758 (``except A, B:``).
"""

from __future__ import annotations

import ast
import re
import sys
import warnings
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prefixlint.model.sources import SourceFile

_QUOTED = re.compile(r"([A-Za-z]*)(\"\"\"|'''|\"|')")
_OTHER = {'"': "'", "'": '"'}
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


def parsed(file: SourceFile) -> ast.Module | None:
    """The syntax tree of a file that the running Python cannot parse; None where libcst cannot either, or where it
    holds what no older syntax of the same length says."""
    import libcst
    from libcst.metadata import MetadataWrapper, PositionProvider

    from prefixlint.model.sources import Position

    try:
        wrapper = MetadataWrapper(libcst.parse_module(file.text), unsafe_skip_copy=True)
        places = wrapper.resolve(PositionProvider)
    except (libcst.ParserSyntaxError, RecursionError, ValueError):
        return None
    text = file.text

    def place(node: libcst.CSTNode) -> tuple[int, int]:
        found = places[node]
        start, end = (Position(at.line, at.column + 1) for at in (found.start, found.end))
        return file.offset(start), file.offset(end)

    chars = list(text)
    for start, end, instead in _rewritten(wrapper.module, place, text):
        if "\n" in text[start:end] or "\r" in text[start:end]:
            return None  # lines would be lost
        # Columns count bytes, so that is what has to stay.
        width = len(text[start:end].encode("utf-8", "surrogatepass"))
        chars[start:end] = [instead.ljust(width), *[""] * (end - start - 1)]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse("".join(chars), filename=file.path)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _rewritten(module: Any, place: Any, text: str) -> Iterator[tuple[int, int, str]]:
    """Start and end of each piece that is too new, and what to write there."""
    import libcst

    # Of other nodes the places are not asked for: the white space of ``case {…}`` has none.
    written = (
        libcst.TypeParameters,
        libcst.TypeAlias,
        libcst.ExceptHandler,
        libcst.SimpleString,
        libcst.FormattedString,
    )
    stack: list[tuple[Any, str]] = [(module, "")]
    while stack:
        node, outer = stack.pop()
        template = type(node).__name__ == "TemplatedString"
        start, end = place(node) if template or isinstance(node, written) else (0, 0)
        if isinstance(node, libcst.TypeParameters) and sys.version_info < (3, 12):
            yield start, end, ""
            continue
        if isinstance(node, libcst.TypeAlias) and sys.version_info < (3, 12):
            yield start, place(node.name)[0], "0;"  # a statement that begins at the same column
        elif isinstance(node, libcst.ExceptHandler) and isinstance(node.type, libcst.Tuple) and not node.type.lpar:
            first = place(node.type.elements[0].value)[1]
            yield first, place(node.type)[1], ""
        elif outer and sys.version_info < (3, 12) and isinstance(node, libcst.SimpleString | libcst.FormattedString):
            # No backslash either within the expression of another one: what stands there is read from the source.
            for escape in _ESCAPE.finditer(text, start, end):
                at = escape.start()
                yield at, at + 1, "_"
                if escape[1] in "\\\"'":
                    yield at + 1, at + 2, "_"
            found = _QUOTED.match(text, start)
            quote = found[2] if found is not None else ""
            # The same quotes as around it: the other ones, where there are none of them within.
            if quote == outer and len(quote) == 1 and _OTHER[quote] not in text[start:end]:
                opening = start + len(found[1]) if found is not None else start
                yield opening, opening + 1, _OTHER[quote]
                yield end - 1, end, _OTHER[quote]
                outer = _OTHER[quote]
        if template and sys.version_info < (3, 14):
            found = _QUOTED.match(text, start)
            if found is not None:
                yield start, start + len(found[1]), found[1].replace("t", "f").replace("T", "f")
        if isinstance(node, libcst.FormattedString) or template:
            found = _QUOTED.match(text, start)
            inner = found[2] if found is not None and not outer else outer
            stack += [(child, inner) for child in node.children]
            continue
        stack += [(child, outer) for child in node.children]
