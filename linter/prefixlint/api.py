"""The library: what programs, tests and rules of others import, and all that built-in rules may import.

Three functions analyse, without running or importing anything of what they read:

- ``check_paths`` and ``check_source`` give the findings, and with them the layouts they rest on;
- ``report`` gives the layouts alone: for each prompt its ``Layout`` with the ``Prediction`` of each target.

A ``RunResult`` is frozen, and so is all that hangs on it. Lines and columns count from 1, columns count characters,
token counts are of the whole request as the engine sees it::

    from prefixlint.api import Severity, check_paths

    result = check_paths(["src"], targets=["openai:gpt-4o"])
    for finding in result.at_least(Severity.WARNING):
        print(finding.span.path, finding.span.start.line, finding.message)
    for layout in result.layouts:
        print(layout.template.name, layout.stable_prefix_tokens, layout.predictions[0].cached_tokens)

The functions are not meant to be called from several threads at once: what a configuration says of a project's own
names holds for the process while one runs.

A rule derives from ``Rule`` or one of its kin, and is found through the entry-point group ``prefixlint.rules``; see
``Rule``.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.config.model import ConfigError
from prefixlint.markers import Marked, marked_blocks
from prefixlint.model.code import CodeFact
from prefixlint.model.findings import Edit, Finding, Fix, Related, Severity
from prefixlint.model.layouts import Breakpoint, Inversion, Layout, Placed, SharedPrefix, TemplateEffect
from prefixlint.model.lifetimes import Confidence, Hop, HopKind, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Choice, Drift, Repeat, Segment, Text, Value, walk
from prefixlint.model.sources import Position, SourceFile, Span
from prefixlint.model.targets import CacheModel, Prediction, Target
from prefixlint.model.templates import Block, Component, Problem, Template
from prefixlint.rulebase import (
    INSERTED_KINDS,
    TOOL_KINDS,
    CodeRule,
    EffectRule,
    InversionRule,
    LinterRule,
    Options,
    Rule,
    RuleOptions,
    configured,
    drift_finding,
    drifting,
    inversion_finding,
    late_system,
    option_names,
    rule_page,
    serialised,
    template_finding,
)
from prefixlint.run.result import Crash, RunResult
from prefixlint.sentences import CHANGES, quoted
from prefixlint.severity import at_confidence, confidence_of, counts, in_one_piece, severity_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from prefixlint.config import Config

__all__ = [
    "CHANGES",
    "INSERTED_KINDS",
    "TOOL_KINDS",
    "Block",
    "Breakpoint",
    "CacheModel",
    "Choice",
    "CodeFact",
    "CodeRule",
    "Component",
    "Confidence",
    "ConfigError",
    "Crash",
    "Drift",
    "Edit",
    "EffectRule",
    "Finding",
    "Fix",
    "Hop",
    "HopKind",
    "Inversion",
    "InversionRule",
    "Layout",
    "Lifetime",
    "LinterRule",
    "Marked",
    "Options",
    "Origin",
    "Placed",
    "Position",
    "Prediction",
    "Problem",
    "Related",
    "Repeat",
    "Rule",
    "RuleOptions",
    "RunResult",
    "Segment",
    "Severity",
    "SharedPrefix",
    "SourceFile",
    "SourceKind",
    "Span",
    "Target",
    "Template",
    "TemplateEffect",
    "Text",
    "Value",
    "at_confidence",
    "check_paths",
    "check_source",
    "confidence_of",
    "configured",
    "counts",
    "drift_finding",
    "drifting",
    "in_one_piece",
    "inversion_finding",
    "late_system",
    "marked_blocks",
    "option_names",
    "quoted",
    "report",
    "rule_page",
    "serialised",
    "severity_of",
    "template_finding",
    "walk",
]


def check_paths(
    paths: Iterable[str | os.PathLike[str]],
    *,
    config: str | os.PathLike[str] | None = None,
    targets: Sequence[str] = (),
    select: Sequence[str] | None = None,
    extend_select: Sequence[str] = (),
    ignore: Sequence[str] = (),
) -> RunResult:
    """What ``prefixlint check`` finds in the files under ``paths``.

    ``config`` names a pyproject.toml or prefixlint.toml; without one, the nearest above the first path counts.
    ``targets`` are engines or providers with or without a model ("vllm", "openai:gpt-4o"), instead of those of the
    configuration. ``select``, ``extend_select`` and ``ignore`` are codes or beginnings of codes, as on the command
    line. Findings of all severities are in the result.

    Raises ``FileNotFoundError`` for a path that does not exist and ``ConfigError`` for a configuration, code or target
    that cannot be used. A file that could not be analysed is among ``problems`` (and a finding, PFX901); an internal
    error that cost a part of the result is among ``crashes``.
    """
    named = _named(paths)
    return _run(named, _config(named[0], config, targets, select, extend_select, ignore), check=True)


def check_source(
    source: str | bytes,
    filename: str | os.PathLike[str],
    *,
    config: str | os.PathLike[str] | None = None,
    targets: Sequence[str] = (),
    select: Sequence[str] | None = None,
    extend_select: Sequence[str] = (),
    ignore: Sequence[str] = (),
) -> RunResult:
    """The same for one text, which stands for the file ``filename`` whether there is one or not.

    The name decides over the language (``.py``, ``.yaml``, ``.jinja``, …), the configuration, and where imports and
    included templates are looked for. Raises ``ConfigError``.
    """
    name = os.fspath(filename)
    data = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
    chosen = _config(name, config, targets, select, extend_select, ignore)
    return _run([], chosen, check=True, stdin=(name.replace(os.sep, "/"), data))


def report(
    paths: Iterable[str | os.PathLike[str]],
    *,
    config: str | os.PathLike[str] | None = None,
    targets: Sequence[str] = (),
) -> RunResult:
    """What ``prefixlint report`` shows: ``layouts`` with one entry for each prompt. No rules run.

    Arguments and errors are those of ``check_paths``.
    """
    named = _named(paths)
    return _run(named, _config(named[0], config, targets), check=False)


def _named(paths: Iterable[str | os.PathLike[str]]) -> list[str]:
    if isinstance(paths, str | os.PathLike):
        raise TypeError("paths are a list of paths, not one path")
    named = [os.fspath(path) for path in paths]
    if not named:
        raise ValueError("no path given")
    return named


def _config(
    first: str,
    file: str | os.PathLike[str] | None,
    targets: Sequence[str],
    select: Sequence[str] | None = None,
    extend_select: Sequence[str] = (),
    ignore: Sequence[str] = (),
) -> Config:
    from prefixlint.config import Selection, load

    config = load(first, os.fspath(file) if file is not None else None)
    layer = Selection(_codes(select) if select is not None else None, _codes(extend_select), _codes(ignore))
    if layer != Selection():
        config = replace(config, selections=(*config.selections, layer))
    return replace(config, targets=tuple(targets)) if targets else config


def _codes(codes: Sequence[str]) -> tuple[str, ...]:
    return tuple(code.upper() for code in ([codes] if isinstance(codes, str) else codes))


def _run(paths: Sequence[str], config: Config, *, check: bool, stdin: tuple[str, bytes] | None = None) -> RunResult:
    from prefixlint.run import run

    result = run(paths, config, stdin=stdin, check=check)
    if result.path_errors:
        raise FileNotFoundError("; ".join(result.path_errors))
    return result
