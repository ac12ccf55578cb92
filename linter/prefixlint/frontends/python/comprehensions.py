"""Displays, comprehensions and joins: what the items of lists, sets and dictionaries are."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING

from prefixlint.frontends.python import strings
from prefixlint.frontends.python.conversations import cut_like, moving_start
from prefixlint.frontends.python.formatting import Formatting
from prefixlint.frontends.python.guards import is_system
from prefixlint.frontends.python.loops import is_item, loop_item, of_system, repeat, settled_opaque
from prefixlint.frontends.python.passes import Listing
from prefixlint.frontends.python.sets import KINDS
from prefixlint.frontends.python.state import join_dicts, join_items
from prefixlint.frontends.python.values import (
    NONE,
    Choose,
    Class,
    Const,
    DictThing,
    ListThing,
    Many,
    Maybe,
    ObjectThing,
    Opaque,
    PlainKey,
    Ref,
    Splat,
    Str,
    is_run,
)
from prefixlint.model.lifetimes import Confidence, Hop, HopKind, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Choice, Drift, Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.values import Item, Val
    from prefixlint.model.segments import Segment


Segments = tuple["Segment", ...]
_MORE_TEXTS = 4
# What a request is about.
_ASKED = frozenset({SourceKind.USER_INPUT, SourceKind.RETRIEVAL})


@dataclass(frozen=True, slots=True)
class Run:
    """Items of a list one behind the other: known ones, or what stands there once for each item of ``source``: known
    ones too, or a ``single`` one of which only that is known; or one of several ``arms``, by a ``choice``."""

    items: tuple[Val, ...] = ()
    source: Opaque | None = None
    single: Val | None = None
    arms: tuple[tuple[Run, ...], ...] = ()
    choice: Choose | None = None

    @property
    def known(self) -> Iterator[Val]:
        """All known items."""
        yield from self.items
        for arm in self.arms:
            for run in arm:
                yield from run.known


@dataclass(frozen=True, slots=True)
class _Making:
    """What a comprehension at ``node`` does for each item: ``inner`` are its further generators, and its element;
    ``saved`` the variables around it."""

    node: ast.expr
    generator: ast.comprehension
    inner: Callable[[Frame], tuple[Item, ...]]
    saved: dict[str, Val]


class Comprehensions(Formatting):
    """Evaluation of displays and comprehensions."""

    # Displays

    def _items(
        self,
        elements: list[ast.expr],
        frame: Frame,
        windows: list[Drift] | None = None,
        copied: list[Val] | None = None,
    ) -> tuple[Item, ...]:
        """Items of a display; ``windows`` is given the places where what is unpacked into it lost its front, ``copied``
        what that is."""
        out: list[Item] = []
        for element in elements:
            value = self.evaluate(element, frame)
            if isinstance(element, ast.Starred):
                out.extend(self.items_of(value, frame, element.value))
                if copied is not None:
                    copied.append(value)
                window = self._interpreter.calls.methods.window_of(value, frame)
                if window is not None and windows is not None:
                    windows.append(window)
            else:
                out.append(self.here(value, element, frame))
        return tuple(out)

    def iterated(self, value: Val, node: ast.expr, frame: Frame) -> Val:
        """What running over a value gives: for an object of the project, what its ``__iter__`` does."""
        method = self._interpreter.lookup.method_of(value, "__iter__", frame)
        if method is None:
            return value
        return self._interpreter.calls.functions.call(method, [], {}, node, frame)

    def items_of(self, value: Val, frame: Frame, node: ast.expr | None = None) -> tuple[Item, ...]:
        """The items of an iterable: known ones, or one ``Splat`` that stands at ``node``."""
        if node is not None:
            value = self.here(self.read(value, node, frame), node, frame)
        thing = self._interpreter.thing(value, frame)
        if isinstance(value, Choose):
            thing = self._either(value, frame)
        if isinstance(thing, ListThing) and thing.unordered is None:
            return thing.items
        return (Splat(value),)

    def _either(self, value: Choose, frame: Frame) -> ListThing | None:
        """One of several lists of texts, as one list whose items stand under the condition; None for others."""
        lists: list[ListThing] = []
        for arm in value.values:
            thing = self._interpreter.thing(arm, frame)
            if not isinstance(thing, ListThing) or thing.unordered is not None:
                return None
            if not all(_is_part(self._interpreter, item, frame) for item in thing.items):
                return None
            lists.append(thing)
        choice = replace(value, values=())
        return ListThing(reduce(lambda left, right: join_items(left, right, choice), (one.items for one in lists)))

    def _on_List(self, node: ast.List, frame: Frame) -> Val:
        windows: list[Drift] = []
        copied: list[Val] = []
        items = self._items(node.elts, frame, windows, copied)
        if frame.state is None:
            return NONE
        return frame.state.new(ListThing(items, window=next(iter(windows), None), copied=self.copied(copied, frame)))

    def copied(self, values: Iterable[Val], frame: Frame) -> tuple[tuple[Ref, tuple[Item, ...]], ...]:
        """Those of the values that are lists, with what they hold."""
        found = ((value, self._interpreter.thing(value, frame)) for value in values if isinstance(value, Ref))
        return tuple((value, thing.items) for value, thing in found if isinstance(thing, ListThing))

    def _on_Tuple(self, node: ast.Tuple, frame: Frame) -> Val:
        items = self._items(node.elts, frame)
        return NONE if frame.state is None else frame.state.new(ListThing(items, kind="tuple"))

    def _on_Set(self, node: ast.Set, frame: Frame) -> Val:
        items = self._items(node.elts, frame)
        return NONE if frame.state is None else frame.state.new(self.as_set(ListThing(items), node, frame))

    def as_set(self, thing: ListThing, node: ast.expr, frame: Frame) -> ListThing:
        """A set of the same items: with two or more of them, iteration order differs from process to process."""
        kind = thing.kind if thing.kind in KINDS else "set"
        if len(thing.items) <= 1 and not any(is_run(item) for item in thing.items):
            return replace(thing, kind=kind)
        span = frame.module.places.span(node)
        inner = self.combined(node, self.item_opaques(thing.items, node, frame), frame)
        lifetime = inner.lifetime if inner.lifetime.varies else Lifetime.PROCESS
        origin = Origin(SourceKind.UNORDERED, (Hop(HopKind.UNORDERED, span),))
        mark = Opaque(frame.module.places.source(node), span, lifetime, origin, Confidence.HIGH, "list")
        return ListThing(thing.items, mark, kind)

    def _on_Dict(self, node: ast.Dict, frame: Frame) -> Val:
        entries: dict[str, Val] = {}
        rest: list[Val] = []
        for key_node, value_node in zip(node.keys, node.values, strict=True):
            value = self.here(self.evaluate(value_node, frame), value_node, frame)
            if key_node is None:
                inner = self.unpacked(value, frame)
                if inner is not None:
                    entries.update(inner.entries)
                    rest.extend(inner.rest)
                else:
                    rest.append(value)
                continue
            key = self.evaluate(key_node, frame)
            text = strings.constant_text(key.segments) if isinstance(key, Str) else None
            if text is None and isinstance(key, Const):
                text = PlainKey(strings.printed_constant(key.value))
            if text is None:
                rest.append(value)
            else:
                entries[text] = value
        return NONE if frame.state is None else frame.state.new(DictThing(tuple(entries.items()), tuple(rest)))

    def unpacked(self, value: Val, frame: Frame) -> DictThing | None:
        """The dictionary of ``**value``; of several that it can be, the keys of all."""
        if isinstance(value, Choose):
            arms = [arm for arm in value.values if arm != NONE]
            known = [thing for arm in arms if (thing := self.unpacked(arm, frame)) is not None]
            if not known or len(known) < len(arms):
                return None
            return reduce(lambda left, right: join_dicts(left, right, replace(value, values=())), known)
        found = self._interpreter.thing(value, frame)
        if isinstance(found, ObjectThing) and self._interpreter.lookup.is_mapping(found.info):
            return DictThing(tuple(found.attributes.items()))
        return found if isinstance(found, DictThing) else None

    # Comprehensions

    def _on_ListComp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, frame: Frame) -> Val:
        def produce(inner: Frame) -> tuple[Item, ...]:
            return (self.here(self.evaluate(node.elt, inner), node.elt, inner),)

        over: list[Val] = []
        items = self._comprehension(node, node.generators, produce, frame, over)
        if frame.state is None:
            return NONE
        kind = "view" if isinstance(node, ast.GeneratorExp) else "list"
        thing = ListThing(items, kind=kind, copied=self.copied(over, frame))
        if isinstance(node, ast.ListComp):
            thing = self._interpreter.loops.on_comprehension(node, frame) or thing
        return frame.state.new(self.as_set(thing, node, frame) if isinstance(node, ast.SetComp) else thing)

    _on_GeneratorExp = _on_ListComp

    _on_SetComp = _on_ListComp

    def _on_DictComp(self, node: ast.DictComp, frame: Frame) -> Val:
        items = self._comprehension(
            node,
            node.generators,
            lambda inner: (self.evaluate(node.key, inner), self.evaluate(node.value, inner)),
            frame,
        )
        if frame.state is None:
            return NONE
        keys = [strings.constant_text(key.segments) if isinstance(key, Str) else None for key in items[::2]]
        values = [value for value in items[1::2] if not is_run(value)]
        if not any(is_run(item) for item in items) and None not in keys:
            thing = DictThing()
            for name, value in zip(keys, values, strict=True):
                thing = thing.set(name or "", value)
            return frame.state.new(thing)
        return frame.state.new(DictThing((), tuple(self.item_opaques(items, node, frame))))

    def _comprehension(
        self,
        node: ast.expr,
        generators: list[ast.comprehension],
        produce: Callable[[Frame], tuple[Item, ...]],
        frame: Frame,
        copied: list[Val] | None = None,
    ) -> tuple[Item, ...]:
        """Items that a comprehension produces: one by one over known items, else ``Many`` over what it runs over, which
        ``copied`` is given."""
        generator, rest = generators[0], generators[1:]
        if frame.state is None:
            return ()
        over = self.iterated(self.evaluate(generator.iter, frame), generator.iter, frame)
        if copied is not None:
            copied.append(over)
        known = self.known_items(over, frame)
        saved = dict(frame.state.variables)
        inner: Callable[[Frame], tuple[Item, ...]] = (
            produce if not rest else lambda f: self._comprehension(node, rest, produce, f)
        )
        making = _Making(node, generator, inner, saved)
        runs = self.runs(over, generator.target, generator.iter, frame) if known is None else None
        if known is not None and self.is_short(known):
            out = tuple(self._each(making, known, frame))
        elif runs is not None:
            out = tuple(self._of_runs(making, runs, frame))
        else:
            item, source = loop_item(self._interpreter, generator.target, generator.iter, over, frame)
            out = (self._of_each(making, item, source, frame),)
        if frame.state is not None:
            frame.state.variables = saved
        return out

    def _each(self, making: _Making, items: Sequence[Val], frame: Frame) -> Iterator[Item]:
        generator = making.generator
        for item in items:
            self._interpreter.assignments.assign(generator.target, item, frame, passing=len(items) > 1)
            tests = [self.evaluate(test, frame) for test in generator.ifs]
            if any(self.truth(test, frame) is False for test in tests):
                continue
            yield from self._filtered(making.inner(frame), generator.ifs, frame)

    def _of_each(self, making: _Making, item: Val, source: Opaque, frame: Frame) -> Item:
        listing = self._interpreter.loops.listing
        listing.append(Listing(making.node, making.generator.target, frame.module.places, making.saved))
        try:
            return self._again(making.generator, item, source, making.inner, frame)
        finally:
            listing.pop()

    def _of_runs(self, making: _Making, runs: Iterable[Run], frame: Frame) -> Iterator[Item]:
        for run in runs:
            made = tuple(self._each(making, run.items, frame)) if run.single is None else ()
            if run.single is not None and run.source is not None:
                yield self._of_each(making, run.single, run.source, frame)
            elif run.choice is not None:
                yield Maybe(tuple(tuple(self._of_runs(making, arm, frame)) for arm in run.arms), run.choice)
            elif made:
                yield from made if run.source is None else (Many(made, run.source),)

    def _again(
        self,
        generator: ast.comprehension,
        item: Val,
        source: Opaque,
        inner: Callable[[Frame], tuple[Item, ...]],
        frame: Frame,
    ) -> Item:
        """What is made again and again, once for each ``item`` of something."""
        self._interpreter.assignments.assign(generator.target, item, frame)
        for test in generator.ifs:
            self.evaluate(test, frame)
        source = self._since(generator.ifs, source, frame)
        picked = next((test for test in generator.ifs if is_system(test)), None)
        if picked is not None and isinstance(item, Opaque):
            self._interpreter.assignments.assign(generator.target, of_system(item), frame)
            return Maybe((inner(frame), ()), self.choice(picked, item, frame))
        return Many(self._filtered(inner(frame), generator.ifs, frame), source)

    def _filtered(self, items: tuple[Item, ...], tests: list[ast.expr], frame: Frame) -> tuple[Item, ...]:
        """Items that are there only where the tests hold: which those are may differ from request to request.

        Only a test of what the items are looked up in says so (``name in wanted``); one of the item itself does not.
        """
        for test in tests:
            if not isinstance(test, ast.Compare) or not isinstance(test.ops[-1], ast.In | ast.NotIn):
                continue
            value = self.as_opaque(self.evaluate(test.comparators[-1], frame), test.comparators[-1], frame)
            asked = value.origin.kind in _ASKED and value.lifetime in (Lifetime.TURN, Lifetime.REQUEST)
            if items and asked and value.confidence is not Confidence.LOW and not is_item(value.origin):
                return (Maybe((items, ()), self.choice(test, value, frame)),)
        return items

    def _since(self, tests: list[ast.expr], source: Opaque, frame: Frame) -> Opaque:
        """What is run over, as the end of a conversation where a test asks how old each item is, or how far from the
        end."""
        for test in tests:
            for part in ast.walk(test) if source.grows else ():
                if not isinstance(part, ast.Compare) or not isinstance(
                    part.ops[0], ast.Gt | ast.GtE | ast.Lt | ast.LtE
                ):
                    continue
                sides = [
                    self.as_opaque(self.evaluate(side, frame), side, frame) for side in (part.left, *part.comparators)
                ]
                by_time = any(side.origin.kind is SourceKind.CLOCK and side.lifetime.varies for side in sides)
                if by_time or any(moving_start(ast.Slice(part.left), side, frame) for side in sides):
                    drift = Drift("window", frame.module.places.source(part), frame.module.places.span(part))
                    return source.but(grows=False, drift=drift)
        return source

    def known_items(self, value: Val, frame: Frame) -> list[Val] | None:
        """The items of an iterable, where each is known and their order is fixed; else None."""
        thing = self._interpreter.thing(value, frame)
        if isinstance(thing, ListThing) and thing.unordered is None and not any(is_run(item) for item in thing.items):
            return [item for item in thing.items if not is_run(item)]
        if isinstance(thing, DictThing) and not thing.rest:
            span = frame.module.file.span(0, 0)
            return [Str((Text(key, span),)) for key, _ in thing.entries if key]
        if isinstance(value, Class):
            return self._interpreter.lookup.members(value.info)
        return None

    def runs(self, value: Val, target: ast.expr, node: ast.expr, frame: Frame) -> list[Run] | None:
        """What a list at ``node`` holds that was made item by item, as a loop with that target sees it; None where all
        or nothing of it is known so."""
        thing = self._interpreter.thing(value, frame)
        if not isinstance(thing, ListThing) or thing.unordered is not None:
            return None
        out = self._runs_of(thing.items, thing, target, node, frame)
        if out is None or not any(run.source is not None or run.choice is not None for run in out):
            return None
        return out if self.is_short([item for run in out for item in run.known]) else None

    def _is_of_running_loop(self, item: Many, frame: Frame) -> bool:
        """Whether a loop that is being run adds messages in each pass: what is made of them is the same run's."""
        messages = self._interpreter.calls.requests.messages
        return (
            item.over.drift is None
            and any(each.source == item.over.span for each in self._interpreter.loops.running)
            and any(not is_run(one) and messages.is_message(one, frame) for one in item.items)
        )

    def is_short(self, items: Sequence[Val]) -> bool:
        """Whether these are few enough to be looked at one by one; of plain texts these are more."""
        most = self._interpreter.bounds.unroll
        return len(items) <= most or (
            len(items) <= _MORE_TEXTS * most and all(isinstance(item, Str | Const) for item in items)
        )

    def _runs_of(
        self, items: tuple[Item, ...], thing: ListThing, target: ast.expr, node: ast.expr, frame: Frame
    ) -> list[Run] | None:
        out: list[Run] = []
        for item in items:
            if isinstance(item, Maybe):
                arms = [self._runs_of(arm, thing, target, node, frame) for arm in item.arms]
                found = tuple(tuple(arm) for arm in arms if arm is not None)
                if len(found) < len(arms):
                    return None
                out.append(Run(arms=found, choice=item.choice))
                continue
            if isinstance(item, Splat) and isinstance(item.value, Opaque):
                single, source = loop_item(self._interpreter, target, node, item.value, frame)
                out.append(Run((), cut_like(source, thing), single))
                continue
            over = self.here(item.over, node, frame) if isinstance(item, Many) else None
            known = item.items if isinstance(item, Many) else (item,)
            each_known = tuple(one for one in known if not is_run(one))
            if len(each_known) < len(known):
                return None
            if isinstance(over, Opaque):
                if isinstance(item, Many) and self._is_of_running_loop(item, frame):
                    over = over.but(drift=Drift("run", item.over.expression, item.over.span, within=True))
                elif not over.lifetime.known:
                    # How often is not known: what stands there each time is.
                    each = [settled_opaque(v, over) for v in self.item_opaques(each_known, node, frame)]
                    held = self.combined(node, each, frame)
                    over = over.but(lifetime=held.lifetime, origin=held.origin, confidence=held.confidence)
                out.append(Run(each_known, cut_like(over, thing)))
            elif out and out[-1].source is None and out[-1].choice is None:
                out[-1] = Run((*out[-1].items, *each_known))
            else:
                out.append(Run(each_known))
        return out

    # Joins

    def joined(self, separator: Segments, value: Val, node: ast.expr, frame: Frame) -> Val:
        """``separator.join(value)``."""
        value = self.iterated(value, node, frame)
        thing = self._interpreter.thing(value, frame)
        if isinstance(value, Choose):
            thing = self._either(value, frame)
        if not isinstance(thing, ListThing):
            return self.as_opaque(value, node, frame) if not isinstance(value, Str) else value
        if thing.unordered is not None:
            return thing.unordered
        out = self.join_items(separator, thing.items, node, frame)
        return self.bounded(out, node, frame)

    def join_items(self, separator: Segments, items: tuple[Item, ...], node: ast.expr, frame: Frame) -> Segments:
        """Items with the separator in front of each, once something surely stands before it; else behind it."""
        out: list[Segments] = []
        begun = False
        for item in items:
            if isinstance(item, Many):
                body = self.join_items(separator, item.items, node, frame)
                out.append((repeat(_beside(separator, body, before=begun), item.over),))
            elif isinstance(item, Maybe):
                arms = (self.join_items(separator, arm, node, frame) for arm in item.arms)
                padded = tuple(dict.fromkeys(_beside(separator, arm, before=begun) if arm else () for arm in arms))
                c = item.choice
                out.append((Choice(padded, c.expression, c.span, c.lifetime, c.origin, c.confidence, c.drift),))
            else:
                value = item.value if isinstance(item, Splat) else item
                if begun:
                    out.append(separator)
                out.append(self.own_segments(value, node, frame))
                begun = True
        return strings.concat(*out)


def _is_text(item: Item) -> bool:
    """Whether an item of a list is a text, or may be one: no message, no list, no object."""
    if isinstance(item, Maybe):
        return all(_is_text(one) for arm in item.arms for one in arm)
    if isinstance(item, Many):
        return all(map(_is_text, item.items))
    return isinstance(item, Str | Opaque)


def _is_part(interpreter: Interpreter, item: Item, frame: Frame) -> bool:
    """Whether an item of a list is a text, or a part of a message that holds one."""
    thing = None if is_run(item) else interpreter.thing(item, frame)
    return _is_text(item) or (isinstance(thing, DictThing) and thing.get("text") is not None)


def _beside(separator: Segments, body: Segments, *, before: bool) -> Segments:
    return strings.concat(separator, body) if before else strings.concat(body, separator)
