"""From the arguments of a call to the blocks of a request, and to an emitted template."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python import strings
from prefixlint.frontends.python.attached import attachment, is_attachment, of_attachments
from prefixlint.frontends.python.conversations import counting, kept_end, rewritten
from prefixlint.frontends.python.lookup import lifted_segments
from prefixlint.frontends.python.loops import repeat
from prefixlint.frontends.python.prompt_text import looks_like_prompt
from prefixlint.frontends.python.values import (
    NONE,
    Choose,
    Const,
    DictThing,
    Func,
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
from prefixlint.knowledge.libraries import DecoratorSink, Sink
from prefixlint.knowledge.names import meaning
from prefixlint.knowledge.phrases import phrases
from prefixlint.model.lifetimes import Confidence, Hop, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Choice, Drift, Text, Value, literal_length, merge_text, walk
from prefixlint.model.templates import Block, Template

if TYPE_CHECKING:
    from collections.abc import Mapping

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.values import Item, Val
    from prefixlint.model.segments import Segment
    from prefixlint.model.sources import Span
    from prefixlint.model.templates import Component

Segments = tuple["Segment", ...]
_ROLES = {
    "human": "user",
    "ai": "assistant",
    "bot": "assistant",
    "model": "assistant",
    "function": "tool",
    "placeholder": "history",
}
_SYSTEM = ("system", "developer")
# What makes a tool list differ; one that is looked up or filtered by other things is taken as configured.
_UNSTABLE = frozenset(
    {
        SourceKind.UNORDERED,
        SourceKind.LISTING,
        SourceKind.SHUFFLED,
        SourceKind.RANDOM,
        SourceKind.CLOCK,
        SourceKind.ID,
        SourceKind.IDENTITY,
    }
)
# What is new whenever it is made.
_MADE = frozenset({SourceKind.ID, SourceKind.RANDOM, SourceKind.CLOCK})


class Requests:
    """Builds blocks and emits templates."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter
        self._visiting: set[int] = set()

    # Sinks

    def sink(self, entry: Sink, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> None:
        """Emits the template of a call that the tables know."""
        given = dict(zip(entry.positional, args, strict=False))
        given.update(keywords)
        nodes: dict[str, ast.expr] = dict(zip(entry.positional, node.args, strict=False))
        nodes.update({k.arg: k.value for k in node.keywords if k.arg})
        blocks: list[Block] = []
        if entry.tools is not None:
            tools = self._find(given, entry.tools, frame)
            if tools is not None and tools != NONE:
                blocks.extend(self._tools(tools, nodes.get(entry.tools, node), frame))
        system = entry.ordered or tuple(n for n in (entry.system, *entry.system_aliases) if n is not None)
        for name in system:
            value = self._find(given, name, frame)
            if value is not None and value != NONE:
                blocks.extend(self._system(value, nodes.get(name, node), entry, frame))
        blocks.extend(self._flags(entry, given, nodes, node, frame))
        for argument in (entry.messages, entry.prompt):
            value = None if argument is None else self._find(given, argument, frame)
            if argument is None or value is None:
                continue
            if entry.messages_only and not self._is_messages(value, frame):
                if isinstance(value, Str):
                    self.candidate(value, _called_name(node), node, frame)
                return
            role = "" if argument == entry.prompt and entry.system is None else "user"
            blocks.extend(self.blocks(value, nodes.get(argument, node), frame, role))
            self._sent(value, frame)
        if entry.history and blocks:
            blocks.append(self._conversation(node, frame, kept_end(entry, given, nodes, frame)))
        if not blocks:
            return
        model = given.get(entry.model) if entry.model else None
        text = strings.constant_text(model.segments) if isinstance(model, Str) else None
        self._emit(entry.form, tuple(blocks), node, frame, engine=entry.engine, model=text or None)

    def _find(self, given: Mapping[str, Val], name: str, frame: Frame) -> Val | None:
        """An argument, or ``config.system_instruction``: an item of an argument that is a dictionary or an object."""
        head, _, tail = name.partition(".")
        value = given.get(head)
        if not tail or value is None:
            return value
        thing = self._interpreter.thing(value, frame)
        return thing.get(tail) if isinstance(thing, DictThing) else None

    def _system(self, value: Val, node: ast.expr, entry: Sink, frame: Frame) -> list[Block]:
        if isinstance(value, Func):
            value = self._interpreter.calls.call_function(value, [], {}, node, frame)
        thing = self._interpreter.thing(value, frame)
        if isinstance(thing, ListThing) and not self._is_messages(value, frame):
            blocks: list[Block] = []
            for item in thing.items:
                if isinstance(item, Splat | Many | Maybe):
                    continue
                blocks.extend(self._parts(item, "system", "system", node, frame))
            return blocks
        if self._is_messages(value, frame) and not isinstance(value, Str):
            return self.blocks(value, node, frame, "system")
        segments = self._interpreter.expressions.own_segments(value, node, frame)
        if entry.syntax is not None:
            segments = self._interpreter.calls.prompts.parse(segments, entry.syntax, frame)
        if entry.placeholders is not None:
            segments = lifted_segments(segments, Lifetime(entry.placeholders))
        return [Block("system", "system", _whole(segments), frame.module.places.span(node))]

    def _flags(
        self, entry: Sink, given: Mapping[str, Val], nodes: Mapping[str, ast.expr], node: ast.Call, frame: Frame
    ) -> list[Block]:
        """Values that the library puts into the system text itself when a flag asks for them."""
        blocks = []
        for name, (kind, lifetime) in entry.flags.items():
            if given.get(name) == Const(True):
                span = frame.module.places.span(nodes.get(name, node))
                value = Value(f"{name}=True", span, lifetime, Origin(kind), Confidence.HIGH, "timestamp")
                blocks.append(Block("system", "system", (value,), span))
        return blocks

    def _tools(self, value: Val, node: ast.expr, frame: Frame) -> list[Block]:
        opaque = self._interpreter.expressions.as_opaque(value, node, frame)
        span = frame.module.places.span(node)
        thing = self._interpreter.thing(value, frame)
        filtered = _filter(thing.items) if isinstance(thing, ListThing) else None
        if filtered is not None:
            origin = Origin(SourceKind.USER_INPUT, (*filtered.origin.hops, Hop("filtered here", filtered.span)))
            opaque = opaque.but(lifetime=Lifetime.REQUEST, origin=origin, confidence=filtered.confidence)
        elif opaque.origin.kind not in _UNSTABLE and (opaque.lifetime.varies or not opaque.lifetime.known):
            opaque = replace(
                opaque,
                lifetime=Lifetime.DEPLOYMENT,
                origin=Origin(SourceKind.CONFIGURATION),
                confidence=Confidence.HIGH,
            )
        segment = self._interpreter.expressions.value(
            replace(opaque, shape="json"), frame.module.places.source(node), span
        )
        return [Block("tools", "tools", (segment,), span)]

    def _conversation(self, node: ast.expr, frame: Frame, kept: Opaque | None = None) -> Block:
        """The conversation that follows a system prompt; ``kept`` is what keeps no more than its end."""
        span = frame.module.places.span(node)
        history = _history("conversation", span)
        if kept is not None:
            history = replace(history, grows=False, drift=kept.drift, confidence=kept.confidence)
        return Block("history", "messages", (history,), span)

    # Messages

    def _is_messages(self, value: Val, frame: Frame) -> bool:
        """Whether a value is a list that holds at least one message."""
        if isinstance(value, Choose):
            return any(self._is_messages(arm, frame) for arm in value.values)
        thing = self._interpreter.thing(value, frame)
        return isinstance(thing, ListThing) and any(self._has_message(item, frame) for item in thing.items)

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
        thing = self._interpreter.thing(item, frame)
        if isinstance(thing, ListThing) and thing.kind == "tuple" and len(thing.items) == 2:
            first = thing.items[0]
            role = strings.constant_text(first.segments) if isinstance(first, Str) else None
            return role in ("system", "human", "user", "ai", "assistant", "developer")
        record = self._record(item, frame)
        if record is None or record.get("role") is None:
            return False
        return record.get("content") is not None or record.get("parts") is not None or bool(record.rest)

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
        thing = self._interpreter.thing(value, frame)
        if isinstance(value, Choose):
            return _either([self.blocks(arm, node, frame, role) for arm in value.values if arm != NONE], value)
        if isinstance(thing, PromptThing):
            return list(thing.blocks)
        if isinstance(thing, ListThing):
            if self._continues(thing, frame):
                count = len(thing.sent)
                later = self._item_blocks(thing.items[count:], node, frame, role)
                return [
                    *self._item_blocks(thing.sent, node, frame, role),
                    *(replace(block, appended=True) for block in later),
                ]
            return self._item_blocks(thing.items, node, frame, role)
        record = self._record(value, frame)
        if record is not None and (record.get("role") is not None or record.get("content") is not None):
            return self._message(record, node, frame, role)
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
            return [Block("history", "messages", (_as_history(segment),), span)]
        return [Block(role, "messages", (segment,), span)]

    def _continues(self, thing: ListThing, frame: Frame) -> bool:
        """Whether a list was sent before, and since then got a reply and perhaps the next turns behind it."""
        count = len(thing.sent)
        return (
            0 < count < len(thing.items)
            and thing.items[:count] == thing.sent
            and self._is_reply(thing.items[count], frame)
        )

    def _is_reply(self, item: Item, frame: Frame) -> bool:
        if isinstance(item, Many):
            return bool(item.items) and self._is_reply(item.items[0], frame)
        if isinstance(item, Splat | Maybe | Opaque):
            return True
        record = self._record(item, frame)
        role = None if record is None else record.get("role")
        name = strings.constant_text(role.segments) if isinstance(role, Str) else None
        return name is not None and _ROLES.get(name, name) in ("assistant", "tool")

    def _sent(self, value: Val, frame: Frame) -> None:
        """Remembers what a list held when it was sent."""
        thing = self._interpreter.thing(value, frame)
        if (
            isinstance(value, Ref)
            and isinstance(thing, ListThing)
            and frame.state is not None
            and not self._continues(thing, frame)
        ):
            frame.state.heap[value.id] = replace(thing, sent=thing.items)

    def _item_blocks(self, items: tuple[Item, ...], node: ast.expr, frame: Frame, role: str) -> list[Block]:
        span = frame.module.places.span(node)
        blocks: list[Block] = []
        for item in items:
            if isinstance(item, Splat):
                blocks.extend(self._history_of(item.value, node, frame))
            elif isinstance(item, Many):
                blocks.append(self._many(item, node, frame, role))
            elif isinstance(item, Maybe):
                arms = [self._item_blocks(arm, node, frame, role) for arm in item.arms]
                blocks.extend(_either(arms, item.choice))
            else:
                thing = self._interpreter.thing(item, frame)
                record = self._record(item, frame)
                if record is not None and (record.get("role") is not None or isinstance(thing, DictThing)):
                    blocks.extend(self._message(record, node, frame, role))
                elif isinstance(thing, PromptThing):
                    blocks.extend(thing.blocks)
                elif isinstance(thing, ListThing):
                    blocks.extend(self._pair(thing, node, frame) or self._item_blocks(thing.items, node, frame, role))
                else:
                    segments = self._interpreter.expressions.own_segments(item, node, frame)
                    if any(isinstance(s, Value) and s.grows for s in segments):
                        blocks.append(Block("history", "messages", segments, span))
                    elif segments:
                        blocks.append(Block(role or "user", "messages", segments, span))
        return blocks

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
        opaque = self._interpreter.expressions.as_opaque(value, node, frame)
        if opaque.lifetime is Lifetime.CONSTANT:
            return []
        segment = self._interpreter.expressions.value(opaque, opaque.expression, opaque.span)
        return [Block("history", "messages", (_as_history(segment),), opaque.span)]

    def _many(self, item: Many, node: ast.expr, frame: Frame, role: str) -> Block:
        """Messages added once for each item of something: a conversation, or examples where that is constant."""
        inner = self._item_blocks(item.items, node, frame, role)
        segments = merge_text([s for block in inner for s in block.segments])
        over = item.over
        drift = over.drift if over.drift is not None and over.drift.kind != "counted" else None
        if drift is None and over.grows and over.origin.kind is SourceKind.HISTORY:
            drift = rewritten(segments) or counting(item.items)
        if drift is not None:
            over = over.but(grows=False, drift=drift)
        if over.lifetime.known and over.lifetime.rank >= Lifetime.DAY.rank:
            return Block("user", "messages", (repeat(segments, over),), over.span)
        if over.grows and over.origin.kind is not SourceKind.HISTORY:
            # What one run of an agent adds between its requests: whatever was computed before the loop stays the same.
            places = frame.module.places
            expression, span = places.source(node), places.span(node)
            added = Value(expression, span, Lifetime.TURN, Origin(SourceKind.HISTORY), Confidence.HIGH, "list")
            return Block("history", "messages", (added,), span)
        segment = self._interpreter.expressions.value(over, over.expression, over.span)
        return Block("history", "messages", (_as_history(segment),), over.span)

    def _message(self, thing: DictThing, node: ast.expr, frame: Frame, role: str) -> list[Block]:
        given = thing.get("role")
        name = strings.constant_text(given.segments) if isinstance(given, Str) else None
        content = thing.get("content")
        if content is None:
            content = thing.get("parts")
        blocks = self._identifiers(thing, name or role or "user", node, frame)
        if content is None:
            if thing.rest:
                return self._history_of(thing.rest[0], node, frame)
            return blocks
        marker = thing.get("cache_control") is not None
        blocks += self._content(name or role or "user", content, node, frame, marker=marker)
        return [replace(block, inserted=thing.inserted) for block in blocks] if thing.inserted is not None else blocks

    def _identifiers(self, thing: DictThing, role: str, node: ast.expr, frame: Frame) -> list[Block]:
        """Ids of a message and of its tool calls that are made anew; those that are kept are part of the message."""
        calls = self._interpreter.thing(thing.get("tool_calls") or NONE, frame)
        found = [thing.get(key) for key in ("tool_call_id", "id")]
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
        role = _ROLES.get(role, role)
        component: Component = "system" if role in _SYSTEM else "messages"
        if role == "history":
            segments = self._interpreter.expressions.own_segments(content, node, frame)
            return [Block(role, "messages", tuple(_as_history(s) for s in segments), frame.module.places.span(node))]
        blocks = self._parts(content, role, component, node, frame)
        if marker and blocks:
            blocks[-1] = replace(blocks[-1], cache_marker=True)
        return blocks

    def _parts(self, content: Val, role: str, component: Component, node: ast.expr, frame: Frame) -> list[Block]:
        """Blocks of a message's content: a string, or a list of parts, each of which can carry a cache marker."""
        span = frame.module.places.span(node)
        thing = self._interpreter.thing(content, frame)
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
                        b for i in item.items if not is_run(i) for b in self._parts(i, role, component, node, frame)
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
                                    _optional(b, item.choice) for b in self._parts(i, role, component, node, frame)
                                )
                else:
                    blocks.extend(self._parts(item, role, component, node, frame))
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
            return [replace(b, cache_marker=marker) for b in self._parts(inner_value, role, component, node, frame)]
        segments = self._interpreter.expressions.own_segments(content, node, frame)
        if component == "system":
            segments = _whole(segments)
        return [Block(role, component, segments, _span_of(segments) or span)] if segments else []

    # Evidence without a known sink

    def generic(self, node: ast.Call, args: list[Val], keywords: Mapping[str, Val], frame: Frame) -> bool:
        """A call that nothing is known of: a message list or a prompt-like string among its arguments is a template."""
        sent = False
        elsewhere = _called_name(node) in phrases().elsewhere
        nodes: dict[str, ast.expr] = {k.arg: k.value for k in node.keywords if k.arg}
        named_args = [(None, value, node.args[i] if i < len(node.args) else node) for i, value in enumerate(args)]
        sends = bool(_SENDS.search(_called_name(node)))
        for name, value, at in [*named_args, *((k, v, nodes.get(k, node)) for k, v in keywords.items())]:
            if self._is_messages(value, frame):
                if not sends and not isinstance(at, ast.List | ast.ListComp | ast.BinOp):
                    # Counted, trimmed, logged or handed on; what sends the list, returns or holds it tells more.
                    continue
                blocks = self.blocks(value, at, frame, "user")
                system = keywords.get("system") or keywords.get("system_prompt")
                if isinstance(system, Str):
                    blocks = [*self._system(system, nodes.get("system", node), _PLAIN, frame), *blocks]
                if sum(literal_length(b.segments) for b in blocks):
                    self._emit("messages", tuple(blocks), node, frame, rank=2)
                    self._sent(value, frame)
                    sent = True
            elif isinstance(value, Str) and not elsewhere:
                hint = f"{name or _called_name(node)} {last_name(at)}"
                sent = self.candidate(value, hint, at, frame) or sent
        return sent and sends

    def candidate(self, value: Str, name: str, node: ast.expr, frame: Frame) -> bool:
        """A string that reaches no known sink: a template when it reads like a prompt; says whether it does."""
        confidence = looks_like_prompt(name, value.segments)
        if confidence is None:
            return False
        span = _span_of(value.segments) or frame.module.places.span(node)
        block = Block("", "messages", value.segments, span)
        self._emit("prompt-string", (block,), node, frame, rank=1, confidence=confidence, span=span)
        return True

    def returned(self, entry: DecoratorSink, value: Val, node: ast.expr, frame: Frame) -> None:
        """A prompt that a decorated function returns."""
        if self._is_messages(value, frame):
            self._emit(entry.form, tuple(self.blocks(value, node, frame, "user")), node, frame)
            return
        segments = self._interpreter.expressions.own_segments(value, node, frame)
        span = _span_of(segments) or frame.module.places.span(node)
        blocks = [Block("user", "messages", segments, span)]
        if entry.history:
            blocks = [Block("system", "system", segments, span), self._conversation(node, frame)]
        self._emit(entry.form, tuple(blocks), node, frame)

    def decorated(self, form: str, text: Str, node: ast.expr, frame: Frame) -> None:
        """A prompt that stands in a function's decorator; the function's parameters fill its placeholders."""
        segments = self._interpreter.calls.prompts.parse(text.segments, "format", frame)
        self._emit(form, (Block("user", "messages", segments, frame.module.places.span(node)),), node, frame)

    def message_list(self, value: Val, node: ast.expr, frame: Frame) -> None:
        """A message list that a function returns or a variable holds."""
        if self._is_messages(value, frame):
            blocks = self.blocks(value, node, frame, "user")
            if sum(literal_length(b.segments) for b in blocks):
                # What a tool found is returned in messages too; the first message of a prompt says something.
                sure = Confidence.HIGH if literal_length(blocks[0].segments) else Confidence.LOW
                self._emit("messages", tuple(blocks), node, frame, rank=1, confidence=sure)

    def prompt(self, thing: PromptThing, node: ast.expr, frame: Frame) -> None:
        """A prompt object, made or filled at ``node``: one template, standing where the object was made."""
        self._emit(thing.form, thing.blocks, node, frame, engine=thing.engine, span=thing.span)

    def _emit(
        self,
        form: str,
        blocks: tuple[Block, ...],
        node: ast.expr,
        frame: Frame,
        *,
        rank: int = 3,
        engine: str | None = None,
        model: str | None = None,
        confidence: Confidence = Confidence.HIGH,
        span: Span | None = None,
    ) -> None:
        blocks = tuple(replace(b, segments=merge_text(b.segments)) for b in blocks)
        blocks = in_place(tuple(b for b in blocks if b.segments))
        if not blocks:
            return
        name = frame.function.name if frame.function is not None else "<module>"
        if frame.function is not None and frame.function.owner is not None:
            name = f"{frame.function.owner.name}.{name}"
        at = span or frame.module.places.span(node)
        sent = Hop("sent here", frame.module.places.span(node))
        related = tuple(reversed(frame.chain))
        if rank >= 2:
            related = (sent, *related)
        template = Template(form, name, at, blocks, engine, model, confidence, related)
        self._interpreter.emit(template, rank, frame)


