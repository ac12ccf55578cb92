"""Rendering segments with values, by jinja2's own expressions: the tests' counterpart of what the linter never does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from jinja2 import Environment
from prefixlint.model.segments import Choice, Repeat, Segment, Text, Value

if TYPE_CHECKING:
    from prefixlint.model.sources import SourceFile

ENV = Environment()


def evaluate(expression: str, context: dict[str, Any]) -> Any:
    return ENV.compile_expression(expression, undefined_to_none=False)(**context)


def render(segments: tuple[Segment, ...], context: dict[str, Any], file: SourceFile) -> str:
    out = []
    for segment in segments:
        if isinstance(segment, Text):
            out.append(segment.text)
        elif isinstance(segment, Value):
            out.append(str(evaluate(segment.expression, context)))
        elif isinstance(segment, Choice):
            arm = segment.arms[0] if evaluate(segment.expression, context) else segment.arms[1]
            out.append(render(arm, context, file))
        elif isinstance(segment, Repeat):
            start = file.offset(segment.span.start)
            head = re.compile(r"\{%[-+]?\s*for\s+(.*?)\s+in\s+").match(file.text, start)
            assert head is not None
            targets = [name.strip() for name in head.group(1).split(",")]
            items = list(evaluate(segment.expression, context))
            for place, item in enumerate(items):
                values = item if len(targets) > 1 else (item,)
                loop = {"index": place + 1, "first": place == 0, "last": place == len(items) - 1}
                inner = {**context, **dict(zip(targets, values, strict=True)), "loop": loop}
                out.append(render(segment.body, inner, file))
    return "".join(out)
