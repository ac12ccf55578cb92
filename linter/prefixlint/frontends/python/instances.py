"""Objects of project classes, as a call of the class makes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.frontends.python import strings
from prefixlint.frontends.python.values import EMPTY, Func, Lib, ObjectThing, Str
from prefixlint.knowledge.libraries import MessageClass, PromptClass, Sink, libraries

if TYPE_CHECKING:
    import ast

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.modules import ClassInfo
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
        init = lookup.method(info, "__init__")
        known = None if init is not None else self._as_library(info, args, keywords, node, frame)
        if known is not None:
            return known
        calls.requests.generic(node, args, keywords, frame)
        classes = list(reversed(list(lookup.ancestry(info))))
        # A field that nobody fills is None for sure, where an object from elsewhere may have got a value.
        attributes = lookup.unset(info)
        if init is not None:
            if init.definition.args.kwarg is not None:
                # It passes them on to a library that fills the fields: so they are filled where it is not entered, too.
                taken = lookup.fields_of(info)
                attributes.update({name: value for name, value in keywords.items() if name in taken})
            ref = frame.state.new(ObjectThing(info, attributes))
            calls.functions.call(Func(init, ref), args, keywords, node, frame)
            return ref
        fields = [name for current in classes for name in current.annotated]
        for name, value in zip(fields, args, strict=False):
            attributes[name] = value
        attributes.update({k: v for k, v in keywords.items() if k != "**"})
        ref = frame.state.new(ObjectThing(info, attributes))
        after = lookup.method(info, "__post_init__")
        if after is not None:
            calls.functions.call(Func(after, ref), [], {}, node, frame)
        return ref

    def _as_library(
        self, info: ClassInfo, args: list[Val], keywords: dict[str, Val], node: ast.Call, frame: Frame
    ) -> Val | None:
        """Makes what a library class is, where a class only adds to one that the tables know: a prompt template is
        that; an agent is emitted, and stays an object of its own. What its body sets are defaults."""
        lookup, calls = self._interpreter.lookup, self._interpreter.calls
        base = lookup.of_library(info)
        entry = None if base is None else libraries().at_path(base.path)
        if base is None or not isinstance(entry, PromptClass | Sink):
            return None
        named = (
            name for current in lookup.ancestry(info) for name in current.attribute_names if name in entry.arguments
        )
        set_here = {name: lookup.class_attribute(info, name) for name in named if name not in keywords}
        given = {**{name: value for name, value in set_here.items() if value is not None}, **keywords}
        made = calls.libraries.entry(base, args, given, node, frame)
        return made if isinstance(entry, PromptClass) else None

    def _external_base(self, function: Class, frame: Frame) -> Lib | None:
        """The library class that a project class extends: a builtin one, ``Template``, or a message of the tables."""
        lookup = self._interpreter.lookup
        for info in lookup.ancestry(function.info):
            for base in lookup.library_bases(info):
                if base == _STRING and len(info.bases) == 1:
                    return _STRING
                if base in (_LIST, _DICT) and lookup.method(function.info, "__init__") is None:
                    return base
                if base == _TEMPLATE or isinstance(libraries().at_path(base.path), MessageClass):
                    return base
        return None
