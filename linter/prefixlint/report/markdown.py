"""``check`` and ``report`` in Markdown, for a pull-request comment or a job summary."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from prefixlint.report.escape import plain
from prefixlint.report.lines import plural, summary
from prefixlint.report.table import clipped, unknown_values

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Final

    from prefixlint.model.findings import Finding
    from prefixlint.model.layouts import Layout
    from prefixlint.ratchet.changes import Change
    from prefixlint.run.result import RunResult

# GitHub refuses comments of more than 65,536 characters; the rest is for what a workflow puts around the text.
_LIMIT: Final = 60_000
_CHANGES: Final = 40_000
"""Of it, what the table of changed prompts may take before the findings get their part."""
_EXPRESSION: Final = 60
_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>#|~$@&])")


def text_cell(text: str) -> str:
    """``text`` as literal text of a table cell: no markup, no HTML, no mention."""
    return _SPECIAL.sub(lambda found: f"&#{ord(found[1])};", plain(text))


def code_cell(text: str) -> str:
    """``text`` as code. An HTML element: a pipe or a backtick in a code span would end cell or span."""
    return f"<code>{text_cell(text)}</code>"


def sentence_cell(text: str) -> str:
    """A message of prefixlint: what stands between backticks as code, the rest as literal text."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return text_cell(text)
    return "".join(code_cell(part) if number % 2 else text_cell(part) for number, part in enumerate(parts))


def check(
    result: RunResult, shown: Sequence[Finding], known: str = "", changes: Sequence[Change] = (), since: str = ""
) -> str:
    """What changed ``since`` a revision (""; no table of it), then the findings that are shown, worst first.

    ``known`` says how many findings are kept back because they are not new. Within GitHub's size limit.
    """
    out = [f"### prefixlint\n\n{text_cell(summary(result, shown, known).strip())}.\n"]
    if since:
        count = plural(len(changes), "prompt")
        out.append(f"\n#### {count} changed since {code_cell(since)}\n" if changes else "\nNo prompt changed.\n")
        table = "\n| Prompt | Stable prefix | What changed |\n| --- | ---: | --- |\n"
        worst = sorted(changes, key=lambda each: not each.fails)
        out.append(_table(table, map(_change, worst), len(changes), "prompt", _CHANGES if shown else _LIMIT))
    if shown:
        head = "\n#### Findings\n" if since else ""
        table = "\n| Finding | Place | Stranded |\n| --- | --- | ---: |\n"
        worst_first = sorted(shown, key=lambda each: -each.severity.rank)
        room = _LIMIT - sum(map(len, out)) - len(head)
        out.append(head + _table(table, map(_finding, worst_first), len(shown), "finding", room))
    return "".join(out)


def _change(change: Change) -> str:
    place = code_cell(f"{change.path}:{change.line}" if change.line else change.path)
    name = f"{text_cell(change.template)}<br>{place}"
    before, after = change.before, change.after
    if before is None or after is None:
        tokens = f"{after.tokens:,}" if after else f"{before.tokens:,}" if before else "–"
        return f"| {name} | {tokens} | {'new' if after else 'gone'} |\n"
    arrow = f"{before.tokens:,} → {after.tokens:,}"
    reason = "the stable prefix grew" if change.reason == "grew" else change.reason
    return f"| {name} | {f'**{arrow}**' if change.fails else arrow} | {sentence_cell(reason)} |\n"


def _finding(finding: Finding) -> str:
    what = f"**{finding.severity.value}** {finding.code} {text_cell(finding.name)}<br>{sentence_cell(finding.message)}"
    place = code_cell(f"{finding.span.path}:{finding.span.start.line}")
    stranded = f"{finding.stranded_tokens:,}" if finding.stranded_tokens else "–"
    if finding.history_stranded:
        stranded = f"{stranded} + conversation" if finding.stranded_tokens else "conversation"
    return f"| {what} | {place} | {stranded} |\n"


def _table(head: str, rows: Iterable[str], count: int, noun: str, room: int) -> str:
    """As many rows as there is room for, and how many are left out; nothing where there are none."""
    if not count:
        return ""
    out, size = [head], len(head) + len(noun) + 30
    for number, row in enumerate(rows):
        if size + len(row) > room:
            out.append(f"\n{plural(count - number, f'more {noun}')} not shown.\n")
            break
        out.append(row)
        size += len(row)
    return "".join(out)


def report(result: RunResult) -> str:
    """A table with one row a template, those that strand most first, within GitHub's size limit."""
    rows = sorted(
        result.layouts, key=lambda layout: (-layout.stranded_tokens, not layout.history_stranded, layout.template.span)
    )
    head = (
        "\n| Template | Stable prefix | Stranded | Breakpoint | Predicted reuse | After a fix |\n"
        "| --- | ---: | ---: | --- | ---: | ---: |\n"
    )
    sums = f"{plural(len(result.templates), 'template')} in {plural(result.files, 'file')}"
    if result.unanalysed_files:
        sums += f", {plural(result.unanalysed_files, 'file')} not analysed"
    top = f"### Prefix cache report\n\n{sums}.\n"
    return top + _table(head, map(_row, rows), len(rows), "template", _LIMIT - len(top))


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
