"""``prefixlint check``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from prefixlint.cli import known_findings, options, since

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prefixlint.model.findings import Finding, Severity
    from prefixlint.ratchet.changes import Change
    from prefixlint.report.style import Style
    from prefixlint.run import RunResult

FORMATS = ("full", "concise", "json", "sarif", "github", "gitlab", "junit", "markdown")
SEVERITIES = ("error", "warning", "info")


@click.command()
@click.option("--select", metavar="CODES", multiple=True, help="Run these rules only; codes or prefixes, by comma.")
@click.option("--ignore", metavar="CODES", multiple=True, help="Do not run these rules.")
@click.option("--extend-select", metavar="CODES", multiple=True, help="Run these rules too.")
@click.option("--output-format", type=click.Choice(FORMATS), default="full", show_default=True)
@click.option(
    "--fail-on", type=click.Choice(SEVERITIES), help="Lowest severity that gives exit status 1. [default: warning]"
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
@click.option("--no-cache", is_flag=True, expose_value=False, help="Use no stored results (none are stored yet).")
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
    fail_on: str | None,
    exit_zero: bool,
    statistics: bool,
    show_info: bool,
    baseline: str | None,
    write_baseline: str | None,
    diff_base: str | None,
    force_exclude: bool,
) -> int:
    """Find values that break the prefix cache of prompts.

    Reads Python, YAML, Jinja and prompt files under the paths (default: the working directory) without running any of
    them. Exit status: 0 nothing to report, 1 findings at or above --fail-on, 2 wrong use or bad configuration,
    4 internal error, 130 interrupted.
    """
    from prefixlint.config import Selection
    from prefixlint.model.findings import Severity
    from prefixlint.report.style import Style

    if statistics and output_format not in ("full", "concise"):
        raise click.UsageError(f"--statistics is for people; it does not go with --output-format {output_format}")
    if baseline is not None and write_baseline is not None:
        raise click.UsageError("--write-baseline writes all findings anew; it does not go with --baseline")
    if diff_base is not None and write_baseline is not None:
        raise click.UsageError("--write-baseline writes all findings; it does not go with --diff-base")
    config = options.configuration(paths, config_file, stdin_filename, targets)
    layer = Selection(options.split(select) or None, options.split(extend_select), options.split(ignore))
    if layer != Selection():
        config = replace(config, selections=(*config.selections, layer))
    if fail_on is not None:
        config = replace(config, fail_on=Severity(fail_on))
    if force_exclude:
        config = replace(config, force_exclude=True)
    show_info = show_info or config.show_info
    entries = known_findings.entries(baseline) if baseline is not None else ()
    old = known_findings.replaced(write_baseline) if write_baseline is not None else ()
    result = options.execute(paths, config, stdin_filename, check=True)
    looked_at = known_findings.looked_at(paths, stdin_filename)
    if write_baseline is not None:
        lowest = min(config.fail_on, Severity.INFO if show_info else Severity.WARNING, key=lambda each: each.rank)
        return known_findings.renew(write_baseline, old, result, lowest, looked_at)
    known = []
    if baseline is not None:
        result, count = known_findings.without_known(baseline, entries, result, config, looked_at)
        known += [f"{count:,} in the baseline"] if count else []
    changes: Sequence[Change] = ()
    if diff_base is not None:
        news = since.news_since(diff_base, result, config, looked_at)
        result, changes = news.result, news.changes
        known += [f"{news.known:,} older than {diff_base}"] if news.known else []
    shown = result.at_least(Severity.INFO if show_info else Severity.WARNING)
    colour = output_format == "full" and options.colour_wanted(output_file)
    if statistics or output_format in ("full", "concise"):
        style = Style(colour, options.drawing_wanted(output_file), options.terminal_width(output_file))
        text = _for_people(result, shown, "; ".join(known), output_format, statistics, style)
    elif output_format == "markdown":
        from prefixlint.report import markdown

        text = markdown.check(result, shown, "; ".join(known), changes, diff_base or "")
    else:
        text = _for_programs(result, shown, output_format, config.fail_on)
    options.emit(text, output_file)
    failed = bool(result.at_least(config.fail_on)) and not exit_zero
    return options.status_of(result, failed)


def _for_programs(result: RunResult, shown: Sequence[Finding], output_format: str, fail_on: Severity) -> str:
    if output_format == "json":
        from prefixlint.report import jsonout

        return jsonout.check(result, shown)
    if output_format == "sarif":
        from prefixlint.report.sarif import sarif
        from prefixlint.run.registry import installed_rules

        return sarif(result, shown, installed_rules())
    if output_format == "gitlab":
        from prefixlint.report.gitlab import gitlab

        return gitlab(result, shown)
    if output_format == "junit":
        from prefixlint.report.junit import junit

        return junit(result, shown, fail_on)
    from prefixlint.report import lines

    return lines.github(shown)


def _for_people(
    result: RunResult, shown: Sequence[Finding], known: str, output_format: str, statistics: bool, style: Style
) -> str:
    from prefixlint.report import lines

    if statistics:
        text = lines.statistics(shown)
    elif output_format == "concise":
        text = lines.concise(shown)
    else:
        from prefixlint.report import full

        text = full.render(result, shown, style)
    return text + lines.summary(result, shown, known)
