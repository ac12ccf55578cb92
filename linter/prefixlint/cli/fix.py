"""``check --fix``, ``--unsafe-fixes`` and ``--diff``."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
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

    def again(self, overlay: Mapping[str, SourceFile]) -> RunResult:
        """The same run over the files that hold the prompts, with other texts for some of them."""
        from prefixlint.run import run

        return run(self._files(), self.config, stdin=self.stdin, unsaved=tuple(overlay.values()))

    def _files(self) -> list[str]:
        spans = [template.span for template in self.result.templates]
        for finding in self.result.findings:
            spans += [finding.span, *(place.span for place in finding.related)]
        own = self.stdin[0] if self.stdin is not None else None
        return sorted({span.path for span in spans if os.path.abspath(span.path) in self.result.named} - {own})

    def mended(self, unsafe: bool) -> Mended:
        from prefixlint.run.fixing import mend

        return mend(self.again({}), self.again, unsafe=unsafe, among=self.shown)

    def anew(self) -> RunResult:
        """The whole run once more."""
        from prefixlint.run import run

        return run(options.files(self.paths, self.stdin), self.config, stdin=self.stdin)


def attach(job: Job, result: RunResult) -> RunResult:
    """The result with the fixes of the findings that are shown."""
    from prefixlint.run.fixing import proven

    if not job.shown:
        return result
    return replace(result, findings=proven(result.findings, job.again({}), job.again, job.shown))


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

    if not job.shown:
        return job.result, []
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
