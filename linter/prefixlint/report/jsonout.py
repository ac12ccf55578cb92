"""JSON, version 1: of ``check`` and of ``report``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from prefixlint import __version__
from prefixlint.model.findings import Severity
from prefixlint.model.segments import Choice, Repeat, Text, Value
from prefixlint.report.escape import json_text
from prefixlint.report.pricing import REQUESTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from prefixlint.model.findings import Finding
    from prefixlint.model.layouts import Layout, Placed, SharedPrefix
    from prefixlint.model.sources import Position, Span
    from prefixlint.model.targets import Prediction, Target
    from prefixlint.model.templates import Template
    from prefixlint.report.pricing import Cost
    from prefixlint.run.result import RunResult

VERSION = 1
_KINDS = {Text: "text", Value: "value", Choice: "choice", Repeat: "repeat"}


def _dump(document: Mapping[str, Any]) -> str:
    return json_text(document)


def _position(position: Position) -> dict[str, int]:
    return {"line": position.line, "column": position.column}


def _place(span: Span) -> dict[str, Any]:
    return {"path": span.path, "start": _position(span.start), "end": _position(span.end)}


def check(result: RunResult, findings: Iterable[Finding]) -> str:
    """The summary counts everything found; ``findings`` are those that are shown."""
    return _dump(
        {
            "version": VERSION,
            "tool": {"name": "prefixlint", "version": __version__},
            "summary": {
                "files": result.files,
                "templates": len(result.templates),
                "errors": result.count(Severity.ERROR),
                "warnings": result.count(Severity.WARNING),
                "infos": result.count(Severity.INFO),
                "unanalysed_files": result.unanalysed_files,
            },
            "diagnostics": [_diagnostic(finding) for finding in findings],
        }
    )


def _diagnostic(finding: Finding) -> dict[str, Any]:
    fix = finding.fix
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity.value,
        "confidence": finding.confidence.value,
        "message": finding.message,
        **_place(finding.span),
        "template": finding.template or None,
        "lifetime": finding.lifetime.value if finding.lifetime else None,
        "expression": finding.expression,
        "related": [
            {
                "path": related.span.path,
                "line": related.span.start.line,
                "column": related.span.start.column,
                "note": related.note,
            }
            for related in finding.related
        ],
        "stable_tokens_before": finding.stable_tokens_before,
        "stranded_tokens": finding.stranded_tokens,
        "history_stranded": finding.history_stranded,
        "fix": {"applicability": fix.applicability, "message": fix.message} if fix else None,
        "url": finding.url or None,
    }


def report(result: RunResult, price: Callable[[Prediction], Cost | None] = lambda _: None) -> str:
    """Each template's layout for its first target, and the predictions for all, with what they cost where known."""
    return _dump({"version": VERSION, "templates": [_template(layout, price) for layout in result.layouts]})


def _template(layout: Layout, price: Callable[[Prediction], Cost | None]) -> dict[str, Any]:
    template, target, point = layout.template, layout.target, layout.breakpoint
    return {
        "id": template.id,
        **_place(template.span),
        "form": template.form,
        "name": template.name,
        "target": {
            "engine": target.engine,
            "model": target.model,
            "tokenizer": target.tokenizer,
            "chat_template": _framing(template, target),
            "exact": target.exact,
        },
        "segments": [_segment(placed) for placed in layout.placed],
        "breakpoint": point
        and {
            "token": point.token,
            "token_guaranteed": point.token_guaranteed,
            "path": point.span.path,
            "line": point.span.start.line,
            "column": point.span.start.column,
            "expression": point.expression,
            "lifetime": point.lifetime.value,
        },
        "stable_prefix_tokens": layout.stable_prefix_tokens,
        "stable_tokens": layout.stable_tokens,
        "stranded_tokens": layout.stranded_tokens,
        "history_stranded": layout.history_stranded,
        "shared_prefix": [_shared(shared) for shared in layout.shared_prefix],
        "predictions": [_prediction(prediction, price(prediction)) for prediction in layout.predictions],
    }


def _framing(template: Template, target: Target) -> str | None:
    """What frames the messages: a chat template, or counts by a name; nothing frames a text without roles."""
    if not any(block.role for block in template.blocks):
        return None
    return target.chat_template or (None if target.chat_format == "none" else target.chat_format)


def _segment(placed: Placed) -> dict[str, Any]:
    segment = placed.segment
    return {
        "kind": _KINDS[type(segment)],
        "role": placed.role,
        "lifetime": placed.lifetime.value,
        "text": placed.text,
        "expression": None if isinstance(segment, Text) else segment.expression,
        "tokens": placed.tokens,
        **_place(segment.span() if isinstance(segment, Text) else segment.span),
    }


def _shared(shared: SharedPrefix) -> dict[str, Any]:
    return {"lifetime": shared.lifetime.value, "tokens": shared.tokens, "tokens_after_fix": shared.after_fix}


def _prediction(prediction: Prediction, cost: Cost | None) -> dict[str, Any]:
    priced = {} if cost is None else {"input_dollars": _dollars(cost)}
    return {
        "engine": prediction.engine,
        "cached_tokens": prediction.cached_tokens,
        "cached_tokens_after_fix": prediction.cached_tokens_after_fix,
        "granularity": prediction.granularity,
        "minimum": prediction.minimum,
        "note": prediction.note,
        "keep_seconds": prediction.keep,
        "within": [_shared(shared) for shared in prediction.within],
        "invalidated_by": list(prediction.invalidated_by),
        **priced,
    }


def _dollars(cost: Cost) -> dict[str, Any]:
    amounts = {"uncached": cost.uncached, "predicted": cost.predicted, "after_fix": cost.after_fix}
    return {"requests": REQUESTS, **{name: float(amount) for name, amount in amounts.items()}}
