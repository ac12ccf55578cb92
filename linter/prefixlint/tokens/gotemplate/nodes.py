"""What a Go template consists of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


class GoTemplateError(Exception):
    """The template is faulty, or uses something that is not covered; the message says what and where."""


@dataclass(frozen=True, slots=True)
class Text:
    text: str


@dataclass(frozen=True, slots=True)
class Literal:
    """A string, number, true, false or nil."""

    value: Any


@dataclass(frozen=True, slots=True)
class Field:
    """``.A.B`` of the dot, or of ``start``: a variable, or a pipeline in parentheses. No names: that value itself."""

    names: tuple[str, ...]
    start: Variable | Pipeline | None = None


@dataclass(frozen=True, slots=True)
class Variable:
    name: str


@dataclass(frozen=True, slots=True)
class Function:
    name: str


Argument = Literal | Field | Function


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Commands, each of whose values is the last argument of the next one; ``sets`` are the variables that take the
    value, which are new ones where ``declares``."""

    commands: tuple[tuple[Argument, ...], ...]
    sets: tuple[str, ...] = ()
    declares: bool = False


@dataclass(frozen=True, slots=True)
class Action:
    pipeline: Pipeline


@dataclass(frozen=True, slots=True)
class Branch:
    """``if``, ``with`` or ``range``."""

    kind: str
    pipeline: Pipeline
    body: tuple[Node, ...]
    otherwise: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Jump:
    """``break`` or ``continue``."""

    kind: str


Node = Text | Action | Branch | Jump


def names_used(node: Node | Pipeline | Argument | Variable) -> set[str]:
    """All names of fields and variables in ``node``, in lower case."""
    if isinstance(node, Action):
        return names_used(node.pipeline)
    if isinstance(node, Branch):
        inner = (names_used(each) for each in (*node.body, *node.otherwise))
        return names_used(node.pipeline).union(*inner)
    if isinstance(node, Pipeline):
        return set[str]().union(*(names_used(argument) for command in node.commands for argument in command))
    if isinstance(node, Field):
        own = {name.lower() for name in node.names}
        return own | names_used(node.start) if node.start is not None else own
    return {node.name.lower()} if isinstance(node, Variable) else set()
