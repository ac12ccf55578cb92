"""Suppression comments: ``# prefixlint: ignore[PFX101]`` above a statement or on its last line, ``ignore-file``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prefixlint.config.model import did_you_mean
from prefixlint.model.findings import Finding, Severity
from prefixlint.model.lifetimes import Confidence
from prefixlint.model.notebooks import Notebook
from prefixlint.suppress.comments import Comment, comments

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from typing import Final

    from prefixlint.model.sources import SourceFile, Span
    from prefixlint.rulebase import Rule

_DIRECTIVE: Final = re.compile(r"prefixlint:[ \t]*(?P<verb>[\w-]*)[ \t]*(?:\[(?P<codes>[^\]\n]*)(?P<close>\]?))?")
VERBS: Final = ("ignore", "ignore-file")


@dataclass(frozen=True, slots=True)
class Directive:
    """A suppression. ``codes`` empty means all; it covers findings that begin on the lines ``first`` to ``last``.

    In a notebook these are lines of its code, as ``line_of`` counts them.
    """

    codes: tuple[str, ...]
    span: Span
    first: int
    last: int

    def matches(self, finding: Finding, line: int) -> bool:
        """Whether it silences the finding, which begins on ``line``."""
        return (
            finding.span.path == self.span.path
            and self.first <= line <= self.last
            and (not self.codes or finding.code.startswith(self.codes))
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """``kept`` are the findings that no comment silences; ``notices`` tell of comments that do nothing."""

    kept: tuple[Finding, ...]
    notices: tuple[Finding, ...]


def line_of(finding: Finding, file: SourceFile) -> int:
    """The line of ``file`` on which the finding begins, for comments: in a notebook, the one of its code."""
    start = finding.span.start
    return file.code_line(start) if isinstance(file, Notebook) else start.line


def directives(file: SourceFile) -> tuple[tuple[Directive, ...], tuple[tuple[Span, str], ...]]:
    """The suppressions of a file, and place and message of each comment that is meant as one but is none."""
    found: list[Directive] = []
    wrong: list[tuple[Span, str]] = []
    if "prefixlint:" not in file.text:
        return (), ()
    for comment in comments(file):
        for match in _DIRECTIVE.finditer(comment.text):
            start = comment.start + match.start()
            span = file.span(start, comment.start + match.end())
            verb, codes = match["verb"], match["codes"]
            if verb not in VERBS:
                message = f"unknown suppression {verb!r}, not {' or '.join(VERBS)}{did_you_mean(verb, VERBS)}"
                wrong.append((span, message))
            elif codes is not None and not match["close"]:
                wrong.append((span, "suppression without closing bracket is ignored"))
            elif codes is not None and not codes.strip(" ,\t"):
                wrong.append((span, "suppression with an empty list of codes is ignored"))
            else:
                found.append(_directive(comment, verb, codes or "", span))
    return tuple(found), tuple(wrong)


def _directive(comment: Comment, verb: str, codes: str, span: Span) -> Directive:
    names = tuple(name.strip().upper() for name in codes.split(",") if name.strip())
    if verb == "ignore-file":
        return Directive(names, span, 1, 1 << 62)
    return Directive(names, span, comment.first, comment.last)


def apply(
    findings: Iterable[Finding],
    files: Mapping[str, SourceFile],
    *,
    known: Collection[str],
    active: Collection[str],
    off: Collection[str] = (),
    told: Collection[str] | None = None,
    notice: Rule | None,
) -> Outcome:
    """Takes out what the comments of ``files`` silence.

    ``known`` are all rule codes, ``active`` those that ran, ``off`` those that run only when asked for. ``notice`` is
    the rule that reports comments which do nothing; ``None`` when it does not run. A code whose rule did not run is
    never called unused. ``told`` (default: all) are the paths of files that may be told of: one that is read only
    because another imports it is not analysed as a whole, so nothing can be said of its comments.
    """
    by_path: dict[str, list[Finding]] = {}
    for finding in findings:
        by_path.setdefault(finding.span.path, []).append(finding)
    kept: list[Finding] = [finding for path, some in by_path.items() if path not in files for finding in some]
    notices: list[Finding] = []
    complete = set(active) >= set(known) - set(off)
    naming: dict[str, list[Directive]] = {}
    for path, file in files.items():
        here, wrong = directives(file)
        naming[path] = [directive for directive in here if directive.codes]
        used: dict[tuple[int, str], bool] = {}
        for finding in by_path.get(path, ()):
            silenced = False
            line = line_of(finding, file)
            for number, directive in enumerate(here):
                if directive.matches(finding, line):
                    silenced = True
                    for code in directive.codes or ("",):
                        if finding.code.startswith(code):
                            used[number, code] = True
            if not silenced:
                kept.append(finding)
        if notice is None or (told is not None and path not in told):
            continue
        notices.extend(_notice(notice, span, message, Severity.WARNING) for span, message in wrong)
        for number, directive in enumerate(here):
            notices.extend(_complaints(directive, number, used, known, active, complete, notice))
    # A comment that names the notices' own code silences them; a bare ``ignore`` does not silence itself.
    told_of = []
    for each in notices:
        line = line_of(each, files[each.span.path])
        if not any(directive.matches(each, line) for directive in naming[each.span.path]):
            told_of.append(each)
    return Outcome(tuple(kept), tuple(told_of))


def _complaints(
    directive: Directive,
    number: int,
    used: Mapping[tuple[int, str], bool],
    known: Collection[str],
    active: Collection[str],
    complete: bool,
    rule: Rule,
) -> Iterable[Finding]:
    if not directive.codes:
        if complete and not used.get((number, "")):
            yield _notice(rule, directive.span, "unused suppression: nothing to silence; remove it", Severity.INFO)
        return
    for code in directive.codes:
        meant = [name for name in known if name.startswith(code)]
        if not meant:
            message = f"unknown rule code {code!r} in suppression{did_you_mean(code, known)}"
            yield _notice(rule, directive.span, message, Severity.WARNING)
        elif rule.code not in meant and set(meant) & set(active) and not used.get((number, code)):
            message = f"unused suppression: no {code} here; remove it"
            yield _notice(rule, directive.span, message, Severity.INFO)


def _notice(rule: Rule, span: Span, message: str, severity: Severity) -> Finding:

    return Finding(
        code=rule.code,
        name=rule.name,
        severity=severity,
        confidence=Confidence.CERTAIN,
        message=message,
        span=span,
        url=rule.url,
    )
