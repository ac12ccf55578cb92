"""Calls of libraries, by what the tables say of them, and of what nothing is known."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from prefixlint.frontends.python.builtin_calls import SEEDED
from prefixlint.frontends.python.conversations import windowed
from prefixlint.frontends.python.frames import Frame, lift
from prefixlint.frontends.python.function_names import answers, by_arguments, by_function_name
from prefixlint.frontends.python.newest import newest_rows
from prefixlint.frontends.python.sending import is_message_class
from prefixlint.frontends.python.values import (
    NONE,
    DictThing,
    Lambda,
    Lib,
    ListThing,
    ObjectThing,
    Opaque,
    PathText,
    PromptThing,
    is_run,
)
from prefixlint.knowledge.call_names import call_names
from prefixlint.knowledge.libraries import (
    FieldClass,
    FillingClass,
    MessageClass,
    PassingClass,
    PlaceholderClass,
    PredictorClass,
    PromptClass,
    SignatureClass,
    Sink,
    Source,
    Window,
    libraries,
)
from prefixlint.knowledge.names import split_words
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind, shortest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from prefixlint.frontends.python.calls import Calls
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.values import Val

_MESSAGE = MessageClass()


class LibraryCalls:
    """Values of such calls; prompts that they send are emitted."""

    def __init__(self, interpreter: Interpreter, calls: Calls) -> None:
        self._interpreter, self._calls = interpreter, calls

    def call(self, function: Lib, args: list[Val], keywords: dict[str, Val], node: ast.Call, frame: Frame) -> Val:
        built = self._calls.builtins.call(function.path, args, keywords, node, frame)
        if built is not None:
            return built
        owner_path, _, last = function.path.rpartition(".")
        if last == "__init__":
            # ``super().__init__(instructions=…)``, ``Agent.__init__(self, instructions=…)``
            given = args[1:] if args and isinstance(self._interpreter.thing(args[0], frame), ObjectThing) else args
            return self.entry(Lib(owner_path), given, keywords, node, frame) or NONE
        if owner_path in ("str", "list", "dict") and args:
            # ``str.strip`` handed on as a function.
            known = self._calls.methods.call(args[0], last, args[1:], keywords, node, frame)
            if known is not None:
                return known
        entry = self.entry(function, args, keywords, node, frame)
        if entry is not None:
            return entry
        usual = self.usual(".".join(function.path.split(".")[-2:]), args, keywords, node, frame)
        usual = usual or self._message(function, args, keywords, node, frame)
        if usual is not None:
            return usual
        made = self._calls.prompts.chain(function.path.rpartition(".")[2], keywords, frame)
        if made is not None:
            return made
        chain = chain_of(node.func)
        value = self.at_method(chain, args, keywords, node, frame)
        if value is not None:
            return value
        if libraries().below(function.path) is not None:
            owner = self._interpreter.expressions.attribute_value(Lib(owner_path), node, frame)
            known = self._calls.methods.on_opaque(owner, last, args, keywords, node, frame)
            return known if known is not None else self.unknown(last, owner, args, keywords, node, frame)
        result = self.unknown(last, None, args, keywords, node, frame)
        if last[:1].isupper() and isinstance(result, Opaque):
            return result.but(type=function.path)
        return result

    def usual(self, name: str, args: list[Val], keywords: dict[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """A message or a prompt, where a class that no table knows bears the usual name of one, by the class or by
        ``Class.method``; None for others."""
        usual = libraries().at_path(f"project.{name}")
        if isinstance(usual, MessageClass) and (args or usual.content in keywords):
            return self._calls.prompts.message(usual, args, keywords, node, frame)
        if isinstance(usual, PromptClass) and (args or keywords.keys() & {usual.text, usual.messages}):
            return self._calls.prompts.create(usual, args, keywords, node, frame)
        if isinstance(usual, PlaceholderClass):
            return self._calls.prompts.placeholder(args, keywords, node, frame)
        return None

    def _message(
        self, function: Lib, args: list[Val], keywords: dict[str, Val], node: ast.Call, frame: Frame
    ) -> Val | None:
        """A message, where a class of a library without a table is called one and is given what a message has:
        ``Message(role=…, content=…)``."""
        if keywords.keys() >= {"role", "content"} and is_message_class(function.path.rpartition(".")[2]):
            return self._calls.prompts.message(_MESSAGE, args, keywords, node, frame)
        return None

    def entry(
        self, function: Lib, args: list[Val], keywords: dict[str, Val], node: ast.Call, frame: Frame
    ) -> Val | None:
        """What the tables say of a library call, or None."""
        entry = libraries().at_path(function.path)
        if isinstance(entry, Source):
            return self.from_source(entry, args, node, frame)
        if isinstance(entry, Sink):
            return self.to_sink(entry, args, keywords, node, frame, function.path)
        if isinstance(entry, MessageClass):
            return self._calls.prompts.message(entry, args, keywords, node, frame)
        if isinstance(entry, PromptClass):
            return self._calls.prompts.create(entry, args, keywords, node, frame)
        if isinstance(entry, FillingClass) and frame.state is not None:
            return frame.state.new(DictThing(tuple((name, value) for name, value in keywords.items() if name != "**")))
        if isinstance(entry, PlaceholderClass):
            return self._calls.prompts.placeholder(args, keywords, node, frame)
        if isinstance(entry, FieldClass | SignatureClass | PredictorClass | PassingClass) and frame.state is not None:
            return self._calls.signatures.call(entry, args, keywords, node, frame)
        if isinstance(entry, Window):
            given = keywords.get(entry.messages) or (args[0] if args else None)
            return windowed(function.path, entry, given, node, self._interpreter.expressions, frame)
        return None

    def from_source(self, entry: Source, args: list[Val], node: ast.Call, frame: Frame) -> Val:
        value = self._interpreter.expressions.from_source(entry, node, frame)
        seeded = frame.state is not None and SEEDED in frame.state.variables
        if seeded and entry.kind in (SourceKind.RANDOM, SourceKind.SHUFFLED):
            return value.but(lifetime=Lifetime.CONSTANT, origin=Origin(SourceKind.CONFIGURATION))
        if entry.kind is SourceKind.ATTACHMENT and args:
            inner = self._interpreter.expressions.derived(node, args, frame)
            return inner if inner.lifetime is Lifetime.CONSTANT else value
        moment = entry.moment_argument
        if moment is not None and moment < len(args):
            value = self._interpreter.expressions.derived(node, [args[moment]], frame)
            value = value.but(shape=entry.shape, type=entry.type)
            if value.origin.kind is not SourceKind.CLOCK:
                return value
        at = entry.format_argument
        if at is not None and at < len(args):
            printed = self._interpreter.expressions.printed_clock(value, args[at], frame)
            if printed is not None:
                return printed
        if entry.kind is SourceKind.ENVIRONMENT:
            return self._interpreter.expressions.or_default(value, args, {}, node, frame)
        return value

    def to_sink(
        self, entry: Sink, args: list[Val], keywords: dict[str, Val], node: ast.Call, frame: Frame, path: str = ""
    ) -> Val:
        if (
            entry.requires
            and not any(name in keywords for name in (*entry.requires, "**"))
            and not (entry.positional and args)
        ):
            result = self.unknown(frame.module.places.source(node.func), None, args, keywords, node, frame)
        else:
            self._calls.requests.sink(entry, args, keywords, node, frame)
            result = self.answer(node, frame)
        made = isinstance(result, Opaque) and path.rpartition(".")[2][:1].isupper()
        return result.but(type=path) if made and isinstance(result, Opaque) else result

    def answer(self, node: ast.expr, frame: Frame) -> Opaque:
        """What a model answers: another text on each request."""
        places = frame.module.places
        return Opaque(
            places.source(node),
            places.span(node),
            lift(Lifetime.REQUEST, frame.moment),
            Origin(SourceKind.USER_INPUT),
            Confidence.HIGH,
        )

    def at_method(
        self,
        chain: str,
        args: list[Val],
        keywords: dict[str, Val],
        node: ast.Call,
        frame: Frame,
        owner: Opaque | None = None,
    ) -> Val | None:
        filled = self._calls.prompts.handed(chain.rpartition(".")[2], args, keywords, node, frame)
        if filled is not None:
            self._calls.requests.prompt(filled, node, frame)
            return self.answer(node, frame)
        entry = libraries().at_method(chain)
        if isinstance(entry, PromptClass) and entry.text in keywords:
            return self._calls.prompts.create(entry, args, keywords, node, frame)
        if isinstance(entry, Sink):
            if entry.requires and not any(name in keywords for name in (*entry.requires, "**")):
                return None
            self._calls.requests.sink(entry, args, keywords, node, frame, "" if owner is None else owner.type)
            return self.answer(node, frame)
        if isinstance(entry, Source):
            self._calls.requests.generic(node, args, keywords, frame)
            return self._interpreter.expressions.from_source(entry, node, frame)
        return None

    def unknown(
        self, name: str, owner: Opaque | None, args: list[Val], keywords: dict[str, Val], node: ast.Call, frame: Frame
    ) -> Val:
        """Result of a call that is not followed: what its name says, else as short-lived as what it is given."""
        self._show_lambdas((*args, *keywords.values()), node, frame)
        type_ = "" if owner is None else owner.type
        sent = self._calls.requests.generic(node, args, keywords, frame, owner=type_)
        if sent:
            return self.answer(node, frame)
        result = self._result(name, owner, args, keywords, node, frame)
        return newest_rows(result, node, name.rpartition(".")[2], args, frame)

    def _show_lambdas(self, given: Iterable[Val], node: ast.Call, frame: Frame) -> None:
        """Emits the messages that a lambda makes which a call is given: ``RunnableLambda(lambda state: [system, *…])``.
        No function of its own shows them."""
        for value in given:
            if isinstance(value, Lambda) and _adds_to_list(value.node.body):
                made = self._calls.functions.apply_lambda(value, [], node, frame)
                self._calls.requests.message_list(made, node, frame)
                self._tell_parts(made, frame)

    def _tell_parts(self, made: Val, frame: Frame) -> None:
        """Of prompts that are messages of a list, the list says more than each by itself."""
        listed = self._interpreter.thing(made, frame)
        for item in listed.items if isinstance(listed, ListThing) and not self._interpreter.is_silent else ():
            thing = None if is_run(item) else self._interpreter.thing(item, frame)
            if isinstance(thing, PromptThing):
                self._interpreter.part_of_another(thing.span, thing.blocks)

    def _result(
        self, name: str, owner: Opaque | None, args: list[Val], keywords: dict[str, Val], node: ast.Call, frame: Frame
    ) -> Val:
        expressions = self._interpreter.expressions
        parts = [expressions.as_opaque(value, node, frame) for value in (*args, *keywords.values())]
        varying = [part for part in parts if part.lifetime.varies]
        suggested = by_function_name(name, node, frame)
        found = by_arguments(name, suggested, expressions.combined(node, varying, frame), parts) if suggested else None
        if found is not None:
            return found
        if suggested is not None and (not varying or suggested.lifetime.varies):
            return self._interpreter.moment(suggested, frame)
        if owner is not None and owner.lifetime.varies:
            varying.append(owner)
        if varying:
            lifetime = shortest(part.lifetime for part in varying)
            lead = next(part for part in varying if part.lifetime is lifetime)
            if answers(name, lead):
                return self.answer(node, frame)
            places = frame.module.places
            return lead.but(expression=places.source(node), span=places.span(node), name="", type="")
        words = split_words(name.rpartition(".")[2])
        if owner is not None and owner.shape == "catalogue" and words and words[0] in call_names().verbs:
            # ``action_set.describe()``: a list of tools or rules, written out.
            return owner.but(expression=frame.module.places.source(node), span=frame.module.places.span(node), name="")
        if args and isinstance(args[0], PathText):
            # What a reader that is not followed makes of a file of the project.
            return expressions.fixed(node, frame)
        return expressions.opaque(node, frame)


def _adds_to_list(node: ast.expr) -> bool:
    """``[a] + b`` and ``[a, *b]``: items, and a list behind or in front of them."""
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.Add) and any(isinstance(side, ast.List) for side in (node.left, node.right))
    return isinstance(node, ast.List) and any(isinstance(item, ast.Starred) for item in node.elts)


def chain_of(node: ast.expr) -> str:
    """Names in ``a.b().c.d``, joined by dots."""
    names: list[str] = []
    while True:
        if isinstance(node, ast.Attribute):
            names.append(node.attr)
            node = node.value
        elif isinstance(node, ast.Call):
            node = node.func
        elif isinstance(node, ast.Subscript | ast.Await):
            node = node.value
        else:
            if isinstance(node, ast.Name):
                names.append(node.id)
            return ".".join(reversed(names))
