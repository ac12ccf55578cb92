"""Evaluates expressions to abstract values."""

from __future__ import annotations

import ast
import itertools
import posixpath
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python import strings
from prefixlint.frontends.python.frames import lift
from prefixlint.frontends.python.literals import Field, LiteralError, LiteralText, read_literal
from prefixlint.frontends.python.lookup import named
from prefixlint.frontends.python.loops import loop_item, repeat, settled_opaque
from prefixlint.frontends.python.state import join_values
from prefixlint.frontends.python.values import (
    EMPTY,
    NONE,
    BufferThing,
    Choose,
    Class,
    Const,
    DictThing,
    FileData,
    Func,
    Lambda,
    Lib,
    ListThing,
    Many,
    Maybe,
    Method,
    Module,
    ObjectThing,
    Opaque,
    Partial,
    PathText,
    PromptThing,
    Ref,
    Splat,
    Str,
    Super,
    is_run,
)
from prefixlint.knowledge import clocks
from prefixlint.knowledge.libraries import Source, libraries
from prefixlint.model.lifetimes import Confidence, Hop, Lifetime, Origin, SourceKind, shortest
from prefixlint.model.segments import Choice, Repeat, Text, Value, merge_text, walk

if TYPE_CHECKING:
    from collections.abc import Callable

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.literals import Piece
    from prefixlint.frontends.python.values import Item, Val
    from prefixlint.model.segments import Segment
    from prefixlint.model.sources import Span

Segments = tuple["Segment", ...]
_DATETIMES = ("datetime.datetime", "datetime.date", "time.struct_time")


