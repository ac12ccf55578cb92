"""Conversations that the objects which keep them cut, where nothing was seen to send them.

A session hands its messages to whoever asks, through registries, queues and plug-ins that no source shows: that a list
holds messages and loses its front is enough to tell. So is that a function takes a conversation's first messages away
until a number of tokens is reached: what else counts tokens? And so is that it takes pictures out of all but the
newest.
"""

from __future__ import annotations

import ast
from contextlib import suppress
from typing import TYPE_CHECKING

from prefixlint.frontends.python.additions import Kept
from prefixlint.frontends.python.frames import Frame, OutOfSteps
from prefixlint.frontends.python.given_back import speaks_of_models
from prefixlint.frontends.python.given_cuts import cut_in_place
from prefixlint.frontends.python.loop_shapes import fitting, leaving, newest_first
from prefixlint.frontends.python.merge import drifts
from prefixlint.frontends.python.own_nodes import bound_by
from prefixlint.frontends.python.pictures import pictures_taken, takes_pictures
from prefixlint.frontends.python.remembered import once
from prefixlint.frontends.python.state import State
from prefixlint.frontends.python.syntax import last_name
from prefixlint.frontends.python.thresholds import MOST_TAKEN, is_shortening, measured, slides, sums_up
from prefixlint.frontends.python.turns import UNDER_KEY, lists, takes_first, window_among
from prefixlint.frontends.python.values import ListThing
from prefixlint.knowledge.names import meaning, split_words
from prefixlint.model.segments import Drift

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.modules import ClassInfo, FunctionInfo
    from prefixlint.model.sources import Span


def unsent_conversations(interpreter: Interpreter, shown: set[Span]) -> None:
    """Emits the conversations that are cut, but for those cut at a place that a template has ``shown``."""
    turns = interpreter.lookup.aging.turns
    seen: set[ClassInfo] = set()
    before = len(interpreter.emissions)
    for info in list(interpreter.functions):
        if info.owner is not None and info.owner not in seen and turns.cuts(info) and turns.shortens(info):
            seen.add(info.owner)
            interpreter.steps = 0
            with suppress(OutOfSteps, RecursionError):
                _emit(interpreter, info.owner, info, shown)
    told = shown | {place for emission in interpreter.emissions[before:] for place in drifts(emission.template)}
    for info in list(interpreter.functions):
        cut = next(cut_in_place(info), None) if info.cuts_conversation and not sums_up(info.name) else None
        if cut is not None and not any(info.holds(place) for place in told) and speaks_of_models(info.module):
            interpreter.calls.requests.cut_at(cut, Frame(info.module, info, State({})))
            continue
        callers = turns.callers(info.name) if takes_pictures(info) else []
        hidden = pictures_taken(info, callers, told)
        if hidden is not None and any(speaks_of_models(one.module) for one in (info, *callers)):
            interpreter.calls.requests.cut_at(hidden, Frame(info.module, info, State({})), "rewritten")
            continue
        if not counts_tokens(info):
            continue
        cut = next(_cut_by_tokens(info.node.body, (), info), None)
        if cut is not None and not any(info.holds(place) for place in told):
            interpreter.calls.requests.cut_at(cut, Frame(info.module, info, State({})))


@once
def counts_tokens(info: FunctionInfo) -> bool:
    """Whether a function names tokens and has a loop."""
    return "token" in info.module.file.text and _counts_tokens(info)


def _counts_tokens(info: FunctionInfo) -> bool:
    if not (*info.own_nodes.of(ast.While), *info.own_nodes.loops()):
        return False
    names = {node.id.lower() for node in info.own_nodes.of(ast.Name)}
    # Where what is left out is summed up, it is left out once in many turns.
    return any("token" in name for name in names) and not any(map(sums_up, names))


