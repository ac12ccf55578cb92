"""One document as it is in the editor, analysed."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from prefixlint.config import Config, ConfigError, find_file, load
from prefixlint.discover import walk
from prefixlint.discover.projects import OWN_FILE, PROJECT_FILE
from prefixlint.model.findings import Finding, Severity
from prefixlint.run import RunResult, Stages, run

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from prefixlint.model.sources import SourceFile
    from prefixlint.server.settings import Settings

CONFIG_FILES = (OWN_FILE, PROJECT_FILE)


@dataclass(frozen=True, slots=True)
class Analysis:
    """``findings`` are those to show. ``trouble`` says what is wrong with the configuration in ``config_file``.

    Nothing else is known of a document then, or of one that the configuration leaves out. ``unsaved`` are the other
    documents that were open.
    """

    source: SourceFile
    version: int
    result: RunResult = field(default_factory=RunResult)
    findings: tuple[Finding, ...] = ()
    config: Config = field(default_factory=lambda: Config(""))
    config_file: str = ""
    trouble: str = ""
    unsaved: tuple[SourceFile, ...] = ()

    def text(self, path: str) -> SourceFile | None:
        """The text that places in ``path`` are of."""
        return self.source if path == self.source.path else self.result.sources.get(path)

    def again(self, overlay: Mapping[str, SourceFile]) -> RunResult:
        """The same with other texts for some files, by absolute path."""
        return _run(self.source, self.config, (*self.unsaved, *overlay.values()))


def analyse(
    source: SourceFile, version: int, root: str, settings: Settings, unsaved: Sequence[SourceFile] = ()
) -> Analysis:
    """What is found in ``source``, whose path is absolute; ``unsaved`` are the other documents that are open.

    ``root`` is the workspace folder, which stands for the working directory of the command line.
    """
    if not Stages().file_wanted(source.path):
        return Analysis(source, version)
    file = ""
    try:
        file = config_file(source.path, root, settings) or ""
        config = _config(file, root, settings)
        if left_out(source.path, config):
            return Analysis(source, version, config_file=file)
        result = _run(source, config, unsaved)
    except ConfigError as error:
        return Analysis(source, version, config_file=file, trouble=str(error))
    wanted = config.show_info if settings.show_info is None else settings.show_info
    shown = result.at_least(Severity.INFO if wanted else Severity.WARNING)
    return Analysis(source, version, result, shown, config, file, unsaved=tuple(unsaved))


def _run(source: SourceFile, config: Config, unsaved: Sequence[SourceFile]) -> RunResult:
    # The text is handed over decoded: whatever its coding comment says, the editor has read it already.
    return run([], config, stdin=(source.path, b""), unsaved=(source, *unsaved))


def config_file(path: str, root: str, settings: Settings) -> str | None:
    """The configuration that holds for the file ``path``. Raises ``ConfigError``."""
    if settings.config:
        return os.path.join(root, os.path.expanduser(settings.config))
    return find_file(path)


def _config(file: str, root: str, settings: Settings) -> Config:
    config = load(root, file) if file else Config(root)
    return replace(config, targets=settings.target) if settings.target else config


def left_out(path: str, config: Config) -> bool:
    """Would a walk through the project pass the file over?"""
    return walk.left_out(path, walk.Rules(config.root, config.exclude, config.include))
