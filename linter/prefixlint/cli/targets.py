"""``prefixlint targets``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from prefixlint.cli import options
from prefixlint.sentences import span_of_time

if TYPE_CHECKING:
    from prefixlint.engines import TargetRow


@click.command()
@click.argument("name", required=False)
def targets(name: str | None) -> int:
    """List the engines and providers that predictions are made for, and how each reuses a prefix.

    Use a name with --target, with a model behind a colon where it matters: openai:gpt-4o. STEP is the number of tokens
    that a cached prefix is a multiple of, MINIMUM the shortest prefix that is cached, KEPT how long it stays there
    without being used. With a NAME: all that is known of that one, with sources.
    """
    if name is not None:
        return _sheet(name)
    from prefixlint.engines import target_rows

    head = ("TARGET", "CACHE", "STEP", "MINIMUM", "KEPT", "AS OF", "ENGINE OR PROVIDER")
    rows = [head, *map(_row, target_rows())]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    lines = []
    for row in rows:
        cells = [
            f"{cell:>{width}}" if at in (2, 3, 4) else f"{cell:<{width}}"
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip() + "\n")
    options.emit("".join(lines))
    return 0


def _sheet(name: str) -> int:
    from prefixlint.engines import TargetError, load_target
    from prefixlint.engines.facts import load_facts, resolve
    from prefixlint.report.factsheet import render
    from prefixlint.report.style import Style
    from prefixlint.wire.usage import apis

    try:
        load_target(name)
    except TargetError as error:
        raise options.fail(str(error)) from None
    facts = load_facts(resolve(name.partition(":")[0]) or name)
    lines = [f"{api.name}: {api.cached[0]} of {api.total[0]}" for api in apis() if api.name in facts.usage.apis]
    style = Style(options.colour_wanted(None), options.drawing_wanted(None), options.terminal_width(None))
    options.emit(render(facts, lines, style))
    return 0


def _row(row: TargetRow) -> tuple[str, ...]:
    minima = {row.cache.minimum, *(minimum for minimum, _ in row.minima)}
    spread = f"{min(minima):,}" if len(minima) == 1 else f"{min(minima):,}-{max(minima):,}"
    return (
        row.name,
        row.cache.model,
        f"{row.cache.granularity:,}",
        spread,
        "" if row.cache.keep is None else span_of_time(row.cache.keep),
        row.source_date,
        row.title,
    )
