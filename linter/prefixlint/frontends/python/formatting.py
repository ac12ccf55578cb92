"""Strings: literals, f-strings, and what ``str(value)`` gives, as segments with their places."""

from __future__ import annotations

import ast
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python import strings
from prefixlint.frontends.python.frames import lift
from prefixlint.frontends.python.judging import MOST_HOPS, Judging
from prefixlint.frontends.python.literals import Field, LiteralError, LiteralText, read_literal
from prefixlint.frontends.python.sizes import too_large
from prefixlint.frontends.python.values import (
    EMPTY,
    NONE,
    BufferThing,
    Choose,
    Const,
    Func,
    Lambda,
    ListThing,
    ObjectThing,
    Opaque,
    PathText,
    PromptThing,
    Ref,
    Str,
    is_run,
)
from prefixlint.frontends.python.written_data import DEEPEST_DATA, Printed, written_data, written_text
from prefixlint.knowledge import clocks
from prefixlint.model.lifetimes import Confidence, Hop, HopKind, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Choice, Repeat, Text, Value, merge_text, rebuilt, walk

if TYPE_CHECKING:
    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.literals import Piece
    from prefixlint.frontends.python.values import Val
    from prefixlint.model.segments import Segment
    from prefixlint.model.sources import Span


Segments = tuple["Segment", ...]


