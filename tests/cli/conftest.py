"""The command line over stages of our own: each line ``PROMPT name severity`` is a template with one finding."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result
from prefixlint.api import Rule
from prefixlint.cli import main as cli
from prefixlint.model.findings import Finding, Severity
from prefixlint.model.layouts import Layout
from prefixlint.model.lifetimes import Confidence
from prefixlint.model.sources import Position, SourceFile, Span
from prefixlint.model.targets import CacheModel, Target
from prefixlint.model.templates import Extraction, Problem, Template
from prefixlint.run import Stages, pipeline
from prefixlint.run.registry import installed_rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path


def extract(file: SourceFile) -> Extraction:
    templates, problems = [], []
    for number, line in enumerate(file.text.splitlines(), 1):
        words = line.split()
        if words[:1] == ["CRASH"]:
            raise RuntimeError("fault")
        if words[:1] == ["BROKEN"]:
            problems.append(Problem(file.path, Position(number, 1), "broken"))
        if words[:1] == ["PROMPT"]:
            span = Span(file.path, Position(number, 1), Position(number, len(line) + 1))
            templates.append(Template(words[2] if len(words) > 2 else "error", words[1], span, ()))
    return Extraction(tuple(templates), tuple(problems))


class EachTemplate(Rule):
    code = "PFX101"
    name = "each-template"
    since = "0"
    summary = "Each template"

    def check(self, layout: Layout) -> Iterator[Finding]:
        template = layout.template
        severity = Severity(template.form)
        yield Finding(
            self.code,
            self.name,
            severity,
            Confidence.CERTAIN,
            "message",
            template.span,
            template.id,
            stranded_tokens=70,
        )


def build(template: Template, targets: Sequence[Target]) -> Layout:
    return Layout(template, targets[0], (), 0, None, 0, 0, 0, False, (), ())


STAGES = Stages(
    python_might_hold=lambda data: b"PROMPT" in data or b"BROKEN" in data or b"CRASH" in data,
    python_analyse=lambda files, read, unread, jobs, memory: {file.path: extract(file) for file in files},
    file_wanted=lambda path: path.endswith(".py"),
    build=build,
    default_targets=lambda template: (Target("vllm", "vllm", CacheModel("block", 16)),),
    rules=lambda: (EachTemplate(), *(rule for rule in installed_rules() if rule.code.startswith("PFX9"))),
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "PREFIXLINT_TRACEBACK"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def invoke(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Runs the command line in ``folder`` on the stages above; exit code and output as a shell would see them."""
    monkeypatch.setattr(pipeline, "Stages", lambda: STAGES)

    class Shell(CliRunner):
        def run(self, *arguments: str, data: bytes | None = None) -> Result:
            import click

            @click.command(context_settings={"ignore_unknown_options": True, "help_option_names": []})
            @click.argument("rest", nargs=-1, type=click.UNPROCESSED)
            def command(rest: tuple[str, ...]) -> None:
                cli.main(rest)

            return self.invoke(command, arguments, input=data)

    return Shell().run
