"""Loops over a conversation, as they are written: those from its end on, those that stop at a limit, and those that
change its messages but for the last ones."""

from __future__ import annotations

import ast
import builtins
from typing import TYPE_CHECKING

from prefixlint.frontends.python.own_nodes import bound_by, is_same
from prefixlint.frontends.python.syntax import adds, last_name
from prefixlint.frontends.python.thresholds import measured
from prefixlint.knowledge.libraries import libraries

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_STOPS = ast.Break | ast.Return


def newest_first(node: ast.expr) -> ast.expr | None:
    """What is run over from its end on; ``messages`` of ``reversed(messages)``, of ``messages[::-1]`` and of
    ``range(len(messages) - 1, -1, -1)``."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        return node.value if turns_round(node.slice) else None
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or not node.args:
        return None
    if node.func.id == "reversed":
        inner = node.args[0]
        return newest_first(inner) or inner if isinstance(inner, ast.Call) and _is_passing(inner) else inner
    if node.func.id in _PASSING:
        inner = node.args[0]
        return newest_first(inner)
    if node.func.id == "range" and len(node.args) == 3 and _is_back(node.args[2]):
        for part in ast.walk(node.args[0]):
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == "len" and part.args:
                return part.args[0]
    return None


def from_the_end(loop: ast.For | ast.AsyncFor) -> ast.expr | None:
    """The list that a loop goes through from its end on, by its places too."""
    return newest_first((turned(loop) or loop).iter)


def turned(loop: ast.For | ast.AsyncFor) -> ast.For | None:
    """``for m in reversed(messages): …``, which is what ``for i in range(len(messages)): m = messages[-1 - i]; …`` and
    ``for i in range(len(messages) - 1, -1, -1): m = messages[i]; …`` do; None for other loops."""
    counted = loop.iter
    if not isinstance(counted, ast.Call) or last_name(counted.func) != "range" or not isinstance(loop.target, ast.Name):
        return None
    (message, item), *_ = *bound_by(loop.body[0]), (None, None)
    if not isinstance(message, ast.Name) or not isinstance(item, ast.Subscript) or len(loop.body) == 1:
        return None
    listed, number = newest_first(counted), loop.target.id
    back = listed is not None
    if back and any(isinstance(node, _STOPS) for statement in loop.body for node in ast.walk(statement)):
        return None  # it looks for a place
    if listed is None and len(counted.args) == 1 and isinstance(counted.args[0], ast.Call):
        count = counted.args[0]
        listed = count.args[0] if last_name(count.func) == "len" and count.args else None
    if listed is None or not is_same(listed, item.value):
        return None
    if not (is_same(item.slice, loop.target) if back else _counts_back(item.slice, number, listed)):
        return None
    if any(isinstance(n, ast.Name) and n.id == number for rest in loop.body[1:] for n in ast.walk(rest)):
        return None
    over = ast.Call(ast.Name("reversed", ast.Load()), [listed], [])
    ast.copy_location(over.func, ast.copy_location(over, counted))
    return ast.copy_location(ast.For(message, over, loop.body[1:], loop.orelse), loop)


def _counts_back(place: ast.expr, number: str, listed: ast.expr) -> bool:
    """Whether a place in a list is counted from its end: ``~i``, ``-(i + 1)``, ``len(messages) - 1 - i``."""
    if isinstance(place, ast.UnaryOp) and isinstance(place.op, ast.USub | ast.Invert):
        return _counts_on(place.operand, number)
    if not isinstance(place, ast.BinOp) or not isinstance(place.op, ast.Sub):
        return False
    if _counts_on(place.right, number):
        first = place.left
        while isinstance(first, ast.BinOp) and isinstance(first.op, ast.Sub):
            first = first.left
        counts = isinstance(first, ast.Call) and last_name(first.func) == "len" and bool(first.args)
        return _is_back(first) or (counts and isinstance(first, ast.Call) and is_same(first.args[0], listed))
    return isinstance(place.right, ast.Constant) and _counts_back(place.left, number, listed)


def _counts_on(node: ast.expr, number: str) -> bool:
    """``i`` and ``i + 1``."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _counts_on(node.left, number) or _counts_on(node.right, number)
    return isinstance(node, ast.Name) and node.id == number


