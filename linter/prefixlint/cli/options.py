"""What commands have in common: options, the configuration they make, and where output goes."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from prefixlint.cli.downloads import allow_download, fetched

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from prefixlint.config import Config
    from prefixlint.report.style import Style
    from prefixlint.run import RunResult

STDIN_NAME = "stdin.py"


target_option = click.option(
    "--target",
    "targets",
    metavar="NAME",
    multiple=True,
    help="Engine or provider, and model if any: vllm, openai:gpt-4o. Repeatable. See: prefixlint targets.",
)
config_option = click.option(
    "--config",
    "config_file",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False),
    help="Use this pyproject.toml or prefixlint.toml instead of searching for one.",
)
output_option = click.option(
    "--output-file", "-o", metavar="FILE", type=click.Path(dir_okay=False), help="Write the output there."
)
no_cache_option = click.option("--no-cache", is_flag=True, help="Neither use nor keep results of earlier runs.")
jobs_option = click.option(
    "--jobs",
    "-j",
    metavar="N",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Processes to share a long run among.",
)
paths_argument = click.argument("paths", nargs=-1, metavar="[PATH]...")


def shared(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds PATH…, --target, --config, --output-file, --stdin-filename and --allow-download."""
    stdin_option = click.option(
        "--stdin-filename",
        metavar="FILE",
        help="Name of the text read from standard input (path -): decides its language and configuration.",
    )
    for decorate in (allow_download, stdin_option, output_option, config_option, target_option, paths_argument):
        command = decorate(command)
    return command


def split(values: Sequence[str]) -> tuple[str, ...]:
    """Codes given as ``A,B`` or by repeating the option, in upper case."""
    return tuple(part.strip().upper() for value in values for part in value.split(",") if part.strip())


def fail(message: str) -> click.ClickException:
    """An error for the user that ends the run with status 2."""
    return click.ClickException(message)


def configuration(
    paths: Sequence[str], config_file: str | None, stdin_filename: str | None, targets: Sequence[str]
) -> Config:
    """The configuration of the first path, with ``targets`` instead of its own where any are given."""
    from prefixlint.config import ConfigError, load

    first = stdin_filename or next((path for path in paths if path != "-"), ".")
    try:
        config = load(first, config_file)
    except ConfigError as error:
        raise fail(str(error)) from None
    return fetched(replace(config, targets=tuple(targets)) if targets else config)


def standard_input(paths: Sequence[str], stdin_filename: str | None) -> tuple[str, bytes] | None:
    """Name and bytes of the text on standard input, where the run is about it."""
    if "-" not in paths and (stdin_filename is None or paths):
        return None
    return (stdin_filename or STDIN_NAME).replace(os.sep, "/"), sys.stdin.buffer.read()


def execute(
    paths: Sequence[str],
    config: Config,
    stdin: tuple[str, bytes] | None,
    *,
    check: bool,
    cached: bool = True,
    jobs: int = 1,
) -> RunResult:
    """Runs the pipeline and tells on standard error of paths that do not exist and of internal errors.

    ``cached``: with results of earlier runs. ``jobs``: the most processes that a long run may have.
    """
    from prefixlint.cache.store import Store, default_folder
    from prefixlint.cli.progress import ProgressLine
    from prefixlint.config import ConfigError
    from prefixlint.run import run

    store = Store(default_folder()) if cached else None
    try:
        with ProgressLine() as progress:
            result = run(
                files(paths, stdin), config, stdin=stdin, check=check, progress=progress, store=store, jobs=jobs
            )
    except ConfigError as error:
        raise fail(str(error)) from None
    if store is not None and store.trouble:
        click.echo(f"prefixlint: {store.trouble}; --no-cache does without", err=True)
    for message in result.path_errors:
        click.echo(f"prefixlint: {message}", err=True)
    for trouble in dict.fromkeys(layout.trouble for layout in result.layouts if layout.trouble):
        click.echo(f"prefixlint: {trouble}", err=True)
    for crash in result.crashes:
        click.echo(f"prefixlint: internal error in {crash.stage} on {crash.where}: {crash.error}", err=True)
    if result.crashes:
        if os.environ.get("PREFIXLINT_TRACEBACK"):
            for crash in result.crashes:
                click.echo(crash.traceback, err=True)
        else:
            click.echo("prefixlint: PREFIXLINT_TRACEBACK=1 shows where; please report it", err=True)
    return result


def files(paths: Sequence[str], stdin: tuple[str, bytes] | None) -> list[str]:
    """The files and folders among the arguments; the working directory where there is nothing to look at."""
    named = [path for path in paths if path != "-"]
    return named if named or stdin is not None else ["."]


def status_of(result: RunResult, failed: bool) -> int:
    """4 for an internal error, else 2 for a wrong path, else 1 when findings fail the run, else 0."""
    from prefixlint.cli.main import EXIT_CLEAN, EXIT_FINDINGS, EXIT_INTERNAL, EXIT_USAGE

    if result.crashes:
        return EXIT_INTERNAL
    if result.path_errors:
        return EXIT_USAGE
    return EXIT_FINDINGS if failed else EXIT_CLEAN


def colour_wanted(output_file: str | None) -> bool:
    """NO_COLOR says no, FORCE_COLOR yes (when not empty); otherwise colour is for terminals."""
    if output_file is not None or os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def drawing_wanted(output_file: str | None) -> bool:
    """False where the terminal's encoding has no box and block characters."""
    if output_file is not None:
        return True
    try:
        "│█░…".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def terminal_width(output_file: str | None) -> int:
    """Columns of the terminal, at most 120; 100 where there is none."""
    import shutil

    if output_file is not None or not sys.stdout.isatty():
        return 100
    return max(40, min(shutil.get_terminal_size((100, 24)).columns, 120))


def style(output_file: str | None, *, plain: bool = False) -> Style:
    """How text for that file, or for standard output, may look; ``plain``: without colour in any case."""
    from prefixlint.report.style import Style

    colour = not plain and colour_wanted(output_file)
    return Style(colour, drawing_wanted(output_file), terminal_width(output_file))


def emit(text: str, output_file: str | None = None) -> None:
    """Writes the output to the file or to standard output; a reader that has gone away is no error."""
    if output_file is not None:
        try:
            with open(output_file, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as stream:
                stream.write(text)
        except OSError as error:
            raise fail(f"cannot write {output_file}: {error.strerror or error}") from None
        return
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        from prefixlint.cli.main import silence_stdout

        silence_stdout()
        if not isinstance(error, BrokenPipeError):
            place = "free some space, or name another place with --output-file"
            raise fail(f"cannot write the report: {error.strerror or error}; {place}") from None
