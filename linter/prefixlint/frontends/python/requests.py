"""From the arguments of a call to a request, and to an emitted template."""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Literal

from prefixlint.frontends.python import strings
from prefixlint.frontends.python.blocks import (
    changes_front,
    conversation_value,
    drifts_of,
    filter_of,
    in_place,
    keeps_end,
    span_of,
    variants,
    whole,
)
from prefixlint.frontends.python.by_name import judged
from prefixlint.frontends.python.conversations import kept_end
from prefixlint.frontends.python.frames import lift
from prefixlint.frontends.python.lasting import with_lasting
from prefixlint.frontends.python.lifting import lifted_segments
from prefixlint.frontends.python.loops import is_item
from prefixlint.frontends.python.material import is_material, is_message
from prefixlint.frontends.python.messages import Messages
from prefixlint.frontends.python.passes import with_changes
from prefixlint.frontends.python.processors import kept_by_processor
from prefixlint.frontends.python.prompt_objects import chosen_syntax
from prefixlint.frontends.python.prompt_text import is_prompt_name, is_to_be_filled, looks_like_prompt
from prefixlint.frontends.python.sending import asks, calls_model, is_request, tasks_class
from prefixlint.frontends.python.sizes import MOST_BLOCKS
from prefixlint.frontends.python.state_fillings import filled_from_state
from prefixlint.frontends.python.syntax import last_name
from prefixlint.frontends.python.values import (
    NONE,
    Const,
    DictThing,
    ListThing,
    Many,
    Maybe,
    Opaque,
    PromptThing,
    Splat,
    Str,
    is_run,
)
from prefixlint.knowledge.call_names import call_names, hands_elsewhere, sends_by_name
from prefixlint.knowledge.libraries import DecoratorSink, Sink
from prefixlint.knowledge.names import split_words
from prefixlint.model.lifetimes import Confidence, Hop, HopKind, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Drift, Text, Value, literal_length, merge_text, rebuilt, walk
from prefixlint.model.templates import Block, Template

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.values import Val
    from prefixlint.model.segments import Segment
    from prefixlint.model.sources import Span

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
# Forms of templates of which nothing is known but that something that is not followed sends them.
_UNKNOWN_SENDER = frozenset({"messages", "prompt-string"})


