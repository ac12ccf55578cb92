"""Runs functions on abstract values, silently or noting what they send, and counts the steps.

Branches are run on both sides and joined; a loop body is run twice, so that what the first pass appends or adds is seen
as repeated by the second. Nothing of the analysed project is executed or imported.
"""

from __future__ import annotations

import ast
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python.assignments import Assignments
from prefixlint.frontends.python.branch_runs import BranchRuns
from prefixlint.frontends.python.calls import Calls
from prefixlint.frontends.python.expressions import Expressions
from prefixlint.frontends.python.frames import Bounds, Emission, Frame, OutOfSteps, lift
from prefixlint.frontends.python.gateways import Gateways
from prefixlint.frontends.python.guards import configured, is_value, not_none
from prefixlint.frontends.python.handlers import Handlers
from prefixlint.frontends.python.interest import CallGraph
from prefixlint.frontends.python.ledger import Asked, Ledger
from prefixlint.frontends.python.lookup import Lookup
from prefixlint.frontends.python.loop_runs import LoopRuns
from prefixlint.frontends.python.naming import held, named
from prefixlint.frontends.python.state import State, join, join_values
from prefixlint.frontends.python.statements import Statements
from prefixlint.frontends.python.trials import leading_from_example
from prefixlint.frontends.python.values import NONE, Choose, Class, DictThing, ListThing, Opaque, Ref, is_run
from prefixlint.model.lifetimes import Lifetime

LOOKS_OF_A_STEP = 32

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from prefixlint.frontends.python.modules import ClassInfo, Code, FunctionInfo
    from prefixlint.frontends.python.project import Project
    from prefixlint.frontends.python.values import Item, Val
    from prefixlint.model.sources import Span
    from prefixlint.model.templates import Block, Template

_YIELDED = "yield"
"""Where a generator's state keeps the list of what it gave: a keyword, so no variable's name."""


