"""Prompt template and message objects of libraries (LangChain, LlamaIndex, Haystack, Jinja)."""

from __future__ import annotations

import re
import string
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python import strings, unfilled
from prefixlint.frontends.python.blocks import as_history, whole
from prefixlint.frontends.python.few_shots import with_examples
from prefixlint.frontends.python.filled_paths import with_parts
from prefixlint.frontends.python.naming import named
from prefixlint.frontends.python.values import (
    NONE,
    DictThing,
    Func,
    Lambda,
    Lib,
    ListThing,
    ObjectThing,
    Partial,
    PromptThing,
    Str,
)
from prefixlint.knowledge.call_names import call_names
from prefixlint.knowledge.roles import role_words
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Text, Value, merge_text, rebuilt
from prefixlint.model.templates import Block

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from prefixlint.frontends.promptfiles import JinjaSyntax
    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.modules import ModuleInfo
    from prefixlint.frontends.python.values import Val
    from prefixlint.knowledge.libraries import MessageClass, PromptClass
    from prefixlint.model.segments import Segment
    from prefixlint.model.sources import Span

Segments = tuple["Segment", ...]
# Forms that any text can take: a template only where it reads like a prompt or is sent.
_PLAIN_FORMS = frozenset({"string-template", "jinja", "placeholder"})


def _all(thing: PromptThing) -> Segments:
    """The segments of all messages of a prompt."""
    return tuple(segment for block in thing.blocks for segment in block.segments)


def _filled(segment: Segment, values: Mapping[str, Val]) -> bool:
    """Whether a placeholder is given a value."""
    return isinstance(segment, Value) and segment.name in values


def _talk(block: Block) -> Block:
    """The messages that fill a block, which are a conversation."""
    return replace(block, segments=tuple(as_history(segment) for segment in block.segments))


def _left_open(segment: Segment) -> Segment:
    """A name that ``safe_substitute`` was given nothing for stays in the text as it stands there."""
    if not isinstance(segment, Value) or not segment.name or segment.expression != segment.name:
        return segment
    start, end = segment.span.start, segment.span.end
    braced = start.line == end.line and end.column - start.column > len(segment.name) + 1
    return Text(f"${{{segment.name}}}" if braced else f"${segment.name}", segment.span)


_PATH = re.compile(r"\w+(?:\.\w+|\[[^\[\](){}]+\])*\Z")
"""A field of ``str.format`` without its conversion."""
_LATEX = re.compile(r"\\[a-zA-Z]+\{\{")
"""A command of TeX whose braces are doubled for ``str.format``."""
_TAG = re.compile(r"\{%-?\s*(?:if|for|set|macro|include|block)\s")
"""A tag of Jinja, which ``str.format`` would take for a field."""


_FORMATS = {"jinja2": "jinja", "handlebars": "mustache", "mustache": "mustache", "liquid": "jinja"}
"""Syntaxes by what LangChain and Semantic Kernel call them."""


def chosen_syntax(keywords: Mapping[str, Val], usual: str) -> str:
    """The syntax of a template that a call says with its text, else the usual one."""
    chosen = keywords.get("template_format")
    name = strings.constant_text(chosen.segments) if isinstance(chosen, Str) else None
    return _FORMATS.get(name or "", usual)


