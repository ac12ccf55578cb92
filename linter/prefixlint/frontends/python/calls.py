"""Calls: project functions are entered, library calls looked up in the tables.

The result of any other call is as short-lived as what the call is given.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from prefixlint.frontends.python import strings
from prefixlint.frontends.python.builtin_calls import SEEDED, BuiltinCalls
from prefixlint.frontends.python.conversations import cut_at, is_counted, newest_rows, retells, retold, windowed
from prefixlint.frontends.python.frames import Frame, lift
from prefixlint.frontends.python.function_names import by_function_name
from prefixlint.frontends.python.instances import Instances
from prefixlint.frontends.python.lookup import judged
from prefixlint.frontends.python.loops import item_of
from prefixlint.frontends.python.material import is_material
from prefixlint.frontends.python.methods import Methods
from prefixlint.frontends.python.naming import named
from prefixlint.frontends.python.prompt_objects import PromptObjects
from prefixlint.frontends.python.prompt_text import is_prompt_name
from prefixlint.frontends.python.requests import Requests
from prefixlint.frontends.python.state import State, join, join_values
from prefixlint.frontends.python.thresholds import sums_up
from prefixlint.frontends.python.values import (
    DATA,
    NONE,
    Choose,
    Class,
    DictThing,
    FileData,
    Func,
    Lambda,
    Lib,
    ListThing,
    Many,
    Maybe,
    Method,
    ObjectThing,
    Opaque,
    Partial,
    PathText,
    Ref,
    Splat,
    Str,
)
from prefixlint.knowledge import clocks
from prefixlint.knowledge.libraries import (
    MessageClass,
    PlaceholderClass,
    PromptClass,
    Sink,
    Source,
    Window,
    libraries,
)
from prefixlint.model.lifetimes import Confidence, Hop, Lifetime, Origin, SourceKind, shortest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.modules import FunctionInfo
    from prefixlint.frontends.python.values import Val

_CACHING = frozenset({"cache", "lru_cache", "cached_property", "cached", "memoize", "alru_cache"})

_RETRIEVING = frozenset({"retrieve", "search", "recall", "lookup"})
_MANAGERS = frozenset({"contextmanager", "asynccontextmanager"})


class Calls:
    """Evaluation of calls."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter
        self.methods = Methods(interpreter)
        self.builtins = BuiltinCalls(interpreter)
        self.requests = Requests(interpreter)
        self.prompts = PromptObjects(interpreter)
        self.instances = Instances(interpreter)

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
                    keywords["**"] = value
        if frame.state is None:
            return NONE
        result = self.apply(function, args, keywords, node, frame)
        return retold(result, [*args, *keywords.values()], node, expressions, frame) if retells(node) else result

    def apply(self, function: Val, args: list[Val], keywords: dict[str, Val], node: ast.Call, frame: Frame) -> Val:
        """Calls a value."""
        if isinstance(function, Choose):
            known = [f for f in function.values if isinstance(f, Func | Class | Lambda | Partial)]
            # Which of them it is goes with what it is given: one that could not take that is another time's.
            known = [f for f in known if not isinstance(f, Func) or _takes(f.info, node)] or known
            results = [self.apply(f, args, dict(keywords), node, frame) for f in known[:4]]
            if results:
                value = results[0]
                for other in results[1:]:
                    value = join_values(value, other, replace(function, values=()))
                return value
        if isinstance(function, Partial):
            return self.apply(
                function.function, [*function.args, *args], {**function.keywords, **keywords}, node, frame
            )
        if isinstance(function, Func):
            configured = self._configured(function.info, args, keywords, node, frame)
            if configured is not None:
                return configured
            before = len(self._interpreter.emissions)
            result = self.call_function(function, args, keywords, node, frame)
            if len(self._interpreter.emissions) == before:
                self.requests.generic(node, args, keywords, frame)
            return result
        if isinstance(function, Lambda):
            return self._lambda(function, args, node, frame)
        if isinstance(function, Class):
            return self.instances.made(function, args, keywords, node, frame)
        if isinstance(function, Lib):
            return self._library(function, args, keywords, node, frame)
        if isinstance(function, Method):
            return self._method(function, args, keywords, node, frame)
        thing = self._interpreter.thing(function, frame)
        if isinstance(function, Ref) and isinstance(thing, ObjectThing):
            method = self._interpreter.lookup.method(thing.info, "__call__")
            if method is not None:
                return self.call_function(Func(method, function), args, keywords, node, frame)
        if isinstance(function, Opaque) and function.type:
            return self.entry(Lib(f"{function.type}.__call__"), args, keywords, node, frame) or self._unknown(
                function.expression, None, args, keywords, node, frame
            )
        return self._unknown(frame.module.places.source(node.func), None, args, keywords, node, frame)

    # Project functions

    def _configured(
        self, info: FunctionInfo, args: list[Val], keywords: dict[str, Val], node: ast.Call, frame: Frame
    ) -> Val | None:
        """What the project's configuration says of a call to its own function; None where it says nothing."""
        entry = libraries().at_project(info.dotted)
        if isinstance(entry, Source):
            return self._from_source(entry, args, node, frame)
        if isinstance(entry, Sink):
            positional = entry.positional or info.parameters
            return self._to_sink(replace(entry, positional=positional), args, keywords, node, frame)
        return None

    def call_function(
        self, function: Func, args: list[Val], keywords: Mapping[str, Val], node: ast.expr, frame: Frame
    ) -> Val:
        """Runs a project function with these arguments; its changes to lists and objects are kept."""
        interpreter = self._interpreter
        info = function.info
        if frame.state is None:
            return NONE
        too_far = info.node in frame.stack or frame.depth >= interpreter.bounds.depth
        bounds = interpreter.bounds
        idle = node is frame.unused and not info.leaves_traces
        aside = not interpreter.is_relevant(info) and (
            idle or (info.size > bounds.small and not self._handed_text(function, args, keywords, frame))
        )
        aside = aside and not (
            info.size <= bounds.medium and (_makes_prompt(info) or interpreter.lookup.aging.turns.cuts(info))
        )
        spent = not aside and interpreter.spent_too_much_on(info)
        if info.is_abstract and not too_far:
            implemented = self._implemented(function, args, keywords, node, frame)
            if implemented is not None:
                return implemented
        if spent and not too_far and not info.is_abstract and interpreter.is_relevant(info):
            self._sent_again(function, args, keywords, node, frame)
        if info.is_abstract or too_far or aside or spent:
            return self._uncalled(function, args, keywords, node, frame)
        moment = frame.moment
        if info.decorators & _CACHING and moment.rank < Lifetime.PROCESS.rank:
            moment = Lifetime.PROCESS
        call_span = frame.module.places.span(node)
        inner = Frame(
            info.module,
            info,
            State({}, frame.state.heap),
            moment=moment,
            depth=frame.depth + 1,
            chain=(*frame.chain, Hop(f"`{info.name}()` called here", call_span)),
            stack=(*frame.stack, info.node),
            closure=function.closure,
            guards=frame.guards if frame.branch is None else (*frame.guards, frame.branch),
            counting=frame.counting,
            measuring=frame.measuring,
            seldom=frame.seldom or sums_up(info.name),
            cause=cut_at(node, frame) if is_counted(frame) else None,
        )
        if info.decorators & _MANAGERS:
            inner.inside, frame.entering = frame.entering, None
        self.bind(function, args, keywords, node, frame, inner)
        before = interpreter.total
        try:
            result = interpreter.run_body(info, inner)
        finally:
            interpreter.ledger.spent[info.node] += interpreter.total - before
        after: State | None = frame.state  # the body of a ``with`` statement can have ended the path meanwhile
        if after is None:
            return NONE
        if inner.state is not None:
            after.heap = inner.state.heap
        if info.decorators & _CACHING and isinstance(result, Opaque):
            result = result.but(lifetime=lift(result.lifetime, Lifetime.PROCESS))
        if info.decorators & _MANAGERS:
            thing = interpreter.thing(result, inner)
            first = thing.items[0] if isinstance(thing, ListThing) and thing.items else None
            if isinstance(first, Many | Maybe):
                return interpreter.expressions.opaque(node, frame)
            if first is not None and not isinstance(first, Splat):
                return first
        return self._explained(result, info, node, frame)

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
            call = partial(self.call_function, Func(method, owner), args, keywords, node, frame)
            value = interpreter.within((last - interpreter.steps) // (len(known) - at), call)
            if value is None:
                interpreter.ledger.cut_off[method.node] = method
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
        if function.info.size > self._interpreter.bounds.medium:
            return False
        given = [*args, *keywords.values()] if function.owner is None else [function.owner, *args, *keywords.values()]
        return any(is_material(self._interpreter, value, frame) for value in given)

    def _explained(self, result: Val, info: FunctionInfo, node: ast.expr, frame: Frame) -> Val:
        """A result of which nothing is known, judged by the function's name."""
        if isinstance(result, Opaque) and not result.lifetime.known:
            suggested = by_function_name(info.name, node, frame)
            if suggested is not None:
                return suggested
        return result

    def _uncalled(
        self, function: Func, args: list[Val], keywords: Mapping[str, Val], node: ast.expr, frame: Frame
    ) -> Val:
        suggested = by_function_name(function.info.name, node, frame)
        derived = self._interpreter.expressions.derived(node, [*args, *keywords.values()], frame)
        if function.info.name.lstrip("_").partition("_")[0] in _RETRIEVING and derived.lifetime.varies:
            # ``retrieve_skills(query)``: which of them is for the query to say, whatever they are called.
            return derived.but(origin=Origin(SourceKind.RETRIEVAL, derived.origin.hops), grows=False)
        if suggested is None:
            return derived if derived.lifetime.varies else self._interpreter.expressions.opaque(node, frame)
        return suggested

    def bind(
        self, function: Func, args: list[Val], keywords: Mapping[str, Val], node: ast.expr, frame: Frame, inner: Frame
    ) -> None:
        """Binds arguments to parameters; what nobody fills gets its default, or what its name suggests."""
        info = function.info
        assert inner.state is not None
        arguments = info.node.args
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
        return named(name, name, span, open_name=name)

    def _lambda(self, function: Lambda, args: list[Val], node: ast.Call, frame: Frame) -> Val:
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
        for parameter, value in zip(function.node.args.args, args, strict=False):
            inner.state.variables[parameter.arg] = value
        return self._interpreter.evaluate(function.node.body, inner)

    # Libraries and unknown callables

    def _library(self, function: Lib, args: list[Val], keywords: dict[str, Val], node: ast.Call, frame: Frame) -> Val:
        built = self.builtins.call(function.path, args, keywords, node, frame)
        if built is not None:
            return built
        owner_path, _, last = function.path.rpartition(".")
        if owner_path in ("str", "list", "dict") and args:
            # ``str.strip`` handed on as a function.
            known = self.methods.call(args[0], last, args[1:], keywords, node, frame)
            if known is not None:
                return known
        entry = self.entry(function, args, keywords, node, frame)
        if entry is not None:
            return entry
        message = self.usual_message(function.path.rpartition(".")[2], args, keywords, node, frame)
        if message is not None:
            return message
        made = self.prompts.chain(function.path.rpartition(".")[2], keywords, frame)
        if made is not None:
            return made
        chain = _chain(node.func)
        value = self._at_method(chain, args, keywords, node, frame)
        if value is not None:
            return value
        if libraries().below(function.path) is not None:
            owner = self._interpreter.expressions.attribute_value(Lib(owner_path), node, frame)
            known = self.methods.on_opaque(owner, last, args, keywords, node, frame)
            return known if known is not None else self._unknown(last, owner, args, keywords, node, frame)
        result = self._unknown(last, None, args, keywords, node, frame)
        if last[:1].isupper() and isinstance(result, Opaque):
            return result.but(type=function.path)
        return result

    def usual_message(
        self, name: str, args: list[Val], keywords: dict[str, Val], node: ast.Call, frame: Frame
    ) -> Val | None:
        """A message, where a class that no table knows bears the usual name of one."""
        usual = libraries().at_path(f"project.{name}")
        if isinstance(usual, MessageClass) and (args or usual.content in keywords):
            return self.prompts.message(usual, args, keywords, node, frame)
        return None

    def entry(
        self, function: Lib, args: list[Val], keywords: dict[str, Val], node: ast.Call, frame: Frame
    ) -> Val | None:
        """What the tables say of a library call, or None."""
        entry = libraries().at_path(function.path)
        if isinstance(entry, Source):
            return self._from_source(entry, args, node, frame)
        if isinstance(entry, Sink):
            return self._to_sink(entry, args, keywords, node, frame)
        if isinstance(entry, MessageClass):
            return self.prompts.message(entry, args, keywords, node, frame)
        if isinstance(entry, PromptClass):
            return self.prompts.create(entry, args, keywords, node, frame)
        if isinstance(entry, PlaceholderClass):
            return self.prompts.placeholder(args, keywords, node, frame)
        if isinstance(entry, Window):
            given = keywords.get(entry.messages) or (args[0] if args else None)
            return windowed(function.path, entry, given, node, self._interpreter.expressions, frame)
        return None

    def _from_source(self, entry: Source, args: list[Val], node: ast.Call, frame: Frame) -> Val:
        value = self._interpreter.expressions.from_source(entry, node, frame)
        seeded = frame.state is not None and SEEDED in frame.state.variables
        if seeded and entry.kind in (SourceKind.RANDOM, SourceKind.SHUFFLED):
            return value.but(lifetime=Lifetime.CONSTANT, origin=Origin(SourceKind.CONFIGURATION))
        if entry.kind is SourceKind.ATTACHMENT and args:
            inner = self._interpreter.expressions.derived(node, args, frame)
            return inner if inner.lifetime is Lifetime.CONSTANT else value
        at = entry.format_argument
        if at is not None and at < len(args):
            pattern = args[at]
            text = strings.constant_text(pattern.segments) if isinstance(pattern, Str) else None
            if text is not None:
                return self._interpreter.expressions.clock(value, clocks.clock_format(text)[0], frame)
        return value

    def _to_sink(self, entry: Sink, args: list[Val], keywords: dict[str, Val], node: ast.Call, frame: Frame) -> Val:
        if (
            entry.requires
            and not any(name in keywords for name in (*entry.requires, "**"))
            and not (entry.positional and args)
        ):
            return self._unknown(frame.module.places.source(node.func), None, args, keywords, node, frame)
        self.requests.sink(entry, args, keywords, node, frame)
        return self.answer(node, frame)

    def answer(self, node: ast.Call, frame: Frame) -> Opaque:
        """What a model answers: another text on each request."""
        places = frame.module.places
        return Opaque(
            places.source(node),
            places.span(node),
            lift(Lifetime.REQUEST, frame.moment),
            Origin(SourceKind.USER_INPUT),
            Confidence.HIGH,
        )

    def _method(self, function: Method, args: list[Val], keywords: dict[str, Val], node: ast.Call, frame: Frame) -> Val:
        owner = function.owner
        known = self.methods.call(owner, function.name, args, keywords, node, frame)
        if known is not None:
            self._written_back(node.func, owner, frame)
            return known
        handed = _HANDED_ON.get(function.name)
        if handed is not None and len(args) > handed and isinstance(args[handed], Func | Lambda | Partial):
            return self.apply(args[handed], args[handed + 1 :], keywords, node, frame)
        mapped = self._mapped(owner, function.name, args, node, frame)
        if mapped is not None:
            return mapped
        if isinstance(owner, FileData) and function.name == "get" and args:
            return self._interpreter.expressions.item(owner, args[0], node, frame)
        if isinstance(owner, Choose):
            strings_ = [v for v in owner.values if isinstance(v, Str)]
            if len(strings_) == len([v for v in owner.values if v != NONE]) and strings_:
                results = [self.methods.call(s, function.name, args, keywords, node, frame) for s in strings_]
                value = results[0] or NONE
                for other in results[1:]:
                    value = join_values(value, other or NONE, replace(owner, values=()))
                return value
        opaque = self._interpreter.expressions.as_opaque(owner, node.func, frame)
        if opaque.type:
            path = f"{opaque.type}.{function.name}"
            entry = self.builtins.call(path, args, keywords, node, frame)
            if entry is None:
                entry = self.entry(Lib(path), args, keywords, node, frame)
            if entry is not None:
                return entry
        known = self.methods.on_opaque(opaque, function.name, args, keywords, node, frame)
        for chain in dict.fromkeys((_chain(node.func), _looked_up(function))):
            if known is None:
                known = self._at_method(chain, args, keywords, node, frame)
        if known is not None:
            return known
        found = self._interpreter.unique_method(function.name) if not opaque.type else None
        if found is not None and frame.state is not None:
            owner_ref = self._interpreter.lookup.instance(found.owner, frame) if found.owner is not None else None
            if "staticmethod" in found.decorators:
                owner_ref = None
            return self.apply(Func(found, owner_ref), args, keywords, node, frame)
        if opaque.drift is not None and opaque.drift.kind == "tail" and function.name in _ROWS:
            return opaque
        result = self._unknown(function.name, opaque, args, keywords, node, frame)
        return newest_rows(result, node, frame) if function.name in _QUERIES else result

    def _written_back(self, target: ast.expr, owner: Val, frame: Frame) -> None:
        """``self.__dict__.update(…)``: the attributes are those that the dictionary has now."""
        place = target.value if isinstance(target, ast.Attribute) else None
        if not isinstance(place, ast.Attribute) or place.attr != "__dict__" or frame.state is None:
            return
        of = self._interpreter.evaluate_quietly(place.value, frame)
        thing, now = self._interpreter.thing(of, frame), self._interpreter.thing(owner, frame)
        if isinstance(of, Ref) and isinstance(thing, ObjectThing) and isinstance(now, DictThing):
            frame.state.heap[of.id] = replace(thing, attributes=dict(now.entries))

    def _mapped(self, owner: Val, name: str, args: list[Val], node: ast.Call, frame: Frame) -> Val | None:
        """``pool.map(solve, tasks)``, ``dataset.map(solve)``: a call of the function for each item; None for others."""
        if name not in _MAPS or not args or not isinstance(args[0], Func | Lambda | Partial | Lib):
            return None
        expressions = self._interpreter.expressions
        if name == "map" and len(args) == 2 and expressions.known_items(args[1], frame) is not None:
            return self.builtins.collections.map(args, {}, node, frame)
        if isinstance(args[0], Lib):
            return None
        source = expressions.as_opaque(args[1] if len(args) > 1 else owner, node.args[-1] if node.args else node, frame)
        if len(args) == 1 and source.type != DATA:
            return None
        function = args[0]
        names = function.info.parameters if isinstance(function, Func) else ()
        item = item_of(source, names[0] if names else "", names[0] if names else source.expression, source.span)
        return expressions.derived(node, [self.apply(function, [item], {}, node, frame)], frame)

    def _at_method(
        self, chain: str, args: list[Val], keywords: dict[str, Val], node: ast.Call, frame: Frame
    ) -> Val | None:
        entry = libraries().at_method(chain)
        if isinstance(entry, Sink):
            if entry.requires and not any(name in keywords for name in (*entry.requires, "**")):
                return None
            self.requests.sink(entry, args, keywords, node, frame)
            return self.answer(node, frame)
        if isinstance(entry, Source):
            self.requests.generic(node, args, keywords, frame)
            return self._interpreter.expressions.from_source(entry, node, frame)
        return None

    def _unknown(
        self, name: str, owner: Opaque | None, args: list[Val], keywords: dict[str, Val], node: ast.Call, frame: Frame
    ) -> Val:
        """Result of a call that is not followed: what its name says, else as short-lived as what it is given."""
        sent = self.requests.generic(node, args, keywords, frame)
        if sent:
            return self.answer(node, frame)
        expressions = self._interpreter.expressions
        parts = [expressions.as_opaque(value, node, frame) for value in (*args, *keywords.values())]
        varying = [part for part in parts if part.lifetime.varies]
        suggested = by_function_name(name, node, frame)
        if suggested is not None and (not varying or suggested.lifetime.varies):
            return self._interpreter.moment(suggested, frame)
        if owner is not None and owner.lifetime.varies:
            varying.append(owner)
        if varying:
            lifetime = shortest(part.lifetime for part in varying)
            lead = next(part for part in varying if part.lifetime is lifetime)
            if lead.grows and name.rpartition(".")[2] in _ANSWERED:
                return self.answer(node, frame)
            places = frame.module.places
            return lead.but(expression=places.source(node), span=places.span(node), name="", type="")
        if args and isinstance(args[0], PathText):
            # What a reader that is not followed makes of a file of the project.
            return expressions.fixed(node, frame)
        return expressions.opaque(node, frame)


# What a conversation is given to under one of these names answers it.
_ANSWERED = frozenset(
    {"query", "complete", "acomplete", "generate", "agenerate", "invoke", "ainvoke", "ask", "aask", "chat", "achat"}
    | {"predict", "apredict", "respond", "answer"}
)
# Methods that call what they are given once for each item.
_MAPS = frozenset({"map", "imap", "imap_unordered", "starmap", "map_async", "apply", "progress_apply", "filter"})
# Methods of executors, loops and task groups that call what they are given: the argument's place.
# Methods by which a query is run, and those of its result that give the rows.
_QUERIES = frozenset({"limit", "all", "execute", "exec", "scalars", "fetch", "fetchall", "to_list", "get"})
_ROWS = frozenset({"all", "scalars", "unique", "mappings", "fetchall", "to_list"})
_HANDED_ON = {"submit": 0, "run_in_executor": 1, "to_thread": 0, "call_soon": 0, "start_soon": 0, "run_sync": 0}


def _chain(node: ast.expr) -> str:
    """Names in ``a.b().c.d``, joined by dots."""
    names: list[str] = []
    while True:
        if isinstance(node, ast.Attribute):
            names.append(node.attr)
            node = node.value
        elif isinstance(node, ast.Call):
            node = node.func
        elif isinstance(node, ast.Subscript | ast.Await):
            node = node.value
        else:
            if isinstance(node, ast.Name):
                names.append(node.id)
            return ".".join(reversed(names))


def _takes(info: FunctionInfo, node: ast.Call) -> bool:
    """Whether a call fits a function's parameters: not too many values, and none given twice or under another name."""
    arguments = info.node.args
    if any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
        return True
    bound = info.parameters[: len(node.args)]
    given = {k.arg for k in node.keywords if k.arg}
    names = {*info.parameters, *(a.arg for a in arguments.kwonlyargs)}
    fits = arguments.vararg is not None or len(bound) == len(node.args)
    return fits and given.isdisjoint(bound) and (arguments.kwarg is not None or given <= names)


def _makes_prompt(info: FunctionInfo) -> bool:
    """Whether a method makes an object whose class says that it is a prompt."""
    return info.name == "__init__" and info.owner is not None and is_prompt_name(info.owner.name)


def _looked_up(method: Method) -> str:
    """Names by which a method was come by, also where part of them stands elsewhere: ``self.client = api.chat``."""
    names = [method.name]
    owner = method.owner
    while isinstance(owner, Method):
        names.append(owner.name)
        owner = owner.owner
    return ".".join(reversed(names))
