"""What one turn does to a conversation that outlives it: whether the list that it finds has lost its front before.

A list of an object or a module is cut by the method that adds to it, before or after it is sent, by a helper of that
method, or by another object that holds it. So the methods that could cut one are run once by themselves, and what is
left of the list is what the next turn finds.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prefixlint.frontends.python.additions import Aliases, Kept
from prefixlint.frontends.python.frames import Frame, OutOfSteps
from prefixlint.frontends.python.interest import called_names
from prefixlint.frontends.python.keeping import Keeping
from prefixlint.frontends.python.ledger import Asked, Ledger
from prefixlint.frontends.python.remembered import once
from prefixlint.frontends.python.shortening import shortened_lists
from prefixlint.frontends.python.state import State
from prefixlint.frontends.python.thresholds import MOST_TAKEN
from prefixlint.frontends.python.values import (
    ListThing,
    Many,
    Maybe,
    ObjectThing,
    Opaque,
    Ref,
    Splat,
    arms_of,
    cell,
    cell_value,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from prefixlint.frontends.python.heap import Heap
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.modules import ClassInfo, FunctionInfo, ModuleInfo
    from prefixlint.frontends.python.trace import Question
    from prefixlint.frontends.python.values import Item, Val
    from prefixlint.model.segments import Drift

    # Attributes that lead from an object to a list, or the name of a module's list.
    Path = tuple[str, ...]

UNDER_KEY = "[]"
"""The step of a path from a dictionary to what stands under any of its keys."""
MOST_ROOTS = 4
_MOST_NAMESAKES = 4
_MOST_CALLERS = 20
_HOPS = 3


@dataclass(frozen=True, slots=True)
class ListsCut:
    """What a function shortens of what outlives it, and whether it takes the first items of a list that it is given."""

    kept: tuple[Kept, ...]
    given: bool


@once
def lists_cut(info: FunctionInfo) -> ListsCut:
    """Which lists a function shortens that are not its own."""
    aliases = Aliases(info)
    found = (aliases.kept(node) for node in shortened_lists(info.own_nodes))
    given = (
        takes_first(call) and isinstance(call.func, ast.Attribute) and aliases.parameter(call.func.value)
        for call in info.own_nodes.of(ast.Call)
    )
    return ListsCut(tuple(kept for kept in found if kept is not None), any(given))


class Turns:
    """Finds what turns do to the lists of classes and modules; each is looked at once.

    What is found of a class all batches ``share``: it is found by an interpreter of its own that starts where they all
    ``start``, so that it does not depend on which of them asks first.
    """

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter
        self._found: dict[ClassInfo | str, Mapping[Path, Drift]] = {}
        self._start: Interpreter | None = None
        self._shared: dict[ClassInfo, tuple[Mapping[Path, Drift], frozenset[Question]]] = {}
        self._cutting: frozenset[FunctionInfo] | None = None
        self._called_by: Mapping[str, list[FunctionInfo]] | None = None
        self.keeping = Keeping(interpreter)

    def learn(self, other: Turns) -> None:
        """Takes over what another one has found, and shares with it what will be."""
        self._found = dict(other._found)
        self._start, self._shared = other._interpreter, other._shared
        if other._cutting is None:
            other._cutting = other._leading_to_cuts()
        self._cutting = other._cutting
        self._called_by = other._callers()
        self.keeping.learn(other.keeping)

    def of_class(self, info: ClassInfo) -> Mapping[Path, Drift]:
        """How the lists of an instance drift, by the attributes that lead to them."""
        question = ("turns", *info.place)
        trace = self._interpreter.project.trace
        if info not in self._found:
            if info not in self._shared:
                self._found[info] = {}  # while its own methods run
                with trace.making(question):
                    found = self._of_class(info)
                self._found[info] = found
                if self._start is not None:
                    self._shared[info] = found, trace.behind(question)
            else:
                self._found[info], trace.made[question] = self._shared[info]
        trace.note(question)
        return self._found[info]

    def _of_class(self, info: ClassInfo) -> Mapping[Path, Drift]:
        ancestry = reversed(list(self._interpreter.lookup.ancestry(info)))
        roots = self._roots(list({m.name: m for c in ancestry for m in _turns_of(c)}.values()))
        if not roots or self._start is None:
            return self._after(roots, info)
        apart = self._start.fresh()
        apart.ledger = Ledger()
        apart.asked = Asked(apart.ledger)
        turns = apart.lookup.aging.turns
        turns._start, turns._shared = None, {}
        turns._found[info] = {}
        found = turns._after(roots, info)
        apart.end()
        return found

    def of_module(self, module: ModuleInfo) -> Mapping[Path, Drift]:
        """How the lists of a module drift, by their names."""
        module.looked_into()
        known = self._found.get(module.path)
        if known is None:
            self._found[module.path] = {}
            functions = [f for f in module.functions if f.owner is None]
            known = self._found[module.path] = self._after(self._roots(functions), None)
        return known

    def _roots(self, functions: list[FunctionInfo]) -> list[FunctionInfo]:
        """Of these functions those that cut a conversation or call what does, and that none of the others calls."""
        cutting = [f for f in functions if self.cuts(f)]
        called = {name for f in cutting for name in called_names(f) if name != f.name}
        return [f for f in cutting if f.name not in called][:MOST_ROOTS]

    def cuts(self, info: FunctionInfo) -> bool:
        """Whether a function shortens a conversation, or calls what does, within a few hops."""
        self._interpreter.project.trace.note(("cuts", *info.place))
        if self._cutting is None:
            self._cutting = self._leading_to_cuts()
        return info in self._cutting

    def _callers(self) -> Mapping[str, list[FunctionInfo]]:
        """Functions by the names of what they call."""
        if self._called_by is None:
            callers: dict[str, list[FunctionInfo]] = defaultdict(list)
            with self._interpreter.project.trace.apart():
                for info in self._interpreter.functions:
                    for name in called_names(info):
                        callers[name].append(info)
            self._called_by = callers
        return self._called_by

    def _is_called_with_additions(self, info: FunctionInfo, of: ClassInfo | None, path: Path) -> bool:
        """Whether some function calls this one, which cuts what stands at ``path``, and one that adds to it: a turn
        is made of both."""
        keyed = path[-1] == UNDER_KEY
        kept = Kept(of is not None, path[:-1] if keyed else path, keyed)
        if of is None:
            others = [f for f in info.module.functions if f is not info]
        else:
            others = [
                m for c in self._interpreter.lookup.ancestry(of) for m in c.methods.values() if m.name != info.name
            ]
        adding = {f.name for f in others if any(one.to == kept and not one.stored for one in f.additions)}
        return bool(adding) and self.is_called_with(info.name, frozenset(adding))

    def callers(self, name: str) -> list[FunctionInfo]:
        """Functions that call one of this name."""
        return self._callers().get(name, [])[:_MOST_CALLERS]

    def is_called_with(self, name: str, others: frozenset[str]) -> bool:
        """Whether some function calls one of that name and one of the others."""
        self._interpreter.project.trace.note(("together", name, *sorted(others)))
        callers = self.callers(name)
        with self._interpreter.project.trace.apart():
            return any(not others.isdisjoint(called_names(caller)) for caller in callers)

    def _leading_to_cuts(self) -> frozenset[FunctionInfo]:
        """Searched backwards from what cuts, so that the answer does not depend on who is asked for first."""
        callers = self._callers()
        with self._interpreter.project.trace.apart():
            level = {info for info in self._interpreter.functions if self.shortens(info)}
        found = set(level)
        for _ in range(_HOPS):
            names = {
                info.name for info in level if len(self._interpreter.functions_named(info.name)) <= _MOST_NAMESAKES
            }
            level = {caller for name in names for caller in callers.get(name, ())} - found
            found |= level
        return frozenset(found)

    def shortens(self, info: FunctionInfo) -> bool:
        """Whether a function by itself shortens a conversation."""
        return info.cuts_conversation or self._cuts_kept(info)

    def _cuts_kept(self, info: FunctionInfo) -> bool:
        """Whether a function shortens what its object or module keeps, to which messages are added, or a list that it
        is given, from the front on."""
        if not info.shortens:
            return False
        cut = lists_cut(info)
        return any(self.keeping.holds_conversation(kept, info) for kept in cut.kept) or cut.given

    def _after(self, roots: Iterable[FunctionInfo], of: ClassInfo | None) -> Mapping[Path, Drift]:
        out: dict[Path, Drift] = {}
        for info in roots:
            for path, drift in self._run(info, of):
                out.setdefault(path, drift)
        return out

    def _run(self, info: FunctionInfo, of: ClassInfo | None) -> Iterator[tuple[Path, Drift]]:
        interpreter = self._interpreter
        steps, promising = interpreter.steps, interpreter.promising
        interpreter.steps = 0
        frame = Frame(info.module, info, State({}), stack=(info,))
        assert frame.state is not None
        owner: Ref | None = None
        before: dict[Path, Val] = {}
        try:
            with interpreter.silence():
                if of is not None:
                    owner = interpreter.lookup.instance(of, frame)
                    before = dict(lists(owner, frame.state.heap))
                    things = {path: _thing(value, frame.state.heap) for path, value in before.items()}
                else:
                    environment = interpreter.lookup.environment(info.module)
                    things = {_path(name): _thing(v, interpreter.lookup.base_heap) for name, v in environment.items()}
                    for name, value in environment.items():
                        under = cell(_thing(value, interpreter.lookup.base_heap))
                        if under is not None:
                            things[_path(name, UNDER_KEY)] = _thing(under, interpreter.lookup.base_heap)
                if not any(isinstance(thing, ListThing) for thing in things.values()):
                    return
                interpreter.run_root(info, frame, owner)
        except (OutOfSteps, RecursionError):
            interpreter.ledger.cut_off[info] = None
            return
        finally:
            interpreter.steps, interpreter.promising = steps, promising
        heap = frame.state.heap
        after: dict[Path, Val] = {} if owner is None else dict(lists(owner, heap))
        for path, old in things.items():
            if not isinstance(old, ListThing):
                continue
            last = after.get(path)
            if owner is None:
                last = frame.state.variables.get(path[0]) or interpreter.lookup.environment(info.module).get(path[0])
                if len(path) > 1 and last is not None:
                    last = cell_value(interpreter.thing(last, frame))
            drift = None if last is None else drift_of(last, old, heap)
            if drift is None and last is not None and self._is_called_with_additions(info, of, path):
                drift = drift_of(last, old, heap, added=True)
            if drift is not None:
                yield path, drift


def _path(*steps: str) -> Path:
    return steps


def takes_first(call: ast.Call) -> bool:
    """Whether a call takes one of the first items of a list away."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    at = call.args[0].value if call.args and isinstance(call.args[0], ast.Constant) else None
    return name == "popleft" or (name == "pop" and type(at) is int and 0 <= at <= MOST_TAKEN)