class PromptObjects:
    """Makes and fills prompt objects; each is a template where it is made, and again where it is filled."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter

    def message(
        self, entry: MessageClass, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame
    ) -> Val:
        """``SystemMessage(content=…)`` as a message dictionary."""
        if frame.state is None:
            return NONE
        rest = list(args)
        role: Val
        if entry.role is not None:
            role = Str((Text(entry.role, frame.module.places.span(node)),))
        else:
            role = keywords.get(entry.role_argument or "role") or (rest.pop(0) if len(rest) > 1 else NONE)
        content = keywords.get(entry.content) or keywords.get("text") or (rest[0] if rest else None)
        if content is None:
            return self._interpreter.expressions.opaque(node, frame)
        if isinstance(role, Lib):
            # ``MessageRole.SYSTEM`` of a library's own kinds of roles.
            word = role.path.rpartition(".")[2].lower()
            role = Str((Text(word, frame.module.places.span(node)),)) if word in role_words() else role
        return frame.state.new(DictThing((("role", role), ("content", content))))

    def placeholder(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val:
        """``MessagesPlaceholder("history")``: a conversation filled in later."""
        if frame.state is None:
            return NONE
        name = keywords.get("variable_name") or (args[0] if args else None)
        text = strings.constant_text(name.segments) if isinstance(name, Str) else None
        span = frame.module.places.span(node)
        value = Value(
            text or "messages",
            span,
            Lifetime.TURN,
            Origin(SourceKind.HISTORY),
            Confidence.HIGH,
            "list",
            name=text or "",
            grows=True,
        )
        block = Block("history", "messages", (value,), span)
        return frame.state.new(PromptThing("placeholder", (block,), span))

    def create(
        self, entry: PromptClass, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame
    ) -> Val:
        """A prompt template object; its placeholders stay open."""
        if frame.state is None:
            return NONE
        span = frame.module.places.span(node)
        if entry.wraps is not None:
            wrapped = keywords.get(entry.wraps) or (args[0] if args else NONE)
            inner = self._interpreter.thing(wrapped, frame)
            if isinstance(inner, PromptThing):
                if entry.role is None:
                    return wrapped
                # It is a message of another prompt, and is sent with the others.
                self._interpreter.part_of_another(inner.span)
                block = Block(entry.role, "system" if entry.role == "system" else "messages", _all(inner), span)
                return frame.state.new(PromptThing(entry.form, (block,), span))
            if entry.text is None:
                return self._interpreter.expressions.opaque(node, frame)
        syntax = chosen_syntax(keywords, entry.syntax)
        requests = self._interpreter.calls.requests
        if entry.messages is not None:
            value = keywords.get(entry.messages) or (args[0] if args else None)
            blocks = [] if value is None else requests.messages.blocks(value, node, frame, "user")
            blocks = [replace(b, segments=self.parse(b.segments, syntax, frame)) for b in blocks]
        else:
            blocks = []
            for key in (entry.prefix_text, entry.text):
                value = keywords.get(key or "") or (args[0] if args and key == entry.text else None)
                if value is not None:
                    segments = self.parse(self._interpreter.expressions.segments(value, node, frame), syntax, frame)
                    role = entry.role or ""
                    segments = whole(segments) if role == "system" else segments
                    blocks.append(Block(role, "system" if role == "system" else "messages", segments, span))
            if entry.examples is not None and blocks:
                pieces = [block.segments for block in blocks]
                shown = with_examples(self._interpreter, entry, pieces, keywords, node, frame)
                blocks = [replace(blocks[0], segments=shown)]
        if not blocks:
            return self._interpreter.expressions.opaque(node, frame)
        thing = PromptThing(entry.form, tuple(blocks), span)
        partial = self._interpreter.thing(keywords.get("partial_variables", NONE), frame)
        if isinstance(partial, DictThing):
            values = {key: self.asked(value, node, frame) for key, value in partial.entries}
            thing = self.bound(thing, values, node, frame)
        if not entry.form.endswith("-message"):
            requests.prompt(thing, node, frame)
        return frame.state.new(thing)

    def chain(self, name: str, keywords: Mapping[str, Val], frame: Frame) -> Val | None:
        """``LLMChain(llm=…, prompt=…)`` or an object of another class that is made with a prompt object, or None."""
        prompt = self._interpreter.thing(keywords.get("prompt", NONE), frame)
        if not isinstance(prompt, PromptThing) or not name[:1].isupper() or frame.state is None:
            return None
        return frame.state.new(replace(prompt, chain=True))

    def runs(self, thing: ObjectThing, name: str, frame: Frame) -> PromptThing | None:
        """The chain that an object of a project's class is, where ``name`` is an inherited method that runs it."""
        if name not in call_names().running or "prompt" not in thing.attributes:
            return None
        prompt = self._interpreter.thing(thing.attributes["prompt"], frame)
        if not isinstance(prompt, PromptThing) or self._interpreter.lookup.method(thing.info, name) is not None:
            return None
        return replace(prompt, chain=True)

    def parse(
        self,
        segments: Segments,
        syntax: str,
        frame: Frame,
        options: JinjaSyntax | None = None,
        loader: Callable[[str], Text | None] | None = None,
    ) -> Segments:
        """Placeholders in fixed text as open values; ``options`` and ``loader`` are those of a Jinja environment."""
        if syntax == "format":
            return strings.format_fields(segments, self._open)
        from prefixlint.frontends.promptfiles import PromptFileError, jinja_segments

        if syntax != "jinja":
            try:
                return self._in_braces(segments, syntax)
            except PromptFileError:  # told where the file itself is read
                return segments
        from prefixlint.frontends.promptfiles.jinja_tree import DEFAULT

        def one(segment: Text | Value) -> Segments:
            if isinstance(segment, Value):
                return (segment,)
            try:
                return tuple(jinja_segments(segment, syntax=options or DEFAULT, loader=loader))
            except PromptFileError:  # told where the file itself is read
                return (segment,)

        return rebuilt(segments, one)

    def opened(self, segments: Segments, frame: Frame, around: Iterable[ModuleInfo] = ()) -> Segments:
        """Fixed text with its placeholders open: those of ``string.Template`` where the modules ``around`` it use that,
        those of ``str.format``, those of the project, or of another form."""
        from prefixlint.frontends.promptfiles.placeholders import is_specification, says_in_braces

        whole = "".join(segment.text for segment in segments if isinstance(segment, Text))
        if "$" in whole and unfilled.substitutes(around):
            found = unfilled.substituted(segments, whole, self._open_name)
            if found != segments:
                return found
        if says_in_braces(whole):
            return segments
        # What ``str.format`` would refuse, as the braces are those of an object that is shown or of Jinja's tags, is no
        # template of it.
        fits = all(is_specification(spec) for spec in strings.specifications(segments)) and not _TAG.search(whole)
        found = self.parse(segments, "format", frame) if fits else segments
        if any(isinstance(s, Value) for s in found):
            return self.refilled(found)
        found = self.marked(segments, frame)
        if any(not isinstance(s, Text) for s in found):
            return found
        return unfilled.opened(segments, whole, self._open_name)

    def refilled(self, segments: Segments) -> Segments:
        """A text that was filled, with the placeholders open that it leaves for a second filling."""
        texts = (segment.text for segment in segments if isinstance(segment, Text))
        names = frozenset[str]().union(*map(unfilled.left_for_later, texts))
        if not names:
            return segments
        return strings.format_fields(
            segments, lambda field, *rest: self._open(field, *rest) if field in names else None
        )

    def marked(self, segments: Segments, frame: Frame) -> Segments:
        """Placeholders that code of the project fills by itself, as open values: ``{{x}}``, and Jinja's tags."""
        from prefixlint.frontends.promptfiles.placeholders import live_syntax, speaks_of_braces

        whole = "".join(segment.text for segment in segments if isinstance(segment, Text))
        syntax = live_syntax([whole]) if "{{" in whole else ""
        if syntax == "kernel":
            return self._in_braces(segments, syntax)
        if syntax != "jinja":
            return segments
        if "{%" in whole:
            return self.parse(segments, "jinja", frame)
        if _LATEX.search(whole) or speaks_of_braces(whole):
            return segments
        return self._in_braces(segments, "double-brace")

    def left_open(self, block: Block, frame: Frame) -> Block:
        """A block with the placeholders open that its text, put together in the module, leaves to whoever sends it: an
        f-string with ``{{{{question}}}}``. What was read from a file the file's own format tells."""
        texts = [segment for segment in block.segments if isinstance(segment, Text) and "{" in segment.text]
        if not any("{{" in text.text for text in texts) or any("{%" in text.text for text in texts):
            return block
        paths = {text.span().path for text in texts}
        if any(path != frame.module.path and not path.endswith(".py") for path in paths):
            return block
        return replace(block, segments=self.marked(block.segments, frame))

    @staticmethod
    def _in_braces(segments: Segments, syntax: str) -> Segments:
        """Placeholders in fixed text, of a syntax that ``promptfiles.placeholders`` reads, as open values."""
        from prefixlint.frontends.promptfiles.placeholders import segments_in

        return rebuilt(segments, lambda s: segments_in(s, syntax) if isinstance(s, Text) else (s,))

    @staticmethod
    def _open(field: str, conversion: str, spec: str, span: Span, number: int) -> Segments | None:
        root = field.partition(".")[0].partition("[")[0]
        if not root.isidentifier() or not _PATH.match(field):
            return None
        value = named(root, field, span, open_name=root)
        return (Value(field, span, value.lifetime, value.origin, value.confidence, value.shape, root, value.grows),)

    def _open_name(self, name: str, span: Span) -> Segments | None:
        """The placeholder of a name, of ``string.Template`` or of ``%``, as an open value."""
        return self._open(name, "", "", span, 0)

    def dollar(self, segments: Segments, delimiter: str = "$") -> Segments:
        """``$x`` placeholders of ``string.Template``, or of a class with another delimiter, as open values."""
        template = string.Template if delimiter == "$" else type("Own", (string.Template,), {"delimiter": delimiter})
        return strings.dollar_fields(segments, self._open_name, template)

    def template(self, text: Val, delimiter: str, node: ast.Call, frame: Frame) -> Val | None:
        """A ``string.Template`` of this text, or None."""
        if not isinstance(text, Str) or frame.state is None:
            return None
        span = frame.module.places.span(node)
        block = Block("", "messages", self.dollar(text.segments, delimiter), span)
        return frame.state.new(PromptThing("string-template", (block,), span))

    def mustache(self, text: Val, values: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """A Mustache template of this text, filled with values; None where the text is not known."""
        from prefixlint.frontends.promptfiles import PromptFileError

        if not isinstance(text, Str):
            return None
        span = frame.module.places.span(node)
        try:
            segments = self.parse(text.segments, "mustache", frame)
        except PromptFileError:  # told where the file itself is read
            return None
        filled = self.bound(
            PromptThing("mustache", (Block("", "messages", segments, span),), span), values, node, frame
        )
        return Str(merge_text([s for block in filled.blocks for s in block.segments]))

    def bound(self, thing: PromptThing, values: Mapping[str, Val], node: ast.expr, frame: Frame) -> PromptThing:
        """The prompt with these placeholders filled."""
        filled: dict[str, Segments] = {}
        expressions = self._interpreter.expressions
        parts = (with_parts(b.segments, values, node, self._interpreter, frame) for b in thing.blocks)
        thing = replace(thing, blocks=tuple(replace(b, segments=p) for b, p in zip(thing.blocks, parts, strict=True)))
        nodes = {k.arg: k.value for k in getattr(node, "keywords", ()) if k.arg}
        for name, value in values.items():
            inner = self._interpreter.thing(value, frame)
            if isinstance(inner, ListThing) and not thing.prints:
                continue
            at = nodes.get(name, node)
            expression = frame.module.places.source(at) if name in nodes else name
            segments = expressions.placed(value, expression, frame.module.places.span(at), at, frame)
            known = strings.open_names(_all(thing)).get(name)
            filled[name] = tuple(self._judged(s, known) for s in segments)
        if thing.prints:
            bound = (replace(b, segments=strings.bind_names(b.segments, filled)) for b in thing.blocks)
            return replace(thing, blocks=tuple(_talk(b) if b.role == "history" else b for b in bound))
        blocks = tuple(
            replace(b, segments=strings.bind_names(b.segments, filled))
            for block in thing.blocks
            for b in self._with_messages(block, values, node, frame)
        )
        return replace(thing, blocks=blocks)

    def _with_messages(self, block: Block, values: Mapping[str, Val], node: ast.expr, frame: Frame) -> Sequence[Block]:
        """A block, or the messages of a list that fills it where it stands for such."""
        only = block.segments[0] if len(block.segments) == 1 else None
        given = values.get(only.name) if block.role == "history" and isinstance(only, Value) else None
        thing = None if given is None else self._interpreter.thing(given, frame)
        if given is None or not isinstance(thing, ListThing) or not thing.items:
            return (block,)
        return self._interpreter.calls.requests.messages.blocks(given, node, frame, "user")

    def asked(self, value: Val, node: ast.expr, frame: Frame) -> Val:
        """What fills a placeholder, or is an agent's instructions: a function that is given for it is asked anew for
        each request."""
        if not isinstance(value, Func | Lambda | Partial):
            return value
        moment, frame.moment = frame.moment, Lifetime.REQUEST
        try:
            return self._interpreter.calls.asked(value, node, frame)
        finally:
            frame.moment = moment

    @staticmethod
    def _judged(segment: Segment, known: Value | None) -> Segment:
        """A filling of unknown lifetime keeps what the placeholder's name suggests."""
        if known is None or not isinstance(segment, Value) or segment.lifetime.known:
            return segment
        return replace(
            segment,
            lifetime=known.lifetime,
            origin=Origin(known.origin.kind, segment.origin.hops),
            confidence=known.confidence,
            shape=known.shape,
            grows=known.grows,
        )

    def handed(
        self, called: str, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame
    ) -> PromptThing | None:
        """A prompt object that is handed to what runs it, filled with what else is: ``llm.predict(PROMPT, note=x)``,
        ``kernel.invoke(function, KernelArguments(note=x))``. None where nothing fills it."""
        if called not in call_names().running:
            return None
        values: dict[str, Val] = dict(keywords)
        found: PromptThing | None = None
        for value in (*args, *keywords.values()):
            thing = self._interpreter.thing(value, frame)
            if isinstance(thing, DictThing):
                values.update(thing.entries)
            elif isinstance(thing, PromptThing) and found is None:
                found = thing
        if found is None or not strings.open_names(_all(found)).keys() & values.keys():
            return None
        return self.bound(found, values, node, frame)

    def method(
        self, thing: PromptThing, name: str, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame
    ) -> Val | None:
        """``prompt.partial(…)``, ``prompt.format(…)``, ``prompt.invoke({…})``; None for other methods."""
        if frame.state is None or (thing.chain and name not in call_names().running | call_names().running_itself):
            return None
        values = {k: v for k, v in keywords.items() if k != "**"}
        for argument in args:
            inner = self._interpreter.thing(argument, frame)
            if isinstance(inner, DictThing):
                values.update(inner.entries)
        if thing.chain:
            open_ = strings.open_names(_all(thing))
            if len(args) == len(open_) == 1 and not values:
                values = {next(iter(open_)): args[0]}
            self._interpreter.calls.requests.prompt(self.bound(thing, values, node, frame), node, frame)
            return self._interpreter.calls.libraries.answer(node, frame)
        if name != "partial" and name not in call_names().filling:
            return None
        if name == "partial":
            values = {key: self.asked(value, node, frame) for key, value in values.items()}
        if name == "safe_substitute" and "**" not in keywords:
            blocks = tuple(
                replace(b, segments=tuple(s if _filled(s, values) else _left_open(s) for s in b.segments))
                for b in thing.blocks
            )
            thing = replace(thing, blocks=blocks)
        filled = self.bound(thing, values, node, frame)
        if thing.form not in _PLAIN_FORMS:
            self._interpreter.calls.requests.prompt(filled, node, frame)
        is_message = thing.form.endswith("-message")  # which gives a message of its role
        if name in call_names().filling_text and not is_message:
            return Str(merge_text([s for b in filled.blocks for s in b.segments]))
        return frame.state.new(filled)
