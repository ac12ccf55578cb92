"""Variables and heap at one point of the program, and the join of two branches."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import TYPE_CHECKING

from prefixlint.frontends.python.heap import Heap
from prefixlint.frontends.python.sizes import MOST_ARMS, too_large
from prefixlint.frontends.python.values import (
    BufferThing,
    Choose,
    Const,
    DictThing,
    ListThing,
    Maybe,
    ObjectThing,
    Opaque,
    Ref,
    Str,
)
from prefixlint.model.segments import Choice, Repeat, Text, Value, literal_length, merge_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from prefixlint.frontends.python.values import Item, Thing, Val
    from prefixlint.model.segments import Segment

_ids = itertools.count(1)
_LONG_TEXT = 60


@dataclass
class State:
    """What one path through the code knows.

    Mutable inside the interpreter. A state that was forked must not be written any more: each side of a
    branch runs on a fork.
    """

    variables: dict[str, Val] = field(default_factory=dict)
    heap: Heap = field(default_factory=Heap)

    def fork(self) -> State:
        return State(dict(self.variables), self.heap.fork())

    def new(self, thing: Thing) -> Ref:
        ref = Ref(next(_ids))
        self.heap[ref.id] = thing
        return ref


def join(left: State | None, right: State | None, choice: Choose) -> State | None:
    """State after a branch: what both sides agree on, and a choice where they differ. ``None`` is a path that ended."""
    if left is None or right is None:
        return left if right is None else right
    variables = dict(left.variables)
    heap = left.heap.joined(right.heap, lambda mine, theirs: join_things(mine, theirs, choice))
    for name, value in right.variables.items():
        mine = variables.get(name)
        if mine is not value:
            both = _longer(mine, value, left, right, choice) if isinstance(value, Ref) else None
            if both is not None:
                value = State({}, heap).new(both)
            elif mine is not None:
                value = join_values(_as_it_is(mine, left, right, heap), _as_it_is(value, right, left, heap), choice)
            variables[name] = value
    return State(variables, heap)


def _as_it_is(value: Val, own: State, other: State, heap: Heap) -> Val:
    """One of two values of a variable: of a list that both sides have and one of them has changed, what it is on its
    own side (``if log: log.insert(0, rules); messages = log``)."""
    thing = own.heap.get(value.id) if isinstance(value, Ref) else None
    if not isinstance(value, Ref) or not isinstance(thing, ListThing) or other.heap.get(value.id) in (None, thing):
        return value
    return State({}, heap).new(replace(thing, copied=(*thing.copied, (value, thing.items))))


def _longer(mine: Val | None, value: Ref, left: State, right: State, choice: Choose) -> ListThing | None:
    """Either of two lists that both sides have made of the same one: ``x = [*x, a]`` here, ``x = [*x, b]`` there. None
    where one of them is not new."""
    if not isinstance(mine, Ref) or right.heap.get(mine.id) or left.heap.get(value.id):
        return None
    own, other = left.heap.get(mine.id), right.heap.get(value.id)
    if not isinstance(own, ListThing) or not isinstance(other, ListThing) or own.kind != other.kind:
        return None
    shared = tuple(one for one in own.copied if one in other.copied)
    return replace(join_lists(own, other, choice), copied=shared) if shared else None


def join_values(left: Val, right: Val, choice: Choose) -> Val:
    """Either of two values."""
    if left is right or left == right:
        return left
    if isinstance(left, Str) and isinstance(right, Str):
        joined = join_segments(left.segments, right.segments, choice)
        return Opaque(choice.expression, choice.span) if too_large(joined) else Str(joined)
    if _is_long(left) or _is_long(right):
        # Kept as a choice of values, it would double with each text that is added under a condition.
        a, b = _as_text(left), _as_text(right)
        if a is not None and b is not None:
            return join_values(Str(a), Str(b), choice)
    for none, other in ((left, right), (right, left)):
        if isinstance(none, Const) and none.value is None and isinstance(other, Ref | Opaque):
            return other
    arms, c = _arms(left), choice
    values = (*arms, *[arm for arm in _arms(right) if arm not in arms])
    return Choose(values, c.expression, c.span, c.lifetime, c.origin, c.confidence, c.drift)


def join_all(values: Iterable[Val], choice: Choose) -> Val:
    """One of several values, of which there is one at least."""
    return reduce(lambda left, right: join_values(left, right, choice), values)


def _is_long(value: Val) -> bool:
    """Whether a value holds more than a word or two of fixed text."""
    if isinstance(value, Choose):
        return any(_is_long(arm) for arm in value.values)
    return isinstance(value, Str) and literal_length(value.segments) >= _LONG_TEXT


def _as_text(value: Val) -> tuple[Segment, ...] | None:
    """A value as text; None for what may be something else."""
    if isinstance(value, Str):
        return value.segments
    if isinstance(value, Opaque):
        v = value
        return (Value(v.expression, v.span, v.lifetime, v.origin, v.confidence, v.shape, v.name, v.grows, v.drift),)
    if isinstance(value, Choose) and value.values:
        arms = [_as_text(arm) for arm in value.values]
        known = [arm for arm in arms if arm is not None]
        c = value
        if len(known) == len(arms):
            return (Choice(tuple(known), c.expression, c.span, c.lifetime, c.origin, c.confidence, c.drift),)
    return None


def _arms(value: Val) -> tuple[Val, ...]:
    return value.values if isinstance(value, Choose) else (value,)


def join_segments(left: tuple[Segment, ...], right: tuple[Segment, ...], choice: Choose) -> tuple[Segment, ...]:
    """Segments of either of two strings: what both share in front and behind, and a choice between the rest."""
    low = 0
    while low < len(left) and low < len(right) and _same_text(left[low], right[low]):
        low += 1
    front = list(left[:low])
    left, right = left[low:], right[low:]
    if left and right and isinstance(left[0], Text) and isinstance(right[0], Text):
        shared = _shared(left[0], right[0])
        if shared:
            front.append(left[0].slice(0, shared))
            left = (left[0].slice(shared, len(left[0].text)), *left[1:])
            right = (right[0].slice(shared, len(right[0].text)), *right[1:])
            left, right = merge_text(left), merge_text(right)
    high = 0
    while high < len(left) and high < len(right) and _same_text(left[-1 - high], right[-1 - high]):
        high += 1
    back = left[len(left) - high :]
    left, right = left[: len(left) - high], right[: len(right) - high]
    if not left and not right:
        return merge_text((*front, *back))
    arms: list[tuple[Segment, ...]] = []
    for arm in (left, right):
        inner = arm[0].arms if len(arm) == 1 and isinstance(arm[0], Choice) and arm[0].span == choice.span else (arm,)
        arms.extend(a for a in inner[: MOST_ARMS - len(arms)] if a not in arms)
    c = choice
    middle = Choice(tuple(arms), c.expression, c.span, c.lifetime, c.origin, c.confidence, c.drift)
    return merge_text((*front, middle, *back))


def _same_text(left: Segment, right: Segment) -> bool:
    """Whether two segments are the same, by whatever way each has come here.

    ``prompt = f"{prompt} More."`` under a condition leaves on one side a way that the other has not gone.
    """
    if left is right or left == right:
        return True
    if isinstance(left, Value) and isinstance(right, Value):
        return (
            left.span == right.span
            and left.origin.kind is right.origin.kind
            and left == replace(right, origin=left.origin)
        )
    if isinstance(left, Choice) and isinstance(right, Choice):
        return (
            left.span == right.span
            and len(left.arms) == len(right.arms)
            and left == replace(right, arms=left.arms, origin=left.origin)
            and all(map(_same_texts, left.arms, right.arms))
        )
    if isinstance(left, Repeat) and isinstance(right, Repeat):
        return (
            left.span == right.span
            and left.origin.kind is right.origin.kind
            and left == replace(right, body=left.body, origin=left.origin)
            and _same_texts(left.body, right.body)
        )
    return False


def _same_texts(left: tuple[Segment, ...], right: tuple[Segment, ...]) -> bool:
    return len(left) == len(right) and all(map(_same_text, left, right))


def _shared(left: Text, right: Text) -> int:
    """Length of the common start of two texts that stand at the same place."""
    if left.span().start != right.span().start or left.span().path != right.span().path:
        return 0
    at = 0
    while at < min(len(left.text), len(right.text)) and left.text[at] == right.text[at]:
        at += 1
    return at


def join_things(left: Thing, right: Thing, choice: Choose) -> Thing:
    """Either of two states of one mutable thing."""
    if left == right:
        return left
    if isinstance(left, ListThing) and isinstance(right, ListThing):
        return join_lists(left, right, choice)
    if isinstance(left, DictThing) and isinstance(right, DictThing):
        return join_dicts(left, right, choice)
    if isinstance(left, ObjectThing) and isinstance(right, ObjectThing) and left.info is right.info:
        attributes = dict(left.attributes)
        for key, value in right.attributes.items():
            attributes[key] = join_values(attributes[key], value, choice) if key in attributes else value
        return ObjectThing(left.info, attributes, left.whole)
    if isinstance(left, BufferThing) and isinstance(right, BufferThing):
        return BufferThing(Str(join_segments(left.text.segments, right.text.segments, choice)))
    return right


def join_lists(left: ListThing, right: ListThing, choice: Choose) -> ListThing:
    """Either of two lists: what both have at their ends, and a choice between the rest."""
    return ListThing(
        join_items(left.items, right.items, choice),
        left.unordered or right.unordered,
        left.kind,
        left.window or right.window,
        left.sent or right.sent,
    )


def join_dicts(left: DictThing, right: DictThing, choice: Choose) -> DictThing:
    """Either of two dictionaries: the keys of both."""
    merged = left
    for key, value in right.entries:
        mine = left.get(key)
        merged = merged.set(key, value if mine is None else join_values(mine, value, choice))
    rest = tuple(dict.fromkeys((*left.rest, *right.rest)))
    if left.kept or right.kept:
        # What one side has stored is newer than what both have found.
        rest = tuple(sorted(rest, key=lambda value: value.id if isinstance(value, Ref) else -1))
    return replace(merged, rest=rest, kept=left.kept or right.kept)


def join_items(left: tuple[Item, ...], right: tuple[Item, ...], choice: Choose) -> tuple[Item, ...]:
    """Items of either of two lists: shared front and back, and a choice between what differs."""
    low = 0
    while low < len(left) and low < len(right) and left[low] == right[low]:
        low += 1
    high = 0
    while high < min(len(left), len(right)) - low and left[-1 - high] == right[-1 - high]:
        high += 1
    middle_left, middle_right = left[low : len(left) - high], right[low : len(right) - high]
    if not middle_left and not middle_right:
        return left
    back = left[len(left) - high :]
    return (*left[:low], Maybe((middle_left, middle_right), choice), *back)


def split_prefix(old: tuple[Segment, ...], new: tuple[Segment, ...]) -> tuple[Segment, ...] | None:
    """What ``new`` adds behind ``old``; None where it does not start with it."""
    if not old:
        return new
    if new[: len(old)] == old:
        return new[len(old) :]
    if len(new) < len(old) or new[: len(old) - 1] != old[:-1]:
        return None
    last, longer = old[-1], new[len(old) - 1]
    if isinstance(last, Text) and isinstance(longer, Text) and longer.text.startswith(last.text):
        return (longer.slice(len(last.text), len(longer.text)), *new[len(old) :])
    return None
