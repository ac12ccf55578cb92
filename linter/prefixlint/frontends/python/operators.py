"""Operators and conditional expressions."""

from __future__ import annotations

import ast
import operator as operators
import posixpath
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from prefixlint.frontends.python import sets, strings
from prefixlint.frontends.python.aging import is_running_count
from prefixlint.frontends.python.chosen_names import for_each_name
from prefixlint.frontends.python.comprehensions import Comprehensions
from prefixlint.frontends.python.conversations import holds_conversation, unless_marking
from prefixlint.frontends.python.matching import same
from prefixlint.frontends.python.narrowing import parted
from prefixlint.frontends.python.state import join_values
from prefixlint.frontends.python.thresholds import MOST_TAKEN
from prefixlint.frontends.python.values import (
    NONE,
    Choose,
    Const,
    DictThing,
    ListThing,
    Maybe,
    Method,
    ObjectThing,
    Opaque,
    PathText,
    PromptThing,
    Ref,
    Str,
    is_run,
)
from prefixlint.model.lifetimes import Lifetime, SourceKind
from prefixlint.model.segments import Text, walk

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.strings import Segments
    from prefixlint.frontends.python.values import Item, Val


_SHORT_TEXT = 40
_OPERATIONS: Mapping[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Mod: "mod",
    ast.BitOr: "or",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
    ast.Div: "truediv",
}
_COMPARES: Mapping[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.Eq: operators.eq,
    ast.NotEq: operators.ne,
    ast.Gt: operators.gt,
    ast.GtE: operators.ge,
    ast.Lt: operators.lt,
    ast.LtE: operators.le,
}
_ARITHMETIC: Mapping[type[ast.operator], Callable[[Any, Any], object]] = {
    ast.Add: operators.add,
    ast.Sub: operators.sub,
    ast.Mult: operators.mul,
    ast.Div: operators.truediv,
    ast.FloorDiv: operators.floordiv,
    ast.Mod: operators.mod,
    ast.Pow: operators.pow,
}
# Numbers and exponents beyond these are not calculated with.
_MOST_NUMBER = 10**9
_MOST_POWER = 30


