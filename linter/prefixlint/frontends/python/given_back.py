"""Conversations that a function shortens for whoever calls it: it gives their end back, or its object keeps no more.

A library's reducers, trimmers and memories are called by programs that no source here shows. That one does so on each
turn is enough to tell, if the code shows that the messages are those of a model.
"""

from __future__ import annotations

import ast
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from prefixlint.frontends.python.aging import conversation
from prefixlint.frontends.python.conversations import named_by_caller
from prefixlint.frontends.python.frames import STORED, Frame, OutOfSteps
from prefixlint.frontends.python.nested_statements import inner_bodies
from prefixlint.frontends.python.remembered import once
from prefixlint.frontends.python.state import State
from prefixlint.frontends.python.syntax import is_own, last_name
from prefixlint.frontends.python.thresholds import slides, sums_up, weighs
from prefixlint.frontends.python.turns import lists, takes_first, window_among, window_within
from prefixlint.frontends.python.values import Choose, ListThing, Maybe, ObjectThing, Opaque, Ref
from prefixlint.knowledge.call_names import call_names
from prefixlint.knowledge.names import meaning, split_words
from prefixlint.knowledge.python_files import file_words
from prefixlint.model.lifetimes import Lifetime, SourceKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.modules import FunctionInfo, ModuleInfo
    from prefixlint.frontends.python.turns import Path
    from prefixlint.frontends.python.values import Val
    from prefixlint.model.segments import Drift
    from prefixlint.model.sources import Span


_HOPS = 2
"""Calls that lead from a module that speaks of models to what shortens their conversations."""


def shortened_conversations(interpreter: Interpreter, told: set[Span]) -> None:
    """Emits the conversations that functions cut for their callers, but for those cut at a place that is ``told``."""
    speaking: dict[str, bool] = {}

    def speaks(info: FunctionInfo, hops: int = _HOPS) -> bool:
        """Whether the module of a function speaks of models, or one from which it is called."""
        path = info.module.path
        if path not in speaking:
            speaking[path] = speaks_of_models(info.module)
        return speaking[path] or (
            hops > 0 and any(speaks(caller, hops - 1) for caller in interpreter.lookup.aging.turns.callers(info.name))
        )

    cuts = interpreter.lookup.aging.turns.cuts
    for info in list(interpreter.functions):
        candidate = info.cuts_conversation or (info.owner is not None and cuts(info) and bool(_put_back(info)))
        candidate = candidate or (info.shortens and bool(_parts_cut(info)))
        if not candidate or sums_up(info.name):
            continue  # what is summed up is cut once in many turns
        if not any(info.holds(place) for place in told) and speaks(info):
            interpreter.steps = 0
            with suppress(OutOfSteps, RecursionError):
                told.update(_emit(interpreter, info, told))
            interpreter.forget_silence()


def _put_back(info: FunctionInfo) -> frozenset[str]:
    """Attributes under which a method gives its object another conversation, or takes messages of it away."""
    targets = [target for target, _ in info.own_nodes.bindings()]
    targets += [target for node in info.own_nodes.of(ast.Delete) for target in node.targets]
    shortened = (call.func for call in info.own_nodes.of(ast.Call) if takes_first(call))
    targets += [function.value for function in shortened if isinstance(function, ast.Attribute)]
    owners = (target.value if isinstance(target, ast.Subscript) else target for target in targets)
    return frozenset(owner.attr for owner in owners if is_own(owner) and meaning(owner.attr, loose=False).grows)


def _parts_cut(info: FunctionInfo) -> frozenset[str]:
    """Variables, as a frame knows them, with the conversation of a part of a method's object, which it cuts:
    ``self.memory.messages = buffer``, ``buffer = self.memory.messages`` and ``buffer.pop(0)``."""
    bound = list(info.own_nodes.bindings())
    stored = (target for target, _ in bound if isinstance(target, ast.Attribute) and _is_kept_part(target))
    popped = {
        last_name(call.func.value)
        for call in info.own_nodes.of(ast.Call)
        if takes_first(call) and isinstance(call.func, ast.Attribute)
    }
    aliases = (
        target.id
        for target, value in bound
        if isinstance(target, ast.Name) and target.id in popped and _is_kept_part(value)
    )
    return frozenset((*(STORED + info.module.places.source(target) for target in stored), *aliases))


def _is_kept_part(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Attribute) and _is_part(node) and meaning(node.attr, loose=False).grows


def _is_part(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Attribute) and (is_own(node.value) or _is_part(node.value))


@once
def speaks_of_models(module: ModuleInfo) -> bool:
    """Whether the text of a module says that its messages are those of a language model, and not of people alone."""
    return file_words().models.search(module.file.text) is not None


