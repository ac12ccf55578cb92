"""Methods of strings, lists, dictionaries and buffers."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python import strings
from prefixlint.frontends.python.access import RECORD_METHODS
from prefixlint.frontends.python.aging import conversation
from prefixlint.frontends.python.by_name import judged
from prefixlint.frontends.python.collection_methods import CollectionMethods
from prefixlint.frontends.python.conversations import cut_at
from prefixlint.frontends.python.filled import put_under
from prefixlint.frontends.python.lookup import ENUMS
from prefixlint.frontends.python.naming import named
from prefixlint.frontends.python.patterns import around_name, marked_name
from prefixlint.frontends.python.syntax import ADDS, can_be_set, is_last, is_zero, last_name
from prefixlint.frontends.python.values import (
    DATA,
    NONE,
    PROMPT_FILE,
    BufferThing,
    Const,
    DictThing,
    Func,
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
)
from prefixlint.knowledge import clocks
from prefixlint.model.lifetimes import SourceKind
from prefixlint.model.segments import Drift, Text, Value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.modules import FunctionInfo
    from prefixlint.frontends.python.values import Item, Val
    from prefixlint.model.segments import Segment
    from prefixlint.model.sources import Span

Segments = tuple["Segment", ...]
_OF_STRINGS = frozenset(dir(str))
_OF_COLLECTIONS = frozenset((*dir(list), *dir(dict), *dir(set), "appendleft", "popleft"))
# What a class extends whose objects are known as texts, lists or dictionaries; a member of an ``Enum`` as its value.
_BASES = {"str": frozenset({"str", *ENUMS}), "list": frozenset({"list", "List"}), "dict": frozenset({"dict", "Dict"})}
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


class Methods(CollectionMethods):
    """Method calls on values that the interpreter models itself. ``call`` returns None for anything else."""

    def call(
        self, owner: Val, name: str, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame
    ) -> Val | None:
        """``owner.name(*args, **keywords)`` where the owner is modelled, else None."""
        if isinstance(owner, Str):
            return self._string(owner, name, args, keywords, node, frame)
        if isinstance(owner, PathText):
            return self._interpreter.calls.builtins.files.on_path(owner, name, args, node, frame)
        thing = self._interpreter.thing(owner, frame)
        if isinstance(owner, Ref) and frame.state is not None:
            if isinstance(thing, ListThing | DictThing) and name not in _OF_COLLECTIONS:
                method = self._of_subclass(name, "list" if isinstance(thing, ListThing) else "dict")
                if method is not None:
                    return self._interpreter.calls.functions.call(Func(method, owner), args, keywords, node, frame)
            if isinstance(thing, ListThing):
                return self._list(owner, thing, name, args, keywords, node, frame)
            if isinstance(thing, DictThing):
                return self._dict(owner, thing, name, args, keywords, node, frame)
            if isinstance(thing, LoaderThing):
                return self._interpreter.calls.builtins.jinja.on_loader(thing, name, args, node, frame)
            if isinstance(thing, BufferThing):
                return self._buffer(owner, thing, name, args, node, frame)
            if isinstance(thing, PromptThing):
                return self._interpreter.calls.prompts.method(thing, name, args, keywords, node, frame)
            if isinstance(thing, ObjectThing) and name in RECORD_METHODS:
                if name == "model_copy":
                    return frame.state.new(thing)
                return frame.state.new(self._interpreter.lookup.fields(thing))
            if isinstance(thing, ObjectThing) and self._interpreter.lookup.is_mapping(thing.info):
                return self._own_dict(owner, thing, name, args, keywords, node, frame)
            if isinstance(thing, ObjectThing) and name == "__init__":
                fields = self._interpreter.lookup.fields_of(thing.info)
                given = {key: value for key, value in keywords.items() if key in fields}
                frame.state.heap[owner.id] = replace(thing, attributes={**thing.attributes, **given})
                return NONE
            prompts = self._interpreter.calls.prompts
            chain = prompts.runs(thing, name, frame) if isinstance(thing, ObjectThing) else None
            if chain is not None:
                return prompts.method(chain, name, args, keywords, node, frame)
        return None

    def _own_dict(
        self,
        owner: Ref,
        thing: ObjectThing,
        name: str,
        args: list[Val],
        keywords: Mapping[str, Val],
        node: ast.Call,
        frame: Frame,
    ) -> Val | None:
        """A method of ``dict`` on an object whose class extends it: its items are kept with its attributes."""
        assert frame.state is not None
        held = frame.state.new(DictThing(tuple(thing.attributes.items())))
        found = self._interpreter.thing(held, frame)
        assert isinstance(found, DictThing)
        result = self._dict(held, found, "update" if name == "__init__" else name, args, keywords, node, frame)
        after = self._interpreter.thing(held, frame)
        if isinstance(after, DictThing) and after is not found:
            frame.state.heap[owner.id] = replace(thing, attributes=dict(after.entries))
        return result

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
            filling = judged(args[1], marked_name(texts[0]).lower())
            new = self._filled(filling, node.args[1] if len(node.args) > 1 else node, frame)
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
            parts = self._parts(owner, name, args, keywords, texts)
            if parts is not None and frame.state is not None:
                return frame.state.new(ListThing(tuple(Str(part) for part in parts)))
            return expressions.derived(node, [owner], frame)
        if name not in _OF_STRINGS:
            method = self._of_subclass(name, "str")
            if method is not None:
                return self._interpreter.calls.functions.call(Func(method, owner), args, keywords, node, frame)
        return expressions.derived(node, [owner, *args], frame)

    def _of_subclass(self, name: str, kind: str) -> FunctionInfo | None:
        """The one method of this name that a class of the project gives its strings, lists or dictionaries."""
        found = self._interpreter.functions_named(name)
        own = [i for i in found if i.owner is not None and not _BASES[kind].isdisjoint(map(last_name, i.owner.bases))]
        return own[0] if len(own) == 1 else None

    @staticmethod
    def _parts(
        owner: Str, name: str, args: list[Val], keywords: Mapping[str, Val], texts: list[str | None]
    ) -> list[Segments] | None:
        """``text.split(marker)`` and ``text.splitlines()``, where no value can hold what parts the text."""
        if name == "splitlines":
            marker = "\n"
        elif name in ("split", "partition") and len(args) == 1 and texts[0]:
            marker = texts[0]
        else:
            return None
        if not all(isinstance(s, Text) or (isinstance(s, Value) and len(marker) > 2) for s in owner.segments):
            return None
        kept = name == "splitlines" and Const(True) in (*args, *keywords.values())
        parts = strings.split(owner.segments, marker, keep=kept, most=1 if name == "partition" else -1)
        if name == "splitlines" and not parts[-1]:
            parts.pop()
        if name == "partition":
            return [parts[0], *(((), ()) if len(parts) == 1 else ((_marker(owner, marker),), parts[1]))]
        return parts

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

        def fill(field: str, conversion: str, spec: str, span: Span, number: int) -> Segments | None:
            root, path = _field_path(field)
            value: Val | None
            at: ast.expr = node
            if root == "" or _is_index(root):
                index = number if root == "" else int(root)
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
        field = field or "{}"
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

        def fill(key: str | None, conversion: str, span: Span, place: int) -> Segments | None:
            at = node
            if key is not None:
                found = thing.get(key) if isinstance(thing, DictThing) else None
                if found is not None:
                    found = expressions.formatted(judged(found, key), conversion, "", at, frame)
                    return expressions.placed(found, key, span, at, frame)
                return (expressions.value(named(key, key, span, open_name=key), key, span),)
            if place >= len(items):
                return None
            if place < len(nodes):
                at = nodes[place]
            item = expressions.formatted(items[place], conversion, "", at, frame)
            return expressions.placed(item, frame.module.places.source(at), span, at, frame)

        return Str(strings.percent_fields(owner.segments, fill))

    # Opaque values

    def _grown(self, owner: Opaque, target: ast.expr, name: str, args: list[Val], frame: Frame) -> None:
        """What is added to a list that came from elsewhere: a list of that and the new item."""
        assert frame.state is not None
        if not can_be_set(target):
            return
        if not owner.lifetime.known and self._interpreter.calls.requests.messages.is_message(args[-1], frame):
            # A list of messages, whatever its name.
            owner = conversation(owner)
        before: tuple[Item, ...] = (Splat(owner),)
        added = self._interpreter.expressions.items_of(args[0], frame) if name == "extend" else (args[-1],)
        index = args[0].value if name == "insert" and isinstance(args[0], Const) else None
        front = name == "appendleft" or (isinstance(index, int) and index >= 0)
        if name in ("insert", "appendleft"):
            self._mark_inserted(args[-1], target, frame)
        ref = frame.state.new(ListThing((*added, *before) if front else (*before, *added)))
        self._interpreter.assignments.assign(target, ref, frame)

    def put_in_front(self, owner: Opaque, target: ast.Subscript, value: Val, frame: Frame) -> None:
        """``messages[0] = value``, ``messages[0:0] = values`` and ``messages[-1] = value`` for a conversation that came
        from elsewhere."""
        place, listed = target.slice, target.value
        if frame.state is None or not can_be_set(listed):
            return
        if isinstance(place, ast.Slice):
            if not is_zero(place.upper) or not (place.lower is None or is_zero(place.lower)):
                return
            added = self._interpreter.expressions.items_of(value, frame)
        elif is_zero(place):
            added = (value,)
        elif is_last(place):
            self._interpreter.assignments.assign(listed, frame.state.new(ListThing((Splat(owner), value))), frame)
            return
        else:
            return
        if isinstance(place, ast.Slice):
            for item in added:
                for one in item.items if isinstance(item, Many) else (item,):
                    if not isinstance(one, Splat | Many | Maybe):
                        self._mark_inserted(one, target, frame)
        self._interpreter.assignments.assign(listed, frame.state.new(ListThing((*added, Splat(owner)))), frame)

    def on_opaque(
        self, owner: Opaque, name: str, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame
    ) -> Val | None:
        """Methods of clocks, opaque strings and opaque dictionaries; None where nothing is known of the method."""
        expressions = self._interpreter.expressions
        places = frame.module.places
        here = owner.but(expression=places.source(node), span=places.span(node), name="")
        if owner.origin.kind is SourceKind.CLOCK and (owner.type or owner.shape in ("timestamp", "date")):
            if name == "strftime" and args:
                return expressions.printed_clock(here, args[0], frame) or here.but(type="")
            if name == "replace":
                fields = frozenset(k for k, v in keywords.items() if isinstance(v, Const))
                return expressions.clock(here, clocks.replace_lifetime(fields), frame, owner.type)
            if name in clocks.METHODS:
                keep = owner.type if name in ("date", "astimezone") else ""
                return expressions.clock(here, clocks.METHODS[name], frame, keep)
        if owner.grows and isinstance(node.func, ast.Attribute) and self._drops_front(name, args, node, frame):
            drift = Drift("window", *cut_at(node, frame))
            taken = NONE if node is frame.unused else expressions.derived(node, [owner.but(grows=False)], frame)
            self._interpreter.assignments.assign(node.func.value, owner.but(grows=False, drift=drift), frame)
            return taken
        if name in ADDS and args and isinstance(node.func, ast.Attribute) and frame.state is not None:
            self._grown(owner, node.func.value, name, args, frame)
            return NONE
        if name == "update" and isinstance(node.func, ast.Attribute) and frame.state is not None:
            given = self._interpreter.thing(args[0], frame) if args else None
            entries = given.entries if isinstance(given, DictThing) else ()
            put_under(node.func.value, (*entries, *keywords.items()), frame.state)
        if name in _STRING_METHODS or owner.type == PROMPT_FILE:
            return here
        if name in ("get", "pop", "setdefault") and args:
            return expressions.or_default(expressions.item(owner, args[0], node, frame), args, keywords, node, frame)
        if owner.type == DATA and not name.startswith("to_"):
            return here
        if name in ("items", "keys", "values", "copy", "to_dict", "model_dump", "dict", "json", "model_dump_json"):
            return here
        return None


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


def _marker(owner: Str, marker: str) -> Text:
    """What parts a text, where it first stands in it."""
    for segment in owner.segments:
        if isinstance(segment, Text) and marker in segment.text:
            at = segment.text.index(marker)
            return segment.slice(at, at + len(marker))
    raise ValueError("the text is not parted")


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
