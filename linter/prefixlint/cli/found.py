"""What ``check`` found, in each of its formats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prefixlint.model.findings import Finding, Severity
    from prefixlint.ratchet.changes import Change
    from prefixlint.report.style import Style
    from prefixlint.run import RunResult

FORMATS: Final = ("full", "concise", "json", "sarif", "github", "gitlab", "junit", "markdown")


@dataclass(frozen=True, slots=True)
class Found:
    """``shown`` are the findings of ``result`` that are reported; ``known`` says how many are kept back as not new.

    ``changes`` are those of the prefixes ``since`` a revision ("" for none).
    """

    result: RunResult
    shown: Sequence[Finding]
    known: str
    changes: Sequence[Change]
    since: str
    fail_on: Severity

    def statistics(self) -> str:
        """A count for each rule, and the summary."""
        from prefixlint.report import lines

        return lines.statistics(self.shown) + self._summary()

    def text(self, output_format: str, style: Style) -> str:
        """The report in one of ``FORMATS``."""
        if output_format == "full":
            from prefixlint.report import full

            return full.render(self.result, self.shown, style) + self._summary()
        if output_format == "json":
            from prefixlint.report import jsonout

            return jsonout.check(self.result, self.shown)
        if output_format == "sarif":
            from prefixlint.report.sarif import sarif
            from prefixlint.run.registry import installed_rules

            return sarif(self.result, self.shown, installed_rules())
        if output_format == "gitlab":
            from prefixlint.report.gitlab import gitlab

            return gitlab(self.result, self.shown)
        if output_format == "junit":
            from prefixlint.report.junit import junit

            return junit(self.result, self.shown, self.fail_on)
        if output_format == "markdown":
            from prefixlint.report import markdown

            return markdown.check(self.result, self.shown, self.known, self.changes, self.since)
        from prefixlint.report import lines

        return lines.github(self.shown) if output_format == "github" else lines.concise(self.shown) + self._summary()

    def _summary(self) -> str:
        from prefixlint.report import lines

        return lines.summary(self.result, self.shown, self.known)