def _emit(interpreter: Interpreter, info: FunctionInfo, told: set[Span]) -> Iterator[Span]:
    """Emits what a function cuts, and gives the place."""
    state = State({})
    frame = Frame(info.module, info, state, stack=(info,))
    owner: Ref | None = None
    before: Mapping[Path, object] = {}
    with interpreter.silence():
        if info.owner is not None and "staticmethod" not in info.decorators:
            owner = interpreter.lookup.instance(info.owner, frame)
            _as_conversations(owner, info, frame)
            before = {path: _what(kept, state) for path, kept in lists(owner, state.heap)}
        result = interpreter.run_root(info, frame, owner)
    found: list[tuple[Val, Drift]] = []
    if _says_so(info):
        given = _windows(interpreter, result, frame)
        found = [(v, d) for v, d in given if info.holds(d.span) and slides(d, conditions_at(info, d.span))]
    if owner is not None and frame.state is not None:
        # What is stored was judged by the conditions under which it is.
        put = _put_back(info)
        for path, kept in lists(owner, frame.state.heap):
            changed = len(path) == 1 and before.get(path) is not _what(kept, frame.state)
            if changed and path[0] in put and may_be_conversation(path[0]):
                found += _windows(interpreter, kept, frame)
    if frame.state is not None:
        kept_parts = (frame.state.variables.get(name) for name in _parts_cut(info))
        found += [each for value in kept_parts if value is not None for each in _windows(interpreter, value, frame)]
    found = [(value, drift) for value, drift in found if may_be_conversation(drift.expression.partition("[")[0])]
    # Of the lists that it may be, the one with most beside the conversation: what was there before is among them.
    for value, drift in sorted(found, key=lambda one: -_length(interpreter, one[0], frame)):
        if drift.span not in told and _is_called_each_time(interpreter, info, drift):
            place = ast.copy_location(ast.Constant(None), info.node.body[0])
            interpreter.calls.requests.cut_list(_with_kept(interpreter, value, frame), place, frame)
            yield drift.span
            return


def _what(value: Val, state: State) -> object:
    """What an attribute holds: a list itself, which may be changed in place, or the value."""
    return state.heap.get(value.id) if isinstance(value, Ref) else value


def may_be_conversation(name: str) -> bool:
    """Whether a list by its name is no history of something else: of actions, failures, prices."""
    *words, last = split_words(name.rpartition(".")[2]) or ("",)
    return last != "history" or not words or words[-1] in call_names().histories


def _with_kept(interpreter: Interpreter, value: Val, frame: Frame) -> Val:
    """The same list; a message of the conversation that is put in front of its end is the same one each time, and of
    several runs of messages it has the one that was cut."""
    thing = interpreter.thing(value, frame)
    if not isinstance(thing, ListThing) or frame.state is None:
        return value
    cut = chain.from_iterable(
        next((arm for arm in item.arms if window_within(arm)), (item,)) if isinstance(item, Maybe) else (item,)
        for item in thing.items
    )
    items = tuple(
        replace(item, lifetime=Lifetime.SESSION, drift=None)
        if isinstance(item, Opaque) and item.origin.kind is SourceKind.HISTORY
        else item
        for item in cut
    )
    return frame.state.new(replace(thing, items=items))


def _length(interpreter: Interpreter, value: Val, frame: Frame) -> int:
    thing = interpreter.thing(value, frame)
    return len(thing.items) if isinstance(thing, ListThing) else 0


def _as_conversations(owner: Ref, info: FunctionInfo, frame: Frame) -> None:
    """What the object of a method keeps under the name of a conversation is one, whoever adds to it."""
    assert frame.state is not None
    thing = frame.state.heap.get(owner.id)
    assert isinstance(thing, ObjectThing)
    attributes = dict(thing.attributes)
    for node in info.own_nodes.of(ast.Attribute):
        known = attributes.get(node.attr)
        unknown = known is None or (isinstance(known, Opaque) and not known.grows and known.drift is None)
        if unknown and is_own(node) and meaning(node.attr).grows:
            places = info.module.places
            attributes[node.attr] = conversation(Opaque(places.source(node), places.span(node)))
    frame.state.heap[owner.id] = replace(thing, attributes=attributes)


def _is_called_each_time(interpreter: Interpreter, info: FunctionInfo, drift: Drift) -> bool:
    """Whether nobody calls a function here, or somebody does so under no condition that holds seldom."""
    takes = info.parameters
    calls = [
        (caller, call)
        for caller in interpreter.lookup.aging.turns.callers(info.name)
        for call in caller.own_nodes.of(ast.Call)
        if last_name(call.func) == info.name and caller is not info
    ]
    return not calls or any(
        slides(
            named_by_caller(drift, takes, call, caller.module.places),
            filter(weighs, conditions_at(caller, caller.module.places.span(call))),
        )
        for caller, call in calls
    )


def _says_so(info: FunctionInfo) -> bool:
    """Whether a function, or its class, says by its name that it shortens what it gives."""
    names = (info.name, "" if info.owner is None else info.owner.name)
    return any(call_names().shortening.search(name) for name in names)


def _windows(interpreter: Interpreter, value: Val, frame: Frame) -> Iterator[tuple[Val, Drift]]:
    for arm in value.values if isinstance(value, Choose) else (value,):
        thing = interpreter.thing(arm, frame)
        drift = arm.drift if isinstance(arm, Opaque) else window_among(thing) if isinstance(thing, ListThing) else None
        if drift is not None and drift.kind == "window":
            yield arm, drift


def conditions_at(info: FunctionInfo, place: Span) -> tuple[str, ...]:
    """Conditions, as source, under which a function comes to a place: those of the branches around it, and those that
    end the function in front of it."""
    return _conditions(info.node.body, place.start.line, (), info) or ()


def _conditions(body: list[ast.stmt], line: int, around: tuple[str, ...], info: FunctionInfo) -> tuple[str, ...] | None:
    for node in body:
        inside = node.lineno <= line <= (node.end_lineno or node.lineno)
        test = info.module.places.source(node.test) if isinstance(node, ast.If) else ""
        if inside:
            under = (*around, test) if test else around
            found = (_conditions(part, line, under, info) for part in inner_bodies(node))
            return next((one for one in found if one is not None), around)
        if isinstance(node, ast.If) and isinstance(node.body[-1], ast.Return | ast.Raise):
            around = (*around, test)
    return None