class Requests:
    """Builds blocks and emits templates."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter
        self._facts = interpreter.node_facts
        self.messages = Messages(interpreter)

    # Sinks

    def sink(
        self, entry: Sink, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame, owner: str = ""
    ) -> None:
        """Emits the template of a call that the tables know; ``owner`` is the type of what a method belongs to."""
        self._interpreter.promising = True
        given = dict(zip(entry.positional, args, strict=False))
        given.update(keywords)
        nodes: dict[str, ast.expr] = dict(zip(entry.positional, node.args, strict=False))
        nodes.update({k.arg: k.value for k in node.keywords if k.arg})
        prompts = [] if entry.prompt is None else self._each(given.get(entry.prompt, NONE), frame)
        if prompts:
            for prompt in prompts:
                self._sent(entry, {**given, str(entry.prompt): prompt}, nodes, node, frame, owner)
        else:
            self._sent(entry, given, nodes, node, frame, owner)

    def _each(self, value: Val, frame: Frame) -> list[Val]:
        """The prompts of a list of them, which are sent one by one: texts, or lists of messages."""
        thing = self._interpreter.thing(value, frame)
        if not isinstance(thing, ListThing) or self.messages.is_messages(value, frame):
            return []
        items = [inner for item in thing.items for inner in (item.items if isinstance(item, Many) else (item,))]
        prompts = [i for i in items if not is_run(i) and (isinstance(i, Str) or self.messages.is_messages(i, frame))]
        return prompts if len(prompts) == len(items) else []

    def _sent(
        self,
        entry: Sink,
        given: Mapping[str, Val],
        nodes: Mapping[str, ast.expr],
        node: ast.Call,
        frame: Frame,
        owner: str,
    ) -> None:
        """Emits one request."""
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
        thing = self._interpreter.thing(given.get(entry.fillings or "", NONE), frame)
        if isinstance(thing, DictThing):
            made = PromptThing(entry.form, tuple(blocks), frame.module.places.span(node))
            at = nodes.get(entry.fillings or "", node)
            blocks = list(self._interpreter.calls.prompts.bound(made, dict(thing.entries), at, frame).blocks)
        if entry.callbacks:
            filled = partial(filled_from_state, interpreter=self._interpreter, entry=entry, given=given, frame=frame)
            blocks = [replace(block, segments=filled(block.segments)) for block in blocks]
        blocks.extend(self._flags(entry, given, nodes, node, frame))
        for argument in (entry.messages, entry.prompt):
            value = None if argument is None else self._find(given, argument, frame)
            if argument is None or value is None:
                continue
            if entry.messages_only and not self.messages.is_messages(value, frame):
                if isinstance(value, Str):
                    self.candidate(value, last_name(node.func), node, frame, asked=asks(node, owner))
                return
            role = "" if argument == entry.prompt and entry.system is None else "user"
            sent = self.messages.blocks(value, nodes.get(argument, node), frame, role)
            if argument == entry.prompt and entry.syntax is not None:
                parse, syntax = self._interpreter.calls.prompts.parse, chosen_syntax(given, entry.syntax)
                sent = [replace(block, segments=parse(block.segments, syntax, frame)) for block in sent]
            blocks.extend(sent)
            self.messages.sent(value, frame)
        if entry.history and blocks:
            blocks = [replace(block, segments=_made_with(block.segments)) for block in blocks]
            kept = kept_end(entry, given, nodes, frame)
            kept = kept or kept_by_processor(self._interpreter, entry, given, node, frame)
            blocks.append(self._conversation(node, frame, kept))
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
        value = self._interpreter.calls.prompts.asked(value, node, frame)
        thing = self._interpreter.thing(value, frame)
        if isinstance(thing, ListThing) and not self.messages.is_messages(value, frame):
            blocks: list[Block] = []
            for item in thing.items:
                if isinstance(item, Splat | Many | Maybe):
                    continue
                blocks.extend(self.messages.parts(item, "system", "system", node, frame))
            return blocks
        if not isinstance(value, Str) and (self.messages.is_messages(value, frame) or is_message(thing)):
            return self.messages.blocks(value, node, frame, "system")
        own = segments = self._interpreter.expressions.own_segments(value, node, frame)
        if entry.syntax is not None:
            segments = self._interpreter.calls.prompts.parse(segments, entry.syntax, frame)
        if entry.placeholders is not None:
            segments = _filled_by_library(segments, own, Lifetime(entry.placeholders))
        return [Block("system", "system", whole(segments), frame.module.places.span(node))]

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
        filtered = filter_of(thing.items) if isinstance(thing, ListThing) else None
        if filtered is not None:
            origin = Origin(SourceKind.USER_INPUT, (*filtered.origin.hops, Hop(HopKind.FILTERED, filtered.span)))
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
        history = conversation_value("conversation", span)
        if kept is not None:
            history = replace(history, grows=False, drift=kept.drift, confidence=kept.confidence)
        return Block("history", "messages", (history,), span)

    # Evidence without a known sink

    def generic(
        self,
        node: ast.Call,
        args: list[Val],
        keywords: Mapping[str, Val],
        frame: Frame,
        called: str = "",
        owner: str = "",
    ) -> bool:
        """A call that nothing is known of: a message list or a prompt-like string among its arguments is a template.

        ``called`` is the name of the function that a pool or a loop is asked to call, ``owner`` the type of what a
        method belongs to.
        """
        sent, names, called = False, call_names(), called or last_name(node.func)
        elsewhere = hands_elsewhere(called)
        nodes: dict[str, ast.expr] = {k.arg: k.value for k in node.keywords if k.arg}
        named_args = [(None, value, node.args[i] if i < len(node.args) else node) for i, value in enumerate(args)]
        given_ = [*named_args, *((k, v, nodes.get(k, node)) for k, v in keywords.items())]
        bodies = [] if elsewhere else [(at, body) for _, v, at in given_ if (body := self._body(v, frame)) is not None]
        parts = [part for at, body in bodies for part in self._parts(body, at, frame)]
        dumped = {at for at, _ in bodies}
        sends = bool(parts) or (not elsewhere and (sends_by_name(called) or self._calls_model(node)))
        asked = not elsewhere and self._asks(node, owner)
        each = [(name, one, at) for name, v, at in given_ if sends for one in self._each(v, frame)]
        for name, value, at in [*given_, *parts, *each]:
            if self.messages.is_messages(value, frame):
                made = name == "messages" and (called in names.making or is_request(called))
                if not sends and not made and not isinstance(at, ast.List | ast.ListComp | ast.BinOp):
                    # Counted, trimmed, logged or handed on; what sends the list, returns or holds it tells more.
                    continue
                blocks = self.messages.blocks(value, at, frame, "user")
                system = keywords.get("system") or keywords.get("system_prompt")
                if system is None:
                    system = next((body.get("system") for place, body in bodies if place is at), None)
                if isinstance(system, Str):
                    blocks = [*self._system(system, nodes.get("system", node), _PLAIN, frame), *blocks]
                cut = at in dumped and any(True for block in blocks for _ in drifts_of(block))
                if cut or any(literal_length(b.segments) for b in blocks):
                    self._emit("messages", tuple(blocks), node, frame, rank=2)
                    self.messages.sent(value, frame)
                    sent = True
            elif isinstance(value, Str) and not elsewhere and (at not in dumped or name in names.text_keys):
                hint = f"{name or called} {last_name(at)}"
                if name is not None and not names.templates.isdisjoint(split_words(name)):
                    beside = [self._interpreter.thing(other, frame) for _, other, _ in given_]
                    self._left_to_fill(value, hint, at, frame, [v for v in beside if isinstance(v, DictThing)])
                # ``generate(model=…, prompt=…)`` is a request, whatever its text says.
                models = "model" in keywords or any(body.get("model") is not None for _, body in bodies)
                sure = sends and models and name is not None and is_prompt_name(name)
                sent = self.candidate(value, hint, at, frame, sure=sure, asked=asked) or sent
            elif (name == "messages" and at in dumped) or (
                name in names.conversations and called in names.running | names.answering
            ):
                self._handed(value, at, frame)
        for at, body in bodies:
            for key, value in body.entries:
                if isinstance(value, Str) and is_prompt_name(key):
                    self._left_to_fill(value, f"{key} {called}", at, frame)
        if not self._interpreter.promising and _of_parameter(node, frame):
            given = (*args, *keywords.values())
            self._interpreter.promising = any(is_material(self._interpreter, value, frame) for value in given)
        return sent and (sends or asked)

    def _calls_model(self, node: ast.Call) -> bool:
        known = self._facts.modelled.get(node)
        if known is None:
            known = self._facts.modelled[node] = calls_model(node.func)
        return known

    def _asks(self, node: ast.Call, owner: str) -> bool:
        """As ``asks`` of a call of what a library's class ``owner`` gives."""
        known = self._facts.asking.get(node)
        if known is None:
            known = self._facts.asking[node] = asks(node)
        return known or (bool(owner) and tasks_class(owner, last_name(node.func)))

    def _body(self, value: Val, frame: Frame) -> DictThing | None:
        """The body of an HTTP request that an argument is, as a dictionary or as the JSON made of one, or None."""
        source = self._interpreter.calls.builtins.json.source_of(value)
        thing = self._interpreter.thing(value if source is None else source, frame)
        return thing if isinstance(thing, DictThing) else None

    def _parts(self, body: DictThing, node: ast.expr, frame: Frame) -> list[tuple[str | None, Val, ast.expr]]:
        """What a request's body says: its messages (``json={"model": …, "messages": […]}``), else its texts."""
        messages = body.get("messages")
        if messages is not None:
            cut = isinstance(messages, Opaque) and messages.drift is not None
            if cut or self.messages.is_messages(messages, frame):
                return [("messages", messages, node)]
        inner = (self._interpreter.thing(body.get(key) or NONE, frame) for key in sorted(call_names().inner_bodies))
        found, texts = next((thing for thing in inner if isinstance(thing, DictThing)), body), call_names().text_keys
        return [(key, text, node) for key, text in found.entries if key in texts and isinstance(text, Str)]

    def _left_to_fill(
        self, value: Str, name: str, node: ast.expr, frame: Frame, beside: Sequence[DictThing] = ()
    ) -> None:
        """A text that something is made with as its template: that fills the placeholders, whatever it is, with what a
        dictionary ``beside`` the text has under all of their names."""
        if not all(isinstance(segment, Text) for segment in value.segments):
            return
        segments = self._interpreter.calls.prompts.opened(value.segments, frame, [frame.module])
        fields = {segment.name for segment in segments if isinstance(segment, Value)}
        known = next((dict(d.entries) for d in beside if fields <= {key for key, _ in d.entries}), None)
        if known is not None and fields:
            segments = tuple(
                part
                for s in segments
                for part in (self._given(known[s.name], s, node, frame) if isinstance(s, Value) else (s,))
            )
        if any(isinstance(segment, Value) for segment in walk(segments)):
            self.candidate(Str(segments), name, node, frame, constant=True)

    def _given(self, value: Val, field: Value, node: ast.expr, frame: Frame) -> tuple[Segment, ...]:
        """What a placeholder is filled with, at its place."""
        return self._interpreter.expressions.placed(
            judged(value, field.name), field.expression, field.span, node, frame
        )

    def candidate(
        self,
        value: Str,
        name: str,
        node: ast.expr,
        frame: Frame,
        *,
        sure: bool = False,
        asked: bool = False,
        constant: bool = False,
    ) -> bool:
        """A string that reaches no known sink: a template when it reads like a prompt; says whether it does.

        ``sure`` where the call that takes it leaves no doubt that a text that long is one, ``asked`` where that seems
        to ask a model; ``constant`` where it is kept with its placeholders for whoever fills them.
        """
        confidence = looks_like_prompt(name, value.segments, asked=asked)
        if confidence is None:
            return False
        if is_to_be_filled(value.segments):
            confidence = Confidence.LOW
        elif sure:
            confidence = Confidence.HIGH
        elif not asked and any(map(_tells_of_message, walk(value.segments))):
            confidence = Confidence.LOW
        span = span_of(value.segments) or frame.module.places.span(node)
        block = Block("", "messages", value.segments, span)
        form, rank = ("prompt-constant", 0) if constant else ("prompt-string", 1)
        self._emit(form, (block,), node, frame, rank=rank, confidence=confidence, span=span)
        return True

    def constants(self, texts: Mapping[str, tuple[tuple[Segment, ...], ast.expr]], frame: Frame) -> None:
        """A system text and a user text that are constants side by side."""
        blocks = []
        for (segments, node), role in zip(texts.values(), ("system", "user"), strict=True):
            at = span_of(segments) or frame.module.places.span(node)
            blocks.append(Block(role, "system" if role == "system" else "messages", segments, at))
        values = [s for block in blocks for s in walk(block.segments) if isinstance(s, Value)]
        if values:
            node = next(iter(texts.values()))[1]
            self._emit("prompt-constant", tuple(blocks), node, frame, rank=0, span=blocks[0].span)

    def returned(
        self, entry: DecoratorSink, value: Val, node: ast.expr, frame: Frame, docstring: Str | None = None
    ) -> None:
        """A prompt that a decorated function returns, or that its docstring is."""
        if entry.docstring == "jinja":
            if docstring is not None:
                segments = self._interpreter.calls.prompts.parse(docstring.segments, "jinja", frame)
                span = span_of(segments) or frame.module.places.span(node)
                self._emit(entry.form, (Block("user", "messages", segments, span),), node, frame)
            return
        if docstring is not None:
            span = span_of(docstring.segments) or frame.module.places.span(node)
            front = [Block("system", "system", docstring.segments, span)]
            rest = self.messages.blocks(value, node, frame, "user")
            self._emit(entry.form, (*front, *rest), node, frame)
            return
        if self.messages.is_messages(value, frame):
            self._emit(entry.form, tuple(self.messages.blocks(value, node, frame, "user")), node, frame)
            return
        segments = self._interpreter.expressions.own_segments(value, node, frame)
        span = span_of(segments) or frame.module.places.span(node)
        blocks = [Block("user", "messages", segments, span)]
        if entry.history:
            blocks = [Block("system", "system", segments, span), self._conversation(node, frame)]
        self._emit(entry.form, tuple(blocks), node, frame)

    def decorated(self, form: str, parts: list[Val], node: ast.expr, frame: Frame) -> None:
        """A prompt that stands in a function's decorator, as a text or as messages; the function's parameters fill its
        placeholders."""
        blocks = [block for part in parts for block in self.messages.blocks(part, node, frame, "user")]
        parse = self._interpreter.calls.prompts.parse
        self._emit(form, tuple(replace(b, segments=parse(b.segments, "format", frame)) for b in blocks), node, frame)

    def message_list(self, value: Val, node: ast.expr, frame: Frame, *, returned: bool = False) -> None:
        """A message list that a function returns or a variable holds."""
        if self.messages.is_messages(value, frame):
            blocks = self.messages.blocks(value, node, frame, "user")
            changed = changes_front(blocks) or keeps_end(blocks, shown=returned)
            if not changed and all(block.role == "tool" for block in blocks):
                return  # what a tool found goes to the end of a conversation
            if changed or any(literal_length(b.segments) for b in blocks):
                # What a tool found is returned in messages too; the first message of a prompt says something.
                sure = Confidence.HIGH if changed or literal_length(blocks[0].segments) else Confidence.LOW
                self._emit("messages", tuple(blocks), node, frame, rank=1, confidence=sure)

    def added_to_system(self, value: Str, node: ast.expr, frame: Frame) -> None:
        """The system prompt of an agent from elsewhere, with what was added to it. What the first turn alone adds, all
        later ones find."""
        span = span_of(value.segments) or frame.module.places.span(node)
        segments = lifted_segments(value.segments, Lifetime.SESSION) if frame.beginning else value.segments
        blocks = (Block("system", "system", segments, span), self._conversation(node, frame))
        self._emit("messages", blocks, node, frame, rank=1)

    def cut_list(self, value: Val, node: ast.expr, frame: Frame) -> None:
        """A conversation that an object keeps and cuts."""
        self._emit("messages", tuple(self.messages.blocks(value, node, frame, "user")), node, frame, rank=1)

    def _handed(self, value: Val, node: ast.expr, frame: Frame) -> None:
        """A conversation that is handed to an agent whose prompt stands elsewhere: told where its end is taken."""
        opaque = self._interpreter.expressions.as_opaque(value, node, frame)
        if opaque.drift is not None and opaque.drift.kind == "window":
            history = self._interpreter.expressions.value(opaque, opaque.expression, opaque.span)
            self._emit("messages", (Block("history", "messages", (history,), opaque.span),), node, frame, rank=1)

    def cut_at(self, node: ast.expr, frame: Frame, kind: Literal["window", "rewritten"] = "window") -> None:
        """A conversation of which nothing is seen but that it is cut, or changed, at ``node``."""
        places = frame.module.places
        here, span = places.source(node), places.span(node)
        drift = Drift(kind, here, span)
        origin = Origin(SourceKind.HISTORY)
        history = Value(here, span, Lifetime.TURN, origin, Confidence.HIGH, "list", drift=drift)
        self._emit("messages", (Block("history", "messages", (history,), span),), node, frame, rank=1)

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
        if form in _UNKNOWN_SENDER:
            blocks = tuple(self._interpreter.calls.prompts.left_open(b, frame) for b in blocks)
        blocks = in_place(tuple(b for b in blocks if b.segments))
        running, listing = self._interpreter.loops.running, self._interpreter.loops.listing
        if running or listing:
            blocks = with_lasting(with_changes(blocks, running), (*running, *listing))
        if not blocks:
            return
        name = frame.function.name if frame.function is not None else "<module>"
        if frame.function is not None and frame.function.owner is not None:
            name = f"{frame.function.owner.name}.{name}"
        at = span or frame.module.places.span(node)
        sent = Hop(HopKind.SENT, frame.module.places.span(node))
        related = tuple(reversed(frame.chain))
        if rank >= 2:
            related = (sent, *related)
        bounds = (f"more than {MOST_BLOCKS} parts: the rest is left out",) if len(blocks) > MOST_BLOCKS else ()
        for variant in variants(blocks[:MOST_BLOCKS]):
            template = Template(form, name, at, variant, engine, model, confidence, related, bounds)
            self._interpreter.emit(template, rank, frame)