class Expressions:
    """Evaluation of expressions; calls are left to ``Calls``."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter
        self._visiting: set[int] = set()
        self._reparsed: dict[ast.AST, ast.expr] = {}
        self._handlers: dict[type[ast.expr], Callable[[ast.expr, Frame], Val] | None] = {}
        self._constants: dict[ast.AST, Val] = {}
        self._pieces: dict[ast.AST, tuple[Piece, ...] | None] = {}

    def evaluate(self, node: ast.expr, frame: Frame) -> Val:
        """The value of an expression; ``Opaque`` with an unknown lifetime where nothing is known."""
        self._interpreter.step()
        kind = type(node)
        if kind not in self._handlers:
            self._handlers[kind] = getattr(self, f"_on_{kind.__name__}", None)
        method = self._handlers[kind]
        return self.opaque(node, frame) if method is None else method(node, frame)

    # Opaque values

    def opaque(self, node: ast.expr, frame: Frame) -> Opaque:
        """An unknown value that stands at ``node``."""
        places = frame.module.places
        return Opaque(places.source(node), places.span(node))

    def derived(self, node: ast.expr, parts: list[Val], frame: Frame) -> Opaque:
        """A value computed from ``parts`` in a way that is not followed: as short-lived as the shortest-lived."""
        found = [self.as_opaque(part, node, frame) for part in parts]
        return self._combine(node, found, frame)

    def _combine(self, node: ast.expr, found: list[Opaque], frame: Frame) -> Opaque:
        out = self.opaque(node, frame)
        if not found:
            return out
        lifetime = shortest(value.lifetime for value in found)
        if not lifetime.known:
            return out
        lead = next((v for v in found if v.lifetime is lifetime), found[0])
        if lifetime is Lifetime.CONSTANT:
            return replace(out, lifetime=lifetime, origin=Origin(SourceKind.CONFIGURATION), confidence=Confidence.HIGH)
        name = lead.name if len([v for v in found if v.lifetime is not Lifetime.CONSTANT]) == 1 else ""
        return (
            replace(
                out,
                lifetime=lifetime,
                origin=lead.origin,
                confidence=lead.confidence,
                grows=lead.grows,
                name="",
                shape=lead.shape,
            )
            if not name
            else replace(out, lifetime=lifetime, origin=lead.origin, confidence=lead.confidence, grows=lead.grows)
        )

    def as_opaque(self, value: Val, node: ast.expr, frame: Frame) -> Opaque:
        """Lifetime and origin of any value, as one opaque value that stands at ``node``."""
        base = self.opaque(node, frame)
        if isinstance(value, Opaque):
            return value
        if isinstance(value, Const | Class | Module | Func | Lambda | Partial | PathText | Super | FileData):
            return replace(
                base, lifetime=Lifetime.CONSTANT, origin=Origin(SourceKind.CONFIGURATION), confidence=Confidence.HIGH
            )
        if isinstance(value, Str):
            return self._of_segments(value.segments, base)
        if isinstance(value, Choose):
            parts = [self.as_opaque(arm, node, frame) for arm in value.values if arm != NONE]
            return self._combine(node, parts, frame)
        if isinstance(value, Method | Lib):
            return self._attribute_value(value, node, frame)
        if not isinstance(value, Ref) or value.id in self._visiting:
            return base
        self._visiting.add(value.id)  # a list can hold itself
        try:
            return self._of_thing(self._interpreter.thing(value, frame), base, node, frame)
        finally:
            self._visiting.discard(value.id)

    def _of_thing(self, thing: object, base: Opaque, node: ast.expr, frame: Frame) -> Opaque:
        if isinstance(thing, ListThing):
            if thing.unordered is not None:
                return thing.unordered
            if not thing.items:
                return replace(base, lifetime=Lifetime.CONSTANT, confidence=Confidence.HIGH)
            return self._combine(node, self._item_opaques(thing.items, node, frame), frame)
        if isinstance(thing, DictThing):
            parts = [self.as_opaque(v, node, frame) for _, v in thing.entries] + [
                self.as_opaque(v, node, frame) for v in thing.rest
            ]
            return self._combine(node, parts, frame) if parts else replace(base, lifetime=Lifetime.CONSTANT)
        if isinstance(thing, BufferThing):
            return self._of_segments(thing.text.segments, base)
        return base

    def _item_opaques(self, items: tuple[Item, ...], node: ast.expr, frame: Frame) -> list[Opaque]:
        out: list[Opaque] = []
        for item in items:
            if isinstance(item, Splat):
                out.append(self.as_opaque(item.value, node, frame))
            elif isinstance(item, Many):
                out.append(item.over)
                out.extend(settled_opaque(v, item.over) for v in self._item_opaques(item.items, node, frame))
            elif isinstance(item, Maybe):
                for arm in item.arms:
                    out.extend(self._item_opaques(arm, node, frame))
            else:
                out.append(self.as_opaque(item, node, frame))
        return out

    def _of_segments(self, segments: Segments, base: Opaque) -> Opaque:
        values = [s for s in walk(segments) if not isinstance(s, Text)]
        lifetime = shortest(s.lifetime for s in values)
        lead = next((s for s in values if s.lifetime is lifetime), None)
        if lead is None:
            return replace(base, lifetime=lifetime, origin=Origin(SourceKind.CONFIGURATION), confidence=Confidence.HIGH)
        grows = any(isinstance(s, Value) and s.grows for s in values)
        return replace(base, lifetime=lifetime, origin=lead.origin, confidence=lead.confidence, grows=grows)

    def choice(self, test: ast.expr, condition: Val, frame: Frame) -> Choose:
        """The choice that a test makes.

        Whether a value is there at all is a matter of configuration: unknown, not volatile.
        """
        places = frame.module.places
        if _presence(test):
            return Choose((), places.source(test), places.span(test))
        value = self.as_opaque(condition, test, frame)
        origin = Origin(SourceKind.CONDITIONAL, value.origin.hops)
        return Choose((), places.source(test), places.span(test), value.lifetime, origin, value.confidence)

    def truth(self, value: Val, frame: Frame) -> bool | None:
        """Whether a condition is known to hold."""
        if isinstance(value, Const):
            return bool(value.value)
        if isinstance(value, Str):
            if not value.segments:
                return False
            return True if any(isinstance(s, Text) for s in value.segments) else None
        thing = self._interpreter.thing(value, frame)
        if isinstance(thing, ListThing) and thing.items and not any(is_run(item) for item in thing.items):
            return True
        return True if isinstance(value, Func | Class | Module | Lambda) else None

    def here(self, value: Val, node: ast.expr, frame: Frame) -> Val:
        """An opaque value as it stands at ``node``, where a list, a message or a call takes it in."""
        if not isinstance(value, Opaque):
            return value
        places = frame.module.places
        span = places.span(node)
        if span == value.span:
            return value
        origin = value.origin
        travels = value.lifetime is not Lifetime.CONSTANT and len(origin.hops) < _MOST_HOPS and not value.name
        if travels and not any(hop.span == value.span for hop in origin.hops):
            origin = origin.passed(f"`{value.expression}` created here", value.span)
        return replace(value, expression=places.source(node), span=span, origin=origin)

    # Strings

    def own_segments(self, value: Val, node: ast.expr, frame: Frame) -> Segments:
        """``str(value)`` as segments, an opaque value at its own place (as an item or an argument put it there)."""
        if isinstance(value, Opaque):
            return (self.value(value, value.expression, value.span),)
        return self.segments(value, node, frame)

    def segments(self, value: Val, node: ast.expr, frame: Frame) -> Segments:
        """``str(value)`` as segments."""
        places = frame.module.places
        if isinstance(value, Str):
            return value.segments
        if isinstance(value, Const):
            return (Text(str(value.value), places.span(node)),)
        if isinstance(value, Choose):
            arms = [arm for arm in value.values if arm != NONE] or list(value.values)
            done = tuple(dict.fromkeys(self.segments(arm, node, frame) for arm in arms))
            if len(done) == 1:
                return done[0]
            return (Choice(done, value.expression, value.span, value.lifetime, value.origin, value.confidence),)
        thing = self._interpreter.thing(value, frame)
        if isinstance(thing, BufferThing):
            return thing.text.segments
        if isinstance(thing, ObjectThing):
            printed = self._printed(value, thing, node, frame)
            if printed is not None:
                return printed
        if isinstance(thing, PromptThing):
            return tuple(s for block in thing.blocks for s in block.segments)
        opaque = self.as_opaque(value, node, frame)
        return (self.value(opaque, places.source(node), places.span(node)),)

    def _printed(self, value: Val, thing: ObjectThing, node: ast.expr, frame: Frame) -> Segments | None:
        """What ``__str__`` of a project class gives, or None."""
        for name in ("__str__", "__repr__"):
            method = self._interpreter.lookup.method(thing.info, name)
            if method is not None:
                result = self._interpreter.calls.call_function(Func(method, value), [], {}, node, frame)
                return None if isinstance(result, Ref) else self.segments(result, node, frame)
        return None

    @staticmethod
    def value(opaque: Opaque, expression: str, span: Span) -> Value:
        """An opaque value as a segment at ``span``; where it came from elsewhere, its origin says so."""
        origin = opaque.origin
        if opaque.span != span and opaque.lifetime is not Lifetime.CONSTANT and not opaque.name:
            note = f"`{opaque.expression}` created here" if not origin.hops else f"`{opaque.expression}` passed here"
            if not any(hop.span == opaque.span for hop in origin.hops):
                origin = Origin(origin.kind, (*origin.hops, Hop(note, opaque.span)))
        return Value(
            expression, span, opaque.lifetime, origin, opaque.confidence, opaque.shape, opaque.name, opaque.grows
        )

    def _on_Constant(self, node: ast.Constant, frame: Frame) -> Val:
        known = self._constants.get(node)
        if known is None:
            known = self._constants[node] = self._constant(node, frame)
        return known

    def _constant(self, node: ast.Constant, frame: Frame) -> Val:
        if not isinstance(node.value, str):
            return Const(node.value)
        if not node.value:
            return EMPTY
        places = frame.module.places
        try:
            pieces = read_literal(frame.module.file, places.start(node), places.end(node))
        except LiteralError:
            return Str((Text(node.value, places.span(node)),))
        return Str(tuple(Text(p.text, p.source) for p in pieces if isinstance(p, LiteralText)))

    def _on_JoinedStr(self, node: ast.JoinedStr, frame: Frame) -> Val:
        fields = [part for part in node.values if isinstance(part, ast.FormattedValue)]
        pieces = self._read_pieces(node, len(fields), frame)
        if pieces is None:
            return Str(self._plain_joined(node, frame))
        out: list[Segment] = []
        rest = iter(fields)
        for piece in pieces:
            if isinstance(piece, LiteralText):
                out.append(Text(piece.text, piece.source))
            else:
                out.extend(self._field(piece, next(rest), frame))
        return Str(merge_text(out))

    _on_TemplateStr = _on_JoinedStr

    def _read_pieces(self, node: ast.JoinedStr, fields: int, frame: Frame) -> tuple[Piece, ...] | None:
        """The literal's pieces, or None where they could not be read as ``ast`` did."""
        if node not in self._pieces:
            places = frame.module.places
            pieces: tuple[Piece, ...] | None
            try:
                pieces = read_literal(frame.module.file, places.start(node), places.end(node))
            except LiteralError:
                pieces = None
            if pieces is not None and sum(isinstance(p, Field) for p in pieces) != fields:
                pieces = None
            self._pieces[node] = pieces
        return self._pieces[node]

    def _plain_joined(self, node: ast.JoinedStr, frame: Frame) -> Segments:
        """An f-string whose text could not be read: right order, places of the whole string."""
        span = frame.module.places.span(node)
        out: list[Segment] = []
        for part in node.values:
            if isinstance(part, ast.Constant):
                out.append(Text(str(part.value), span))
            elif isinstance(part, ast.FormattedValue):
                out.extend(strings.moved(self.segments(self.evaluate(part.value, frame), part.value, frame), span))
        return merge_text(out)

    def _field(self, field: Field, node: ast.FormattedValue, frame: Frame) -> Segments:
        file = frame.module.file
        inner = self._field_expression(field, node, frame)
        value = self.evaluate(inner, frame)
        spec = self._spec(field, node, frame)
        value = self.formatted(value, field.conversion, spec, inner, frame)
        span = file.span(field.start, field.end)
        expression = " ".join(file.text[field.expr_start : field.expr_end].split())
        return self.placed(value, expression, span, inner, frame)

    def _spec(self, field: Field, node: ast.FormattedValue, frame: Frame) -> str:
        """The format specification, with nested fields filled where they are constants."""
        if all(isinstance(piece, LiteralText) for piece in field.spec):
            return "".join(piece.text for piece in field.spec if isinstance(piece, LiteralText))
        out = []
        for part in getattr(node.format_spec, "values", ()):
            if isinstance(part, ast.Constant):
                out.append(str(part.value))
            elif isinstance(part, ast.FormattedValue):
                value = self.evaluate(part.value, frame)
                out.append((strings.constant_text(value.segments) or "") if isinstance(value, Str) else "")
        return "".join(out)

    def placed(self, value: Val, expression: str, span: Span, node: ast.expr, frame: Frame) -> Segments:
        """The segments of a value that is filled in at ``span``: fixed text keeps its own place, values stand here."""
        if isinstance(value, Const):
            return (Text(str(value.value), span),) if str(value.value) else ()
        if isinstance(value, Str) and len(value.segments) == 1 and isinstance(value.segments[0], Value):
            return (self.rehomed(value.segments[0], expression, span),)
        thing = self._interpreter.thing(value, frame)
        if isinstance(value, Str | Choose) or isinstance(thing, BufferThing | PromptThing | ObjectThing):
            return through(self.segments(value, node, frame), expression, span)
        return (self.value(self.as_opaque(value, node, frame), expression, span),)

    @staticmethod
    def rehomed(segment: Value, expression: str, span: Span) -> Value:
        """A value that is a whole string by itself, shown where that string is filled in."""
        if segment.span == span:
            return segment
        hop = Hop(f"`{segment.expression}` created here", segment.span)
        origin = segment.origin
        if not any(known.span == hop.span for known in origin.hops) and not segment.name:
            origin = Origin(origin.kind, (*origin.hops, hop))
        return replace(segment, expression=expression, span=span, origin=origin)

    def _field_expression(self, field: Field, node: ast.FormattedValue, frame: Frame) -> ast.expr:
        """The field's expression with true positions (``ast`` gives wrong ones inside f-strings before Python 3.12)."""
        if sys.version_info >= (3, 12) or isinstance(node.value, ast.Name):
            return _at(node.value, field, frame) if isinstance(node.value, ast.Name) else node.value
        known = self._reparsed.get(node)
        if known is None:
            known = _reparse(field, frame) or node.value
            self._reparsed[node] = known
        return known

    def formatted(self, value: Val, conversion: str, spec: str, node: ast.expr, frame: Frame) -> Val:
        """A value under a format specification: a clock's pattern decides its lifetime."""
        if not spec or not isinstance(value, Opaque):
            return value
        if value.origin.kind is SourceKind.CLOCK and "%" in spec:
            return self.clock(value, clocks.clock_format(spec)[0], frame)
        return value

    def clock(self, value: Opaque, lifetime: Lifetime, frame: Frame, type_: str = "") -> Opaque:
        """A clock value of which only what lives this long is kept; a value that is fixed longer already stays so."""
        longer = lifetime if lifetime.rank > value.lifetime.rank or not value.lifetime.known else value.lifetime
        shape = {Lifetime.DAY: "date", Lifetime.HOUR: "date"}.get(lifetime, value.shape)
        return replace(value, lifetime=lift(longer, frame.moment), shape=shape, type=type_)

    # Names and attributes

    def _on_Name(self, node: ast.Name, frame: Frame) -> Val:
        return self._interpreter.lookup.name(node.id, frame)

    def _on_Attribute(self, node: ast.Attribute, frame: Frame) -> Val:
        return self.attribute(self.evaluate(node.value, frame), node.attr, node, frame)

    def attribute(self, owner: Val, name: str, node: ast.expr, frame: Frame) -> Val:
        """``owner.name``."""
        lookup = self._interpreter.lookup
        if isinstance(owner, Module):
            return lookup.module_name(owner.info, name) or named(
                name, frame.module.places.source(node), frame.module.places.span(node)
            )
        if isinstance(owner, Super):
            method = lookup.method(owner.base, name)
            return Func(method, owner.instance) if method is not None else Lib(f"builtins.object.{name}")
        if isinstance(owner, PathText) and name in ("parent", "parents"):
            return PathText(posixpath.dirname(owner.path)) if name == "parent" else owner
        if isinstance(owner, Lib):
            return Lib(f"{owner.path.removeprefix('builtins.')}.{name}")
        if isinstance(owner, Class):
            method = lookup.method(owner.info, name)
            if method is not None:
                return Func(method, owner if "classmethod" in method.decorators else None)
            value = lookup.class_attribute(owner.info, name)
            return value if value is not None else self.opaque(node, frame)
        if isinstance(owner, Choose):
            known = [self.attribute(arm, name, node, frame) for arm in owner.values if arm != NONE]
            return known[0] if len(known) == 1 else Method(owner, name, frame.module.places.source(node))
        thing = self._interpreter.thing(owner, frame)
        if isinstance(owner, Ref) and isinstance(thing, ObjectThing):
            return lookup.attribute(owner, thing, name, node, frame)
        if isinstance(owner, Ref) and isinstance(thing, DictThing) and thing.get(name) is not None:
            return thing.get(name) or NONE
        return Method(owner, name, frame.module.places.source(node))

    def _attribute_value(self, value: Method | Lib, node: ast.expr, frame: Frame) -> Opaque:
        """A library name or an attribute of an opaque value, read and not called."""
        places = frame.module.places
        if isinstance(value, Lib):
            entry = libraries().at_path(value.path)
            if isinstance(entry, Source):
                return self.from_source(entry, node, frame)
            return named(value.path.rpartition(".")[2], places.source(node), places.span(node))
        owner = value.owner
        if isinstance(owner, Lib | Method):
            owner = self._attribute_value(owner, node, frame)
        if isinstance(owner, Opaque):
            if owner.type in _DATETIMES and value.name in clocks.ATTRIBUTES:
                return replace(
                    self.clock(owner, clocks.ATTRIBUTES[value.name], frame),
                    expression=value.expression,
                    span=places.span(node),
                )
            return self.member(owner, value.name, value.expression, places.span(node))
        suggested = named(value.name, value.expression, places.span(node))
        if suggested.lifetime.known:
            return suggested
        return self.as_opaque(owner, node, frame) if isinstance(owner, Str | Ref) else suggested

    @staticmethod
    def member(owner: Opaque, name: str, expression: str, span: Span) -> Opaque:
        """An attribute or item of an opaque value: as short-lived as its owner, else what its own name suggests."""
        suggested = named(name, expression, span)
        if suggested.origin.kind is SourceKind.CONFIGURATION and owner.confidence is not Confidence.CERTAIN:
            return suggested
        if owner.origin.kind is SourceKind.CONFIGURATION and suggested.origin.kind is not SourceKind.ID:
            return replace(
                suggested,
                lifetime=owner.lifetime,
                origin=owner.origin,
                confidence=owner.confidence,
                shape="word",
                grows=False,
            )
        if owner.lifetime.varies or (owner.lifetime.known and not suggested.lifetime.known):
            kind = owner.origin.kind
            if suggested.origin.kind is SourceKind.HISTORY:
                return replace(
                    suggested, lifetime=owner.lifetime, origin=Origin(suggested.origin.kind, owner.origin.hops)
                )
            return replace(
                suggested,
                lifetime=owner.lifetime,
                origin=Origin(kind, owner.origin.hops),
                confidence=owner.confidence,
                grows=False,
            )
        return suggested

    def from_source(self, source: Source, node: ast.expr, frame: Frame) -> Opaque:
        """A value of a known source, created at ``node``."""
        places = frame.module.places
        span = places.span(node)
        lifetime = source.lifetime if source.live else lift(source.lifetime, frame.moment)
        origin = Origin(source.kind, (Hop("created here", span),))
        return Opaque(
            places.source(node),
            span,
            lifetime,
            origin,
            Confidence.CERTAIN if source.kind in _SURE else Confidence.HIGH,
            source.shape,
            source.type,
        )

    # Operators

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
        thing_left, thing_right = self._interpreter.thing(left, frame), self._interpreter.thing(right, frame)
        if isinstance(operator, ast.Add):
            if isinstance(thing_left, ListThing) or isinstance(thing_right, ListThing):
                return self._interpreter.calls.methods.concatenated(left, right, frame)
            if self._stringy(left) or self._stringy(right):
                return self.bounded(
                    strings.concat(self.segments(left, left_node, frame), self.segments(right, right_node, frame)),
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
        if isinstance(operator, ast.Div) and isinstance(left, PathText):
            tail = strings.constant_text(right.segments) if isinstance(right, Str) else None
            return PathText(f"{left.path}/{tail}") if tail is not None else self.derived(whole, [right], frame)
        if (
            isinstance(operator, ast.BitOr | ast.BitAnd | ast.Sub | ast.BitXor)
            and isinstance(thing_left, ListThing)
            and isinstance(thing_right, ListThing)
            and "set" in (thing_left.kind, thing_right.kind)
            and frame.state is not None
        ):
            items = thing_left.items if isinstance(operator, ast.Sub) else (*thing_left.items, *thing_right.items)
            return frame.state.new(self.as_set(ListThing(items), whole, frame))
        if isinstance(operator, ast.BitOr):
            if isinstance(thing_left, PromptThing):
                return left
            if isinstance(thing_left, DictThing) and isinstance(thing_right, DictThing):
                return self._interpreter.calls.methods.merged(thing_left, thing_right, frame)
        if isinstance(operator, ast.FloorDiv) and isinstance(left, Opaque) and left.origin.kind is SourceKind.CLOCK:
            seconds = right.value if isinstance(right, Const) and isinstance(right.value, int) else 0
            if seconds >= 3600:
                return self.clock(left, Lifetime.DAY if seconds >= 86_400 else Lifetime.HOUR, frame)
        if isinstance(left, Const) and isinstance(right, Const):
            return _arithmetic(operator, left.value, right.value)
        return self.derived(whole, [left, right], frame)

    def _stringy(self, value: Val) -> bool:
        return isinstance(value, Str) or (isinstance(value, Choose) and any(isinstance(v, Str) for v in value.values))

    def bounded(self, segments: Segments, node: ast.expr, frame: Frame) -> Val:
        """A string, or an unknown value where it has more segments than the analysis follows."""
        if len(segments) > self._interpreter.bounds.segments:
            return self.opaque(node, frame)
        return Str(segments)

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
        result = values[0]
        if isinstance(node.op, ast.And) and len(values) > 1:
            return values[-1] if all(isinstance(v, Opaque) for v in values[:-1]) else self.derived(node, values, frame)
        for value in values[1:]:
            if isinstance(result, Opaque) and (value == NONE or _is_short(value)):
                continue
            choose = self.choice(node.values[0], result, frame)
            result = join_values(result, value, choose)
        return result

    def _on_IfExp(self, node: ast.IfExp, frame: Frame) -> Val:
        condition = self.evaluate(node.test, frame)
        truth = self.truth(condition, frame)
        if truth is not None:
            return self.evaluate(node.body if truth else node.orelse, frame)
        left, right = self.evaluate(node.body, frame), self.evaluate(node.orelse, frame)
        return join_values(left, right, self.choice(node.test, condition, frame))

    def _on_Compare(self, node: ast.Compare, frame: Frame) -> Val:
        return self.derived(node, [self.evaluate(part, frame) for part in (node.left, *node.comparators)], frame)

    def _on_UnaryOp(self, node: ast.UnaryOp, frame: Frame) -> Val:
        value = self.evaluate(node.operand, frame)
        truth = self.truth(value, frame)
        if isinstance(node.op, ast.Not) and truth is not None:
            return Const(not truth)
        if isinstance(node.op, ast.USub) and isinstance(value, Const) and isinstance(value.value, int | float):
            return Const(-value.value)
        return self.derived(node, [value], frame)

    def _on_NamedExpr(self, node: ast.NamedExpr, frame: Frame) -> Val:
        value = self.evaluate(node.value, frame)
        self._interpreter.assign(node.target, value, frame)
        return value

    def _on_Await(self, node: ast.Await, frame: Frame) -> Val:
        return self.evaluate(node.value, frame)

    def _on_Starred(self, node: ast.Starred, frame: Frame) -> Val:
        return self.evaluate(node.value, frame)

    def _on_Lambda(self, node: ast.Lambda, frame: Frame) -> Val:
        variables = {} if frame.state is None else frame.state.variables
        return Lambda(node, frame.module, {**frame.closure, **variables})

    def _on_Yield(self, node: ast.Yield, frame: Frame) -> Val:
        if node.value is not None:
            frame.yields.append(self.evaluate(node.value, frame))
        return self.opaque(node, frame)

    def _on_YieldFrom(self, node: ast.YieldFrom, frame: Frame) -> Val:
        frame.yields.append(Splat(self.evaluate(node.value, frame)))
        return self.opaque(node, frame)

    def _on_Call(self, node: ast.Call, frame: Frame) -> Val:
        return self._interpreter.calls.call(node, frame)

    # Subscripts

    def _on_Subscript(self, node: ast.Subscript, frame: Frame) -> Val:
        owner = self.evaluate(node.value, frame)
        if isinstance(node.slice, ast.Slice):
            return self._slice(owner, node, node.slice, frame)
        key = self.evaluate(node.slice, frame)
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
            return self._interpreter.calls.builtins.data_text(deeper) or deeper
        if isinstance(owner, PathText) and number is not None:
            path = owner.path
            for _ in range(min(number, 20) + 1):
                path = posixpath.dirname(path)
            return PathText(path)
        if isinstance(thing, DictThing):
            if name is not None:
                found = thing.get(name)
                if found is not None:
                    return found
            elif thing.entries and not thing.rest:
                parts = tuple(value for _, value in thing.entries)
                return self._one_of(parts, key, node, frame)
            return self._named_item(self.as_opaque(owner, node, frame), name, key, node, frame)
        if isinstance(thing, ListThing) and number is not None:
            known = [i for i in thing.items if not is_run(i)]
            if len(known) < len(thing.items):  # a run moves what stands behind it
                known = [i for i in itertools.takewhile(lambda i: not is_run(i), thing.items) if not is_run(i)]
                number = number if number >= 0 else len(known)
            if -len(known) <= number < len(known):
                return known[number]
        if isinstance(owner, Lib | Method):
            owner = self._attribute_value(owner, node, frame)
        if isinstance(owner, Opaque):
            if owner.origin.kind is SourceKind.ENVIRONMENT and owner.lifetime is Lifetime.DEPLOYMENT:
                return replace(owner, expression=places.source(node), span=places.span(node))
            return self._named_item(owner, name, key, node, frame)
        return self._named_item(self.as_opaque(owner, node, frame), name, key, node, frame)

    def _one_of(self, values: tuple[Val, ...], key: Val, node: ast.expr, frame: Frame) -> Val:
        choose = self.choice(node, key, frame)
        result = values[0]
        for value in values[1 : self._interpreter.bounds.arms]:
            result = join_values(result, value, choose)
        return result

    def _named_item(self, owner: Opaque, name: str | None, key: Val, node: ast.expr, frame: Frame) -> Opaque:
        places = frame.module.places
        if name is not None:
            return self.member(owner, name, places.source(node), places.span(node))
        if owner.lifetime.known:
            return replace(owner, expression=places.source(node), span=places.span(node), name="")
        return self.derived(node, [key], frame) if isinstance(key, Opaque) else self.opaque(node, frame)

    def _slice(self, owner: Val, node: ast.Subscript, cut: ast.Slice, frame: Frame) -> Val:
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
        if isinstance(thing, ListThing) and frame.state is not None:
            if plain and not any(is_run(item) for item in thing.items):
                return frame.state.new(replace(thing, items=thing.items[slice(low, high)]))
            if plain and low == 1 and high is None and thing.items and not is_run(thing.items[0]):
                return frame.state.new(replace(thing, items=thing.items[1:]))
        value = self.as_opaque(owner, node, frame)
        if value.origin.kind is SourceKind.CLOCK and cut.lower is None:
            return self.clock(value, clocks.iso_slice_lifetime(high), frame)
        places = frame.module.places
        window = value.grows and cut.lower is not None
        return replace(
            value,
            expression=places.source(node),
            span=places.span(node),
            shape="window" if window else value.shape,
            name="",
        )

    # Displays and comprehensions

    def _items(self, elements: list[ast.expr], frame: Frame) -> tuple[Item, ...]:
        out: list[Item] = []
        for element in elements:
            value = self.evaluate(element, frame)
            if isinstance(element, ast.Starred):
                out.extend(self.items_of(value, frame, element.value))
            else:
                out.append(self.here(value, element, frame))
        return tuple(out)

    def items_of(self, value: Val, frame: Frame, node: ast.expr | None = None) -> tuple[Item, ...]:
        """The items of an iterable: known ones, or one ``Splat`` that stands at ``node``."""
        if node is not None:
            value = self.here(value, node, frame)
        thing = self._interpreter.thing(value, frame)
        if isinstance(thing, ListThing) and thing.unordered is None:
            return thing.items
        return (Splat(value),)

    def _on_List(self, node: ast.List, frame: Frame) -> Val:
        items = self._items(node.elts, frame)
        return NONE if frame.state is None else frame.state.new(ListThing(items))

    def _on_Tuple(self, node: ast.Tuple, frame: Frame) -> Val:
        items = self._items(node.elts, frame)
        return NONE if frame.state is None else frame.state.new(ListThing(items, kind="tuple"))

    def _on_Set(self, node: ast.Set, frame: Frame) -> Val:
        items = self._items(node.elts, frame)
        return NONE if frame.state is None else frame.state.new(self.as_set(ListThing(items), node, frame))

    def as_set(self, thing: ListThing, node: ast.expr, frame: Frame) -> ListThing:
        """A set of the same items: with two or more of them, iteration order differs from process to process."""
        if len(thing.items) <= 1 and not any(is_run(item) for item in thing.items):
            return replace(thing, kind="set")
        span = frame.module.places.span(node)
        inner = self._combine(node, self._item_opaques(thing.items, node, frame), frame)
        lifetime = inner.lifetime if inner.lifetime.varies else Lifetime.PROCESS
        origin = Origin(SourceKind.UNORDERED, (Hop("order is lost here", span),))
        mark = Opaque(frame.module.places.source(node), span, lifetime, origin, Confidence.HIGH, "list")
        return ListThing(thing.items, mark, "set")

    def _on_Dict(self, node: ast.Dict, frame: Frame) -> Val:
        thing = DictThing()
        rest: list[Val] = []
        for key_node, value_node in zip(node.keys, node.values, strict=True):
            value = self.here(self.evaluate(value_node, frame), value_node, frame)
            if key_node is None:
                inner = self._interpreter.thing(value, frame)
                if isinstance(inner, DictThing):
                    for name, item in inner.entries:
                        thing = thing.set(name, item)
                    rest.extend(inner.rest)
                else:
                    rest.append(value)
                continue
            key = self.evaluate(key_node, frame)
            text = strings.constant_text(key.segments) if isinstance(key, Str) else None
            if text is None and isinstance(key, Const):
                text = str(key.value)
            if text is None:
                rest.append(value)
            else:
                thing = thing.set(text, value)
        return NONE if frame.state is None else frame.state.new(replace(thing, rest=tuple(rest)))

    def _on_ListComp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, frame: Frame) -> Val:
        items = self._comprehension(
            node.generators, lambda inner: (self.here(self.evaluate(node.elt, inner), node.elt, inner),), frame
        )
        if frame.state is None:
            return NONE
        thing = ListThing(items)
        return frame.state.new(self.as_set(thing, node, frame) if isinstance(node, ast.SetComp) else thing)

    _on_GeneratorExp = _on_ListComp
    _on_SetComp = _on_ListComp

    def _on_DictComp(self, node: ast.DictComp, frame: Frame) -> Val:
        items = self._comprehension(
            node.generators, lambda inner: (self.evaluate(node.key, inner), self.evaluate(node.value, inner)), frame
        )
        values = tuple(self._item_opaques(items, node, frame))
        return NONE if frame.state is None else frame.state.new(DictThing((), values))

    def _comprehension(
        self, generators: list[ast.comprehension], produce: Callable[[Frame], tuple[Item, ...]], frame: Frame
    ) -> tuple[Item, ...]:
        """Items that a comprehension produces: one by one over known items, else ``Many`` over what it runs over."""
        generator, rest = generators[0], generators[1:]
        if frame.state is None:
            return ()
        over = self.evaluate(generator.iter, frame)
        known = self.known_items(over, frame)
        saved = dict(frame.state.variables)
        inner: Callable[[Frame], tuple[Item, ...]] = (
            produce if not rest else lambda f: self._comprehension(rest, produce, f)
        )
        out: list[Item] = []
        if known is not None and len(known) <= self._interpreter.bounds.unroll:
            for item in known:
                self._interpreter.assign(generator.target, item, frame)
                tests = [self.evaluate(test, frame) for test in generator.ifs]
                if any(self.truth(test, frame) is False for test in tests):
                    continue
                out.extend(inner(frame))
        else:
            item, source = loop_item(self._interpreter, generator.target, generator.iter, over, frame)
            self._interpreter.assign(generator.target, item, frame)
            for test in generator.ifs:
                self.evaluate(test, frame)
            produced = inner(frame)
            out.append(Many(produced, source))
        if frame.state is not None:
            frame.state.variables = saved
        return tuple(out)

    def known_items(self, value: Val, frame: Frame) -> list[Val] | None:
        """The items of an iterable, where each is known and their order is fixed; else None."""
        thing = self._interpreter.thing(value, frame)
        if isinstance(thing, ListThing) and thing.unordered is None and not any(is_run(item) for item in thing.items):
            return [item for item in thing.items if not is_run(item)]
        if isinstance(thing, DictThing) and not thing.rest:
            span = frame.module.file.span(0, 0)
            return [Str((Text(key, span),)) for key, _ in thing.entries if key]
        return None

    def joined(self, separator: Segments, value: Val, node: ast.expr, frame: Frame) -> Val:
        """``separator.join(value)``."""
        thing = self._interpreter.thing(value, frame)
        if not isinstance(thing, ListThing):
            return self.as_opaque(value, node, frame) if not isinstance(value, Str) else value
        if thing.unordered is not None:
            return thing.unordered
        out = self._join_items(separator, thing.items, node, frame)
        return self.bounded(out, node, frame)

    def _join_items(self, separator: Segments, items: tuple[Item, ...], node: ast.expr, frame: Frame) -> Segments:
        """Items with the separator in front of each, once something surely stands before it; else behind it."""
        out: list[Segments] = []
        begun = False
        for item in items:
            if isinstance(item, Many):
                body = self._join_items(separator, item.items, node, frame)
                out.append((repeat(_beside(separator, body, before=begun), item.over),))
            elif isinstance(item, Maybe):
                arms = (self._join_items(separator, arm, node, frame) for arm in item.arms)
                padded = tuple(dict.fromkeys(_beside(separator, arm, before=begun) if arm else () for arm in arms))
                c = item.choice
                out.append((Choice(padded, c.expression, c.span, c.lifetime, c.origin, c.confidence),))
            else:
                value = item.value if isinstance(item, Splat) else item
                if begun:
                    out.append(separator)
                out.append(self.own_segments(value, node, frame))
                begun = True
        return strings.concat(*out)


