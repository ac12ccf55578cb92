"""``check --diff-base``: what is new since a git revision."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from prefixlint.cli import options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prefixlint.config import Config
    from prefixlint.run import RunResult


def new_since(revision: str, result: RunResult, config: Config, paths: Sequence[str]) -> tuple[RunResult, int]:
    """The result without what was there at ``revision`` already, and how much that is.

    The earlier files are analysed with today's configuration: a rule that was switched on since finds no news in old
    code. Ends the run with status 2 when the revision cannot be read or a path is outside of the work tree.
    """
    import tempfile

    from prefixlint.ratchet.baseline import Entry, compare, named
    from prefixlint.ratchet.revision import RevisionError, lay_out, top_of
    from prefixlint.ratchet.scope import Scope
    from prefixlint.run import Stages, run

    stages = Stages()
    given = tuple(os.path.realpath(path) for path in paths) or (os.path.realpath("."),)
    try:
        top = top_of(given[0] if os.path.isdir(given[0]) else os.path.dirname(given[0]))
        inside = [_within(path, top) for path in given]
        # Its own links resolved, so that a path in it and one from the working directory are told apart by name alone.
        with tempfile.TemporaryDirectory(prefix="prefixlint-") as made:
            folder = os.path.realpath(made)
            lay_out(top, revision, folder, lambda path: path.endswith(".py") or stages.file_wanted(path))
            there = [path for path in (os.path.join(folder, each) for each in inside) if os.path.exists(path)]
            root = os.path.join(folder, os.path.relpath(os.path.realpath(config.root), top))
            earlier = run(there, replace(config, root=os.path.normpath(root))) if there else None
            then = Scope(folder, (folder,))
            entries = [Entry(each) for each in named(earlier.findings, earlier, then)] if earlier else []
    except RevisionError as error:
        raise options.fail(str(error)) from None
    if earlier is not None and earlier.crashes:
        click.echo(f"prefixlint: internal errors on {revision}: old findings may be shown as new", err=True)
    compared = compare(result, entries, Scope(top, given), lambda code: True)
    return replace(result, findings=compared.new), compared.known


def _within(path: str, top: str) -> str:
    """``path`` relative to the top folder. Ends the run with status 2 for one outside of it."""
    if path != top and not path.startswith(top.rstrip(os.sep) + os.sep):
        raise options.fail(f"{path} is not in the git work tree {top}, so --diff-base cannot say what is new in it")
    return os.path.relpath(path, top)
