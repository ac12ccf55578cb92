"""Queries for the newest rows of a store: what they give is the end of a conversation, if messages of both sides are
made of it.
"""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python.conversations import tail, window
from prefixlint.frontends.python.syntax import last_name
from prefixlint.frontends.python.values import Opaque, Str
from prefixlint.knowledge.call_names import call_names
from prefixlint.knowledge.names import split_words
from prefixlint.model.segments import Drift, Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.values import Val

_SQL = re.compile(r"\border\s+by\b[^;()]{1,200}\bdesc\b[^;()]{0,200}\blimit\b", re.IGNORECASE)
_FIRST = re.compile(r"\[\s*:\s*(?P<most>[^\[\]:]+)\]\Z")

_MOST_ASKED = 100


def newest_rows(value: Val, node: ast.Call, name: str, given: Iterable[Val], frame: Frame) -> Val:
    """The result of a call by the last ``name`` that is not followed, which was ``given`` these values."""
    if not isinstance(value, Opaque) or (value.drift is not None and value.drift.kind != "counted"):
        return value
    given = tuple(given)
    if value.grows and _is_capped(name, node) and not any(isinstance(one, Opaque) and one.grows for one in given):
        return value.but(grows=False, drift=replace(_tail(node, frame), kind="window"))
    query = next((one.drift for one in given if isinstance(one, Opaque) and _is_tail(one)), None)
    if query is not None and name in call_names().querying:
        return value.but(drift=query)  # ``session.exec(statement)``
    asked = (
        (name in call_names().querying and asks_for_newest(node))
        or any(isinstance(one, Str) and _is_sql_for_newest(one) for one in given)
        or _takes_from_the_end(name, node)
        or (_asks_for_last(name, node) and not any(isinstance(one, Opaque) and one.grows for one in given))
    )
    if asked and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
        _note_cursor(node.func.value.id, node, frame)
    return value.but(drift=_tail(node, frame)) if asked else value


def _is_capped(name: str, node: ast.Call) -> bool:
    """Whether a call that gives a conversation by its name asks for its last messages, or for so many of them."""
    if not call_names().newest.isdisjoint(split_words(name)):
        return True
    asked = [keyword.value for keyword in node.keywords if keyword.arg in call_names().limits]
    if any(not isinstance(most, ast.Constant) or _is_few(most.value) for most in asked):
        return True
    return any(isinstance(arg, ast.Constant) and type(arg.value) is int and _is_few(arg.value) for arg in node.args)


def _asks_for_last(name: str, node: ast.Call) -> bool:
    """``memory.get_last_n(self.rounds)``, ``memory.recent(limit=10)``: so many of the newest, by the name of what gives
    them."""
    words, known = split_words(name), call_names()
    given = [("", argument) for argument in node.args] + [(one.arg or "", one.value) for one in node.keywords]
    if known.newest.isdisjoint(words) or not given:
        return False
    numbers = [one.value for _, one in given if isinstance(one, ast.Constant) and type(one.value) is int]
    if numbers:
        return any(map(_is_few, numbers))
    told = words[-1] in known.numbers or any(key in known.limits for key, _ in given)
    return told or any(not known.numbers.isdisjoint(split_words(last_name(one))) for _, one in given)


def _is_few(number: object) -> bool:
    """Whether a conversation may come to be longer; a large number is there for the store's sake."""
    return isinstance(number, int) and 1 < number <= _MOST_ASKED


def newest_first(node: ast.Subscript, cut: ast.Slice, value: Opaque, frame: Frame) -> Opaque | None:
    """The first rows of a query, sliced, that begins with the newest ones (``query.order_by("-sent")[:10]``)."""
    if cut.lower is not None or cut.upper is None or cut.step is not None or value.drift is not None:
        return None
    return (
        value.but(drift=_tail(node, frame)) if isinstance(node.value, ast.Call) and _is_backwards(node.value) else None
    )


def turned(value: Opaque, node: ast.expr, frame: Frame) -> Opaque | None:
    """The first of many, the other way round (``history[:20][::-1]``): what begins with its newest is kept to its end.

    None where nothing says that only the first are taken.
    """
    first = _FIRST.search(value.expression)
    if first is None or value.drift is not None:
        return None
    most = first["most"].strip()
    kept = int(most) if most.isdecimal() else None, most
    return window(value, node, kept, frame) if value.grows else tail(value, node, kept, frame)


def rows_of(owner: Opaque, name: str, value: Opaque) -> Opaque:
    """An attribute of what a query for the newest rows gave: the rows still, by its name."""
    known = _is_tail(owner) and name in call_names().row_attributes
    return value.but(drift=owner.drift) if known and value.drift is None else value


def _is_tail(value: Opaque) -> bool:
    return value.drift is not None and value.drift.kind == "tail"


def _tail(node: ast.expr, frame: Frame) -> Drift:
    return Drift("tail", frame.module.places.source(node), frame.module.places.span(node))


def _note_cursor(name: str, node: ast.Call, frame: Frame) -> None:
    """``cursor.execute(…)``: it is the cursor that gives the rows."""
    held = frame.state.variables.get(name) if frame.state is not None else None
    if isinstance(held, Opaque) and frame.state is not None and node is frame.unused:
        frame.state.variables[name] = replace(held, drift=_tail(node, frame))


def _is_sql_for_newest(value: Str) -> bool:
    return _SQL.search("".join(s.text if isinstance(s, Text) else "?" for s in value.segments)) is not None


def _takes_from_the_end(name: str, node: ast.Call) -> bool:
    """``redis.lrange(key, -20, -1)``, ``redis.zrevrange(key, 0, 19)``."""
    if name in call_names().ranges and len(node.args) == 3:
        return isinstance(node.args[1], ast.UnaryOp) and isinstance(node.args[1].op, ast.USub)
    return name in call_names().reversed_ranges


def asks_for_newest(node: ast.Call) -> bool:
    """Whether a query, written as calls, orders backwards and takes a number of rows."""
    return any(limit in call_names().limits for limit in _told(node)) and _is_backwards(node)


def _told(node: ast.Call) -> Iterator[str]:
    """Names of the methods and arguments in a query."""
    for part in ast.walk(node):
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute):
            yield part.func.attr
        elif isinstance(part, ast.keyword) and part.arg is not None:
            yield part.arg


def _is_backwards(node: ast.Call) -> bool:
    """Whether a query, written as a chain of calls, orders backwards."""
    backwards = call_names().backwards
    return any(
        (isinstance(n, ast.Attribute) and n.attr in backwards)
        or (isinstance(n, ast.Name) and n.id in backwards)
        or (isinstance(n, ast.keyword) and n.arg in backwards)
        or (isinstance(n, ast.UnaryOp) and isinstance(n.op, ast.USub))
        or (isinstance(n, ast.Constant) and isinstance(n.value, str) and _says_backwards(n.value))
        for n in ast.walk(node)
    )


def _says_backwards(text: str) -> bool:
    """``"-created_at"``, ``"desc"``, ``"created_at DESC"``."""
    return text.startswith("-") or (len(text) < 60 and "desc" in split_words(text.lower()))
