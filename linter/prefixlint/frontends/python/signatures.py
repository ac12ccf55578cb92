"""Signatures of DSPy: what a prompt takes in and gives, from which a predictor makes the messages.

The adapter writes a system message (the fields with their descriptions, how they are marked, the instructions), and a
user message with each input field behind its marker, in the order of the signature. Its own sentences are not spelled
out: a constant value stands for those of each message, so that they count as little more than that they are there.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python import strings
from prefixlint.frontends.python.blocks import conversation_value, whole
from prefixlint.frontends.python.naming import named
from prefixlint.frontends.python.syntax import last_name
from prefixlint.frontends.python.values import (
    CONFIGURED,
    NONE,
    Choose,
    Class,
    Const,
    DictThing,
    FieldThing,
    ListThing,
    Opaque,
    PromptThing,
    Ref,
    SignatureField,
    SignatureThing,
    Str,
    is_run,
)
from prefixlint.knowledge.libraries import FieldClass, PassingClass, PredictorClass, SignatureClass, libraries
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Choice, Text, Value
from prefixlint.model.templates import Block

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.modules import ClassInfo
    from prefixlint.frontends.python.values import Val
    from prefixlint.model.segments import Segment
    from prefixlint.model.sources import Span

Segments = tuple["Segment", ...]
Entry = FieldClass | SignatureClass | PredictorClass | PassingClass

_CHANGING = frozenset({"with_instructions", "append_instructions", "append", "prepend", "insert", "delete"})


class Signatures:
    """Makes signatures and predictors."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter

    def call(self, entry: Entry, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val:
        """What a call gives that the tables know."""
        assert frame.state is not None
        if isinstance(entry, FieldClass):
            said = next((keywords[name] for name in entry.description if name in keywords), None)
            text = () if said is None else self._interpreter.expressions.segments(said, node, frame)
            return frame.state.new(FieldThing(entry.side, text, frame.module.places.span(node)))
        name = entry.argument if isinstance(entry, PassingClass) else entry.signature
        given = keywords.get(name) or (args[0] if args else NONE)
        if isinstance(entry, PassingClass):
            return self._interpreter.expressions.opaque(node, frame) if given == NONE else given
        signature = self.of(given, node, frame)
        if signature is None:
            return self._interpreter.calls.libraries.unknown(
                last_name(node.func), None, args, dict(keywords), node, frame
            )
        if isinstance(entry, SignatureClass):
            said = keywords.get(entry.instructions) or (args[1] if len(args) > 1 else NONE)
            return frame.state.new(self._instructed(signature, said, node, frame))
        thing = PromptThing(
            entry.form,
            self._blocks(entry, signature, frame.module.places.span(node)),
            frame.module.places.span(node),
            chain=True,
            prints=True,
        )
        self._interpreter.calls.requests.prompt(thing, node, frame)
        return frame.state.new(thing)

    # Signatures

    def of(self, value: Val, node: ast.expr, frame: Frame) -> SignatureThing | None:
        """The signature that a value is: one that was made, a class, or a text that writes it down; None for others."""
        if isinstance(value, Str):
            return _written(value)
        if isinstance(value, Class):
            return self._of_class(value, frame) if self._is_class(value.info) else None
        if isinstance(value, Choose):
            arms = [self.of(arm, node, frame) for arm in value.values if arm != NONE]
            known = [arm for arm in arms if arm is not None]
            return _either(known, value) if known and len(known) == len(arms) else None
        thing = self._interpreter.thing(value, frame)
        if isinstance(thing, DictThing) and not thing.rest:
            return self._of_fields(thing, frame)
        return thing if isinstance(thing, SignatureThing) else None

    def _is_class(self, info: ClassInfo) -> bool:
        lookup = self._interpreter.lookup
        bases = (base for current in lookup.ancestry(info) for base in lookup.library_bases(current))
        return any(isinstance(libraries().at_path(base.path), SignatureClass) for base in bases)

    def _of_class(self, value: Class, frame: Frame) -> SignatureThing:
        lookup, fields, said = self._interpreter.lookup, dict[str, SignatureField](), None
        for current in reversed(list(lookup.ancestry(value.info))):
            said = lookup.docstring(Class(current)) or said
            types = {
                statement.target.id: statement.annotation
                for statement in current.outline.body
                if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)
            }
            for name, node in current.attributes.items():
                declared = lookup.class_attribute(current, name) if isinstance(node, ast.Call) else None
                thing = None if declared is None else self._interpreter.thing(declared, frame)
                if isinstance(thing, FieldThing):
                    fields[name] = _field(name, thing, types.get(name))
        return SignatureThing(() if said is None else said.segments, tuple(fields.values()))

    def _of_fields(self, thing: DictThing, frame: Frame) -> SignatureThing | None:
        """``{"question": (str, dspy.InputField()), …}``"""
        fields = []
        for name, value in thing.entries:
            pair = self._interpreter.thing(value, frame)
            items = pair.items if isinstance(pair, ListThing) else ()
            last = items[-1] if items and not is_run(items[-1]) else value
            declared = self._interpreter.thing(last, frame)
            if not isinstance(declared, FieldThing):
                return None
            fields.append(_field(name, declared, None))
        return SignatureThing((), tuple(fields)) if fields else None

    def attribute(self, owner: Val, name: str, node: ast.expr, frame: Frame) -> Str | None:
        """``signature.instructions``; None for other attributes and owners."""
        if name != "instructions" or not isinstance(owner, Class | Ref):
            return None
        signature = self.of(owner, node, frame)
        return None if signature is None else Str(signature.instructions)

    def is_changed_by(self, name: str, owner: Val) -> bool:
        """Whether a method of a class makes another signature of it."""
        return name in _CHANGING and isinstance(owner, Class) and self._is_class(owner.info)

    def method(
        self, owner: Val, name: str, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame
    ) -> Val | None:
        """A signature that is like another one; None for other methods and owners."""
        if name not in _CHANGING or frame.state is None:
            return None
        signature = self.of(owner, node, frame) if not isinstance(owner, Str) and self._may_be(owner, frame) else None
        if signature is None:
            return None
        if name in ("with_instructions", "append_instructions"):
            said = keywords.get("instructions") or (args[0] if args else NONE)
            changed = self._instructed(signature, said, node, frame, add=name == "append_instructions")
            return frame.state.new(changed)
        rest = list(args)
        place = keywords.get("index") or (rest.pop(0) if name == "insert" and rest else NONE)
        called = keywords.get("name") or (rest.pop(0) if rest else NONE)
        text = strings.constant_text(called.segments) if isinstance(called, Str) else None
        others = tuple(field for field in signature.fields if field.name != text)
        if text is None:
            return None
        if name == "delete":
            return frame.state.new(replace(signature, fields=others))
        declared = self._interpreter.thing(keywords.get("field") or (rest.pop(0) if rest else NONE), frame)
        if not isinstance(declared, FieldThing):
            return None
        types = [k.value for k in node.keywords if k.arg == "type_"] or node.args[len(args) - len(rest) :]
        added = _field(text, declared, types[0] if types else None)
        at = (
            place.value if isinstance(place, Const) and isinstance(place.value, int) else 0 if name == "prepend" else -1
        )
        inputs, outputs = [f for f in others if f.side == "input"], [f for f in others if f.side == "output"]
        among = inputs if added.side == "input" else outputs
        among.insert(at if at >= 0 else len(among) + 1 + at, added)
        return frame.state.new(replace(signature, fields=(*inputs, *outputs)))

    def _may_be(self, owner: Val, frame: Frame) -> bool:
        if isinstance(owner, Choose):
            return bool(owner.values) and all(self._may_be(arm, frame) for arm in owner.values)
        return isinstance(owner, Class) or isinstance(self._interpreter.thing(owner, frame), SignatureThing)

    def _instructed(
        self, signature: SignatureThing, said: Val, node: ast.expr, frame: Frame, add: bool = False
    ) -> SignatureThing:
        if said == NONE:
            return signature
        text = self._interpreter.expressions.segments(said, node, frame)
        before = (*signature.instructions, Text("\n", frame.module.places.span(node))) if add else ()
        return replace(signature, instructions=(*before, *text))

    # Messages

    def _blocks(self, entry: PredictorClass, signature: SignatureThing, span: Span) -> tuple[Block, ...]:
        form = libraries().signatures
        inputs = [field for field in signature.fields if field.side == "input"]
        outputs = [field for field in signature.fields if field.side == "output"]
        inputs += [SignatureField(name, "input", (), "str", span) for name in entry.steps]
        if entry.outputs_instead:
            outputs = [SignatureField(name, "output", (), "str", span) for name in entry.outputs_instead]
        outputs = [*(SignatureField(name, "output", (), "str", span) for name in entry.outputs_before), *outputs]
        system: list[Segment] = [_framing(span)]
        for side in (inputs, outputs):
            for number, field in enumerate(side, 1):
                said = Text(f"\n{number}. `{field.name}` ({field.kind}): ", field.span)
                system.extend(_under(field, (said, *field.description)))
        for field in (*inputs, *outputs):
            marker = form.marker.format(name=field.name)
            system.extend(_under(field, (Text(f"\n\n{marker}\n{{{field.name}}}", field.span),)))
        system += [Text(f"\n\n{form.closing}\n\n", span), *signature.instructions]
        user: list[Segment] = []
        for field in inputs:
            if field.name not in entry.steps and not field.conversation:
                head = Text(f"{form.marker.format(name=field.name)}\n", field.span)
                filled = _open(field.name, field.span)
                user.extend(_under(field, (head, filled, Text("\n\n", field.span))))
        for name in entry.steps:
            # Those of one run, all of which have the same in front of them.
            steps = Value(name, span, Lifetime.REQUEST, Origin(SourceKind.HISTORY), Confidence.HIGH)
            user += [Text(f"{form.marker.format(name=name)}\n", span), steps, Text("\n\n", span)]
        user.append(_framing(span))
        talks = (
            Block("history", "messages", (replace(conversation_value(f.name, f.span), name=f.name),), f.span)
            for f in inputs
            if f.conversation
        )
        told = Block("system", "system", whole(tuple(system)), span)
        return (told, *talks, Block("user", "messages", tuple(user), span))


