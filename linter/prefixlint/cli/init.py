"""``prefixlint init``."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import click

from prefixlint.cli import options, shared_files

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from prefixlint.cli.init_files import Source
    from prefixlint.run import RunResult

_SHOWN: Final = 5
"""Prompts of the first report."""


@dataclass(frozen=True, slots=True)
class _Step:
    """A file, and its text before ("" where there is none) and after; the same where nothing is to be done."""

    path: str
    old: str
    new: str
    done: str


@click.command()
@click.option("--yes", "-y", is_flag=True, help="Write without asking.")
@click.option("--no-pre-commit", is_flag=True, help="Leave .pre-commit-config.yaml alone.")
@options.target_option
def init(yes: bool, no_pre_commit: bool, targets: tuple[str, ...]) -> int:
    """Write a configuration and a pre-commit hook for the project in this folder, and show the first report.

    Adds [tool.prefixlint] to pyproject.toml, or writes prefixlint.toml where there is none, and adds a hook to
    .pre-commit-config.yaml. Shows what it will add and asks; what is there already stays as it is. Exit status: 0,
    1 not wanted, 2 a file that cannot be added to, 4 internal error.
    """
    steps = [_configuration(targets)]
    if not no_pre_commit:
        steps.append(_hook())
    wanted = [step for step in steps if step.new != step.old]
    options.emit("".join(f"{step.path}: {step.done}\n" for step in steps if step.new == step.old))
    for step in wanted:
        options.emit(_difference(step))
    if wanted and not yes and not _agreed():
        return 1
    for step in wanted:
        shared_files.write(step.path, step.new)
    options.emit("".join(f"Wrote {step.path}\n" for step in wanted) + "\n")
    return _first_report(hooked=not no_pre_commit)


def _agreed() -> bool:
    import sys

    if not sys.stdin.isatty():
        click.echo("prefixlint: nothing is written without a terminal to ask on; --yes writes", err=True)
        return False
    return click.confirm("Write this?", default=True)


def _configuration(targets: Sequence[str]) -> _Step:
    from prefixlint.cli import init_files
    from prefixlint.config import ConfigError, find_file
    from prefixlint.discover.projects import OWN_FILE, PROJECT_FILE
    from prefixlint.run import Stages

    for target in targets:
        try:
            Stages().load_target(target, {})
        except (ValueError, LookupError) as error:
            raise options.fail(f"--target: {error.args[0]}") from None
    try:
        there = find_file(".")
    except ConfigError as error:
        raise options.fail(str(error)) from None
    if there is not None:
        path = os.path.relpath(there)
        return _Step(path, "", "", "has a configuration already")
    path = PROJECT_FILE if os.path.exists(PROJECT_FILE) else OWN_FILE
    return _edited(
        path,
        (lambda text: init_files.with_table(text, targets)) if path == PROJECT_FILE else None,
        init_files.settings(targets),
    )


def _hook() -> _Step:
    from prefixlint.cli import init_files
    from prefixlint.discover import git

    answer = git.call(".", "rev-parse", "--show-toplevel")
    top = os.fsdecode(answer.stdout.rstrip(b"\r\n")) if answer is not None and answer.returncode == 0 else "."
    path = os.path.relpath(os.path.join(top, ".pre-commit-config.yaml"))

    def edit(text: str) -> str:
        return text if init_files.has_hook(text) else init_files.with_hook(text, _source())

    step = _edited(path, edit, init_files.with_hook("", _source()))
    return replace(step, done="has the hook already")


def _source() -> Source:
    """The repository that this prefixlint was installed from, as its installer noted (PEP 610)."""
    from importlib import metadata

    from prefixlint.cli.init_files import Source

    try:
        noted = metadata.distribution("prefixlint").read_text("direct_url.json")
        origin = json.loads(noted) if noted else {}
        version = origin["vcs_info"]
        return Source(origin["url"], version.get("requested_revision") or version["commit_id"])
    except (metadata.PackageNotFoundError, ValueError, KeyError, TypeError):
        return Source()


def _edited(path: str, edit: Callable[[str], str] | None, fresh: str) -> _Step:
    """``edit`` of the file, line ends kept; ``fresh`` where there is none. Ends the run with status 2."""
    from prefixlint.cli.init_files import CannotAdd

    text = shared_files.read(path, newline="")
    if text is None or edit is None:
        return _Step(path, "", fresh, "")
    crlf = "\r\n" in text and "\n" not in text.replace("\r\n", "")
    try:
        new = edit(text.replace("\r\n", "\n") if crlf else text)
    except CannotAdd as error:
        raise options.fail(f"{path}: {error}") from None
    return _Step(path, text, new.replace("\n", "\r\n") if crlf else new, "")


def _difference(step: _Step) -> str:
    from difflib import unified_diff

    from prefixlint.report.escape import plain

    old, new = step.old.splitlines(), step.new.splitlines()
    lines = unified_diff(old, new, step.path if step.old else os.devnull, step.path, lineterm="")
    return "".join(f"{plain(line)}\n" for line in lines) + "\n"


def _first_report(*, hooked: bool) -> int:
    from prefixlint.report import lines, table

    config = options.configuration((), None, None, ())
    result = options.execute((), config, None, check=True)
    style = options.style(None)
    worst = sorted(result.layouts, key=lambda each: (not each.history_stranded, -each.stranded_tokens))[:_SHOWN]
    more = len(result.layouts) - len(worst)
    first = replace(result, layouts=tuple(worst))
    options.emit(table.render(first, style, of=result) if worst else "No prompts found here yet.\n")
    if more:
        options.emit(f"These are the {_SHOWN} that strand most; prefixlint report shows all.\n")
    shown = result.at_least(config.fail_on)
    options.emit("\n" + lines.summary(result, shown) + "\n" + _next_steps(result, len(shown), hooked=hooked))
    return options.status_of(result, failed=False)


def _next_steps(result: RunResult, findings: int, *, hooked: bool) -> str:
    steps = []
    if findings:
        steps.append(("prefixlint check", "shows each finding in its place"))
        steps.append(("prefixlint check --write-baseline prefixlint-baseline.txt", "keeps what is there for later"))
    if hooked:
        steps.append(("pre-commit install", "checks each commit from now on"))
    if result.layouts:
        steps.append(("prefixlint lock", "records the stable prefixes"))
    if not steps:
        return ""
    wide = max(len(command) for command, _ in steps)
    return "Next:\n" + "".join(f"  {command:<{wide}}  {what}\n" for command, what in steps)
