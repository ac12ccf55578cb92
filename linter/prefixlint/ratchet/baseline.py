"""A baseline: the findings that are known, so that only new ones are reported."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from prefixlint.ratchet.identity import Identity, identities
from prefixlint.ratchet.records import Kind, escape, parse, unescape, write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Final

    from prefixlint.model.findings import Finding
    from prefixlint.ratchet.scope import Scope
    from prefixlint.run.result import RunResult

BASELINE: Final = Kind(
    "baseline",
    ("Findings listed here are known and not reported. A line for each: file, template, rule, value.",),
    4,
    "prefixlint check --write-baseline",
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A known finding and the line of the baseline that lists it; its path is relative to the baseline's folder."""

    identity: Identity
    line: int = 0


@dataclass(frozen=True, slots=True)
class Compared:
    """``new`` are the findings that the baseline does not list, ``known`` counts those that it does.

    ``unneeded`` are entries without a finding, of files that were looked at and rules that ran.
    """

    new: tuple[Finding, ...]
    known: int
    unneeded: tuple[Entry, ...]


def read(text: str, where: str) -> tuple[Entry, ...]:
    """The entries of a baseline. Raises ``RecordError``."""
    return tuple(Entry(Identity(*map(unescape, record.fields)), record.line) for record in parse(BASELINE, text, where))


def render(found: Iterable[Identity]) -> str:
    """The baseline with these findings, sorted; one that is there twice is listed twice."""
    rows = ((item.path, item.template, item.code, item.text) for item in sorted(found))
    return write(BASELINE, (tuple(map(escape, row)) for row in rows))


def named(findings: Iterable[Finding], result: RunResult, scope: Scope) -> tuple[Identity, ...]:
    """The identity of each finding, its path as the baseline has it."""
    return tuple(replace(item, path=scope.name(item.path)) for item in identities(findings, result.templates))


def renewed(old: Iterable[Entry], findings: Iterable[Finding], result: RunResult, scope: Scope) -> str:
    """The baseline with ``findings``, and of the ``old`` one what the run did not look at."""
    kept = [entry.identity for entry in old if not scope.covers(entry.identity.path)]
    outside = [each for each in kept if not scope.gone(each.path)]
    found = [item for item in named(findings, result, scope) if scope.covers(item.path)]
    # A finding outside of what was asked for (in a module that is imported) may be listed already.
    others = [item for item in named(findings, result, scope) if not scope.covers(item.path)]
    for item in outside:
        if item in others:
            others.remove(item)
    return render([*found, *outside, *others])


def compare(result: RunResult, entries: Sequence[Entry], scope: Scope, ran: Callable[[str], bool]) -> Compared:
    """Sets the run's findings against the ``entries``; each entry answers for one finding.

    A template that was renamed in its file, and one whose file was moved, are followed where the old name is gone.
    ``ran`` says of a code whether its rule ran.
    """
    found = named(result.findings, result, scope)
    here: dict[str, set[str]] = {}
    for template in result.templates:
        here.setdefault(scope.name(template.span.path), set()).add(template.name)
    pool = _Pool(result.findings, found, entries)
    pool.pair(lambda item: item)
    pool.pair(
        lambda item: replace(item, template=""),
        lambda entry: entry.identity.template not in here.get(entry.identity.path, ()),
    )
    pool.pair(lambda item: replace(item, path=""), lambda entry: scope.gone(entry.identity.path))
    unsure = scope.unsure(result)

    def judged(entry: Entry) -> bool:
        path = entry.identity.path
        return not result.crashes and scope.covers(path) and path not in unsure and ran(entry.identity.code)

    return Compared(
        new=tuple(finding for finding, open_ in zip(result.findings, pool.open, strict=True) if open_),
        known=pool.open.count(False),
        unneeded=tuple(entry for entry in pool.left if judged(entry)),
    )


class _Pool:
    """Findings and entries that have not found each other yet."""

    def __init__(self, findings: Sequence[Finding], found: Sequence[Identity], entries: Sequence[Entry]) -> None:
        self._found = found
        self.open = [True] * len(findings)
        self.left = list(entries)

    def pair(self, key: Callable[[Identity], Identity], allowed: Callable[[Entry], bool] = lambda entry: True) -> None:
        """Takes out what is alike under ``key``, in order."""
        if not self.left or not any(self.open):
            return
        offers: dict[Identity, list[Entry]] = {}
        for entry in reversed(self.left):
            if allowed(entry):
                offers.setdefault(key(entry.identity), []).append(entry)
        taken = set()
        for number, item in enumerate(self._found):
            if self.open[number] and (offer := offers.get(key(item))):
                self.open[number] = False
                taken.add(id(offer.pop()))
        self.left = [entry for entry in self.left if id(entry) not in taken]
