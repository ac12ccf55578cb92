"""From message lists, messages and content parts to the blocks of a request."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python import strings
from prefixlint.frontends.python.attached import attachment, is_attachment, of_attachments
from prefixlint.frontends.python.blocks import (
    as_history,
    behind_reply,
    either,
    optional,
    say_the_same,
    span_of,
    weight,
    whole,
)
from prefixlint.frontends.python.conversations import counting, rewritten, told_by_roles
from prefixlint.frontends.python.loops import REPLIES, repeat
from prefixlint.frontends.python.passes import is_same_in_each
from prefixlint.frontends.python.syntax import last_name
from prefixlint.frontends.python.values import (
    NONE,
    Choose,
    DictThing,
    ListThing,
    Many,
    Maybe,
    ObjectThing,
    Opaque,
    PromptThing,
    Ref,
    Splat,
    Str,
    is_run,
)
from prefixlint.knowledge.names import meaning, split_words
from prefixlint.knowledge.roles import begins_pair, names_of, standard_role
from prefixlint.model.lifetimes import Confidence, HopKind, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Drift, Value, merge_text, rebuilt, walk
from prefixlint.model.templates import SYSTEM_ROLES, Block

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.values import Item, Val
    from prefixlint.model.segments import Segment
    from prefixlint.model.templates import Component

# What is new whenever it is made.
_MADE = frozenset({SourceKind.ID, SourceKind.RANDOM, SourceKind.CLOCK})


class Messages:
    """Builds blocks of message lists, messages and their content."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter
        self._visiting: set[int] = set()
        self.requests: int = 0
        """How many have been sent so far."""

    def is_messages(self, value: Val, frame: Frame) -> bool:
        """Whether a value is a list that holds at least one message."""
        if isinstance(value, Choose):
            return any(self.is_messages(arm, frame) for arm in value.values)
        thing = self._interpreter.thing(value, frame)
        return isinstance(thing, ListThing) and any(self._has_message(item, frame) for item in thing.items)

    def is_message(self, value: Item, frame: Frame) -> bool:
        """Whether a value is a message by itself."""
        record = self._record(value, frame)
        if record is None or record.get("role") is None:
            return False
        return record.get("content") is not None or record.get("parts") is not None or bool(record.rest)

    def _record(self, value: Item, frame: Frame) -> DictThing | None:
        """A dictionary, or an instance of a project class seen as one (message and content classes of the project)."""
        if isinstance(value, Splat | Many | Maybe):
            return None
        thing = self._interpreter.thing(value, frame)
        if isinstance(thing, DictThing):
            return thing
        return DictThing(tuple(thing.attributes.items())) if isinstance(thing, ObjectThing) else None

    def _has_message(self, item: Item, frame: Frame) -> bool:
        if isinstance(item, Splat):
            return False
        if isinstance(item, Many):
            return any(self._has_message(inner, frame) for inner in item.items)
        if isinstance(item, Maybe):
            return any(self._has_message(inner, frame) for arm in item.arms for inner in arm)
        if isinstance(item, Choose):
            return any(self._has_message(arm, frame) for arm in item.values)
        thing = self._interpreter.thing(item, frame)
        if isinstance(thing, ListThing) and thing.kind == "tuple" and len(thing.items) == 2:
            first = thing.items[0]
            role = strings.constant_text(first.segments) if isinstance(first, Str) else None
            return begins_pair(role)
        if isinstance(thing, PromptThing):
            return any(block.role in ("system", "user", "assistant") for block in thing.blocks)
        return self.is_message(item, frame)

    def blocks(self, value: Val, node: ast.expr, frame: Frame, role: str) -> list[Block]:
        """Blocks of a ``messages`` or ``prompt`` argument; ``role`` is that of a plain string."""
        if not isinstance(value, Ref):
            return self._blocks(value, node, frame, role)
        if value.id in self._visiting:
            return []
        self._visiting.add(value.id)  # a list can hold itself
        try:
            return self._blocks(value, node, frame, role)
        finally:
            self._visiting.discard(value.id)

    def _blocks(self, value: Val, node: ast.expr, frame: Frame, role: str) -> list[Block]:
        span = frame.module.places.span(node)
        expressions = self._interpreter.expressions
        value = expressions.iterated(value, node, frame)
        thing = self._interpreter.thing(value, frame)
        if isinstance(value, Choose):
            return either([self.blocks(arm, node, frame, role) for arm in value.values if arm != NONE], value)
        if isinstance(thing, PromptThing):
            return list(thing.blocks)
        if isinstance(thing, ListThing):
            if self._continues(thing, frame):
                return [
                    *self._item_blocks(thing.sent, node, frame, role),
                    *self._behind(thing.items[len(thing.sent) :], node, frame, role),
                ]
            return behind_reply(self._item_blocks(thing.items, node, frame, role))
        record = self._record(value, frame)
        if record is not None and (record.get("role") is not None or record.get("content") is not None):
            return self._message(record, node, frame, role, own=isinstance(thing, ObjectThing))
        if isinstance(thing, DictThing) and thing.get("messages") is not None:
            return self.blocks(thing.get("messages") or NONE, node, frame, role)
        if isinstance(value, Str) or thing is not None:
            return [Block(role, "messages", expressions.own_segments(value, node, frame), span)]
        opaque = expressions.as_opaque(value, node, frame)
        if opaque.lifetime is Lifetime.CONSTANT:
            return []
        segment = expressions.value(opaque, frame.module.places.source(node), span)
        named_so = meaning(last_name(node)).kind is SourceKind.HISTORY
        if named_so or opaque.grows or opaque.origin.kind is SourceKind.HISTORY or not opaque.lifetime.known:
            return [Block("history", "messages", (as_history(segment),), span)]
        return [Block(role, "messages", (segment,), span)]

    def _behind(self, items: tuple[Item, ...], node: ast.expr, frame: Frame, role: str) -> Iterator[Block]:
        """Blocks of what follows a request: messages that are unpacked there are those of a run, no talk of its own."""
        for at, item in enumerate(items):
            for block in self._item_blocks((item,), node, frame, role, items[at + 1 : at + 2]):
                segments = block.segments if isinstance(item, Many) else _as_runs(block.segments)
                yield replace(block, segments=segments, appended=True)

    def _continues(self, thing: ListThing, frame: Frame) -> bool:
        """Whether a list was sent before, and since then got a reply and perhaps the next turns behind it."""
        count = len(thing.sent)
        return (
            0 < count < len(thing.items)
            and thing.items[:count] == thing.sent
            and self._is_reply(thing.items[count], frame)
        )

    def _is_reply(self, item: Item, frame: Frame) -> bool:
        if isinstance(item, Many | Maybe):
            arms = item.arms if isinstance(item, Maybe) else (item.items,)
            return any(bool(arm) and self._is_reply(arm[0], frame) for arm in arms)
        if isinstance(item, Splat | Opaque):
            return True
        record = self._record(item, frame)
        role = None if record is None else record.get("role")
        name = strings.constant_text(role.segments) if isinstance(role, Str) else None
        return name is not None and standard_role(name) in REPLIES

    def sent(self, value: Val, frame: Frame) -> None:
        """Remembers what a list held when it was sent."""
        self.requests += 1
        self._sent(value, None, frame)

    def _sent(self, value: Val, held: tuple[Item, ...] | None, frame: Frame) -> None:
        """``held`` is what it has to hold still."""
        thing = self._interpreter.thing(value, frame)
        if not isinstance(value, Ref) or not isinstance(thing, ListThing) or frame.state is None:
            return
        if (held is None or thing.items == held) and not self._continues(thing, frame):
            frame.state.heap[value.id] = replace(thing, sent=thing.items)
            for source, items in thing.copied:
                self._sent(source, items, frame)

    def _item_blocks(
        self, items: tuple[Item, ...], node: ast.expr, frame: Frame, role: str, behind: tuple[Item, ...] = ()
    ) -> list[Block]:
        """Blocks of the items of a list; ``behind`` is what stands there after these."""
        span = frame.module.places.span(node)
        blocks: list[Block] = []
        for at, item in enumerate(items):
            if isinstance(item, Splat):
                blocks.extend(self._history_of(item.value, node, frame))
            elif isinstance(item, Many):
                blocks.append(self._many(item, node, frame, role))
                again = self._sent_again(item, items[at + 1 : at + 2], blocks[-1], node, frame, role)
                if again:
                    # The run began with that message: the first pass has sent it alone.
                    told = self._item_blocks(items[at + 2 :], node, frame, role, behind)
                    return [*blocks[:-1], *again, blocks[-1], *told]
            elif isinstance(item, Maybe):
                rest = items[at + 1 : at + 2] or behind
                arms = [self._item_blocks(arm, node, frame, role, rest) for arm in item.arms]
                blocks.extend(either(arms, item.choice))
            elif isinstance(item, Choose) and (same := self._same_message(item, node, frame, role)):
                blocks.extend(same)
            else:
                thing = self._interpreter.thing(item, frame)
                record = self._record(item, frame)
                if record is not None and (record.get("role") is not None or isinstance(thing, DictThing)):
                    blocks.extend(self._message(record, node, frame, role, own=isinstance(thing, ObjectThing)))
                elif isinstance(thing, PromptThing):
                    blocks.extend(thing.blocks)
                elif isinstance(thing, ListThing):
                    blocks.extend(self._pair(thing, node, frame) or self._item_blocks(thing.items, node, frame, role))
                else:
                    segments = self._interpreter.expressions.own_segments(item, node, frame)
                    if any(isinstance(s, Value) and s.grows for s in segments):
                        blocks.append(Block("history", "messages", segments, span))
                    elif isinstance(item, Opaque) and (
                        _is_answer(item) or self._are_results(items[at + 1 : at + 2] or behind, frame)
                    ):
                        # Results of tools stand behind the model's own message that asked for them.
                        blocks.append(Block("history", "messages", tuple(map(_as_run, segments)), span))
                    elif segments:
                        blocks.append(Block(role or "user", "messages", segments, span))
        return blocks

    def _sent_again(
        self, run: Many, later: tuple[Item, ...], told: Block, node: ast.expr, frame: Frame, role: str
    ) -> list[Block]:
        """Blocks of the message behind a run, ``told`` as a block, that each of its passes adds as it is; nothing for
        others."""
        drift = told.segments[0].drift if len(told.segments) == 1 and isinstance(told.segments[0], Value) else None
        if drift is None or drift.kind != "run" or not later or isinstance(later[0], Many | Splat):
            return []
        first = self._item_blocks(later, node, frame, role)
        before = self._item_blocks(run.items[:1], node, frame, role)
        running = self._interpreter.loops.running
        same = all(is_same_in_each(block.segments, drift.span, running) for block in first)
        return first if same and say_the_same(first, before) else []

    def _same_message(self, item: Choose, node: ast.expr, frame: Frame, role: str) -> list[Block]:
        """Blocks of what may be one of several messages that say the same; nothing for others."""
        if not all(self.is_message(arm, frame) for arm in item.values):
            return []
        first, *others = ([*self._item_blocks((arm,), node, frame, role)] for arm in item.values)
        return first if all(say_the_same(first, other) for other in others) else []

    def _are_results(self, items: tuple[Item, ...], frame: Frame) -> bool:
        """Whether the first of these messages gives the result of a tool."""
        return next(self._roles(items, frame), None) == "tool"

    def _unpacked(self, value: Val, node: ast.expr, frame: Frame) -> list[Block]:
        thing = self._interpreter.thing(value, frame)
        if isinstance(thing, ListThing):
            return self._item_blocks(thing.items, node, frame, "user")
        return self._history_of(value, node, frame)

    def _pair(self, thing: ListThing, node: ast.expr, frame: Frame) -> list[Block]:
        """``("system", "text")`` as LangChain takes it."""
        if len(thing.items) != 2:
            return []
        role, content = thing.items
        name = strings.constant_text(role.segments) if isinstance(role, Str) else None
        if name is None or is_run(content):
            return []
        return self._content(name, content, node, frame)

    def _history_of(self, value: Val, node: ast.expr, frame: Frame) -> list[Block]:
        if isinstance(value, Choose):
            arms = [self._unpacked(arm, node, frame) for arm in value.values if arm != NONE]
            return max(arms, key=weight, default=[])
        opaque = self._interpreter.expressions.as_opaque(value, node, frame)
        if opaque.lifetime is Lifetime.CONSTANT:
            return []
        if opaque.drift is not None and opaque.drift.kind == "tail":
            # Unpacked among messages, it holds messages.
            opaque = _as_window(opaque, replace(opaque.drift, kind="window"))
        last = opaque.origin.hops[-1] if opaque.origin.hops else None
        # What an object keeps stands where it is sent; where it is added to may be anywhere.
        kept = last is not None and last.kind is HopKind.ADDED and last.span == opaque.span
        span = frame.module.places.span(node) if kept else opaque.span
        segment = self._interpreter.expressions.value(opaque, opaque.expression, span)
        return [Block("history", "messages", (as_history(segment),), span)]

    def _many(self, item: Many, node: ast.expr, frame: Frame, role: str) -> Block:
        """Messages added once for each item of something: a conversation, or examples where that is constant."""
        inner = self._item_blocks(item.items, node, frame, role)
        segments = merge_text([s for block in inner for s in block.segments])
        over = item.over
        drift = over.drift if over.drift is not None and over.drift.kind != "counted" else None
        if drift is not None and drift.kind == "tail":
            drift = told_by_roles(drift, self._roles(item.items, frame))
            over = over if drift is None else _as_window(over, drift)
        if drift is None and over.grows and over.origin.kind is SourceKind.HISTORY:
            drift = rewritten(segments, frame.module.places.span(node)) or counting(item.items)
        placed = next((block.inserted for block in inner if block.inserted is not None), None)
        if placed is not None and drift is None and not over.grows:
            return Block(inner[0].role, "messages", (repeat(segments, over),), over.span, inserted=placed)
        added_to = over.grows or any(each.source == over.span for each in self._interpreter.loops.running)
        run = (added_to or drift is not None) and over.origin.kind is not SourceKind.HISTORY
        # What a model asks of tools in one reply is no conversation, whatever it is called.
        run = run or (drift is None and set(self._roles(item.items, frame)) == {"tool"})
        if drift is not None:
            over = over.but(grows=False, drift=drift)
        if over.lifetime.known and over.lifetime.rank >= Lifetime.DAY.rank and drift is None:
            return Block("user", "messages", (repeat(segments, over),), over.span)
        if run:
            # What one run of an agent adds between its requests: whatever was computed before the loop stays the same.
            places = frame.module.places
            expression, span = places.source(node), places.span(node)
            drift = Drift("run", expression, over.span) if drift is None else drift
            drift = replace(drift, within=True)
            history = Origin(SourceKind.HISTORY)
            added = Value(expression, span, Lifetime.TURN, history, Confidence.HIGH, "list", drift=drift)
            return Block("history", "messages", (added,), span)
        segment = self._interpreter.expressions.value(over, over.expression, over.span)
        return Block("history", "messages", (as_history(segment),), over.span)

    def _roles(self, items: tuple[Item, ...], frame: Frame) -> Iterator[str | None]:
        """The roles of messages among the items of a list; None where one is filled in."""
        for item in items:
            if isinstance(item, Many | Maybe):
                for arm in item.arms if isinstance(item, Maybe) else (item.items,):
                    yield from self._roles(arm, frame)
            elif (record := self._record(item, frame)) is not None and record.get("role") is not None:
                role = record.get("role")
                yield strings.constant_text(role.segments) if isinstance(role, Str) else None
            elif isinstance(item, Opaque):
                # A message as it stood in what was run over.
                yield None

    def _message(self, thing: DictThing, node: ast.expr, frame: Frame, role: str, *, own: bool = False) -> list[Block]:
        """Blocks of one message; ``own`` tells that it is an object of a class of the project."""
        given = thing.get("role")
        name = strings.constant_text(given.segments) if isinstance(given, Str) else None
        content = thing.get("content")
        if content is None:
            content = thing.get("parts")
        blocks = self._identifiers(thing, name or role or "user", node, frame, own=own)
        if content is None:
            if thing.rest:
                return self._history_of(thing.rest[0], node, frame)
            return blocks
        marker = thing.get("cache_control") is not None
        blocks += self._content(name or role or "user", content, node, frame, marker=marker)
        return [replace(block, inserted=thing.inserted) for block in blocks] if thing.inserted is not None else blocks

    def _identifiers(self, thing: DictThing, role: str, node: ast.expr, frame: Frame, *, own: bool) -> list[Block]:
        """Ids of a message and of its tool calls that are made anew; those that are kept are part of the message.

        By its ``id`` a program knows an object of its ``own``, and turns it into what is sent without it.
        """
        calls = self._interpreter.thing(thing.get("tool_calls") or NONE, frame)
        found = [thing.get(key) for key in (("tool_call_id",) if own else ("tool_call_id", "id"))]
        for call in calls.items if isinstance(calls, ListThing) else ():
            record = self._record(call, frame)
            found.append(None if record is None else record.get("id"))
        blocks = []
        for value in found:
            if value is None:
                continue
            opaque = self._interpreter.expressions.as_opaque(value, node, frame)
            if opaque.origin.kind in _MADE and opaque.lifetime in (Lifetime.TURN, Lifetime.REQUEST):
                segments = self._interpreter.expressions.own_segments(value, node, frame)
                made = next((s for s in walk(segments) if isinstance(s, Value)), None)
                if made is not None and made.confidence is Confidence.CERTAIN:
                    made = replace(made, drift=Drift("renewed", made.expression, made.span))
                    blocks.append(Block(role, "messages", (made,), made.span))
        return blocks

    def _content(self, role: str, content: Val, node: ast.expr, frame: Frame, *, marker: bool = False) -> list[Block]:
        role = standard_role(role)
        component: Component = "system" if role in SYSTEM_ROLES else "messages"
        if role == "history":
            segments = self._interpreter.expressions.own_segments(content, node, frame)
            return [Block(role, "messages", tuple(as_history(s) for s in segments), frame.module.places.span(node))]
        blocks = self.parts(content, role, component, node, frame)
        if marker and blocks:
            blocks[-1] = replace(blocks[-1], cache_marker=True)
        return blocks

    def parts(self, content: Val, role: str, component: Component, node: ast.expr, frame: Frame) -> list[Block]:
        """Blocks of a message's content: a string, or a list of parts, each of which can carry a cache marker."""
        span = frame.module.places.span(node)
        thing = self._interpreter.thing(content, frame)
        if isinstance(content, Choose) and any(isinstance(arm, Ref) for arm in content.values):
            return either([self.parts(arm, role, component, node, frame) for arm in content.values], content)
        if isinstance(thing, ListThing):
            blocks: list[Block] = []
            for item in thing.items:
                if isinstance(item, Splat):
                    blocks.append(
                        Block(
                            role, component, self._interpreter.expressions.own_segments(item.value, node, frame), span
                        )
                    )
                elif isinstance(item, Many):
                    inner = [
                        b for i in item.items if not is_run(i) for b in self.parts(i, role, component, node, frame)
                    ]
                    body = merge_text([s for b in inner for s in b.segments])
                    if body:
                        over = of_attachments(item.over, body)
                        blocks.append(Block(role, component, (repeat(body, over),), span))
                elif isinstance(item, Maybe):
                    for arm in item.arms:
                        for i in arm:
                            if not is_run(i):
                                blocks.extend(
                                    optional(b, item.choice) for b in self.parts(i, role, component, node, frame)
                                )
                else:
                    blocks.extend(self.parts(item, role, component, node, frame))
            return blocks
        thing = self._record(content, frame)
        if thing is not None:
            marker = thing.get("cache_control") not in (None, NONE) or thing.get("cachePoint") is not None
            if is_attachment(thing):
                found = attachment(thing, content, node, self._interpreter, frame)
                return [] if found is None else [Block(role, component, (found,), found.span, marker)]
            inner_value = thing.get("text")
            if inner_value is None:
                inner_value = thing.get("content")
            if inner_value is None:
                opaque = self._interpreter.expressions.as_opaque(content, node, frame)
                if opaque.lifetime is Lifetime.CONSTANT or not thing.entries:
                    return []
                segment = self._interpreter.expressions.value(opaque, opaque.expression, opaque.span)
                return [Block(role, component, (segment,), span, marker)]
            return [replace(b, cache_marker=marker) for b in self.parts(inner_value, role, component, node, frame)]
        segments = self._interpreter.expressions.own_segments(content, node, frame)
        if component == "system":
            segments = whole(segments)
        return [Block(role, component, segments, span_of(segments) or span)] if segments else []


def _is_answer(item: Opaque) -> bool:
    """Whether by its name a message is the model's own."""
    name = item.expression if item.expression.isidentifier() else item.expression.rpartition(".")[2]
    return not names_of("assistant").isdisjoint(split_words(name))


def _as_run(segment: Segment) -> Segment:
    """Messages of a run of an agent: they stand behind what was sent before."""
    told = as_history(segment)
    if not isinstance(told, Value) or told.drift is not None:
        return told
    return replace(told, grows=False, drift=Drift("run", told.expression, told.span, within=True))


def _as_runs(segments: tuple[Segment, ...]) -> tuple[Segment, ...]:
    """The same with conversations among them as runs of an agent."""
    return rebuilt(segments, lambda s: (_as_run(s) if isinstance(s, Value) and s.grows else s,))


def _as_window(value: Opaque, drift: Drift) -> Opaque:
    """The end of a conversation that no name calls one."""
    origin = Origin(SourceKind.HISTORY, value.origin.hops)
    return replace(value, lifetime=Lifetime.TURN, origin=origin, confidence=Confidence.HIGH, grows=False, drift=drift)
