"""``prefixlint lock``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from prefixlint.cli import options, shared_files
from prefixlint.cli.downloads import allow_download

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from prefixlint.config import Config
    from prefixlint.ratchet.changes import Change
    from prefixlint.ratchet.lock import Locked
    from prefixlint.ratchet.prefixes import State
    from prefixlint.ratchet.scope import Scope
    from prefixlint.run import RunResult

FILE = "prefixlint.lock"


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; exit with status 1 where a prefix shrank or changed.")
@click.option(
    "--lock-file",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    help=f"The lock. [default: {FILE} beside the configuration, else in the working directory]",
)
@options.target_option
@options.config_option
@allow_download
@options.paths_argument
def lock(
    paths: tuple[str, ...], targets: tuple[str, ...], config_file: str | None, lock_file: str | None, check: bool
) -> int:
    """Record the stable prefix of each prompt, or check that none shrank or changed.

    The lock is a small text file to be committed: a line for each prompt with the tokens of its stable prefix, their
    hash, and the values that can change. Exit status: 0, 1 a prefix shrank or changed, 2 wrong use or bad
    configuration, 4 internal error.
    """
    from prefixlint.ratchet.changes import compare
    from prefixlint.ratchet.lock import renewed
    from prefixlint.ratchet.scope import Scope
    from prefixlint.report.lines import plural

    if "-" in paths:
        raise click.UsageError("the lock is of files; standard input (-) cannot be locked")
    config = options.configuration(paths, config_file, None, targets)
    file = os.path.relpath(os.path.join(config.root, FILE)) if lock_file is None else lock_file
    old = _read(file, needed=check)
    scope = Scope.of(file, paths)
    result = options.execute(paths, config, None, check=False)
    new = _states(result, config, scope)
    unsure = scope.unsure(result)
    settled = [each for each in old if each.path not in unsure]
    changes = compare(settled, [each for each in new if each.path not in unsure], scope.covers, scope.gone)
    if check:
        return options.status_of(result, _told(changes, _unchecked(old, unsure, scope), len(new), file))
    status = options.status_of(result, failed=False)
    if status:
        click.echo(f"prefixlint: {file} is not written: not everything could be analysed", err=True)
        return status

    def keep(path: str) -> bool:
        return not scope.covers(path) and not scope.gone(path)

    shared_files.write(file, renewed(old, new, keep))
    options.emit(_lines(changes if old else ()) + f"Wrote the prefixes of {plural(len(new), 'prompt')} to {file}\n")
    return status


def _read(file: str, *, needed: bool) -> tuple[Locked, ...]:
    from prefixlint.ratchet.lock import read
    from prefixlint.ratchet.records import RecordError

    text = shared_files.read(file)
    if text is None and needed:
        raise options.fail(f"no lock {file}; prefixlint lock writes it")
    try:
        return read(text, file) if text else ()
    except RecordError as error:
        raise options.fail(str(error)) from None


def _states(result: RunResult, config: Config, scope: Scope) -> list[State]:
    """Each template as it is now, for all targets that the user named, else for its own.

    Only those in files that were asked for: of a module that is read because another imports it, not all are found.
    """
    from prefixlint.ratchet.lock import anchored
    from prefixlint.ratchet.prefixes import state_of
    from prefixlint.run import Stages
    from prefixlint.run.registry import chosen_targets

    stages = Stages()
    others = chosen_targets(config, stages)[1:]
    out = []
    for layout in result.layouts:
        if not scope.covers(scope.name(layout.template.span.path)):
            continue
        # The run has measured the template for all of the targets already: none of these fails.
        layouts = [layout, *(stages.build(layout.template, (target,)) for target in others)]
        out.append(anchored(state_of(layouts, layout.template.span.path), scope.name, config.root))
    return out


def _unchecked(old: Sequence[Locked], unsure: Collection[str], scope: Scope) -> tuple[str, ...]:
    """Files in the lock that could not be analysed: a prefix that nobody looked at is not unchanged."""
    return tuple(sorted({each.path for each in old if each.path in unsure and scope.covers(each.path)}))


def _lines(changes: Sequence[Change]) -> str:
    from prefixlint.report.escape import plain

    return "".join(f"{plain(change.message)}\n" for change in changes)


def _told(changes: Sequence[Change], unchecked: Sequence[str], count: int, file: str) -> bool:
    """Prints what became of the prefixes; True when that fails the check."""
    from prefixlint.report.escape import plain
    from prefixlint.report.lines import plural

    failing = [change for change in changes if change.fails]
    text = _lines(failing)
    text += "".join(f"{plain(path)}: could not be analysed (see prefixlint check)\n" for path in unchecked)
    text += _lines([change for change in changes if not change.fails])
    if count_failing := len(failing) + len(unchecked):
        text += f"{plural(count_failing, 'change')} against {file}; prefixlint lock records the prompts as they are\n"
    else:
        text += f"{plural(count, 'prompt')} checked against {file}: no prefix shrank or changed\n"
    options.emit(text)
    return bool(count_failing)
