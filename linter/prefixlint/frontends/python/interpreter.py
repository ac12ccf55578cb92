"""Runs functions and module bodies on abstract values, statement by statement.

Branches are run on both sides and joined; a loop body is run twice, so that what the first pass appends or adds is seen
as repeated by the second. Nothing of the analysed project is executed or imported.
"""

from __future__ import annotations

import ast
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python.calls import Calls
from prefixlint.frontends.python.conversations import dropped_front, kept_for_long, shortened
from prefixlint.frontends.python.decorators import register
from prefixlint.frontends.python.expressions import Expressions
from prefixlint.frontends.python.first_turns import asks_for_first, join_turns, sets_flag
from prefixlint.frontends.python.frames import Bounds, Emission, Frame, OutOfSteps, lift
from prefixlint.frontends.python.gateways import Gateways
from prefixlint.frontends.python.guards import (
    configured,
    is_main_guard,
    is_type_checking,
    is_value,
    not_none,
    system_message,
)
from prefixlint.frontends.python.handlers import Handlers
from prefixlint.frontends.python.interest import CallGraph
from prefixlint.frontends.python.ledger import Asked, Ledger
from prefixlint.frontends.python.lookup import Lookup, judged, lifted
from prefixlint.frontends.python.loop_runs import LoopRuns
from prefixlint.frontends.python.loops import of_system
from prefixlint.frontends.python.matching import run_match
from prefixlint.frontends.python.modules import FunctionInfo, FunctionNode
from prefixlint.frontends.python.naming import named
from prefixlint.frontends.python.node_facts import NodeFacts
from prefixlint.frontends.python.rewriting import handed_back
from prefixlint.frontends.python.state import State, join, join_values
from prefixlint.frontends.python.strings import constant_text
from prefixlint.frontends.python.values import (
    NONE,
    Choose,
    Class,
    DictThing,
    Func,
    Import,
    Lib,
    ListThing,
    ObjectThing,
    Opaque,
    Ref,
    Str,
    is_run,
)
from prefixlint.frontends.python.with_runs import run_with
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind

YIELDED = "yield"
"""Where a generator's state keeps the list of what it gave: a keyword, so no variable's name."""

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from prefixlint.frontends.python.modules import ClassInfo, Project
    from prefixlint.frontends.python.values import Item, Val
    from prefixlint.model.templates import Template


