"""Prompt objects with examples: prefix, each example through a template of its own, suffix, as LangChain joins them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python import strings
from prefixlint.frontends.python.values import NONE, Choose, DictThing, PromptThing, Str
from prefixlint.model.segments import Text, merge_text

if TYPE_CHECKING:
    import ast
    from collections.abc import Mapping, Sequence

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.values import Val
    from prefixlint.knowledge.libraries import PromptClass
    from prefixlint.model.segments import Segment

Segments = tuple["Segment", ...]


def with_examples(
    interpreter: Interpreter,
    entry: PromptClass,
    pieces: Sequence[Segments],
    given: Mapping[str, Val],
    node: ast.Call,
    frame: Frame,
) -> Segments:
    """The whole text: ``pieces`` are its prefix and its suffix, or the suffix alone, their placeholders open."""
    front, last = pieces[:-1], pieces[-1:]
    separator = given.get(entry.separator or "")
    between = separator.segments if isinstance(separator, Str) else (Text("\n\n", frame.module.places.span(node)),)
    out: Segments = ()
    for piece in (*front, _examples(interpreter, entry, between, given, node, frame), *last):
        if piece:
            out = (*out, *between, *piece) if out else piece
    return merge_text(out)


def _examples(
    interpreter: Interpreter,
    entry: PromptClass,
    between: Segments,
    given: Mapping[str, Val],
    node: ast.Call,
    frame: Frame,
) -> Segments:
    """The examples as they stand in the text; those that a selector chooses as one value."""
    expressions = interpreter.expressions
    nodes = {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg}
    template = interpreter.thing(given.get(entry.example_text or "", NONE), frame)
    examples = given.get(entry.examples or "", NONE)
    if examples != NONE and isinstance(template, PromptThing):
        at = nodes.get(entry.examples or "", node)
        arms = examples.values if isinstance(examples, Choose) else (examples,)
        texts = tuple(_written(interpreter, template, arm, between, at, frame) or arm for arm in arms)
        value = replace(examples, values=texts) if isinstance(examples, Choose) else texts[0]
        return expressions.segments(value, at, frame)
    chosen = given.get(entry.selector or "", NONE)
    return () if chosen == NONE else expressions.own_segments(chosen, nodes.get(entry.selector or "", node), frame)


def _written(
    interpreter: Interpreter, template: PromptThing, examples: Val, between: Segments, at: ast.expr, frame: Frame
) -> Str | None:
    """Examples that are known one by one, each through the template; None for others, and for too many."""
    known = interpreter.expressions.known_items(examples, frame) or []
    things = [interpreter.thing(item, frame) for item in known]
    records = [thing for thing in things if isinstance(thing, DictThing) and not thing.rest]
    if not records or len(records) < len(known) or len(records) > interpreter.bounds.unroll:
        return None
    out: Segments = ()
    for record in records:
        filled = interpreter.calls.prompts.bound(template, dict(record.entries), at, frame)
        text = strings.concat(*(block.segments for block in filled.blocks))
        out = strings.concat(out, between, text) if out else text
    return Str(out)
