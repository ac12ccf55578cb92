"""``prefixlint report``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from prefixlint.cli import options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prefixlint.run import RunResult

FORMATS = ("text", "json", "markdown", "html")


@click.command()
@click.option("--output-format", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option("--prices", is_flag=True, help="Price the input, cached and not. Needs genai-prices.")
@options.no_cache_option
@options.jobs_option
@options.shared
def report(
    paths: tuple[str, ...],
    targets: tuple[str, ...],
    config_file: str | None,
    output_file: str | None,
    stdin_filename: str | None,
    output_format: str,
    prices: bool,
    no_cache: bool,
    jobs: int,
) -> int:
    """Show where each prompt's stable prefix ends and what engines will reuse.

    For every template: the tokens up to the first value that changes, the stable tokens stranded behind it, and the
    predicted reuse for each target. Exit status: 0, 2 wrong use or bad configuration, 4 internal error.
    """
    from prefixlint.report import jsonout, markdown, table

    price = None
    if prices:
        from prefixlint.report.pricing import NoPrices, pricer

        if output_format not in ("text", "json"):
            raise click.UsageError(f"--prices goes with --output-format text or json, not {output_format}")
        try:
            price = pricer()
        except NoPrices as error:
            raise options.fail(str(error)) from None
    config = options.configuration(paths, config_file, stdin_filename, targets)
    result = options.execute(
        paths,
        config,
        options.standard_input(paths, stdin_filename),
        check=False,
        cached=not no_cache,
        jobs=jobs,
    )
    for said in _disagreements(result):
        click.echo(f"prefixlint: {said}", err=True)
    if output_format == "json":
        text = jsonout.report(result, price) if price else jsonout.report(result)
    elif output_format == "markdown":
        text = markdown.report(result)
    elif output_format == "html":
        from prefixlint.report import html

        text = html.report(result)
    else:
        text = table.render(result, options.style(output_file), price=price)
    options.emit(text, output_file)
    return options.status_of(result, failed=False)


def _disagreements(result: RunResult) -> Iterator[str]:
    """What an engine that loads a target's tokenizer through transformers makes otherwise of it."""
    from prefixlint.tokens.auto import ENGINES, disagreement
    from prefixlint.tokens.encodings import encoding_specs
    from prefixlint.tokens.local import local_path

    targets = (layout.target for layout in result.layouts if layout.target.engine in ENGINES)
    for name in dict.fromkeys(target.tokenizer for target in targets):
        path = None if name in encoding_specs() else local_path(name)
        if path is not None and path.is_dir() and (said := disagreement(path)):
            yield said
