"""What code adds to the system prompt of an agent or a request that it was given:
``agent.system_prompt += f"It is {now}."``, ``request.append_instructions([text])``,
``self.agent.set_system_prompt(text)``.

A hook, a plug-in or a middleware does so on each turn. The prompt itself stands elsewhere, and the conversation follows
it: what changes here strands all of that.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from prefixlint.frontends.python.syntax import is_own, last_name
from prefixlint.frontends.python.values import ListThing, Str
from prefixlint.knowledge.call_names import call_names
from prefixlint.knowledge.names import split_words
from prefixlint.model.lifetimes import Confidence, Lifetime, SourceKind
from prefixlint.model.segments import Repeat, Value, walk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.modules import FunctionInfo
    from prefixlint.frontends.python.values import Val
    from prefixlint.model.segments import Segment

_MADE = frozenset({SourceKind.CLOCK, SourceKind.ID, SourceKind.RANDOM, SourceKind.SHUFFLED, SourceKind.UNORDERED})
"""What no request brings along: whoever adds it changes the prompt of a conversation that goes on."""


def adds_to_system(target: ast.expr, source: ast.expr | None, value: Str, frame: Frame) -> bool:
    """Whether ``value``, put back where ``target`` says, is the system prompt of an agent that the function was given,
    with something added that changes from turn to turn. ``source`` is what it is made of, None where it is added to.

    Of what a request brings along (a question, what was found for it) only in what is called an agent: anything else
    may be sent once.
    """
    info = frame.function
    if info is None or not isinstance(target, ast.Attribute):
        return False
    if target.attr not in call_names().agent_arguments or not isinstance(target.value, ast.Name):
        return False
    if source is not None and not _adds(target, source):
        return False
    given = target.value.id
    if given not in info.defaults or given in ("self", "cls"):
        return False
    agent = _is_agent(given, info)
    return any(_changes(segment, agent) for segment in walk(value.segments))


def tell_added(node: ast.Call, args: Sequence[Val], interpreter: Interpreter, frame: Frame) -> None:
    """Emits what a call of a method adds to the system prompt of what the function was given, or of an agent that its
    object keeps, or the whole that it sets there, where that changes from turn to turn."""
    function, info = node.func, frame.function
    if info is None or not isinstance(function, ast.Attribute):
        return
    names, owner = call_names(), function.value
    sets = function.attr in names.setting_system
    if not sets and function.attr not in names.adding_to_system:
        return
    given = isinstance(owner, ast.Name) and owner.id in info.defaults and owner.id not in ("self", "cls")
    # Who keeps an agent goes on with its conversation; a new one has none yet.
    agent = _is_agent(owner.id, info) if isinstance(owner, ast.Name) else "agent" in split_words(last_name(owner))
    if not given and not (is_own(owner) and agent and not _is_made_in(info, owner)):
        return
    for value in args:
        thing = interpreter.thing(value, frame)
        for item in thing.items if isinstance(thing, ListThing) else (value,):
            if isinstance(item, Str) and any(_changes(segment, agent or not sets) for segment in walk(item.segments)):
                interpreter.calls.requests.added_to_system(item, node, frame)


def _is_made_in(info: FunctionInfo, owner: ast.Attribute) -> bool:
    """Whether a function itself gives its object the agent that is kept there."""
    return any(is_own(target) and target.attr == owner.attr for target, _ in info.own_nodes.bindings())


def _adds(target: ast.Attribute, source: ast.expr) -> bool:
    """Whether a sum or an f-string takes the prompt itself as a part."""
    if isinstance(source, ast.BinOp):
        return isinstance(source.op, ast.Add) and (_adds(target, source.left) or _adds(target, source.right))
    if isinstance(source, ast.JoinedStr):
        return any(isinstance(part, ast.FormattedValue) and _is_same(target, part.value) for part in source.values)
    return _is_same(target, source)


def _is_same(target: ast.Attribute, node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and node.attr == target.attr
        and ast.unparse(node.value) == ast.unparse(target.value)
    )


def _changes(value: Segment, agent: bool) -> bool:
    if not isinstance(value, Value | Repeat) or value.confidence is Confidence.LOW:
        return False
    if value.lifetime not in (Lifetime.TURN, Lifetime.REQUEST):
        return False
    return agent or value.origin.kind in _MADE


def _is_agent(name: str, info: FunctionInfo) -> bool:
    arguments = info.definition.args
    annotated = next(
        (
            each.annotation
            for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
            if each.arg == name
        ),
        None,
    )
    named = last_name(annotated) if annotated is not None else ""
    return any("agent" in split_words(each) for each in (name, named))
