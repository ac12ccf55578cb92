"""``diff --templates`` as text and as JSON: what a log says of the predictions from the source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from prefixlint.report.escape import plain, width
from prefixlint.report.lines import extent, plural
from prefixlint.report.table import clipped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prefixlint.report.style import Style
    from prefixlint.wire.joined import Joined, Seen

_EXPRESSION = 48
_KINDS = {"confirmed": "stable", "refuted": "error", "open": "dim"}


def render(joined: Sequence[Joined], unmatched: int, style: Style) -> str:
    """For each template its requests, where they part, and how often each value changed."""
    out = [_template(one, style) for one in joined]
    if not joined:
        out.append("no request is one of a template in the source\n")
    if unmatched:
        out.append(f"{plural(unmatched, 'request')} of no template in the source\n")
    return "\n".join(out)


def _template(joined: Joined, style: Style) -> str:
    layout = joined.layout
    span, point = layout.template.span, layout.breakpoint
    place = style.paint("bold", f"{plain(span.path)}:{span.start.line}")
    head = f"{place} {plain(layout.template.name)}: {plural(joined.requests, 'request')}\n"
    if joined.requests < 2:
        return head + "  nothing to compare it with\n"
    said = "no breakpoint" if point is None else f"breakpoint at token {extent(point.token_guaranteed, point.token)}"
    seen = f"requests share {extent(joined.least, joined.most)} tokens with the one before"
    rows = [(f"{said} ({layout.target.name})", seen, _verdict(joined.verdict, style))]
    rows += [
        (
            f"`{clipped(one.gap.expression, _EXPRESSION)}` ({one.gap.lifetime.value})",
            _changes(one),
            _verdict(one.verdict, style),
        )
        for one in joined.seen
        if one.gap.expression
    ]
    widths = [max(width(row[column]) for row in rows) for column in range(2)]
    return head + "".join(
        f"  {said}{' ' * (widths[0] - width(said))}  {seen}{' ' * (widths[1] - width(seen))}  {verdict}\n"
        for said, seen, verdict in rows
    )


def _changes(seen: Seen) -> str:
    if not seen.changes:
        return f"never changed in {seen.pairs:,}"
    return f"changed in {seen.changes:,} of {seen.pairs:,}"


def _verdict(verdict: str, style: Style) -> str:
    return style.paint(_KINDS[verdict], verdict)


def document(joined: Sequence[Joined], unmatched: int) -> dict[str, Any]:
    """The same for programs."""
    return {
        "templates": [
            {
                "template": one.layout.template.id,
                "target": one.layout.target.name,
                "requests": one.requests,
                "predicted_breakpoint": None
                if one.layout.breakpoint is None
                else {"token": one.layout.breakpoint.token, "token_guaranteed": one.layout.breakpoint.token_guaranteed},
                "shared_tokens": [one.least, one.most],
                "verdict": one.verdict,
                "values": [
                    {
                        "expression": seen.gap.expression,
                        "line": seen.gap.line,
                        "lifetime": seen.gap.lifetime.value,
                        "pairs": seen.pairs,
                        "changes": seen.changes,
                        "verdict": seen.verdict,
                    }
                    for seen in one.seen
                    if seen.gap.expression
                ],
            }
            for one in joined
        ],
        "requests_of_no_template": unmatched,
    }
