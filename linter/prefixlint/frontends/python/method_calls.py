"""Calls of methods: what the owner is known to do, what the tables say, what the name tells."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python.library_calls import chain_of
from prefixlint.frontends.python.loops import item_of
from prefixlint.frontends.python.state import join_all
from prefixlint.frontends.python.values import (
    DATA,
    NONE,
    RUN,
    Choose,
    DictThing,
    FileData,
    Func,
    Lambda,
    Lib,
    Method,
    ObjectThing,
    Partial,
    PathText,
    Ref,
    Str,
)
from prefixlint.knowledge.call_names import call_names

if TYPE_CHECKING:
    from prefixlint.frontends.python.calls import Calls
    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.values import Opaque, Val


class MethodCalls:
    """Values of calls of methods; prompts that they send are emitted."""

    def __init__(self, interpreter: Interpreter, calls: Calls) -> None:
        self._interpreter, self._calls = interpreter, calls

    def call(self, function: Method, args: list[Val], keywords: dict[str, Val], node: ast.Call, frame: Frame) -> Val:
        owner, names = function.owner, call_names()
        known = self._calls.methods.call(owner, function.name, args, keywords, node, frame)
        if known is not None:
            self._written_back(node.func, owner, frame)
            return known
        changed = self._calls.signatures.method(owner, function.name, args, keywords, node, frame)
        if changed is not None:
            return changed
        handed = names.handing_on.get(function.name)
        if handed is not None and len(args) > handed + 1 and _hands_on(args[handed]):
            handed += 1  # run_in_executor(pool, context.run, function)
        if handed is not None and len(args) > handed and isinstance(args[handed], Func | Lambda | Partial):
            return self._calls.apply(args[handed], args[handed + 1 :], keywords, node, frame)
        mapped = self._mapped(owner, function.name, args, node, frame)
        if mapped is not None:
            return mapped
        if isinstance(owner, FileData) and function.name == "get" and args:
            return self._interpreter.expressions.item(owner, args[0], node, frame)
        chosen = self._of_texts(owner, function.name, args, keywords, node, frame)
        if chosen is None:
            chosen = self._of_lists(owner, function.name, args, keywords, node, frame)
        if chosen is not None:
            return chosen
        opaque = self._interpreter.expressions.as_opaque(owner, node.func, frame)
        known = self._in_tables(function, opaque, args, keywords, node, frame)
        if known is not None:
            return known
        found = self._interpreter.unique_method(function.name) if opaque.type in ("", RUN) else None
        if found is not None and frame.state is not None:
            owner_ref = self._interpreter.lookup.instance(found.owner, frame) if found.owner is not None else None
            if "staticmethod" in found.decorators:
                owner_ref = None
            return self._calls.apply(Func(found, owner_ref), args, keywords, node, frame)
        if opaque.drift is not None and opaque.drift.kind == "tail" and function.name in names.rows:
            return opaque
        return self._calls.libraries.unknown(function.name, opaque, args, keywords, node, frame)

    def _of_texts(
        self, owner: Val, name: str, args: list[Val], keywords: dict[str, Val], node: ast.Call, frame: Frame
    ) -> Val | None:
        """A method of one of several texts or paths, or of none: one of what each gives. None for other owners."""
        texts = [value for value in owner.values if value != NONE] if isinstance(owner, Choose) else []
        if not texts or not isinstance(owner, Choose) or not all(isinstance(text, Str | PathText) for text in texts):
            return None
        given = [self._calls.methods.call(text, name, args, keywords, node, frame) for text in texts]
        known = [value for value in given if value is not None]
        return join_all(known, replace(owner, values=())) if len(known) == len(given) else None

    def _of_lists(
        self, owner: Val, name: str, args: list[Val], keywords: dict[str, Val], node: ast.Call, frame: Frame
    ) -> Val | None:
        """A method of one of several lists: what it does is done to each of them, so that it stands in whichever it is.

        A copy is one of theirs. None for other owners, and where it gives anything else: what that is, is for their
        opaque value to say.
        """
        if not isinstance(owner, Choose) or not self._interpreter.are_lists(owner, frame):
            return None
        lists = dict.fromkeys(owner.values)
        found = [self._calls.methods.call(one, name, args, keywords, node, frame) for one in lists]
        if name == "copy":
            return replace(owner, values=tuple(value or NONE for value in found))
        return found[0] if all(value == NONE for value in found) else None

    def _in_tables(
        self,
        function: Method,
        owner: Opaque,
        args: list[Val],
        keywords: dict[str, Val],
        node: ast.Call,
        frame: Frame,
    ) -> Val | None:
        """What the tables say of a method of the owner's type, of its kind of value, or of any object; else None."""
        if owner.type:
            path = f"{owner.type}.{function.name}"
            entry = self._calls.builtins.call(path, args, keywords, node, frame)
            if entry is None:
                entry = self._calls.libraries.entry(Lib(path), args, keywords, node, frame)
            if entry is not None:
                return entry
        known = self._calls.methods.on_opaque(owner, function.name, args, keywords, node, frame)
        for chain in dict.fromkeys((chain_of(node.func), _looked_up(function))):
            if known is None:
                known = self._calls.libraries.at_method(chain, args, keywords, node, frame, owner)
        return known

    def _written_back(self, target: ast.expr, owner: Val, frame: Frame) -> None:
        """``self.__dict__.update(…)``: the attributes are those that the dictionary has now."""
        place = target.value if isinstance(target, ast.Attribute) else None
        if not isinstance(place, ast.Attribute) or place.attr != "__dict__" or frame.state is None:
            return
        of = self._interpreter.evaluate_quietly(place.value, frame)
        thing, now = self._interpreter.thing(of, frame), self._interpreter.thing(owner, frame)
        if isinstance(of, Ref) and isinstance(thing, ObjectThing) and isinstance(now, DictThing):
            frame.state.heap[of.id] = replace(thing, attributes=dict(now.entries))

    def _mapped(self, owner: Val, name: str, args: list[Val], node: ast.Call, frame: Frame) -> Val | None:
        """``pool.map(solve, tasks)``, ``dataset.map(solve)``: a call of the function for each item; None for others."""
        if name not in call_names().mapping or not args or not isinstance(args[0], Func | Lambda | Partial | Lib):
            return None
        expressions = self._interpreter.expressions
        if name == "map" and len(args) == 2 and expressions.known_items(args[1], frame) is not None:
            return self._calls.builtins.collections.map(args, {}, node, frame)
        if isinstance(args[0], Lib):
            return None
        source = expressions.as_opaque(args[1] if len(args) > 1 else owner, node.args[-1] if node.args else node, frame)
        if len(args) == 1 and source.type != DATA:
            return None
        function = args[0]
        names = function.info.parameters if isinstance(function, Func) else ()
        item = item_of(source, names[0] if names else "", names[0] if names else source.expression, source.span)
        return expressions.derived(node, [self._calls.apply(function, [item], {}, node, frame)], frame)


def _looked_up(method: Method) -> str:
    """Names by which a method was come by, also where part of them stands elsewhere: ``self.client = api.chat``."""
    names = [method.name]
    owner = method.owner
    while isinstance(owner, Method):
        names.append(owner.name)
        owner = owner.owner
    return ".".join(reversed(names))


def _hands_on(value: Val) -> bool:
    """Whether a value is a method that calls what it is given, as ``run`` of a context is."""
    return isinstance(value, Method) and call_names().handing_on.get(value.name) == 0
