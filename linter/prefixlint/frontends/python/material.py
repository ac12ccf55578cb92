"""Whether values hold text or messages that a prompt could be made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.frontends.python.values import (
    BufferThing,
    Choose,
    Const,
    DictThing,
    Lib,
    ListThing,
    Many,
    Maybe,
    Method,
    ObjectThing,
    Opaque,
    PromptThing,
    Ref,
    Splat,
    Str,
)
from prefixlint.model.segments import literal_length

if TYPE_CHECKING:
    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.values import Item

LEAST_CHARACTERS = 60
_DEPTH = 4
# Values without text of their own, and without parts.
_PLAIN = frozenset({Const, Opaque, Method, Lib})


def is_material(interpreter: Interpreter, value: Item, frame: Frame, depth: int = _DEPTH) -> bool:
    """Whether a value is a text of some length, a message, or holds one."""
    if isinstance(value, Str):
        return literal_length(value.segments) >= LEAST_CHARACTERS
    inner: list[Item] = []
    if isinstance(value, Choose):
        inner.extend(value.values)
    elif isinstance(value, Splat):
        inner.append(value.value)
    elif isinstance(value, Many):
        inner.extend(value.items)
    elif isinstance(value, Maybe):
        inner.extend(item for arm in value.arms for item in arm)
    elif isinstance(value, Ref):
        thing = interpreter.thing(value, frame)
        if isinstance(thing, PromptThing) or is_message(thing):
            return True
        if isinstance(thing, ListThing):
            inner.extend(thing.items)
        elif isinstance(thing, DictThing):
            inner.extend((*(entry for _, entry in thing.entries), *thing.rest))
        elif isinstance(thing, ObjectThing):
            if "role" in thing.attributes and interpreter.lookup.is_mapping(thing.info):
                return True
            inner.extend(thing.attributes.values())
        elif isinstance(thing, BufferThing):
            inner.append(thing.text)
    if depth > 0:
        for item in inner:
            if type(item) not in _PLAIN and is_material(interpreter, item, frame, depth - 1):
                return True
    return False


def is_message(thing: object) -> bool:
    """Whether something is a dictionary with a role and what is said in it: records of other things have roles too."""
    if not isinstance(thing, DictThing):
        return False
    return thing.get("role") is not None and any(thing.get(key) is not None for key in ("content", "parts"))


def sets_material(interpreter: Interpreter, owner: Ref, before: ObjectThing, frame: Frame) -> bool:
    """Whether attributes that an object did not have ``before`` hold text or messages now."""
    after = interpreter.thing(owner, frame)
    return isinstance(after, ObjectThing) and any(
        value is not before.attributes.get(name) and is_material(interpreter, value, frame)
        for name, value in after.attributes.items()
    )