def _emit(interpreter: Interpreter, of: ClassInfo, info: FunctionInfo, shown: set[Span]) -> None:
    turns = interpreter.lookup.aging.turns
    if not any(evidence.messages for evidence in turns.keeping.of_class(of).values()):
        return
    cuts = {path: drift for path, drift in turns.of_class(of).items() if drift.span not in shown}
    kept = turns.keeping.of_class(of)
    frame = Frame(info.module, info, State({}), stack=(info,))
    if not cuts or frame.state is None:
        return
    found = dict(lists(interpreter.lookup.instance(of, frame), frame.state.heap))
    place = ast.copy_location(ast.Constant(None), info.node.body[0])
    for path in cuts:
        keyed = path[-1] == UNDER_KEY
        evidence = kept.get(Kept(True, path[:-1] if keyed else path, keyed))
        thing = interpreter.thing(found[path], frame) if path in found else None
        if evidence is not None and evidence.messages and isinstance(thing, ListThing) and window_among(thing):
            interpreter.calls.requests.cut_list(found[path], place, frame)


def _cut_by_tokens(body: list[ast.stmt], around: tuple[str, ...], info: FunctionInfo) -> Iterator[ast.expr]:
    """What takes the first messages of a conversation away while there are too many tokens; ``around`` are the
    conditions under which the statements run."""
    source = info.module.places.source
    for node in body:
        if isinstance(node, ast.While):
            asked = leaving(node.body, source) if isinstance(node.test, ast.Constant) else None
            limit = _limit_of_tokens(source(node.test)) or (asked and _fitting_tokens(source(asked))) or ""
            if limit and slides(Drift("window", "", info.module.places.span(node.test), bound=limit), around):
                yield from _taken(node, info)
        elif isinstance(node, ast.For | ast.AsyncFor):
            newest, asked = newest_first(node.iter), leaving(node.body, source) or fitting(node, source)
            if newest is not None and asked is not None and _is_conversation(newest) and _of_tokens(source(asked)):
                yield node.iter
        elif isinstance(node, ast.If):
            test = source(node.test)
            yield from _cut_by_tokens(node.body, (*around, test), info)
            yield from _cut_by_tokens(node.orelse, (*around, test), info)
            if isinstance(node.body[-1], ast.Return | ast.Raise):
                around = (*around, test)
        elif isinstance(node, ast.With | ast.AsyncWith | ast.Try):
            yield from _cut_by_tokens(node.body, around, info)


def _limit_of_tokens(condition: str) -> str:
    return measured(condition, exceeding=True) if _of_tokens(condition) else ""


def _fitting_tokens(condition: str) -> str:
    """The limit of a test by which a loop is left once there are few enough tokens."""
    return measured(condition) if _of_tokens(condition) else ""


def _taken(loop: ast.While, info: FunctionInfo) -> Iterator[ast.expr]:
    """What takes one of the first messages of a conversation away in a loop: a method of it, what gives it back with
    fewer messages (``messages = self._drop_oldest(messages)``), or a slice of the lines that it is written in."""
    for node in ast.walk(loop):
        function = node.func if isinstance(node, ast.Call) and takes_first(node) else None
        if isinstance(node, ast.Call) and isinstance(function, ast.Attribute) and _is_conversation(function.value):
            yield node
        for target, value in bound_by(node):
            given = value.value if isinstance(value, ast.Await) else value
            if isinstance(given, ast.Call) and is_shortening(last_name(given.func)) and _is_conversation(target):
                if any(ast.unparse(argument) == ast.unparse(target) for argument in given.args):
                    yield given
            elif isinstance(given, ast.Subscript) and _leaves_first(given, target) and _is_written(target, info):
                yield given


def _leaves_first(rest: ast.Subscript, target: ast.expr) -> bool:
    """``lines = lines[1:]``."""
    start = rest.slice.lower if isinstance(rest.slice, ast.Slice) and rest.slice.upper is None else None
    number = start.value if isinstance(start, ast.Constant) else None
    return type(number) is int and 0 < number <= MOST_TAKEN and ast.unparse(rest.value) == ast.unparse(target)


def _is_written(lines: ast.expr, info: FunctionInfo) -> bool:
    """Whether these are the lines of a text that is called a conversation."""
    return any(
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Attribute)
        and value.func.attr in ("split", "splitlines")
        and any(meaning(word).grows for word in split_words(last_name(value.func.value)))
        for target, value in info.own_nodes.bindings()
        if isinstance(target, ast.Name) and target.id == last_name(lines)
    )


def _of_tokens(condition: str) -> bool:
    return "token" in condition.lower()


def _is_conversation(node: ast.expr) -> bool:
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        node = node.value
    return meaning(last_name(node)).grows
