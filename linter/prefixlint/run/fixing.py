"""Fixes that hold: each is made in memory, everything is analysed again, and what went wrong is left out.

A proposal of ``prefixlint.fixes`` is only an edit. It counts as a fix when the analysis of the changed files says that

- the finding is gone and no other has come, no file fails to be read, and no prompt has gone or come;
- each prompt says the same: the same fixed text, or the same sentences and lines in another order;
- no prompt's stable prefix is shorter than it was, and no sentence speaks of the place of what has moved.
"""

from __future__ import annotations

import ast
import os
import warnings
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from prefixlint.fixes import EditError, Known, apply, candidates
from prefixlint.fixes.moves import refers
from prefixlint.fixes.same_text import keeps_text, moved, same_text
from prefixlint.model.findings import Severity
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.sources import SourceFile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from prefixlint.model.findings import Edit, Finding, Fix
    from prefixlint.model.layouts import Layout
    from prefixlint.run.result import RunResult

    Again = Callable[[Mapping[str, SourceFile]], RunResult]

MOST_ROUNDS = 40
"""How often the whole is gone through; each round mends one finding of each prompt or uses up a proposal."""

MOST_TRIED = 12
"""Proposals tried for one finding."""


@dataclass(frozen=True, slots=True)
class Proposal:
    finding: Finding
    fix: Fix


@dataclass(frozen=True, slots=True)
class Mended:
    """What fixing came to. ``before`` and ``after`` are the runs; ``made`` the fixes, in the order they were made.

    ``changed`` has for each file that changes the file as it is and its new text.
    """

    before: RunResult
    after: RunResult
    made: tuple[Proposal, ...] = ()
    changed: tuple[tuple[SourceFile, str], ...] = ()


def mend(result: RunResult, again: Again, *, unsafe: bool, among: Iterable[Finding] | None = None) -> Mended:
    """Makes all fixes that hold, one after the other, until nothing is left to mend. Writes nothing.

    ``again`` analyses everything once more with other texts for some files, by absolute path. ``unsafe`` takes fixes
    in that are not known to keep the meaning. ``among`` are the findings to mend, without it all.
    """
    wanted_keys = {_key(finding) for finding in (result.findings if among is None else among)}
    now, overlay, made = result, dict[str, SourceFile](), list[Proposal]()
    tried: Counter[_Key] = Counter()
    for _ in range(MOST_ROUNDS):
        wanted = [finding for finding in now.findings if _key(finding) in wanted_keys]
        chosen = _choose(now, wanted, unsafe, tried)
        if not chosen:
            break
        for proposal in chosen:
            tried[_key(proposal.finding)] += 1
        trial = _Trial(now, again, overlay)
        kept = trial.hold(chosen)
        if kept:
            made += kept
            overlay, now = trial.overlay, trial.result
            for path in {edit.span.path for proposal in kept for edit in proposal.fix.edits}:
                for key in [key for key in tried if key[1] == path]:
                    del tried[key]
    changed = []
    for path, source in sorted(result.sources.items()):
        new = overlay.get(os.path.abspath(path))
        if new is not None and new.text != source.text:
            changed.append((source, new.text))
    return Mended(result, now, tuple(made), tuple(changed))


def proven(
    findings: Sequence[Finding], base: RunResult, again: Again, among: Iterable[Finding] | None = None
) -> tuple[Finding, ...]:
    """``findings`` with a ``fix`` on each that has one that holds by itself.

    ``base`` is what ``again`` gives without changes; ``among`` are the findings to look at, without it all.
    """
    wanted_keys = {_key(finding) for finding in (findings if among is None else among)}
    found: dict[_Key, Fix] = {}
    tried: Counter[_Key] = Counter()
    for _ in range(MOST_TRIED):
        wanted = [each for each in base.findings if _key(each) in wanted_keys and _key(each) not in found]
        left = _choose(base, wanted, True, tried, one_each=False)
        if not left:
            break
        for proposal in left:
            tried[_key(proposal.finding)] += 1
        while left:
            batch = _apart(left)
            left = [proposal for proposal in left if proposal not in batch]
            for proposal in _Trial(base, again, {}).hold(batch):
                found[_key(proposal.finding)] = proposal.fix
    return tuple(replace(each, fix=found[_key(each)]) if _key(each) in found else each for each in findings)


