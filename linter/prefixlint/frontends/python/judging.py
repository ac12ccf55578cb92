"""What is known of a value as a whole: its lifetime, its origin, whether it holds."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python import strings
from prefixlint.frontends.python.frames import lift
from prefixlint.frontends.python.guards import is_system
from prefixlint.frontends.python.loops import settled_opaque
from prefixlint.frontends.python.naming import named, of_library, part_of
from prefixlint.frontends.python.newest import rows_of
from prefixlint.frontends.python.prompt_text import is_prompt_name
from prefixlint.frontends.python.sizes import too_large
from prefixlint.frontends.python.values import (
    CONFIGURED,
    DATA,
    NONE,
    RUN,
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
    Ref,
    Splat,
    Str,
    Super,
    is_run,
)
from prefixlint.knowledge import clocks
from prefixlint.knowledge.libraries import Source, libraries
from prefixlint.knowledge.names import carries, expression_words, is_per_run, meaning, split_words
from prefixlint.model.lifetimes import Confidence, Hop, HopKind, Lifetime, Origin, SourceKind, shortest
from prefixlint.model.segments import Text, Value, walk

if TYPE_CHECKING:
    from collections.abc import Callable

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.values import Item, Val
    from prefixlint.model.segments import Segment
    from prefixlint.model.sources import Span


_DATETIMES = ("datetime.datetime", "datetime.date", "time.struct_time")
_SURE = frozenset({SourceKind.CLOCK, SourceKind.ID, SourceKind.RANDOM, SourceKind.SHUFFLED, SourceKind.IDENTITY})
MOST_HOPS = 6
_TELLING = 24  # characters of fixed text
_MOST_FIELDS = 12
# Values that are the same whenever the program runs.
_FIXED = frozenset({Const, Class, Module, Func, Lambda, Partial, PathText, Super, FileData})


# Expressions that can make a string larger than what they are made of.
_BUILDING = frozenset({ast.BinOp, ast.JoinedStr, ast.Call, ast.IfExp, ast.BoolOp})


class Judging:
    """Evaluation by the kind of expression, and the judgement of any value as one opaque value."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter
        self._visiting: set[int] = set()
        self._handlers: dict[type[ast.expr], Callable[[ast.expr, Frame], Val]] = {}
        self._facts = interpreter.node_facts

    def evaluate(self, node: ast.expr, frame: Frame) -> Val:
        """The value of an expression; ``Opaque`` with an unknown lifetime where nothing is known."""
        self._interpreter.step()
        method = self._handlers.get(type(node))
        if method is None:
            kind = type(node)
            method = self._handlers[kind] = getattr(self, f"_on_{kind.__name__}", self.opaque)
        value = method(node, frame)
        if type(value) is Str and type(node) in _BUILDING and too_large(value.segments):
            return self.opaque(node, frame)
        return value

    # Opaque values

    def opaque(self, node: ast.expr, frame: Frame) -> Opaque:
        """An unknown value that stands at ``node`` (remembered: the same code is run many times)."""
        found = self._facts.unknown.get(node)
        if found is None:
            places = frame.module.places
            found = self._facts.unknown[node] = Opaque(places.source(node), places.span(node))
        return found

    def fixed(self, node: ast.expr, frame: Frame) -> Opaque:
        """A constant that stands at ``node``."""
        found = self._facts.fixed.get(node)
        if found is None:
            base = self.opaque(node, frame)
            found = base.but(lifetime=Lifetime.CONSTANT, origin=CONFIGURED, confidence=Confidence.HIGH)
            self._facts.fixed[node] = found
        return found

    def derived(self, node: ast.expr, parts: list[Val], frame: Frame) -> Opaque:
        """A value computed from ``parts`` in a way that is not followed: as short-lived as the shortest-lived."""
        found = [self.as_opaque(part, node, frame) for part in parts]
        return self.combined(node, found, frame)

    def combined(self, node: ast.expr, found: list[Opaque], frame: Frame) -> Opaque:
        """Opaque values together: as short-lived as the shortest-lived, which gives its origin. None: unknown."""
        if not found:
            return self.opaque(node, frame)
        lifetime = shortest([value.lifetime for value in found])
        if not lifetime.known:
            return self.opaque(node, frame)
        if lifetime is Lifetime.CONSTANT:
            return self.fixed(node, frame)
        leading = [v for v in found if v.lifetime is lifetime] or found
        lead = next((v for v in leading if v.drift is not None and v.drift.kind != "counted"), leading[0])
        counted = next((v.drift for v in found if v.drift is not None and v.drift.kind == "counted"), None)
        # Of one open part alone, the caller decides what it looks like.
        alone = bool(lead.name) and sum(value.lifetime is not Lifetime.CONSTANT for value in found) == 1
        return self.opaque(node, frame).but(
            lifetime=lifetime,
            origin=lead.origin,
            confidence=lead.confidence,
            grows=lead.grows and lead.origin.kind is SourceKind.HISTORY,
            shape=None if alone or lead.shape == "catalogue" else lead.shape,
            drift=lead.drift or counted,
        )

    def as_opaque(self, value: Val, node: ast.expr, frame: Frame) -> Opaque:
        """Lifetime and origin of any value, as one opaque value that stands at ``node``."""
        if isinstance(value, Opaque):
            return value
        if type(value) in _FIXED:
            return self.fixed(node, frame)
        if isinstance(value, Str):
            return self._of_segments(value.segments, self.opaque(node, frame))
        if isinstance(value, Choose):
            parts = [self.as_opaque(arm, node, frame) for arm in value.values if arm != NONE]
            return self.combined(node, parts, frame)
        if isinstance(value, Method | Lib):
            return self.attribute_value(value, node, frame)
        base = self.opaque(node, frame)
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
                return base.but(lifetime=Lifetime.CONSTANT, confidence=Confidence.HIGH)
            return self.combined(node, self.item_opaques(thing.items, node, frame), frame)
        if isinstance(thing, DictThing):
            parts = [self.as_opaque(v, node, frame) for _, v in thing.entries] + [
                self.as_opaque(v, node, frame) for v in thing.rest
            ]
            if not parts:
                return base if thing.kept else base.but(lifetime=Lifetime.CONSTANT)
            return self.combined(node, parts, frame)
        if isinstance(thing, BufferThing):
            return self._of_segments(thing.text.segments, base)
        if isinstance(thing, ObjectThing) and thing.whole is not None:
            return thing.whole.but(expression=base.expression, span=base.span)
        if isinstance(thing, ObjectThing) and self._is_written_out(thing, node, frame):
            return self.fixed(node, frame)
        return base

    def _is_written_out(self, thing: ObjectThing, node: ast.expr, frame: Frame) -> bool:
        """Whether an object is a record without methods, all of whose fields are constants."""
        fields = thing.attributes.values()
        return (
            0 < len(fields) <= _MOST_FIELDS
            and not any(info.methods for info in self._interpreter.lookup.ancestry(thing.info))
            and all(self.as_opaque(value, node, frame).lifetime is Lifetime.CONSTANT for value in fields)
        )

    def item_opaques(self, items: tuple[Item, ...], node: ast.expr, frame: Frame) -> list[Opaque]:
        out: list[Opaque] = []
        for item in items:
            if isinstance(item, Splat):
                out.append(self.as_opaque(item.value, node, frame))
            elif isinstance(item, Many):
                out.append(item.over)
                out.extend(settled_opaque(v, item.over) for v in self.item_opaques(item.items, node, frame))
            elif isinstance(item, Maybe):
                for arm in item.arms:
                    out.extend(self.item_opaques(arm, node, frame))
            else:
                out.append(self.as_opaque(item, node, frame))
        return out

    def _of_segments(self, segments: tuple[Segment, ...], base: Opaque) -> Opaque:
        values = [s for s in walk(segments) if not isinstance(s, Text)]
        lifetime = shortest([s.lifetime for s in values])
        lead = next((s for s in values if s.lifetime is lifetime), None)
        if lead is None:
            return base.but(lifetime=lifetime, origin=CONFIGURED, confidence=Confidence.HIGH)
        grows = any(isinstance(s, Value) and s.grows for s in values)
        drift = next((s.drift for s in values if s.drift is not None and s.lifetime is lifetime), None)
        origin = lead.origin
        text = next((s for s in segments if isinstance(s, Text) and len(s.text.strip()) >= _TELLING), None)
        if text is not None and len(origin.hops) < MOST_HOPS:
            origin = origin.passed(HopKind.IN_TEXT, text.span())
        return base.but(lifetime=lifetime, origin=origin, confidence=lead.confidence, grows=grows, drift=drift)

    # Library names and attributes

    def attribute_value(self, value: Method | Lib, node: ast.expr, frame: Frame) -> Opaque:
        """A library name or an attribute of an opaque value, read and not called."""
        places = frame.module.places
        if isinstance(value, Lib):
            entry = libraries().at_path(value.path)
            if isinstance(entry, Source):
                return self.from_source(entry, node, frame)
            return self.below(value.path, node, frame) or of_library(
                value.path.rpartition(".")[2], places.source(node), places.span(node)
            )
        owner, span = value.owner, value.span or places.span(node)
        if isinstance(owner, Lib | Method):
            owner = self.attribute_value(owner, node, frame)
        if isinstance(owner, Opaque):
            if owner.type in _DATETIMES and value.name in clocks.ATTRIBUTES:
                return replace(
                    self.clock(owner, clocks.ATTRIBUTES[value.name], frame),
                    expression=value.expression,
                    span=span,
                )
            return rows_of(owner, value.name, self.member(owner, value.name, value.expression, span))
        suggested = named(value.name, value.expression, span)
        if suggested.lifetime.known:
            return suggested
        return self.as_opaque(owner, node, frame) if isinstance(owner, Str | Ref) else suggested

    def read(self, value: Val, node: ast.expr, frame: Frame) -> Val:
        """A value that is no longer called: an attribute of something opaque as what it holds."""
        return self.attribute_value(value, node, frame) if isinstance(value, Lib | Method) else value

    def below(self, path: str, node: ast.expr, frame: Frame) -> Opaque | None:
        """An attribute of an object whose attributes all give what it holds (``flask.request.json``), or None."""
        found = libraries().below(path)
        if found is None:
            return None
        places = frame.module.places
        value = self.from_source(found[0], node, frame)
        for name in path.removeprefix(found[1]).split(".")[1:]:
            value = self.member(value, name, places.source(node), places.span(node))
        return value

    @staticmethod
    def member(owner: Opaque, name: str, expression: str, span: Span) -> Opaque:
        """An attribute or item of an opaque value: as short-lived as its owner, else what its own name suggests."""
        if is_per_run(name):
            return Opaque(expression, span)
        suggested = named(name, expression, span)
        if owner.type == RUN:
            return _of_run(owner, suggested, name)
        if expression == f"{owner.expression}.{name}" and carries(owner.expression.rpartition(".")[2], name):
            return suggested
        if owner.type == DATA and owner.lifetime.known and not is_prompt_name(name):
            # A record of a data file: what its fields hold is in no name.
            varies = owner.lifetime.varies
            # The whole file that a command names is the same one for all that it sends.
            named_by_command = owner.origin.kind is SourceKind.ENVIRONMENT and owner.lifetime is Lifetime.PROCESS
            plain = suggested.origin.kind in (SourceKind.PARAMETER, SourceKind.CONFIGURATION)
            if plain or varies or named_by_command:
                kind = owner.origin.kind if varies or named_by_command else suggested.origin.kind
                return suggested.but(
                    lifetime=owner.lifetime,
                    origin=Origin(kind, owner.origin.hops),
                    confidence=owner.confidence,
                    type=DATA,
                    grows=False,
                )
        if not owner.lifetime.known:
            known = part_of(f"{owner.expression}.{name}")
            if known is not None:
                return suggested.but(lifetime=known.lifetime, origin=Origin(known.kind), grows=known.grows)
        # Of a clock or an id no part is configuration; of what holds one among other things a part may be.
        own = owner.confidence is Confidence.CERTAIN and "_" not in name
        if suggested.origin.kind is SourceKind.CONFIGURATION and not own:
            return suggested
        if owner.origin.kind is SourceKind.CONFIGURATION and suggested.origin.kind is not SourceKind.ID:
            return suggested.but(
                lifetime=owner.lifetime,
                origin=owner.origin,
                confidence=owner.confidence,
                shape="word",
                grows=False,
            )
        if owner.lifetime.varies or (owner.lifetime.known and not suggested.lifetime.known):
            kind = owner.origin.kind
            if suggested.origin.kind is SourceKind.HISTORY:
                return suggested.but(lifetime=owner.lifetime, origin=Origin(suggested.origin.kind, owner.origin.hops))
            if _is_state(owner) and meaning(name, loose=False).kind is SourceKind.RETRIEVAL:
                # What was looked up is for the turn; the state of a graph that holds it goes on.
                return suggested.but(lifetime=Lifetime.TURN, origin=Origin(SourceKind.RETRIEVAL, owner.origin.hops))
            return suggested.but(
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
        asked = source.live or (source.in_loops and self._interpreter.loops.inside)
        # What a script asks for once lasts for its run, as long as a session.
        moment = Lifetime.SESSION if source.in_loops and frame.moment.rank > Lifetime.SESSION.rank else frame.moment
        lifetime = source.lifetime if asked else lift(source.lifetime, moment)
        origin = Origin(source.kind, (Hop(HopKind.CREATED, span),))
        return Opaque(
            places.source(node),
            span,
            lifetime,
            origin,
            Confidence.CERTAIN if source.kind in _SURE else Confidence.HIGH,
            source.shape,
            source.type,
        )

    def clock(self, value: Opaque, lifetime: Lifetime, frame: Frame, type_: str = "") -> Opaque:
        """A clock value of which only what lives this long is kept; a value that is fixed longer already stays so."""
        longer = lifetime if lifetime.rank > value.lifetime.rank or not value.lifetime.known else value.lifetime
        shape = {Lifetime.DAY: "date", Lifetime.HOUR: "date"}.get(lifetime, value.shape)
        return value.but(lifetime=lift(longer, frame.moment), shape=shape, type=type_)

    def printed_clock(self, value: Opaque, pattern: Val, frame: Frame) -> Opaque | None:
        """A clock value printed with a strftime pattern, or the finest of those that it may be; None where that is not
        known."""
        arms = pattern.values if isinstance(pattern, Choose) else (pattern,)
        given = [strings.fixed_texts(arm.segments) if isinstance(arm, Str) else None for arm in arms]
        texts = [text for arm in given if arm is not None for text in arm]
        if not texts or None in given:
            return None
        return self.clock(value, shortest(clocks.clock_format(text)[0] for text in texts), frame)

    # Conditions and places

    def choice(self, test: ast.expr, condition: Val, frame: Frame) -> Choose:
        """The choice that a test makes.

        Whether a value is there at all is a matter of configuration: unknown, not volatile.
        """
        places = frame.module.places
        value = self.as_opaque(condition, test, frame)
        drift = value.drift if value.drift is not None and value.drift.kind == "counted" else None
        if is_system(test):
            # Whichever message it is, the system's is the same one each time.
            span = places.span(test)
            return Choose((), places.source(test), span, Lifetime.DEPLOYMENT, CONFIGURED, Confidence.LOW)
        if _presence(test, lambda part: _asks_for_key(part, frame)):
            return Choose((), places.source(test), places.span(test), drift=drift)
        origin = Origin(SourceKind.CONDITIONAL, value.origin.hops)
        return Choose((), places.source(test), places.span(test), value.lifetime, origin, value.confidence, drift)

    def truth(self, value: Val, frame: Frame) -> bool | None:
        """Whether a condition is known to hold."""
        if isinstance(value, Const):
            return bool(value.value)
        if isinstance(value, Str):
            if not value.segments:
                return False
            return True if any(isinstance(s, Text) for s in value.segments) else None
        thing = self._interpreter.thing(value, frame)
        if isinstance(thing, ListThing) and any(not is_run(item) for item in thing.items):
            return True
        if isinstance(thing, ListThing) and thing.kind == "frozenset" and not thing.items:
            return False  # Nobody can add to it.
        if isinstance(thing, DictThing) and thing.entries:
            return True
        return True if isinstance(value, Func | Class | Module | Lambda) else None

    def here(self, value: Val, node: ast.expr, frame: Frame) -> Val:
        """An opaque value as it stands at ``node``, where a list, a message or a call takes it in."""
        if isinstance(value, Method) and isinstance(node, ast.Attribute):
            return Method(value.owner, value.name, value.expression, frame.module.places.span(node))
        if not isinstance(value, Opaque):
            return value
        places = frame.module.places
        span = places.span(node)
        if span is value.span or span == value.span:
            return value
        origin = value.origin
        travels = value.lifetime is not Lifetime.CONSTANT and len(origin.hops) < MOST_HOPS and not value.name
        if travels and not any(hop.span == value.span for hop in origin.hops):
            origin = origin.passed(HopKind.CREATED, value.span, value.expression)
        return value.but(expression=places.source(node), span=span, origin=origin)


def _is_state(owner: Opaque) -> bool:
    """Whether a value is the state of a conversation, by its name."""
    last = split_words(owner.expression.rpartition(".")[2])[-1:]
    return owner.lifetime is Lifetime.SESSION and not expression_words().states.isdisjoint(last)


def _of_run(owner: Opaque, suggested: Opaque, name: str) -> Opaque:
    """A part of what an agent gives a function of a run, which ``suggested`` tells by its name alone: its state, or a
    field of that, which lasts as long as the session where its name says nothing else."""
    state = name in libraries().handlers.run_state
    told = suggested.lifetime.known and suggested.origin.kind is not SourceKind.ID
    if not state and (told or not owner.lifetime.known):
        return suggested
    origin = Origin(SourceKind.SESSION, owner.origin.hops)
    type_ = RUN if state else ""
    return suggested.but(lifetime=Lifetime.SESSION, origin=origin, confidence=Confidence.HIGH, type=type_, grows=False)


def _asks_for_key(test: ast.Compare, frame: Frame) -> bool:
    """Whether a test asks for a key of something of which the function takes what stands under it: ``"data" in found``
    beside ``found["data"]``."""
    key, over = test.left, test.comparators[0]
    if not isinstance(key, ast.Constant) or not isinstance(test.ops[0], ast.In | ast.NotIn):
        return False
    nodes = frame.module.own_nodes if frame.function is None else frame.function.own_nodes
    taken = (n for n in nodes.of(ast.Subscript) if isinstance(n.slice, ast.Constant) and n.slice.value == key.value)
    source = frame.module.places.source
    return any(source(node.value) == source(over) for node in taken)


def _presence(test: ast.expr, asks_for_key: Callable[[ast.Compare], bool]) -> bool:
    """Whether a test only asks if something is there (``if context:``, ``x is None``, ``len(x) > 0``)."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _presence(test.operand, asks_for_key)
    if isinstance(test, ast.BoolOp):
        return all(_presence(value, asks_for_key) for value in test.values)
    if isinstance(test, ast.Compare):
        if asks_for_key(test):
            return True
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