def _is_passing(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id in _PASSING


_PASSING = frozenset({"enumerate", "list", "tuple", "iter"})


def turns_round(cut: ast.Slice) -> bool:
    """``[::-1]``."""
    return cut.lower is None and cut.upper is None and _is_back(cut.step)


def _is_back(node: ast.expr | None) -> bool:
    return (
        isinstance(node, ast.UnaryOp)
        and isinstance(node.op, ast.USub)
        and isinstance(node.operand, ast.Constant)
        and node.operand.value == 1
    )


def limit_of(body: list[ast.stmt], source: Callable[[ast.expr], str]) -> str:
    """The limit at which a loop's body leaves the loop, as ``source`` gives it; "" where it does not for an amount."""
    test = leaving(body, source)
    return "" if test is None else measured(source(test))


def leaving(body: list[ast.stmt], source: Callable[[ast.expr], str]) -> ast.expr | None:
    """The test by which a loop's body leaves the loop for an amount; None where it does not."""
    for statement in body:
        found = None
        if isinstance(statement, ast.If):
            stops = any(isinstance(s, _STOPS) for s in (*statement.body, *statement.orelse))
            if stops and measured(source(statement.test)):
                return statement.test
            found = leaving(statement.body, source) or leaving(statement.orelse, source)
        elif isinstance(statement, ast.Try | ast.With | ast.AsyncWith):
            found = leaving(statement.body, source)
        if found is not None:
            return found
    return None


def fitting(loop: ast.For | ast.AsyncFor, source: Callable[[ast.expr], str]) -> ast.expr | None:
    """The test by which a loop takes an item only where what it has spent so far leaves room for it; None where it does
    not: ``if tokens <= left: kept.append(m); left -= tokens``."""
    nodes = [node for statement in loop.body for node in ast.walk(statement)]
    spent = {last_name(node.target) for node in nodes if isinstance(node, ast.AugAssign)}
    for node in nodes if spent else ():
        if not isinstance(node, ast.If) or not spent & {n.id for n in ast.walk(node.test) if isinstance(n, ast.Name)}:
            continue
        calls = [n for statement in node.body for n in ast.walk(statement) if isinstance(n, ast.Call)]
        taken = any(
            adds(call.func) and last_name(call.args[-1]) == last_name(loop.target) for call in calls if call.args
        )
        if taken and measured(source(node.test)):
            return node.test
    return None


def stops_early(loop: ast.For | ast.AsyncFor, source: Callable[[ast.expr], str]) -> ast.expr | None:
    """The test by which a loop takes no more items once there are enough of them; None where it has none."""
    return leaving(loop.body, source) or fitting(loop, source) or _counting_up(loop)


def _counting_up(loop: ast.For | ast.AsyncFor) -> ast.expr | None:
    """The test by which a loop leaves off when what it counts up has reached a limit; None where it does not:
    ``if rounds >= most: break``, ``if rounds < most: … else: break``."""
    nodes = [node for statement in loop.body for node in ast.walk(statement)]
    added = (node for node in nodes if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add))
    counted = {node.target.id for node in added if isinstance(node.target, ast.Name)}
    for node in nodes if counted else ():
        if isinstance(node, ast.If) and _limits(node.test, counted):
            side = (*node.body, *node.orelse)
            if any(isinstance(statement, _STOPS) for statement in side):
                return node.test
    return None


_CONTENT = frozenset({"content", "text", "output", "observation", "result", "parts"})


def message_of(target: ast.expr) -> ast.expr | None:
    """The message whose text is assigned to: ``m`` of ``m["content"]``, ``m.content``, ``m["content"][0]["text"]``."""
    found = None
    while isinstance(target, ast.Subscript | ast.Attribute):
        key: object = target.attr if isinstance(target, ast.Attribute) else None
        if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
            key = target.slice.value
        if key == "cache_control":
            return None
        target = target.value
        if key in _CONTENT:
            found = target
    return found


def changed_by_number(loop: ast.For | ast.AsyncFor) -> ast.expr | None:
    """The test by which a loop from the newest message on gives another form to those behind the first few: it compares
    what the loop counts up (``seen += 1``, ``if seen > 3: m = …``). None for other loops, and where it leaves off."""
    loop = turned(loop) or loop
    if newest_first(loop.iter) is None:
        return None
    nodes = [node for statement in loop.body for node in ast.walk(statement)]
    if any(isinstance(node, _STOPS) for node in nodes):
        return None
    counted = {
        node.target.id for node in nodes if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name)
    }
    for node in nodes if counted else ():
        if isinstance(node, ast.If) and _limits(node.test, counted) and _changes(node, loop.target):
            return node.test
    return None


def _limits(test: ast.expr, counted: set[str]) -> bool:
    """Whether a test asks if one of these numbers has reached a limit."""
    return any(
        isinstance(part, ast.Compare)
        and isinstance(part.ops[0], ast.Gt | ast.GtE | ast.Lt | ast.LtE)
        and isinstance(part.left, ast.Name)
        and part.left.id in counted
        for part in ast.walk(test)
    )


def _changes(branch: ast.If, message: ast.expr) -> bool:
    """Whether a branch changes a message, or puts it or its parts elsewhere; markers of caches are no part of it."""
    found = False
    for statement in (*branch.body, *branch.orelse):
        if marks_cache(statement):
            return False
        for node in ast.walk(statement):
            for target, value in bound_by(node):
                itself = isinstance(target, ast.Name) and target.id == last_name(message)
                found = found or itself or message_of(target) is not None or _puts_in_front(target, value)
            if isinstance(node, ast.Call):
                found = found or adds(node.func)
            found = found or takes_away(node)
    return found


