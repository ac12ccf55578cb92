"""``prefixlint diff``."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from itertools import chain
from typing import TYPE_CHECKING

import click

from prefixlint.cli import options
from prefixlint.cli.downloads import allow_download

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import IO

    from prefixlint.model.layouts import Layout
    from prefixlint.model.targets import Target
    from prefixlint.wire.bodies import Body
    from prefixlint.wire.logs import Entry, Source

FORMATS = ("text", "json")
PROBLEMS = 5
"""Lines of a log that could not be read are named up to this number."""


@click.command()
@click.option("--output-format", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option(
    "--templates",
    "templates",
    metavar="PATH",
    multiple=True,
    type=click.Path(exists=True),
    help="Source of the prompts: does the log confirm what it predicts? Repeatable.",
)
@options.target_option
@options.output_option
@options.config_option
@allow_download
@click.argument("files", nargs=-1, required=True, metavar="A [B]...")
def diff(
    files: tuple[str, ...],
    templates: tuple[str, ...],
    targets: tuple[str, ...],
    output_format: str,
    output_file: str | None,
    config_file: str | None,
) -> int:
    """Show where requests part, in tokens, and what engines reuse of the first for the second.

    A and B are rendered prompts, or request bodies in JSON: OpenAI chat or responses, Anthropic, Bedrock, Gemini,
    Ollama, llama-server. More than two, or a log with one request a line (OpenAI batches, LiteLLM, Langfuse, plain
    bodies): the prefix that all share, the places that break it, and how often. A file - is standard input.
    With --templates, each request is joined with the prompt in the source that it was made from.
    Exit status: 0, 2 for what cannot be read.
    """
    from prefixlint.tokens import TokenizerError
    from prefixlint.wire.logs import LogError

    with ExitStack() as stack:
        try:
            opened = [_open(name, stack) for name in files]
            sources = [source for source, _ in opened]
            if not templates and len(sources) == 2 and all(source.single for source in sources):
                text = _pair(sources, targets, output_format, output_file, config_file)
            elif not templates and len(sources) == 1 and sources[0].single:
                raise click.UsageError(f"{files[0]} is one request: name another to compare it with, or a log of many")
            else:
                layouts = _layouts(templates, targets, config_file)
                log = _Log(opened)
                text = _survey(log, layouts, targets, output_format, output_file, config_file)
        except (LogError, TokenizerError) as error:
            raise options.fail(str(error)) from None
    options.emit(text, output_file)
    return 0


class _Lines:
    """The lines of a file. ``taken`` counts the bytes of those taken so far, of ``size``, 0 where that is not known."""

    def __init__(self, name: str, stream: IO[bytes], size: int) -> None:
        self._name, self._stream = name, stream
        self.size = size
        self.taken = 0

    def __iter__(self) -> Iterator[bytes]:
        from prefixlint.wire.logs import LARGEST, LogError

        while line := self._stream.readline(LARGEST + 1):
            if len(line) > LARGEST:
                raise LogError(f"{self._name} has a line of more than {LARGEST:,} bytes; not read")
            self.taken += len(line)
            yield line


class _Log:
    """Entries of several files, and how far in them the reading is."""

    def __init__(self, opened: Sequence[tuple[Source, _Lines]]) -> None:
        self.entries: Iterator[Entry] = chain.from_iterable(source.entries for source, _ in opened)
        self._lines = [lines for _, lines in opened]

    def kilobytes(self) -> tuple[int, int]:
        """Taken, and in all; what comes from a pipe counts as taken only."""
        taken = sum(lines.taken for lines in self._lines)
        return taken // 1024, max(taken, sum(max(lines.size, lines.taken) for lines in self._lines)) // 1024


def _open(name: str, stack: ExitStack) -> tuple[Source, _Lines]:
    if name == "-":
        return _read("standard input", sys.stdin.buffer, 0)
    try:
        return _read(name.replace(os.sep, "/"), stack.enter_context(open(name, "rb")), os.path.getsize(name))
    except OSError as error:
        raise options.fail(f"cannot read {name}: {error.strerror or error}") from None


def _read(name: str, stream: IO[bytes], size: int) -> tuple[Source, _Lines]:
    from prefixlint.wire.logs import read

    lines = _Lines(name, stream, size)
    return read(name, lines), lines


def _layouts(paths: Sequence[str], targets: Sequence[str], config_file: str | None) -> Sequence[Layout]:
    """The prompts of the source under ``paths``, each laid out for its first target."""
    if not paths:
        return ()
    config = options.configuration(paths, config_file, None, targets)
    result = options.execute(paths, config, None, check=False)
    if not result.layouts:
        raise options.fail(f"there is no prompt in {', '.join(paths)}")
    return result.layouts


def _pair(
    sources: Sequence[Source], names: Sequence[str], output_format: str, output_file: str | None, config: str | None
) -> str:
    from prefixlint.report import partings
    from prefixlint.wire.compare import compare, differing

    one, other = (next(source.entries) for source in sources)
    assert one.body is not None
    assert other.body is not None
    found = compare(one.body, other.body, _targets(other.body, names, config))
    settings = differing(one.body, other.body)
    called = (one.name, other.name)
    if output_format == "json":
        return partings.pair_json(called, found, settings)
    return partings.pair(called, found, settings, options.style(output_file))


def _survey(
    log: _Log,
    layouts: Sequence[Layout],
    names: Sequence[str],
    output_format: str,
    output_file: str | None,
    config: str | None,
) -> str:
    from prefixlint.cli.progress import ProgressLine
    from prefixlint.report import joining, partings
    from prefixlint.tokens import TokenizerError
    from prefixlint.wire.joined import Join
    from prefixlint.wire.survey import Survey

    join = Join(layouts)
    survey = Survey(lambda body: _targets(body, names, config))
    skipped = unread = 0
    problems: list[str] = []
    with ProgressLine() as progress:
        for entry in log.entries:
            problem = entry.problem
            if entry.body is not None:
                try:
                    survey.add(entry.name, entry.body)
                    if layouts:
                        join.add(entry.body)
                except TokenizerError as error:
                    problem = str(error)
            elif not problem:
                skipped += 1
            if problem:
                unread += 1
                if len(problems) < PROBLEMS:
                    problems.append(f"{entry.name}: {problem}")
            progress("comparing requests, kilobytes", *log.kilobytes())
    if unread > len(problems):
        problems.append(f"{unread - len(problems):,} more")
    groups = survey.groups()
    if not groups:
        raise options.fail("; ".join(["there is no request in it", *problems]))
    joined = join.found() if layouts else ()
    if output_format == "json":
        extra = joining.document(joined, join.unmatched) if layouts else {}
        return partings.survey_json(groups, skipped, problems, extra)
    style = options.style(output_file)
    text = partings.survey(groups, skipped, problems, style)
    return f"{text}\n{joining.render(joined, join.unmatched, style)}" if layouts else text


def _targets(body: Body, names: Sequence[str], config_file: str | None) -> tuple[Target, ...]:
    """The targets that the user chose, or those that the body's form and model point at."""
    from prefixlint.config import ConfigError
    from prefixlint.model.sources import Position, Span
    from prefixlint.model.templates import Template
    from prefixlint.run.registry import chosen_targets, default_targets
    from prefixlint.run.stages import Stages

    config = options.configuration((), config_file, None, names)
    stages = Stages()
    start = Position(1, 1)
    template = Template(body.form, "request", Span("", start, start), (), body.engine, body.model)
    try:
        return chosen_targets(config, stages) or default_targets(template, config, stages)
    except ConfigError as error:
        raise options.fail(str(error)) from None
