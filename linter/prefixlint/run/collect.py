"""From paths to templates: finds, reads and decodes the files, and runs the front ends over them."""

from __future__ import annotations

import os
import traceback
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from prefixlint.discover.projects import project_of
from prefixlint.discover.read import Contents, read_bytes, read_source
from prefixlint.discover.walk import Rules, find
from prefixlint.model.sources import Position, SourceFile
from prefixlint.model.templates import Extraction, Problem
from prefixlint.run.result import Crash
from prefixlint.run.stored import analysed
from prefixlint.run.triage import MARK, Triage, is_python

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from prefixlint.cache.store import Store
    from prefixlint.config import Config
    from prefixlint.discover.walk import Found
    from prefixlint.model.code import CodeFact
    from prefixlint.model.templates import Template
    from prefixlint.run.stages import Progress, Read, Stages

T = TypeVar("T")


@dataclass(slots=True)
class Collected:
    """What the front ends made of the files. Filled while reading, and not changed afterwards.

    ``taken`` are the files that were looked at for themselves, ``marked`` all that mention a suppression. ``facts`` are
    those of code that measures. ``named`` are all files that the arguments name or hold, absolute. ``of_files`` are the
    templates that prompt files make by themselves.
    """

    files: int = 0
    extractions: dict[str, Extraction] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    crashes: list[Crash] = field(default_factory=list)
    path_errors: list[str] = field(default_factory=list)
    sources: dict[str, SourceFile] = field(default_factory=dict)
    marked: set[str] = field(default_factory=set)
    taken: set[str] = field(default_factory=set)
    facts: list[CodeFact] = field(default_factory=list)
    named: set[str] = field(default_factory=set)
    of_files: list[Template] = field(default_factory=list)


def guarded(crashes: list[Crash], stage: str, where: str, call: Callable[[], T], path: str = "") -> T | None:
    """The call's result; ``None``, and the error noted, when it fails. What follows goes on.

    ``path`` is the file that stays unanalysed then.
    """
    try:
        return call()
    except Exception as error:
        crashes.append(crash_of(stage, where, error, path))
        return None


def crash_of(stage: str, where: str, error: Exception, path: str) -> Crash:
    return Crash(stage, where, f"{type(error).__name__}: {error}", path, "".join(traceback.format_exception(error)))


def collect(
    paths: Sequence[str],
    config: Config,
    stages: Stages,
    stdin: tuple[str, bytes] | None = None,
    progress: Progress | None = None,
    unsaved: Sequence[SourceFile] = (),
    store: Store | None = None,
    jobs: int = 1,
) -> Collected:
    """Reads what ``paths`` name, and with ``stdin`` (a file name and its bytes) that text instead of the file.

    ``unsaved`` are texts that stand for files, whether these are named or are imported or included. A long run of the
    Python front end is shared among ``jobs`` processes.
    """
    out = Collected()
    overlay = {os.path.abspath(source.path): source for source in unsaved}
    rules = Rules(config.root, config.exclude, config.include, config.force_exclude)
    found, errors = find(paths, rules, stages.file_wanted)
    out.path_errors.extend(str(error) for error in errors)
    out.files = len(found)
    out.named.update(os.path.abspath(file.path) for file in found)
    triage = Triage(out, stages, overlay, config.max_file_size)
    for number, file in enumerate(found):
        if progress is not None:
            progress("reading files", number, len(found))
        changed = overlay.get(os.path.abspath(file.path))
        contents = _contents(file, triage.limit(file.path), out) if changed is None else _encoded(changed)
        if contents is not None:
            guarded(out.crashes, "reading", file.path, partial(triage.take, file.path, contents), file.path)
    if stdin is not None:
        out.files += 1
        name, data = stdin
        out.named.add(os.path.abspath(name))
        if (changed := overlay.get(os.path.abspath(name))) is not None:
            data = _encoded(changed).data
        guarded(out.crashes, "reading", name, partial(triage.take, name, Contents(data, len(data))), name)
    named = [*paths, *([stdin[0]] if stdin else [])]
    read = _reader(
        (*triage.python, *triage.others),
        unsaved,
        read_roots(named, config.root, config.top),
        config.max_file_size,
        out,
    )
    if triage.python:
        if progress is not None:
            progress("following prompts through Python files", 0, len(triage.python))
        _python(triage.python, lambda files: analysed(files, read, triage.unread, stages, config, store, jobs), out)
    for notebook in triage.notebooks:
        if notebook.path in out.extractions:
            out.extractions[notebook.path] = notebook.placed(out.extractions[notebook.path])
    for source in triage.others:
        call = partial(stages.file_extract, source, read)
        extraction = guarded(out.crashes, "prompt file front end", source.path, call, source.path)
        if extraction is not None:
            out.of_files.extend(extraction.templates)
            # What Python makes of a file's text stands there as well.
            _merge(out.extractions, {source.path: extraction})
    for extraction in out.extractions.values():
        out.problems.extend(extraction.problems)
    return out


