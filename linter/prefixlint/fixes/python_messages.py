"""Moves out of the system text into a message of its own behind the conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from prefixlint.fixes.edits import replace
from prefixlint.fixes.flow import VALUE
from prefixlint.fixes.python_lists import role_of
from prefixlint.fixes.python_order import around, bindings, dotted, parameters
from prefixlint.fixes.units import units
from prefixlint.model.findings import Edit, Fix

if TYPE_CHECKING:
    from collections.abc import Iterator

    import libcst as cst

    from prefixlint.fixes.flow import Flow, Range
    from prefixlint.fixes.hosts import Host
    from prefixlint.fixes.python_tree import PythonTree
    from prefixlint.fixes.units import Unit

SYSTEM_ARGUMENTS: Final = frozenset({"system"})
"""Arguments that hold the system text beside the messages."""


def new_message(
    tree: PythonTree, host: Host, root: cst.CSTNode, at: int, messages: cst.BaseExpression
) -> Iterator[Fix]:
    """Takes what stands around the value at ``at`` out of ``host`` and puts it behind the ``messages``."""
    flow = host.flow()
    for unit in units(flow, at):
        rest = without(flow, unit)
        if rest is None or not _known_there(tree, host, unit, root, messages):
            continue
        text, message = host.written(rest), host.written(((unit.start, unit.end),))
        added = message and _added(tree, messages, _plain(message))
        if text is None or not added:
            continue
        start, end = host.tokens[0].start, host.tokens[-1].end
        taken = replace(tree.source, start, end, text)
        yield Fix("unsafe", "move it into a message of its own behind the conversation", (taken, added))


def without(flow: Flow, unit: Unit) -> tuple[Range, ...] | None:
    """The flow without the unit and the white space that set it off; None where nothing else is left."""
    start, end, text = unit.start, unit.end, flow.text
    while end < len(text) and text[end].isspace():
        end += 1
    if end == len(text) or not text[end:].strip():
        end = unit.end
        while start > 0 and text[start - 1].isspace():
            start -= 1
    elif unit.lines is not None and start > 0 and text[start - 1] == "\n":
        # As many blank lines stay as stood in front or behind, whichever are more.
        front = len(text[:start]) - len(text[:start].rstrip())
        if front < end - unit.end:
            lead = start - front
            return ((0, lead), (unit.end, len(text))) if text[:lead].strip() else ((end, len(text)),)
    ranges = tuple((low, high) for low, high in ((0, start), (end, len(text))) if low < high)
    return ranges if "".join(text[low:high] for low, high in ranges).strip() else None


def _known_there(tree: PythonTree, host: Host, unit: Unit, root: cst.CSTNode, place: cst.CSTNode) -> bool:
    """Do the names in the unit's values mean the same where the messages are made?"""
    import libcst as cst

    here, there = tree.scope(root), tree.scope(place)
    for at in range(unit.start, unit.end):
        if host.chars[at] != VALUE:
            continue
        low, high = host.starts[at], host.ends[at]
        node = tree.innermost(low, high)
        for name in tree.every(cst.Name, node):
            if not (low <= tree.place(name)[0] and tree.place(name)[1] <= high):
                continue
            bound = len(list(bindings(tree, here, name.value)))
            parameter = isinstance(here, cst.FunctionDef) and any(each.value == name.value for each in parameters(here))
            if here is there:
                if bound + parameter > 1:
                    return False
            elif isinstance(here, cst.FunctionDef) and (bound or parameter) and not _self(here, there, name.value):
                return False
        if tree.any_of((cst.Await, cst.NamedExpr), node):
            return False
    return True


def _self(here: cst.CSTNode, there: cst.CSTNode, name: str) -> bool:
    """Is it the object whose methods both functions are?"""
    import libcst as cst

    firsts = [parameters(each)[:1] for each in (here, there) if isinstance(each, cst.FunctionDef)]
    return name == "self" and len(firsts) == 2 and all(first and first[0].value == "self" for first in firsts)


def _plain(literal: str) -> str:
    """A triple-quoted literal of one line in plain quotes."""
    for quote in ('"""', "'''"):
        opening, found, rest = literal.partition(quote)
        if found and len(opening) <= 2 and rest.endswith(quote):
            body = rest[: -len(quote)]
            if "\n" not in body and quote[0] not in body and not body.endswith("\\"):
                return f"{opening}{quote[0]}{body}{quote[0]}"
    return literal


def _added(tree: PythonTree, messages: cst.BaseExpression, literal: str) -> Edit | None:
    """The edit that adds the message behind all, in front of a last message of the user that stands there itself."""
    import libcst as cst

    source = tree.source
    message = f'{{"role": "user", "content": {literal}}}'
    start, end = around(tree, messages)
    if not isinstance(messages, cst.List):
        if not dotted(messages):
            return None
        return replace(source, start, end, f"[*{source.text[start:end]}, {message}]")
    elements = list(messages.elements)
    if not elements:
        return None
    last = elements[-1]
    low, high = tree.place(last)
    low = low if source.text[low] == "*" else around(tree, last.value)[0]
    if not isinstance(elements[0].value, cst.Dict | cst.Name) and not any(
        isinstance(each.value, cst.Dict) for each in elements
    ):
        return None
    if len(elements) > 1 and role_of(last.value) == "user":
        gap = _gap(source.text, _end(tree, elements[-2]), low)
        return None if gap is None else Edit(source.span(low, low), f"{message},{gap}")
    high = _end(tree, last)
    opening = tree.place(messages.lbracket)[1]
    first = tree.place(elements[0])[0]
    gap = _gap(source.text, _end(tree, elements[-2]) if len(elements) > 1 else opening, low) if last else None
    if gap is None:
        return None
    if len(elements) == 1:
        gap = source.text[opening:first] if "\n" in source.text[opening:first] else " "
    return Edit(source.span(high, high), f",{gap}{message}")


def _end(tree: PythonTree, element: cst.BaseElement) -> int:
    return around(tree, element.value)[1]


def _gap(text: str, start: int, end: int) -> str | None:
    """White space between two elements, without the comma; None where a comment stands there."""
    between = text[start:end].replace(",", "", 1)
    return between if not between.strip() else None
