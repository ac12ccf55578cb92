"""Moves in strings of Python: literals of every kind, f-strings, implicit concatenation and ``+``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.fixes.flow import FIXED
from prefixlint.fixes.hosts import Host, Token
from prefixlint.fixes.moves import moves
from prefixlint.fixes.places import rank_within
from prefixlint.fixes.python_order import around
from prefixlint.frontends.python.literals import Field, LiteralError, read_literal
from prefixlint.model.findings import Fix

if TYPE_CHECKING:
    from collections.abc import Iterator

    import libcst as cst

    from prefixlint.fixes.python_tree import PythonTree

Places = dict[tuple[int, int], float]


def string_root(tree: PythonTree, node: cst.CSTNode) -> cst.BaseExpression | None:
    """The whole string expression that ``node`` is a part of: the outermost literal, concatenation or sum."""
    import libcst as cst

    found: cst.BaseExpression | None = None
    for parent in (node, *tree.up(node)):
        if isinstance(parent, cst.SimpleString | cst.FormattedString | cst.ConcatenatedString):
            found = parent
        elif isinstance(parent, cst.BinaryOperation) and isinstance(parent.operator, cst.Add):
            if _is_sum(parent):
                found = parent
        elif isinstance(parent, cst.FormattedStringText | cst.FormattedStringExpression):
            continue
        elif found is not None or parent is not node:
            break
    return found


def _is_sum(node: cst.BinaryOperation) -> bool:
    """Is it a sum of strings? A list or a number in it says no."""
    import libcst as cst

    operands = list(_operands(node))
    strings = (cst.SimpleString, cst.FormattedString, cst.ConcatenatedString)
    others = (cst.List, cst.Tuple, cst.Integer, cst.Float, cst.ListComp, cst.Dict)
    return any(isinstance(each, strings) for each in operands) and not any(
        isinstance(each, others) for each in operands
    )


def _operands(node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    import libcst as cst

    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Add):
        yield from _operands(node.left)
        yield from _operands(node.right)
    else:
        yield node


def _leaves(node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    import libcst as cst

    for operand in _operands(node):
        if isinstance(operand, cst.ConcatenatedString):
            yield from _strings(operand)
        else:
            yield operand


def _strings(node: cst.ConcatenatedString) -> Iterator[cst.BaseExpression]:
    import libcst as cst

    for part in (node.left, node.right):
        if isinstance(part, cst.ConcatenatedString):
            yield from _strings(part)
        else:
            yield part


def string_host(tree: PythonTree, root: cst.BaseExpression, places: Places) -> Host | None:
    """The text of a string expression, with its values; None for what cannot be read."""
    import libcst as cst

    source = tree.source
    host = Host(source)
    try:
        for leaf in _leaves(root):
            start, end = around(tree, leaf)
            if isinstance(leaf, cst.SimpleString | cst.FormattedString):
                start, end = tree.place(leaf)
                if isinstance(leaf, cst.FormattedString):
                    opening, closing = leaf.start, leaf.end
                else:
                    opening, closing = leaf.prefix + leaf.quote, leaf.quote
                if "b" in opening.lower():
                    return None
                host.tokens.append(Token(start, end, opening, closing))
                within = [(*place, rank) for place, rank in places.items() if start < place[0] and place[1] < end]
                for piece in read_literal(source, start, end):
                    if isinstance(piece, Field):
                        host.add_value(piece.start, piece.end, rank_within(places, piece.start, piece.end, FIXED))
                    else:
                        host.add_map(piece.text, piece.source, within)
            else:
                host.tokens.append(Token(start, end, literal=False))
                host.add_value(start, end, rank_within(places, start, end, FIXED))
    except LiteralError:
        return None
    if not host.chars or not host.ordered:
        return None
    host.close()
    host.joiner = _joiner(host, isinstance(root, cst.BinaryOperation))
    return host


def _joiner(host: Host, summed: bool) -> str | None:
    """What stands between two tokens; None where that is a comment."""
    text = host.source.text
    gaps = [text[one.end : other.start] for one, other in zip(host.tokens, host.tokens[1:], strict=False)]
    if any("#" in gap for gap in gaps):
        return None
    if not summed:
        return gaps[0] if gaps else ""
    added = next((gap for gap in gaps if gap.count("+") == 1 and not set("()") & set(gap)), None)
    return added if added is not None else " + "


def string_moves(tree: PythonTree, host: Host, start: int, end: int, rank: float) -> Iterator[Fix]:
    """Moves of what stands around the value at ``start`` to ``end``, which lives as ``rank`` says."""
    at = host.offset(start, end)
    if at is None:
        return
    host.lives[at] = min(rank, host.lives.get(at, rank))
    for move in moves(host.flow(), at):
        edit = host.edit(move)
        if edit is not None:
            yield Fix("unsafe", host.told(move), (edit,))
