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
from prefixlint.fixes.moves import tied
from prefixlint.fixes.proposals import ORDER
from prefixlint.fixes.same_text import keeps_text, moved, same_text
from prefixlint.model.findings import Severity
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Text, walk
from prefixlint.model.sources import SourceFile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from prefixlint.model.findings import Edit, Finding, Fix
    from prefixlint.model.layouts import Layout
    from prefixlint.model.sources import Span
    from prefixlint.model.templates import Template
    from prefixlint.run.result import RunResult

    Again = Callable[[Mapping[str, SourceFile]], RunResult]

MOST_ROUNDS = 120
"""How often the whole is gone through; each round mends one finding of each prompt or uses up a proposal."""

MOST_TRIED = 12
"""Proposals tried for one finding."""


@dataclass(frozen=True, slots=True)
class Proposal:
    finding: Finding
    fix: Fix


@dataclass(frozen=True, slots=True)
class Mended:
    """What fixing came to: ``made`` are the fixes, in the order they were made.

    ``changed`` has for each file that changes the file as it is and its new text.
    """

    made: tuple[Proposal, ...] = ()
    changed: tuple[tuple[SourceFile, str], ...] = ()


def groups(result: RunResult, findings: Iterable[Finding]) -> list[tuple[str, ...]]:
    """The files that ``findings`` are about, in groups: files that share a prompt are analysed together.

    Only files that the arguments of the run name or hold. A group is as small as may be, so that trying a fix takes
    the time of a few files and not of a project.
    """
    leaders: dict[str, str] = {}

    def leader(path: str) -> str:
        while leaders.setdefault(path, path) != path:
            path = leaders[path]
        return path

    for template in result.templates:
        for span in _spans(template):
            leaders[leader(span.path)] = leader(template.span.path)
    wanted = set()
    for finding in findings:
        for place in finding.related:
            leaders[leader(place.span.path)] = leader(finding.span.path)
        wanted.add(finding.span.path)
    members: dict[str, set[str]] = defaultdict(set)
    for path in list(leaders):
        members[leader(path)].add(path)
    chosen = sorted({leader(path) for path in wanted})
    named = [{path for path in members[each] if os.path.abspath(path) in result.named} for each in chosen]
    return [tuple(sorted(paths)) for paths in named if paths]


def _spans(template: Template) -> Iterator[Span]:
    yield from (hop.span for hop in template.related)
    for block in template.blocks:
        for segment in walk(block.segments):
            yield segment.span() if isinstance(segment, Text) else segment.span
            if not isinstance(segment, Text):
                yield from (hop.span for hop in segment.origin.hops)


def joined(parts: Iterable[Mended]) -> Mended:
    """What was done to several groups of files, as one."""
    every = list(parts)
    changed = sorted((each for part in every for each in part.changed), key=lambda each: each[0].path)
    return Mended(tuple(each for part in every for each in part.made), tuple(changed))


def mend(result: RunResult, again: Again, *, unsafe: bool, among: Iterable[Finding] | None = None) -> Mended:
    """Makes all fixes that hold, one after the other, until nothing is left to mend. Writes nothing.

    ``again`` analyses everything once more with other texts for some files, by absolute path. ``unsafe`` takes fixes
    in that are not known to keep the meaning. ``among`` are the findings to mend, without it all.
    """
    first = tuple(result.findings if among is None else among)
    wanted_keys = {_key(finding) for finding in first}
    infos = among is None or any(finding.severity is Severity.INFO for finding in first)
    now, overlay, made = result, dict[str, SourceFile](), list[Proposal]()
    tried: Counter[_Key] = Counter()
    gained = 0
    for _ in range(MOST_ROUNDS):
        wanted = [finding for finding in now.findings if _key(finding) in wanted_keys]
        chosen = _choose(now, wanted, unsafe, tried)
        if not chosen:
            # What was done since may make possible what was not; a pass without any gain ends it.
            if len(made) == gained:
                break
            gained = len(made)
            tried.clear()
            continue
        for proposal in chosen:
            tried[_key(proposal.finding)] += 1
        trial = _Trial(now, again, overlay)
        kept = trial.hold(chosen)
        if kept:
            made += kept
            overlay, now = trial.overlay, trial.result
            # What could not be done for another value of the same prompt may be possible now.
            done = {_prompt(proposal.finding) for proposal in kept}
            for finding in now.findings:
                if _prompt(finding) in done:
                    tried.pop(_key(finding), None)
                    # A date where a time was is another value, and an info of its own.
                    if infos and _slow(finding):
                        wanted_keys.add(_key(finding))
    changed = []
    for path, source in sorted(result.sources.items()):
        new = overlay.get(os.path.abspath(path))
        if new is not None and new.text != source.text:
            changed.append((source, new.text))
    return Mended(tuple(made), tuple(changed))


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


