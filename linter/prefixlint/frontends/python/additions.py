"""What functions add to what outlives them: to lists that an object or a module keeps, by themselves or under keys.

Read from the source alone: that messages are added to a list says that it is a conversation, whatever its name.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prefixlint.frontends.python.syntax import adds, last_name
from prefixlint.knowledge.roles import begins_pair

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from prefixlint.frontends.python.modules import FunctionInfo
    from prefixlint.frontends.python.own_nodes import OwnNodes
    from prefixlint.model.sources import Span

    # Attributes that lead from an object to what it keeps, or the name of a module's variable.
    Path = tuple[str, ...]

_BY_KEY = frozenset({"get", "setdefault", "pop"})


@dataclass(frozen=True, slots=True)
class Kept:
    """Something that outlives a function: ``own`` where the object of a method keeps it, ``keyed`` where it is what
    stands there under a key."""

    own: bool
    path: Path
    keyed: bool = False


@dataclass(frozen=True, slots=True)
class Addition:
    """Something that is added at ``place`` to what is kept, or stored there under a key (``stored``): whether
    ``messages`` are, or what the function is ``given``, so that its callers tell."""

    to: Kept
    place: Span
    messages: bool
    given: bool
    stored: bool


def additions(info: FunctionInfo) -> tuple[Addition, ...]:
    """What a function adds to what outlives it."""
    aliases, span = Aliases(info), info.module.places.span
    return tuple(
        Addition(kept, span(target), *_told(added, aliases, stored=stored), stored)
        for kept, target, added, stored in _additions(info.own_nodes, aliases)
    )


def _told(added: ast.expr, aliases: Aliases, *, stored: bool) -> tuple[bool, bool]:
    """Whether what is added are messages, and whether it is, before that is seen, what the function is given."""
    given = False
    for value in aliases.values(added):
        if is_message(value):
            return not stored or isinstance(value, ast.List), given
        given = given or (not stored and aliases.parameter(value))
    return False, given


def _additions(nodes: OwnNodes, aliases: Aliases) -> Iterator[tuple[Kept, ast.expr, ast.expr, bool]]:
    """What is added to, where, what is added, and whether it is stored under a key."""
    for call in nodes.of(ast.Call):
        function = call.func
        if adds(function) and call.args:
            kept = aliases.kept(function.value)
            if kept is not None:
                yield kept, function.value, call.args[-1], False
    for assign in nodes.of(ast.AugAssign):
        kept = aliases.kept(assign.target)
        if kept is not None and isinstance(assign.op, ast.Add):
            yield kept, assign.target, assign.value, False
    for target, more in nodes.lengthenings():
        kept = aliases.kept(target) if aliases.outlives(target) else None
        if kept is not None:
            yield from ((kept, target, added, False) for added in more)
    for target, value in nodes.bindings():
        if isinstance(target, ast.Subscript) and not isinstance(target.slice, ast.Slice):
            kept = aliases.kept(target)
            if kept is not None and kept.keyed:
                yield kept, target.value, value, True


class Aliases:
    """What the local names of a function stand for."""

    def __init__(self, info: FunctionInfo) -> None:
        self._info = info
        self._self = info.positional[0] if info.owner is not None and info.positional else ""
        self._parameters = set(info.defaults)
        self._bound: dict[str, list[ast.expr]] = {}
        for target, value in info.own_nodes.bindings():
            if isinstance(target, ast.Name):
                self._bound.setdefault(target.id, []).append(value)

    def kept(self, node: ast.expr, depth: int = 0) -> Kept | None:
        """What outlives the function that an expression stands for; None where it is none or not known."""
        if depth > 3:
            return None
        if isinstance(node, ast.Name):
            if node.id in self._info.global_names:
                return Kept(False, (node.id,))
            for value in self._bound.get(node.id, ()):
                found = self.kept(value, depth + 1)
                if found is not None:
                    return found
            known = node.id in self._bound or node.id in self._parameters
            return None if known else Kept(False, (node.id,))
        if isinstance(node, ast.Attribute):
            if isinstance(node.value, ast.Name) and node.value.id == self._self:
                return Kept(True, (node.attr,))
            if isinstance(node.value, ast.Attribute) and isinstance(node.value.value, ast.Name):
                own = node.value.value.id == self._self
                return Kept(True, (node.value.attr, node.attr)) if own else None
            return None
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice | ast.Constant):
            return self._under_key(node.value, depth)
        by_key = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _BY_KEY
        if by_key and isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            return None if isinstance(node.args[0], ast.Constant) else self._under_key(node.func.value, depth)
        return None

    def outlives(self, target: ast.expr) -> bool:
        """Whether what is bound to a target is found there when the function has ended."""
        return isinstance(target, ast.Attribute) or last_name(target) in self._info.global_names

    def _under_key(self, owner: ast.expr, depth: int) -> Kept | None:
        found = self.kept(owner, depth + 1)
        return None if found is None or found.keyed else Kept(found.own, found.path, True)

    def values(self, node: ast.expr) -> Iterable[ast.expr]:
        """What a local name may have been bound to, or the expression itself."""
        return self._bound.get(node.id, (node,)) if isinstance(node, ast.Name) else (node,)

    def parameter(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id in self._parameters


def is_message(node: ast.expr) -> bool:
    """Whether an expression writes out a message, or a list that holds one."""
    if isinstance(node, ast.Dict):
        keys = {key.value for key in node.keys if isinstance(key, ast.Constant)}
        return "role" in keys and not keys.isdisjoint(_SAID)
    if isinstance(node, ast.Call):
        name = last_name(node.func)
        named = name.endswith(("Message", "MessageParam")) and name[:1].isupper()
        keywords = {keyword.arg for keyword in node.keywords}
        return named or ("role" in keywords and not keywords.isdisjoint(_SAID))
    if isinstance(node, ast.List | ast.Tuple):
        pair = isinstance(node, ast.Tuple) and len(node.elts) == 2 and isinstance(node.elts[0], ast.Constant)
        if pair and isinstance(node.elts[0], ast.Constant):
            return begins_pair(node.elts[0].value)
        return any(is_message(element) for element in node.elts)
    return False


_SAID = frozenset({"content", "parts", "tool_calls", "function_call"})
