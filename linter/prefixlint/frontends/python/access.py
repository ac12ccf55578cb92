"""Names, attributes and subscripts: what is read out of a value."""

from __future__ import annotations

import ast
import itertools
import posixpath
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python import strings
from prefixlint.frontends.python.conversations import cut_here, end_of_text, moving_start, tail, window, window_of_items
from prefixlint.frontends.python.frames import STORED
from prefixlint.frontends.python.judging import Judging
from prefixlint.frontends.python.loop_shapes import turns_round
from prefixlint.frontends.python.loops import ORDERS, read_of
from prefixlint.frontends.python.naming import named
from prefixlint.frontends.python.newest import newest_first, turned
from prefixlint.frontends.python.rewriting import ENDS, changed_message
from prefixlint.frontends.python.searching import is_searched
from prefixlint.frontends.python.state import join_all
from prefixlint.frontends.python.values import (
    CONFIGURED,
    DATA,
    NONE,
    Choose,
    Class,
    Const,
    DictThing,
    FileData,
    Func,
    Lib,
    ListThing,
    Many,
    Method,
    Module,
    ObjectThing,
    Opaque,
    PathText,
    Ref,
    SignatureThing,
    Str,
    Super,
    cell,
    is_run,
)
from prefixlint.knowledge import clocks
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Repeat, Text, shape_of_part

if TYPE_CHECKING:
    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.values import Item, Val


# What dataclasses, named tuples and models of pydantic have without saying so.
RECORD_METHODS = frozenset({"model_dump", "dict", "_asdict", "model_copy", "to_dict"})
_OF_MAPPINGS = frozenset(dir(dict))
# By what a place in a list is drawn.
_DRAWN = frozenset({SourceKind.CLOCK, SourceKind.RANDOM})


