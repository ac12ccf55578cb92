"""Judging Jinja expressions: what lifetime the value of ``user.name | upper`` has."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from prefixlint.frontends.promptfiles.facts import CONSTANT, UNKNOWN, Facts, Names, Window, combine, item_of
from prefixlint.knowledge.clocks import clock_format
from prefixlint.knowledge.template_functions import template_functions
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind
from prefixlint.model.segments import shape_of_part

if TYPE_CHECKING:
    from collections.abc import Mapping

_DRAWN = Facts(Lifetime.REQUEST, Origin(SourceKind.SHUFFLED), Confidence.HIGH)
_PASSIVE_METHODS = frozenset({"items", "values", "keys", "copy"})


@dataclass(frozen=True, slots=True)
class Scope:
    """Names bound inside the template, over the open ones."""

    bound: Mapping[str, Facts]
    names: Names

    def facts(self, name: str) -> Facts:
        known = self.bound.get(name)
        return self.names(name) if known is None else known


def judge(node: Any, scope: Scope) -> Facts:
    """Facts about the value of the jinja2 expression ``node``."""
    from jinja2 import nodes

    if isinstance(node, nodes.Const | nodes.TemplateData):
        return CONSTANT
    if isinstance(node, nodes.Name):
        return scope.facts(node.name)
    if isinstance(node, nodes.Getattr):
        return _part(judge(node.node, scope), node.attr, scope)
    if isinstance(node, nodes.Getitem):
        return _item(node, scope)
    if isinstance(node, nodes.Call):
        return _call(node, scope)
    if isinstance(node, nodes.Filter):
        return _filter(node, scope)
    return combine([judge(child, scope) for child in node.iter_child_nodes()])


def _part(owner: Facts, attribute: str, scope: Scope) -> Facts:
    """An attribute: the shorter of its owner's lifetime and what its own name tells; a sealed owner decides alone."""
    if owner.sealed or owner.lifetime is Lifetime.CONSTANT:
        return owner
    own = scope.names(attribute)
    if own.lifetime.known and (not owner.lifetime.known or owner.lifetime.outlives(own.lifetime)):
        return replace(own, name=owner.name)
    return replace(owner, grows=False, shape=shape_of_part(owner.shape))


def _item(node: Any, scope: Scope) -> Facts:
    from jinja2 import nodes

    owner = judge(node.node, scope)
    key = node.arg
    if isinstance(key, nodes.Const):
        if isinstance(key.value, str):
            return _part(owner, key.value, scope)
        if isinstance(key.value, int):
            return replace(owner, grows=False) if owner.grows else item_of(owner)
    if isinstance(key, nodes.Neg) and owner.grows:
        return _latest(owner) if _number(key) == -1 else _moving(owner)
    if isinstance(key, nodes.Slice):
        return _cut(owner, key, scope)
    item = replace(owner, grows=False, window=None, shape=shape_of_part(owner.shape))
    return combine([item, judge(key, scope)])


def _cut(owner: Facts, key: Any, scope: Scope) -> Facts:
    """``x[a:b]``: the end of a conversation is another one each turn, what is past in it stays."""
    from jinja2 import nodes

    if owner.grows and key.step is not None and (_number(key.step) or 0) < 0:
        return _moving(owner)
    start, stop = _number(key.start), _number(key.stop)
    if owner.grows and isinstance(key.start, nodes.Neg):
        if start == -1:
            return _latest(owner)
        return _moving(owner, Window(None if start is None else -start, _bound(key.start.node)))
    if owner.grows and stop is not None and stop > 0 and (key.start is None or start is not None):
        return replace(owner, lifetime=Lifetime.SESSION, grows=False)
    bounds = [judge(bound, scope) for bound in (key.start, key.stop, key.step) if bound is not None]
    return owner if all(bound is CONSTANT for bound in bounds) else combine([owner, *bounds])


def _number(node: Any) -> int | None:
    from jinja2 import nodes

    if isinstance(node, nodes.Neg) and isinstance(node.node, nodes.Const) and isinstance(node.node.value, int):
        return -node.node.value
    return node.value if isinstance(node, nodes.Const) and isinstance(node.value, int) else None


def _bound(node: Any) -> str:
    from jinja2 import nodes

    return str(node.value) if isinstance(node, nodes.Const) else node.name if isinstance(node, nodes.Name) else ""


def _moving(history: Facts, window: Window | None = None) -> Facts:
    """The end of a history: another one each turn."""
    return replace(history, lifetime=Lifetime.TURN, grows=False, window=window)


def _latest(history: Facts) -> Facts:
    """The last message of a history: that of this turn."""
    return replace(_moving(history), origin=Origin(SourceKind.USER_INPUT))