class Interpreter:
    """One project, its libraries and its bounds.

    ``emissions`` are the templates found so far, ``ledger`` says which functions they came through and what was spent.
    ``reads_given`` is true once a root has read data at a place that its caller tells.
    """

    def __init__(self, project: Project, bounds: Bounds = Bounds(), node_facts: NodeFacts | None = None) -> None:
        self.project = project
        self.bounds = bounds
        self.node_facts = node_facts or NodeFacts()
        self.lookup = Lookup(self)
        self.expressions = Expressions(self)
        self.calls = Calls(self)
        self.emissions: list[Emission] = []
        self.steps = 0
        self._limit = bounds.steps
        self.total = 0
        self.ledger = Ledger()
        self.asked = Asked(self.ledger)
        self.relevant: frozenset[ast.AST] = frozenset()
        self.handlers = Handlers()
        self.graph = CallGraph(())
        self.promising = False
        self.reads_given = False
        self._silent = 0
        self._begun = 0
        self.loops = LoopRuns(self)
        self.gateways = Gateways(self)
        self.as_script = False
        self.trying = False
        self._handlers: dict[type[ast.stmt], Callable[..., None] | None] = {}
        self._functions: dict[str, list[FunctionInfo]] = {}

    def fresh(self) -> Interpreter:
        """Another one of the same project, without templates: it knows what this one knows now, and neither learns from
        the other what comes later."""
        other = Interpreter(self.project, self.bounds, self.node_facts)
        other.relevant, other.handlers, other.graph = self.relevant, self.handlers, self.graph
        other._functions = self._functions
        other.ledger = self.ledger.copy()
        other.asked = Asked(self.ledger)
        other.lookup.learn(self.lookup)
        return other

    # Roots

    def run_root(self, info: FunctionInfo, frame: Frame, owner: Val | None) -> Val:
        """Runs a function whose parameters nobody filled: each is what its name suggests, open for callers to fill."""
        assert frame.state is not None
        arguments = info.node.args
        names = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        first = owner or configured(info)
        for index, argument in enumerate(names):
            if index == 0 and first is not None and not (owner is not None and is_value(argument)):
                frame.state.variables[argument.arg] = first
                continue
            span = info.module.file.span(
                info.module.places.offset(argument.lineno, argument.col_offset),
                info.module.places.offset(argument.end_lineno or 1, argument.end_col_offset or 0),
            )
            self.project.trace.note(("handler", *info.place))
            value = self.handlers.given(info, argument, named(argument.arg, argument.arg, span, open_name=argument.arg))
            annotated = self._annotated(argument.annotation, value, frame)
            frame.state.variables[argument.arg] = value if annotated is None else annotated
        for star, thing in ((arguments.vararg, ListThing()), (arguments.kwarg, DictThing())):
            if star is not None:
                frame.state.variables[star.arg] = frame.state.new(thing)
        outer, self._begun = self._begun, frame.state.new(ListThing()).id
        try:
            return self.run_body(info, frame)
        finally:
            self._begun = outer

    def is_made_here(self, ref: Ref) -> bool:
        """Whether a thing was made by the root that is being run: nothing but what the run has seen is in it."""
        return ref.id > self._begun

    def _annotated(self, annotation: ast.expr | None, given: Opaque, frame: Frame) -> Val | None:
        """An instance, where a parameter's annotation names one project class; of ``X | None`` one of data only."""
        written, annotation = annotation, not_none(annotation)
        if (
            isinstance(annotation, ast.Constant)
            and isinstance(annotation.value, str)
            and annotation.value.isidentifier()
        ):
            value = self.lookup.name(annotation.value, frame)
        elif isinstance(annotation, ast.Name | ast.Attribute):
            value = self.evaluate_quietly(annotation, frame)
        else:
            return None
        if isinstance(value, Class) and frame.depth < 2 and len(frame.stack) < 3:
            if self.lookup.method(value.info, "__init__") is None:
                return self.lookup.record(value.info, given, frame)
            return self.lookup.instance(value.info, frame) if annotation is written else None
        return None

    def run_body(self, info: FunctionInfo, frame: Frame) -> Val:
        """Runs the body; gives the value of all its returns together. ``frame.state`` is then the state behind them."""
        if info.is_generator and frame.state is not None:
            frame.state.variables[YIELDED] = frame.state.new(ListThing())
        self.run_block(info.node.body, frame)
        result: Val = NONE
        state = frame.state
        for value, returned, choice in reversed(frame.returns):
            if state is None:
                result, state = value, returned
                continue
            choose = choice or Choose((), "return", frame.module.places.span(info.node.body[0]))
            result = join_values(value, result, choose)
            state = join(returned, state, choose)
        frame.state = state or State({})
        return frame.state.variables.pop(YIELDED, NONE) if info.is_generator else result

    def yielded(self, item: Item, frame: Frame) -> None:
        """Adds to what a generator gives: a list like any other to branches and loops."""
        inside, frame.inside = frame.inside, None
        if inside is not None and not is_run(item):
            inside(item, frame.state)
        ref = None if frame.state is None else frame.state.variables.get(YIELDED)
        if frame.state is None or not isinstance(ref, Ref):
            return
        thing = frame.state.heap.get(ref.id)
        if isinstance(thing, ListThing):
            frame.state.heap[ref.id] = replace(thing, items=(*thing.items, item))

    def unique_method(self, name: str) -> FunctionInfo | None:
        """The one indexed method of this name, where the name is telling and no other method bears it; else None."""
        self.project.trace.note(("unique", name))
        if len(name) < 8 or "_" not in name or name.startswith("__"):
            return None
        found = [info for info in self._functions.get(name, ()) if info.owner is not None]
        return found[0] if len(found) == 1 else None

    def functions_named(self, name: str) -> Sequence[FunctionInfo]:
        """The indexed functions and methods of this name."""
        self.project.trace.note(("named", name))
        return self._functions.get(name, ())

    @property
    def functions(self) -> Iterator[FunctionInfo]:
        """All indexed functions and methods."""
        return (info for named_ in self._functions.values() for info in named_)

    def index(self, functions: list[FunctionInfo]) -> None:
        """Makes functions known to ``functions_named`` and methods to ``unique_method``."""
        for info in functions:
            self._functions.setdefault(info.name, []).append(info)

    def is_relevant(self, info: FunctionInfo) -> bool:
        """Whether a function builds or sends a prompt, or leads to one that does."""
        self.project.trace.note(("relevant", *info.place))
        return info.node in self.relevant

    def owners(self, info: FunctionInfo) -> list[ClassInfo | None]:
        """As ``CallGraph.owners``."""
        self.project.trace.note(("owners", *info.place))
        return self.graph.owners(info)

    def implementations(self, info: FunctionInfo, owner: ClassInfo) -> list[tuple[ClassInfo, FunctionInfo]]:
        """As ``CallGraph.implementations``."""
        self.project.trace.note(("implementations", *info.place, *owner.place))
        return self.graph.implementations(info, owner)

    def spent_too_much_on(self, info: FunctionInfo) -> bool:
        """Whether the steps that one callee may take in the whole run are spent."""
        return self.asked.over(info, self.ledger.spent[info.node], self.bounds.steps_of_one)

    def was_cut_off(self, info: FunctionInfo) -> bool:
        """Whether a bound ended a function before anything was found."""
        self.asked.cut(info)
        return info.node in self.ledger.cut_off

    def sends(self, info: FunctionInfo) -> bool:
        """Whether a prompt has come through a function so far."""
        self.asked.cover(info)
        return info.node in self.ledger.covered

    # Silence and counting

    @contextmanager
    def silence(self) -> Iterator[None]:
        self._silent += 1
        try:
            yield
        finally:
            self._silent -= 1

    def forget_silence(self) -> None:
        """Back to recording, after a run was cut off somewhere inside."""
        self._silent = 0
        self.loops.forget()

    def evaluate_quietly(self, node: ast.expr, frame: Frame) -> Val:
        """The value of an expression, without recording templates."""
        with self.silence():
            return self.evaluate(node, frame)

    def emit(self, template: Template, rank: int, frame: Frame, *, calls: int = 0) -> None:
        """Notes a template that is sent in ``frame``, or behind that many ``calls`` more."""
        if not self._silent:
            self.emissions.append(Emission(template, rank, len(frame.chain) + calls, self.trying))
            self.ledger.covered.update(frame.stack)

    @property
    def is_silent(self) -> bool:
        """Whether templates are not recorded."""
        return self._silent > 0

    def apart_emitting(self, run: Callable[[], object], steps: int) -> list[Emission]:
        """The templates of ``run``, which has so many steps of its own; none where it takes more."""
        before, own, limit, covered = len(self.emissions), self.steps, self._limit, set(self.ledger.covered)
        self.steps, self._limit = 0, steps
        try:
            run()
            return self.emissions[before:]
        except OutOfSteps:
            return []
        finally:
            del self.emissions[before:]
            self.steps, self._limit, self.ledger.covered = own, limit, covered

    def step(self) -> None:
        self.steps += 1
        self.total += 1
        if self.steps > self._limit:
            raise OutOfSteps

    def within(self, steps: int, run: Callable[[], Val]) -> Val | None:
        """What ``run`` gives, or None where it takes more steps than that."""
        outer = self._limit
        self._limit = min(outer, self.steps + steps)
        try:
            return run()
        except OutOfSteps:
            if self.steps > outer:
                raise
            return None
        finally:
            self._limit = outer

    @contextmanager
    def apart(self, characters: int) -> Iterator[None]:
        """Steps of its own for the body of a module of that length: they count for nobody who asks for it first.

        Long modules are mostly constants, one after the other: there is room for each.
        """
        steps, limit = self.steps, self._limit
        self.steps, self._limit = 0, self.bounds.steps + characters // 2
        try:
            yield
        finally:
            self.steps, self._limit = steps, limit

    def note_bound(self, since: int, note: str = "analysis stopped at its step bound") -> None:
        """Marks the templates found since ``since`` as cut off."""
        for index in range(since, len(self.emissions)):
            old = self.emissions[index]
            if note not in old.template.bounds:
                template = replace(old.template, bounds=(*old.template.bounds, note))
                self.emissions[index] = replace(old, template=template)

    def evaluate(self, node: ast.expr, frame: Frame) -> Val:
        return self.expressions.evaluate(node, frame)

    # Statements

    def run_block(self, body: list[ast.stmt], frame: Frame) -> None:
        for node in body:
            if frame.state is None:
                return
            self.step()
            self._statement(node, frame)

    def _statement(self, node: ast.stmt, frame: Frame) -> None:
        kind = type(node)
        if kind not in self._handlers:
            self._handlers[kind] = getattr(self, f"_on_{kind.__name__}", None)
        method = self._handlers[kind]
        if method is not None:
            method(node, frame)

    def _on_Expr(self, node: ast.Expr, frame: Frame) -> None:
        if isinstance(node.value, ast.Constant):
            return
        if isinstance(node.value, ast.Yield):
            if node.value.value is not None:
                self.yielded(self.evaluate(node.value.value, frame), frame)
            return
        frame.unused = node.value.value if isinstance(node.value, ast.Await) else node.value
        self.evaluate(node.value, frame)

    def _on_Assign(self, node: ast.Assign, frame: Frame) -> None:
        value = self.evaluate(node.value, frame)
        if isinstance(node.value, ast.Subscript) and isinstance(node.value.slice, ast.Slice):
            value = self._without_front(node.targets[0], node.value, node.value.slice, value, frame)
        elif isinstance(node.value, ast.Call) and isinstance(node.targets[0], ast.Name):
            value = handed_back(node.targets[0].id, node.value, value, frame)
        for target in node.targets:
            self.assign(target, value, frame)

    def _without_front(self, target: ast.expr, node: ast.Subscript, cut: ast.Slice, value: Val, frame: Frame) -> Val:
        """``messages = messages[2:]``: the same as ``del messages[:2]``."""
        places = frame.module.places
        if cut.lower is None or cut.upper is not None or places.source(target) != places.source(node.value):
            return value
        taken = ast.copy_location(ast.Slice(None, cut.lower, cut.step), cut)
        drift = dropped_front(node.value, taken, node, lambda part: self.evaluate(part, frame), frame)
        if drift is None or (isinstance(value, Opaque) and not value.grows):
            return value
        return shortened(value, self.thing(value, frame), drift, frame) or value

    def _on_AnnAssign(self, node: ast.AnnAssign, frame: Frame) -> None:
        if node.value is not None:
            self.assign(node.target, self.evaluate(node.value, frame), frame)

    def _on_AugAssign(self, node: ast.AugAssign, frame: Frame) -> None:
        left = self.evaluate(node.target, frame)
        right = self.evaluate(node.value, frame)
        added = self.lookup.method_of(left, "__iadd__", frame) if isinstance(node.op, ast.Add) else None
        if added is not None:
            self.assign(node.target, self.calls.call_function(added, [right], {}, node.target, frame), frame)
            return
        if (
            isinstance(left, Ref)
            and isinstance(node.op, ast.Add)
            and not isinstance(self.thing(left, frame), ObjectThing)
        ):
            self.calls.methods.extend(left, right, frame)
            return
        value = self.expressions.operate(node.op, left, right, node.target, node.value, frame)
        self.assign(node.target, value, frame)

    def assign(self, target: ast.expr, value: Val, frame: Frame, *, passing: bool = False) -> None:
        """Binds a target: a name, an attribute, an item, or several at once.

        ``passing``: to one of several values that are known one by one, and that a common name says nothing of.
        """
        state = frame.state
        if state is None:
            return
        if isinstance(target, ast.Name):
            value = value if passing else judged(value, target.id)
            if target.id in frame.carried:
                value = kept_for_long(value, frame)
            if frame.function is not None and target.id in frame.function.global_names:
                value = self._memo(value, target.id, Lifetime.PROCESS, frame)
            state.variables[target.id] = value
        elif isinstance(target, ast.Tuple | ast.List):
            self._unpack(target, value, frame)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, value, frame)
        elif isinstance(target, ast.Attribute):
            owner = self.evaluate(target.value, frame)
            thing = self.thing(owner, frame)
            if isinstance(owner, Ref) and isinstance(thing, ObjectThing):
                if not self.is_made_here(owner):
                    value = self._memo(value, target.attr, Lifetime.SESSION, frame)
                value = kept_for_long(value, frame)
                state.heap[owner.id] = replace(thing, attributes={**thing.attributes, target.attr: value})
            elif isinstance(owner, Ref) and isinstance(thing, DictThing):
                state.heap[owner.id] = thing.set(target.attr, value)
        elif isinstance(target, ast.Subscript):
            owner = self.evaluate(target.value, frame)
            if isinstance(owner, Opaque) and owner.grows:
                self.calls.methods.put_in_front(owner, target, value, frame)
            elif isinstance(target.slice, ast.Slice):
                value = kept_for_long(value, frame)
                lower = NONE if target.slice.lower is None else self.evaluate(target.slice.lower, frame)
                upper = NONE if target.slice.upper is None else self.evaluate(target.slice.upper, frame)
                self.calls.methods.set_slice(owner, lower, upper, value, frame)
            else:
                self.calls.methods.set_item(owner, self.evaluate(target.slice, frame), value, frame)

    def _memo(self, value: Val, name: str, moment: Lifetime, frame: Frame) -> Val:
        """A value kept under a name that the branch has just found empty: it is made once for each ``moment``."""
        if frame.branch is None or frame.branch.lifetime.known or name not in frame.branch.expression:
            return value
        return lifted(value, moment)

    def _unpack(self, target: ast.Tuple | ast.List, value: Val, frame: Frame) -> None:
        thing = self.thing(value, frame)
        items: tuple[Item, ...] | None = thing.items if isinstance(thing, ListThing) else None
        simple = items is not None and len(items) == len(target.elts)
        for index, element in enumerate(target.elts):
            if simple and items is not None and not isinstance(element, ast.Starred):
                item = items[index]
                part: Val = self.expressions.opaque(element, frame) if is_run(item) else item
            elif isinstance(value, Opaque) and value.lifetime.known:
                span = frame.module.places.span(element)
                part = replace(value, expression=frame.module.places.source(element), span=span, name="")
            else:
                part = self.expressions.opaque(element, frame)
            self.assign(element, part, frame)

    def _on_Return(self, node: ast.Return, frame: Frame) -> None:
        value = NONE if node.value is None else self.evaluate(node.value, frame)
        if frame.state is not None:
            frame.returns.append((value, frame.state, frame.branch))
        frame.state = None

    def _on_Raise(self, node: ast.Raise, frame: Frame) -> None:
        frame.state = None

    def _on_Continue(self, node: ast.Continue, frame: Frame) -> None:
        if frame.state is not None:
            frame.loop_exits.append((frame.state, frame.branch))
        frame.state = None

    _on_Break = _on_Continue

    def _on_If(self, node: ast.If, frame: Frame) -> None:
        condition = self.evaluate(node.test, frame)
        truth = self.expressions.truth(condition, frame)
        if truth is None and is_main_guard(node.test):
            if self.as_script:
                # A script is started anew for each thing it is asked.
                frame.moment = Lifetime.REQUEST
                covered, trying = set(self.ledger.covered), self.trying
                self.trying = True
                try:
                    self.run_block(node.body, frame)
                finally:
                    # A module is tried out there too: what its functions are given says nothing of other callers.
                    self.trying = trying
                    self.ledger.covered = covered
            return
        if truth is None and is_type_checking(node.test):
            truth = False
        if truth is not None:
            self.run_block(node.body if truth else node.orelse, frame)
            return
        self.branch(
            node.test,
            condition,
            lambda: self._chosen(node, frame),
            lambda: self.run_block(node.orelse, frame),
            frame,
        )

    def _chosen(self, node: ast.If, frame: Frame) -> None:
        """Runs the body of a test that holds; what it picks as a system message of many is no turn of a talk."""
        variables = frame.state.variables if frame.state is not None else {}
        name = system_message(node.test, lambda name: _expression(variables.get(name)))
        item = variables.get(name)
        if item is None or frame.state is None:
            self.run_block(node.body, frame)
            return
        frame.state.variables[name] = of_system(self.expressions.as_opaque(item, node.test, frame))
        self.run_block(node.body, frame)
        if frame.state is not None:
            frame.state.variables[name] = item

    def branch(
        self, test: ast.expr, condition: Val, left: Callable[[], None], right: Callable[[], None], frame: Frame
    ) -> None:
        """Runs both sides from the same state and joins them."""
        assert frame.state is not None
        outer, guards = frame.branch, frame.guards
        choice = self.expressions.choice(test, condition, frame)
        frame.branch = choice
        start = frame.state
        frame.state = start.fork()
        left()
        after_left = frame.state
        frame.state, frame.guards = start.fork(), guards
        right()
        frame.guards = guards if (after_left is None) is (frame.state is None) else (*guards, choice)
        first = self._first_turn(test, start, after_left, frame)
        if first is None:
            frame.state = join(after_left, frame.state, choice)
        else:
            arms = (after_left, frame.state) if first else (frame.state, after_left)
            frame.state = join_turns(start, *arms, choice)
        frame.branch = outer

    def _first_turn(self, test: ast.expr, start: State, after: State | None, frame: Frame) -> bool | None:
        """Whether a test holds on the first turn alone (True), on all but the first (False), or neither."""
        before = Frame(frame.module, frame.function, start)
        first = asks_for_first(
            test, lambda node: self.evaluate_quietly(node, before), lambda value: self.thing(value, before)
        )
        if first is not None or after is None:
            return first
        behind = Frame(frame.module, frame.function, after)
        return sets_flag(
            test, lambda node: self.evaluate_quietly(node, before), lambda node: self.evaluate_quietly(node, behind)
        )

    def _on_For(self, node: ast.For | ast.AsyncFor, frame: Frame) -> None:
        self.loops.on_for(node, frame)

    _on_AsyncFor = _on_For

    def _on_While(self, node: ast.While, frame: Frame) -> None:
        self.loops.on_while(node, frame)

    def _on_Try(self, node: ast.Try, frame: Frame) -> None:
        assert frame.state is not None
        start = frame.state
        frame.state = start.fork()
        self.run_block(node.body, frame)
        if frame.state is not None:
            self.run_block(node.orelse, frame)
        after = frame.state
        returns = len(frame.returns)
        for handler in node.handlers:
            frame.state = start.fork()
            if handler.name:
                span = frame.module.places.span(handler.body[0])
                frame.state.variables[handler.name] = Opaque(
                    handler.name, span, Lifetime.REQUEST, Origin(SourceKind.USER_INPUT), Confidence.HIGH
                )
            self.run_block(handler.body, frame)
            if after is None:
                after = frame.state
            elif frame.state is not None:
                self._fallback_imports(after, frame.state)
        if after is not None or returns:
            del frame.returns[max(returns, 1) :]
        frame.state = after
        if frame.state is not None:
            self.run_block(node.finalbody, frame)

    _on_TryStar = _on_Try

    def _fallback_imports(self, after: State, handler: State) -> None:
        """``try: from fast import X`` / ``except ImportError: from own import X``: the one that the project holds."""
        for name, other in handler.variables.items():
            first = after.variables.get(name)
            if not isinstance(first, Import) or not isinstance(other, Import) or first == other:
                continue
            if isinstance(self.lookup.resolve(first), Lib):
                after.variables[name] = other

    def _on_With(self, node: ast.With | ast.AsyncWith, frame: Frame) -> None:
        run_with(self, node, frame)

    _on_AsyncWith = _on_With

    def _on_Match(self, node: ast.Match, frame: Frame) -> None:
        run_match(self, node, self.evaluate(node.subject, frame), frame)

    def _on_FunctionDef(self, node: FunctionNode, frame: Frame) -> None:
        assert frame.state is not None
        info = frame.module.function_of.get(node) or FunctionInfo(node, frame.module)
        closure = {} if frame.function is None else {**frame.closure, **frame.state.variables}
        frame.state.variables[node.name] = made = Func(info, None, closure)
        if node.decorator_list:
            register(self, node, made, frame)

    _on_AsyncFunctionDef = _on_FunctionDef

    def _on_ClassDef(self, node: ast.ClassDef, frame: Frame) -> None:
        assert frame.state is not None
        info = frame.module.classes.get(node.name)
        if info is not None:
            frame.state.variables[node.name] = made = Class(info)
            if node.decorator_list:
                register(self, node, made, frame)

    def _on_Import(self, node: ast.Import, frame: Frame) -> None:
        assert frame.state is not None
        for alias in node.names:
            dotted = alias.name if alias.asname else alias.name.partition(".")[0]
            frame.state.variables[alias.asname or dotted] = Import(dotted, 0, "", frame.module)

    def _on_ImportFrom(self, node: ast.ImportFrom, frame: Frame) -> None:
        assert frame.state is not None
        for alias in node.names:
            if alias.name != "*":
                frame.state.variables[alias.asname or alias.name] = Import(
                    node.module or "", node.level, alias.name, frame.module
                )

    def _on_Delete(self, node: ast.Delete, frame: Frame) -> None:
        assert frame.state is not None
        for target in node.targets:
            if isinstance(target, ast.Name):
                frame.state.variables.pop(target.id, None)
            elif (
                isinstance(target, ast.Subscript)
                and not isinstance(target.slice, ast.Slice)
                and self._drops_key(target, frame)
            ):
                continue
            elif isinstance(target, ast.Subscript):
                self._delete_items(target, frame)

    def _drops_key(self, target: ast.Subscript, frame: Frame) -> bool:
        """``del parts["draft"]``."""
        owner = self.evaluate(target.value, frame)
        thing = self.thing(owner, frame)
        if not isinstance(owner, Ref) or not isinstance(thing, DictThing) or frame.state is None:
            return False
        key = self.evaluate(target.slice, frame)
        frame.state.heap[owner.id] = thing.without(constant_text(key.segments) if isinstance(key, Str) else None)
        return True

    def _delete_items(self, target: ast.Subscript, frame: Frame) -> None:
        """``del messages[:-20]`` and ``del messages[0]``: a conversation that loses its front."""
        owner = self.evaluate(target.value, frame)
        drift = dropped_front(target.value, target.slice, target, lambda node: self.evaluate(node, frame), frame)
        value = None if drift is None else shortened(owner, self.thing(owner, frame), drift, frame)
        if isinstance(value, Opaque):
            self.assign(target.value, value, frame)

    # Heap

    def thing(self, value: Val, frame: Frame) -> object:
        """What a reference points to, or None."""
        if not isinstance(value, Ref):
            return None
        found = None if frame.state is None else frame.state.heap.get(value.id)
        return found if found is not None else self.lookup.base_heap.get(value.id)

    def moment(self, value: Opaque, frame: Frame) -> Opaque:
        """The value as evaluated in this frame: at import, it stays for the process."""
        lifetime = lift(value.lifetime, frame.moment)
        return value if lifetime is value.lifetime else replace(value, lifetime=lifetime)


def _expression(value: Val | None) -> str:
    """What a variable of which only that is known stands for, as it was written; "" for others."""
    return value.expression if isinstance(value, Opaque) else ""
