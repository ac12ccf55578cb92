"""``prefixlint targets``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from prefixlint.cli import options

if TYPE_CHECKING:
    from prefixlint.engines import TargetRow


@click.command()
def targets() -> int:
    """List the engines and providers that predictions are made for, and how each reuses a prefix.

    Use a name with --target, with a model behind a colon where it matters: openai:gpt-4o. STEP is the number of tokens
    that a cached prefix is a multiple of, MINIMUM the shortest prefix that is cached.
    """
    from prefixlint.engines import target_rows

    rows = [("TARGET", "CACHE", "STEP", "MINIMUM", "AS OF", "ENGINE OR PROVIDER"), *map(_row, target_rows())]
    name, cache, step, minimum, date = (max(len(row[column]) for row in rows) for column in range(5))
    lines = [
        f"{row[0]:<{name}}  {row[1]:<{cache}}  {row[2]:>{step}}  {row[3]:>{minimum}}  {row[4]:<{date}}  {row[5]}\n"
        for row in rows
    ]
    options.emit("".join(lines))
    return 0


def _row(row: TargetRow) -> tuple[str, str, str, str, str, str]:
    minima = {row.cache.minimum, *(minimum for minimum, _ in row.minima)}
    spread = f"{min(minima):,}" if len(minima) == 1 else f"{min(minima):,}-{max(minima):,}"
    return (row.name, row.cache.model, f"{row.cache.granularity:,}", spread, row.source_date, row.title)
