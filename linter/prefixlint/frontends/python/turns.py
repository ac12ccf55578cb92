"""What one turn does to a conversation that outlives it: whether the list that it finds has lost its front before.

A list of an object or a module is cut by the method that adds to it, before or after it is sent, by a helper of that
method, or by another object that holds it. So the methods that could cut one are run once by themselves, and what is
left of the list is what the next turn finds.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from prefixlint.frontends.python.frames import Frame, OutOfSteps
from prefixlint.frontends.python.interest import called_names
from prefixlint.frontends.python.state import State
from prefixlint.frontends.python.values import Choose, ListThing, Many, Maybe, ObjectThing, Opaque, Ref, Splat

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from prefixlint.frontends.python.heap import Heap
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.modules import ClassInfo, FunctionInfo, ModuleInfo
    from prefixlint.frontends.python.values import Item, Val
    from prefixlint.model.segments import Drift

    # Attributes that lead from an object to a list, or the name of a module's list.
    Path = tuple[str, ...]

MOST_ROOTS = 4
_MOST_NAMESAKES = 4
_HOPS = 3


class Turns:
    """Finds what turns do to the lists of classes and modules; each is looked at once."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter
        self._found: dict[ClassInfo | str, Mapping[Path, Drift]] = {}
        self._cutting: frozenset[FunctionInfo] | None = None

    def learn(self, other: Turns) -> None:
        """Takes over what another one has found."""
        self._found = dict(other._found)
        if other._cutting is None:
            other._cutting = other._leading_to_cuts()
        self._cutting = other._cutting

    def of_class(self, info: ClassInfo) -> Mapping[Path, Drift]:
        """How the lists of an instance drift, by the attributes that lead to them."""
        known = self._found.get(info)
        question = ("turns", *info.place)
        trace = self._interpreter.project.trace
        if known is None:
            self._found[info] = {}  # while its own methods run
            with trace.making(question):
                ancestry = reversed(list(self._interpreter.lookup.ancestry(info)))
                methods = {m.name: m for c in ancestry for m in _turns_of(c)}
                known = self._found[info] = self._after(self._roots(list(methods.values())), info)
        trace.note(question)
        return known

    def of_module(self, module: ModuleInfo) -> Mapping[Path, Drift]:
        """How the lists of a module drift, by their names."""
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

    def _leading_to_cuts(self) -> frozenset[FunctionInfo]:
        """Searched backwards from what cuts, so that the answer does not depend on who is asked for first."""
        callers: dict[str, list[FunctionInfo]] = defaultdict(list)
        for info in self._interpreter.functions:
            for name in called_names(info):
                callers[name].append(info)
        level = {info for info in self._interpreter.functions if info.cuts_conversation}
        found = set(level)
        for _ in range(_HOPS):
            names = {
                info.name for info in level if len(self._interpreter.functions_named(info.name)) <= _MOST_NAMESAKES
            }
            level = {caller for name in names for caller in callers[name]} - found
            found |= level
        return frozenset(found)

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
        frame = Frame(info.module, info, State({}), stack=(info.node,))
        assert frame.state is not None
        owner: Ref | None = None
        before: dict[Path, Val] = {}
        try:
            with interpreter.silence():
                if of is not None:
                    owner = interpreter.lookup.instance(of, frame)
                    before = dict(_lists(owner, frame.state.heap))
                    lists = {path: _thing(value, frame.state.heap) for path, value in before.items()}
                else:
                    environment = interpreter.lookup.environment(info.module)
                    lists = {(name,): _thing(v, interpreter.lookup.base_heap) for name, v in environment.items()}
                interpreter.run_root(info, frame, owner)
        except (OutOfSteps, RecursionError):
            interpreter.ledger.cut_off[info.node] = info
            return
        finally:
            interpreter.steps, interpreter.promising = steps, promising
        heap = frame.state.heap
        after = {} if owner is None else dict(_lists(owner, heap))
        for path, old in lists.items():
            if not isinstance(old, ListThing):
                continue
            if owner is not None:
                value = after.get(path)
            else:
                value = frame.state.variables.get(path[0]) or interpreter.lookup.environment(info.module).get(path[0])
            drift = None if value is None else drift_of(value, old, heap)
            if drift is not None:
                yield path, drift


def _turns_of(info: ClassInfo) -> Iterator[FunctionInfo]:
    return (m for m in info.methods.values() if m.name != "__init__" and "staticmethod" not in m.decorators)


def _lists(owner: Ref, heap: Heap, path: Path = ()) -> Iterator[tuple[Path, Val]]:
    """What an object, and the objects that it holds, keep under each attribute."""
    thing = heap.get(owner.id)
    if not isinstance(thing, ObjectThing):
        return
    for name, value in thing.attributes.items():
        yield (*path, name), value
        if isinstance(value, Ref) and not path:
            yield from _lists(value, heap, (name,))


def _thing(value: Val, heap: Heap) -> object:
    return heap.get(value.id) if isinstance(value, Ref) else None


def lists_of(value: Val, heap: Heap) -> list[ListThing]:
    """The lists that a value may be."""
    arms = value.values if isinstance(value, Choose) else (value,)
    return [thing for arm in arms if isinstance(thing := _thing(arm, heap), ListThing)]


def drift_of(value: Val, before: ListThing, heap: Heap) -> Drift | None:
    """How a list that a turn has added to drifts when it is kept; None where it was not added to, or grows."""
    lists = lists_of(value, heap)
    added = any(thing.sent or len(thing.items) > len(before.items) for thing in lists)
    if not added or before.window is not None:
        return None
    return next((drift for thing in lists if (drift := thing.window or _among(thing.items)) is not None), None)


def _among(items: tuple[Item, ...]) -> Drift | None:
    for item in items:
        if isinstance(item, Maybe):
            found = next((drift for arm in item.arms if (drift := _among(arm)) is not None), None)
            if found is not None:
                return found
        over = item.value if isinstance(item, Splat) else item.over if isinstance(item, Many) else None
        if isinstance(over, Opaque) and over.drift is not None and over.drift.kind in ("window", "rewritten"):
            return over.drift
    return None
