"""Calls of project functions: which are entered, what their parameters get, what the others give."""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from prefixlint.frontends.python.by_name import judged
from prefixlint.frontends.python.conversations import bound_of_caller, cut_at, is_counted
from prefixlint.frontends.python.frames import Frame, lift
from prefixlint.frontends.python.function_names import answers, by_arguments, by_function_name
from prefixlint.frontends.python.handlers import as_annotated
from prefixlint.frontends.python.material import is_material
from prefixlint.frontends.python.naming import named
from prefixlint.frontends.python.newest import newest_rows
from prefixlint.frontends.python.prompt_text import is_prompt_name
from prefixlint.frontends.python.smaller import smaller_arguments
from prefixlint.frontends.python.state import State, join, join_values
from prefixlint.frontends.python.thresholds import sums_up
from prefixlint.frontends.python.values import (
    NONE,
    Choose,
    DictThing,
    Func,
    Lambda,
    ListThing,
    Many,
    Maybe,
    ObjectThing,
    Opaque,
    Ref,
    Splat,
)
from prefixlint.knowledge.call_names import call_names
from prefixlint.model.lifetimes import Hop, HopKind, Lifetime, SourceKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.modules import FunctionInfo
    from prefixlint.frontends.python.values import Val

_MANAGERS = frozenset({"contextmanager", "asynccontextmanager"})