def _prompt(finding: Finding) -> tuple[str, str]:
    """File of the finding and name of its prompt."""
    return finding.span.path, finding.template.rpartition(":")[2]


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
    tried: dict[str, SourceFile] = field(init=False)

    def __post_init__(self) -> None:
        self.base, self.below, self.tried = self.result, self.overlay, self.overlay

    def hold(self, proposals: Sequence[Proposal]) -> list[Proposal]:
        """Those of ``proposals`` that hold together.

        One analysis of all of them shows which prompts went wrong; those of other prompts are tried once more without
        these. Where that does not tell, halves are tried.
        """
        after = self._after(proposals)
        if after is None or len(proposals) == 1:
            if after is not None and _holds(self.base, after, [*self.kept, *proposals]):
                self._keep(proposals, after)
            elif len(proposals) > 1:
                self._halves(proposals)
            return self.kept
        good = _good(self.base, after, [*self.kept, *proposals])
        if len(good) == len(self.kept) + len(proposals) and _holds(self.base, after, good):
            self._keep(proposals, after)
        elif len(good) > len(self.kept):
            left = [proposal for proposal in proposals if proposal in good]
            if len(left) == len(proposals):
                self._halves(proposals)
            else:
                self.hold(left)
        return self.kept

    def _halves(self, proposals: Sequence[Proposal]) -> None:
        middle = len(proposals) // 2
        self.hold(proposals[:middle])
        self.hold(proposals[middle:])

    def _after(self, proposals: Sequence[Proposal]) -> RunResult | None:
        """What the analysis says with these made as well; None where they cannot be made together."""
        by_path: dict[str, list[Edit]] = defaultdict(list)
        for proposal in (*self.kept, *proposals):
            for edit in proposal.fix.edits:
                by_path[edit.span.path].append(edit)
        overlay = dict(self.below)
        try:
            for path, edits in by_path.items():
                text = apply(self.base.sources[path], edits)
                if not _parses(path, text):
                    return None
                overlay[os.path.abspath(path)] = SourceFile(path, text)
        except (EditError, KeyError):
            return None
        self.tried = overlay
        return self.again(overlay)

    def _keep(self, proposals: Sequence[Proposal], after: RunResult) -> None:
        self.kept = [*self.kept, *proposals]
        self.overlay, self.result = self.tried, after


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
    moves = made[0].fix.kind == "move"
    return _mended(before, after, made) and not _wrong_prompts(before, after, moves=moves)


def _problems(result: RunResult) -> Counter[str]:
    return Counter(problem.path for problem in result.problems if not problem.minor)


def _good(before: RunResult, after: RunResult, made: Sequence[Proposal]) -> list[Proposal]:
    """Those whose finding is gone and whose prompt is as it should be, as far as the prompts tell."""
    lost, came = _changes(before, after, made)
    wrong = {key[3] for key in came} | _wrong_prompts(before, after, moves=made[0].fix.kind == "move")
    return [
        proposal for proposal in made if lost[_key(proposal.finding)] > 0 and _prompt(proposal.finding)[1] not in wrong
    ]


def _changes(before: RunResult, after: RunResult, made: Sequence[Proposal]) -> tuple[Counter[_Key], Counter[_Key]]:
    """How many findings of each key are gone, and how many have come."""
    # A sorted listing is still the listing of one deployment, a date is still one of a day: that much may be left.
    left = all(proposal.fix.kind != "move" for proposal in made)
    was = Counter(map(_key, before.findings))
    now = Counter(_key(each) for each in after.findings if not (left and _slow(each)))
    return was - now, now - was


def _mended(before: RunResult, after: RunResult, made: Sequence[Proposal]) -> bool:
    lost, came = _changes(before, after, made)
    wanted = Counter(_key(proposal.finding) for proposal in made)
    return not came and not wanted - lost


def _slow(finding: Finding) -> bool:
    """Is it an info of a value that changes once a day or more seldom?"""
    return finding.severity is Severity.INFO and finding.lifetime in _SLOW and not finding.code.startswith(ORDER)


def _wrong_prompts(before: RunResult, after: RunResult, *, moves: bool) -> set[str]:
    """Names of the prompts that no longer say the same, have a shorter stable prefix, have gone or come."""
    was, now = _by_name(before.layouts), _by_name(after.layouts)
    wrong = {name for _, _, name in was.keys() ^ now.keys()}
    same = same_text if moves else keeps_text
    for name in was.keys() & now.keys():
        pairs = list(zip(was[name], now[name], strict=False))
        fine = len(was[name]) == len(now[name]) and all(
            one.template == other.template
            or (
                same(one.template, other.template)
                and other.stable_prefix_tokens >= one.stable_prefix_tokens
                and not (moves and tied(*moved(one.template, other.template)))
            )
            for one, other in pairs
        )
        if not fine:
            wrong.add(name[2])
    return wrong


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