def _encoded(source: SourceFile) -> Contents:
    data = source.text.encode("utf-8", "surrogatepass")
    return Contents(data, len(data))


def _contents(file: Found, limit: int, out: Collected) -> Contents | None:
    contents = read_bytes(file.path, limit)
    if isinstance(contents, Contents):
        return contents
    # A file that cannot be read may hold a prompt when it is Python or was asked for; a data file just may not. One
    # that vanished since it was found is no file of the project any more.
    if file.explicit or (is_python(file.path) and os.path.lexists(file.path)):
        out.problems.append(Problem(file.path, Position(1, 1), contents))
    return None


def _reader(
    files: Iterable[SourceFile], unsaved: Iterable[SourceFile], roots: Sequence[str], limit: int, out: Collected
) -> Read:
    """What front ends read other files with: a module that an import asks for, an included template.

    It gives ``None`` for what is not there, is not text, or lies outside the roots (by a link, say). A file that is
    ``unsaved`` need not be there.
    """
    known: dict[str, SourceFile | None] = {os.path.abspath(file.path): file for file in files}
    edited = {os.path.abspath(file.path): file for file in unsaved}

    def read(path: str) -> SourceFile | None:
        key = os.path.abspath(path)
        if key not in known:
            known[key] = source = edited.get(key) or from_disk(key, path)
            if source is not None:
                out.sources.setdefault(source.path, source)
                if MARK.decode() in source.text:
                    out.marked.add(source.path)
        return known[key]

    def from_disk(key: str, path: str) -> SourceFile | None:
        if not os.path.isfile(key) or not _within(os.path.realpath(key), roots):
            return None
        source = read_source(path.replace(os.sep, "/"), limit)
        return source if isinstance(source, SourceFile) else None

    return read


def _within(path: str, roots: Iterable[str]) -> bool:
    return any(path == root or path.startswith(root.rstrip(os.sep) + os.sep) for root in roots)


def _python(
    files: list[SourceFile], analyse: Callable[[list[SourceFile]], Mapping[str, Extraction]], out: Collected
) -> None:
    """Analyses all files at once; where a fault of ours ends that, halves them until it is known which one it is."""
    try:
        found = analyse(files)
        _merge(out.extractions, found)
        for path, extraction in found.items():
            for fault in extraction.faults:
                out.crashes.append(Crash("Python front end", fault.where, fault.error, path, fault.traceback))
    except Exception as error:
        if len(files) == 1:
            out.crashes.append(crash_of("Python front end", files[0].path, error, files[0].path))
            return
        middle = len(files) // 2
        _python(files[:middle], analyse, out)
        _python(files[middle:], analyse, out)


def _merge(extractions: dict[str, Extraction], found: Mapping[str, Extraction]) -> None:
    """Adds what the analysis of some files found, also in modules they import, to what others found there."""
    for path, extraction in found.items():
        old = extractions.get(path, Extraction())
        extractions[path] = Extraction(
            tuple(dict.fromkeys((*old.templates, *extraction.templates))),
            tuple(dict.fromkeys((*old.problems, *extraction.problems))),
            tuple(dict.fromkeys((*old.faults, *extraction.faults))),
        )


def read_roots(paths: Sequence[str], root: str, top: str = "") -> tuple[str, ...]:
    """Folders within which front ends may read, absolute and without links.

    For each argument its folder, the one above the topmost package that holds it, and its project's folder (``top``
    where that is known); then the folder of the configuration and the working directory.
    """
    out = []
    for path in (*paths, root, os.getcwd()):
        folder = os.path.abspath(path if os.path.isdir(path) else os.path.dirname(path))
        project = top or project_of(folder)
        while os.path.isfile(os.path.join(folder, "__init__.py")) and os.path.dirname(folder) != folder:
            folder = os.path.dirname(folder)
        out += [os.path.realpath(each) for each in (folder, project) if each is not None]
    return tuple(dict.fromkeys(out))
