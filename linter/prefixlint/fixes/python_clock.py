"""A clock that says no more than the day."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from prefixlint.fixes.edits import replace
from prefixlint.fixes.python_order import dotted
from prefixlint.model.findings import Edit, Fix

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from prefixlint.fixes.python_tree import PythonTree

_DATE: Final = re.compile(r"%-?[YymdaAbBjxDF]")
_TIME: Final = re.compile(
    r"(?:[\s,;T@(-]|\bat\b|\\n)*%-?[HIXTRrpMSfcszZ](?:[:.hms]|\s*%-?[HIXTRrpMSfzZ]|UTC|\s?[hH]\b)*\)?(?:\s?UTC)?"
)
_CLOCKS: Final = frozenset({"now", "utcnow", "today"})


def coarsened(tree: PythonTree, places: Iterable[tuple[int, int]]) -> Iterator[Fix]:
    """Fixes that leave the time of day out of a date that is made at one of ``places``."""
    import libcst as cst

    source = tree.source
    spots = list(places)

    def inside(node: cst.CSTNode) -> bool:
        low, high = tree.place(node)
        return any(start <= low and high <= end for start, end in spots)

    for call in tree.every(cst.Call):
        if not isinstance(call.func, cst.Attribute) or not inside(call):
            continue
        method = call.func.attr.value
        if method == "strftime" and len(call.args) == 1 and isinstance(call.args[0].value, cst.SimpleString):
            literal = call.args[0].value
            new = day_only(tree.text(literal))
            if new is not None:
                start, end = tree.place(literal)
                yield Fix("unsafe", "say no more than the day", (replace(source, start, end, new),), "value")
        elif method == "isoformat" and not call.args and _is_now(call.func.value):
            _, end = tree.place(call.func.value)
            yield Fix("unsafe", "say no more than the day", (Edit(source.span(end, end), ".date()"),), "value")
        elif _is_now(call) and isinstance(tree.parent(call), cst.FormattedStringExpression):
            field = tree.parent(call)
            assert isinstance(field, cst.FormattedStringExpression)
            _, end = tree.place(call)
            if field.format_spec is None and field.conversion is None:
                yield Fix("unsafe", "say no more than the day", (Edit(source.span(end, end), ".date()"),), "value")
            elif field.format_spec and all(isinstance(part, cst.FormattedStringText) for part in field.format_spec):
                start, stop = tree.place(field.format_spec[0])[0], tree.place(field.format_spec[-1])[1]
                new = day_only(source.text[start:stop])
                if new is not None:
                    yield Fix("unsafe", "say no more than the day", (replace(source, start, stop, new),), "value")


def _is_now(node: object) -> bool:
    import libcst as cst

    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
        return False
    owner = dotted(node.func.value)
    return node.func.attr.value in _CLOCKS and owner in ("datetime", "datetime.datetime", "dt.datetime")


def day_only(form: str) -> str | None:
    """A format of a date and a time without the time; None for one that has no date, or says nothing of a time."""
    new = _TIME.sub("", form)
    if new == form or not _DATE.search(new) or _TIME.search(new):
        return None
    return new