class Access(Judging):
    """Evaluation of names, attributes, items and slices."""

    # Names and attributes

    def _on_Name(self, node: ast.Name, frame: Frame) -> Val:
        return self._interpreter.lookup.name(node.id, frame)

    def _on_Attribute(self, node: ast.Attribute, frame: Frame) -> Val:
        stored = self._stored(node, frame) if frame.stored else None
        return self.attribute(self.evaluate(node.value, frame), node.attr, node, frame) if stored is None else stored

    @staticmethod
    def _stored(node: ast.Attribute | ast.Subscript, frame: Frame) -> Val | None:
        """What the function itself has put into something of which nothing is known, at the same place."""
        return None if frame.state is None else frame.state.variables.get(STORED + frame.module.places.source(node))

    def attribute(self, owner: Val, name: str, node: ast.expr, frame: Frame) -> Val:
        """``owner.name``."""
        lookup = self._interpreter.lookup
        if name == "__doc__" and isinstance(owner, Func | Class):
            return lookup.docstring(owner) or NONE
        if isinstance(owner, Module):
            return lookup.module_name(owner.info, name) or named(
                name, frame.module.places.source(node), frame.module.places.span(node)
            )
        if isinstance(owner, Super):
            method = None if owner.base is None else lookup.method(owner.base, name)
            if method is not None:
                return Func(method, owner.instance)
            held = self._interpreter.thing(owner.instance, frame)
            mapping = isinstance(held, ObjectThing) and lookup.is_mapping(held.info)
            # ``super().__init__(**data)`` of a model or a data class that its library fills.
            filled = isinstance(held, ObjectThing) and name == "__init__" and lookup.fields_of(held.info)
            if (name in _OF_MAPPINGS and mapping) or filled:
                return Method(owner.instance, name, frame.module.places.source(node))
            base = None if owner.base is None else lookup.of_library(owner.base)
            return Lib(f"builtins.object.{name}" if base is None else f"{base.path}.{name}")
        if isinstance(owner, PathText) and name in ("parent", "parents"):
            return PathText(posixpath.dirname(owner.path)) if name == "parent" else owner
        if isinstance(owner, Lib):
            return Lib(f"{owner.path.removeprefix('builtins.')}.{name}")
        if isinstance(owner, Class):
            method = lookup.method(owner.info, name)
            if method is not None:
                return Func(method, owner if "classmethod" in method.decorators else None)
            value = lookup.class_attribute(owner.info, name) or lookup.of_library(owner.info, name)
            signatures = self._interpreter.calls.signatures
            if value is None and signatures.is_changed_by(name, owner):
                return Method(owner, name, frame.module.places.source(node))
            value = value or signatures.attribute(owner, name, node, frame)
            return value if value is not None else self.opaque(node, frame)
        if isinstance(owner, Choose):
            return self._attribute_of_either(owner, name, node, frame)
        if isinstance(owner, FileData) and name not in _OF_MAPPINGS:
            # ``OmegaConf`` and its like give items as attributes.
            return self.item(owner, Str((Text(name, frame.module.places.span(node)),)), node, frame)
        if name in ("value", "name") and isinstance(owner, Str | Const):
            # A text has neither: it is what a member of an ``Enum`` stands for.
            return owner if name == "value" else self.fixed(node, frame)
        thing = self._interpreter.thing(owner, frame)
        if isinstance(owner, Ref) and isinstance(thing, ObjectThing):
            if name in RECORD_METHODS and name not in thing.attributes and lookup.method(thing.info, name) is None:
                return Method(owner, name, frame.module.places.source(node))
            if name == "__dict__" and frame.state is not None:
                return frame.state.new(DictThing(tuple(thing.attributes.items())))
            if self._interpreter.calls.prompts.runs(thing, name, frame) is not None:
                return Method(owner, name, frame.module.places.source(node))
            own = name in thing.attributes or name not in _OF_MAPPINGS or lookup.method(thing.info, name) is not None
            if not own and lookup.is_mapping(thing.info):
                return Method(owner, name, frame.module.places.source(node))
            return lookup.attribute(owner, thing, name, node, frame)
        if isinstance(owner, Ref) and isinstance(thing, DictThing) and thing.get(name) is not None:
            return thing.get(name) or NONE
        if isinstance(thing, SignatureThing):
            told = self._interpreter.calls.signatures.attribute(owner, name, node, frame)
            if told is not None:
                return told
        return Method(owner, name, frame.module.places.source(node))

    def _attribute_of_either(self, owner: Choose, name: str, node: ast.expr, frame: Frame) -> Val:
        """``owner.name`` where the owner may be one of several objects: their methods of that name, as one choice.

        Where one of them is unknown, so is what it gives: of a session that is kept or new, the new one is empty.
        """
        known = [self.attribute(arm, name, node, frame) for arm in owner.values if arm != NONE]
        if len(known) == 1:
            return known[0]
        if all(isinstance(value, Func) for value in known) and any(self._matters(value) for value in known):
            return replace(owner, values=tuple(dict.fromkeys(known)))
        if known and any(isinstance(value, Str) for value in known) and all(isinstance(v, Str | Ref) for v in known):
            # A prompt that each of them writes in its own way.
            return join_all(known, replace(owner, values=()))
        return Method(owner, name, frame.module.places.source(node))

    def _matters(self, value: Val) -> bool:
        """Whether a value is the method of an object that builds or sends a prompt, or leads to one that does; or a
        small one, which adds to what the object holds or gives it."""
        if not isinstance(value, Func) or not isinstance(value.owner, Ref):
            return False
        info = value.info
        return info.has_at_most(self._interpreter.bounds.small) or self._interpreter.is_relevant(info)

    # Subscripts

    def _on_Subscript(self, node: ast.Subscript, frame: Frame) -> Val:
        stored = self._stored(node, frame) if frame.stored else None
        if stored is not None:
            return stored
        owner = self.evaluate(node.value, frame)
        if isinstance(node.slice, ast.Slice):
            return self.sliced(owner, node, node.slice, frame)
        key = self.evaluate(node.slice, frame)
        if key in ENDS:
            changed = changed_message(self._interpreter, node, frame)
            if changed is not None:
                return changed
        return self.item(owner, key, node, frame)

    def item(self, owner: Val, key: Val, node: ast.expr, frame: Frame) -> Val:
        """``owner[key]``."""
        places = frame.module.places
        thing = self._interpreter.thing(owner, frame)
        name = strings.constant_text(key.segments) if isinstance(key, Str) else None
        number = key.value if isinstance(key, Const) and isinstance(key.value, int) else None
        step = number if name is None else name
        if isinstance(owner, FileData) and step is not None:
            deeper = FileData(owner.path, (*owner.keys, step))
            return self._interpreter.calls.builtins.files.data_text(deeper) or deeper
        if isinstance(owner, Choose) and step is not None and any(isinstance(one, FileData) for one in owner.values):
            # ``templates or yaml.safe_load(file)``
            items = [self.item(one, key, node, frame) for one in owner.values if one != NONE]
            return join_all(items[: self._interpreter.bounds.arms], replace(owner, values=()))
        if isinstance(owner, PathText) and number is not None:
            path = owner.path
            for _ in range(min(number, 20) + 1):
                path = posixpath.dirname(path)
            return PathText(path)
        if isinstance(owner, Class) and self._interpreter.lookup.members(owner.info) is not None:
            member = None if name is None else self._interpreter.lookup.class_attribute(owner.info, name)
            if member is not None:
                return member
        elif name is None and _is_class(owner):
            return owner  # with what it is generic in: ``Agent[Context](...)``
        if isinstance(thing, ObjectThing):
            asked = self._interpreter.lookup.method_of(owner, "__getitem__", frame)
            if asked is not None:
                return self._interpreter.calls.functions.call(asked, [key], {}, node, frame)
            if name is not None and name in thing.attributes:
                return thing.attributes[name]
        if isinstance(thing, DictThing):
            if name is not None:
                found = read_of(thing, name)
                if found is not None:
                    return found
            elif number is None and (under := cell(thing)) is not None:
                return under
            elif number is None and not thing.entries and not thing.rest:
                # What stands there was stored by code that is not seen here.
                return self.opaque(node, frame)
            elif thing.entries and not thing.rest:
                parts = [value for _, value in thing.entries[: self._interpreter.bounds.arms]]
                return join_all(parts, self.choice(node, key, frame))
            whole = self.as_opaque(owner, node, frame)
            if name is not None and not whole.lifetime.varies and _is_written_out(thing):
                # What a record of texts does not hold is another part of what it describes.
                whole = whole.but(origin=CONFIGURED, lifetime=Lifetime.DEPLOYMENT)
            return self._named_item(whole, name, key, node, frame)
        if isinstance(thing, ListThing) and number is not None:
            # A run moves what stands behind it, so places are counted from the nearer end.
            near, place = (thing.items, number) if number >= 0 else (thing.items[::-1], -number - 1)
            known = [i for i in itertools.takewhile(lambda i: not is_run(i), near) if not is_run(i)]
            if place < len(known):
                return known[place]
        if isinstance(owner, Lib | Method):
            owner = self.attribute_value(owner, node, frame)
        if isinstance(owner, Opaque):
            if owner.origin.kind is SourceKind.ENVIRONMENT and owner.lifetime is Lifetime.DEPLOYMENT:
                return owner.but(expression=places.source(node), span=places.span(node))
            return self._named_item(owner, name, key, node, frame)
        return self._named_item(self.as_opaque(owner, node, frame), name, key, node, frame)

    def _named_item(self, owner: Opaque, name: str | None, key: Val, node: ast.expr, frame: Frame) -> Opaque:
        places = frame.module.places
        if name is not None:
            return self.member(owner, name, places.source(node), places.span(node))
        if owner.grows and isinstance(key, Const) and isinstance(key.value, int):
            # One message of a conversation: the newest is this turn's input, the first ones stay.
            newest = key.value < 0
            return owner.but(
                expression=places.source(node),
                span=places.span(node),
                lifetime=Lifetime.REQUEST if newest else Lifetime.SESSION,
                origin=Origin(SourceKind.USER_INPUT if newest else SourceKind.HISTORY, owner.origin.hops),
                grows=False,
                shape=None,
                name="",
            )
        if owner.type == DATA and isinstance(key, Opaque) and key.lifetime.varies and not owner.lifetime.varies:
            # ``rows[i]``: another record for each place.
            return owner.but(
                expression=places.source(node),
                span=places.span(node),
                lifetime=key.lifetime,
                origin=key.origin,
                confidence=key.confidence,
                name="",
            )
        if isinstance(key, Opaque) and key.origin.kind in _DRAWN and owner.lifetime.outlives(key.lifetime):
            # ``TIPS[random.randrange(9)]``, ``DAYS[now.weekday()]``: another item each time.
            return key.but(expression=places.source(node), span=places.span(node), name="", shape="text", type="")
        if owner.origin.kind in ORDERS and isinstance(key, Opaque):
            # One of them, wherever it stands: the order changes nothing in it.
            lifetime = key.lifetime if key.lifetime.varies else Lifetime.REQUEST
            origin = Origin(SourceKind.USER_INPUT, owner.origin.hops)
            at = places.span(node)
            return Opaque(places.source(node), at, lifetime, origin, Confidence.HIGH, type=owner.type)
        if owner.lifetime.known:
            shape = shape_of_part(owner.shape)
            item = owner.but(expression=places.source(node), span=places.span(node), name="", shape=shape)
            if owner.grows and isinstance(key, Const):
                # The first messages of a conversation stay; the last one is another one in each turn.
                first = isinstance(key.value, int) and key.value >= 0
                return item.but(grows=False, lifetime=Lifetime.SESSION if first else owner.lifetime)
            if owner.origin.kind is SourceKind.HISTORY and isinstance(key, Opaque) and key.lifetime is Lifetime.SESSION:
                # The message at a place that stays, as that of the system's.
                return replace(item, grows=False, lifetime=Lifetime.SESSION, drift=None)
            return item
        if not isinstance(key, Opaque | Str | Choose):
            return self.opaque(node, frame)
        picked = self.derived(node, [key], frame)
        # ``tools[answer["id"]]``: one record of many, and no field of it stays.
        return picked.but(type=DATA) if picked.lifetime.varies else picked

    def sliced(self, owner: Val, node: ast.Subscript, cut: ast.Slice, frame: Frame) -> Val:
        """``owner[cut]``, which stands at ``node``; of one of several lists, one of their parts."""
        if isinstance(owner, Choose) and self._interpreter.are_lists(owner, frame):
            return replace(owner, values=tuple(self.sliced(one, node, cut, frame) for one in owner.values))
        start = None if cut.lower is None else self.evaluate(cut.lower, frame)
        stop = None if cut.upper is None else self.evaluate(cut.upper, frame)
        low = start.value if isinstance(start, Const) and isinstance(start.value, int) else None
        high = stop.value if isinstance(stop, Const) and isinstance(stop.value, int) else None
        plain = (cut.lower is None or low is not None) and (cut.upper is None or high is not None) and cut.step is None
        thing = self._interpreter.thing(owner, frame)
        if isinstance(owner, Str) and plain:
            cut_segments = strings.slice_text(owner.segments, low, high)
            if cut_segments is not None:
                return Str(cut_segments)
        kept, back = moving_start(cut, start, frame), turns_round(cut)
        if kept is None and is_searched(node, frame):
            kept = None, ""
        if isinstance(owner, Str) and kept is not None and _is_written_on(owner, node.value, frame):
            return end_of_text(self.as_opaque(owner, node, frame), node, kept, frame)
        if isinstance(thing, ListThing) and frame.state is not None:
            items = _sliced(thing.items, low, high) if plain else thing.items[::-1] if back else None
            if items is None and kept is not None and self._is_of_loop(owner, thing, frame):
                return self._newest_of_loop(owner, node, kept, frame)
            if items is None and kept is not None:
                items = window_of_items(thing.items, node, kept, frame)
            if items is not None and kept is not None and self._stays(owner, thing, kept[0], node, frame):
                self._interpreter.uncut[frame.module.places.span(node)] = None
            if items is not None:
                return frame.state.new(replace(thing, items=items, window=cut_here(thing, node, kept, frame)))
        value = self.as_opaque(owner, node, frame)
        if value.origin.kind is SourceKind.CLOCK and cut.lower is None:
            return self.clock(value, clocks.iso_slice_lifetime(high), frame)
        if back and (whole := turned(value, node, frame)) is not None:
            return whole
        if value.grows and kept is not None:
            return window(value, node, kept, frame)
        if kept is not None and cut.upper is None:
            return tail(value, node, kept, frame)
        places = frame.module.places
        here = value.but(expression=places.source(node), span=places.span(node), name="")
        return newest_first(node, cut, here, frame) or here

    def _is_of_loop(self, owner: Val, thing: ListThing, frame: Frame) -> bool:
        """Whether each pass of a loop that runs now adds to a list: records of what was done, and no messages."""
        running = {each.source for each in self._interpreter.loops.running}
        added = any(isinstance(item, Many) and item.over.span in running for item in thing.items)
        return added and not self._interpreter.calls.requests.messages.is_messages(owner, frame)

    def _newest_of_loop(self, owner: Val, node: ast.Subscript, kept: tuple[int | None, str], frame: Frame) -> Opaque:
        """The newest of what the passes of a loop have added so far: the end of a conversation, if messages of both
        sides are made of it."""
        value = self.as_opaque(owner, node, frame)
        value = value.but(lifetime=Lifetime.TURN, origin=Origin(SourceKind.HISTORY, value.origin.hops))
        found = tail(value, node, kept, frame)
        return found if found.drift is None else found.but(drift=replace(found.drift, within=True))

    def _stays(self, owner: Val, thing: ListThing, size: int | None, node: ast.expr, frame: Frame) -> bool:
        """Whether the last ``size`` items of a list are the same in each turn: all of its own few, or fixed ones."""
        if not thing.items or any(is_run(item) for item in thing.items):
            return False
        few = size is not None and len(thing.items) <= size
        return few or self.as_opaque(owner, node, frame).lifetime is Lifetime.CONSTANT


