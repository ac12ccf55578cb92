"""``report`` as a Markdown table, for a pull-request comment."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from prefixlint.report.escape import plain
from prefixlint.report.lines import plural
from prefixlint.report.table import clipped, unknown_values

if TYPE_CHECKING:
    from typing import Final

    from prefixlint.model.layouts import Layout
    from prefixlint.run.result import RunResult

# GitHub refuses comments of more than 65,536 characters; the rest is for what a workflow puts around the table.
_LIMIT: Final = 60_000
_EXPRESSION: Final = 60
_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>#|~$@&])")


def text_cell(text: str) -> str:
    """``text`` as literal text of a table cell: no markup, no HTML, no mention."""
    return _SPECIAL.sub(lambda found: f"&#{ord(found[1])};", plain(text))


def code_cell(text: str) -> str:
    """``text`` as code. An HTML element: a pipe or a backtick in a code span would end cell or span."""
    return f"<code>{text_cell(text)}</code>"


def report(result: RunResult) -> str:
    """A table with one row a template, those that strand most first, within GitHub's size limit."""
    rows = sorted(
        result.layouts, key=lambda layout: (-layout.stranded_tokens, not layout.history_stranded, layout.template.span)
    )
    head = (
        "| Template | Stable prefix | Stranded | Breakpoint | Predicted reuse | After a fix |\n"
        "| --- | ---: | ---: | --- | ---: | ---: |\n"
    )
    sums = f"{plural(len(result.templates), 'template')} in {plural(result.files, 'file')}"
    if result.unanalysed_files:
        sums += f", {plural(result.unanalysed_files, 'file')} not analysed"
    out = [f"### Prefix cache report\n\n{sums}.\n"]
    if not rows:
        return out[0]
    out.append("\n" + head)
    size = sum(map(len, out))
    for number, layout in enumerate(rows):
        row = _row(layout)
        if size + len(row) > _LIMIT:
            out.append(f"\n{plural(len(rows) - number, 'more template')} not shown.\n")
            break
        out.append(row)
        size += len(row)
    return "".join(out)


def _row(layout: Layout) -> str:
    template, point = layout.template, layout.breakpoint
    name = f"{text_cell(template.name)}<br>{code_cell(f'{template.span.path}:{template.span.start.line}')}"
    stable = f"{layout.stable_prefix_tokens:,} of {layout.stable_tokens:,}"
    stranded = f"{layout.stranded_tokens:,}" + (" + conversation" if layout.history_stranded else "")
    where = "none"
    if point is not None:
        where = (
            f"token {point.token:,}, line {point.span.start.line}: {code_cell(clipped(point.expression, _EXPRESSION))}"
        )
    if count := unknown_values(layout):
        where += f"<br>{plural(count, 'value')} of unknown lifetime"
    now = "<br>".join(f"{text_cell(each.engine)} {each.cached_tokens:,}" for each in layout.predictions)
    fixed = "<br>".join(f"{text_cell(each.engine)} {each.cached_tokens_after_fix:,}" for each in layout.predictions)
    return f"| {name} | {stable} | {stranded} | {where} | {now or '–'} | {fixed or '–'} |\n"
