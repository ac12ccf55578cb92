"""All that is known of one template, folded away until it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.report.html import picture
from prefixlint.report.html.markup import element, inline, path
from prefixlint.report.html.prompt import prompt
from prefixlint.report.lines import extent, plural
from prefixlint.report.table import clipped, shared_within, target_name, unknown_values

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from prefixlint.model.layouts import Layout
    from prefixlint.model.targets import Prediction


def details(number: int, layout: Layout) -> str:
    """The foldable part of template ``number``, with an anchor for the overview."""
    template = layout.template
    title = element("b", inline(template.name)) + " " + element("code", path(_place(layout)))
    head = element("summary", title + element("small", inline(template.form)))
    body = facts(layout) + bars(layout) + _predictions(layout) + _text(layout)
    return element("details", head + element("div", body, _class="body"), id=f"t{number}")


def _place(layout: Layout) -> str:
    return f"{layout.template.span.path}:{layout.template.span.start.line}"


def facts(layout: Layout) -> str:
    """The few sentences that matter most."""
    rows = [("Target", inline(target_name(layout))), ("Stable prefix", _prefix(layout))]
    point = layout.breakpoint
    if point is None:
        rows.append(("Breakpoint", "none: nothing in it is known to change"))
    else:
        token = extent(point.token_guaranteed, point.token)
        where = element("code", inline(f"{point.span.path}:{point.span.start.line}:{point.span.start.column}"))
        value = element("code", inline(clipped(point.expression, 120)))
        life = element("span", inline(point.lifetime.value), _class=f"life l-{point.lifetime.value}")
        rows.append(("Breakpoint", f"token {token}: {value} {life} at {where}"))
    if layout.shared_prefix:
        rows.append(("Shared within", inline(shared_within(layout))))
    if count := unknown_values(layout):
        rows.append(("Unknown", f"{plural(count, 'value')} of unknown lifetime"))
    if layout.template.bounds:
        rows.append(("Cut short", inline(", ".join(layout.template.bounds))))
    return element("dl", "".join(f"<dt>{name}</dt><dd>{text}</dd>" for name, text in rows))


def _prefix(layout: Layout) -> str:
    text = plural(layout.stable_prefix_tokens, "token")
    if layout.stable_prefix_tokens <= layout.stable_tokens:
        # Otherwise a conversation stands in the prefix: reused within a session, and not stable.
        text = f"{layout.stable_prefix_tokens:,} of {plural(layout.stable_tokens, 'stable token')}"
    if layout.stranded_tokens:
        text += f", <strong>{layout.stranded_tokens:,} stranded</strong>"
    if layout.history_stranded:
        text += ", <strong>the conversation stranded</strong>"
    return text


def bars(layout: Layout) -> str:
    """The prompt as it stands, and with what varies at its end where that gains anything."""
    today, then = picture.now(layout), picture.after(layout)
    lost = [number for number, placed in today.pieces if picture.stranded(placed, layout)]
    kept = f"{today.prefix:,} of {plural(today.total, 'token')} reused"
    out = [_bar("Now", kept, picture.bar(today, f"Now: {kept}", lost))]
    if then is not None:
        kept = f"about {then.prefix:,} of {plural(then.total, 'token')} reused"
        out.append(_bar("After the fix", kept, picture.bar(then, f"After the fix: {kept}")))
    return element("div", "".join(out), _class="bars")


def _bar(name: str, kept: str, drawn: str) -> str:
    return element("figure", element("figcaption", f"<b>{name}</b> {kept}") + drawn)


def _predictions(layout: Layout) -> str:
    if not layout.predictions:
        return ""
    rows = (_prediction(each) for each in layout.predictions)
    return _table("Predicted reuse", ("Engine", "Now", "After the fix", "Unit", "Minimum", "Note"), rows)


def _prediction(each: Prediction) -> Sequence[str]:
    return (
        inline(each.engine),
        f"{each.cached_tokens:,}",
        f"{each.cached_tokens_after_fix:,}",
        f"{each.granularity:,}",
        f"{each.minimum:,}",
        inline(each.note),
    )


def _table(caption: str, heads: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f'<th scope="col">{name}</th>' for name in heads)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    table = f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return element("div", table, _class="wide")


def _text(layout: Layout) -> str:
    hint = "Point at a piece, or move with the arrow keys, to see its tokens."
    status = element("output", hint, _class="tip")
    text = element("div", prompt(layout), _class="prompt", tabindex="0", role="group", aria_label="Text of the prompt")
    return status + text
