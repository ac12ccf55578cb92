"""``prefixlint check``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from prefixlint.cli import fix, known_findings, options, since
from prefixlint.cli.found import FORMATS, Found

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prefixlint.ratchet.changes import Change
    from prefixlint.run import RunResult

SEVERITIES = ("error", "warning", "info")


@click.command()
@click.option("--select", metavar="CODES", multiple=True, help="Run these rules only; codes or prefixes, by comma.")
@click.option("--ignore", metavar="CODES", multiple=True, help="Do not run these rules.")
@click.option("--extend-select", metavar="CODES", multiple=True, help="Run these rules too.")
@click.option("--preview", is_flag=True, help="Run rules that are still in preview.")
@click.option("--output-format", type=click.Choice(FORMATS), default="full", show_default=True)
@click.option(
    "--fail-on", type=click.Choice(SEVERITIES), help="Lowest severity that gives exit status 1. [default: warning]"
)
@click.option(
    "--also",
    metavar="FORMAT=FILE",
    multiple=True,
    help="Write the result to this file in this format as well: sarif=found.sarif. Repeatable.",
)
@click.option("--exit-zero", is_flag=True, help="Exit with status 0 even if there are findings.")
@click.option("--statistics", is_flag=True, help="Count the findings of each rule instead of listing them.")
@click.option("--show-info", is_flag=True, help="Show findings of severity info too.")
@click.option(
    "--baseline", metavar="FILE", type=click.Path(dir_okay=False), help="Report only what is not in this baseline."
)
@click.option(
    "--write-baseline",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    help="Report nothing; write the findings to this baseline instead.",
)
@click.option(
    "--diff-base", metavar="REF", help="Report only what is new since this git revision (main, HEAD~1, a tag)."
)
@click.option(
    "--force-exclude",
    is_flag=True,
    help="Leave out what the configuration excludes even where it is named, as hooks name every changed file.",
)
@click.option("--fix", "fix_files", is_flag=True, help="Mend what can safely be mended, in the files.")
@click.option(
    "--unsafe-fixes", is_flag=True, help="Show the fixes that move text too; with --fix or --diff, make them."
)
@click.option("--diff", "show_diff", is_flag=True, help="Show what --fix would change, and change nothing.")
@options.no_cache_option
@options.jobs_option
@options.shared
def check(
    paths: tuple[str, ...],
    targets: tuple[str, ...],
    config_file: str | None,
    output_file: str | None,
    stdin_filename: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    extend_select: tuple[str, ...],
    output_format: str,
    also: tuple[str, ...],
    preview: bool,
    fail_on: str | None,
    exit_zero: bool,
    statistics: bool,
    show_info: bool,
    baseline: str | None,
    write_baseline: str | None,
    diff_base: str | None,
    no_cache: bool,
    jobs: int,
    force_exclude: bool,
    fix_files: bool,
    unsafe_fixes: bool,
    show_diff: bool,
) -> int:
    """Find values that break the prefix cache of prompts.

    Reads Python, YAML, Jinja and prompt files under the paths (default: the working directory) without running any of
    them. Exit status: 0 nothing to report, 1 findings at or above --fail-on, 2 wrong use or bad configuration,
    4 internal error, 130 interrupted.
    """
    from prefixlint.config import Selection
    from prefixlint.model.findings import Severity

    if statistics and output_format not in ("full", "concise"):
        raise click.UsageError(f"--statistics is for people; it does not go with --output-format {output_format}")
    if baseline is not None and write_baseline is not None:
        raise click.UsageError("--write-baseline writes all findings anew; it does not go with --baseline")
    if diff_base is not None and write_baseline is not None:
        raise click.UsageError("--write-baseline writes all findings; it does not go with --diff-base")
    more = [_format_and_file(each) for each in also]
    if write_baseline is not None and (fix_files or show_diff):
        raise click.UsageError("--write-baseline writes down what is there; it does not go with --fix or --diff")
    config = options.configuration(paths, config_file, stdin_filename, targets)
    layer = Selection(options.split(select) or None, options.split(extend_select), options.split(ignore))
    if layer != Selection():
        config = replace(config, selections=(*config.selections, layer))
    if fail_on is not None:
        config = replace(config, fail_on=Severity(fail_on))
    if force_exclude:
        config = replace(config, force_exclude=True)
    if preview:
        config = replace(config, preview=True)
    show_info = show_info or config.show_info
    # Whatever fails the run is shown.
    lowest = min(config.fail_on, Severity.INFO if show_info else Severity.WARNING, key=lambda each: each.rank)
    entries = known_findings.entries(baseline) if baseline is not None else ()
    old = known_findings.replaced(write_baseline) if write_baseline is not None else ()
    stdin = options.standard_input(paths, stdin_filename)
    result = options.execute(paths, config, stdin, check=True, cached=not no_cache, jobs=jobs)
    looked_at = known_findings.looked_at(paths, stdin_filename)
    if write_baseline is not None:
        return known_findings.renew(write_baseline, old, result, lowest, looked_at)
    changes: Sequence[Change] = ()

    def without_known(result: RunResult) -> tuple[RunResult, list[str]]:
        nonlocal changes
        known = []
        if baseline is not None:
            result, count = known_findings.without_known(baseline, entries, result, config, looked_at)
            known += [f"{count:,} in the baseline"] if count else []
        if diff_base is not None:
            news = since.news_since(diff_base, result, config, looked_at)
            result, changes = news.result, news.changes
            known += [f"{news.known:,} older than {diff_base}"] if news.known else []
        return result, known

    whole, (result, known) = result, without_known(result)
    job = fix.Job(paths, config, stdin, whole, result.at_least(lowest))
    if show_diff:
        status = fix.show(job, unsafe_fixes, output_file)
        return 0 if exit_zero and status == 1 else status
    if fix_files:
        whole, fixed = fix.make(job, unsafe_fixes)
        result, known = without_known(whole)
        known += fixed
    elif unsafe_fixes:
        result = fix.attach(job, result)
    shown = result.at_least(lowest)
    found = Found(result, shown, "; ".join(known), changes, diff_base or "", config.fail_on)
    for each, file in more:
        options.emit(found.text(each, options.style(file)), file)
    style = options.style(output_file, plain=output_format != "full")
    text = found.statistics() if statistics else found.text(output_format, style)
    if fix_files and stdin is not None and output_file is None:
        click.echo(text, err=True, nl=False)
    else:
        options.emit(text, output_file)
    failed = bool(result.at_least(config.fail_on)) and not exit_zero
    return options.status_of(result, failed)


def _format_and_file(value: str) -> tuple[str, str]:
    """The two parts of ``FORMAT=FILE``."""
    output_format, _, file = value.partition("=")
    if output_format not in FORMATS or not file:
        raise click.UsageError(f"--also takes FORMAT=FILE with one of {', '.join(FORMATS)}, not {value!r}")
    return output_format, file
