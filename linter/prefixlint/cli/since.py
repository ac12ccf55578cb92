"""``check --diff-base``: what is new since a git revision."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from prefixlint.cli import options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prefixlint.config import Config
    from prefixlint.ratchet.changes import Change
    from prefixlint.ratchet.lock import Locked
    from prefixlint.ratchet.prefixes import State
    from prefixlint.ratchet.scope import Scope
    from prefixlint.run import RunResult


@dataclass(frozen=True, slots=True)
class News:
    """``result`` has the new findings alone, ``known`` counts the others; ``changes`` are those of the prefixes."""

    result: RunResult
    known: int
    changes: tuple[Change, ...]


def news_since(revision: str, result: RunResult, config: Config, paths: Sequence[str]) -> News:
    """What is new since ``revision``.

    The earlier files are analysed with today's configuration: a rule that was switched on since finds no news in old
    code. Ends the run with status 2 when the revision cannot be read or a path is outside of the work tree.
    """
    import tempfile

    from prefixlint.ratchet.baseline import Entry, compare, named
    from prefixlint.ratchet.lock import locked
    from prefixlint.ratchet.revision import RevisionError, lay_out, top_of
    from prefixlint.ratchet.scope import Scope
    from prefixlint.run import RunResult, Stages, run
    from prefixlint.run.registry import moved

    stages = Stages()
    given = tuple(os.path.realpath(path) for path in paths) or (os.path.realpath("."),)
    try:
        top = top_of(given[0] if os.path.isdir(given[0]) else os.path.dirname(given[0]))
        inside = [_within(path, top) for path in given]
        # Its own links resolved, so that a path in it and one from the working directory are told apart by name alone.
        with tempfile.TemporaryDirectory(prefix="prefixlint-") as made:
            folder = os.path.realpath(made)
            lay_out(top, revision, folder, stages.file_wanted)
            places = [os.path.normpath(os.path.join(folder, each)) for each in inside]
            there = [path for path in places if os.path.exists(path)]
            root = os.path.join(folder, os.path.relpath(os.path.realpath(config.root), top))
            earlier = run(there, moved(config, os.path.normpath(root), folder)) if there else RunResult()
            then = Scope(folder, tuple(there))
            entries = [Entry(each) for each in named(earlier.findings, earlier, then)]
            before = [locked(each) for each in _states(earlier, then, config)]
    except RevisionError as error:
        raise options.fail(str(error)) from None
    if earlier.crashes:
        click.echo(f"prefixlint: internal errors on {revision}: old findings may be shown as new", err=True)
    now = Scope(top, given)
    compared = compare(result, entries, now, lambda code: True)
    return News(replace(result, findings=compared.new), compared.known, _changes(before, result, now, config))


def _changes(before: Sequence[Locked], result: RunResult, scope: Scope, config: Config) -> tuple[Change, ...]:
    """What became of the prefixes, with paths as the run names them."""
    from prefixlint.ratchet.changes import compare

    unsure = scope.unsure(result)
    settled = [each for each in before if each.path not in unsure]
    changes = compare(settled, _states(result, scope, config), scope.covers, scope.gone)
    return tuple(replace(each, path=os.path.relpath(scope.place(each.path)).replace(os.sep, "/")) for each in changes)


def _states(result: RunResult, scope: Scope, config: Config) -> list[State]:
    """Each template of the files that were asked for, for the first of its targets."""
    from prefixlint.ratchet.lock import anchored
    from prefixlint.ratchet.prefixes import state_of

    states = (state_of([each], each.template.span.path) for each in result.layouts)
    anchored_states = (anchored(state, scope.name, config.root) for state in states)
    return [state for state in anchored_states if scope.covers(state.path)]


def _within(path: str, top: str) -> str:
    """``path`` relative to the top folder. Ends the run with status 2 for one outside of it."""
    if path != top and not path.startswith(top.rstrip(os.sep) + os.sep):
        raise options.fail(f"{path} is not in the git work tree {top}, so --diff-base cannot say what is new in it")
    return os.path.relpath(path, top)
