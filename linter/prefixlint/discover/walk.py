"""Finds the files to look at: git-aware, without following links, explicit arguments always taken."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prefixlint.discover import git, globs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Final

# Folders without source of the project's own (version control, environments, caches, build results, others' code), and
# tests: the prompts in them are not served, and the made-up arguments there say nothing of how prompts are filled.
DEFAULT_EXCLUDE: Final = (
    ".bzr",
    ".direnv",
    ".eggs",
    ".git",
    ".hg",
    ".ipynb_checkpoints",
    ".mypy_cache",
    ".nox",
    ".pants.d",
    ".pytest_cache",
    ".pytype",
    ".ruff_cache",
    ".svn",
    ".tox",
    ".venv",
    ".vscode",
    "*.egg-info",
    "__pycache__",
    "__pypackages__",
    "_build",
    "_vendor",
    "buck-out",
    "build",
    "conftest.py",
    "dist",
    "node_modules",
    "site-packages",
    "test",
    "test_*.py",
    "tests",
    "*_test.py",
    "third_party",
    "vendor",
    "venv",
)


class PathError(ValueError):
    """A path argument that cannot be used."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What the walk leaves out. ``root`` (absolute) is the folder that ``exclude`` and ``include`` paths start from.

    ``include``, unless empty, limits the walk to files that match. ``named_too``: both hold for files that are named
    as arguments as well, for tools that name each changed file.
    """

    root: str
    exclude: tuple[str, ...] = DEFAULT_EXCLUDE
    include: tuple[str, ...] = ()
    named_too: bool = False

    def leaves_out(self, file: str) -> bool:
        """True for a file that a walk from ``root`` would not come to."""
        name = relative(file, self.root)
        return globs.matches(name, self.exclude) or bool(self.include and not globs.matches(name, self.include))


@dataclass(frozen=True, slots=True)
class Found:
    """A file to look at: ``path`` as the user named it, with forward slashes; ``explicit`` for an argument itself."""

    path: str
    explicit: bool = False


def _shown(path: str) -> str:
    """``path`` with forward slashes and without a leading ``./``."""
    text = path.replace(os.sep, "/")
    while text.startswith("./"):
        text = text[2:].lstrip("/")
    return text


def relative(path: str, root: str) -> str:
    """``path`` as seen from ``root`` with forward slashes; unchanged when it is on another drive."""
    try:
        return os.path.relpath(os.path.abspath(path), root).replace(os.sep, "/")
    except ValueError:
        return path.replace(os.sep, "/")


def _own_walk(folder: str, leave_out: Callable[[str], bool]) -> Iterator[str]:
    """Files below ``folder``, relative to it. Links are not followed; a folder that cannot be read is passed over."""
    pending = [""]
    while pending:
        below = pending.pop()
        try:
            with os.scandir(os.path.join(folder, below) if below else folder) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            continue
        inner = []
        for entry in found:
            name = f"{below}/{entry.name}" if below else entry.name
            if entry.is_dir(follow_symlinks=False):
                if not leave_out(name):
                    inner.append(name)
            elif entry.is_file(follow_symlinks=False) and not leave_out(name):
                yield name
        pending.extend(reversed(inner))


def _git_walk(folder: str, names: list[str], leave_out: Callable[[str], bool]) -> Iterator[str]:
    for name in names:
        name = name.rstrip("/")
        if leave_out(name):
            continue
        full = os.path.join(folder, name)
        try:
            mode = os.lstat(full).st_mode
        except OSError:
            continue  # deleted in the work tree, still in the index
        if stat.S_ISREG(mode):
            # A folder on the way may be a link where the index and the work tree differ.
            yield name
        elif stat.S_ISDIR(mode):
            for inner in _walk(full, lambda below, outer=name: leave_out(f"{outer}/{below}")):  # type: ignore[misc]
                yield f"{name}/{inner}"


def _walk(folder: str, leave_out: Callable[[str], bool]) -> Iterator[str]:
    names = git.listed(folder)
    return _own_walk(folder, leave_out) if names is None else _git_walk(folder, names, leave_out)


def _below(argument: str, rules: Rules) -> Iterator[str]:
    base = relative(argument, rules.root)
    prefix = "" if base == "." else base + "/"
    # A folder named on the command line is wanted, even ``build``: patterns count from it downwards. Patterns with a
    # slash see the path from the configuration's folder as well.
    anchored = tuple(pattern for pattern in rules.exclude if "/" in pattern.rstrip("/"))

    def leave_out(name: str) -> bool:
        return globs.matches(name, rules.exclude) or globs.matches(prefix + name, anchored)

    for name in _walk(argument, leave_out):
        if not rules.include or globs.matches(prefix + name, rules.include):
            yield name


def left_out(path: str, rules: Rules) -> bool:
    """Would a walk from the folder ``rules.root`` pass this file over by its name? A file outside it is taken."""
    name = relative(path, rules.root)
    if name.startswith("../") or os.path.isabs(name):
        return False
    return globs.matches(name, rules.exclude) or bool(rules.include and not globs.matches(name, rules.include))


def find(
    arguments: Iterable[str], rules: Rules, wanted: Callable[[str], bool]
) -> tuple[tuple[Found, ...], tuple[PathError, ...]]:
    """Files under the arguments, each once, sorted by path; and the arguments that do not exist.

    ``wanted`` judges a file by its path alone. Files named as arguments are taken whatever is excluded or ignored,
    unless the rules say otherwise.
    Links met on the walk are not followed: what they point to within the tree is visited in its own place.
    """
    found: dict[str, Found] = {}
    errors: list[PathError] = []

    def add(path: str, explicit: bool) -> None:
        key = os.path.abspath(path)
        if key not in found or (explicit and not found[key].explicit):
            found[key] = Found(_shown(path), explicit)

    for argument in arguments:
        if not argument:
            errors.append(PathError("empty path"))
        elif os.path.isdir(argument):
            for name in _below(argument, rules):
                path = os.path.join(argument, name)
                if wanted(path):
                    add(path, False)
        elif os.path.lexists(argument):
            if wanted(argument) and not (rules.named_too and rules.leaves_out(argument)):
                add(argument, True)
        else:
            errors.append(PathError(f"no such file or folder: {argument}"))
    return tuple(sorted(found.values(), key=lambda file: file.path)), tuple(errors)