class Interpreter:
    """One project, its libraries and its bounds.

    ``emissions`` are the templates found so far, ``ledger`` says which functions they came through and what was spent.
    ``reads_given`` is true once a root has read data at a place that its caller tells, ``cut_short`` once it has called
    something that took more steps than it could spare. ``total`` are the steps so far, ``deeper`` those of them in
    functions that called themselves. ``uncut`` are the places where the root has cut a list of which
    each turn keeps the same.
    """

    def __init__(self, project: Project, bounds: Bounds = Bounds()) -> None:
        self.project = project
        self.bounds = bounds
        self.node_facts = project.node_facts
        self.lookup = Lookup(self)
        self.expressions = Expressions(self)
        self.calls = Calls(self)
        self.emissions: list[Emission] = []
        self.steps = 0
        self._limit = bounds.steps
        self.total = 0
        self.deeper = 0
        self.ledger = Ledger()
        self.asked = Asked(self.ledger)
        self.relevant: frozenset[FunctionInfo] = frozenset()
        self.handlers = Handlers()
        self.graph = CallGraph(())
        self.promising = False
        self.reads_given = False
        self._silent = 0
        self._begun = 0
        self._looks = 0
        self.assignments = Assignments(self)
        self.branches = BranchRuns(self)
        self.loops = LoopRuns(self)
        self.statements = Statements(self)
        self.gateways = Gateways(self)
        self.as_script = False
        self.trying = False
        self.cut_short = False
        self.uncut: dict[Span, None] = {}
        self._newly_covered: list[Code] = []
        self._functions: dict[str, list[FunctionInfo]] = {}

    def fresh(self) -> Interpreter:
        """Another one of the same project, without templates: it knows what this one knows now, and neither learns from
        the other what comes later."""
        other = Interpreter(self.project, self.bounds)
        other.relevant, other.handlers, other.graph = self.relevant, self.handlers, self.graph
        other._functions = self._functions
        other.ledger = self.ledger.copy()
        other.asked = Asked(self.ledger)
        other.lookup.learn(self.lookup)
        return other

    def end(self) -> None:
        """Lets go of all that it holds, as its parts do: they hold each other, and nobody looks for garbage. It is of
        no use then."""
        parts: list[object] = [self]
        while parts:
            part = vars(parts.pop())
            held = list(part.values())
            part.clear()
            parts += [each for each in held if getattr(each, "__dict__", {}).get("_interpreter") is self]

    # Roots

    def run_root(self, info: FunctionInfo, frame: Frame, owner: Val | None) -> Val:
        """Runs a function whose parameters nobody filled."""
        assert frame.state is not None
        self.open_parameters(info, frame, owner)
        outer, self._begun = self._begun, frame.state.new(ListThing()).id
        try:
            return self.run_body(info, frame)
        finally:
            self._begun = outer

    def open_parameters(self, info: FunctionInfo, frame: Frame, owner: Val | None) -> None:
        """Binds parameters that nobody filled: each is what its name suggests, open for callers to fill."""
        assert frame.state is not None
        arguments = info.definition.args
        names = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        first = owner or configured(info)
        # A record is data: others fill it for each request.
        made_once = frame.moment is Lifetime.SESSION and info.owner is not None and not info.owner.is_record
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
            if made_once and not value.grows:
                # An object keeps what it is made with: unless a caller shows how long that lasts, as long as it lives.
                value = held(value)
            annotated = self._annotated(argument.annotation, value, frame)
            frame.state.variables[argument.arg] = value if annotated is None else annotated
        for star, thing in ((arguments.vararg, ListThing()), (arguments.kwarg, DictThing())):
            if star is not None:
                frame.state.variables[star.arg] = frame.state.new(thing)

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
            init = self.lookup.method(value.info, "__init__")
            if init is None:
                return self.lookup.record(value.info, given, frame)
            if annotation is not written:
                return None
            # Of a class that leaves something for others to fill in, it is one of those that do.
            derived = self.owners(init) if init.owner is value.info else []
            filling = [info for info in derived if info is not None and info.fills(value.info)]
            made = tuple(self.lookup.instance(info, frame) for info in filling or [value.info])
            return made[0] if len(made) == 1 else Choose(made, given.expression, given.span)
        return None

    def run_body(self, info: FunctionInfo, frame: Frame) -> Val:
        """Runs the body; gives the value of all its returns together. ``frame.state`` is then the state behind them."""
        if info.is_generator and frame.state is not None:
            frame.state.variables[_YIELDED] = frame.state.new(ListThing())
        self.project.trees.use(info.module)
        self.statements.run_block(info.node.body, frame)
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
        return frame.state.variables.pop(_YIELDED, NONE) if info.is_generator else result

    def yielded(self, item: Item, frame: Frame) -> None:
        """Adds to what a generator gives: a list like any other to branches and loops."""
        inside, frame.inside = frame.inside, None
        if inside is not None and not is_run(item):
            inside(item, frame.state)
        ref = None if frame.state is None else frame.state.variables.get(_YIELDED)
        if frame.state is None or not isinstance(ref, Ref):
            return
        thing = frame.state.heap.get(ref.id)
        if isinstance(thing, ListThing):
            frame.state.heap[ref.id] = replace(thing, items=(*thing.items, item))

    def unique_method(self, name: str) -> FunctionInfo | None:
        """The one indexed method of this name, where the name is telling and no other method bears it, or only those
        that implement it; else None."""
        self.project.trace.note(("unique", name))
        if len(name) < 8 or "_" not in name or name.startswith("__"):
            return None
        found = [info for info in self._functions.get(name, ()) if info.owner is not None]
        if len(found) > 1:
            declared = [info for info in found if info.is_abstract]
            return declared[0] if len(declared) == 1 and self._all_implement(declared[0], found) else None
        return found[0] if found else None

    def _all_implement(self, declared: FunctionInfo, found: list[FunctionInfo]) -> bool:
        """Whether all of these methods belong to classes derived from the one that declares it."""
        of = declared.owner
        owners = (info.owner for info in found if info.owner is not None)
        return of is not None and all(of in self.lookup.ancestry(owner) for owner in owners)

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
        return info in self.relevant

    def owners(self, info: FunctionInfo) -> list[ClassInfo | None]:
        """As ``CallGraph.owners``."""
        self.project.trace.note(("owners", *info.place))
        with self.project.trace.apart():
            return self.graph.owners(info)

    def implementations(self, info: FunctionInfo, owner: ClassInfo) -> list[tuple[ClassInfo, FunctionInfo]]:
        """As ``CallGraph.implementations``."""
        self.project.trace.note(("implementations", *info.place, *owner.place))
        with self.project.trace.apart():
            return self.graph.implementations(info, owner)

    def spent_too_much_on(self, info: FunctionInfo) -> bool:
        """Whether the steps that one callee may take in the whole run are spent."""
        return self.asked.over(info, self.ledger.spent[info], self.bounds.steps_of_one)

    def was_cut_off(self, info: FunctionInfo) -> bool:
        """Whether a bound ended a function before anything was found."""
        self.asked.cut(info)
        return info in self.ledger.cut_off

    def sends(self, info: FunctionInfo) -> bool:
        """Whether a prompt has come through a function so far."""
        self.asked.cover(info)
        return info in self.ledger.covered

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
        self._silent += 1
        try:
            return self.expressions.evaluate(node, frame)
        finally:
            self._silent -= 1

    def emit(self, template: Template, rank: int, frame: Frame, *, calls: int = 0) -> None:
        """Notes a template that is sent in ``frame``, or behind that many ``calls`` more."""
        if not self._silent:
            example = leading_from_example(frame)
            tried = self.trying or example is not None
            self.emissions.append(Emission(template, rank, len(frame.chain) + calls, tried, tuple(self.uncut)))
            nodes, covered = frame.stack if example is None else example, self.ledger.covered
            self._newly_covered.extend(node for node in nodes if node not in covered)
            covered.update(nodes)

    def part_of_another(self, made: Span, filled: tuple[Block, ...] | None = None) -> None:
        """The templates of a prompt object that was made at a place say less than the one that it is a part of; of one
        that is a part as it was ``filled``, those that say the same."""
        for index, emission in enumerate(self.emissions):
            if emission.template.span == made and filled in (None, emission.template.blocks):
                self.emissions[index] = replace(emission, rank=-1)

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

    def run_callee(self, info: FunctionInfo, inner: Frame, caller: Frame) -> Val | None:
        """What the body of a callee gives; None where it takes more steps than its caller can spare.

        The caller keeps some for its own statements: what it makes and sends behind a large callee is its own.
        """
        if inner.inside is not None:
            return self.run_body(info, inner)  # with a body of the caller's in it
        left, size = self._limit - self.steps, 0 if caller.function is None else caller.function.size
        found, covered = len(self.emissions), len(self._newly_covered)
        result = self.within(left - min(left // 2, size * self.bounds.kept), lambda: self.run_body(info, inner))
        if result is None:
            # What it was in the middle of, or went through, may come to more by itself.
            self.cut_short = True
            self.ledger.covered.difference_update(self._newly_covered[covered:])
            self.note_bound(found)
        return result

    @contextmanager
    def apart(self, characters: int) -> Iterator[None]:
        """For what is made once and used often, a module's variables among them: it does not depend on who asks for it
        first, and in the middle of what; nor does it count for them.

        It has steps of its own, for the body of a module of so many characters more of them: long modules are mostly
        constants, one after the other, and there is room for each.
        """
        steps, limit, uncut = self.steps, self._limit, self.uncut
        told = self.reads_given, self.promising, self.cut_short
        self.steps, self._limit, self.uncut = 0, self.bounds.steps + characters // 2, {}
        try:
            with self.loops.apart():
                yield
        finally:
            self.steps, self._limit, self.uncut = steps, limit, uncut
            self.reads_given, self.promising, self.cut_short = told

    def note_bound(self, since: int, note: str = "analysis stopped at its step bound") -> None:
        """Marks the templates found since ``since`` as cut off."""
        for index in range(since, len(self.emissions)):
            old = self.emissions[index]
            if note not in old.template.bounds:
                template = replace(old.template, bounds=(*old.template.bounds, note))
                self.emissions[index] = replace(old, template=template)

    def evaluate(self, node: ast.expr, frame: Frame) -> Val:
        return self.expressions.evaluate(node, frame)

    # Heap

    def thing(self, value: Val, frame: Frame) -> object:
        """What a reference points to, or None.

        So many looks are a step: things that share parts are soon walked through more often than anything is evaluated.
        """
        if not isinstance(value, Ref):
            return None
        self._looks += 1
        if not self._looks % LOOKS_OF_A_STEP:
            self.step()
        found = None if frame.state is None else frame.state.heap.get(value.id)
        return found if found is not None else self.lookup.base_heap.get(value.id)

    def are_lists(self, choice: Choose, frame: Frame) -> bool:
        """Whether a choice is between lists and nothing else."""
        return bool(choice.values) and all(isinstance(self.thing(v, frame), ListThing) for v in choice.values)

    def moment(self, value: Opaque, frame: Frame) -> Opaque:
        """The value as evaluated in this frame: at import, it stays for the process."""
        lifetime = lift(value.lifetime, frame.moment)
        return value if lifetime is value.lifetime else replace(value, lifetime=lifetime)