class Formatting(Judging):
    """Evaluation of string expressions."""

    # Segments of a value

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
            return (Text(strings.printed_constant(value.value), places.span(node)),)
        if isinstance(value, Choose):
            arms = [arm for arm in value.values if arm != NONE] or list(value.values)
            done = tuple(dict.fromkeys(self.own_segments(arm, node, frame) for arm in arms))
            if len(done) == 1:
                return done[0]
            v = value
            return (Choice(done, v.expression, v.span, v.lifetime, v.origin, v.confidence, v.drift),)
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
                result = self._interpreter.calls.functions.call(Func(method, value), [], {}, node, frame)
                return None if isinstance(result, Ref) else self.segments(result, node, frame)
        return None

    def address(self, value: Val, node: ast.expr, frame: Frame, depth: int = 0) -> Opaque | None:
        """The default ``repr`` of a function or an object, alone or in a list: it shows where it stands in memory."""
        thing = self._interpreter.thing(value, frame)
        if isinstance(thing, ListThing):
            if depth > DEEPEST_DATA:  # a list can hold itself
                return None
            known = (self.address(item, node, frame, depth + 1) for item in thing.items if not is_run(item))
            return next((address for address in known if address is not None), None)
        if isinstance(thing, ObjectThing):
            if not self._interpreter.lookup.prints_address(thing.info):
                return None
            kept = isinstance(value, Ref) and self._interpreter.lookup.base_heap.get(value.id) is not None
            lifetime = Lifetime.PROCESS if kept else lift(Lifetime.REQUEST, frame.moment)
        elif isinstance(value, Func | Lambda):
            lifetime = Lifetime.PROCESS
        else:
            return None
        span = frame.module.places.span(node)
        origin = Origin(SourceKind.IDENTITY, (Hop(HopKind.ADDRESS, span),))
        return Opaque(frame.module.places.source(node), span, lifetime, origin, Confidence.HIGH)

    @staticmethod
    def value(opaque: Opaque, expression: str, span: Span) -> Value:
        """An opaque value as a segment at ``span``; where it came from elsewhere, its origin says so."""
        origin = opaque.origin
        if opaque.span != span and opaque.lifetime is not Lifetime.CONSTANT and not opaque.name:
            kind = HopKind.PASSED if origin.hops else HopKind.CREATED
            if not any(hop.span == opaque.span for hop in origin.hops):
                origin = Origin(origin.kind, (*origin.hops, Hop(kind, opaque.span, opaque.expression)))
        return Value(
            expression,
            span,
            opaque.lifetime,
            origin,
            opaque.confidence,
            opaque.shape,
            opaque.name,
            opaque.grows,
            None if opaque.drift is not None and opaque.drift.kind == "tail" else opaque.drift,
        )

    def placed(self, value: Val, expression: str, span: Span, node: ast.expr, frame: Frame) -> Segments:
        """The segments of a value that is filled in at ``span``: fixed text keeps its own place, values stand here."""
        if isinstance(value, Const):
            return (Text(strings.printed_constant(value.value), span),) if value.value != "" else ()
        if isinstance(value, Str) and len(value.segments) == 1 and isinstance(value.segments[0], Value):
            return (self.rehomed(value.segments[0], expression, span),)
        address = self.address(value, node, frame)
        if address is not None:
            return (self.value(address, expression, span),)
        thing = self._interpreter.thing(value, frame)
        if isinstance(value, Str | Choose) or isinstance(thing, BufferThing | PromptThing | ObjectThing):
            segments = self.segments(value, node, frame)
            only = segments[0] if len(segments) == 1 else None
            if isinstance(only, Choice) and _only_values(only):
                # One of several values, and no text that any of them stands in: whichever it is, it stands here.
                return rebuilt(through(segments, expression, span), lambda s: (self._standing(s, expression, span),))
            return through(segments, expression, span)
        written = written_data(self._interpreter, value, Printed(), node, frame)
        return written or (self.value(self.as_opaque(value, node, frame), expression, span),)

    @staticmethod
    def rehomed(segment: Value, expression: str, span: Span) -> Value:
        """A value that is a whole string by itself, shown where that string is filled in."""
        if segment.span == span:
            return segment
        hop = Hop(HopKind.CREATED, segment.span, segment.expression)
        origin = segment.origin
        if not any(known.span == hop.span for known in origin.hops) and not segment.name:
            origin = Origin(origin.kind, (*origin.hops, hop))
        return replace(segment, expression=expression, span=span, origin=origin)

    def _standing(self, segment: Text | Value, expression: str, span: Span) -> Text | Value:
        if not isinstance(segment, Value) or span.contains(segment.span):
            return segment
        return self.rehomed(segment, expression, span)

    def formatted(self, value: Val, conversion: str, spec: str, node: ast.expr, frame: Frame) -> Val:
        """A value under a conversion and a format specification: ``!r`` puts quotation marks around a text, and the
        pattern of a clock decides its lifetime."""
        if conversion == "r":
            value = self.represented(value, node, frame)
        if not spec or not isinstance(value, Opaque):
            return value
        if value.origin.kind is SourceKind.CLOCK and "%" in spec:
            return self.clock(value, clocks.clock_format(spec)[0], frame)
        return value

    def represented(self, value: Val, node: ast.expr, frame: Frame) -> Val:
        """``repr(value)`` of a text that holds fixed text; others as they are."""
        if not isinstance(value, Str) or all(isinstance(segment, Value) for segment in value.segments):
            return value
        return Str(written_text(self._interpreter, value, node, frame))

    def bounded(self, segments: Segments, node: ast.expr, frame: Frame) -> Val:
        """A string, or an unknown value where it is larger than the analysis follows."""
        if len(segments) > self._interpreter.bounds.segments or too_large(segments):
            return self.opaque(node, frame)
        return Str(segments)

    # Literals

    def _on_Constant(self, node: ast.Constant, frame: Frame) -> Val:
        known = self._facts.constants.get(node)
        if known is None:
            known = self._facts.constants[node] = self._constant(node, frame)
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
        path = self._path(node, frame)
        if path is not None:
            return path
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

    def _path(self, node: ast.JoinedStr, frame: Frame) -> PathText | None:
        """``f"{folder}/prompts/{name}.txt"``: a path below a folder of the project, or None."""
        first, rest = node.values[0] if node.values else None, node.values[1:]
        if not isinstance(first, ast.FormattedValue) or not isinstance(first.value, ast.Name | ast.Attribute):
            return None
        after = rest[0].value if rest and isinstance(rest[0], ast.Constant) else ""
        if not isinstance(after, str) or not after.startswith("/"):
            return None
        folder = self.evaluate(first.value, frame)
        if not isinstance(folder, PathText):
            return None
        parts = [folder.path]
        for part in rest:
            if isinstance(part, ast.Constant):
                parts.append(str(part.value))
                continue
            value = self.evaluate(part.value, frame) if isinstance(part, ast.FormattedValue) else NONE
            text = strings.constant_text(value.segments) if isinstance(value, Str) else None
            if text is None:
                return None
            parts.append(text)
        return PathText("".join(parts))

    def _read_pieces(self, node: ast.JoinedStr, fields: int, frame: Frame) -> tuple[Piece, ...] | None:
        """The literal's pieces, or None where they could not be read as ``ast`` did."""
        if node not in self._facts.pieces:
            places = frame.module.places
            pieces: tuple[Piece, ...] | None
            try:
                pieces = read_literal(frame.module.file, places.start(node), places.end(node))
            except LiteralError:
                pieces = None
            if pieces is not None and sum(isinstance(p, Field) for p in pieces) != fields:
                pieces = None
            self._facts.pieces[node] = pieces
        return self._facts.pieces[node]

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

    def _field_expression(self, field: Field, node: ast.FormattedValue, frame: Frame) -> ast.expr:
        """The field's expression with true positions (``ast`` gives wrong ones inside f-strings before Python 3.12)."""
        known = self._facts.placed.get(node)
        if known is None:
            if isinstance(node.value, ast.Name):
                known = _at(node.value, field, frame)
            elif sys.version_info >= (3, 12):
                known = node.value
            else:
                known = _reparse(field, frame) or node.value
            self._facts.placed[node] = known
        return known


def through(segments: Segments, expression: str, span: Span) -> Segments:
    """A string filled in at ``span``: its values and decisions record that they stand there through ``expression``."""
    out: list[Segment] = []
    for segment in segments:
        if not isinstance(segment, Text) and len(segment.origin.hops) < MOST_HOPS and segment.span != span:
            segment = replace(segment, origin=segment.origin.passed(HopKind.PART, span, expression))
        if isinstance(segment, Choice):
            segment = replace(segment, arms=tuple(through(arm, expression, span) for arm in segment.arms))
        elif isinstance(segment, Repeat):
            segment = replace(segment, body=through(segment.body, expression, span))
        out.append(segment)
    return tuple(out)


def _only_values(choice: Choice) -> bool:
    return all(isinstance(segment, Value | Choice) for segment in walk((choice,)))


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
