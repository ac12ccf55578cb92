"""Builtins and standard library functions that make collections and take them apart."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python import strings
from prefixlint.frontends.python.comprehensions import Run
from prefixlint.frontends.python.conversations import ranked, shortened_item
from prefixlint.frontends.python.newest import turned
from prefixlint.frontends.python.values import (
    NONE,
    Choose,
    Const,
    DictThing,
    Lib,
    ListThing,
    Many,
    Opaque,
    Partial,
    Splat,
    Str,
    in_order,
    is_run,
    ordered,
)
from prefixlint.model.lifetimes import Confidence, Lifetime
from prefixlint.model.segments import Drift, Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.values import Item, Val


RECORD = "collections.namedtuple()"
"""What a type made by ``namedtuple`` is called with: the names of its fields, then their values."""
ITEM, ATTRIBUTE = "operator.itemgetter()", "operator.attrgetter()"
"""What ``itemgetter(key)`` and ``attrgetter(name)`` give is called with: the key, then a value."""


class Collections:
    """Calls that ``BuiltinCalls`` hands on."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter

    def items(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        if frame.state is None:
            return NONE
        if not args:
            return frame.state.new(ListThing())
        args = [self._interpreter.expressions.iterated(args[0], node, frame)]
        thing = self._interpreter.thing(args[0], frame)
        if isinstance(thing, ListThing):
            copied = self._interpreter.expressions.copied(args[:1], frame)
            return frame.state.new(replace(thing, kind="list", copied=copied))
        if isinstance(thing, DictThing):
            return frame.state.new(ListThing(self._interpreter.expressions.items_of(args[0], frame)))
        if isinstance(args[0], Choose) and self._interpreter.are_lists(args[0], frame):
            return replace(args[0], values=tuple(self.items([one], {}, node, frame) or NONE for one in args[0].values))
        value = self._interpreter.expressions.as_opaque(args[0], node, frame)
        return replace(value, expression=frame.module.places.source(node), span=frame.module.places.span(node))

    def tuple_(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        return self._of_kind("tuple", self.items(args, keywords, node, frame), frame)

    def keyed(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """``dict.fromkeys(items)``: each item once, in order."""
        return self._of_kind("view", self.items(args[:1], keywords, node, frame), frame)

    def _of_kind(self, kind: str, made: Val | None, frame: Frame) -> Val | None:
        thing = None if made is None else self._interpreter.thing(made, frame)
        if not isinstance(thing, ListThing) or frame.state is None:
            return made
        return frame.state.new(replace(thing, kind=kind))

    def deque(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """A deque; with a greatest length, what is added at its end pushes out its front."""
        made = self._of_kind("view", self.items(args[:1], keywords, node, frame), frame)
        most = keywords.get("maxlen") or (args[1] if len(args) > 1 else NONE)
        thing = self._interpreter.thing(made, frame) if made is not None else None
        if most == NONE or frame.state is None:
            return made
        places = frame.module.places
        size = most.value if isinstance(most, Const) and isinstance(most.value, int) else None
        drift = Drift("window", places.source(node), places.span(node), size, "maxlen")
        if isinstance(thing, ListThing):
            items = (shortened_item(item, drift) for item in thing.items)
            return frame.state.new(replace(thing, items=tuple(items), window=drift))
        return replace(made, grows=False, drift=drift) if isinstance(made, Opaque) and made.grows else made

    def reversed(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        thing = self._interpreter.thing(args[0], frame) if args else None
        if isinstance(thing, ListThing) and frame.state is not None:
            return frame.state.new(replace(thing, items=tuple(reversed(thing.items)), kind="view"))
        given = args[0] if args else None
        if frame.state is not None and node.args and isinstance(node.args[0], ast.Name):
            given = frame.state.variables.get(node.args[0].id, given)  # as it was made, not as it is passed on
        first = turned(given, node, frame) if isinstance(given, Opaque) else None
        return first or self.items(args, keywords, node, frame)

    def sorted(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        if not args or frame.state is None:
            return None
        thing = self._interpreter.thing(args[0], frame)
        if isinstance(thing, ListThing):
            return frame.state.new(replace(self.sort(thing, keywords, node, frame), kind="list"))
        value = self._interpreter.expressions.as_opaque(args[0], node, frame)
        here = replace(value, expression=frame.module.places.source(node), span=frame.module.places.span(node))
        return ranked(here, node) or in_order(here)

    def set(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        if frame.state is None:
            return NONE
        thing = self._interpreter.thing(args[0], frame) if args else ListThing()
        if not isinstance(thing, ListThing):
            thing = ListThing(self._interpreter.expressions.items_of(args[0], frame))
        return frame.state.new(self._interpreter.expressions.as_set(thing, node, frame))

    def frozenset(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        return self._of_kind("frozenset", self.set(args, keywords, node, frame), frame)

    def dict(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        if frame.state is None:
            return NONE
        base = self._interpreter.thing(args[0], frame) if args else None
        out = base if isinstance(base, DictThing) else self._of_pairs(base, frame) or DictThing((), tuple(args))
        for key, value in keywords.items():
            out = replace(out, rest=(*out.rest, value)) if key == "**" else out.set(key, value)
        return frame.state.new(out)

    def _of_pairs(self, thing: object, frame: Frame) -> DictThing | None:
        """``dict([("role", text), …])``, ``dict(zip(names, texts))``; None where a key is not known."""
        if not isinstance(thing, ListThing) or thing.unordered is not None:
            return None
        out = DictThing()
        for item in thing.items:
            pair = None if is_run(item) else self._interpreter.thing(item, frame)
            if not isinstance(pair, ListThing) or len(pair.items) != 2:
                return None
            key, value = pair.items
            name = strings.constant_text(key.segments) if isinstance(key, Str) else None
            if name is None or is_run(value):
                return None
            out = out.set(name, value)
        return out

    def default_dict(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """A dictionary that makes what stands under a key; one that is made for a request is filled by what follows."""
        if frame.state is None:
            return NONE
        made: Val = NONE
        if args and frame.moment.rank > Lifetime.REQUEST.rank:
            made = self._interpreter.calls.apply(args[0], [], {}, node, frame)
        listed = isinstance(self._interpreter.thing(made, frame), ListThing)
        return frame.state.new(DictThing(rest=(made,) if listed else ()))

    def enumerate(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        if not args or frame.state is None:
            return None
        known = self._interpreter.expressions.known_items(args[0], frame)
        if known is None or len(known) > self._interpreter.bounds.unroll:
            thing = self._interpreter.thing(args[0], frame)
            held = (i.value for i in thing.items if isinstance(i, Splat)) if isinstance(thing, ListThing) else ()
            # A conversation with the newest messages behind it goes on as it does.
            whole = next((value for value in held if isinstance(value, Opaque) and value.grows), args[0])
            return self._interpreter.expressions.as_opaque(whole, node.args[0] if node.args else node, frame)
        start = keywords.get("start", args[1] if len(args) > 1 else Const(0))
        first = start.value if isinstance(start, Const) and isinstance(start.value, int) else 0
        pairs = [frame.state.new(ListThing((Const(first + i), v), kind="tuple")) for i, v in enumerate(known)]
        return frame.state.new(ListThing(tuple(pairs), kind="view"))

    def range(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        numbers = [a.value for a in args if isinstance(a, Const) and isinstance(a.value, int)]
        if len(numbers) == len(args) and args and frame.state is not None:
            try:
                steps = range(*numbers)
            except (ValueError, TypeError):
                return None
            if len(steps) <= self._interpreter.bounds.unroll:
                return frame.state.new(ListThing(tuple(Const(i) for i in steps), kind="view"))
            return replace(
                self._interpreter.expressions.opaque(node, frame),
                lifetime=Lifetime.CONSTANT,
                confidence=Confidence.HIGH,
            )
        return self._interpreter.expressions.derived(node, args, frame)

    def zip(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        known = [self._interpreter.expressions.known_items(value, frame) for value in args]
        columns = [items for items in known if items is not None]
        short = min(map(len, columns), default=0)
        if len(columns) < len(args) or short > self._interpreter.bounds.unroll or frame.state is None:
            # What goes side by side begins where the last of them does.
            value = self._interpreter.expressions.derived(node, args, frame)
            cut = next((a.drift for a in args if isinstance(a, Opaque) and a.drift is not None), None)
            return value if cut is None or cut.kind not in ("window", "tail") else value.but(drift=cut, grows=False)
        rows = zip(*(column[:short] for column in columns), strict=True)
        pairs = tuple(frame.state.new(ListThing(row, kind="tuple")) for row in rows)
        return frame.state.new(ListThing(pairs, kind="view"))

    def zip_longest(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        known = [self._interpreter.expressions.known_items(value, frame) for value in args]
        columns = [items for items in known if items is not None]
        long = max(map(len, columns), default=0)
        if len(columns) < len(args) or frame.state is None:
            return self._interpreter.expressions.derived(node, args, frame)
        filling = keywords.get("fillvalue", NONE)
        padded = [frame.state.new(ListThing((*items, *[filling] * (long - len(items))))) for items in columns]
        return self.zip([*padded], {}, node, frame)

    def chain_map(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """``ChainMap(first, second)``: the first one that has a key says what it is."""
        things = [self._interpreter.thing(value, frame) for value in args]
        out = DictThing()
        for thing in reversed(things):
            if not isinstance(thing, DictThing) or thing.rest:
                return None
            for name, value in thing.entries:
                out = out.set(name, value)
        return NONE if frame.state is None else frame.state.new(out)

    def gather(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """What several coroutines give, in the order of the call."""
        if frame.state is None or any(isinstance(argument, ast.Starred) for argument in node.args):
            return None
        return frame.state.new(ListThing(tuple(args)))

    def next(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        known = self._interpreter.expressions.known_items(args[0], frame) if args else None
        if known and isinstance(node.args[0], ast.GeneratorExp):
            return known[0]
        return self._interpreter.expressions.derived(node, args, frame)

    def sum(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """``sum(lists, [])``: their items one behind the other."""
        if (
            len(args) == 2
            and isinstance(self._interpreter.thing(args[1], frame), ListThing)
            and frame.state is not None
        ):
            items = self._flat(args[0], node, frame)
            if items is not None:
                first = self._interpreter.expressions.items_of(args[1], frame)
                return frame.state.new(ListThing((*first, *items)))
        return self._interpreter.expressions.derived(node, args, frame)

    def chain(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        if frame.state is None:
            return NONE
        expressions = self._interpreter.expressions
        return frame.state.new(
            ListThing(tuple(item for value in args for item in expressions.items_of(value, frame)), kind="view")
        )

    def chained(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """``itertools.chain.from_iterable``: the items of the items."""
        items = self._flat(args[0], node, frame) if args else None
        return None if items is None or frame.state is None else frame.state.new(ListThing(items))

    def _flat(self, value: Val, node: ast.Call, frame: Frame) -> tuple[Item, ...] | None:
        """The items of the items of a list, where those are known; None for anything else."""
        parts = self._parts(value, node, frame)
        if parts is None:
            return None
        out: list[Item] = []
        for run in parts:
            inner = tuple(one for item in run.items for one in self._interpreter.expressions.items_of(item, frame))
            out.extend(inner if run.source is None else (Many(inner, run.source),))
        return tuple(out)

    def _parts(self, value: Val, node: ast.Call, frame: Frame) -> list[Run] | None:
        """Items of a list that are known, and those that were made again and again with what for."""
        known = self._interpreter.expressions.known_items(value, frame)
        if known is not None:
            return [Run(tuple(known))]
        runs = self._interpreter.expressions.runs(value, node, node, frame)
        return None if runs is None or any(run.single is not None or run.choice is not None for run in runs) else runs

    def islice(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """``islice(messages, start, stop)``: ``messages[start:stop]``."""
        if not 2 <= len(node.args) <= 3 or any(isinstance(argument, ast.Starred) for argument in node.args):
            return None
        ends = [None if isinstance(part, ast.Constant) and part.value is None else part for part in node.args[1:]]
        cut = ast.Slice(None, ends[0]) if len(ends) == 1 else ast.Slice(*ends)
        at = ast.copy_location(ast.Subscript(node.args[0], cut, ast.Load()), node)
        return self._interpreter.expressions.sliced(args[0], at, cut, frame)

    def any(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        return self._decided(args, True, node, frame)

    def all(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        return self._decided(args, False, node, frame)

    def _decided(self, args: list[Val], settles: bool, node: ast.Call, frame: Frame) -> Val | None:
        """``any`` or ``all`` of items that are known one by one; one that has the truth that ``settles`` is enough."""
        expressions = self._interpreter.expressions
        known = expressions.known_items(args[0], frame) if args else None
        truths = [expressions.truth(item, frame) for item in known or ()]
        if settles in truths:
            return Const(settles)
        return expressions.derived(node, args, frame) if not truths or None in truths else Const(not settles)

    def reduce(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        parts = self._parts(args[1], node, frame) if len(args) > 1 else None
        if parts is None or sum(len(run.items) for run in parts) > self._interpreter.bounds.unroll:
            return None
        result = args[2] if len(args) > 2 else None
        for run in parts:
            before = result
            for value in run.items:
                result = (
                    value
                    if result is None
                    else self._interpreter.calls.apply(args[0], [result, value], {}, node, frame)
                )
            if run.source is not None:
                result = self._again_and_again(before, result, run.source, frame)
                if result is None:
                    return None
        return result

    def _again_and_again(self, before: Val | None, after: Val | None, source: Opaque, frame: Frame) -> Val | None:
        """A list to which each item of something adds as one has added to it; None for what is no such list."""
        old = ListThing() if before is None else self._interpreter.thing(before, frame)
        new = None if after is None else self._interpreter.thing(after, frame)
        if not isinstance(old, ListThing) or not isinstance(new, ListThing) or frame.state is None:
            return None
        if new.items[: len(old.items)] != old.items:
            return None
        return frame.state.new(replace(new, items=(*old.items, Many(new.items[len(old.items) :], source))))

    def namespace(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """``SimpleNamespace(name=value)``: a dictionary whose keys are read as attributes."""
        return None if args else self.dict([], keywords, node, frame)

    def record_type(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """``namedtuple("Prompt", ["system", "user"])``: what makes a record of its fields."""
        if len(args) < 2 or frame.state is None:
            return None
        names = args[1]
        text = strings.constant_text(names.segments) if isinstance(names, Str) else None
        if text is not None:
            span = frame.module.places.span(node)
            fields = tuple(Str((Text(name, span),)) for name in text.replace(",", " ").split())
            names = frame.state.new(ListThing(fields))
        return Partial(Lib(RECORD), (names,), {})

    def record(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        names = self._interpreter.expressions.known_items(args[0], frame) if args else None
        if names is None or frame.state is None:
            return None
        out = DictThing()
        for name, value in zip(names, args[1:], strict=False):
            key = strings.constant_text(name.segments) if isinstance(name, Str) else None
            if key is None:
                return None
            out = out.set(key, value)
        for key, value in keywords.items():
            out = out.set(key, value)
        return frame.state.new(out)

    def getter(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """``itemgetter("order")``, ``attrgetter("order")``: what gives this of a value."""
        name = frame.module.places.source(node.func)
        return Partial(Lib(ITEM if "item" in name else ATTRIBUTE), (args[0],), {}) if len(args) == 1 else None

    def got_item(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        return self._interpreter.expressions.item(args[1], args[0], node, frame) if len(args) == 2 else None

    def got_attribute(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        name = strings.constant_text(args[0].segments) if len(args) == 2 and isinstance(args[0], Str) else None
        return self._interpreter.expressions.attribute(args[1], name, node, frame) if name else None

    def sort(self, thing: ListThing, keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> ListThing:
        """A list in the order of what is known of its items: their texts, or what a key gives of each."""
        known = None if any(is_run(item) for item in thing.items) else [i for i in thing.items if not is_run(i)]
        key = keywords.get("key")
        if (
            known is not None
            and len(known) <= self._interpreter.bounds.unroll
            and keywords.keys() <= {"key", "reverse"}
        ):
            keys = [v if key is None else self._interpreter.calls.apply(key, [v], {}, node, frame) for v in known]
            found = [_sort_key(value) for value in keys]
            numbers = [value for value in found if isinstance(value, int | float)]
            texts = [value for value in found if isinstance(value, str)]
            backwards = keywords.get("reverse", Const(False))
            if len(found) in (len(numbers), len(texts)) and isinstance(backwards, Const):
                # Not the pairs themselves: two items of one key are not compared.
                places: Iterable[int] = range(len(known))
                falling = bool(backwards.value)
                order = (
                    sorted(places, key=lambda at: numbers[at], reverse=falling)
                    if numbers
                    else sorted(places, key=lambda at: texts[at], reverse=falling)
                )
                return ordered(replace(thing, items=tuple(known[at] for at in order)))
        return ordered(thing)

    def map(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        if len(args) < 2 or frame.state is None:
            return None
        known = self._interpreter.expressions.known_items(args[1], frame)
        if known is not None and len(known) <= self._interpreter.bounds.unroll:
            return frame.state.new(
                ListThing(
                    tuple(self._interpreter.calls.apply(args[0], [v], {}, node, frame) for v in known), kind="view"
                )
            )
        return self._interpreter.calls.builtins.same(args[1:], keywords, node, frame)

    def filter(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        return args[1] if len(args) > 1 else None


def _sort_key(value: Val) -> object:
    """What a sort compares, where it is known."""
    if isinstance(value, Const):
        return value.value
    return strings.constant_text(value.segments) if isinstance(value, Str) else None