def _is_written_on(text: Str, node: ast.expr, frame: Frame) -> bool:
    """Whether a text is a variable to which each pass of a loop adds, as seen inside of that loop."""
    carried = isinstance(node, ast.Name) and node.id in frame.carried
    return carried and any(isinstance(segment, Repeat) for segment in text.segments)


def _sliced(items: tuple[Item, ...], low: int | None, high: int | None) -> tuple[Item, ...] | None:
    """A slice of a list, where what stands in front of its ends is known item by item."""
    known = next((at for at, item in enumerate(items) if is_run(item)), None)
    if known is None:
        return items[slice(low, high)]
    if high is None and (low is None or low >= 0):
        # A conversation without its first messages is one all the same.
        return items[min(low or 0, known) :]
    if high is not None and 0 <= high <= known and (low is None or low >= 0):
        return items[slice(low, high)]
    return None


def _is_class(value: Val) -> bool:
    """Whether a value is a class: of a library, as its name is written."""
    if not isinstance(value, Lib):
        return isinstance(value, Class)
    name = value.path.rpartition(".")[2]
    return name[:1].isupper() and not name.isupper()


def _is_written_out(thing: DictThing) -> bool:
    """Whether a dictionary was written down with texts in it, and nothing has been put into it by other keys."""
    texts = [strings.constant_text(value.segments) for _, value in thing.entries if isinstance(value, Str)]
    return not thing.rest and not thing.kept and any(text and text.strip() for text in texts)