_SLOW = frozenset({Lifetime.DEPLOYMENT, Lifetime.PROCESS, Lifetime.DAY})
_Key = tuple[str, str, str, str]


def _key(finding: Finding) -> _Key:
    """What stays of a finding when lines move."""
    expression = finding.message if finding.expression is None else finding.expression
    return finding.code, finding.span.path, expression, finding.template.rpartition(":")[2]


def _choose(
    result: RunResult, findings: Iterable[Finding], unsafe: bool, tried: Mapping[_Key, int], *, one_each: bool = True
) -> list[Proposal]:
    """The next proposal for each finding; with ``one_each``, one for each prompt and none that meet in a file."""
    known = Known(result.sources, result.templates)
    out: list[Proposal] = []
    numbers: Counter[_Key] = Counter()
    for finding in findings:
        numbers[_key(finding)] += 1
        if numbers[_key(finding)] > 1 or tried[_key(finding)] >= MOST_TRIED:
            continue
        fixes = (fix for fix in candidates(finding, known) if _allowed(fix, result, unsafe))
        fix = next((fix for number, fix in enumerate(fixes) if number >= tried[_key(finding)]), None)
        if fix is not None:
            out.append(Proposal(finding, fix))
    return _apart(out) if one_each else out


def _allowed(fix: Fix, result: RunResult, unsafe: bool) -> bool:
    """May it be made? Files that were only read on the way to a prompt are never changed."""
    if fix.applicability != "safe" and not unsafe:
        return False
    return all(os.path.abspath(edit.span.path) in result.named for edit in fix.edits)


_KINDS = ("order", "move", "value")
"""The kinds of fixes in the order in which they are made: they are judged differently, so never at once."""


def _apart(proposals: Sequence[Proposal]) -> list[Proposal]:
    """Those that go together: of one kind, one for each prompt, and none that meets another in a file."""
    kinds = [proposal.fix.kind for proposal in proposals]
    proposals = [proposal for proposal in proposals if proposal.fix.kind == min(kinds, key=_KINDS.index)]
    out: list[Proposal] = []
    templates: set[str] = set()
    for proposal in proposals:
        if proposal.finding.template in templates or any(_meet(proposal.fix, other.fix) for other in out):
            continue
        templates.add(proposal.finding.template)
        out.append(proposal)
    return out


def _meet(one: Fix, other: Fix) -> bool:
    """Do the stretches of a file that two fixes work on overlap?"""
    reaches = [_reach(fix.edits) for fix in (one, other)]
    return any(
        low <= last and first <= high
        for path, (low, high) in reaches[0].items()
        for first, last in [reaches[1].get(path, ((1 << 60, 0), (-1, 0)))]
    )


def _reach(edits: Iterable[Edit]) -> dict[str, tuple[tuple[int, int], tuple[int, int]]]:
    out: dict[str, tuple[tuple[int, int], tuple[int, int]]] = {}
    for edit in edits:
        start = (edit.span.start.line, edit.span.start.column)
        end = (edit.span.end.line, edit.span.end.column)
        low, high = out.get(edit.span.path, (start, end))
        out[edit.span.path] = (min(low, start), max(high, end))
    return out


