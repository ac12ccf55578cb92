"""Which fixes to try for a finding, the best first."""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from prefixlint.fixes.file_text import file_moves
from prefixlint.fixes.places import value_places
from prefixlint.fixes.python_clock import coarsened
from prefixlint.fixes.python_lists import list_moves, marker_moves, role_of, statement_moves
from prefixlint.fixes.python_messages import SYSTEM_ARGUMENTS, new_message
from prefixlint.fixes.python_order import ordering
from prefixlint.fixes.python_text import string_host, string_moves
from prefixlint.fixes.python_tree import PythonTree
from prefixlint.fixes.python_ways import way
from prefixlint.model.notebooks import Notebook

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    import libcst as cst

    from prefixlint.fixes.hosts import Host
    from prefixlint.model.findings import Finding, Fix
    from prefixlint.model.sources import SourceFile
    from prefixlint.model.templates import Template

ORDER = ("PFX2",)
"""Families whose values come in no fixed order."""

UNSORTED = ("PFX204", "PFX206")
"""Of these, those whose values no sorting puts in order."""

UNMENDED = ("PFX207",)
"""Of these, those whose order is a decision about the prompt."""

CLOCK = "PFX101"
MARKER_ON_VOLATILE = "PFX401"

PLACE = ("PFX1", "PFX2")
"""Families whose values stand in the wrong place."""


_SHOWS_ITSELF = re.compile(r"[^=!<>]=\s*(?:![rsa])?(?::[^{}]*)?\}$")


@dataclass(frozen=True, slots=True)
class Known:
    """What a run knows of the files: their text by path, and the prompts in them.

    Trees are kept while a run is worked on: several findings of one file share one.
    """

    sources: Mapping[str, SourceFile]
    templates: tuple[Template, ...] = ()
    _trees: dict[str, PythonTree | None] = field(default_factory=dict, repr=False, compare=False)

    def tree(self, path: str) -> PythonTree | None:
        """The file as libcst reads it; ``None`` for a file that is no Python, or none that libcst reads."""
        if path not in self._trees:
            source = self.sources.get(path)
            self._trees[path] = None
            if source is not None and path.endswith(".py"):
                with contextlib.suppress(ValueError):
                    self._trees[path] = PythonTree(source)
        return self._trees[path]


def fixable(code: str) -> str:
    """What fixes the findings of a rule can have: "safe fixes", "unsafe fixes", both, or ""."""
    if code.startswith(ORDER):
        return "" if code in UNMENDED else "unsafe fixes" if code in UNSORTED else "safe and unsafe fixes"
    return "unsafe fixes" if code.startswith(PLACE) or code == MARKER_ON_VOLATILE else ""


def candidates(finding: Finding, known: Known) -> Iterator[Fix]:
    """Fixes that may mend the finding, the best first. Each is well-formed; none is yet known to mend anything.

    None for a value whose expression binds a name (``:=``) that what follows may read, or prints itself (``{now=}``).
    """
    source = known.sources.get(finding.span.path)
    if isinstance(source, Notebook):
        return  # a cell is a list of strings, one a line, and edits would have to keep it one
    slot = "" if source is None else source.text[source.offset(finding.span.start) : source.offset(finding.span.end)]
    if ":=" in (finding.expression or "") or _SHOWS_ITSELF.search(slot):
        return
    seen = set()
    for maker in _makers(finding):
        for fix in maker(finding, known):
            if fix.edits and fix.edits not in seen:
                seen.add(fix.edits)
                yield fix


def _makers(finding: Finding) -> Iterator[Callable[[Finding, Known], Iterable[Fix]]]:
    if finding.code.startswith(ORDER):
        yield _order
    if finding.code.startswith(PLACE):
        yield _moves
    if finding.code == CLOCK:
        yield _coarsened
    if finding.code == MARKER_ON_VOLATILE:
        yield _marker


def _order(finding: Finding, known: Known) -> Iterator[Fix]:
    spans = (finding.span, *(related.span for related in finding.related))
    for path in dict.fromkeys(span.path for span in spans):
        tree = known.tree(path)
        if tree is not None:
            yield from ordering(tree, [span for span in spans if span.path == path and span != spans[-1]])


def _moves(finding: Finding, known: Known) -> Iterator[Fix]:
    path = finding.span.path
    source, tree = known.sources.get(path), known.tree(path)
    if source is None:
        return
    if not path.endswith(".py"):
        yield from file_moves(finding, source, known.templates)
        return
    if tree is None:
        return

    rank = float(finding.lifetime.rank) if finding.lifetime and finding.lifetime.known else 0.0
    place = source.offset(finding.span.start), source.offset(finding.span.end)
    yield from _python_moves(tree, value_places(source, known.templates), place, rank)


def _python_moves(
    tree: PythonTree, places: dict[tuple[int, int], float], place: tuple[int, int], rank: float
) -> Iterator[Fix]:
    """Moves within each string and list that the value at ``place`` is put into, then out of the first string."""
    import libcst as cst

    start, end = place
    written: tuple[Host, cst.BaseExpression, int] | None = None
    later: list[Fix] = []
    for container, item in way(tree, tree.innermost(start, end)):
        low, high = tree.place(item)
        low, high = (start, end) if low <= start and end <= high else (low, high)
        if isinstance(container, cst.List):
            yield from list_moves(tree, container, item)
            if written is not None and isinstance(item, cst.Element) and role_of(item.value):
                later += new_message(tree, *written, container)
        elif isinstance(container, cst.Call | cst.AugAssign):
            yield from statement_moves(tree, container)
        elif isinstance(container, cst.Arg):
            messages = _beside(tree, container)
            if written is not None and messages is not None:
                later += new_message(tree, *written, messages)
        elif isinstance(container, cst.BaseExpression):
            host = string_host(tree, container, places)
            if host is not None:
                yield from string_moves(tree, host, low, high, rank)
                at = host.offset(low, high)
                if written is None and at is not None:
                    written = host, container, at
    yield from later


def _beside(tree: PythonTree, argument: cst.Arg) -> cst.BaseExpression | None:
    """The messages of the call whose system text the argument holds."""
    import libcst as cst

    call = tree.parent(argument)
    if argument.keyword is None or argument.keyword.value not in SYSTEM_ARGUMENTS or not isinstance(call, cst.Call):
        return None
    return next((arg.value for arg in call.args if arg.keyword and arg.keyword.value == "messages"), None)


def _coarsened(finding: Finding, known: Known) -> Iterator[Fix]:
    spans = (finding.span, *(related.span for related in finding.related[:-1]))
    for path in dict.fromkeys(span.path for span in spans):
        tree, source = known.tree(path), known.sources.get(path)
        if tree is not None and source is not None:
            own = [(source.offset(span.start), source.offset(span.end)) for span in spans if span.path == path]
            yield from coarsened(tree, own)


def _marker(finding: Finding, known: Known) -> Iterator[Fix]:
    tree, source = known.tree(finding.span.path), known.sources.get(finding.span.path)
    if tree is not None and source is not None:
        yield from marker_moves(tree, source.offset(finding.span.start), source.offset(finding.span.end))