def _turns_of(info: ClassInfo) -> Iterator[FunctionInfo]:
    return (m for m in info.methods.values() if m.name != "__init__" and "staticmethod" not in m.decorators)


def lists(owner: Ref, heap: Heap, path: Path = ()) -> Iterator[tuple[Path, Val]]:
    """What an object, and the objects that it holds, keep under each attribute."""
    thing = heap.get(owner.id)
    if not isinstance(thing, ObjectThing):
        return
    for name, value in thing.attributes.items():
        yield (*path, name), value
        under = cell_value(_thing(value, heap))
        if under is not None:
            yield (*path, name, UNDER_KEY), under
        if isinstance(value, Ref) and not path:
            yield from lists(value, heap, (name,))


def _thing(value: Val, heap: Heap) -> object:
    return heap.get(value.id) if isinstance(value, Ref) else None


def lists_of(value: Val, heap: Heap) -> list[ListThing]:
    """The lists that a value may be."""
    return [thing for arm in arms_of(value) if isinstance(thing := _thing(arm, heap), ListThing)]


def drift_of(value: Val, before: ListThing, heap: Heap, *, added: bool = False) -> Drift | None:
    """How a list that a turn has added to drifts when it is kept; None where it was not added to, or grows.

    ``added`` where it is known that the turn adds to it elsewhere.
    """
    found = lists_of(value, heap)
    added = added or any(thing.sent or len(thing.items) > len(before.items) for thing in found)
    if not added or before.window is not None:
        return None
    return next((drift for thing in found if (drift := window_among(thing)) is not None), None)


def window_among(thing: ListThing) -> Drift | None:
    """Where a list, or a conversation among its items, lost its front."""
    return thing.window or window_within(thing.items)


def window_within(items: tuple[Item, ...]) -> Drift | None:
    """Where a conversation among the items of a list lost its front."""
    for item in items:
        if isinstance(item, Maybe):
            found = next((drift for arm in item.arms if (drift := window_within(arm)) is not None), None)
            if found is not None:
                return found
        over = item.value if isinstance(item, Splat) else item.over if isinstance(item, Many) else None
        if isinstance(over, Opaque) and over.drift is not None and over.drift.kind in ("window", "rewritten"):
            return over.drift
    return None