class FunctionCalls:
    """Enters functions, as far as they have to do with prompts and the bounds allow."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter

    def call(self, function: Func, args: list[Val], keywords: Mapping[str, Val], node: ast.expr, frame: Frame) -> Val:
        """Runs a project function with these arguments; its changes to lists and objects are kept."""
        interpreter = self._interpreter
        info = function.info
        if frame.state is None:
            return NONE
        again = info in frame.stack
        smaller = smaller_arguments(function, args, keywords, node, interpreter, frame) if again else None
        if smaller is not None:
            args, keywords = smaller
        too_far = smaller is None if again else frame.depth >= interpreter.bounds.depth
        aside = smaller is None and self._is_aside(function, args, keywords, node, frame)
        spent = not aside and interpreter.spent_too_much_on(info)
        if info.is_abstract and not too_far:
            implemented = self._implemented(function, args, keywords, node, frame)
            if implemented is not None:
                return implemented
        if spent and not too_far and not info.is_abstract and interpreter.is_relevant(info):
            self._sent_again(function, args, keywords, node, frame)
        if info.is_abstract or too_far or aside or spent:
            return self._uncalled(function, args, keywords, node, frame)
        moment, caching = frame.moment, call_names().caching
        if info.decorators & caching and moment.rank < Lifetime.PROCESS.rank:
            moment = Lifetime.PROCESS
        call_span = frame.module.places.span(node)
        inner = Frame(
            info.module,
            info,
            State({}, frame.state.heap),
            moment=moment,
            depth=frame.depth if again else frame.depth + 1,
            chain=frame.chain if again else (*frame.chain, Hop(HopKind.CALLED, call_span, f"{info.name}()")),
            stack=(*frame.stack, info),
            closure=function.closure,
            guards=frame.guards if frame.branch is None else (*frame.guards, frame.branch),
            counting=frame.counting,
            measuring=frame.measuring,
            seldom=frame.seldom or sums_up(info.name),
            cause=cut_at(node, frame) if is_counted(frame) else None,
            caller=frame,
            beginning=frame.beginning,
        )
        if info.decorators & _MANAGERS:
            inner.inside, frame.entering = frame.entering, None
        self.bind(function, args, keywords, node, frame, inner)
        before, deeper = interpreter.total, interpreter.deeper
        try:
            result = interpreter.run_callee(info, inner, frame)
        finally:
            if again:
                # What each caller has written down is its own: it counts for nobody as what callers share.
                interpreter.deeper = deeper + interpreter.total - before
            else:
                interpreter.ledger.spent[info] += interpreter.total - before - (interpreter.deeper - deeper)
        after: State | None = frame.state  # the body of a ``with`` statement can have ended the path meanwhile
        if result is None:
            frame.state = None if after is None else after.fork()
            return self._uncalled(function, args, keywords, node, frame)
        if after is None:
            return NONE
        if inner.state is not None:
            after.heap = inner.state.heap
        if info.decorators & caching and isinstance(result, Opaque):
            result = result.but(lifetime=lift(result.lifetime, Lifetime.PROCESS))
        result = bound_of_caller(result, info, function.owner is not None, node, frame)
        managed = self._managed(result, node, inner, frame) if info.decorators & _MANAGERS else None
        return self._explained(result, info, node, frame) if managed is None else managed

    def _managed(self, given: Val, node: ast.expr, inner: Frame, frame: Frame) -> Val | None:
        """What a context manager gives to ``as``: the first item that its generator gives; None where it gives none."""
        thing = self._interpreter.thing(given, inner)
        first = thing.items[0] if isinstance(thing, ListThing) and thing.items else None
        if isinstance(first, Many | Maybe):
            return self._interpreter.expressions.opaque(node, frame)
        return None if isinstance(first, Splat) else first

    def _is_aside(
        self, function: Func, args: list[Val], keywords: Mapping[str, Val], node: ast.expr, frame: Frame
    ) -> bool:
        """Whether a function has nothing to do with prompts, as far as is known, and is not worth a run for what it
        gives."""
        interpreter, info, bounds = self._interpreter, function.info, self._interpreter.bounds
        if interpreter.is_relevant(info):
            return False
        idle = node is frame.unused and not info.leaves_traces
        if not idle and (info.has_at_most(bounds.small) or self._handed_text(function, args, keywords, frame)):
            return False
        if not info.has_at_most(bounds.medium):
            return True
        if _makes_prompt(info) or info.makes_record or info.finds_place or interpreter.lookup.aging.turns.cuts(info):
            return False
        if info.asks_for_newest or info.draws_at_random or self._views_prompt(function, args, keywords, frame):
            return False
        return not _prints_clock(info, node, frame)

    def _views_prompt(self, function: Func, args: list[Val], keywords: Mapping[str, Val], frame: Frame) -> bool:
        """Whether a constructor is given an object that builds or sends prompts: what it makes may show that one, which
        is filled later."""
        interpreter = self._interpreter
        if function.info.name != "__init__":
            return False
        for value in (*args, *keywords.values()):
            thing = interpreter.thing(value, frame) if isinstance(value, Ref) else None
            if isinstance(thing, ObjectThing):
                methods = (
                    method for info in interpreter.lookup.ancestry(thing.info) for method in info.methods.values()
                )
                if any(map(interpreter.is_relevant, methods)):
                    return True
        return False

    def _sent_again(
        self, function: Func, args: list[Val], keywords: Mapping[str, Val], node: ast.expr, frame: Frame
    ) -> None:
        """Emits what a function sends that too many have called to enter it once more."""
        # Of functions through which no prompt came while they were entered, none comes later.
        if frame.state is None or self._interpreter.is_silent or not self._interpreter.sends(function.info):
            return
        positional = function.info.positional
        bound = function.owner is not None and "staticmethod" not in function.info.decorators
        given = dict(zip(positional[1:] if bound else positional, args, strict=False)) | dict(keywords)
        self._interpreter.gateways.send(function.info, given, node, frame)

    def _implemented(
        self, function: Func, args: list[Val], keywords: Mapping[str, Val], node: ast.expr, frame: Frame
    ) -> Val | None:
        """An abstract method of an object that may be of any class derived from its own: what the first few give.

        None where nothing implements it, or no implementation has to do with prompts.
        """
        interpreter = self._interpreter
        owner, thing, start = function.owner, interpreter.thing(function.owner or NONE, frame), frame.state
        if not isinstance(owner, Ref) or not isinstance(thing, ObjectThing) or start is None:
            return None
        known = interpreter.implementations(function.info, thing.info)
        known = [(info, method) for info, method in known if not interpreter.was_cut_off(method)]
        choose = Choose((), frame.module.places.source(node), frame.module.places.span(node))
        result: Val | None = None
        after: State | None = None
        last = interpreter.steps + interpreter.bounds.choices
        for at, (info, method) in enumerate(known):
            frame.state = start.fork()
            other = interpreter.thing(interpreter.lookup.instance(info, frame), frame)
            attributes = {**(other.attributes if isinstance(other, ObjectThing) else {}), **thing.attributes}
            frame.state.heap[owner.id] = ObjectThing(info, attributes)
            call = partial(self.call, Func(method, owner), args, keywords, node, frame)
            value = interpreter.within((last - interpreter.steps) // (len(known) - at), call)
            if value is None:
                interpreter.ledger.cut_off[method] = None
                continue
            changed = interpreter.thing(owner, frame)
            if isinstance(changed, ObjectThing):
                frame.state.heap[owner.id] = replace(changed, info=thing.info)
            result = value if result is None else join_values(result, value, choose)
            after = frame.state if after is None else join(after, frame.state, choose)
        frame.state = start if after is None else after
        return result

    def _handed_text(self, function: Func, args: list[Val], keywords: Mapping[str, Val], frame: Frame) -> bool:
        """Whether a function of medium size is given what a prompt could be made of, or is a method of such a thing."""
        if not function.info.has_at_most(self._interpreter.bounds.medium):
            return False
        given = [*args, *keywords.values()] if function.owner is None else [function.owner, *args, *keywords.values()]
        return any(is_material(self._interpreter, value, frame) for value in given)

    def _explained(self, result: Val, info: FunctionInfo, node: ast.expr, frame: Frame) -> Val:
        """A result of which nothing is known, judged by the function's name."""
        if isinstance(result, Opaque) and not result.lifetime.known:
            suggested = by_function_name(info.name, node, frame)
            if suggested is not None:
                return self._interpreter.moment(suggested, frame)
        return result

    def _uncalled(
        self, function: Func, args: list[Val], keywords: Mapping[str, Val], node: ast.expr, frame: Frame
    ) -> Val:
        expressions = self._interpreter.expressions
        if function.info.is_written_out:
            return expressions.fixed(node, frame)
        suggested = by_function_name(function.info.name, node, frame)
        derived = expressions.derived(node, [*args, *keywords.values()], frame)
        if derived.lifetime.known and not derived.lifetime.varies and function.info.is_of_arguments:
            return derived
        if suggested is None and answers(function.info.name, derived):
            return self._interpreter.calls.libraries.answer(node, frame)
        parts = [expressions.as_opaque(value, node, frame) for value in (*args, *keywords.values())]
        found = by_arguments(function.info.name, suggested, derived, parts)
        if found is not None:
            return found
        if suggested is None:
            told = derived.lifetime.varies or self._is_made_of_records(derived, args, frame)
            value = derived if told else expressions.opaque(node, frame)
            return newest_rows(value, node, function.info.name, parts, frame) if isinstance(node, ast.Call) else value
        return self._interpreter.moment(suggested, frame)

    def _is_made_of_records(self, derived: Opaque, args: list[Val], frame: Frame) -> bool:
        """Whether all that a function is given are objects that are written down in the code."""
        if derived.lifetime is not Lifetime.CONSTANT or not args:
            return False
        return all(isinstance(self._interpreter.thing(value, frame), ObjectThing) for value in args)

    def bind(
        self, function: Func, args: list[Val], keywords: Mapping[str, Val], node: ast.expr, frame: Frame, inner: Frame
    ) -> None:
        """Binds arguments to parameters; what nobody fills gets its default, or what its name suggests."""
        info = function.info
        assert inner.state is not None
        arguments = info.definition.args
        variables = inner.state.variables
        positional, defaults = info.positional, info.defaults
        values = list(args)
        if function.owner is not None and "staticmethod" not in info.decorators:
            values.insert(0, function.owner)
        variables.update(zip(positional, values, strict=False))
        rest = values[len(positional) :]
        if arguments.vararg is not None:
            variables[arguments.vararg.arg] = inner.state.new(ListThing(tuple(rest), kind="tuple"))
        extra: list[tuple[str, Val]] = []
        for name, value in keywords.items():
            if name in defaults:
                variables.setdefault(name, value)
            elif name != "**":
                extra.append((name, value))
        unpacked = keywords.get("**")
        if arguments.kwarg is not None:
            variables[arguments.kwarg.arg] = inner.state.new(
                DictThing(tuple(extra), () if unpacked is None else (unpacked,))
            )
        for name, default in defaults.items():
            if name not in variables:
                variables[name] = self._default(default, name, info, inner, unpacked)
            else:
                variables[name] = judged(variables[name], name)

    def _default(
        self, default: ast.expr | None, name: str, info: FunctionInfo, inner: Frame, unpacked: Val | None
    ) -> Val:
        if default is not None and unpacked is None:
            scope = Frame(info.module, None, State({}), moment=Lifetime.PROCESS, depth=inner.depth)
            value = self._interpreter.evaluate_quietly(default, scope)
            if scope.state is not None and inner.state is not None:
                inner.state.heap.update(scope.state.heap)
            return value
        span = info.module.places.span(info.node.body[0])
        arguments = info.definition.args
        declared = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
        value = named(name, name, span, open_name=name)
        return as_annotated(next(argument for argument in declared if argument.arg == name), value)

    def apply_lambda(self, function: Lambda, args: list[Val], node: ast.expr, frame: Frame) -> Val:
        if frame.state is None or frame.depth >= self._interpreter.bounds.depth or function.node in frame.stack:
            return self._interpreter.expressions.derived(node, args, frame)
        inner = Frame(
            function.module,
            frame.function,
            State({}, frame.state.heap),
            moment=frame.moment,
            depth=frame.depth + 1,
            chain=frame.chain,
            stack=(*frame.stack, function.node),
            closure=function.closure,
        )
        assert inner.state is not None
        parameters = function.node.args.args
        for parameter, value in zip(parameters, args, strict=False):
            inner.state.variables[parameter.arg] = value
        defaults = dict(zip(reversed(parameters), reversed(function.node.args.defaults), strict=False))
        span = function.module.places.span(function.node)
        for parameter in parameters[len(args) :]:
            default = defaults.get(parameter)
            if default is not None:
                inner.state.variables[parameter.arg] = self._interpreter.evaluate(default, inner)
            else:
                inner.state.variables[parameter.arg] = as_annotated(
                    parameter, named(parameter.arg, parameter.arg, span)
                )
        return self._interpreter.evaluate(function.node.body, inner)


def _prints_clock(info: FunctionInfo, node: ast.expr, frame: Frame) -> bool:
    """Whether a function that gives a time by its name prints one in a form of its own, which alone says how fine it
    is."""
    suggested = by_function_name(info.name, node, frame)
    if suggested is None or suggested.origin.kind is not SourceKind.CLOCK:
        return False
    return any(node.attr == "strftime" for node in info.own_nodes.of(ast.Attribute))


def _makes_prompt(info: FunctionInfo) -> bool:
    """Whether a method makes an object whose class says that it is a prompt."""
    return info.name == "__init__" and info.owner is not None and is_prompt_name(info.owner.name)
