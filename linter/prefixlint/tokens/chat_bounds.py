"""What a chat template may use up: steps of loops and calls, and text that it makes on the way.

Jinja's sandbox keeps a template from reaching into Python; it does not keep it from looping for hours, or from a text
of terabytes. Each rendering gets an allowance. Loops, calls, filters and operators take from it, and what would make
more than the whole allowance is refused before it is made.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import TYPE_CHECKING, Any

import jinja2
from jinja2 import nodes
from jinja2.exceptions import SecurityError
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Final

LONGEST: Final = 20_000_000
"""Characters of one text, or entries of one list."""
STEPS: Final = 2_000_000
"""Steps of one rendering: turns of loops, calls, filters, operators. Fifty characters that are made are a step too."""
_PER_STEP: Final = 50
_MOST_BITS: Final = 100_000
_WIDTH: Final = re.compile(r"\d+")
_left: ContextVar[list[int] | None] = ContextVar("left", default=None)

# Methods and filters whose result grows with a number they are given: by so much, or so much for each character.
_WIDER: Final = frozenset({"center", "ljust", "rjust", "zfill", "batch", "slice", "to_bytes", "lipsum", "truncate"})
_TIMES: Final = frozenset({"indent", "tojson", "expandtabs", "wordwrap", "pprint", "generate_lorem_ipsum"})
_FORMATS: Final = frozenset({"format", "format_map"})


@contextmanager
def allowance() -> Iterator[None]:
    """A fresh allowance for what is rendered within."""
    token = _left.set([STEPS])
    try:
        yield
    finally:
        _left.reset(token)


def _take(steps: int) -> None:
    left = _left.get()
    if left is None:
        return
    left[0] -= steps
    if left[0] < 0:
        raise SecurityError("it does not come to an end: too many steps, or too much text")


def _size(value: object) -> int:
    return len(value) if isinstance(value, str | bytes | list | tuple | dict) else 1


def _made(value: Any) -> Any:
    """``value``, whose making is paid for."""
    _take(1 + _size(value) // _PER_STEP)
    return value


def _refuse(size: int) -> None:
    if size > LONGEST:
        raise SecurityError("an operation makes more text than is rendered")


def _numbers(values: Iterable[object]) -> int:
    return max((each for each in values if isinstance(each, int)), default=0)


def _longest(values: Iterable[object]) -> int:
    return max((_size(each) for each in values), default=0)


def _foresee(name: str, given: object, arguments: list[object]) -> None:
    """Refuses a method or filter called ``name`` of ``given`` that would make more than is rendered."""
    if name in _WIDER:
        _refuse(_size(given) + _numbers(arguments))
    elif name in _TIMES:
        _refuse((_size(given) + 1) * max(1, _numbers(arguments), _longest(arguments)))
    elif name == "replace":
        old, new = ([*arguments, "", ""])[:2]
        _refuse((_size(given) // max(1, _size(old)) + 1) * max(1, _size(new)) + _size(given))
    elif name == "translate":
        tables = [table.values() for table in arguments if isinstance(table, dict)]
        _refuse(_size(given) * max(1, *(_longest(values) for values in tables), 1))
    elif name == "join":
        # ``given`` is the separator of the method, and the list of the filter.
        lists = [each for each in (given, *arguments) if isinstance(each, list | tuple)]
        between = _longest(each for each in (given, *arguments) if isinstance(each, str))
        _refuse(sum(_size(each) + between for one in lists for each in one))
    elif name in _FORMATS and isinstance(given, str):
        _refuse(_formatted(given, arguments))


def _formatted(form: str, arguments: list[object]) -> int:
    """How long ``form`` may get, filled with ``arguments``."""
    values = [each for one in arguments for each in (one.values() if isinstance(one, dict) else [one])]
    widths = max((int(width[:12]) for width in _WIDTH.findall(form)), default=0)
    fields = form.count("{") + form.count("%")
    return len(form) + fields * max(widths, _longest(values), _numbers(values) if "{" in form or "*" in form else 0)


def _operated(operator: str, left: Any, right: Any) -> None:
    if operator == "*":
        if isinstance(left, int) and isinstance(right, int):
            _refuse(LONGEST + 1 if left.bit_length() + right.bit_length() > _MOST_BITS else 0)
        else:
            times, made = (left, right) if isinstance(left, int) else (right, left)
            _refuse(times * _size(made) if isinstance(times, int) else 0)
    elif operator == "**":
        if isinstance(left, int) and isinstance(right, int) and abs(left) > 1:
            _refuse(LONGEST + 1 if right > 10_000 or left.bit_length() * right > _MOST_BITS else 0)
    elif operator == "%" and isinstance(left, str):
        _refuse(_formatted(left, list(right) if isinstance(right, tuple) else [right]))
    elif operator == "+":
        _refuse(_size(left) + _size(right))


class _Counting(NodeTransformer):
    """Puts what takes from the allowance around the lists of loops, joined texts and printed values."""

    def visit_For(self, node: nodes.For) -> nodes.Node:
        self.generic_visit(node)
        written = sum(len(data.data) for data in node.find_all(nodes.TemplateData))
        if node.recursive:
            # ``loop(…)`` is given other lists later on; the test of each entry is asked for all of them.
            turn = _filtered(nodes.Const(True), "_turn", nodes.Const(2 + written // _PER_STEP))
            node.test = nodes.And(turn, node.test, lineno=node.lineno) if node.test is not None else turn
        else:
            listed: Any = node.iter
            node.iter = _filtered(listed, "_counted", nodes.Const(1 + written // _PER_STEP))
        return node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:
        self.generic_visit(node)
        return _filtered(nodes.List(node.nodes, lineno=node.lineno), "_joined")

    def visit_Output(self, node: nodes.Output) -> nodes.Node:
        self.generic_visit(node)
        node.nodes = [
            each if isinstance(each, nodes.TemplateData | nodes.Const) else _filtered(each, "_made")
            for each in node.nodes
        ]
        return node


def _filtered(node: nodes.Expr, name: str, *arguments: nodes.Expr) -> nodes.Filter:
    return nodes.Filter(node, name, list(arguments), [], None, None, lineno=node.lineno)


def _counted(values: Iterable[Any], cost: int) -> Iterator[Any]:
    for each in values:
        _take(cost)
        yield each


def _joined(values: list[Any]) -> str:
    texts = [str(each) for each in values]
    _refuse(sum(map(len, texts)))
    return str(_made("".join(texts)))


@jinja2.pass_context  # which keeps it from being worked out once, when the template is compiled
def _turn(_: jinja2.runtime.Context, value: bool, cost: int) -> bool:
    _take(cost)
    return value


def _bounded(name: str, made: Callable[..., Any]) -> Callable[..., Any]:
    """The filter, whose result is foreseen and paid for."""

    @wraps(made)  # which keeps the mark of those that take the environment or the context first
    def call(*arguments: Any, **named: Any) -> Any:
        given = arguments[1:] if getattr(made, "jinja_pass_arg", None) is not None else arguments
        _take(1)
        if name == "join" and given and not isinstance(given[0], str | list | tuple):
            # Of what comes one by one nothing can be foreseen.
            listed = list(given[0])
            arguments, given = (*arguments[: -len(given)], listed, *given[1:]), (listed, *given[1:])
        _foresee(name, given[0] if given else "", [*given[1:], *named.values()])
        return _made(made(*arguments, **named))

    return call


class BoundedEnvironment(ImmutableSandboxedEnvironment):
    """Jinja's sandbox, with an ``allowance`` for each rendering. Filters are added with ``add_filter``."""

    intercepted_binops = frozenset({"*", "**", "%", "+"})

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for name, made in list(self.filters.items()):
            self.add_filter(name, made)
        self.filters |= {"_counted": _counted, "_turn": _turn, "_joined": _joined, "_made": _made}

    def add_filter(self, name: str, made: Callable[..., Any]) -> None:
        self.filters[name] = _bounded(name, made)

    def _generate(
        self, source: nodes.Template, name: str | None, filename: str | None, defer_init: bool = False
    ) -> str:
        return super()._generate(_Counting().visit(source), name, filename, defer_init)

    def call(
        __self,
        __context: jinja2.runtime.Context,
        __obj: Any,
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        _take(1)
        name = str(getattr(__obj, "__name__", ""))
        # Jinja wraps ``str.format`` to look at the fields.
        of = getattr(getattr(__obj, "__wrapped__", __obj), "__self__", "")
        _foresee(name, of, [*args, *kwargs.values()])
        return _made(super().call(__context, __obj, *args, **kwargs))

    def call_binop(self, context: jinja2.runtime.Context, operator: str, left: Any, right: Any) -> Any:
        _take(1)
        _operated(operator, left, right)
        return _made(super().call_binop(context, operator, left, right))
