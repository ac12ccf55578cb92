"""``prefixlint targets``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from prefixlint.cli import options

if TYPE_CHECKING:
    from prefixlint.model.targets import Target


@click.command()
def targets() -> int:
    """List the engines and providers that predictions are made for, and how each reuses a prefix.

    Use a name with --target, with a model behind a colon where it matters: openai:gpt-4o.
    """
    from prefixlint.run.stages import Stages

    stages = Stages()
    known = [stages.load_target(name, {}) for name in stages.target_names()]
    rows = [("TARGET", "CACHE", "GRANULARITY", "MINIMUM", "SOURCE OF"), *map(_row, known)]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = [
        f"{row[0]:<{widths[0]}}  {row[1]:<{widths[1]}}  {row[2]:>{widths[2]}}  {row[3]:>{widths[3]}}  {row[4]}".rstrip()
        for row in rows
    ]
    options.emit("\n".join(lines) + "\n", None)
    return 0


def _row(target: Target) -> tuple[str, str, str, str, str]:
    cache = target.cache
    return (target.name, cache.model, f"{cache.granularity:,}", f"{cache.minimum:,}", target.source_date)
