"""Renders a Go template that was read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from prefixlint.tokens.gotemplate.nodes import (
    Action,
    Argument,
    Branch,
    Function,
    GoTemplateError,
    Jump,
    Literal,
    Node,
    Pipeline,
    Text,
    Variable,
)

MOST_OUTPUT = 20_000_000


@dataclass(frozen=True, slots=True)
class Struct:
    """A Go value with fields by name. ``as_json`` is what turning it into JSON writes, and printing it where it
    ``prints`` so; without it, it cannot be written. ``items`` are those of a map that templates walk through."""

    fields: Mapping[str, Any] = field(default_factory=dict)
    as_json: Any = None
    items: Mapping[str, Any] | None = None
    prints: bool = True


class _Jumped(Exception):
    pass


def run(nodes: Sequence[Node], data: Mapping[str, Any], functions: Mapping[str, Callable[..., Any]]) -> str:
    """The text that ``nodes`` make of ``data``; ``functions`` stand beside Go's own. Raises ``GoTemplateError``."""
    out: list[str] = []
    _Run(out, functions).block(nodes, data, {"$": data})
    return "".join(out)


class _Scope(dict[str, Any]):
    """Variables of one block, and those of the blocks around it."""

    def __init__(self, outer: Mapping[str, Any]) -> None:
        super().__init__()
        self.outer = outer

    def __missing__(self, name: str) -> Any:
        return self.outer[name]

    def assign(self, name: str, value: Any) -> None:
        if name in self.keys() or not isinstance(self.outer, _Scope):
            self[name] = value
        else:
            self.outer.assign(name, value)


class _Run:
    def __init__(self, out: list[str], functions: Mapping[str, Callable[..., Any]]) -> None:
        self.out = out
        self.length = 0
        self.functions = {**_FUNCTIONS, **functions}

    def write(self, text: str) -> None:
        self.out.append(text)
        self.length += len(text)
        if self.length > MOST_OUTPUT:
            raise GoTemplateError("it does not come to an end")

    def block(self, nodes: Sequence[Node], dot: Any, variables: Mapping[str, Any]) -> None:
        scope = _Scope(variables)
        for node in nodes:
            match node:
                case Text(text):
                    self.write(text)
                case Action(pipeline):
                    value = self.pipeline(pipeline, dot, scope)
                    if not pipeline.sets:
                        self.write(printed(value))
                case Branch(kind="range"):
                    self.range(node, dot, scope)
                case Branch():
                    inner = _Scope(scope)
                    value = self.pipeline(node.pipeline, dot, inner)
                    if truth(value):
                        self.block(node.body, value if node.kind == "with" else dot, inner)
                    else:
                        self.block(node.otherwise, dot, inner)
                case Jump(kind):
                    raise _Jumped(kind)

    def range(self, node: Branch, dot: Any, scope: _Scope) -> None:
        names, outer = node.pipeline.sets, _Scope(scope)
        pairs = list(_pairs(self.pipeline(Pipeline(node.pipeline.commands), dot, outer)))
        for key, value in pairs:
            given = _Scope(outer)
            for name, each in zip(names, (key, value) if len(names) == 2 else (value,), strict=False):
                if node.pipeline.declares:
                    given[name] = each
                else:
                    given.assign(name, each)
            try:
                self.block(node.body, value, given)
            except _Jumped as jump:
                if jump.args[0] == "break":
                    break
        if not pairs:
            self.block(node.otherwise, dot, outer)

    def pipeline(self, pipeline: Pipeline, dot: Any, scope: _Scope) -> Any:
        value: Any = None
        for at, command in enumerate(pipeline.commands):
            value = self.command(command, dot, scope, [value] if at else [])
        for name in pipeline.sets:
            if pipeline.declares:
                scope[name] = value
            else:
                scope.assign(name, value)
        return value

    def command(self, command: Sequence[Argument], dot: Any, scope: _Scope, piped: list[Any]) -> Any:
        first, *rest = command
        if not isinstance(first, Function):
            if rest or piped:
                raise GoTemplateError("a value is called like a function")
            return self.value(first, dot, scope)
        if first.name in ("and", "or"):
            value = None
            for value in (*(self.value(argument, dot, scope) for argument in rest), *piped):
                if truth(value) == (first.name == "or"):
                    break
            return value
        function = self.functions.get(first.name)
        if function is None:
            raise GoTemplateError(f"the function {first.name} is not covered")
        arguments = [self.value(argument, dot, scope) for argument in rest] + piped
        try:
            return function(*arguments)
        except (TypeError, ValueError, IndexError, KeyError) as error:
            raise GoTemplateError(f"{first.name} cannot be applied: {error}") from error

    def value(self, argument: Argument, dot: Any, scope: _Scope) -> Any:
        if isinstance(argument, Literal):
            return argument.value
        if isinstance(argument, Function):
            return self.command((argument,), dot, scope, [])
        start = argument.start
        if isinstance(start, Variable):
            try:
                value = scope[start.name]
            except KeyError:
                raise GoTemplateError(f"there is no variable {start.name}") from None
        else:
            value = self.pipeline(start, dot, scope) if isinstance(start, Pipeline) else dot
        for name in argument.names:
            value = _field(value, name)
        return value


