"""Methods of strings, lists, dictionaries and buffers."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python import strings
from prefixlint.frontends.python.access import RECORD_METHODS
from prefixlint.frontends.python.conversations import cut_at, is_counted, shortened
from prefixlint.frontends.python.lookup import judged
from prefixlint.frontends.python.naming import named
from prefixlint.frontends.python.patterns import around_name
from prefixlint.frontends.python.thresholds import MOST_TAKEN
from prefixlint.frontends.python.values import (
    DATA,
    EMPTY,
    NONE,
    BufferThing,
    Const,
    DictThing,
    ListThing,
    LoaderThing,
    Many,
    Maybe,
    ObjectThing,
    Opaque,
    PathText,
    PromptThing,
    Ref,
    Splat,
    Str,
    is_run,
    ordered,
)
from prefixlint.knowledge import clocks
from prefixlint.model.lifetimes import SourceKind
from prefixlint.model.segments import Drift, Text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.values import Item, Val
    from prefixlint.model.segments import Segment
    from prefixlint.model.sources import Span

Segments = tuple["Segment", ...]
_KEEP_CASE = {
    "upper": str.upper,
    "lower": str.lower,
    "title": str.title,
    "capitalize": str.capitalize,
    "swapcase": str.swapcase,
}
_SAME = frozenset(
    {"encode", "decode", "expandtabs", "casefold", "center", "ljust", "rjust", "zfill", "translate", "format_map"}
)


class Methods:
    """Method calls on values that the interpreter models itself. ``call`` returns None for anything else."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter

    def call(
        self, owner: Val, name: str, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame
    ) -> Val | None:
        """``owner.name(*args, **keywords)`` where the owner is modelled, else None."""
        if isinstance(owner, Str):
            return self._string(owner, name, args, keywords, node, frame)
        if isinstance(owner, PathText):
            return self._interpreter.calls.builtins.on_path(owner, name, args, node, frame)
        thing = self._interpreter.thing(owner, frame)
        if isinstance(owner, Ref) and frame.state is not None:
            if isinstance(thing, ListThing):
                return self._list(owner, thing, name, args, node, frame)
            if isinstance(thing, DictThing):
                return self._dict(owner, thing, name, args, keywords, node, frame)
            if isinstance(thing, LoaderThing):
                return self._interpreter.calls.builtins.jinja.on_loader(thing, name, args, node, frame)
            if isinstance(thing, BufferThing):
                return self._buffer(owner, thing, name, args, node, frame)
            if isinstance(thing, PromptThing):
                return self._interpreter.calls.prompts.method(thing, name, args, keywords, node, frame)
            if isinstance(thing, ObjectThing) and name in RECORD_METHODS:
                fields = frame.state.new(DictThing(tuple(thing.attributes.items())))
                return frame.state.new(thing) if name == "model_copy" else fields
            prompts = self._interpreter.calls.prompts
            chain = prompts.runs(thing, name, frame) if isinstance(thing, ObjectThing) else None
            if chain is not None:
                return prompts.method(chain, name, args, keywords, node, frame)
        return None

    # Strings

    def _string(
        self, owner: Str, name: str, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame
    ) -> Val | None:
        expressions = self._interpreter.expressions
        texts = [strings.constant_text(a.segments) if isinstance(a, Str) else None for a in args]
        if name == "format":
            return self.format(owner, args, keywords, node, frame)
        if name == "format_map" and args:
            return self.format(owner, [], self._mapping(args[0], frame), node, frame, rest=args)
        if name == "join" and args:
            return expressions.joined(owner.segments, args[0], node, frame)
        if name in ("strip", "lstrip", "rstrip"):
            return Str(
                strings.strip(
                    owner.segments, texts[0] if texts else None, left=name != "rstrip", right=name != "lstrip"
                )
            )
        if name == "replace" and len(args) >= 2 and texts[0] is not None:
            new = self._filled(args[1], node.args[1] if len(node.args) > 1 else node, frame)
            return Str(strings.replace_text(owner.segments, texts[0], new))
        marked = around_name(args[0]) if name == "replace" and len(args) >= 2 else None
        if marked is not None:

            def open_(root: str, span: Span) -> Segments:
                return self.open_field(root, root, span, None, node, frame)

            return Str(strings.replace_pattern(owner.segments, marked, open_))
        if name in ("removeprefix", "removesuffix") and texts and texts[0]:
            return self._without(owner, name, texts[0])
        if name in _KEEP_CASE:
            changed = strings.map_case(owner.segments, _KEEP_CASE[name])
            return Str(changed) if changed is not None else owner
        if name in _SAME:
            return owner
        if name in ("split", "splitlines", "rsplit", "partition", "rpartition"):
            return expressions.derived(node, [owner], frame)
        return expressions.derived(node, [owner, *args], frame)

    @staticmethod
    def _without(owner: Str, name: str, part: str) -> Str:
        if not owner.segments:
            return owner
        edge = owner.segments[0 if name == "removeprefix" else -1]
        if not isinstance(edge, Text):
            return owner
        if name == "removeprefix" and edge.text.startswith(part):
            return Str((edge.slice(len(part), len(edge.text)), *owner.segments[1:]))
        if name == "removesuffix" and edge.text.endswith(part):
            return Str((*owner.segments[:-1], edge.slice(0, len(edge.text) - len(part))))
        return owner

    def _filled(self, value: Val, node: ast.expr, frame: Frame) -> Segments:
        expressions = self._interpreter.expressions
        return expressions.placed(value, frame.module.places.source(node), frame.module.places.span(node), node, frame)

    def _mapping(self, value: Val, frame: Frame) -> dict[str, Val]:
        thing = self._interpreter.thing(value, frame)
        return dict(thing.entries) if isinstance(thing, DictThing) else {}

    def format(
        self,
        owner: Str,
        args: list[Val],
        keywords: Mapping[str, Val],
        node: ast.Call,
        frame: Frame,
        rest: list[Val] | None = None,
    ) -> Str:
        """``str.format``: fields are filled in the template's order; one that nothing fills stays open by its name."""
        expressions = self._interpreter.expressions
        nodes = {k.arg: k.value for k in node.keywords if k.arg}
        automatic = iter(range(len(args) + 100))

        def fill(field: str, conversion: str, spec: str, span: Span) -> Segments | None:
            root, path = _field_path(field)
            value: Val | None
            at: ast.expr = node
            if root == "" or _is_index(root):
                index = next(automatic) if root == "" else int(root)
                value = args[index] if index < len(args) else None
                if index < len(node.args):
                    at = node.args[index]
            else:
                value = keywords.get(root)
                at = nodes.get(root, node)
            if value is None:
                if root and not root.isidentifier() and not _is_index(root):
                    return None
                return self.open_field(field, root, span, rest, node, frame)
            for step in path:
                value = self._step(value, step, at, frame)
            if root.isidentifier():
                value = judged(value, root)
            value = expressions.formatted(value, conversion, spec, at, frame)
            return expressions.placed(value, field or frame.module.places.source(at), span, at, frame)

        return Str(strings.format_fields(owner.segments, fill))

    def open_field(
        self, field: str, root: str, span: Span, rest: list[Val] | None, node: ast.Call, frame: Frame
    ) -> Segments:
        """A field filled from something that is not known key by key: judged by its name."""
        expressions = self._interpreter.expressions
        value = named(root, field, span, open_name=root)
        for other in rest or ():
            source = expressions.as_opaque(other, node, frame)
            if source.lifetime.varies and not value.lifetime.known:
                value = replace(value, lifetime=source.lifetime, origin=source.origin, confidence=source.confidence)
        return (expressions.value(value, field, span),)

    def _step(self, value: Val, step: tuple[str, str], node: ast.expr, frame: Frame) -> Val:
        kind, name = step
        if kind == ".":
            return self._interpreter.expressions.attribute(value, name, node, frame)
        key: Val = Const(int(name)) if _is_index(name) else Str((Text(name, frame.module.places.span(node)),))
        return self._interpreter.expressions.item(value, key, node, frame)

    def percent(self, owner: Str, value: Val, node: ast.expr, frame: Frame) -> Val:
        """``owner % value``."""
        expressions = self._interpreter.expressions
        thing = self._interpreter.thing(value, frame)
        items: list[Val] = [value]
        if isinstance(thing, ListThing) and thing.kind == "tuple":
            items = [item for item in thing.items if not isinstance(item, Splat | Many | Maybe)]
        nodes = list(node.elts) if isinstance(node, ast.Tuple) else [node]
        index = iter(range(1000))

        def fill(key: str | None, conversion: str, span: Span) -> Segments | None:
            at = node
            if key is not None:
                found = thing.get(key) if isinstance(thing, DictThing) else None
                if found is not None:
                    return expressions.placed(found, key, span, at, frame)
                return (expressions.value(named(key, key, span, open_name=key), key, span),)
            place = next(index)
            if place >= len(items):
                return None
            if place < len(nodes):
                at = nodes[place]
            return expressions.placed(items[place], frame.module.places.source(at), span, at, frame)

        return Str(strings.percent_fields(owner.segments, fill))

    # Lists

    def _list(
        self, owner: Ref, thing: ListThing, name: str, args: list[Val], node: ast.Call, frame: Frame
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
            if thing.kind == "set":
                fresh = state.heap.get(owner.id)
                assert isinstance(fresh, ListThing)
                state.heap[owner.id] = self._interpreter.expressions.as_set(fresh, node, frame)
            return NONE
        if name == "appendleft" and args:
            self._mark_inserted(args[0], node, frame)
            return put((args[0], *thing.items))
        if name in ("extend", "update") and args:
            self.extend(owner, args[0], frame)
            return NONE
        if name == "insert" and len(args) >= 2:
            index = args[0].value if isinstance(args[0], Const) else None
            self._mark_inserted(args[1], node, frame)
            if isinstance(index, int) and -len(thing.items) <= index <= len(thing.items):
                return put((*thing.items[:index], args[1], *thing.items[index:]))
            return put((*thing.items, args[1]))
        if self._drops_front(name, args, node, frame):
            shortened(owner, thing, Drift("window", *cut_at(node, frame)), frame)
            return NONE
        if name == "pop":
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
            return state.new(thing)
        if name == "reverse":
            return put(tuple(reversed(thing.items)))
        if name == "sort":
            state.heap[owner.id] = ordered(thing)
            return NONE
        if name in ("union", "intersection", "difference", "symmetric_difference"):
            items = [*thing.items]
            for argument in args:
                items.extend(self._interpreter.expressions.items_of(argument, frame))
            return state.new(self._interpreter.expressions.as_set(ListThing(tuple(items)), node, frame))
        if name in ("remove", "discard"):
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
        items = (*expressions.items_of(left, frame), *expressions.items_of(right, frame))
        window = self.window_of(left, frame) or self.window_of(right, frame)
        return NONE if frame.state is None else frame.state.new(ListThing(items, window=window))

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
            if text is not None and thing.get(text) is not None:
                return thing.get(text)
            if len(args) > 1 and not thing.rest and args[1] not in (NONE, EMPTY):
                if name == "setdefault":
                    self.set_item(owner, key, args[1], frame)
                return args[1]
            return expressions.item(owner, key, node, frame)
        if name == "update":
            merged = thing
            for key_, value in [*(self._mapping(args[0], frame).items() if args else ()), *keywords.items()]:
                merged = merged.set(key_, value)
            state.heap[owner.id] = merged
            return NONE
        if name == "copy":
            return state.new(thing)
        if name in ("keys", "__iter__"):
            span = frame.module.places.span(node)
            if thing.rest:
                return expressions.derived(node, [owner], frame)
            return state.new(ListThing(tuple(Str((Text(k, span),)) if k else EMPTY for k, _ in thing.entries)))
        if name == "values":
            return state.new(ListThing((*(v for _, v in thing.entries), *(Splat(v) for v in thing.rest))))
        if name == "items":
            span = frame.module.places.span(node)
            if thing.rest:
                return expressions.derived(node, [owner], frame)
            pairs = [
                state.new(ListThing((Str((Text(k, span),)) if k else EMPTY, v), kind="tuple")) for k, v in thing.entries
            ]
            return state.new(ListThing(tuple(pairs)))
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
            else:
                frame.state.heap[owner.id] = replace(thing, rest=(*thing.rest, value))
        elif isinstance(thing, ListThing) and isinstance(key, Const) and isinstance(key.value, int):
            items = list(thing.items)
            if -len(items) <= key.value < len(items):
                items[key.value] = value
                frame.state.heap[owner.id] = replace(thing, items=tuple(items))

    def set_slice(self, owner: Val, lower: Val, upper: Val, value: Val, frame: Frame) -> None:
        """``owner[lower:upper] = value``: what stands in front stays, where it is known item by item."""
        thing = self._interpreter.thing(owner, frame)
        if not isinstance(owner, Ref) or not isinstance(thing, ListThing) or frame.state is None:
            return
        start = lower.value if isinstance(lower, Const) and type(lower.value) is int else 0
        front = thing.items[:start] if start > 0 else ()
        if any(is_run(item) for item in front) or upper != NONE:
            front = ()
        items = (*front, *self._interpreter.expressions.items_of(value, frame))
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
        if name in ("getvalue", "read"):
            return thing.text
        return None

    # Opaque values

    def _grown(self, owner: Opaque, target: ast.expr, name: str, args: list[Val], frame: Frame) -> None:
        """What is added to a list that came from elsewhere: a list of that and the new item."""
        assert frame.state is not None
        if not isinstance(target, ast.Name | ast.Attribute):
            return
        before: tuple[Item, ...] = (Splat(owner),)
        added = self._interpreter.expressions.items_of(args[0], frame) if name == "extend" else (args[-1],)
        index = args[0].value if name == "insert" and isinstance(args[0], Const) else None
        front = name == "appendleft" or (isinstance(index, int) and index >= 0)
        if name in ("insert", "appendleft"):
            self._mark_inserted(args[-1], target, frame)
        ref = frame.state.new(ListThing((*added, *before) if front else (*before, *added)))
        self._interpreter.assign(target, ref, frame)

    def put_in_front(self, owner: Opaque, target: ast.Subscript, value: Val, frame: Frame) -> None:
        """``messages[0] = value`` and ``messages[0:0] = values`` for a conversation that came from elsewhere."""
        place, listed = target.slice, target.value
        if frame.state is None or not isinstance(listed, ast.Name | ast.Attribute):
            return
        if isinstance(place, ast.Slice):
            if not _is_zero(place.upper) or not (place.lower is None or _is_zero(place.lower)):
                return
            added = self._interpreter.expressions.items_of(value, frame)
        elif _is_zero(place):
            added = (value,)
        else:
            return
        if isinstance(place, ast.Slice):
            for item in added:
                for one in item.items if isinstance(item, Many) else (item,):
                    if not isinstance(one, Splat | Many | Maybe):
                        self._mark_inserted(one, target, frame)
        self._interpreter.assign(listed, frame.state.new(ListThing((*added, Splat(owner)))), frame)

    def _mark_inserted(self, value: Val, node: ast.expr, frame: Frame) -> None:
        """Remembers of a message that it was inserted at ``node``."""
        thing = self._interpreter.thing(value, frame)
        if isinstance(value, Ref) and isinstance(thing, DictThing) and frame.state is not None:
            frame.state.heap[value.id] = replace(thing, inserted=frame.module.places.span(node))

    @staticmethod
    def _drops_front(name: str, args: list[Val], node: ast.Call, frame: Frame) -> bool:
        """Whether the call throws one of the first messages away because there are too many."""
        if node is not frame.unused or not is_counted(frame):
            return False
        if name == "popleft":
            return True
        at = args[0] if name == "pop" and args else None
        return isinstance(at, Const) and type(at.value) is int and 0 <= at.value <= MOST_TAKEN

    def on_opaque(
        self, owner: Opaque, name: str, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame
    ) -> Val | None:
        """Methods of clocks, opaque strings and opaque dictionaries; None where nothing is known of the method."""
        expressions = self._interpreter.expressions
        places = frame.module.places
        here = owner.but(expression=places.source(node), span=places.span(node), name="")
        if owner.origin.kind is SourceKind.CLOCK and (owner.type or owner.shape in ("timestamp", "date")):
            if name == "strftime" and args:
                text = strings.constant_text(args[0].segments) if isinstance(args[0], Str) else None
                if text is None:
                    return here.but(type="")
                return expressions.clock(here, clocks.clock_format(text)[0], frame)
            if name == "replace":
                fields = frozenset(k for k, v in keywords.items() if isinstance(v, Const))
                return expressions.clock(here, clocks.replace_lifetime(fields), frame, owner.type)
            if name in clocks.METHODS:
                keep = owner.type if name in ("date", "astimezone") else ""
                return expressions.clock(here, clocks.METHODS[name], frame, keep)
        if owner.grows and isinstance(node.func, ast.Attribute) and self._drops_front(name, args, node, frame):
            drift = Drift("window", *cut_at(node, frame))
            self._interpreter.assign(node.func.value, owner.but(grows=False, drift=drift), frame)
            return NONE
        if name in _GROWS and args and isinstance(node.func, ast.Attribute) and frame.state is not None:
            self._grown(owner, node.func.value, name, args, frame)
            return NONE
        if name in _STRING_METHODS:
            return here
        if name in ("get", "pop", "setdefault") and args:
            return expressions.item(owner, args[0], node, frame)
        if owner.type == DATA and not name.startswith("to_"):
            return here
        if name in ("items", "keys", "values", "copy", "to_dict", "model_dump", "dict", "json", "model_dump_json"):
            return here
        return None


_GROWS = frozenset({"append", "extend", "insert", "appendleft"})
_STRING_METHODS = frozenset(
    [
        "strip",
        "lstrip",
        "rstrip",
        "lower",
        "upper",
        "title",
        "capitalize",
        "replace",
        "split",
        "splitlines",
        "format",
        "removeprefix",
        "removesuffix",
        "join",
        "encode",
        "decode",
        "isoformat",
        "hex",
        "to_string",
        "to_json",
        "astimezone",
        "total_seconds",
    ]
)


def _is_zero(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value == 0 and type(node.value) is int


def _is_index(text: str) -> bool:
    return text.isdecimal() and len(text) < 7


def _field_path(field: str) -> tuple[str, list[tuple[str, str]]]:
    """Root of a format field and its steps: ``a.b[0]`` gives ``("a", [(".", "b"), ("[", "0")])``."""
    import re

    match = re.match(r"[^.\[]*", field)
    root = match.group() if match else ""
    steps = [
        (m.group(1)[0], m.group(2) or m.group(3))
        for m in re.finditer(r"(\.|\[)(?:([^.\[\]]+)\]?|)()", field[len(root) :])
    ]
    return root, [(kind, name) for kind, name in steps if name]
