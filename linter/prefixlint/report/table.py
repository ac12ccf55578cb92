"""``report`` as text: for each template a bar, the breakpoint, and what each target will reuse."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Repeat, Value
from prefixlint.report.escape import plain, width
from prefixlint.report.lines import plural
from prefixlint.report.pricing import line
from prefixlint.sentences import span_of_time

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Final

    from prefixlint.model.layouts import Layout, SharedPrefix
    from prefixlint.model.targets import Prediction
    from prefixlint.report.pricing import Cost
    from prefixlint.report.style import Style
    from prefixlint.run.result import RunResult

_BAR: Final = 40
_EXPRESSION: Final = 60


def render(
    result: RunResult,
    style: Style,
    of: RunResult | None = None,
    price: Callable[[Prediction], Cost | None] | None = None,
) -> str:
    """One paragraph a template in the order of the files, the legend above, sums below.

    ``of`` is the whole that ``result`` is a part of: the sums are of it. With ``price`` each prediction says what it
    costs, as far as that is known.
    """
    sums = _sums(result if of is None else of)
    if not result.layouts:
        return sums
    blocks = [_template(layout, style, price) for layout in result.layouts]
    foot = _invalidators(result.layouts, style)
    return _legend(style) + "\n" + "\n".join(blocks) + "\n" + (foot + "\n" if foot else "") + sums


def _invalidators(layouts: Sequence[Layout], style: Style) -> str:
    """What besides the prompt loses a cached prefix, for the first target of each template."""
    first = [layout.predictions[0] for layout in layouts if layout.predictions]
    found = {one.engine: one.invalidated_by for one in first if one.invalidated_by}
    if not found:
        return ""
    label = "also lost by"
    rows = [(engine, "; ".join(what)) for engine, what in found.items()]
    lead = max(width(engine) for engine, _ in rows)
    head = style.paint("dim", f"{label}, whatever the prompt says:") + "\n"
    return head + "".join(_row(f"  {engine:<{lead}}  ", lead + 4, text, style) for engine, text in rows)


def _glyphs(style: Style) -> tuple[str, str, str]:
    return ("█", "░", "·") if style.drawing else ("#", "-", ".")


def _legend(style: Style) -> str:
    stable, stranded, varying = _glyphs(style)
    return (
        f"{style.paint('stable', stable)} stable prefix, reused   "
        f"{style.paint('stranded', stranded)} stranded: stable, but behind the breakpoint   "
        f"{style.paint('varying', varying)} varying\n"
    )


def bar_cells(stable: int, stranded: int, varying: int, cells: int = _BAR) -> tuple[int, int, int]:
    """``cells`` shared out by the three counts; a count that is not 0 gets at least one cell."""
    counts = (stable, stranded, varying)
    total = sum(counts)
    if total <= 0:
        return (0, 0, 0)
    out = [max(1, count * cells // total) if count else 0 for count in counts]
    # What rounding took or added goes to the largest part, where it shows least.
    out[max(range(3), key=lambda at: counts[at])] += cells - sum(out)
    return (out[0], out[1], out[2])


def _bar(layout: Layout, style: Style) -> str:
    varying = max(0, layout.total_tokens - layout.stable_prefix_tokens - layout.stranded_tokens)
    shares = bar_cells(layout.stable_prefix_tokens, layout.stranded_tokens, varying)
    kinds = ("stable", "stranded", "varying")
    return "".join(
        style.paint(kind, glyph * share) for kind, glyph, share in zip(kinds, _glyphs(style), shares, strict=True)
    )


def unknown_values(layout: Layout) -> int:
    """Number of values of which nothing says how long they last."""
    return sum(isinstance(placed.segment, Value) and placed.lifetime is Lifetime.UNKNOWN for placed in layout.placed)


def clipped(text: str, room: int) -> str:
    """``text`` on one line, at most ``room`` characters of it."""
    text = plain(" ".join(text.split()))
    return text if len(text) <= room else text[: room - 1] + "…"


def target_name(layout: Layout) -> str:
    """Engine, model and how the tokens were counted."""
    target = layout.target
    name = f"{target.engine}, {target.model}" if target.model else target.engine
    return f"{name}, counted with {target.tokenizer}{'' if target.exact else ' (an approximation)'}"


def shared_within(layout: Layout) -> str:
    """Tokens that the requests of one scope share; neighbouring scopes that share the same are drawn together."""
    return _scopes(layout.shared_prefix)


def _scopes(scopes: Sequence[SharedPrefix]) -> str:
    groups: list[tuple[list[str], int, int]] = []
    for shared in scopes:
        if groups and groups[-1][1:] == (shared.tokens, shared.after_fix):
            groups[-1][0].append(shared.lifetime.value)
        else:
            groups.append(([shared.lifetime.value], shared.tokens, shared.after_fix))
    return ", ".join(
        f"{names[0] if len(names) == 1 else f'{names[0]} to {names[-1]}'} {tokens:,}"
        f"{f' ({after:,} after a fix)' if after > tokens else ''}"
        for names, tokens, after in groups
    )


def _next_turn(layout: Layout) -> str:
    """What each target reuses from one turn of a conversation to the next; "" without a conversation."""
    if not any(isinstance(item.segment, Value | Repeat) and item.segment.grows for item in layout.placed):
        return ""
    session = {
        prediction.engine: next(one for one in prediction.within if one.lifetime is Lifetime.SESSION)
        for prediction in layout.predictions
        if prediction.within
    }
    return ", ".join(
        f"{plain(engine)} {one.tokens:,}{f' ({one.after_fix:,} after a fix)' if one.after_fix > one.tokens else ''}"
        for engine, one in session.items()
    )


def _template(layout: Layout, style: Style, price: Callable[[Prediction], Cost | None] | None) -> str:
    template = layout.template
    place = f"{plain(template.span.path)}:{template.span.start.line}"
    out = [f"{style.paint('bold', place)} {plain(template.name)}  {style.paint('dim', plain(template.form))}\n"]
    counted = f"{layout.total_tokens:,} tokens: {target_name(layout)}"
    out.append(_row(f"  {_bar(layout, style)} ", _BAR + 3, plain(counted), style))
    rows: list[tuple[str, str]] = []
    stable = f"{layout.stable_prefix_tokens:,} of {plural(layout.stable_tokens, 'stable token')}"
    if layout.stranded_tokens:
        stable += f", {layout.stranded_tokens:,} stranded"
    if layout.history_stranded:
        stable += ", the conversation stranded"
    rows.append(("stable prefix", stable))
    point = layout.breakpoint
    if point is not None:
        token = (
            f"{point.token:,}"
            if point.token == point.token_guaranteed
            else f"{point.token_guaranteed:,} to {point.token:,}"
        )
        where = f"{plain(point.span.path)}:{point.span.start.line}:{point.span.start.column}"
        rows.append(
            (
                "breakpoint",
                f"token {token} at {where}  `{clipped(point.expression, _EXPRESSION)}` ({point.lifetime.value})",
            )
        )
    else:
        rows.append(("breakpoint", "none: nothing in it is known to change"))
    if layout.shared_prefix:
        rows.append(("shared within", shared_within(layout)))
    if count := unknown_values(layout):
        rows.append(("unknown", f"{plural(count, 'value')} of unknown lifetime"))
    for number, prediction in enumerate(layout.predictions):
        reuse = f"{plain(prediction.engine)} reuses {prediction.cached_tokens:,}"
        if prediction.cached_tokens_after_fix != prediction.cached_tokens:
            reuse += f", {prediction.cached_tokens_after_fix:,} after a fix"
        notes = [plain(prediction.note)] if prediction.note else []
        if prediction.keep is not None and prediction.cached_tokens_after_fix:
            notes.append(f"kept {span_of_time(prediction.keep)} without use")
        note = f" ({'; '.join(notes)})" if notes else ""
        rows.append(("predicted" if number == 0 else "", reuse + note))
        cost = price(prediction) if price else None
        if cost is not None:
            rows.append(("", line(cost)))
    if turn := _next_turn(layout):
        rows.append(("next turn", turn))
    if template.bounds:
        rows.append(("cut short", plain(", ".join(template.bounds))))
    labels = max(width(label) for label, _ in rows)
    out.extend(_row(f"  {style.paint('dim', f'{label:<{labels}}')}  ", labels + 4, text, style) for label, text in rows)
    return "".join(out)


def _row(lead: str, cells: int, text: str, style: Style) -> str:
    """``text`` behind ``lead``, which takes ``cells`` cells; where the line is full it goes on below its beginning."""
    room = max(20, style.width - cells)
    lines = textwrap.wrap(text, room, break_long_words=False, break_on_hyphens=False) or [""]
    return lead + f"\n{' ' * cells}".join(lines) + "\n"


def _sums(result: RunResult) -> str:
    layouts = result.layouts
    text = f"{plural(len(result.templates), 'template')} in {plural(result.files, 'file')}"
    if layouts:
        stranded = sum(layout.stranded_tokens for layout in layouts)
        affected = sum(layout.stranded_tokens > 0 or layout.history_stranded for layout in layouts)
        text += f"; {plural(stranded, 'stable token')} stranded in {plural(affected, 'template')}"
        if unknown := sum(map(unknown_values, layouts)):
            text += f"; {plural(unknown, 'value')} of unknown lifetime"
    if result.unanalysed_files:
        text += f"; {plural(result.unanalysed_files, 'file')} not analysed (see prefixlint check)"
    return text + "\n"
