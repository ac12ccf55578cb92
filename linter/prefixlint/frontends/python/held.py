"""Prompts that a function holds when it ends: what it returns, and what its variables keep for others to send."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from prefixlint.frontends.python.frames import FILLED, STORED
from prefixlint.frontends.python.kept_apart import kept_apart
from prefixlint.frontends.python.material import is_material
from prefixlint.frontends.python.prompt_text import is_prompt_name, looks_like_prompt
from prefixlint.frontends.python.syntax import is_own, last_name
from prefixlint.frontends.python.values import (
    Choose,
    DictThing,
    Func,
    ListThing,
    ObjectThing,
    Opaque,
    Ref,
    Str,
    arms_of,
)
from prefixlint.knowledge.call_names import call_names
from prefixlint.knowledge.libraries import libraries
from prefixlint.knowledge.names import meaning
from prefixlint.model.lifetimes import Confidence
from prefixlint.model.segments import Text, Value, walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.modules import FunctionInfo
    from prefixlint.frontends.python.values import Val


def held_prompts(interpreter: Interpreter, info: FunctionInfo, frame: Frame, result: Val) -> None:
    """Emits the prompts that a function returns or keeps in a variable, as text, as messages or in an object."""
    at = _returned(info)
    requests = interpreter.calls.requests
    for sink in libraries().decorators(info.method_decorators, info.decorators, info.module.packages):
        if frame.state is not None:
            text = interpreter.lookup.docstring(Func(info)) if sink.docstring else None
            requests.returned(sink, result, at, frame, text)
    for node in info.definition.decorator_list:
        if not isinstance(node, ast.Call) or not node.args:
            continue
        given = libraries().text_decorator(last_name(node.func), info.module.packages)
        if given is not None:
            requests.decorated(given.form, [interpreter.evaluate(part, frame) for part in node.args], node, frame)
    # Messages that a generator gives one by one are added to a conversation more often than they are one, and what a
    # tool gives stands at the end of one.
    interpreter.project.trace.note(("handler", *info.place))
    is_tool = interpreter.handlers.is_tool(info)
    results = (result, *_together(interpreter, info, result, frame))
    held = [] if info.is_generator or is_tool else [(info.name, each, at) for each in results]
    if frame.state is not None:
        bound = {node.id: node for node in info.own_nodes.of(ast.Name) if _binds(node)}
        # What was put into a request that came from elsewhere is what the function gives of it.
        held += [
            (info.name, value, at) if name.startswith(STORED) else (name, value, bound.get(name, at))
            for name, value in frame.state.variables.items()
            if not name.startswith(FILLED)
        ]
        held += _attributes(interpreter, info, frame, bound, at)
        held += _built(interpreter, held, frame)
    if not is_tool:
        _kept_template(interpreter, info, result, at, frame)
    _kept_attributes(interpreter, info, frame)
    each = ((n, _asked_with(interpreter, value, frame), at) for n, one, at in held for value in _either(one))
    rows = _stored(info)
    for name, value, node in each:
        if isinstance(value, Str) and any(isinstance(s, Value) for s in walk(value.segments)):
            if name == info.name or looks_like_prompt(name, value.segments) is None or name not in kept_apart(info):
                requests.candidate(value, name, node, frame)
        elif isinstance(value, Ref):
            thing = interpreter.thing(value, frame)
            if isinstance(thing, ListThing) and name not in rows:
                requests.message_list(value, node, frame, returned=name == info.name)
            elif isinstance(thing, DictThing):
                if (messages := thing.get("messages")) is not None:
                    requests.message_list(messages, node, frame)
                _keyed(interpreter, thing, node, frame)


def _together(interpreter: Interpreter, info: FunctionInfo, result: Val, frame: Frame) -> list[Str]:
    """Texts that a function gives beside something else, where its name says that it gives a prompt: ``return
    system, user``, ``return prompt, count(prompt)``; and those of which it gives one, or None."""
    if not is_prompt_name(info.name):
        return []
    arms = arms_of(result)
    things = (interpreter.thing(arm, frame) for arm in arms if isinstance(arm, Ref))
    beside = [
        item for thing in things if isinstance(thing, ListThing) and thing.kind == "tuple" for item in thing.items
    ]
    return list(dict.fromkeys(one for one in (*arms, *beside) if isinstance(one, Str) and one is not result))


def _asked_with(interpreter: Interpreter, value: Val, frame: Frame) -> Val:
    """The dictionary with the messages of a request where a value is the JSON made of one; others as they are."""
    source = interpreter.calls.builtins.json.source_of(value) if isinstance(value, Str) else None
    body = None if source is None else interpreter.thing(source, frame)
    return value if source is None or not isinstance(body, DictThing) or body.get("messages") is None else source


def _keyed(interpreter: Interpreter, thing: DictThing, node: ast.expr, frame: Frame) -> None:
    """Emits the prompts that a dictionary holds under their names: the state of a graph, what an agent is made of."""
    for key, value in thing.entries:
        held = isinstance(value, Str) and any(isinstance(segment, Value) for segment in walk(value.segments))
        if held and isinstance(value, Str) and is_prompt_name(key):
            interpreter.calls.requests.candidate(value, key, node, frame)


def _kept_template(interpreter: Interpreter, info: FunctionInfo, result: Val, at: ast.expr, frame: Frame) -> None:
    """A text that a function gives with placeholders for others to fill: as a constant with such is one."""
    if not isinstance(result, Str):
        return
    if not is_prompt_name(info.name) and looks_like_prompt("", result.segments) is not Confidence.HIGH:
        return
    plain = all(isinstance(segment, Text) for segment in result.segments)
    prompts = interpreter.calls.prompts
    segments = prompts.opened(result.segments, frame) if plain else prompts.refilled(result.segments)
    if segments is not result.segments and any(isinstance(s, Value) for s in walk(segments)):
        interpreter.calls.requests.candidate(Str(segments), info.name, at, frame, constant=True)


def _kept_attributes(interpreter: Interpreter, info: FunctionInfo, frame: Frame) -> None:
    """Texts with placeholders that an object is made with, under names of prompts: as constants of its class."""
    own = frame.state.variables.get(info.positional[0]) if frame.state is not None and info.positional else None
    thing = None if own is None or info.name != "__init__" else interpreter.thing(own, frame)
    if not isinstance(thing, ObjectThing):
        return
    for target, _ in info.own_nodes.bindings():
        kept = thing.attributes.get(target.attr) if isinstance(target, ast.Attribute) and is_own(target) else None
        if not isinstance(target, ast.Attribute) or not isinstance(kept, Str) or not is_prompt_name(target.attr):
            continue
        if all(isinstance(segment, Text) for segment in kept.segments):
            segments = interpreter.calls.prompts.opened(kept.segments, frame, [info.module])
            if any(isinstance(s, Value) for s in walk(segments)):
                interpreter.calls.requests.candidate(Str(segments), target.attr, target, frame, constant=True)


def _either(value: Val) -> tuple[Val, ...]:
    """A conversation from elsewhere as it is once it was changed, where a condition decides over that; of lists
    between which one decides, each."""
    if not isinstance(value, Choose):
        return (value,)
    lists = tuple(arm for arm in value.values if isinstance(arm, Ref))
    changed = len(lists) == 1 and any(isinstance(arm, Opaque) and arm.grows for arm in value.values)
    return lists if changed or len(lists) == len(value.values) else (value,)


def _stored(info: FunctionInfo) -> frozenset[str]:
    """Variables whose list the function puts into a database: rows, of which none is sent by being there."""
    storing = call_names().storing
    calls = (call for call in info.own_nodes.of(ast.Call) if last_name(call.func) in storing)
    return frozenset(argument.id for call in calls for argument in call.args if isinstance(argument, ast.Name))


def _attributes(
    interpreter: Interpreter, info: FunctionInfo, frame: Frame, bound: Mapping[str, ast.Name], at: ast.expr
) -> Iterator[tuple[str, Val, ast.expr]]:
    """Texts and messages that a function has put into objects that it made, messages also into those that it was given:
    a request that something else sends."""
    assert frame.state is not None
    given = info.defaults if interpreter.graph.fills_requests(info) else {}
    for name, value in frame.state.variables.items():
        thing = interpreter.thing(value, frame)
        if isinstance(thing, ObjectThing) and (name in bound or name in given):
            for key, part in thing.attributes.items():
                listed = isinstance(interpreter.thing(part, frame), ListThing)
                if name in bound and (listed or isinstance(part, Str)):
                    yield key, part, bound[name]
                elif name not in bound and meaning(key).grows:
                    yield info.name, part, at


def _built(
    interpreter: Interpreter, held: Sequence[tuple[str, Val, ast.expr]], frame: Frame
) -> list[tuple[str, Val, ast.expr]]:
    """Texts that objects make of the parts they were given (``builder.build()``), whoever asks them to in the end."""
    out: list[tuple[str, Val, ast.expr]] = []
    asked: set[int] = set()
    for name, value, node in held:
        thing = interpreter.thing(value, frame)
        if not isinstance(value, Ref) or not isinstance(thing, ObjectThing) or value.id in asked:
            continue
        asked.add(value.id)
        methods = (interpreter.lookup.method(thing.info, method) for method in sorted(call_names().building))
        method = next((m for m in methods if m is not None and _asks_nothing(m)), None)
        if method is not None and is_material(interpreter, value, frame):
            with interpreter.silence():
                text = interpreter.calls.functions.call(Func(method, value), [], {}, node, frame)
            out.append((name, text, node))
    return out


def _asks_nothing(method: FunctionInfo) -> bool:
    """Whether a method can be called on its object without an argument."""
    return all(method.defaults[name] is not None for name in method.defaults if name not in method.positional[:1])


def _binds(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)


def _returned(info: FunctionInfo) -> ast.expr:
    """What stands for a function's result: what its last ``return`` gives, else its name."""
    given = [node.value for node in info.own_nodes.of(ast.Return) if node.value is not None]
    if given:
        return max(given, key=lambda node: (node.lineno, node.col_offset))
    first = info.node.body[0]
    line, column = first.lineno, first.col_offset
    return ast.Constant(None, lineno=line, col_offset=column, end_lineno=line, end_col_offset=column)
