"""discover -> front ends -> layouts -> rules -> suppression, with every failure kept to the place where it happens."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from prefixlint import suppress
from prefixlint.discover import globs, projects
from prefixlint.discover.walk import relative
from prefixlint.model.findings import Finding, Related, Severity
from prefixlint.model.lifetimes import Confidence, HopKind
from prefixlint.model.notebooks import Notebook
from prefixlint.model.sources import Position, Span
from prefixlint.model.templates import Problem
from prefixlint.run.collect import Collected, collect, guarded
from prefixlint.run.joined import without_loaded
from prefixlint.run.laid_out import LaidOut
from prefixlint.run.own import project_knowledge
from prefixlint.run.registry import chosen_rules, chosen_targets, default_targets
from prefixlint.run.result import RunResult
from prefixlint.run.stages import Stages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from prefixlint.cache.store import Store
    from prefixlint.config import Config
    from prefixlint.model.code import CodeFact
    from prefixlint.model.layouts import Layout
    from prefixlint.model.sources import SourceFile
    from prefixlint.model.targets import Target
    from prefixlint.model.templates import Template
    from prefixlint.rulebase import CodeRule, Rule
    from prefixlint.run.stages import Progress

NOT_ANALYSED = "PFX901"
SUPPRESSION = "PFX902"


def run(
    paths: Sequence[str],
    config: Config,
    *,
    stdin: tuple[str, bytes] | None = None,
    check: bool = True,
    stages: Stages | None = None,
    progress: Progress | None = None,
    unsaved: Sequence[SourceFile] = (),
    store: Store | None = None,
    jobs: int = 1,
) -> RunResult:
    """Analyses the files under ``paths``.

    ``stdin`` is a file name and the bytes that stand for it, ``unsaved`` are texts that stand for other files, whether
    these are named or are imported or included. ``check`` False lays the templates out and runs no rules.
    ``progress`` is told what is being done, how many are done and how many there are. ``store`` keeps what the Python
    front end finds, and gives it back while no file has changed. ``jobs`` are the processes that a long run of it is
    shared among.
    Raises ``ConfigError`` for a configuration that names unknown rules, options or targets; anything that goes wrong
    with a single file, template or rule is in the result.
    """
    projects.forget()
    stages = stages or Stages()
    if config.names_rules:
        chosen_rules(config, stages.rules())  # a wrong code is told before any work is done
    targets = chosen_targets(config, stages)
    with project_knowledge(config):
        collected = collect(paths, config, stages, stdin, progress, unsaved, store, jobs)
    templates = without_loaded(_templates(collected), collected.of_files)
    layouts = []
    laid_out = LaidOut(store, paths)
    for number, template in enumerate(templates):
        if progress is not None:
            progress("measuring templates", number, len(templates))
        call = partial(_layout, template, targets, config, stages, laid_out, collected.problems)
        layout = guarded(collected.crashes, "layout", template.id, call)
        if layout is not None:
            layouts.append(layout)
    laid_out.save()
    findings: tuple[Finding, ...] = ()
    suppressed = 0
    # A run that finds nothing to judge loads no rules: most runs of a hook are such.
    if check and (templates or collected.problems or collected.marked or collected.facts):
        rules = stages.rules()
        chosen = chosen_rules(config, rules)
        raw = [*_check(chosen, layouts, collected), *_problems(collected.problems, chosen)]
        unique = _unique(raw)
        heeded = _not_ignored(unique, config)
        kept = told_once(heeded)
        outcome = suppress.apply(
            kept,
            {path: collected.sources[path] for path in sorted(collected.marked)},
            known=[rule.code for rule in rules],
            active=[rule.code for rule in chosen],
            off=[rule.code for rule in rules if not rule.default or rule.preview],
            told=collected.taken,
            notice=_by_code(chosen, SUPPRESSION),
        )
        findings = tuple(sorted((*outcome.kept, *_not_ignored(outcome.notices, config)), key=_order))
        findings = tuple(_with_cell(finding, collected.sources.get(finding.span.path)) for finding in findings)
        suppressed = len(unique) - len(heeded) + len(kept) - len(outcome.kept)
    return RunResult(
        files=collected.files,
        templates=tuple(templates),
        layouts=tuple(layouts),
        findings=findings,
        problems=tuple(sorted(collected.problems, key=lambda problem: (problem.path, problem.position))),
        crashes=tuple(collected.crashes),
        path_errors=tuple(collected.path_errors),
        suppressed=suppressed,
        named=frozenset(collected.named),
        sources=MappingProxyType(collected.sources),
    )


def _templates(collected: Collected) -> list[Template]:
    found = [template for extraction in collected.extractions.values() for template in extraction.templates]
    return sorted(found, key=lambda template: (template.span, template.name))


def _layout(
    template: Template,
    targets: tuple[Target, ...],
    config: Config,
    stages: Stages,
    laid_out: LaidOut,
    problems: list[Problem],
) -> Layout | None:
    """The template's layout; ``None``, and a problem noted, for text that a tokenizer refuses."""
    from prefixlint.tokens.protocol import TokenizerError

    try:
        return laid_out.of(template, targets or default_targets(template, config, stages), stages.build)
    except TokenizerError as error:
        span = template.span
        problems.append(Problem(span.path, span.start, f"tokens cannot be counted: {error}; the prompt is not checked"))
        return None