class Operators(Comprehensions):
    """Evaluation of operators."""

    def _on_BinOp(self, node: ast.BinOp, frame: Frame) -> Val:
        left = self.evaluate(node.left, frame)
        right = self.evaluate(node.right, frame)
        return self.operate(node.op, left, right, node.left, node.right, frame, node)

    def operate(
        self,
        operator: ast.operator,
        left: Val,
        right: Val,
        left_node: ast.expr,
        right_node: ast.expr,
        frame: Frame,
        node: ast.expr | None = None,
    ) -> Val:
        """A binary operation: ``+`` and ``%`` build strings, ``+`` joins lists, ``|`` merges and chains."""
        whole = node or right_node
        if isinstance(operator, ast.Add):
            left, right = self._as_list(left, frame), self._as_list(right, frame)
        thing_left, thing_right = self._interpreter.thing(left, frame), self._interpreter.thing(right, frame)
        own = self._own_operation(operator, left, right, whole, frame)
        if own is not None:
            return own
        if isinstance(operator, ast.Add):
            if isinstance(thing_left, ListThing) or isinstance(thing_right, ListThing):
                left, right = self.read(left, left_node, frame), self.read(right, right_node, frame)
                return self._interpreter.calls.methods.concatenated(left, right, frame)
            if isinstance(left, PathText) and isinstance(right, Str):
                tail = strings.constant_text(right.segments)
                return PathText(left.path + tail) if tail is not None else self.derived(whole, [right], frame)
            if self._stringy(left) or self._stringy(right):
                return self.bounded(
                    strings.concat(self._added(left, left_node, frame), self._added(right, right_node, frame)),
                    whole,
                    frame,
                )
        if isinstance(operator, ast.Mod) and isinstance(left, Str):
            return self._interpreter.calls.methods.percent(left, right, right_node, frame)
        if (
            isinstance(operator, ast.Mult)
            and isinstance(left, Str)
            and isinstance(right, Const)
            and isinstance(right.value, int)
        ):
            text = strings.constant_text(left.segments)
            if text is not None and len(text) * right.value <= 10_000:
                return Str((Text(text * right.value, frame.module.places.span(whole)),) if text * right.value else ())
        if isinstance(operator, ast.Div):
            path = for_each_name((left, right), _below)
            if path is not None:
                return path
        if isinstance(operator, ast.Div) and isinstance(left, PathText):
            return self.derived(whole, [right], frame)
        if isinstance(operator, ast.Div) and isinstance(right, Str):
            # A folder that is not known: ``settings.PROMPTS / "answer.txt"``.
            end = strings.constant_text(right.segments)
            files = self._interpreter.calls.builtins.files
            found = (files.prompt_file(end, frame) or files.configured(end, left, whole, frame)) if end else None
            if found is not None:
                return found
        if (
            isinstance(operator, sets.OPERATIONS)
            and isinstance(thing_left, ListThing)
            and isinstance(thing_right, ListThing)
            and (thing_left.kind in sets.KINDS or thing_right.kind in sets.KINDS)
            and frame.state is not None
        ):
            items = sets.operated(type(operator), thing_left.items, thing_right.items)
            kind = thing_left.kind if thing_left.kind in sets.KINDS else thing_right.kind
            return frame.state.new(self.as_set(ListThing(items, kind=kind), whole, frame))
        if isinstance(operator, ast.BitOr):
            if isinstance(thing_left, PromptThing) and frame.state is not None:
                return frame.state.new(replace(thing_left, chain=True))
            if isinstance(thing_left, DictThing) and isinstance(thing_right, DictThing):
                return self._interpreter.calls.methods.merged(thing_left, thing_right, frame)
        if isinstance(operator, ast.FloorDiv) and isinstance(left, Opaque) and left.origin.kind is SourceKind.CLOCK:
            seconds = right.value if isinstance(right, Const) and isinstance(right.value, int) else 0
            if seconds >= 3600:
                return self.clock(left, Lifetime.DAY if seconds >= 86_400 else Lifetime.HOUR, frame)
        if isinstance(left, Const) and isinstance(right, Const):
            known = _arithmetic(operator, left.value, right.value)
            if known is not None:
                return known
        result = self.derived(whole, [left, right], frame)
        return _counted_on(result, operator, left, right, frame.module.places.source(right_node))

    def _own_operation(self, operator: ast.operator, left: Val, right: Val, node: ast.expr, frame: Frame) -> Val | None:
        """What a class of the project makes of an operator, or None."""
        name = _OPERATIONS.get(type(operator))
        if name is None:
            return None
        for owner, other, method in ((left, right, f"__{name}__"), (right, left, f"__r{name}__")):
            found = self._interpreter.lookup.method_of(owner, method, frame)
            if found is not None:
                return self._interpreter.calls.functions.call(found, [other], {}, node, frame)
        return None

    def _added(self, value: Val, node: ast.expr, frame: Frame) -> Segments:
        """One side of a ``+``. What a name holds without words of its own stands here, as in a field of an f-string."""
        if isinstance(value, Const) and isinstance(value.value, bytes):
            # Beside a text that was encoded, to be decoded as a whole.
            return (
                (Text(value.value.decode("utf-8", "replace"), frame.module.places.span(node)),) if value.value else ()
            )
        segments = self.segments(value, node, frame)
        if not isinstance(node, ast.Name | ast.Attribute | ast.Subscript) or not isinstance(value, Str | Choose):
            return segments
        if any(isinstance(part, Text) and not part.text.isspace() for part in walk(segments)):
            return segments
        return self.placed(value, frame.module.places.source(node), frame.module.places.span(node), node, frame)

    def _stringy(self, value: Val) -> bool:
        return isinstance(value, Str) or (isinstance(value, Choose) and any(isinstance(v, Str) for v in value.values))

    def _on_BoolOp(self, node: ast.BoolOp, frame: Frame) -> Val:
        values: list[Val] = []
        stop_at = isinstance(node.op, ast.Or)
        for part in node.values:
            value = self.evaluate(part, frame)
            truth = self.truth(value, frame)
            if truth is not None and truth is not stop_at and part is not node.values[-1]:
                continue
            values.append(value)
            if truth is stop_at:
                break
        if isinstance(node.op, ast.And) and len(values) > 1 and values[-1] == Const(True):
            values.pop()  # What holds says nothing of the others.
        result = values[0]
        if isinstance(node.op, ast.And) and len(values) > 1:
            return _of_all(values) or self.derived(node, values, frame)
        for value in values[1:]:
            if isinstance(result, Opaque) and (value == NONE or _is_short(value)):
                continue
            choose = self.choice(node.values[0], result, frame)
            result = self._store(result, value, frame) or join_values(result, value, choose)
        return result

    def or_default(
        self, found: Val, given: Sequence[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame
    ) -> Val:
        """What a look-up ``found``, or the text that it is to give otherwise: ``config.get("prompt", PROMPT)``."""
        default = given[1] if len(given) > 1 else keywords.get("default", NONE)
        if not isinstance(found, Opaque) or not isinstance(default, Str) or _is_short(default):
            return found
        return join_values(found, default, self.choice(node, found, frame))

    def _store(self, left: Val, right: Val, frame: Frame) -> Val | None:
        """``history or History()``: an object that keeps a list of what it is given, or one under each key, whoever
        makes it; None for others."""
        for given, made in ((left, right), (right, left)):
            thing = self._interpreter.thing(made, frame)
            if not isinstance(given, Opaque) or not given.name or not isinstance(thing, ObjectThing):
                continue
            kept = (thing.attributes.get(path[0]) for path in thing.info.added_to if len(path) == 1)
            if any(isinstance(self._interpreter.thing(v, frame), ListThing) for v in kept if v is not None):
                return made
            under_keys = self._interpreter.lookup.aging.turns.keeping.of_class(thing.info).items()
            if any(to.keyed and len(to.path) == 1 and evidence.messages for to, evidence in under_keys):
                return made
        return None

    def _on_IfExp(self, node: ast.IfExp, frame: Frame) -> Val:
        condition = self.evaluate(node.test, frame)
        truth = self.truth(condition, frame)
        if truth is not None:
            return self.evaluate(node.body if truth else node.orelse, frame)
        parts = parted(self._interpreter, node.test, frame)
        with self._interpreter.branches.holding(node.test, frame):
            if parts is not None:
                parts.enter(self._interpreter, frame, holds=True)
            left = self.evaluate(node.body, frame)
        if parts is not None:
            parts.enter(self._interpreter, frame, holds=False)
        right = self.evaluate(node.orelse, frame)
        if parts is not None:
            self._interpreter.assignments.assign(parts.place, parts.whole, frame, passing=True)
        # Beside a text, an attribute is one too: it stands where it is read.
        if isinstance(left, Method) and isinstance(right, Str):
            left = self.attribute_value(left, node.body, frame)
        elif isinstance(right, Method) and isinstance(left, Str):
            right = self.attribute_value(right, node.orelse, frame)
        condition = unless_marking(condition, (node.body, node.orelse))
        return self._store(left, right, frame) or join_values(left, right, self.choice(node.test, condition, frame))

    def _on_Compare(self, node: ast.Compare, frame: Frame) -> Val:
        values = [self.evaluate(part, frame) for part in (node.left, *node.comparators)]
        if len(values) == 2 and isinstance(node.left, ast.Call) and isinstance(values[1], Const):
            truth = self._of_length(node.left, node.ops[0], values[1].value, frame)
            if truth is not None:
                return Const(truth)
        if len(values) == 2 and isinstance(values[0], Ref) and isinstance(node.ops[0], ast.In | ast.NotIn):
            among = self._interpreter.thing(values[1], frame)
            if isinstance(among, ListThing) and values[0] in among.items:
                return Const(isinstance(node.ops[0], ast.In))
        if len(values) == 2 and values[1] == NONE and isinstance(node.ops[0], ast.Is | ast.IsNot):
            none = self._is_none(values[0], node.left, frame)
            if none is not None:
                return Const(none is isinstance(node.ops[0], ast.Is))
        truth = self._compared(node.ops[0], values[0], values[1], frame) if len(values) == 2 else None
        if truth is not None:
            return Const(truth)
        result = self.derived(node, values, frame)
        if len(values) == 2 and isinstance(values[1], Const) and is_running_count(values[0]):
            # Passed once: it holds for the first turns, or for all but these.
            return result.but(lifetime=Lifetime.SESSION)
        return result

    def _is_none(self, value: Val, node: ast.expr, frame: Frame) -> bool | None:
        """Whether a value is None, where that is sure. What an attribute or a variable holds at first, it need not hold
        later; what a call leaves out stays out, what it gives is there."""
        given = isinstance(node, ast.Name) and frame.function is not None and node.id in frame.function.defaults
        if value == NONE:
            return True if given else None
        if isinstance(value, Str):
            return False if value.segments else None
        if given and isinstance(self._interpreter.thing(value, frame), DictThing | ListThing):
            return False
        return False if isinstance(value, PathText) else None

    def _compared(self, comparison: ast.cmpop, left: Val, right: Val, frame: Frame) -> bool | None:
        """Whether two known texts are equal, or one of them is among others or in a text."""
        if not isinstance(left, Str):
            return None
        if isinstance(comparison, ast.Eq | ast.NotEq):
            equal = same(left, right) if isinstance(right, Str) else None
            return None if equal is None else equal is isinstance(comparison, ast.Eq)
        if not isinstance(comparison, ast.In | ast.NotIn):
            return None
        known = self.known_items(right, frame)
        found = [same(left, item) for item in known or ()]
        text = strings.constant_text(left.segments)
        whole = strings.constant_text(right.segments) if isinstance(right, Str) else None
        if text is not None and whole is not None:
            found = [text in whole]
        elif known is None:
            return None
        within = True if True in found else None if None in found else False
        return None if within is None else within is isinstance(comparison, ast.In)

    def _of_length(self, call: ast.Call, comparison: ast.cmpop, limit: object, frame: Frame) -> bool | None:
        """Whether ``len(items)`` compares so with a number, where enough is known of the list."""
        holds = _COMPARES.get(type(comparison))
        plain = isinstance(call.func, ast.Name) and call.func.id == "len" and len(call.args) == 1
        if (
            holds is None
            or not plain
            or type(limit) is not int
            or not isinstance(call.args[0], ast.Name | ast.Attribute)
        ):
            return None
        value = self._interpreter.evaluate_quietly(call.args[0], frame)
        thing = self._interpreter.thing(value, frame)
        if not isinstance(value, Ref) or not isinstance(thing, ListThing) or thing.unordered is not None:
            return None
        least = _least(thing.items)
        name = call.args[0].id if isinstance(call.args[0], ast.Name) else ""
        if not thing.items and frame.function is not None and name in frame.function.changed_inside:
            return None
        if not any(is_run(item) for item in thing.items) and self._interpreter.is_made_here(value):
            return holds(least, limit)
        if limit > 1 and holds_conversation(value, thing):
            return None  # Sooner or later: this is for its turns to say.
        # With any number of further items.
        found = {holds(count, limit) for count in (least, limit - 1, limit, limit + 1) if count >= least}
        return found.pop() if len(found) == 1 else None

    def _as_list(self, value: Val, frame: Frame) -> Val:
        """One list, where a value is one of several: between what they begin and end with alike, it has the items of
        one of them."""
        if not isinstance(value, Choose) or frame.state is None or not self._interpreter.are_lists(value, frame):
            return value
        found = (self._interpreter.thing(arm, frame) for arm in value.values)
        things = [thing for thing in found if isinstance(thing, ListThing)]
        lists = [thing.items for thing in things]
        shortest = min(lists, key=len)
        first = _alike(lists, len(shortest))
        last = _alike([items[::-1] for items in lists], len(shortest) - first)
        arms = tuple(items[first : len(items) - last] for items in lists)
        end = shortest[len(shortest) - last :]
        window = next((thing.window for thing in things if thing.window), None)
        return frame.state.new(ListThing((*shortest[:first], Maybe(arms, value), *end), window=window))

    def _on_UnaryOp(self, node: ast.UnaryOp, frame: Frame) -> Val:
        value = self.evaluate(node.operand, frame)
        truth = self.truth(value, frame)
        if isinstance(node.op, ast.Not) and truth is not None:
            return Const(not truth)
        if isinstance(node.op, ast.USub) and isinstance(value, Const) and isinstance(value.value, int | float):
            return Const(-value.value)
        return self.derived(node, [value], frame)


def _alike(lists: list[tuple[Item, ...]], most: int) -> int:
    """How many items all lists begin with alike."""
    return next((at for at in range(most) if any(items[at] != lists[0][at] for items in lists)), most)


def _of_all(values: Sequence[Val]) -> Val | None:
    """The last part of a conjunction, which counts messages where another part does; None where others are known."""
    if not all(isinstance(value, Opaque) for value in values[:-1]):
        return None
    found = [value.drift for value in values[:-1] if isinstance(value, Opaque) and value.drift is not None]
    counted = next((drift for drift in found if drift.kind == "counted"), None)
    last = values[-1]
    return last.but(drift=counted) if counted is not None and isinstance(last, Opaque) and not last.drift else last


def _least(items: tuple[Item, ...]) -> int:
    """The least number of items that a list can have."""
    return sum(
        min(map(_least, item.arms), default=0) if isinstance(item, Maybe) else not is_run(item) for item in items
    )


def _counted_on(result: Opaque, operator: ast.operator, left: Val, right: Val, source: str) -> Opaque:
    """The result of a sum or a difference: counted from the end of a conversation still, where its left side is."""
    arms = left.values if isinstance(left, Choose) else (left,)
    found = [arm.drift for arm in arms if isinstance(arm, Opaque) and arm.drift and arm.drift.kind == "counted"]
    drift = next((one for one in found if one.bound), found[0] if found else None)
    if drift is None or not isinstance(operator, ast.Sub | ast.Add):
        return result
    if drift.bound and isinstance(right, Const) and right.value in range(-MOST_TAKEN, MOST_TAKEN + 1):
        return result.but(drift=drift)  # a place beside: ``start -= 1``
    if isinstance(operator, ast.Add):
        return result
    # How many messages are too many.
    return result.but(drift=replace(drift, bound=f"{drift.bound} + {source}" if drift.bound else source))


def _is_short(value: Val) -> bool:
    """Whether a value is a short fixed text, such as what stands in for a missing value."""
    text = strings.constant_text(value.segments) if isinstance(value, Str) else None
    return text is not None and len(text) < _SHORT_TEXT


def _arithmetic(operator: ast.operator, left: object, right: object) -> Const | None:
    """The result for two numbers of moderate size; None for others, and where there is none."""
    calculate = _ARITHMETIC.get(type(operator))
    if calculate is None or not isinstance(left, int | float) or not isinstance(right, int | float):
        return None
    most = _MOST_POWER if isinstance(operator, ast.Pow) else _MOST_NUMBER
    if not abs(left) <= _MOST_NUMBER or not abs(right) <= most:
        return None
    try:
        result = calculate(left, right)
    except (ArithmeticError, ValueError):
        return None
    return Const(result) if isinstance(result, int | float) else None


def _below(parts: list[Val]) -> PathText | None:
    """``folder / name``; None where either is not known."""
    folder, name = parts
    tail = strings.constant_text(name.segments) if isinstance(name, Str) else None
    return PathText(posixpath.join(folder.path, tail)) if isinstance(folder, PathText) and tail is not None else None