def _beside(separator: Segments, body: Segments, *, before: bool) -> Segments:
    return strings.concat(separator, body) if before else strings.concat(body, separator)


_MOST_HOPS = 6
_SHORT_TEXT = 40


def through(segments: Segments, expression: str, span: Span) -> Segments:
    """The values of a string filled in at ``span``: each records that it stands there through ``expression``."""
    out: list[Segment] = []
    for segment in segments:
        if isinstance(segment, Value) and len(segment.origin.hops) < _MOST_HOPS and segment.span != span:
            segment = replace(segment, origin=segment.origin.passed(f"part of the prompt through `{expression}`", span))
        elif isinstance(segment, Choice):
            segment = replace(segment, arms=tuple(through(arm, expression, span) for arm in segment.arms))
        elif isinstance(segment, Repeat):
            segment = replace(segment, body=through(segment.body, expression, span))
        out.append(segment)
    return tuple(out)


_SURE = frozenset({SourceKind.CLOCK, SourceKind.ID, SourceKind.RANDOM})


def _presence(test: ast.expr) -> bool:
    """Whether a test only asks if something is there (``if context:``, ``x is None``, ``len(x) > 0``)."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _presence(test.operand)
    if isinstance(test, ast.BoolOp):
        return all(_presence(value) for value in test.values)
    if isinstance(test, ast.Compare):
        sides = (test.left, *test.comparators)
        if any(isinstance(op, ast.Is | ast.IsNot) for op in test.ops):
            return True
        return any(isinstance(s, ast.Call) and isinstance(s.func, ast.Name) and s.func.id == "len" for s in sides)
    if isinstance(test, ast.Call):
        name = (
            test.func.id
            if isinstance(test.func, ast.Name)
            else test.func.attr
            if isinstance(test.func, ast.Attribute)
            else ""
        )
        return name in ("bool", "len", "isinstance", "hasattr", "exists", "is_file", "strip", "any", "all", "get")
    return isinstance(test, ast.Name | ast.Attribute | ast.Subscript | ast.NamedExpr | ast.Await)


def _is_short(value: Val) -> bool:
    """Whether a value is a short fixed text, such as what stands in for a missing value."""
    text = strings.constant_text(value.segments) if isinstance(value, Str) else None
    return text is not None and len(text) < _SHORT_TEXT


def _arithmetic(operator: ast.operator, left: object, right: object) -> Const:
    if isinstance(left, int) and isinstance(right, int) and abs(left) < 10**9 and abs(right) < 10**9:
        if isinstance(operator, ast.Add):
            return Const(left + right)
        if isinstance(operator, ast.Sub):
            return Const(left - right)
        if isinstance(operator, ast.Mult):
            return Const(left * right)
    return Const(0)


def _at(node: ast.Name, field: Field, frame: Frame) -> ast.expr:
    """A name inside an f-string field, at its true place."""
    text = frame.module.file.text
    start = field.expr_start
    while start < field.expr_end and text[start] in " \t\r\n(":
        start += 1
    position = frame.module.file.position(start)
    line_start = frame.module.file.line_starts[position.line - 1]
    column = len(text[line_start:start].encode("utf-8", "surrogatepass"))
    copy = ast.Name(node.id, node.ctx)
    copy.lineno, copy.col_offset = position.line, column
    copy.end_lineno, copy.end_col_offset = position.line, column + len(node.id.encode())
    return copy


def _reparse(field: Field, frame: Frame) -> ast.expr | None:
    text = frame.module.file.text
    source = text[field.expr_start : field.expr_end]
    try:
        tree = ast.parse(f"({source})", mode="eval").body
    except (SyntaxError, ValueError):
        return None
    position = frame.module.file.position(field.expr_start)
    line_start = frame.module.file.line_starts[position.line - 1]
    shift = len(text[line_start : field.expr_start].encode("utf-8", "surrogatepass")) - 1
    for node in ast.walk(tree):
        if isinstance(node, ast.expr | ast.keyword | ast.arg):
            if node.lineno == 1:
                node.col_offset += shift
            if node.end_lineno == 1 and node.end_col_offset is not None:
                node.end_col_offset += shift
            node.lineno += position.line - 1
            if node.end_lineno is not None:
                node.end_lineno += position.line - 1
    return tree