def marks_cache(node: ast.AST) -> bool:
    """Whether code names the marker up to which a provider caches a prompt."""
    return any(isinstance(part, ast.Constant) and part.value == "cache_control" for part in ast.walk(node))


def _puts_in_front(target: ast.expr, value: ast.expr) -> bool:
    """``kept = [message] + kept``, ``kept = [message, *kept]``."""
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add) and isinstance(value.left, ast.List):
        return last_name(value.right) == last_name(target)
    last = value.elts[-1] if isinstance(value, ast.List) and value.elts else None
    return isinstance(last, ast.Starred) and last_name(last.value) == last_name(target)


def asks_for_roles(loop: ast.For | ast.AsyncFor) -> bool:
    """Whether a loop looks at the roles of what it runs over: messages, whatever they are called."""
    return any(
        (isinstance(node, ast.Constant) and node.value == "role")
        or (isinstance(node, ast.Attribute) and node.attr == "role")
        for statement in loop.body
        for node in ast.walk(statement)
    )


def item_of(target: ast.expr) -> ast.expr:
    """The item among what a loop binds: ``m`` of ``for i, m in enumerate(…)``."""
    return target.elts[-1] if isinstance(target, ast.Tuple) and target.elts else target


def rebuilt_list(loop: ast.For | ast.AsyncFor) -> tuple[str, bool] | None:
    """The one list that a loop over messages puts them into, some in another form, and whether each in front of those
    before (``kept = [message] + kept``, ``kept.insert(0, message)``); None for other loops."""
    message = item_of(loop.target)
    taken = next(iter(bound_by(loop.body[0])), None)
    if taken is not None and isinstance(taken[1], ast.Subscript) and is_same(taken[1].slice, message):
        message = taken[0]  # ``m = messages[i]``
    found, itself = set[tuple[str, bool]](), False
    for node in (node for statement in loop.body for node in ast.walk(statement)):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            if not _puts_in_front(node.targets[0], node.value):
                continue
            first = node.value.left if isinstance(node.value, ast.BinOp) else node.value
            name, added, front = node.targets[0].id, first.elts[0] if isinstance(first, ast.List) else None, True
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and adds(node.func) and node.args:
            if not isinstance(node.func.value, ast.Name):
                return None
            name, added, front = node.func.value.id, node.args[-1], len(node.args) > 1
        else:
            continue
        found.add((name, front))
        itself = itself or (added is not None and is_same(added, message))
    return found.pop() if itself and len(found) == 1 else None


def takes_away(node: ast.AST) -> bool:
    """``m["content"].remove(part)``, ``del m["content"][1]``: whether a part of a message is taken out of it."""
    if isinstance(node, ast.Delete):
        return any(message_of(target) is not None for target in node.targets)
    function = node.func if isinstance(node, ast.Call) else None
    return (
        isinstance(function, ast.Attribute)
        and function.attr in ("remove", "pop", "clear")
        and not marks_cache(node)
        and message_of(function.value) is not None
    )


def changes_in_place(loop: ast.For | ast.AsyncFor) -> bool:
    """Whether a loop changes the messages themselves that it runs over."""
    nodes = [node for statement in loop.body for node in ast.walk(statement)]
    targets = (target for node in nodes for target, _ in bound_by(node))
    return any(message_of(target) is not None for target in targets) or any(map(takes_away, nodes))


def looked_for(node: ast.For | ast.AsyncFor) -> frozenset[str]:
    """Variables of a loop that looks for the item which is something fixed (``if tool.name == "read": break``): each
    time it finds the same one. None of a loop that asks anything else, or what it makes of anything else."""
    made: dict[str, list[ast.expr]] = {}
    for target, value in (pair for inner in ast.walk(node) for pair in bound_by(inner)):
        for name in ast.walk(target):
            if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store):
                made.setdefault(name.id, []).append(value)
    tests = [each.test for each in ast.walk(node) if isinstance(each, ast.If | ast.IfExp)]
    asked, left = set[str](), _named_in(tests)
    while left:
        asked |= left
        left = _named_in([value for name in left for value in made.get(name, ())]) - asked
    items = _named_in([node.target])
    fixed = all(name in items or name in made or _is_fixed(name) for name in asked)
    return frozenset(items.union(made)) if tests and fixed else frozenset()


def _named_in(nodes: Iterable[ast.expr]) -> set[str]:
    return {name.id for node in nodes for name in ast.walk(node) if isinstance(name, ast.Name)}


def _is_fixed(name: str) -> bool:
    """Whether a name is one of Python's own that gives the same for the same: ``input`` does not."""
    return hasattr(builtins, name) and libraries().at_path(f"builtins.{name}") is None
