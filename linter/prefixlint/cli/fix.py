"""``check --fix``, ``--unsafe-fixes`` and ``--diff``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import click

from prefixlint.cli import options

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from prefixlint.config import Config
    from prefixlint.model.findings import Finding
    from prefixlint.model.sources import SourceFile
    from prefixlint.run import RunResult
    from prefixlint.run.fixing import Mended


@dataclass(frozen=True, slots=True)
class Job:
    """A run and what may be mended of it: ``shown`` are the findings that the user is told of."""

    paths: Sequence[str]
    config: Config
    stdin: tuple[str, bytes] | None
    result: RunResult
    shown: Sequence[Finding]

    def again(self, paths: Sequence[str], overlay: Mapping[str, SourceFile]) -> RunResult:
        """The same run over these files alone, with other texts for some of them."""
        from prefixlint.run import run

        own = self.stdin is not None and self.stdin[0] in paths
        named = [path for path in paths if not own or self.stdin is None or path != self.stdin[0]]
        return run(named, self.config, stdin=self.stdin if own else None, unsaved=tuple(overlay.values()))

    def mended(self, unsafe: bool) -> Mended:
        """All that can be mended, one group of files after the other."""
        from prefixlint.run.fixing import groups, joined, mend

        parts = []
        for paths in groups(self.result, self.shown):
            again = partial(self.again, paths)
            parts.append(mend(again({}), again, unsafe=unsafe, among=self.shown))
        return joined(parts)

    def anew(self) -> RunResult:
        """The whole run once more."""
        from prefixlint.run import run

        return run(options.files(self.paths, self.stdin), self.config, stdin=self.stdin)


def attach(job: Job, result: RunResult) -> RunResult:
    """The result with the fixes of the findings that are shown."""
    from prefixlint.run.fixing import groups, proven

    findings = result.findings
    for paths in groups(job.result, job.shown):
        again = partial(job.again, paths)
        findings = proven(findings, again({}), again, job.shown)
    return replace(result, findings=findings)


def show(job: Job, unsafe: bool, output_file: str | None) -> int:
    """Prints the changes as a diff; status 1 where there are any."""
    from prefixlint.run.fixing import differences

    mended = job.mended(unsafe)
    options.emit("".join(differences(mended)), output_file)
    count = len(mended.made)
    click.echo(f"Would fix {count:,} finding{'' if count == 1 else 's'}" if count else "Nothing to fix", err=True)
    return options.status_of(job.result, bool(mended.changed))


def make(job: Job, unsafe: bool) -> tuple[RunResult, list[str]]:
    """Writes the changed files. Gives the run over what is there then, and what to say of it in the summary.

    A text from standard input goes to standard output, and the run is over its new form.
    """
    from prefixlint.discover.write import WriteError, write_changed

    mended = job.mended(unsafe)
    made = list(mended.made)
    for source, text in mended.changed:
        if job.stdin is not None and source.path == job.stdin[0]:
            job = replace(job, stdin=(source.path, text.encode("utf-8", "surrogatepass")))
            continue
        try:
            write_changed(source, text)
        except WriteError as error:
            click.echo(f"prefixlint: {source.path} is not fixed: {error}", err=True)
            made = [each for each in made if all(edit.span.path != source.path for edit in each.fix.edits)]
    if job.stdin is not None:
        options.emit(job.stdin[1].decode("utf-8", "surrogatepass"))
    after = job.anew() if mended.changed else job.result
    return after, [f"{len(made):,} fixed"] if made else []
