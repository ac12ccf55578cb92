"""What assignments and deletions do to names, attributes and items."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python.by_name import judged
from prefixlint.frontends.python.conversations import dropped_front, holds_conversation, kept_for_long, shortened
from prefixlint.frontends.python.filled import put_under
from prefixlint.frontends.python.frames import FILLED, STORED
from prefixlint.frontends.python.leaving_out import PUT_BACK, left_out
from prefixlint.frontends.python.lifting import lifted
from prefixlint.frontends.python.rewriting import handed_back
from prefixlint.frontends.python.state import join_all
from prefixlint.frontends.python.strings import constant_text
from prefixlint.frontends.python.system_additions import adds_to_system
from prefixlint.frontends.python.values import (
    NONE,
    Choose,
    DictThing,
    ListThing,
    ObjectThing,
    Opaque,
    Ref,
    Str,
    arms_of,
    is_run,
)
from prefixlint.model.lifetimes import Lifetime

if TYPE_CHECKING:
    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.values import Item, Val


class Assignments:
    """Binds targets, and takes away what ``del`` names."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter

    def on_assign(self, node: ast.Assign, frame: Frame) -> None:
        self._bind(node.targets, node.value, frame)

    def on_annotated(self, node: ast.AnnAssign, frame: Frame) -> None:
        if node.value is not None:
            self._bind([node.target], node.value, frame)

    def _bind(self, targets: list[ast.expr], source: ast.expr, frame: Frame) -> None:
        value = self._interpreter.evaluate(source, frame)
        if isinstance(source, PUT_BACK):
            value = left_out(self._interpreter, targets[0], source, value, frame)
        elif isinstance(source, ast.Call) and isinstance(targets[0], ast.Name):
            value = handed_back(targets[0].id, source, value, frame)
        for target in targets:
            self._tell_addition(target, source, value, frame)
            self.assign(target, value, frame)

    def on_augmented(self, node: ast.AugAssign, frame: Frame) -> None:
        interpreter = self._interpreter
        left = interpreter.evaluate(node.target, frame)
        right = interpreter.evaluate(node.value, frame)
        added = interpreter.lookup.method_of(left, "__iadd__", frame) if isinstance(node.op, ast.Add) else None
        if added is not None:
            self.assign(node.target, interpreter.calls.functions.call(added, [right], {}, node.target, frame), frame)
            return
        if (
            isinstance(left, Ref)
            and isinstance(node.op, ast.Add)
            and not isinstance(interpreter.thing(left, frame), ObjectThing)
        ):
            interpreter.calls.methods.extend(left, right, frame)
            return
        if isinstance(left, Choose) and isinstance(node.op, ast.Add) and interpreter.are_lists(left, frame):
            lists = [one for one in dict.fromkeys(left.values) if isinstance(one, Ref)]
            if not all(map(interpreter.is_made_here, lists)):
                # Others hold them too.
                for one in lists:
                    interpreter.calls.methods.extend(one, right, frame)
                return
        value = interpreter.expressions.operate(node.op, left, right, node.target, node.value, frame)
        self._tell_addition(node.target, None, value, frame)
        self.assign(node.target, value, frame)

    def _tell_addition(self, target: ast.expr, source: ast.expr | None, value: Val, frame: Frame) -> None:
        if isinstance(value, Str) and adds_to_system(target, source, value, frame):
            self._interpreter.calls.requests.added_to_system(value, target, frame)

    def assign(self, target: ast.expr, value: Val, frame: Frame, *, passing: bool = False) -> None:
        """Binds a target: a name, an attribute, an item, or several at once.

        ``passing``: to one of several values that are known one by one, and that a common name says nothing of.
        """
        state = frame.state
        if state is None:
            return
        if isinstance(target, ast.Name):
            value = value if passing else self._named(value, target.id, frame)
            if target.id in frame.carried:
                value = kept_for_long(value, frame)
            if frame.function is not None and target.id in frame.function.global_names:
                value = self._memo(value, target.id, Lifetime.PROCESS, frame)
            state.variables[target.id] = value
            state.variables.pop(FILLED + target.id, None)
        elif isinstance(target, ast.Tuple | ast.List):
            self._unpack(target, value, frame)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, value, frame)
        elif isinstance(target, ast.Attribute):
            owner = self._interpreter.evaluate(target.value, frame)
            thing = self._interpreter.thing(owner, frame)
            if isinstance(owner, Ref) and isinstance(thing, ObjectThing):
                if not self._interpreter.is_made_here(owner):
                    value = self._memo(value, target.attr, Lifetime.SESSION, frame)
                value = kept_for_long(value, frame)
                attributes = {**thing.attributes, target.attr: value}
                state.heap[owner.id] = ObjectThing(thing.info, attributes, thing.whole)
            elif isinstance(owner, Ref) and isinstance(thing, DictThing):
                state.heap[owner.id] = thing.set(target.attr, value)
            else:
                self._remember(target, value, frame)
        elif isinstance(target, ast.Subscript):
            owner = self._interpreter.evaluate(target.value, frame)
            if isinstance(owner, Opaque) and owner.grows:
                self._interpreter.calls.methods.put_in_front(owner, target, value, frame)
            elif isinstance(target.slice, ast.Slice) and self._is_empty(value, frame):
                self._delete_items(target, frame)
            elif isinstance(target.slice, ast.Slice):
                value = kept_for_long(value, frame)
                lower = NONE if target.slice.lower is None else self._interpreter.evaluate(target.slice.lower, frame)
                upper = NONE if target.slice.upper is None else self._interpreter.evaluate(target.slice.upper, frame)
                self._interpreter.calls.methods.set_slice(owner, lower, upper, value, frame)
            elif isinstance(owner, Ref):
                self._interpreter.calls.methods.set_item(
                    owner, self._interpreter.evaluate(target.slice, frame), value, frame
                )
            elif isinstance(target.slice, ast.Constant):
                self._remember(target, value, frame)
                if type(target.slice.value) is str:
                    put_under(target.value, ((target.slice.value, value),), state)

    def _remember(self, target: ast.expr, value: Val, frame: Frame) -> None:
        """A conversation that is put into something of which nothing is known: what stands there is read again."""
        held = any(holds_conversation(arm, self._interpreter.thing(arm, frame)) for arm in arms_of(value))
        if frame.state is not None and held:
            place = STORED + frame.module.places.source(target)
            frame.stored = True
            frame.state.variables[place] = kept_for_long(value, frame)

    def _is_empty(self, value: Val, frame: Frame) -> bool:
        thing = self._interpreter.thing(value, frame)
        return isinstance(thing, ListThing) and not thing.items

    @staticmethod
    def _named(value: Val, name: str, frame: Frame) -> Val:
        """A value as the variable's name tells it. What a module binds outside of its loops is made once; a script is
        run anew for each question or document that it holds, as a session is begun."""
        told = judged(value, name)
        once = frame.moment is Lifetime.PROCESS and not frame.carried
        return lifted(told, Lifetime.SESSION) if once and told is not value else told

    def _memo(self, value: Val, name: str, moment: Lifetime, frame: Frame) -> Val:
        """A value kept under a name that the branch has just found empty: it is made once for each ``moment``."""
        if frame.branch is None or frame.branch.lifetime.known or name not in frame.branch.expression:
            return value
        return lifted(value, moment)

    def _unpack(self, target: ast.Tuple | ast.List, value: Val, frame: Frame) -> None:
        for element, part in zip(target.elts, self._parts(target.elts, value, frame), strict=True):
            self.assign(element, part, frame)

    def _parts(self, elements: list[ast.expr], value: Val, frame: Frame) -> list[Val]:
        """What each of several targets is given of a value; of one of several values, one of their parts."""
        # What is None cannot be taken apart: it is not the one that comes here.
        arms = [arm for arm in value.values if arm != NONE] if isinstance(value, Choose) else []
        if isinstance(value, Choose) and arms:
            each = [self._parts(elements, arm, frame) for arm in arms]
            return [join_all(parts, replace(value, values=())) for parts in zip(*each, strict=True)]
        thing = self._interpreter.thing(value, frame)
        items: tuple[Item, ...] | None = thing.items if isinstance(thing, ListThing) else None
        simple = items is not None and len(items) == len(elements)
        parts: list[Val] = []
        for index, element in enumerate(elements):
            if simple and items is not None and not isinstance(element, ast.Starred):
                item = items[index]
                parts.append(self._interpreter.expressions.opaque(element, frame) if is_run(item) else item)
            elif isinstance(value, Opaque) and value.lifetime.known:
                span = frame.module.places.span(element)
                parts.append(replace(value, expression=frame.module.places.source(element), span=span, name=""))
            else:
                parts.append(self._interpreter.expressions.opaque(element, frame))
        return parts

    def on_delete(self, node: ast.Delete, frame: Frame) -> None:
        assert frame.state is not None
        for target in node.targets:
            if isinstance(target, ast.Name):
                frame.state.variables.pop(target.id, None)
            elif (
                isinstance(target, ast.Subscript)
                and not isinstance(target.slice, ast.Slice)
                and self._drops_key(target, frame)
            ):
                continue
            elif isinstance(target, ast.Subscript):
                self._delete_items(target, frame)

    def _drops_key(self, target: ast.Subscript, frame: Frame) -> bool:
        """``del parts["draft"]``."""
        owner = self._interpreter.evaluate(target.value, frame)
        thing = self._interpreter.thing(owner, frame)
        if not isinstance(owner, Ref) or not isinstance(thing, DictThing) or frame.state is None:
            return False
        key = self._interpreter.evaluate(target.slice, frame)
        frame.state.heap[owner.id] = thing.without(constant_text(key.segments) if isinstance(key, Str) else None)
        return True

    def _delete_items(self, target: ast.Subscript, frame: Frame) -> None:
        """``del messages[:-20]`` and ``del messages[0]``: a conversation that loses its front."""
        owner = self._interpreter.evaluate(target.value, frame)
        drift = dropped_front(
            target.value, target.slice, target, lambda node: self._interpreter.evaluate(node, frame), frame
        )
        value = None if drift is None else shortened(owner, self._interpreter.thing(owner, frame), drift, frame)
        if isinstance(value, Opaque):
            self.assign(target.value, value, frame)