def window_by_count(condition: Any, scope: Scope) -> Window | None:
    """What a condition inside of a loop over a conversation keeps of it, where it counts from its end.

    ``loop.revindex <= 10``, or ``loop.index > messages | length - 10``.
    """
    from jinja2 import nodes

    counters = {
        node.attr
        for node in condition.find_all(nodes.Getattr)
        if isinstance(node.node, nodes.Name) and node.node.name == "loop"
    }
    if counters & {"revindex", "revindex0"}:
        sizes = [_number(node) for node in condition.find_all(nodes.Const)]
        return Window(sizes[0], str(sizes[0])) if len(sizes) == 1 and sizes[0] is not None else Window()
    counted = any(
        node.name in ("length", "count") and node.node is not None and judge(node.node, scope).grows
        for node in condition.find_all(nodes.Filter)
    )
    return Window() if counted and counters & {"index", "index0"} else None


def _call(node: Any, scope: Scope) -> Facts:
    from jinja2 import nodes

    arguments = [judge(child, scope) for child in (*node.args, *(k.value for k in node.kwargs))]
    first = node.args[0].value if node.args and isinstance(node.args[0], nodes.Const) else None
    callee, functions = node.node, template_functions()
    if isinstance(callee, nodes.Name):
        if callee.name in scope.bound:
            return combine([scope.bound[callee.name], *arguments])
        if callee.name in ("range", "dict", "namespace", "cycler", "joiner"):
            return combine(arguments)
        if callee.name == "caller":
            return UNKNOWN
        known = _known(callee.name)
        if known is not None:
            return _formatted(known, first) if callee.name == "strftime_now" else known
        named = scope.names(callee.name)
        return replace(combine([named, *arguments]), name=combine(arguments).name)
    if isinstance(callee, nodes.Getattr):
        root = callee.node
        while isinstance(root, nodes.Getattr):
            root = root.node
        if isinstance(root, nodes.Name) and root.name in functions.owners and root.name not in scope.bound:
            known = _known(callee.attr)
            if known is not None:
                return known
        owner = judge(callee.node, scope)
        if callee.attr in functions.formatters and owner.origin.kind is SourceKind.CLOCK:
            return _formatted(owner, first)
        if callee.attr in _PASSIVE_METHODS:
            return owner
        return combine([owner, *arguments])
    return combine([judge(callee, scope), *arguments])


def _known(name: str) -> Facts | None:
    """What a call of that name gives, where the name tells."""
    means = template_functions().calls.get(name)
    return None if means is None else Facts(means.lifetime, Origin(means.kind), means.confidence, means.shape)


def _formatted(clock: Facts, format_: object) -> Facts:
    if not isinstance(format_, str):
        return clock
    lifetime, shape = clock_format(format_)
    if lifetime is Lifetime.CONSTANT:
        return CONSTANT
    return replace(clock, lifetime=lifetime, shape=shape)


def _filter(node: Any, scope: Scope) -> Facts:
    from jinja2 import nodes

    owner, functions = judge(node.node, scope) if node.node is not None else CONSTANT, template_functions()
    arguments = [judge(child, scope) for child in (*node.args, *(k.value for k in node.kwargs))]
    if node.name in functions.random_filters:
        return replace(_DRAWN, name=owner.name)
    first = node.args[0].value if node.args and isinstance(node.args[0], nodes.Const) else None
    if node.name in functions.formatters and owner.origin.kind is SourceKind.CLOCK:
        return _formatted(owner, first)
    if owner.grows and node.name == "last":
        return _latest(owner)
    if owner.grows and node.name in functions.windows:
        return _moving(owner, None if first == 1 else Window(bound=str(first) if isinstance(first, int) else ""))
    if owner.grows and node.name in functions.moves:
        owner = _moving(owner)
    elif owner.window is not None and node.name in functions.moves:
        owner = replace(owner, window=None)
    if owner.grows and node.name in ("first", "first_turns"):
        owner = replace(owner, lifetime=Lifetime.SESSION, grows=False)
    elif node.name in functions.ends:
        owner = item_of(owner)
    if node.name in functions.shapes:
        owner = owner if owner is CONSTANT else replace(owner, shape=functions.shapes[node.name])
    return owner if all(argument is CONSTANT for argument in arguments) else combine([owner, *arguments])


def asks_presence(node: Any) -> bool:
    """True for a condition that only asks whether something is there: ``x``, ``not x``, ``x is defined``.

    Whether a thing is there changes more seldom than the thing, by how much nobody can tell from the template.
    """
    from jinja2 import nodes

    if isinstance(node, nodes.Not):
        return asks_presence(node.node)
    if isinstance(node, nodes.And | nodes.Or):
        return asks_presence(node.left) and asks_presence(node.right)
    if isinstance(node, nodes.Test):
        return node.name in ("defined", "undefined", "none", "mapping", "string", "iterable", "sequence")
    if isinstance(node, nodes.Compare):
        return all(
            isinstance(op.expr, nodes.Const) and op.expr.value in (None, "", 0) for op in node.ops
        ) and asks_presence(node.expr)
    if isinstance(node, nodes.Filter):
        return node.name in ("length", "count", "list", "trim", "default") and asks_presence(node.node)
    return isinstance(node, nodes.Name | nodes.Getattr | nodes.Getitem | nodes.Call)
