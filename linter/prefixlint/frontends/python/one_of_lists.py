"""Variables that hold one of several lists in front of a loop: ``messages = [a] if short else [b]``.

What the loop adds, it adds to whichever it is. So they become one list, with a choice among its items.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING

from prefixlint.frontends.python.state import State, join_dicts, join_lists, join_values
from prefixlint.frontends.python.strings import constant_text
from prefixlint.frontends.python.values import Choose, DictThing, ListThing, Many, Maybe, Ref, Splat, Str

if TYPE_CHECKING:
    from prefixlint.frontends.python.modules import FunctionInfo
    from prefixlint.frontends.python.values import Val


def with_one_list(state: State, function: FunctionInfo | None) -> State:
    """The state in which each variable that holds one of several lists which the function has written out holds one."""
    if function is None:
        return state
    for name, value in state.variables.items():
        if isinstance(value, Choose) and all(isinstance(arm, Ref) for arm in value.values):
            things = [_list(arm, state) for arm in value.values]
            found = [thing for thing in things if thing is not None and thing.kind == "list"]
            if found and len(found) == len(things) and _writes_out(name, function):
                state, choice = state.fork(), replace(value, values=())
                state.variables[name] = state.new(reduce(lambda one, other: _either(one, other, choice, state), found))
    return state


def _list(value: Val, state: State) -> ListThing | None:
    thing = state.heap.get(value.id) if isinstance(value, Ref) else None
    return thing if isinstance(thing, ListThing) else None


def _writes_out(name: str, info: FunctionInfo) -> bool:
    """Whether all that a function sets a variable to is a list that it writes out, which nothing else can hold, or made
    of what it held before."""
    values = [v for target, v in info.own_nodes.bindings() if isinstance(target, ast.Name) and target.id == name]
    arms = [arm for v in values for arm in ((v.body, v.orelse) if isinstance(v, ast.IfExp) else (v,))]
    return bool(values) and all(
        isinstance(arm, ast.List) or any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(arm))
        for arm in arms
    )


def _either(one: ListThing, other: ListThing, choice: Choose, state: State) -> ListThing:
    """One of two lists: item by item, if they have as many."""
    items: list[Val] = []
    for mine, theirs in zip(one.items, other.items, strict=False):
        if not isinstance(mine, Splat | Many | Maybe) and not isinstance(theirs, Splat | Many | Maybe):
            items.append(_message(mine, theirs, choice, state))
    if len(items) == len(one.items) == len(other.items):
        return replace(one, items=tuple(items))
    return join_lists(one, other, choice)


def _message(mine: Val, theirs: Val, choice: Choose, state: State) -> Val:
    """One of two messages: one dictionary with a choice under each key, if they are dictionaries."""
    one, other = (state.heap.get(each.id) if isinstance(each, Ref) else None for each in (mine, theirs))
    if not isinstance(one, DictThing) or not isinstance(other, DictThing):
        return join_values(mine, theirs, choice)
    joined = join_dicts(one, other, choice)
    for key, value in one.entries:
        same = other.get(key)
        if isinstance(same, Str) and isinstance(value, Str) and _is_same(value, same):
            joined = joined.set(key, value)
    return state.new(joined)


def _is_same(one: Str, other: Str) -> bool:
    text = constant_text(one.segments)
    return text is not None and constant_text(other.segments) == text