def _check(rules: Iterable[Rule], layouts: Sequence[Layout], collected: Collected) -> list[Finding]:
    from prefixlint.rulebase import CodeRule

    findings: list[Finding] = []
    for rule in rules:
        for layout in layouts:
            found = guarded(collected.crashes, f"rule {rule.code}", layout.template.id, partial(_all, rule, layout))
            findings.extend(found or ())
        if isinstance(rule, CodeRule):
            for fact in collected.facts:
                found = guarded(collected.crashes, f"rule {rule.code}", fact.span.path, partial(_judged, rule, fact))
                findings.extend(found or ())
    return findings


def _with_cell(finding: Finding, source: SourceFile | None) -> Finding:
    """The finding, in a notebook with the cell and the line there: people see these, not the lines of the file."""
    place = source.cell_line(finding.span.start) if isinstance(source, Notebook) else None
    return (
        finding if place is None else replace(finding, message=f"cell {place[0]}, line {place[1]}: {finding.message}")
    )


def _judged(rule: CodeRule, fact: CodeFact) -> list[Finding]:
    return list(rule.judge(fact))


def _all(rule: Rule, layout: Layout) -> list[Finding]:
    return list(rule.check(layout))


def _by_code(rules: Iterable[Rule], code: str) -> Rule | None:
    return next((rule for rule in rules if rule.code == code), None)


def _problems(problems: Iterable[Problem], rules: Sequence[Rule]) -> list[Finding]:

    rule = _by_code(rules, NOT_ANALYSED)
    if rule is None:
        return []
    return [
        Finding(
            code=rule.code,
            name=rule.name,
            severity=Severity.INFO if problem.minor else Severity.WARNING,
            confidence=Confidence.CERTAIN,
            message=problem.message,
            span=Span(problem.path, problem.position, Position(problem.position.line, problem.position.column + 1)),
            url=rule.url,
        )
        for problem in problems
    ]


MOST_RELATED = 12


def _unique(findings: Iterable[Finding]) -> list[Finding]:
    """One finding for each code and place: the worst of them, where several templates share the text."""
    # Two problems at one place (the first line of a file) are two problems.
    return _worst(findings, lambda f: (f.code, f.span, "" if f.template else f.message))


_OF_VALUES = "PFX1"
"""How the codes begin of rules that tell what stands in front of stable content. They differ only in what it is."""


def told_once(findings: Iterable[Finding]) -> list[Finding]:
    """One finding for each value in front of stable content, where callers fill it in with different things: an id
    here, a question there. Moving it mends all of them."""
    return _worst(findings, lambda f: (_OF_VALUES if f.code.startswith(_OF_VALUES) else (f.code, f.message), f.span))


def _worst(findings: Iterable[Finding], about: Callable[[Finding], object]) -> list[Finding]:
    """The worst of the findings about the same, which names the related places of all of them."""
    best: dict[object, Finding] = {}
    for finding in findings:
        key = about(finding)
        other = best.get(key)
        if other is None:
            best[key] = finding
            continue
        worse, less = (finding, other) if _weight(finding) > _weight(other) else (other, finding)
        best[key] = replace(worse, related=_both(worse.related, less.related))
    return list(best.values())


def _both(first: Sequence[Related], second: Sequence[Related]) -> tuple[Related, ...]:
    """The related places of two findings about the same. Of too many, the last calls on the way to a request are left
    out first, then the last requests, then the last places where something was made: where it was put into which prompt
    says more."""
    places = list(dict.fromkeys((*first, *second)))
    for least in (_calls, _requests, _no_parts):
        some = [place for place in places if least(place)]
        left_out = set(some[max(0, len(some) + MOST_RELATED - len(places)) :])
        places = [place for place in places if place not in left_out]
    return tuple(places[:MOST_RELATED])


def _calls(place: Related) -> bool:
    return place.kind is HopKind.CALLED


def _requests(place: Related) -> bool:
    return place.kind is HopKind.SENT


def _no_parts(place: Related) -> bool:
    return place.kind is not HopKind.PART


def _weight(finding: Finding) -> tuple[int, int, bool, int]:
    return (finding.severity.rank, finding.confidence.rank, finding.history_stranded, finding.stranded_tokens)


def _not_ignored(findings: Iterable[Finding], config: Config) -> list[Finding]:
    if not config.per_file_ignores:
        return list(findings)
    return [
        finding
        for finding in findings
        if not any(
            finding.code.startswith(codes) and globs.matches(relative(finding.span.path, config.root), (pattern,))
            for pattern, codes in config.per_file_ignores
        )
    ]


def _order(finding: Finding) -> tuple[Span, str, str]:
    return (finding.span, finding.code, finding.message)
