"""What the documentation tells people to type: run page by page, or read by the program that it is for."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from importlib.resources import files
from pathlib import Path

import click
import pytest
from commands import Command, as_expected, outputs, steps
from jsonschema import Draft7Validator
from prefixlint.cli.main import COMMANDS, app
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[2]
PAGES = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs").rglob("*.md"))
}
PAGES["README.md"] = (ROOT / "README.md").read_text(encoding="utf-8")
FENCE = re.compile(r'^ *```(\w+)(?: title="([^"]+)")?[^\n]*\n(.*?)^ *```$', re.MULTILINE | re.DOTALL)
BLOCKS = [(name, *found) for name, page in PAGES.items() for found in FENCE.findall(page)]
FOLLOWED = [name for name, page in PAGES.items() if any(isinstance(step, Command) for step in steps(page))]


def test_what_is_expected_of_an_output() -> None:
    assert as_expected("a\n", "a\n")
    assert not as_expected("a\n", "a\nb\n")
    assert not as_expected("", "a\n")
    assert as_expected("a\n...\nd\n", "a\nb\nc\nd\n")
    assert not as_expected("a\n...\nd\n", "a\nb\n")


def test_files_and_commands_are_found_in_order() -> None:
    page = '```python title="a.py"\nx = 1\n```\ntext\n```console\n$ one\nout\n$ two\n```\n'
    file, one, two = steps(page)
    assert (getattr(file, "name", None), getattr(file, "text", None)) == ("a.py", "x = 1\n")
    assert [(each.line, each.shown) for each in (one, two) if isinstance(each, Command)] == [
        ("one", "out\n"),
        ("two", ""),
    ]


def test_the_pages_for_newcomers_are_followed() -> None:
    assert {"docs/index.md", "docs/start.md", "docs/adopting.md"} <= set(FOLLOWED)


@pytest.mark.parametrize("name", FOLLOWED)
def test_commands_print_what_the_page_shows(name: str, tmp_path: Path) -> None:
    """``python docs/_site/commands.py`` writes the outputs anew."""
    if shutil.which("bash") is None or shutil.which("git") is None:
        pytest.skip("bash and git are needed")
    if "pre-commit install" in PAGES[name]:
        pytest.importorskip("pre_commit")
    for command, printed in outputs(PAGES[name], tmp_path):
        assert as_expected(command.shown, printed), f"$ {command.line}\n{printed}"


@pytest.mark.parametrize(
    ("page", "line"),
    [
        (page, line.strip())
        for page, language, _, body in BLOCKS
        if language in ("sh", "bash", "console")
        for line in re.sub(r"\\\n\s*", "", body).splitlines()
        if re.match(r"\s*(\$ )?(\.venv/bin/)?prefixlint ", line)
    ],
)
def test_every_prefixlint_command_is_one(page: str, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As click reads it: command, options and how many arguments; nothing is run, and no file has to be there."""
    for call in re.split(r" (?:&&|;) ", line.removeprefix("$ ")):
        words = shlex.split(call, comments=True)
        if not words[0].endswith("prefixlint"):
            continue
        name, *arguments = words[1:]
        assert name in COMMANDS
        command = app.get_command(click.Context(app), name)
        assert command is not None
        for parameter in command.params:
            if isinstance(parameter.type, click.Path):
                monkeypatch.setattr(parameter.type, "exists", False)
        command.make_context(name, arguments)


@pytest.mark.parametrize(("page", "body"), [(page, body) for page, language, _, body in BLOCKS if language == "json"])
def test_json_is_json(page: str, body: str) -> None:
    json.loads(body)


@pytest.mark.parametrize(
    ("page", "title", "body"), [(page, title, body) for page, language, title, body in BLOCKS if language == "yaml"]
)
def test_yaml_is_what_its_reader_takes(page: str, title: str, body: str, tmp_path: Path) -> None:
    document = YAML(typ="safe").load(body)
    assert document
    if "repos" in document:
        clientlib = pytest.importorskip("pre_commit.clientlib")
        (tmp_path / "config.yaml").write_text(body, encoding="utf-8")
        loaded = clientlib.load_config(str(tmp_path / "config.yaml"))
        known = {hook["id"] for hook in YAML(typ="safe").load(ROOT / ".pre-commit-hooks.yaml")}
        assert {hook["id"] for repo in loaded["repos"] for hook in repo["hooks"]} <= known
    elif title.startswith(".git"):
        pytest.importorskip("check_jsonschema")
        schema = "gitlab-ci.json" if title == ".gitlab-ci.yml" else "github-workflows.json"
        text = files("check_jsonschema").joinpath("builtin_schemas", "vendor", schema).read_text(encoding="utf-8")
        # YAML 1.2 keeps the key "on" a word, as GitHub does.
        Draft7Validator(json.loads(text)).validate(document)


def test_the_action_is_used_with_inputs_that_it_has() -> None:
    action = YAML(typ="safe").load(ROOT / "action.yml")
    (workflow,) = (
        YAML(typ="safe").load(body) for _, _, title, body in BLOCKS if title.startswith(".github/workflows/")
    )
    (step,) = (step for step in workflow["jobs"]["prefixlint"]["steps"] if "prefixlint" in step["uses"])
    assert set(step["with"]) <= set(action["inputs"])
    rows = re.findall(r"^\| `([a-z-]+)` \|", PAGES["docs/ci.md"].partition("| input |")[2], re.MULTILINE)
    assert rows[: len(action["inputs"])] == sorted(action["inputs"], key=rows.index)
    spec, _ = YAML(typ="safe").load_all(ROOT / "templates/prefixlint.yml")
    (component,) = (YAML(typ="safe").load(body) for _, _, title, body in BLOCKS if title == ".gitlab-ci.yml")
    assert set(component["include"][0]["inputs"]) <= set(spec["spec"]["inputs"])
