"""The project's own files: what README, CI, hook and metadata say is so."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from datetime import date
from importlib import metadata, resources
from pathlib import Path, PurePosixPath
from typing import Any

import click
import prefixlint
import pytest
from prefixlint.cli.main import COMMANDS, app
from prefixlint.config.load import load
from prefixlint.frontends.promptfiles.file_kinds import kind
from prefixlint.run.registry import chosen_rules, chosen_targets, installed_rules
from prefixlint.run.stages import Stages
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SAMPLES = re.findall(r"^<!-- \$ prefixlint ([^\n]+) -->\n```text\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
FUZZ = ROOT / "tests" / "fuzz" / "hostile_inputs.py"
ENGINES_OWN = {"--enable-prompt-tokens-details", "--cache-reuse", "--prefix-match-unit"}
"""Options of servers that documents name."""

DOCUMENTS = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", *(f"docs/{p.name}" for p in (ROOT / "docs").glob("*.md"))]


def blocks(language: str) -> list[str]:
    return re.findall(rf"^ *```{language}\n(.*?)^ *```$", README, re.MULTILINE | re.DOTALL)


def test_there_are_samples_of_both_commands() -> None:
    assert [command.split()[0] for command, _ in SAMPLES] == ["check", "report"]


@pytest.mark.parametrize(("command", "output"), SAMPLES, ids=[command for command, _ in SAMPLES])
def test_samples_are_what_a_run_prints(command: str, output: str) -> None:
    line = [sys.executable, "-m", "prefixlint", *command.split()]
    environment = {key: value for key, value in os.environ.items() if key not in {"FORCE_COLOR", "PYTHONIOENCODING"}}
    environment["PYTHONUTF8"] = "1"
    done = subprocess.run(line, cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", check=False)
    assert done.stdout == output


def test_ci_runs_what_the_readme_says() -> None:
    script = (ROOT / ".ci/run").read_text(encoding="utf-8").replace('"$work/venv/bin/', "").replace('"', "")
    commands = [
        part.strip().removeprefix(".venv/bin/")
        for line in "".join(blocks("sh")).splitlines()
        for part in re.split(r"&&|;", line)
    ]
    assert commands == [
        "python3 -m venv .venv",
        "pip install .",
        "prefixlint check examples",
        "prefixlint report examples",
        "python3 -m venv .venv",
        "pip install '.[test]'",
        "python -m pytest -n auto",
    ]
    assert all(command in script for command in commands if "venv" not in command)
    assert script.rstrip().endswith(commands[-1])


@pytest.mark.parametrize("name", DOCUMENTS)
def test_commands_and_options_that_a_document_names_exist(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    shell = "".join(re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    commands = {*re.findall(r"`prefixlint ([a-z]+)", text), *re.findall(r"^prefixlint ([a-z]+)", shell, re.MULTILINE)}
    assert commands <= set(COMMANDS)
    context = click.Context(app)
    options = {
        option
        for name in COMMANDS
        for parameter in (app.get_command(context, name) or app).params  # type: ignore[attr-defined]
        for option in parameter.opts
    }
    others = set(re.findall(r"add_argument\(\"(--[a-z-]+)", FUZZ.read_text(encoding="utf-8")))
    assert set(re.findall(r"`(--[a-z-]+)", text)) - ENGINES_OWN - others <= options | {"--help"}


def test_the_configuration_in_the_readme_is_accepted(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(blocks("toml")[0], encoding="utf-8")
    config = load(str(tmp_path))
    assert config.file.endswith("pyproject.toml")
    assert [target.name for target in chosen_targets(config, Stages())] == ["vllm", "openai:gpt-4o"]
    assert chosen_targets(config, Stages())[0].cache.granularity == 32
    rules = {rule.code: rule for rule in chosen_rules(config, installed_rules())}
    assert "PFX109" in rules
    assert "PFX107" not in rules
    assert getattr(rules["PFX104"].options, "min_stranded_tokens", None) == 500


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_lead_somewhere(name: str) -> None:
    path = ROOT / name
    for target in re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8")):
        if not target.startswith("https://"):
            assert (path.parent / target).exists(), target


def test_the_hook_takes_the_files_that_can_hold_prompts() -> None:
    hook = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    found = re.search(r"^  files: (.+)$", hook, re.MULTILINE)
    assert found is not None
    files = re.compile(found.group(1))
    suffixes = """
        .py .j2 .jinja .jinja2 .yaml .yml .json .txt .md .markdown .tmpl .tpl .prompty .prompt .poml .baml
        .toml .js .ts .html .csv .rst .cfg .ini .sh .xml .lock .pyi .ipynb
    """
    for suffix in suffixes.split():
        name = f"app/answer{suffix}"
        wanted = suffix in (".py", ".ipynb") or kind(str(PurePosixPath(name))) is not None
        assert (files.search(name) is not None) == wanted, suffix


def test_hooks_run_commands_that_exist() -> None:
    """As pre-commit runs them: the entry, and behind it the names of the changed files unless told otherwise."""
    hooks = YAML(typ="safe").load(ROOT / ".pre-commit-hooks.yaml")
    assert [hook["id"] for hook in hooks] == ["prefixlint", "prefixlint-fix", "prefixlint-lock"]
    assert set(re.findall(r"- id: (\S+)", README)) <= {hook["id"] for hook in hooks}
    assert hooks[0]["files"] == hooks[1]["files"]
    for hook in hooks:
        program, command, *arguments = hook["entry"].split()
        assert program == "prefixlint"
        called = app.get_command(click.Context(app), command)
        assert called is not None
        known = {option for parameter in called.params for option in parameter.opts}
        assert set(arguments) <= known
        assert hook["language"] == "python"
    lock = hooks[2]
    assert (lock["pass_filenames"], lock["always_run"]) == (False, True)


def test_rules_that_the_readme_calls_off_by_default_are() -> None:
    found = re.search(r"All are on by default but ([^.]*?), which", README)
    assert found is not None
    rules = [rule for rule in installed_rules() if type(rule).__module__.startswith("prefixlint_")]
    assert set(re.findall(r"PFX\d+", found.group(1))) == {rule.code for rule in rules if not rule.default}
    families = {code[:4] for code in re.findall(r"^\| (PFX\d+)", README, re.MULTILINE)}
    assert families == {rule.code[:4] for rule in rules} | {"PFX9"}


def test_recorded_figures_are_those_of_the_repository() -> None:
    page = (ROOT / "docs/validation.md").read_text(encoding="utf-8")
    recorded = json.loads((ROOT / "benchmarks/engine_reuse/results.json").read_text(encoding="utf-8"))
    assert f"python benchmarks/engine_reuse/{recorded['command']}\n" in page
    for one in recorded["results"]:
        assert one["engine"] in page
        cells = [one["tokenizer"], one["chat_template"]]
        numbers = ("pairs", "with_tools", "equal", "reused_tokens", "computed_tokens")
        cells += [f"{one[name]:,}" for name in numbers]
        assert f"| {' | '.join(cells)} |\n" in page
    adopted = json.loads((ROOT / "benchmarks/adoption/results.json").read_text(encoding="utf-8"))
    columns = ("repository", "files", "templates", "errors", "warnings", "left", "shifted")
    row = " | ".join(str(adopted[name]) for name in columns)
    added = f"{adopted['added']}: {adopted['added_code']}"
    assert f"| {row}, and no entry that is not needed | {added} |\n" in page
    pairs = len(list((ROOT / "tests/differential/programs").glob("*/fault*")))
    stated = re.search(r"has about (\d+) pairs of small programs", page)
    assert stated is not None
    assert abs(pairs - int(stated[1])) <= 25


def test_metadata() -> None:
    assert metadata.version("prefixlint") == prefixlint.__version__
    scripts = metadata.entry_points(group="console_scripts", name="prefixlint")
    assert [script.value for script in scripts] == ["prefixlint.cli.main:main"]
    assert "prefixlint" in {entry.name for entry in metadata.entry_points(group="prefixlint.rules")}
    assert PROJECT["project"]["requires-python"] == ">=3.11"


def test_package_data_are_installed() -> None:
    """Everything beside the modules is there after a plain installation, as CI makes it."""
    for source, package in (("linter/prefixlint", "prefixlint"), ("rules/prefixlint_rules", "prefixlint_rules")):
        folder = ROOT / source
        data = [p.relative_to(folder) for p in folder.rglob("*") if p.is_file() and p.suffix not in {".py", ".pyc"}]
        assert Path("py.typed") in data
        assert len(data) > 10
        for path in data:
            installed = resources.files(package).joinpath(*path.parts)
            assert installed.is_file(), path
            assert installed.read_bytes() == (folder / path).read_bytes(), path


def test_the_changelog_has_this_version_and_names_every_rule() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## \[(.+?)\](?: - (\S+))?$", changelog, re.MULTILINE)
    assert headings[0] == ("Unreleased", "")
    assert prefixlint.__version__ in dict(headings)
    assert all(date.fromisoformat(day) for _, day in headings if day)
    assert all(rule.code in changelog for rule in installed_rules() if type(rule).__module__.startswith("prefixlint_"))
