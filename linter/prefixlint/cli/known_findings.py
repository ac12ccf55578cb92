"""``check --baseline`` and ``check --write-baseline``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import click

from prefixlint.cli import options, shared_files

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prefixlint.config import Config
    from prefixlint.model.findings import Severity
    from prefixlint.ratchet.baseline import Entry
    from prefixlint.run import RunResult

_LISTED: Final = 10


def looked_at(paths: Sequence[str], stdin_filename: str | None) -> tuple[str, ...]:
    """The files and folders that a run is about; none means the working directory."""
    named = [path for path in paths if path != "-"]
    if "-" in paths or (stdin_filename is not None and not paths):
        named.append(stdin_filename or options.STDIN_NAME)
    return tuple(named)


def entries(file: str) -> tuple[Entry, ...]:
    """What the baseline lists. Ends the run with status 2 when it is missing or cannot be used."""
    text = shared_files.read(file)
    if text is None:
        raise options.fail(f"no baseline {file}; prefixlint check --write-baseline {file} writes it")
    return _read(text, file)


def replaced(file: str) -> tuple[Entry, ...]:
    """What a baseline that is to be written anew lists; a file that is none is not overwritten."""
    text = shared_files.read(file)
    return _read(text, file) if text else ()


def _read(text: str, file: str) -> tuple[Entry, ...]:
    from prefixlint.ratchet.baseline import read
    from prefixlint.ratchet.records import RecordError

    try:
        return read(text, file)
    except RecordError as error:
        raise options.fail(str(error)) from None


def renew(file: str, old: Sequence[Entry], result: RunResult, lowest: Severity, paths: Sequence[str]) -> int:
    """Writes the findings from ``lowest`` up; gives the exit status. After an internal error it writes nothing."""
    from prefixlint.ratchet.baseline import renewed
    from prefixlint.ratchet.scope import Scope
    from prefixlint.report.lines import plural

    status = options.status_of(result, failed=False)
    if status:
        click.echo(f"prefixlint: {file} is not written: not everything could be checked", err=True)
        return status
    findings = result.at_least(lowest)
    text = renewed(old, findings, result, Scope.of(file, paths))
    shared_files.write(file, text)
    options.emit(f"Wrote {plural(len(findings), 'finding')} to {file}\n")
    return status


def without_known(
    file: str, listed: Sequence[Entry], result: RunResult, config: Config, paths: Sequence[str]
) -> tuple[RunResult, int]:
    """The result without what the baseline lists, and how much that is; tells on standard error what is not needed."""
    from prefixlint.ratchet.baseline import compare
    from prefixlint.ratchet.scope import Scope
    from prefixlint.run.registry import installed_rules, runs

    rules = {rule.code: rule for rule in installed_rules()}

    def ran(code: str) -> bool:
        # A rule that is not there any more finds nothing any more.
        return code not in rules or runs(rules[code], config)

    compared = compare(result, listed, Scope.of(file, paths), ran)
    _tell_unneeded(file, compared.unneeded)
    return replace(result, findings=compared.new), compared.known


def _tell_unneeded(file: str, unneeded: Sequence[Entry]) -> None:
    from prefixlint.report.escape import plain

    for entry in unneeded[:_LISTED]:
        item = entry.identity
        what = f"{item.code} `{item.text}` in {item.path}" + (f" ({item.template})" if item.template else "")
        click.echo(f"prefixlint: {plain(f'{file}:{entry.line}: no longer needed: {what}')}", err=True)
    if len(unneeded) > _LISTED:
        more = len(unneeded) - _LISTED
        click.echo(f"prefixlint: {plain(file)}: {more:,} more lines are no longer needed", err=True)