def _framing(span: Span) -> Value:
    """The adapter's own sentences in one message."""
    return Value("adapter", span, Lifetime.CONSTANT, CONFIGURED, Confidence.HIGH)


def _open(name: str, span: Span) -> Value:
    v: Opaque = named(name, name, span, open_name=name)
    return Value(v.expression, v.span, v.lifetime, v.origin, v.confidence, v.shape, v.name, v.grows)


def _under(field: SignatureField, segments: Segments) -> Segments:
    """What is there of a field: all, or nothing where it is left out."""
    c = field.choice
    return (
        segments if c is None else (Choice((segments, ()), c.expression, c.span, c.lifetime, c.origin, c.confidence),)
    )


def _field(name: str, thing: FieldThing, annotation: ast.expr | None) -> SignatureField:
    kind = "str" if annotation is None else ast.unparse(annotation)
    return SignatureField(name, thing.side, thing.description, kind, thing.span, _is_conversation(annotation))


def _is_conversation(annotation: ast.expr | None) -> bool:
    return annotation is not None and last_name(annotation) in libraries().signatures.conversations


def _either(arms: Sequence[SignatureThing], choice: Choose) -> SignatureThing:
    """One of several signatures: that with the most fields, of which some may be left out."""
    longest = max(arms, key=lambda arm: len(arm.fields))
    shared = [{field.name for field in arm.fields} for arm in arms]
    left_out = replace(choice, values=())
    return replace(
        longest,
        fields=tuple(
            field if all(field.name in names for names in shared) or field.choice else replace(field, choice=left_out)
            for field in longest.fields
        ),
    )


def _written(value: Str) -> SignatureThing | None:
    """``"context, question: str -> answer"``; None for other texts, and for those of which something is not known."""
    text, only = strings.constant_text(value.segments), value.segments[0] if len(value.segments) == 1 else None
    if text is None or not isinstance(only, Text) or text.count("->") != 1:
        return None
    left, _, right = text.partition("->")
    found: list[SignatureField] = []
    for side, part, start in (("input", left, 0), ("output", right, len(left) + 2)):
        named = list(_declared(part))
        if not named:
            return None
        for name, annotation in named:
            at = text.find(name, start)
            kind = "str" if annotation is None else ast.unparse(annotation)
            talk = _is_conversation(annotation)
            span = only.span(at, at + len(name))
            found.append(SignatureField(name, "input" if side == "input" else "output", (), kind, span, talk))
    return SignatureThing((), tuple(found))


def _declared(part: str) -> Iterator[tuple[str, ast.expr | None]]:
    try:
        function = ast.parse(f"def f({part.strip()}): pass").body[0]
    except (SyntaxError, ValueError):
        return
    if isinstance(function, ast.FunctionDef):
        yield from ((each.arg, each.annotation) for each in function.args.args)
