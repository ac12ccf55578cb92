"""``full``: a finding as the best compilers show it, with the breakpoint drawn through the prompt."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from prefixlint.report.behind import Behind, stranded_text
from prefixlint.report.escape import plain
from prefixlint.report.frame import Gutter, line_text, marked_line, show
from prefixlint.report.lines import plural

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Final

    from prefixlint.model.findings import Finding, Related
    from prefixlint.model.layouts import Layout
    from prefixlint.model.sources import SourceFile, Span
    from prefixlint.report.style import Style
    from prefixlint.run.result import RunResult

_MOST_RELATED: Final = 4
_LINES_BEHIND: Final = 2


def render(result: RunResult, findings: Sequence[Finding], style: Style) -> str:
    """All ``findings`` one below the other, an empty line behind each."""
    layouts = {layout.template.id: layout for layout in result.layouts}
    return "".join(
        _finding(finding, _shows(finding, layouts.get(finding.template)), result.sources, style) + "\n"
        for finding in findings
    )


def _shows(finding: Finding, layout: Layout | None) -> Layout | None:
    """The layout of the finding's template in which its value stands."""
    if layout is None:
        return None
    others = (each for each in layout.others if any(found.span == finding.span for found in each.inversions))
    return next(others, layout)


def _finding(finding: Finding, layout: Layout | None, sources: Mapping[str, SourceFile], style: Style) -> str:
    # A hop within the value itself is already in sight.
    places = [place for place in finding.related if not finding.span.contains(place.span)]
    related = places[:_MOST_RELATED]
    source = sources.get(finding.span.path)
    behind = stranded_text(finding, layout, sources, _LINES_BEHIND)
    numbers = [finding.span.start.line, *(place.span.start.line for place in related), *behind.numbers]
    gutter = Gutter(len(str(max(numbers))), style)
    out = [_headline(finding, style), _location(finding.span, "-->", gutter)]
    if source is not None:
        out.append(gutter.empty())
        before = finding.span.start.line - 1
        if line_text(source, before).strip():
            out.append(_context(source, before, gutter, dim=False))
        out.append(marked_line(source, finding.span, gutter, "^", finding.severity.value, _lasts(finding, source)))
        through = _through(finding, layout, gutter)
        if through:
            out += [through, _stranded(behind, finding.span.path, gutter)]
        out.append(gutter.empty())
    elif through := _through(finding, layout, gutter):
        out.append(through)
    out.append(_related(related, finding.span.path, sources, gutter))
    if len(places) > len(related):
        out.append(gutter.sign("=", f"and {plural(len(places) - len(related), 'more place')}"))
    if finding.fix is not None:
        kind = style.paint("help", f"{finding.fix.applicability} fix")
        out.append(gutter.sign("=", f"{kind}: {plain(finding.fix.message)}"))
    more = f"see {finding.url}" if finding.url else f"prefixlint explain {finding.code}"
    out.append(gutter.sign("=", style.paint("dim", plain(more))))
    return "".join(out)


def _headline(finding: Finding, style: Style) -> str:
    kind = finding.severity.value
    head = f"{kind}[{finding.code}]"
    lines = textwrap.wrap(
        f"{head}: {plain(finding.message)}",
        style.width,
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    lines[0] = style.paint(kind, head) + style.paint("bold", lines[0][len(head) :])
    return "\n".join([lines[0], *(style.paint("bold", line) for line in lines[1:])]) + "\n"


def _location(span: Span, arrow: str, gutter: Gutter, note: str = "") -> str:
    place = f"{plain(span.path)}:{span.start.line}:{span.start.column}"
    return f"{' ' * gutter.digits}{gutter.style.paint('frame', arrow)} {place}{note}\n"


def _context(source: SourceFile, number: int, gutter: Gutter, *, dim: bool) -> str:
    shown = show(line_text(source, number), 0, 0, gutter.room, "…" if gutter.style.drawing else "...").text
    return gutter.numbered(number, gutter.style.paint("dim", shown) if dim else shown)


def _lasts(finding: Finding, source: SourceFile) -> str:
    """How long the value lasts, where it is what is marked: a finding can also stand at a block that a value spoils."""
    if finding.lifetime is None or not finding.lifetime.varies:
        return ""
    strands = finding.stranded_tokens > 0 or finding.history_stranded
    shown = line_text(source, finding.span.start.line)[finding.span.start.column - 1 :]
    return f"lasts one {finding.lifetime.value}" if strands or (finding.expression or "\n") in shown else ""


def _through(finding: Finding, layout: Layout | None, gutter: Gutter) -> str:
    """The line at which reuse ends: what is stable in front of it, and what it strands."""
    style = gutter.style
    if not finding.stranded_tokens and not finding.history_stranded:
        return ""
    before, stranded = finding.stable_tokens_before, finding.stranded_tokens
    if layout is not None and layout.breakpoint is not None and layout.breakpoint.span == finding.span:
        front = f"stable prefix {layout.stable_prefix_tokens:,} of {plural(layout.stable_tokens, 'stable token')}"
    else:
        front = f"{plural(before, 'token')} in front"
    strands = [f"{stranded:,}"] if stranded else []
    strands += ["the conversation"] if finding.history_stranded else []
    dash, cross, bar = ("─", "┼", "│") if style.drawing else ("-", "+", "|")
    text = (
        f"{style.paint('frame', dash * 2)} {style.paint('stable', front)} "
        f"{style.paint('frame', bar)} {style.paint('stranded', 'stranded ' + ' and '.join(strands))} "
        f"{style.paint('frame', dash * 2)}"
    )
    line = gutter.style.paint("frame", f"{' ' * gutter.digits} {cross}")
    return f"{line}{text}\n"


def _stranded(behind: Behind, path: str, gutter: Gutter) -> str:
    """The beginning of what is computed again, dimmed."""
    if behind.source is None:
        return ""
    out = []
    if behind.source.path != path:
        out.append(_location(behind.source.span(*behind.first), ":::", gutter))
    out += [_context(behind.source, number, gutter, dim=True) for number in behind.numbers]
    if behind.more:
        dots = "…" if gutter.style.drawing else "..."
        out.append(gutter.empty(gutter.style.paint("dim", f"{dots} {plural(behind.more, 'more line')}")))
    return "".join(out)


def _related(places: Sequence[Related], path: str, sources: Mapping[str, SourceFile], gutter: Gutter) -> str:
    """Secondary frames below one in the file ``path``; places on one line share its text."""
    out: list[str] = []
    above = 0
    for place in places:
        source = sources.get(place.span.path)
        if source is None:
            out.append(_location(place.span, ":::", gutter, f" {plain(place.note)}"))
            path, above = "", 0
            continue
        if place.span.path != path:
            out += [_location(place.span, ":::", gutter), gutter.empty()]
            path, above = place.span.path, 0
        marked = marked_line(source, place.span, gutter, "-", "frame", place.note)
        if place.span.start.line == above:
            out.pop()
            marked = marked.partition("\n")[2]
        out += [marked, gutter.empty()]
        above = place.span.start.line
    return "".join(out)