@dataclass(slots=True)
class _Trial:
    """Fixes tried on top of what already holds. ``result`` and ``overlay`` follow what was found to hold."""

    result: RunResult
    again: Again
    overlay: dict[str, SourceFile]
    kept: list[Proposal] = field(default_factory=list)
    base: RunResult = field(init=False)
    below: dict[str, SourceFile] = field(init=False)

    def __post_init__(self) -> None:
        self.base, self.below = self.result, self.overlay

    def hold(self, proposals: Sequence[Proposal]) -> list[Proposal]:
        """Those of ``proposals`` that hold together: all at once, or halves of them where something is wrong."""
        if self._try(proposals) or len(proposals) == 1:
            return self.kept
        middle = len(proposals) // 2
        self.hold(proposals[:middle])
        return self.hold(proposals[middle:])

    def _try(self, proposals: Sequence[Proposal]) -> bool:
        together = [*self.kept, *proposals]
        by_path: dict[str, list[Edit]] = defaultdict(list)
        for proposal in together:
            for edit in proposal.fix.edits:
                by_path[edit.span.path].append(edit)
        overlay = dict(self.below)
        try:
            for path, edits in by_path.items():
                text = apply(self.base.sources[path], edits)
                if not _parses(path, text):
                    return False
                overlay[os.path.abspath(path)] = SourceFile(path, text)
        except (EditError, KeyError):
            return False
        after = self.again(overlay)
        if not _holds(self.base, after, together):
            return False
        self.kept, self.overlay, self.result = together, overlay, after
        return True


def _parses(path: str, text: str) -> bool:
    """Is it still Python? Other files are read by the analysis, which tells of those that it cannot read."""
    if not path.endswith(".py"):
        return True
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _holds(before: RunResult, after: RunResult, made: Sequence[Proposal]) -> bool:
    if len(after.crashes) > len(before.crashes) or _problems(after) - _problems(before):
        return False
    return _mended(before, after, made) and _same_prompts(before, after, moves=made[0].fix.kind == "move")


def _problems(result: RunResult) -> Counter[str]:
    return Counter(problem.path for problem in result.problems)


def _mended(before: RunResult, after: RunResult, made: Sequence[Proposal]) -> bool:
    was, now = (Counter(map(_key, result.findings)) for result in (before, after))
    for key, number in Counter(_key(proposal.finding) for proposal in made).items():
        if now[key] > was[key] - number:
            return False
    came = now - was
    # A sorted listing is still the listing of one deployment, a date is still one of a day: that much may be left.
    left = all(proposal.fix.kind != "move" for proposal in made)
    return all(
        left and finding.severity is Severity.INFO and finding.lifetime in _SLOW
        for finding in after.findings
        if came[_key(finding)]
    )


def _same_prompts(before: RunResult, after: RunResult, *, moves: bool) -> bool:
    was, now = _by_name(before.layouts), _by_name(after.layouts)
    if {name: len(items) for name, items in was.items()} != {name: len(items) for name, items in now.items()}:
        return False
    for name, layouts in was.items():
        for one, other in zip(layouts, now[name], strict=True):
            if one.template == other.template:
                continue
            same = same_text if moves else keeps_text
            if not same(one.template, other.template) or other.stable_prefix_tokens < one.stable_prefix_tokens:
                return False
            if moves and refers(*moved(one.template, other.template)):
                return False
    return True


def _by_name(layouts: Iterable[Layout]) -> dict[tuple[str, str, str], list[Layout]]:
    out: dict[tuple[str, str, str], list[Layout]] = defaultdict(list)
    for layout in layouts:
        template = layout.template
        out[template.span.path, template.form, template.name].append(layout)
    return out


def differences(mended: Mended) -> Iterator[str]:
    """The changes as unified diffs, a file at a time."""
    from difflib import unified_diff
    from io import StringIO

    for source, new in mended.changed:
        # Lines as in the file: str.splitlines would also end them at a form feed.
        old_lines, new_lines = (list(StringIO(text, newline="")) for text in (source.text, new))
        lines = list(unified_diff(old_lines, new_lines, source.path, source.path))
        yield "".join(
            line if line.endswith(("\n", "\r")) else f"{line}\n\\ No newline at end of file\n" for line in lines
        )
