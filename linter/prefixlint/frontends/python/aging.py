"""Objects that have been used before: what earlier turns, or earlier passes of a loop, have left in them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python.additions import Kept
from prefixlint.frontends.python.naming import held, named
from prefixlint.frontends.python.state import State
from prefixlint.frontends.python.turns import UNDER_KEY, Turns
from prefixlint.frontends.python.values import (
    EMPTY,
    NONE,
    Choose,
    Const,
    DictThing,
    ListThing,
    ObjectThing,
    Opaque,
    Ref,
    Splat,
)
from prefixlint.model.lifetimes import Confidence, HopKind, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Drift

if TYPE_CHECKING:
    from collections.abc import Mapping

    from prefixlint.frontends.python.heap import Heap
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.keeping import Evidence
    from prefixlint.frontends.python.modules import ClassInfo
    from prefixlint.frontends.python.turns import Path
    from prefixlint.frontends.python.values import Val
    from prefixlint.model.sources import Span

_DEEPEST = 3
"""How many objects deep, held by one another, what earlier calls have left is looked for."""


class Aging:
    """Gives objects the attributes that they have when they are used again."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter
        self.turns = Turns(interpreter)

    def aged(self, info: ClassInfo, attributes: dict[str, Val], heap: Heap) -> dict[str, Val]:
        """Attributes of an object that has been used before: its lists hold earlier items, its counters have run on,
        and so it is with the objects that it holds."""
        return self._aged(info, attributes, heap, self._added_to(info), self.turns.of_class(info), ())

    def _added_to(self, info: ClassInfo) -> frozenset[Path]:
        """Attributes that methods of a class append to, those of its bases included."""
        if not self._interpreter.lookup.bases(info):
            return info.added_to
        return frozenset(path for current in self._interpreter.lookup.ancestry(info) for path in current.added_to)

    def _aged(
        self,
        info: ClassInfo,
        attributes: dict[str, Val],
        heap: Heap,
        added_to: frozenset[Path],
        drifts: Mapping[Path, Drift],
        around: tuple[ClassInfo, ...],
    ) -> dict[str, Val]:
        """``added_to`` are the paths to lists that the objects ``around`` add to as well."""
        for name in [path[0] for path in added_to if len(path) == 1]:
            value = attributes.get(name) or self._interpreter.lookup.class_attribute(info, name)
            thing = self._thing(value, heap)
            if isinstance(thing, ListThing) and not any(isinstance(item, Splat) for item in thing.items):
                # What earlier calls have added to a list that the object keeps.
                earlier = self._earlier(info, name, thing.window or drifts.get((name,)))
                ref = State({}).new(ListThing())
                heap[ref.id] = replace(thing, items=(*thing.items, Splat(earlier)))
                attributes[name] = ref
            elif isinstance(attributes.get(name), Const) and attributes[name] != NONE:
                attributes[name] = self._count(info, name)
        for kept, evidence in self.turns.keeping.of_class(info).items():
            if kept.keyed and len(kept.path) == 1 and (evidence.messages or evidence.named):
                name = kept.path[0]
                value = attributes.get(name) or self._interpreter.lookup.class_attribute(info, name)
                attributes[name] = self.by_key(value, name, evidence, drifts.get((name, UNDER_KEY)), heap)
        outside = info.module.set_from_outside
        switched = self._switches(info)
        for name in (*info.set_later, *switched, *(n for n in (*attributes, *info.attribute_names) if n in outside)):
            first = attributes.get(name) or self._interpreter.lookup.class_attribute(info, name) or NONE
            if isinstance(first, Const) or first == EMPTY:
                attributes[name] = self._interpreter.lookup.set_up.value(info, name) or self._kept(info, name)
        for name, value in list(attributes.items()):
            for arm in value.values if isinstance(value, Choose) else (value,):
                thing = self._thing(arm, heap)
                if not isinstance(thing, ObjectThing) or len(around) >= _DEEPEST or thing.info in (info, *around):
                    continue
                own = thing.info
                more = self._added_to(own) | frozenset(path[1:] for path in added_to if _leads(path, name))
                inner = {path[1:]: drift for path, drift in drifts.items() if _leads(path, name)}
                known = {**self.turns.of_class(own), **inner}
                older = self._aged(own, dict(thing.attributes), heap, more, known, (*around, info))
                if older != thing.attributes and isinstance(arm, Ref):
                    heap[arm.id] = replace(thing, attributes=older)
        return attributes

    def _switches(self, info: ClassInfo) -> tuple[str, ...]:
        """Fields that are on or off, of objects that are given them when they are made."""
        lookup = self._interpreter.lookup
        if (
            not any(current.switches for current in lookup.ancestry(info))
            or lookup.method(info, "__init__") is not None
        ):
            return ()
        return tuple(name for current in lookup.ancestry(info) for name in sorted(current.switches))

    def by_key(self, value: Val | None, name: str, evidence: Evidence, drift: Drift | None, heap: Heap) -> Val:
        """A dictionary as later turns find it, with what earlier ones have stored under keys."""
        arms = value.values if isinstance(value, Choose) else (value,)
        # One of the project's own kinds of dictionary, or a plain one.
        found = [self._thing(arm, heap) for arm in arms]
        thing = next((one for one in found if isinstance(one, DictThing)), None)
        if isinstance(thing, DictThing) and (thing.entries or thing.kept):
            return value or NONE
        holds = evidence.messages or evidence.named
        if not holds and not isinstance(thing, DictThing):
            return value or named(name, name, evidence.span)
        first = thing.rest[0] if isinstance(thing, DictThing) and thing.rest else None
        made = self._thing(first, heap)
        rest: tuple[Val, ...] = ()
        if holds:
            made = made if isinstance(made, ListThing) else ListThing()
            drift = made.window or drift
            earlier = by_evidence(conversation(named(name, name, evidence.span)), evidence)
            if drift is not None:
                earlier = earlier.but(grows=False, drift=drift)
            rest = (self._put(replace(made, items=(*made.items, Splat(earlier))), heap),)
        return self._put(DictThing(rest=rest, kept=True), heap)

    @staticmethod
    def _put(thing: ListThing | DictThing, heap: Heap) -> Ref:
        ref = State({}).new(ListThing())
        heap[ref.id] = thing
        return ref

    def between_passes(self, before: State, after: State, later: State, source: Span | None) -> None:
        """Objects that outlive a loop, as its later passes find them: changed in the state ``later``. ``source`` is
        what the loop runs over, None where its passes send no request.

        Only what the first pass, from ``before`` to ``after``, has added to counts: the object may be made for the run.
        """
        changed = before.heap.changed(after.heap)[1]
        for name, value in before.variables.items():
            if changed and isinstance(value, Ref) and name != "self":
                self._add_between(value, before.heap, after.heap, later.heap, changed, {}, source, 0)

    def _add_between(
        self,
        ref: Ref,
        before: Heap,
        after: Heap,
        later: Heap,
        changed: set[int],
        drifts: Mapping[Path, Drift],
        source: Span | None,
        depth: int,
    ) -> None:
        thing, then = before.get(ref.id), after.get(ref.id)
        if not isinstance(thing, ObjectThing) or not isinstance(then, ObjectThing) or depth > _DEEPEST:
            return
        out = dict(then.attributes)
        for name, value in thing.attributes.items():
            last = then.attributes.get(name)
            if type(value) is Const and type(value.value) is int and type(last) is Const and last != value:
                out[name] = self._count(thing.info, name)
            if not isinstance(value, Ref) or value != last:
                continue
            inner = {path[1:]: drift for path, drift in drifts.items() if _leads(path, name)}
            mine, theirs = before.get(value.id), after.get(value.id)
            if isinstance(mine, ObjectThing):
                known = {**self.turns.of_class(mine.info), **inner}
                self._add_between(value, before, after, later, changed, known, source, depth + 1)
            elif (
                source is not None
                and value.id in changed
                and isinstance(mine, ListThing)
                and isinstance(theirs, ListThing)
            ):
                had, has = mine.items, theirs.items
                if len(has) > len(had) and not any(isinstance(i, Splat) for i in had):
                    drift = drifts.get((name,)) or self.turns.of_class(thing.info).get((name,))
                    if drift is not None:
                        drift = replace(drift, within=True)
                    earlier = self._earlier(thing.info, name, drift)
                    if earlier.grows:
                        # What stood there before the loop is the same in all of its passes.
                        earlier = earlier.but(drift=Drift("run", name, source, within=True))
                    earlier = earlier.but(grows=False)
                    later[value.id] = replace(theirs, items=(*has[: len(had)], Splat(earlier)), window=None)
        if out != then.attributes:
            later[ref.id] = replace(then, attributes=out)

    def _thing(self, value: Val | None, heap: Heap) -> object:
        return (
            (heap.get(value.id) or self._interpreter.lookup.base_heap.get(value.id)) if isinstance(value, Ref) else None
        )

    def _earlier(self, info: ClassInfo, name: str, drift: Drift | None) -> Opaque:
        """What earlier calls have added to a list."""
        evidence = self.turns.keeping.of_class(info).get(Kept(True, (name,)))
        start = info.module.places.offset(info.line, info.column)
        span = info.module.file.span(start, start) if evidence is None else evidence.span
        earlier = by_evidence(named(name, f"self.{name}", span), evidence)
        return earlier if drift is None else earlier.but(grows=False, drift=drift)

    def _kept(self, info: ClassInfo, name: str) -> Opaque:
        """An attribute that other methods set before."""
        start = info.module.places.offset(info.line, info.column)
        return held(named(name, f"self.{name}", info.module.file.span(start, start)))

    def _count(self, info: ClassInfo, name: str) -> Opaque:
        """A counter that has run on."""
        origin = Origin(SourceKind.SESSION)
        return replace(
            self._kept(info, name),
            lifetime=Lifetime.TURN,
            origin=origin,
            confidence=Confidence.HIGH,
            shape="integer",
        )


def by_evidence(value: Opaque, evidence: Evidence | None) -> Opaque:
    """A list as a conversation where messages are added to it, unless its name says that they are configured; one says
    where it is added to."""
    told = evidence is not None and evidence.messages
    if told and not value.grows and value.origin.kind is not SourceKind.CONFIGURATION:
        value = conversation(value)
    return value.but(origin=value.origin.passed(HopKind.ADDED, value.span)) if value.grows else value


def conversation(value: Opaque) -> Opaque:
    """A list as a conversation, whatever its name says: messages are added to it."""
    origin = Origin(SourceKind.HISTORY, value.origin.hops)
    return replace(
        value, lifetime=Lifetime.TURN, origin=origin, confidence=Confidence.HIGH, shape="list", grows=True, drift=None
    )


def _leads(path: Path, name: str) -> bool:
    return len(path) > 1 and path[0] == name


def is_running_count(value: Val) -> bool:
    """Whether a value is a counter that an object keeps."""
    return (
        isinstance(value, Opaque)
        and value.shape == "integer"
        and value.origin.kind is SourceKind.SESSION
        and value.lifetime is Lifetime.TURN
    )