_SENDS = re.compile(
    r"chat|complet|generate|invoke|predict|ask|llm|query_model|call_model|respond|run_|inference|gpt|claude|openai|prompt_model|acall|send",
    re.IGNORECASE,
)
# Kinds of values that a name or a way of computing suggests, and that no source has shown.
_SUPPOSED = frozenset({SourceKind.USER_INPUT, SourceKind.HISTORY, SourceKind.PARAMETER, SourceKind.SESSION})


def last_name(node: ast.expr) -> str:
    """``prompt`` of ``prompt`` and of ``self.prompt``; "" for other expressions."""
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _called_name(node: ast.Call) -> str:
    function = node.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _span_of(segments: Segments) -> Span | None:
    """From the first to the last character of text that stands in one file."""
    spans = [s.span() for s in walk(segments) if isinstance(s, Text) and s.text]
    spans += [s.span for s in segments if isinstance(s, Value)]
    if not spans:
        return None
    texts = [s for s in spans if s.path == spans[0].path]
    start = min(s.start for s in texts)
    end = max(s.end for s in texts)
    return replace(spans[0], start=start, end=end)


def in_place(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """A system message that stands behind other messages stays there: only leading ones form the system component."""
    out: list[Block] = []
    begun = False
    for block in blocks:
        begun = begun or block.component == "messages"
        late = begun and block.component == "system"
        out.append(replace(block, component="messages") if late else block)
    return tuple(out)


def _filter(items: tuple[Item, ...]) -> Choose | None:
    """A decision of the request over which items a list holds."""
    for item in items:
        if isinstance(item, Maybe) and item.choice.lifetime in (Lifetime.TURN, Lifetime.REQUEST):
            return item.choice
        found = _filter(item.items) if isinstance(item, Many) else None
        if found is not None:
            return found
    return None


def _weight(blocks: list[Block]) -> tuple[int, bool]:
    """How much blocks tell: their fixed text, then whether a conversation in them drifts."""
    drifts = any(s.drift is not None for b in blocks for s in b.segments if isinstance(s, Value))
    return sum(literal_length(b.segments) for b in blocks), drifts


def _whole(segments: Segments) -> Segments:
    """A system prompt of which nothing is known but what it was computed from says nothing of what changes in it.

    Its own name may: ``context`` as the whole of a system message is what was retrieved.
    """
    if len(segments) != 1 or not isinstance(only := segments[0], Value) or only.origin.kind not in _SUPPOSED:
        return segments
    if meaning(_identifier(only.expression)).lifetime.varies:
        return segments
    return (replace(only, lifetime=Lifetime.UNKNOWN, confidence=Confidence.LOW, grows=False),)


def _identifier(expression: str) -> str:
    return re.split(r"\W+", expression.strip())[-1]


def _either(arms: list[list[Block]], choice: Choose) -> list[Block]:
    """Messages of which one arm is there: what all arms begin with, then a choice in each message that all have.

    Where the arms have other messages, those of the arm that says most, each under the condition.
    """
    if not arms:
        return []
    first, shared = arms[0], 0
    while all(shared < len(arm) and _alike(arm[shared], first[shared]) for arm in arms):
        shared += 1
    rests = [arm[shared:] for arm in arms]
    shapes = [[(block.role, block.component, block.cache_marker) for block in rest] for rest in rests]
    talks = any(block.role == "history" for rest in rests for block in rest)
    if not talks and all(shape == shapes[0] for shape in shapes):
        varied = [
            replace(blocks[0], segments=(_choice(tuple(block.segments for block in blocks), choice),))
            for blocks in zip(*rests, strict=True)
        ]
        return [*first[:shared], *varied]
    best = max(rests, key=_weight)
    return [*first[:shared], *(_optional(block, choice) for block in best)]


def _alike(one: Block, other: Block) -> bool:
    """Whether two messages say the same, wherever each is written."""
    if (one.role, one.component, one.cache_marker) != (other.role, other.component, other.cache_marker):
        return False
    if one.segments == other.segments:
        return True
    texts = [s.text if isinstance(s, Text) else None for s in (*one.segments, *other.segments)]
    return None not in texts and texts[: len(one.segments)] == texts[len(one.segments) :]


def _choice(arms: tuple[Segments, ...], choice: Choose) -> Choice:
    c = choice
    return Choice(arms, c.expression, c.span, c.lifetime, c.origin, c.confidence, c.drift)


def _optional(block: Block, choice: Choose) -> Block:
    """A message that is there only under a condition."""
    return replace(block, segments=(_choice((block.segments, ()), choice),))


def _history(expression: str, span: Span) -> Value:
    return Value(expression, span, Lifetime.TURN, Origin(SourceKind.HISTORY), Confidence.HIGH, "list", grows=True)


def _as_history(segment: Segment) -> Segment:
    """Messages of which only the list is known: a conversation that grows."""
    if not isinstance(segment, Value):
        return segment
    origin = Origin(SourceKind.HISTORY, segment.origin.hops)
    # A window drops its first messages with each turn: it changes from its start on.
    grows = segment.drift is None or segment.drift.kind == "counted"
    return replace(segment, lifetime=Lifetime.TURN, origin=origin, confidence=Confidence.HIGH, grows=grows)


_PLAIN = Sink("messages")