def _made_with(segments: tuple[Segment, ...]) -> tuple[Segment, ...]:
    """The text of an agent that is made in a loop: each pass makes another one, which keeps what it was made with."""

    def one(segment: Text | Value) -> tuple[Segment, ...]:
        if isinstance(segment, Value) and is_item(segment.origin):
            return (replace(segment, lifetime=lift(segment.lifetime, Lifetime.SESSION)),)
        return (segment,)

    return rebuilt(segments, one)


def _filled_by_library(
    segments: tuple[Segment, ...], own: tuple[Segment, ...], lifetime: Lifetime
) -> tuple[Segment, ...]:
    """A prompt whose open placeholders, which ``own`` still had as text, the library fills with what it keeps for so
    long: one whose name says nothing is a part of that."""

    def one(segment: Text | Value) -> tuple[Segment, ...]:
        if not isinstance(segment, Value) or not segment.name or segment.lifetime.known or segment in own:
            return (segment,)
        if segment.origin.kind is not SourceKind.PARAMETER:
            return (segment,)
        origin = Origin(SourceKind.SESSION, segment.origin.hops)
        return (replace(segment, lifetime=lifetime, origin=origin, confidence=Confidence.HIGH),)

    return lifted_segments(rebuilt(segments, one), lifetime)


def _of_parameter(node: ast.Call, frame: Frame) -> bool:
    """Whether a method of a parameter is called: what it does is for the function's callers to say."""
    target: ast.expr = node.func
    while isinstance(target, ast.Attribute):
        target = target.value
    known = frame.function.defaults if frame.function is not None else {}
    return isinstance(target, ast.Name) and target is not node.func and target.id in known and target.id != "self"


_PLAIN = Sink("messages")


def _tells_of_message(segment: Segment) -> bool:
    """Whether a part of a text is one of a message: what a loop over a conversation makes of each may be one again."""
    return not isinstance(segment, Text) and segment.origin.kind is SourceKind.HISTORY and is_item(segment.origin)
