"""Whether a conversation that is cut under a condition is cut on each turn, or grows again for many turns in between.

That depends on how many more messages set off the cut than it leaves: ``if len(m) > 40: m = m[-20:]`` runs once in many
turns, ``if len(m) > 20: m = m[-20:]`` on each.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from prefixlint.frontends.python.syntax import last_name
from prefixlint.knowledge.call_names import call_names
from prefixlint.knowledge.names import expression_words, meaning, split_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from prefixlint.model.segments import Drift

MOST_TAKEN = 3
"""Messages that are dropped at a time, up to which a conversation is said to slide; who drops more pays more rarely."""

_ORDERS = ast.Lt | ast.LtE | ast.Gt | ast.GtE
# A sum of names and a number: how often each stands in it; the number stands under "".
_Sum = Counter[str]


def slides(drift: Drift, conditions: Iterable[str]) -> bool:
    """Whether a cut under these conditions, given as source, leaves about as many messages as set it off.

    Without a condition it runs on each turn. A condition that counts nothing says so by naming what the cut keeps; one
    that asks for a setting, or whether there is a conversation at all, says nothing.
    """
    if not drift.bound:
        return True
    kept = [bound for bound in (_sum_of(drift.bound), _number(drift.size)) if bound is not None]
    for condition in conditions:
        limits = _limits(condition)
        if limits and not any(_is_near(limit, bound) for limit in limits for bound in kept):
            return False
        if not limits and not speaks_of(drift.bound, condition) and not _is_setting(condition):
            return False
    return True


@lru_cache(maxsize=4096)
def weighs(condition: str) -> bool:
    """Whether a condition, given as source, compares with a limit how much there is, or how often something was done.

    How many there are of what by its name is no conversation (``len(file_ids) > 20``) is another matter.
    """
    tree = _parsed(condition)
    compared = (n for n in ast.walk(tree) if isinstance(n, ast.Compare)) if tree is not None else ()
    return any(
        isinstance(operator, _ORDERS) and any(map(_weighed, (node.left, *node.comparators)))
        for node in compared
        for operator in node.ops
    )


def _weighed(node: ast.expr) -> bool:
    """Whether a side of a comparison says how much there may be of a conversation, or how often something was done."""
    counted = [
        n.args[0]
        for n in ast.walk(node)
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == "len" and n.args
    ]
    if counted:
        known = [meaning(last_name(part)) for part in counted]
        return any(told.grows or not told.lifetime.known for told in known)
    return bool(_words(node) & (expression_words().amounts | expression_words().tries))


@lru_cache(maxsize=4096)
def measured(condition: str, *, exceeding: bool = False) -> str:
    """The limit with which a condition, given as source, compares how much of something there is; "" where it does
    not.

    What is compared is an amount by its words (``used_tokens > budget``), no count of attempts, and the limit is not
    whether there is any at all. ``exceeding`` where only one counts that holds while there is too much.
    """
    tree = _parsed(condition) if "<" in condition or ">" in condition else None
    for node in ast.walk(tree) if tree is not None else ():
        if not isinstance(node, ast.Compare) or len(node.ops) != 1 or not isinstance(node.ops[0], _ORDERS):
            continue
        left, right = node.left, node.comparators[0]
        if any(isinstance(side, ast.Constant) and side.value in _FEW for side in (left, right)):
            continue
        less, more = (right, left) if isinstance(node.ops[0], ast.Gt | ast.GtE) else (left, right)
        words = _words(left) | _words(right)
        if (
            words & expression_words().amounts
            and not words & expression_words().tries
            and not (exceeding and _is_limit(more) and not _is_limit(less))
        ):
            return ast.unparse(less)
    return ""


@lru_cache(maxsize=1024)
def asks_for_older(condition: str) -> bool | None:
    """Whether a condition, given as source, compares a place with their number and holds for all but the newest
    (``at < len(messages) - 1``); False where it holds for these alone, None for other conditions."""
    tree = _parsed(condition)
    if not isinstance(tree, ast.Compare) or len(tree.ops) != 1:
        return None
    order, counted = tree.ops[0], [_has_count(side) for side in (tree.left, tree.comparators[0])]
    if counted == [True, False]:
        less = isinstance(order, ast.Gt | ast.GtE | ast.NotEq)
    elif counted == [False, True]:
        less = isinstance(order, ast.Lt | ast.LtE | ast.NotEq)
    else:
        return None
    return less if isinstance(order, ast.NotEq | ast.Eq | _ORDERS) else None


def _is_limit(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) or bool(_words(node) & expression_words().limits)


def _words(node: ast.expr) -> frozenset[str]:
    """The words of the names in an expression."""
    names = (
        n.id if isinstance(n, ast.Name) else n.attr for n in ast.walk(node) if isinstance(n, ast.Name | ast.Attribute)
    )
    return frozenset(word for name in names for word in split_words(name))


_FEW = (0, 1, 2)


def _is_setting(condition: str) -> bool:
    """Whether a condition does no more than look at attributes of something, or at whether there is anything at all."""
    tree = _parsed(condition)
    if tree is None:
        return False
    if isinstance(tree, ast.Name):
        return meaning(tree.id).grows
    empty = {id(node.left) for node in ast.walk(tree) if isinstance(node, ast.Compare) and _asks_for_any(node)}
    return not any(isinstance(node, ast.Call | _ORDERS) and id(node) not in empty for node in ast.walk(tree))


def _asks_for_any(node: ast.Compare) -> bool:
    """``len(messages) == 0``."""
    same = isinstance(node.ops[0], ast.Eq | ast.NotEq)
    side = node.comparators[0]
    return same and isinstance(side, ast.Constant) and side.value == 0 and _has_count(node.left)


def sums_up(name: str) -> bool:
    """Whether by its name a function, or what is kept under the name, replaces many messages by a few: it is done once
    in many turns."""
    return call_names().summing_up.search(name) is not None


def is_shortening(name: str) -> bool:
    """Whether by its name a function gives back less of what it is given, and nothing in its place."""
    told = call_names().shortening.search(name) is not None or not call_names().dropping.isdisjoint(split_words(name))
    return told and not sums_up(name)


def speaks_of(bound: str, condition: str) -> bool:
    """Whether ``bound`` stands in the source of a condition."""
    return re.search(rf"(?<![\w.]){re.escape(bound)}(?![\w.])", condition) is not None


def _is_near(limit: _Sum, bound: _Sum) -> bool:
    if limit[""] <= _FEW[-1] and not any(name and count for name, count in limit.items()):
        # Whether there is anything at all.
        return True
    rest = limit.copy()
    rest.subtract(bound)
    return all(not count or not name for name, count in rest.items()) and rest[""] <= MOST_TAKEN


def _number(size: int | None) -> _Sum | None:
    return None if size is None else Counter({"": size})


@lru_cache(maxsize=1024)
def _limits(condition: str) -> tuple[_Sum, ...]:
    """What numbers of entries are compared with in a condition."""
    tree = _parsed(condition)
    return () if tree is None else tuple(_compared(tree))


def _compared(tree: ast.expr) -> Iterator[_Sum]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], _ORDERS):
            left, right = node.left, node.comparators[0]
            if _has_count(left):
                yield _sum(right)
            elif _has_count(right):
                yield _sum(left)


def _has_count(node: ast.expr) -> bool:
    """Whether a side of a comparison counts entries, or says by its words that it is an amount, and no limit of one."""
    if any(isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == "len" for n in ast.walk(node)):
        return True
    words = _words(node)
    return bool(words & expression_words().amounts) and not words & (
        expression_words().limits | expression_words().tries
    )


@lru_cache(maxsize=1024)
def _sum_of(source: str) -> _Sum | None:
    tree = _parsed(source)
    return None if tree is None else _sum(tree)


@lru_cache(maxsize=1024)
def _parsed(source: str) -> ast.expr | None:
    """The tree of an expression, which several ask for and nobody changes; None where it cannot be read."""
    try:
        return ast.parse(f"({source}\n)", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _sum(node: ast.expr) -> _Sum:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return Counter({"": node.value})
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return _times(_sum(node.operand), -1)
    if isinstance(node, ast.BinOp):
        if isinstance(node.op, ast.Add | ast.Sub):
            out = _sum(node.left)
            out.update(_times(_sum(node.right), 1 if isinstance(node.op, ast.Add) else -1))
            return out
        if isinstance(node.op, ast.Mult):
            for one, other in ((node.left, node.right), (node.right, node.left)):
                if isinstance(one, ast.Constant) and type(one.value) is int:
                    return _times(_sum(other), one.value)
    if isinstance(node, ast.BoolOp) and isinstance(node.values[-1], ast.Constant) and node.values[-1].value == 0:
        return Counter()  # ``margin or 0``: none where nothing else is said
    return Counter({ast.unparse(node): 1})


def _times(terms: _Sum, factor: int) -> _Sum:
    return Counter({name: count * factor for name, count in terms.items()})
