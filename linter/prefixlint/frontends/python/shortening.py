"""Which code seems to shorten a conversation, as it is written."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from prefixlint.frontends.python.additions import is_message
from prefixlint.frontends.python.syntax import adds, last_name
from prefixlint.knowledge.names import meaning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prefixlint.frontends.python.own_nodes import OwnNodes

_SHIFTS = frozenset({"popleft"})
_SHORTENS = _SHIFTS | {"pop", "remove"}


def cuts_conversation(nodes: OwnNodes) -> bool:
    """Whether code seems to shorten a list whose name says that it is a conversation, or to which it adds messages."""
    names = {last_name(node) for node in shortened_lists(nodes)}
    if not names:
        return False
    return any(meaning(name).grows for name in names) or any(
        last_name(call.func.value) in names
        for call in nodes.of(ast.Call)
        if adds(call.func) and any(map(is_message, call.args))
    )


def shortened_lists(nodes: OwnNodes) -> Iterator[ast.expr]:
    """What is shortened: by a method, by ``del``, or by a slice that starts at a place counted from the end or
    computed."""
    for call in nodes.of(ast.Call):
        function = call.func
        if isinstance(function, ast.Attribute) and function.attr in (_SHORTENS if call.args else _SHIFTS):
            yield function.value
    for statement in nodes.of(ast.Delete):
        yield from (target.value for target in statement.targets if isinstance(target, ast.Subscript))
    for node in nodes.of(ast.Subscript):
        if isinstance(node.slice, ast.Slice) and not isinstance(node.slice.lower, ast.Constant | None):
            yield node.value
    for assign in nodes.of(ast.Assign):
        value = assign.value
        cut = isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Slice)
        if cut and isinstance(value, ast.Subscript) and last_name(assign.targets[0]) == last_name(value.value):
            yield value.value
