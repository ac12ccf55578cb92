"""The pipeline with stages of our own: what each failure does, and what reaches the result."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from prefixlint.api import Rule, RuleOptions
from prefixlint.config import Config, ConfigError, Selection
from prefixlint.model.findings import Finding, Related, Severity
from prefixlint.model.layouts import Layout
from prefixlint.model.lifetimes import Confidence, Hop, HopKind
from prefixlint.model.sources import Position, SourceFile, Span
from prefixlint.model.targets import CacheModel, Target
from prefixlint.model.templates import Extraction, Problem, Template
from prefixlint.run import Stages, run
from prefixlint.run.collect import read_roots
from prefixlint.run.pipeline import told_once
from prefixlint.run.registry import installed_rules
from prefixlint.tokens import TokenizerError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path


def find(file: SourceFile) -> Extraction:
    """A template on each line that holds PROMPT; lines with BROKEN are problems, CRASH is a fault of the front end."""
    templates, problems = [], []
    for number, line in enumerate(file.text.splitlines(), 1):
        if "CRASH" in line:
            raise RuntimeError("front end fault")
        if "BROKEN" in line:
            problems.append(Problem(file.path, Position(number, 1), "broken line"))
        if "PROMPT" in line:
            span = Span(file.path, Position(number, 1), Position(number, len(line) + 1))
            templates.append(Template("test", line.split()[-1], span, ()))
    return Extraction(tuple(templates), tuple(problems))


class EachTemplate(Rule):
    """A finding on every template; its rule faults on the template called FAULT."""

    code = "PFX101"
    name = "each-template"
    since = "0"
    summary = ""

    def check(self, layout: Layout) -> Iterator[Finding]:
        if layout.template.name == "FAULT":
            raise RuntimeError("rule fault")
        severity = Severity.WARNING if layout.template.name == "MILD" else Severity.ERROR
        yield Finding(self.code, self.name, severity, Confidence.CERTAIN, "m", layout.template.span, layout.template.id)


class Other(EachTemplate):
    code = "PFX202"
    name = "other"
    default = False


def build(template: Template, targets: Sequence[Target]) -> Layout:
    if template.name == "UNBUILDABLE":
        raise ValueError("layout fault")
    if template.name == "UNCOUNTABLE":
        raise TokenizerError("text too long")
    return Layout(template, targets[0], (), 0, None, 0, 0, 0, False, (), ())


def load_target(name: str, overrides: Mapping[str, object]) -> Target:
    if name not in ("vllm", "openai"):
        raise ValueError(f"unknown target {name!r}")
    return Target(name, name, CacheModel("block", int(str(overrides.get("granularity", 16)))), configured=True)


NINE = tuple(rule for rule in installed_rules() if rule.code.startswith("PFX9"))
STAGES = Stages(
    python_might_hold=lambda data: b"PROMPT" in data or b"BROKEN" in data or b"CRASH" in data,
    python_analyse=lambda files, read, unread, jobs, memory: {file.path: find(file) for file in files},
    file_wanted=lambda path: path.endswith((".py", ".yaml")),
    file_might_hold=lambda path, data: b"PROMPT" in data or b"CRASH" in data,
    file_extract=lambda file, read: find(file),
    build=build,
    default_targets=lambda template: (Target("vllm", "vllm", CacheModel("block", 16)),),
    load_target=load_target,
    rules=lambda: (EachTemplate(), Other(), *NINE),
)


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    monkeypatch.chdir(tmp_path)

    def write(name: str, text: str) -> None:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())

    return write


def config(**changes: object) -> Config:
    return replace(Config(root=os.getcwd()), **changes)  # type: ignore[arg-type]


def lines(findings: Sequence[Finding]) -> list[str]:
    return [f"{f.span.path}:{f.span.start.line} {f.code} {f.severity.value}" for f in findings]


def test_files_templates_and_findings_in_order(write: Callable[[str, str], None]) -> None:
    write("b.py", "x = 1\nPROMPT B\nPROMPT MILD\n")
    write("a.yaml", "PROMPT A\n")
    write("c.py", "x = 1\n")
    result = run(["."], config(), stages=STAGES)
    assert result.files == 3
    assert [template.id for template in result.templates] == ["a.yaml:1:A", "b.py:2:B", "b.py:3:MILD"]
    assert lines(result.findings) == ["a.yaml:1 PFX101 error", "b.py:2 PFX101 error", "b.py:3 PFX101 warning"]
    assert (result.count(Severity.ERROR), result.count(Severity.WARNING)) == (2, 1)
    assert not result.problems
    assert not result.crashes
    assert set(result.sources) == {"a.yaml", "b.py"}


def test_one_faulty_file_does_not_hide_the_others(write: Callable[[str, str], None]) -> None:
    write("a.py", "PROMPT A\n")
    write("b.py", "CRASH\n")
    write("c.yaml", "CRASH\n")
    write("d.py", "PROMPT D\n")
    result = run(["."], config(), stages=STAGES)
    assert lines(result.findings) == ["a.py:1 PFX101 error", "d.py:1 PFX101 error"]
    assert [(crash.stage, crash.where, crash.error) for crash in result.crashes] == [
        ("Python front end", "b.py", "RuntimeError: front end fault"),
        ("prompt file front end", "c.yaml", "RuntimeError: front end fault"),
    ]
    assert "in find" in result.crashes[0].traceback


def test_the_only_file_may_be_the_faulty_one(write: Callable[[str, str], None]) -> None:
    write("b.py", "CRASH\n")
    (crash,) = run(["b.py"], config(), stages=STAGES).crashes
    assert (crash.where, crash.error) == ("b.py", "RuntimeError: front end fault")


def test_faulty_layout_and_rule(write: Callable[[str, str], None]) -> None:
    write("a.py", "PROMPT FAULT\nPROMPT UNBUILDABLE\nPROMPT C\n")
    result = run(["."], config(), stages=STAGES)
    assert lines(result.findings) == ["a.py:3 PFX101 error"]
    assert [(crash.stage, crash.where) for crash in result.crashes] == [
        ("layout", "a.py:2:UNBUILDABLE"),
        ("rule PFX101", "a.py:1:FAULT"),
    ]
    assert len(result.templates) == 3
    assert len(result.layouts) == 2


def test_text_that_the_tokenizer_refuses_is_no_internal_error(write: Callable[[str, str], None]) -> None:
    write("a.py", "PROMPT A\nPROMPT UNCOUNTABLE\nPROMPT C\n")
    result = run(["."], config(), stages=STAGES)
    assert lines(result.findings) == ["a.py:1 PFX101 error", "a.py:2 PFX901 warning", "a.py:3 PFX101 error"]
    assert "text too long" in result.findings[1].message
    assert (result.crashes, result.unanalysed_files) == ((), 1)


def test_problems_become_warnings(write: Callable[[str, str], None], tmp_path: Path) -> None:
    write("a.py", "x = 1\nBROKEN\n")
    write("b.py", "PROMPT\xff\n")
    (tmp_path / "c.py").write_bytes(b"PROMPT \xff\n")
    write("d.py", "PROMPT " + "x" * 100)
    write("e.yaml", "y" * 101)
    result = run(["."], config(max_file_size=100), stages=STAGES)
    assert lines(result.findings) == [
        "a.py:2 PFX901 warning",
        "b.py:1 PFX101 error",
        "c.py:1 PFX901 warning",
        "d.py:1 PFX901 warning",
    ]
    assert result.unanalysed_files == 3
    assert result.findings[2].message.startswith("file is not valid UTF-8")
    assert result.findings[3].message.startswith("file has 107 bytes, more than max-file-size (100)")
    quiet = config(max_file_size=100, selections=(Selection(ignore=("PFX9",)),))
    assert lines(run(["."], quiet, stages=STAGES).findings) == ["b.py:1 PFX101 error"]


def test_binary_file_that_cannot_hold_a_prompt_is_nobodys_business(write: Callable[[str, str], None]) -> None:
    write("a.py", "\0\0\0")
    write("b.yaml", "\0")
    result = run(["."], config(), stages=STAGES)
    assert not result.findings
    assert result.files == 2


def test_selection_and_per_file_ignores(write: Callable[[str, str], None]) -> None:
    write("src/a.py", "PROMPT A\n")
    write("tests/b.py", "PROMPT B\n")
    ignores = (("tests", ("PFX1",)),)
    assert lines(run(["."], config(per_file_ignores=ignores), stages=STAGES).findings) == ["src/a.py:1 PFX101 error"]
    both = config(selections=(Selection(extend=("PFX202",)),))
    assert lines(run(["src"], both, stages=STAGES).findings) == ["src/a.py:1 PFX101 error", "src/a.py:1 PFX202 error"]


def test_suppression(write: Callable[[str, str], None]) -> None:
    write("a.py", "PROMPT A  # prefixlint: ignore[PFX101]\n")
    write("b.py", "x = 1  # prefixlint: ignore[PFX101]\n")
    result = run(["."], config(), stages=STAGES)
    assert lines(result.findings) == ["b.py:1 PFX902 info"]
    assert result.suppressed == 1


def test_comments_of_a_file_that_is_only_imported_are_not_called_unused(write: Callable[[str, str], None]) -> None:
    write("a.py", "PROMPT A\n")
    write("helper.py", "x = 1  # prefixlint: ignore[PFX101]\n")

    def analyse(
        files: Sequence[SourceFile], read: Callable[[str], SourceFile | None], unread: object, jobs: int, memory: object
    ) -> dict[str, Extraction]:
        helper = read("helper.py")
        assert helper is not None
        return {file.path: find(file) for file in files}

    stages = replace(STAGES, python_analyse=analyse)
    assert lines(run(["a.py"], config(), stages=stages).findings) == ["a.py:1 PFX101 error"]
    assert lines(run(["."], config(), stages=stages).findings) == ["a.py:1 PFX101 error", "helper.py:1 PFX902 info"]


def test_one_finding_for_each_code_and_place(write: Callable[[str, str], None]) -> None:
    write("a.py", "PROMPT A\n")
    twice = replace(STAGES, file_wanted=lambda path: path.endswith(".py"), python_analyse=_twice)
    result = run(["."], config(), stages=twice)
    assert len(result.templates) == 2
    assert lines(result.findings) == ["a.py:1 PFX101 error"]


class Fifth(EachTemplate):
    """What ``EachTemplate`` reports, as another rule of values in front of stable content."""

    code = "PFX105"
    name = "fifth"


def test_a_value_that_callers_fill_in_with_different_things_is_told_once(write: Callable[[str, str], None]) -> None:
    write("a.py", "PROMPT A\nPROMPT B  # prefixlint: ignore[PFX101]\n")
    stages = replace(STAGES, rules=lambda: (EachTemplate(), Fifth(), *NINE))
    result = run(["."], config(), stages=stages)
    assert lines(result.findings) == ["a.py:1 PFX101 error"]
    assert result.suppressed == 1
    fewer = config(per_file_ignores=(("a.py", ("PFX101",)),))
    assert lines(run(["."], fewer, stages=stages).findings) == [
        "a.py:1 PFX105 error",
        "a.py:2 PFX105 error",
        "a.py:2 PFX902 info",
    ]


def test_calls_are_left_out_first_where_a_value_of_many_prompts_has_too_many_related_places() -> None:
    file = SourceFile("a.py", "x\n" * 99)

    def found(start: int, *hops: tuple[HopKind, str]) -> Finding:
        steps = [Hop(kind, file.span(2 * at, 2 * at + 1), name) for at, (kind, name) in enumerate(hops, start)]
        related = tuple(Related(hop.span, hop.note, hop.kind) for hop in steps)
        return Finding("PFX101", "x", Severity.ERROR, Confidence.HIGH, "m", file.span(0, 1), related=related)

    def notes(*findings: Finding) -> list[str]:
        (one,) = told_once(findings)
        return [place.note for place in one.related]

    calls = [(HopKind.CALLED, f"step_{number}()") for number in range(9)]
    called = [f"`step_{number}()` called here" for number in range(9)]
    first = found(1, (HopKind.SENT, ""), *calls)
    second = found(20, (HopKind.PART, ""), (HopKind.SENT, ""), *calls)
    assert notes(first) == ["sent here", *called]
    assert notes(first, second) == ["sent here", *called, "part of the prompt", "sent here"]
    third = found(40, *[(HopKind.CREATED, f"x{number}") for number in range(11)])
    created = [f"`x{number}` created here" for number in range(11)]
    assert notes(first, second, third) == ["part of the prompt", *created]
    parts = [f"part of the prompt through `{name}`" for name in "abc"]
    last = found(60, *[(HopKind.PART, name) for name in "abc"])
    assert notes(first, second, third, last) == ["part of the prompt", *created[:8], *parts]


def _twice(
    files: Sequence[SourceFile], read: object, unread: object, jobs: int, memory: object
) -> Mapping[str, Extraction]:
    (file,) = files
    (template,) = find(file).templates
    return {file.path: Extraction((replace(template, name="MILD"), template))}


def test_targets(write: Callable[[str, str], None]) -> None:
    write("a.py", "PROMPT A\n")
    (layout,) = run(["."], config(), stages=STAGES).layouts
    assert (layout.target.name, layout.target.configured) == ("vllm", False)
    (layout,) = run(["."], config(targets=("openai",)), stages=STAGES).layouts
    assert (layout.target.name, layout.target.configured) == ("openai", True)
    (layout,) = run(["."], config(target_overrides={"vllm": {"granularity": 32}}), stages=STAGES).layouts
    assert (layout.target.cache.granularity, layout.target.configured) == (32, False)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"selections": (Selection(select=("PFX10l",)),)},
            "select: unknown rule code 'PFX10l'; did you mean 'PFX101'?",
        ),
        ({"selections": (Selection(ignore=("XYZ",)),)}, "ignore: unknown rule code 'XYZ'"),
        (
            {"file": "p.toml", "per_file_ignores": (("a", ("PFX7",)),)},
            "p.toml: per-file-ignores.'a': unknown rule code",
        ),
        ({"file": "p.toml", "rules": {"PFX7": {}}}, "p.toml: rules: unknown rule code 'PFX7'"),
        (
            {"file": "p.toml", "rules": {"PFX101": {"min": 3}}},
            "p.toml: rules.PFX101: rule PFX101 (each-template) has no",
        ),
        ({"file": "p.toml", "targets": ("vlm",)}, "p.toml: target: unknown target 'vlm'"),
        ({"file": "p.toml", "target_overrides": {"vlm": {"x": 1}}}, "p.toml: targets.vlm: unknown target 'vlm'"),
    ],
)
def test_bad_configuration(write: Callable[[str, str], None], changes: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError) as error:
        run(["."], config(**changes), stages=STAGES)
    assert str(error.value).startswith(message)


def test_general_minimum_stands_behind_the_rules_own(write: Callable[[str, str], None]) -> None:
    seen: list[int] = []

    class Looks(EachTemplate):
        def check(self, layout: Layout) -> Iterator[Finding]:
            assert isinstance(self.options, RuleOptions)
            seen.append(self.options.min_stranded_tokens)
            return iter(())

    class LooksToo(Looks):
        code = "PFX103"

    write("a.py", "PROMPT A\n")
    stages = replace(STAGES, rules=lambda: (Looks(RuleOptions()), LooksToo(RuleOptions())))
    run(["."], config(), stages=stages)
    run(["."], config(min_stranded_tokens=7, rules={"PFX103": {"min-stranded-tokens": 9}}), stages=stages)
    assert seen == [64, 64, 7, 9]


def test_standard_input_stands_for_its_file(write: Callable[[str, str], None]) -> None:
    result = run([], config(), stdin=("src/new.py", b"x = 1\nPROMPT A\n"), stages=STAGES)
    assert lines(result.findings) == ["src/new.py:2 PFX101 error"]
    assert result.files == 1


def test_missing_path_is_told_and_the_rest_goes_on(write: Callable[[str, str], None]) -> None:
    write("a.py", "PROMPT A\n")
    result = run(["nowhere", "a.py"], config(), stages=STAGES)
    assert result.path_errors == ("no such file or folder: nowhere",)
    assert lines(result.findings) == ["a.py:1 PFX101 error"]


def test_without_checks(write: Callable[[str, str], None]) -> None:
    write("a.py", "PROMPT A\nBROKEN\n")
    result = run(["."], config(), check=False, stages=STAGES)
    assert not result.findings
    assert len(result.layouts) == 1
    assert result.unanalysed_files == 1


def test_reading_other_files_stays_within_the_roots(
    write: Callable[[str, str], None], tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.py").write_text("x = 1\n")
    (tmp_path / "link.py").symlink_to(outside / "secret.py")
    write("a.py", "PROMPT A\n")
    write("helper.py", "y = 2  # prefixlint: ignore\n")
    got: dict[str, str | None] = {}

    def analyse(
        files: Sequence[SourceFile], read: Callable[[str], SourceFile | None], unread: object, jobs: int, memory: object
    ) -> dict[str, Extraction]:
        for path in ("helper.py", "a.py", "link.py", "gone.py", str(outside / "secret.py"), "../outside0/secret.py"):
            file = read(path)
            got[os.path.basename(path) if os.path.isabs(path) else path] = file.text if file else None
        assert read("a.py") is files[0]
        return {}

    result = run(["a.py"], config(), stages=replace(STAGES, python_analyse=analyse))
    assert not result.crashes
    assert got == {
        "helper.py": "y = 2  # prefixlint: ignore\n",
        "a.py": "PROMPT A\n",
        "link.py": None,
        "gone.py": None,
        "secret.py": None,
        "../outside0/secret.py": None,
    }
    assert "helper.py" in result.sources


def test_read_roots(write: Callable[[str, str], None], tmp_path: Path) -> None:
    write("proj/src/pkg/__init__.py", "")
    write("proj/src/pkg/sub/__init__.py", "")
    write("proj/src/pkg/sub/a.py", "")
    here = os.getcwd()
    assert read_roots(["proj"], here) == (f"{here}/proj", here)
    assert read_roots(["proj/src/pkg/sub/a.py", "b.py"], f"{here}/proj") == (f"{here}/proj/src", here, f"{here}/proj")


def test_files_taken_one_by_one_add_up(write: Callable[[str, str], None]) -> None:
    """What two files find in a module that both import is kept once each."""
    write("a.py", "PROMPT A\n")
    write("b.py", "CRASH\n")
    write("c.py", "PROMPT C\n")
    span = Span("shared.py", Position(1, 1), Position(1, 2))

    def analyse(
        files: Sequence[SourceFile], read: object, unread: object, jobs: int, memory: object
    ) -> dict[str, Extraction]:
        if any("CRASH" in file.text for file in files):
            raise RuntimeError("fault")
        (file,) = files
        own = Template("test", file.path, span, ())
        return {file.path: find(file), "shared.py": Extraction((Template("test", "common", span, ()), own))}

    result = run(["."], config(), stages=replace(STAGES, python_analyse=analyse))
    assert [template.name for template in result.templates] == ["A", "C", "a.py", "c.py", "common"]
    assert [crash.path for crash in result.crashes] == ["b.py"]
    assert result.unanalysed_files == 1
