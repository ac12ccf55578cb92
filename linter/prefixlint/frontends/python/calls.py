"""Calls: the arguments, and what is called.

Project functions are entered, library calls looked up in the tables; the result of any other call is as short-lived as
what the call is given.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from prefixlint.frontends.python.builtin_calls import BuiltinCalls
from prefixlint.frontends.python.conversations import retells, retold
from prefixlint.frontends.python.filled import filled
from prefixlint.frontends.python.function_calls import FunctionCalls
from prefixlint.frontends.python.function_names import keeps_text, kept_text
from prefixlint.frontends.python.instances import Instances
from prefixlint.frontends.python.library_calls import LibraryCalls
from prefixlint.frontends.python.method_calls import MethodCalls
from prefixlint.frontends.python.methods import Methods
from prefixlint.frontends.python.prompt_objects import PromptObjects
from prefixlint.frontends.python.requests import Requests
from prefixlint.frontends.python.signatures import Signatures
from prefixlint.frontends.python.state import join, join_values
from prefixlint.frontends.python.syntax import last_name
from prefixlint.frontends.python.system_additions import tell_added
from prefixlint.frontends.python.values import (
    NONE,
    Choose,
    Class,
    Func,
    Lambda,
    Lib,
    Many,
    Maybe,
    Method,
    ObjectThing,
    Opaque,
    Partial,
    PromptThing,
    Ref,
    Splat,
)
from prefixlint.knowledge.call_names import call_names
from prefixlint.knowledge.libraries import Sink, Source, libraries

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.modules import FunctionInfo
    from prefixlint.frontends.python.state import State
    from prefixlint.frontends.python.values import Val

MOST_CALLED = 4
"""Of the functions that a call may mean, those that are tried."""


class Calls:
    """Evaluation of calls, and the parts that do it."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter
        self.functions = FunctionCalls(interpreter)
        self.libraries = LibraryCalls(interpreter, self)
        self.method_calls = MethodCalls(interpreter, self)
        self.methods = Methods(interpreter)
        self.builtins = BuiltinCalls(interpreter)
        self.requests = Requests(interpreter)
        self.prompts = PromptObjects(interpreter)
        self.instances = Instances(interpreter)
        self.signatures = Signatures(interpreter)

    def call(self, node: ast.Call, frame: Frame) -> Val:
        """Value of a call expression; templates that it sends are emitted."""
        expressions = self._interpreter.expressions
        function = expressions.evaluate(node.func, frame)
        args: list[Val] = []
        for argument in node.args:
            value = expressions.evaluate(argument, frame)
            if isinstance(argument, ast.Starred):
                args.extend(
                    expressions.opaque(argument, frame)
                    if isinstance(item, Many | Maybe)
                    else item.value
                    if isinstance(item, Splat)
                    else item
                    for item in expressions.items_of(value, frame)
                )
            else:
                args.append(expressions.here(value, argument, frame))
        keywords: dict[str, Val] = {}
        for keyword in node.keywords:
            value = expressions.here(expressions.evaluate(keyword.value, frame), keyword.value, frame)
            if keyword.arg is not None:
                keywords[keyword.arg] = value
            else:
                thing = expressions.unpacked(value, frame)
                if thing is not None:
                    keywords.update({k: v for k, v in thing.entries if k not in keywords})
                    if thing.rest:
                        keywords["**"] = thing.rest[0]
                else:
                    keywords.update({k: v for k, v in filled(keyword.value, frame) if k not in keywords})
                    keywords["**"] = value
        if frame.state is None:
            return NONE
        if args:
            tell_added(node, args, self._interpreter, frame)
        result = self.apply(function, args, keywords, node, frame)
        if keeps_text(node):
            result = kept_text(result, args)
        return retold(result, [*args, *keywords.values()], node, expressions, frame) if retells(node) else result

    def apply(self, function: Val, args: list[Val], keywords: dict[str, Val], node: ast.Call, frame: Frame) -> Val:
        """Calls a value."""
        if isinstance(function, Choose):
            known = [f for f in function.values if isinstance(f, Func | Class | Lambda | Partial)]
            # Which of them it is goes with what it is given: one that could not take that is another time's.
            taking = [f for f in known if not isinstance(f, Func) or _takes(f, node)]
            if known and not taking:
                return self.libraries.unknown(frame.module.places.source(node.func), None, args, keywords, node, frame)
            if taking:
                return self._either(taking[:MOST_CALLED], function, args, keywords, node, frame)
        if isinstance(function, Partial):
            return self.apply(
                function.function, [*function.args, *args], {**function.keywords, **keywords}, node, frame
            )
        if isinstance(function, Func):
            configured = self._configured(function, args, keywords, node, frame)
            if configured is not None:
                return configured
            named = last_name(node.func) == function.info.name
            if named and not _takes(function, node) and not self._is_wrapped(function.info):
                # Another one of that name is meant, or the program is wrong there.
                return self.libraries.unknown(frame.module.places.source(node.func), None, args, keywords, node, frame)
            before = len(self._interpreter.emissions)
            result = self.functions.call(function, args, keywords, node, frame)
            if len(self._interpreter.emissions) == before:
                handed = last_name(node.func) in call_names().handing_on
                self.requests.generic(node, args, keywords, frame, function.info.name if handed else "")
            return result
        if isinstance(function, Lambda):
            return self.functions.apply_lambda(function, args, node, frame)
        if isinstance(function, Class):
            return self.instances.made(function, args, keywords, node, frame)
        if isinstance(function, Lib):
            return self.libraries.call(function, args, keywords, node, frame)
        if isinstance(function, Method):
            return self.method_calls.call(function, args, keywords, node, frame)
        thing = self._interpreter.thing(function, frame)
        if isinstance(function, Ref) and isinstance(thing, ObjectThing):
            lookup = self._interpreter.lookup
            method = lookup.method(thing.info, "__call__") or lookup.entered(thing.info, "__call__")
            if method is not None:
                return self.functions.call(Func(method, function), args, keywords, node, frame)
        if isinstance(thing, PromptThing) and thing.chain:
            ran = self.prompts.method(thing, "__call__", args, keywords, node, frame)
            if ran is not None:
                return ran
        if isinstance(function, Opaque) and function.type:
            return self.libraries.entry(
                Lib(f"{function.type}.__call__"), args, keywords, node, frame
            ) or self.libraries.unknown(function.expression, None, args, keywords, node, frame)
        return self.libraries.unknown(frame.module.places.source(node.func), None, args, keywords, node, frame)

    def asked(self, function: Func | Lambda | Partial, node: ast.expr, frame: Frame) -> Val:
        """What a function gives that a library calls with what it knows; ``node`` stands where the library got it."""
        if isinstance(node, ast.Call):
            return self.apply(function, [], {}, node, frame)
        inner, args, keywords = (
            (function.function, [*function.args], function.keywords)
            if isinstance(function, Partial)
            else (function, [], {})
        )
        if isinstance(inner, Func):
            return self.functions.call(inner, args, keywords, node, frame)
        if isinstance(inner, Lambda):
            return self.functions.apply_lambda(inner, args, node, frame)
        return self._interpreter.expressions.derived(node, args, frame)

    def _either(
        self,
        functions: Sequence[Val],
        choose: Choose,
        args: list[Val],
        keywords: dict[str, Val],
        node: ast.Call,
        frame: Frame,
    ) -> Val:
        """What a call of one of several functions gives: each is called as if it were the one, and what they leave is
        joined. Methods of several objects together may take the steps of one choice."""
        interpreter, start, choice = self._interpreter, frame.state, replace(choose, values=())
        bound = len(functions) > 1 and any(isinstance(f, Func) and f.owner is not None for f in functions)
        # What each does to its own object is done to that one, whichever is meant.
        aside = bound and all(isinstance(f, Func) and f.info.has_at_most(interpreter.bounds.small) for f in functions)
        last = interpreter.steps + interpreter.bounds.choices // 3
        result: Val | None = None
        after: State | None = None
        for at, function in enumerate(functions):
            if start is not None and not aside:
                frame.state = start.fork()
            call = partial(self.apply, function, args, dict(keywords), node, frame)
            value = interpreter.within((last - interpreter.steps) // (len(functions) - at), call) if bound else call()
            if value is not None:
                result = value if result is None else join_values(result, value, choice)
                after = frame.state if after is None or aside else join(after, frame.state, choice)
        frame.state = start if after is None else after
        if result is None:
            name = frame.module.places.source(node.func)
            return self.libraries.unknown(name, None, args, keywords, node, frame)
        return result

    def _is_wrapped(self, info: FunctionInfo) -> bool:
        """Whether a decorator of the project may take other arguments than the function."""
        return any(self._interpreter.functions_named(name.rpartition(".")[2]) for name in info.decorators)

    def _configured(
        self, function: Func, args: list[Val], keywords: dict[str, Val], node: ast.Call, frame: Frame
    ) -> Val | None:
        """What the project's configuration says of a call to its own function, or the usual name of a class and its
        method; None where they say nothing."""
        info, owner = function.info, function.owner
        entry = libraries().at_project(info.dotted)
        if isinstance(entry, Source):
            return self.libraries.from_source(entry, args, node, frame)
        if isinstance(entry, Sink):
            positional = entry.positional or info.parameters
            return self.libraries.to_sink(replace(entry, positional=positional), args, keywords, node, frame)
        if isinstance(owner, Class):
            return self.libraries.usual(f"{owner.info.name}.{info.name}", args, keywords, node, frame)
        return None


def _takes(function: Func, node: ast.Call) -> bool:
    """Whether a call fits a function's parameters: not too many values, and none given twice or under another name.

    What decorates the function may take more than it (``ask(question, langsmith_extra=…)``), and is given all the same
    what the function needs.
    """
    info, arguments, count = function.info, function.info.definition.args, len(node.args)
    for argument in node.args:
        if type(argument) is ast.Starred:
            return True
    given = {k.arg for k in node.keywords}
    if None in given:
        return True
    # By way of its class a method is given its object too: ``Base.ask(self, question)``.
    positional = info.parameters if function.owner is not None else info.positional
    bound = positional[:count]
    if info.is_decorated:
        needed = {name for name in info.accepted.difference(bound) if info.defaults[name] is None}
        if needed <= given:
            return True
    fits = arguments.vararg is not None or len(bound) == count
    return fits and given.isdisjoint(bound) and (arguments.kwarg is not None or given <= info.accepted)
