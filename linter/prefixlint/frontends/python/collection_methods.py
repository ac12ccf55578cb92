"""Methods of lists, dictionaries and buffers."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python import sets, strings
from prefixlint.frontends.python.answering import answers
from prefixlint.frontends.python.conversations import cut_at, is_counted, is_measured, shortened, shortened_item
from prefixlint.frontends.python.loops import read_of
from prefixlint.frontends.python.matching import same
from prefixlint.frontends.python.thresholds import MOST_TAKEN
from prefixlint.frontends.python.values import (
    EMPTY,
    NONE,
    BufferThing,
    Const,
    DictThing,
    ListThing,
    Many,
    Maybe,
    ObjectThing,
    Ref,
    Splat,
    Str,
    cell,
    is_run,
)
from prefixlint.model.segments import Drift, Text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.values import Item, Val


class CollectionMethods:
    """Method calls on things of the heap."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter

    def _mapping(self, value: Val, frame: Frame) -> dict[str, Val]:
        thing = self._interpreter.thing(value, frame)
        return dict(thing.entries) if isinstance(thing, DictThing) else {}

    # Lists

    def _list(
        self,
        owner: Ref,
        thing: ListThing,
        name: str,
        args: list[Val],
        keywords: Mapping[str, Val],
        node: ast.Call,
        frame: Frame,
    ) -> Val | None:
        state = frame.state
        assert state is not None

        args = [
            self._interpreter.expressions.here(value, node.args[i] if i < len(node.args) else node, frame)
            for i, value in enumerate(args)
        ]

        def put(items: tuple[Item, ...]) -> Val:
            state.heap[owner.id] = replace(thing, items=items)
            return NONE

        if name in ("append", "add") and args:
            put((*thing.items, args[0]))
            if thing.kind in sets.KINDS:
                fresh = state.heap.get(owner.id)
                assert isinstance(fresh, ListThing)
                state.heap[owner.id] = self._interpreter.expressions.as_set(fresh, node, frame)
            return NONE
        if name == "appendleft" and args:
            self._mark_inserted(args[0], node, frame)
            return put((args[0], *thing.items))
        if name in ("extend", "update") and args:
            if not thing.sent and frame.function is not None and answers(node, frame.function.bound_last):
                state.heap[owner.id] = replace(thing, sent=thing.items)
            self.extend(owner, args[0], frame)
            return NONE
        if name == "insert" and len(args) >= 2:
            index = args[0].value if isinstance(args[0], Const) else None
            self._mark_inserted(args[1], node, frame)
            if isinstance(index, int) and -len(thing.items) <= index <= len(thing.items):
                run = next((at for at, item in enumerate(thing.items) if is_run(item)), len(thing.items))
                # A place within a run of messages is one at its front, more or less.
                index = min(index, run) if index >= 0 else index
                return put((*thing.items[:index], args[1], *thing.items[index:]))
            return put((*thing.items, args[1]))
        if self._drops_front(name, args, node, frame):
            taken = NONE if node is frame.unused else self._interpreter.expressions.derived(node, [owner], frame)
            shortened(owner, thing, Drift("window", *cut_at(node, frame)), frame)
            return taken
        if name == "pop":
            if thing.unordered is not None and _holds_one(node, frame):
                # The only one comes in no other order.
                owner = state.new(replace(thing, unordered=None, kind="list"))
                return self._interpreter.expressions.derived(node, [owner], frame)
            if thing.items and (not args or args[0] == Const(-1)):
                put(thing.items[:-1])
                last = thing.items[-1]
            elif thing.items and args[0] == Const(0):
                put(thing.items[1:])
                last = thing.items[0]
            else:
                return self._interpreter.expressions.derived(node, [owner], frame)
            if not isinstance(last, Splat | Many | Maybe):
                return last
            return self._interpreter.expressions.derived(node, [owner], frame)
        if name == "clear":
            return put(())
        if name == "copy":
            return state.new(replace(thing, copied=((owner, thing.items),)))
        if name == "reverse":
            return put(tuple(reversed(thing.items)))
        if name == "sort":
            state.heap[owner.id] = self._interpreter.calls.builtins.collections.sort(thing, keywords, node, frame)
            return NONE
        if name in sets.NAMED:
            items = thing.items
            for argument in args:
                items = sets.operated(sets.NAMED[name], items, self._interpreter.expressions.items_of(argument, frame))
            made = ListThing(items, kind=thing.kind)
            return state.new(self._interpreter.expressions.as_set(made, node, frame))
        if name in ("remove", "discard"):
            equal = [same(item, args[0]) for item in thing.items if not is_run(item)] if args else []
            if True in equal and len(equal) == len(thing.items) and None not in equal[: equal.index(True)]:
                at = equal.index(True)
                put((*thing.items[:at], *thing.items[at + 1 :]))
            return NONE
        return self._interpreter.expressions.derived(node, [owner], frame)

    def extend(self, owner: Ref, other: Val, frame: Frame) -> None:
        """``owner += other`` for lists (and buffers of items)."""
        thing = self._interpreter.thing(owner, frame)
        if isinstance(thing, ListThing) and frame.state is not None:
            items = (*thing.items, *self._interpreter.expressions.items_of(other, frame))
            frame.state.heap[owner.id] = replace(thing, items=items)

    def concatenated(self, left: Val, right: Val, frame: Frame) -> Val:
        """``left + right`` where one of them is a list."""
        expressions = self._interpreter.expressions
        first = expressions.items_of(left, frame)
        items = (*first, *expressions.items_of(right, frame))
        window = self.window_of(left, frame) or self.window_of(right, frame)
        thing = self._interpreter.thing(right, frame)
        # What was sent before was sent behind the same front.
        sent = (*first, *thing.sent) if isinstance(thing, ListThing) and thing.sent else ()
        copied = expressions.copied((left, right), frame)
        return NONE if frame.state is None else frame.state.new(ListThing(items, None, "list", window, sent, copied))

    def window_of(self, value: Val, frame: Frame) -> Drift | None:
        """Where a list lost its front."""
        thing = self._interpreter.thing(value, frame)
        return thing.window if isinstance(thing, ListThing) else None

    # Dictionaries

    def _dict(
        self,
        owner: Ref,
        thing: DictThing,
        name: str,
        args: list[Val],
        keywords: Mapping[str, Val],
        node: ast.Call,
        frame: Frame,
    ) -> Val | None:
        expressions = self._interpreter.expressions
        state = frame.state
        assert state is not None
        if name in ("get", "pop", "setdefault") and args:
            key = args[0]
            text = strings.constant_text(key.segments) if isinstance(key, Str) else None
            if text is not None and (found := read_of(thing, text)) is not None:
                if name == "pop":
                    state.heap[owner.id] = thing.without(text)
                return found
            under = None if text is not None or name == "pop" else cell(thing)
            if under is not None:
                if name == "setdefault" and len(args) > 1:
                    self.set_item(owner, key, args[1], frame)
                    under = cell(self._interpreter.thing(owner, frame))
                return under
            if len(args) > 1 and not thing.rest and args[1] not in (NONE, EMPTY):
                if name == "setdefault":
                    self.set_item(owner, key, args[1], frame)
                return args[1]
            return expressions.or_default(expressions.item(owner, key, node, frame), args, keywords, node, frame)
        if name == "update":
            merged = thing
            for key_, value in [*(self._mapping(args[0], frame).items() if args else ()), *keywords.items()]:
                merged = merged.set(key_, value)
            state.heap[owner.id] = merged
            return NONE
        if name == "copy":
            return state.new(thing)
        if name == "clear" and not thing.kept:
            state.heap[owner.id] = DictThing()
            return NONE
        if name in ("keys", "__iter__"):
            span = frame.module.places.span(node)
            if thing.rest:
                return expressions.derived(node, [owner], frame)
            return state.new(
                ListThing(tuple(Str((Text(k, span),)) if k else EMPTY for k, _ in thing.entries), kind="view")
            )
        if name == "values":
            return state.new(ListThing((*(v for _, v in thing.entries), *(Splat(v) for v in thing.rest)), kind="view"))
        if name == "items":
            span = frame.module.places.span(node)
            if thing.rest:
                return expressions.derived(node, [owner], frame)
            pairs = [
                state.new(ListThing((Str((Text(k, span),)) if k else EMPTY, v), kind="tuple")) for k, v in thing.entries
            ]
            return state.new(ListThing(tuple(pairs), kind="view"))
        return None

    def set_item(self, owner: Val, key: Val, value: Val, frame: Frame) -> None:
        """``owner[key] = value``."""
        thing = self._interpreter.thing(owner, frame)
        if not isinstance(owner, Ref) or frame.state is None:
            return
        if isinstance(thing, DictThing):
            name = strings.constant_text(key.segments) if isinstance(key, Str) else None
            if name is not None:
                frame.state.heap[owner.id] = thing.set(name, value)
            elif thing.kept:
                frame.state.heap[owner.id] = replace(thing, rest=(self._stored(thing, value, frame),))
            else:
                frame.state.heap[owner.id] = replace(thing, rest=(*thing.rest, value))
        elif isinstance(thing, ObjectThing):
            # A message that extends ``dict``: its items are told by their names, as its attributes are.
            name = strings.constant_text(key.segments) if isinstance(key, Str) else None
            if name and self._interpreter.lookup.method(thing.info, "__setitem__") is None:
                frame.state.heap[owner.id] = replace(thing, attributes={**thing.attributes, name: value})
        elif isinstance(thing, ListThing) and isinstance(key, Const) and isinstance(key.value, int):
            items = list(thing.items)
            if key.value == -1 and items and is_run(items[-1]):
                # In the place of the last of them.
                frame.state.heap[owner.id] = replace(thing, items=(*items, value))
            elif -len(items) <= key.value < len(items):
                items[key.value] = value
                frame.state.heap[owner.id] = replace(thing, items=tuple(items))

    def _stored(self, owner: DictThing, value: Val, frame: Frame) -> Val:
        """What stands under each key of a dictionary that outlives turns once ``value`` was stored under one.

        A list that is made anew is what the first turn has stored: later turns have added to it.
        """
        assert frame.state is not None
        heap = frame.state.heap
        old, new = self._interpreter.thing(cell(owner) or NONE, frame), self._interpreter.thing(value, frame)
        fresh = isinstance(new, ListThing) and not any(is_run(item) for item in new.items)
        if isinstance(new, ListThing) and isinstance(value, Ref) and isinstance(old, ListThing) and fresh:
            earlier = old.items[-1:] if new.window is None else [shortened_item(i, new.window) for i in old.items[-1:]]
            heap[value.id] = replace(new, items=(*new.items, *earlier), window=new.window or old.window)
            return value if len(old.items) == 1 or not new.items else cell(owner) or value
        return value

    def set_slice(self, owner: Val, lower: Val, upper: Val, value: Val, frame: Frame) -> None:
        """``owner[lower:upper] = value``: what stands in front stays, where it is known item by item."""
        thing = self._interpreter.thing(owner, frame)
        if not isinstance(owner, Ref) or not isinstance(thing, ListThing) or frame.state is None:
            return
        start = lower.value if isinstance(lower, Const) and type(lower.value) is int else 0
        front = thing.items[:start] if start > 0 else ()
        behind: tuple[Item, ...] = ()
        if upper != NONE:
            stop = upper.value if isinstance(upper, Const) and type(upper.value) is int else -1
            # Of what is not known item by item, it is not told what goes.
            known = stop >= 0 and not any(is_run(item) for item in thing.items[:stop])
            front, behind = (front, thing.items[stop:]) if known else ((), thing.items)
        elif any(is_run(item) for item in front):
            front = ()
        items = (*front, *self._interpreter.expressions.items_of(value, frame), *behind)
        cut = self._interpreter.thing(value, frame)
        window = cut.window if isinstance(cut, ListThing) else None
        frame.state.heap[owner.id] = replace(thing, items=items, window=window or thing.window)

    def merged(self, left: DictThing, right: DictThing, frame: Frame) -> Val:
        """``left | right`` for dictionaries."""
        out = left
        for key, value in right.entries:
            out = out.set(key, value)
        return NONE if frame.state is None else frame.state.new(replace(out, rest=(*left.rest, *right.rest)))

    # Buffers

    def _buffer(
        self, owner: Ref, thing: BufferThing, name: str, args: list[Val], node: ast.Call, frame: Frame
    ) -> Val | None:
        assert frame.state is not None
        if name == "write" and args:
            added = self._interpreter.expressions.segments(args[0], node.args[0] if node.args else node, frame)
            frame.state.heap[owner.id] = BufferThing(Str(strings.concat(thing.text.segments, added)))
            return NONE
        if name == "writelines" and args:
            known = self._interpreter.expressions.known_items(args[0], frame)
            parts = [self._interpreter.expressions.as_opaque(args[0], node, frame)] if known is None else known
            added = strings.concat(*(self._interpreter.expressions.own_segments(part, node, frame) for part in parts))
            frame.state.heap[owner.id] = BufferThing(Str(strings.concat(thing.text.segments, added)))
            return NONE
        if name in ("getvalue", "read"):
            # Who asks for it has it written by code that is not seen here: ``csv.writer(buffer)``.
            return thing.text if thing.text.segments else self._interpreter.expressions.opaque(node, frame)
        return None

    def _mark_inserted(self, value: Val, node: ast.expr, frame: Frame) -> None:
        """Remembers of a message that it was inserted at ``node``."""
        thing = self._interpreter.thing(value, frame)
        if isinstance(value, Ref) and isinstance(thing, DictThing) and frame.state is not None:
            frame.state.heap[value.id] = replace(thing, inserted=frame.module.places.span(node))

    @staticmethod
    def _drops_front(name: str, args: list[Val], node: ast.Call, frame: Frame) -> bool:
        """Whether the call takes one of the first messages away because there are too many; what is done with the
        message counts for nothing where their amount is measured."""
        if not (is_counted(frame) if node is frame.unused else is_measured(frame)):
            return False
        if name == "popleft":
            return True
        at = args[0] if name == "pop" and args else None
        taken = node.args[0] if name == "remove" and len(node.args) == 1 else None
        if isinstance(taken, ast.Subscript) and isinstance(node.func, ast.Attribute):
            # ``messages.remove(messages[1])``
            first = isinstance(taken.slice, ast.Constant) and ast.unparse(taken.value) == ast.unparse(node.func.value)
            at = Const(taken.slice.value) if first and isinstance(taken.slice, ast.Constant) else None
        return isinstance(at, Const) and type(at.value) is int and 0 <= at.value <= MOST_TAKEN


def _holds_one(node: ast.Call, frame: Frame) -> bool:
    """Whether a condition on the way to ``items.pop()`` has asked if there is more than one: then there is none."""
    if not isinstance(node.func, ast.Attribute):
        return False
    count = f"len({frame.module.places.source(node.func.value)})"
    return any(guard.expression in (f"{count} > 1", f"{count} != 1", f"{count} >= 2") for guard in frame.guards)
