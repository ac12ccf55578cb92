"""Objects of project classes, as a call of the class makes them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from prefixlint.frontends.python import strings
from prefixlint.frontends.python.frames import Frame
from prefixlint.frontends.python.state import State
from prefixlint.frontends.python.values import EMPTY, Func, Lib, ObjectThing, Str
from prefixlint.knowledge.libraries import MessageClass, libraries
from prefixlint.model.lifetimes import Lifetime

if TYPE_CHECKING:
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.values import Class, Val

_STRING, _TEMPLATE = Lib("builtins.str"), Lib("string.Template")
_LIST, _DICT = Lib("builtins.list"), Lib("builtins.dict")


class Instances:
    """Makes them."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter

    def made(self, function: Class, args: list[Val], keywords: dict[str, Val], node: ast.Call, frame: Frame) -> Val:
        lookup, calls = self._interpreter.lookup, self._interpreter.calls
        assert frame.state is not None
        info = function.info
        usual = calls.libraries.usual(info.name, args, keywords, node, frame)
        if usual is not None:
            return usual
        external = self._external_base(function, frame)
        if external == _STRING:
            return args[0] if args else EMPTY
        if external in (_LIST, _DICT):
            collections = calls.builtins.collections
            made = (collections.items if external == _LIST else collections.dict)(args, keywords, node, frame)
            if made is not None:
                return made
        if external == _TEMPLATE and args:
            sign = lookup.class_attribute(info, "delimiter")
            text = strings.constant_text(sign.segments) if isinstance(sign, Str) else None
            made = calls.prompts.template(args[0], text or "$", node, frame)
            if made is not None:
                return made
        if external is not None:
            entry = calls.libraries.entry(external, args, keywords, node, frame)
            if entry is not None:
                return entry
        calls.requests.generic(node, args, keywords, frame)
        classes = list(reversed(list(lookup.ancestry(info))))
        # A field that nobody fills is None for sure, where an object from elsewhere may have got a value.
        attributes = lookup.unset(info)
        init = lookup.method(info, "__init__")
        if init is not None:
            ref = frame.state.new(ObjectThing(info, attributes))
            calls.functions.call(Func(init, ref), args, keywords, node, frame)
            return ref
        fields = [name for current in classes for name in _annotated_fields(current.node)]
        for name, value in zip(fields, args, strict=False):
            attributes[name] = value
        attributes.update({k: v for k, v in keywords.items() if k != "**"})
        ref = frame.state.new(ObjectThing(info, attributes))
        after = lookup.method(info, "__post_init__")
        if after is not None:
            calls.functions.call(Func(after, ref), [], {}, node, frame)
        return ref

    def _external_base(self, function: Class, frame: Frame) -> Lib | None:
        """The library class that a project class extends: a builtin one, ``Template``, or a message of the tables."""
        for info in self._interpreter.lookup.ancestry(function.info):
            for base in info.node.bases:
                if not isinstance(base, ast.Name | ast.Attribute):
                    continue
                scope = Frame(info.module, None, State({}), moment=Lifetime.PROCESS)
                value = self._interpreter.evaluate_quietly(base, scope)
                if value == _STRING and len(info.node.bases) == 1:
                    return _STRING
                if value in (_LIST, _DICT) and self._interpreter.lookup.method(function.info, "__init__") is None:
                    return value
                if not isinstance(value, Lib):
                    continue
                if value == _TEMPLATE or isinstance(libraries().at_path(value.path), MessageClass):
                    return value
        return None


def _annotated_fields(node: ast.ClassDef) -> list[str]:
    return [s.target.id for s in node.body if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)]