def _field(value: Any, name: str) -> Any:
    if isinstance(value, Struct):
        if value.items is not None:
            return value.items.get(name)
        if name in value.fields:
            return value.fields[name]
        raise GoTemplateError(f"there is no field {name}")
    if isinstance(value, Mapping):
        return value.get(name)
    raise GoTemplateError(f"there is no field {name} in {type(value).__name__}")


def _pairs(value: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(value, Struct):
        value = value.items
    if value is None:
        return
    if isinstance(value, Mapping):
        yield from ((key, value[key]) for key in sorted(value))
    elif isinstance(value, int) and not isinstance(value, bool):
        yield from ((at, at) for at in range(value))
    elif isinstance(value, Sequence) and not isinstance(value, str):
        yield from enumerate(value)
    else:
        raise GoTemplateError(f"range over {type(value).__name__} is not covered")


def truth(value: Any) -> bool:
    """Whether Go's templates take ``value`` as true: no zero value, nothing empty."""
    return (bool(value.items) if value.items is not None else True) if isinstance(value, Struct) else bool(value)


def printed(value: Any) -> str:
    """``value`` as Go's templates print it."""
    match value:
        case None:
            return "<no value>"
        case bool():
            return "true" if value else "false"
        case str() | int():
            return str(value)
        case Struct() if value.as_json is not None and value.prints:
            return as_json(value)
        case Listed():
            return as_json(value)
        case Sequence() if all(isinstance(each, str) for each in value):
            return f"[{' '.join(value)}]"
    raise GoTemplateError(f"how a {type(value).__name__} is printed is not covered")


class Listed(list[Any]):
    """A list that is printed as JSON."""


def as_json(value: Any) -> str:
    """``value`` as Go's encoding/json writes it: without spaces, and with three signs of HTML escaped."""
    text = json.dumps(_plain(value), ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _plain(value: Any) -> Any:
    if isinstance(value, Struct):
        if value.as_json is None:
            raise GoTemplateError("how this value is written as JSON is not covered")
        return value.as_json
    if isinstance(value, Mapping):
        return {key: _plain(value[key]) for key in sorted(value)}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def _length(value: Any) -> int:
    if isinstance(value, Struct):
        value = value.items
    return len(value.encode()) if isinstance(value, str) else len(value or ())


def _same(one: Any, *others: Any) -> bool:
    for other in others:
        if None not in (one, other) and type(one) is not type(other):
            raise TypeError("values of different kinds are compared")
    return one in others


def _slice(value: Any, start: int = 0, end: int | None = None) -> Any:
    end = len(value) if end is None else end
    if not 0 <= start <= end <= len(value):
        raise IndexError("out of range")
    if isinstance(value, str):
        return value.encode()[start:end].decode("utf-8", "replace")
    return type(value)(value[start:end])


def _index(value: Any, *keys: Any) -> Any:
    for key in keys:
        value = value.items if isinstance(value, Struct) else value
        value = value.get(key) if isinstance(value, Mapping) else value[_at_least_zero(key)]
    return value


def _at_least_zero(key: int) -> int:
    if key < 0:
        raise IndexError("out of range")
    return key


def _printf(form: str, *values: Any) -> str:
    rest = list(values)

    def put(found: re.Match[str]) -> str:
        if found[0] == "%%":
            return "%"
        value = rest.pop(0)
        return json.dumps(value, ensure_ascii=False) if found[0] == "%q" else printed(value)

    if re.sub(r"%[svdq%]", "", form).count("%"):
        raise GoTemplateError(f"the format {form!r} is not covered")
    return re.sub(r"%[svdq%]", put, form)


def _print(*values: Any, end: str = "", always: bool = False) -> str:
    out = ""
    for at, value in enumerate(values):
        apart = at and (always or not (isinstance(value, str) or isinstance(values[at - 1], str)))
        out += (" " if apart else "") + printed(value)
    return out + end


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "not": lambda value: not truth(value),
    "eq": _same,
    "ne": lambda one, other: not _same(one, other),
    "lt": lambda one, other: one < other,
    "le": lambda one, other: one <= other,
    "gt": lambda one, other: one > other,
    "ge": lambda one, other: one >= other,
    "len": _length,
    "index": _index,
    "slice": _slice,
    "printf": _printf,
    "print": _print,
    "println": lambda *values: _print(*values, end="\n", always=True),
}
