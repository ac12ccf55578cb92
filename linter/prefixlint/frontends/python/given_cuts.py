"""Conversations that a function is given and cuts where they stand: whoever gave them finds no more than their end.

``messages[:] = messages[-n:]``, ``agent.messages = agent.messages[start:]`` and ``del messages[:start]``, where the
start is counted from the end, also where it is moved on from there to a place that fits (``start += 1``).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from prefixlint.frontends.python.given_back import conditions_at, may_be_conversation
from prefixlint.frontends.python.loop_shapes import newest_first, stops_early
from prefixlint.frontends.python.own_nodes import bound_by
from prefixlint.frontends.python.shortening import slice_behind
from prefixlint.frontends.python.syntax import adds, last_name
from prefixlint.frontends.python.thresholds import measured, slides
from prefixlint.knowledge.names import meaning
from prefixlint.model.segments import Drift

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from prefixlint.frontends.python.modules import FunctionInfo

    _Source = Callable[[ast.expr], str]


def cut_in_place(info: FunctionInfo) -> Iterator[ast.expr]:
    """The slices by which a function leaves a conversation that it was given no more than its last messages, each time
    that it runs."""
    owner = info.positional[0] if info.owner is not None and info.positional else ""
    given = set(info.defaults) - {owner}
    aliases = {
        target.id: value
        for target, value in info.own_nodes.bindings()
        if isinstance(target, ast.Name) and isinstance(value, ast.Attribute)
    }

    def is_given(node: ast.expr) -> bool:
        if isinstance(node, ast.Name) and node.id in aliases:
            node = aliases[node.id]
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and node.id in given

    places = info.module.places
    for kind in (ast.Assign, ast.AnnAssign, ast.Delete):
        for node in info.own_nodes.of(kind):
            for whole, start, cut in _cuts(node, places.source):
                name = last_name(whole)
                conversation = meaning(name).grows and may_be_conversation(name) and is_given(whole)
                bound = _kept(start, whole, info) if conversation else ""
                span = places.span(cut)
                drift = Drift("window", places.source(cut), span, _number(bound), bound)
                if bound and slides(drift, conditions_at(info, span)):
                    yield cut
    for loop in info.own_nodes.loops():
        listed = newest_first(loop.iter)
        name = "" if listed is None else last_name(listed)
        if listed is None or not (meaning(name).grows and may_be_conversation(name) and is_given(listed)):
            continue
        test = stops_early(loop, places.source)
        if test is None or not _is_put_back(loop, listed, info):
            continue
        span = places.span(loop.iter)
        drift = Drift("window", places.source(loop.iter), span, None, measured(places.source(test)))
        if slides(drift, conditions_at(info, span)):
            yield loop.iter


def _is_put_back(loop: ast.For | ast.AsyncFor, listed: ast.expr, info: FunctionInfo) -> bool:
    """Whether what a loop gathers from the end of a conversation takes its place: ``request.messages = kept[::-1]``."""
    calls = [node for statement in loop.body for node in ast.walk(statement) if isinstance(node, ast.Call)]
    adding = (call.func for call in calls if adds(call.func))
    gathered = {last_name(function.value) for function in adding if isinstance(function, ast.Attribute)}
    source = info.module.places.source
    for target, value in info.own_nodes.bindings():
        place = target.value if isinstance(target, ast.Subscript) else target
        if source(place) == source(listed) and {last_name(newest_first(value) or value), last_name(value)} & gathered:
            return True
    return False


def _cuts(node: ast.stmt, source: _Source) -> Iterator[tuple[ast.expr, ast.expr, ast.expr]]:
    """Conversations that a statement cuts where they stand: each with the place from which on it is kept, and with what
    cuts it."""
    for target, value in bound_by(node):
        rest = slice_behind(value)
        if rest is None or not isinstance(rest.slice, ast.Slice) or rest.slice.lower is None:
            continue
        whole = target
        if isinstance(target, ast.Subscript):
            if not isinstance(target.slice, ast.Slice) or target.slice.upper is not None:
                continue
            whole = target.value
        elif not isinstance(target, ast.Attribute):
            continue
        if rest.slice.upper is None and source(whole) == source(rest.value):
            yield whole, rest.slice.lower, rest
    if isinstance(node, ast.Delete):
        for target in node.targets:
            if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice) and target.slice.upper:
                yield target.value, target.slice.upper, target


def _kept(start: ast.expr, whole: ast.expr, info: FunctionInfo) -> str:
    """How many messages are kept by a cut at ``start``, as source; "" where it is not counted from the end."""
    if isinstance(start, ast.UnaryOp) and isinstance(start.op, ast.USub):
        return info.module.places.source(start.operand)
    if isinstance(start, ast.Name):
        values = [value for target, value in info.own_nodes.bindings() if last_name(target) == start.id]
        found = (_kept(arm, whole, info) for value in values for arm in _arms(value) if not isinstance(arm, ast.Name))
        return next((bound for bound in found if bound), "")
    count = start.left if isinstance(start, ast.BinOp) and isinstance(start.op, ast.Sub) else None
    if not isinstance(start, ast.BinOp) or not isinstance(count, ast.Call) or last_name(count.func) != "len":
        return ""
    same = bool(count.args) and last_name(count.args[0]) == last_name(whole)
    return info.module.places.source(start.right) if same else ""


def _arms(value: ast.expr) -> Iterator[ast.expr]:
    """``a`` and ``b`` of ``a if c else b`` and of ``max(a, b)``, else the expression itself."""
    if isinstance(value, ast.IfExp):
        yield from (value.body, value.orelse)
    elif isinstance(value, ast.Call) and last_name(value.func) == "max":
        yield from value.args
    else:
        yield value


def _number(bound: str) -> int | None:
    return int(bound) if bound.isdecimal() else None
