"""Every page: its form, and that each of its examples is found or silent as it says."""

from __future__ import annotations

import re
from pathlib import Path

import prefixlint_rules
import pytest
from expectations import markers
from lint import check_folder
from prefixlint.api import LinterRule, Rule, option_names, rule_page
from prefixlint.config import Config
from prefixlint.report.lines import concise
from prefixlint.run import run
from prefixlint_rules import RULES

HEADINGS = ["What it does", "Why it costs", "Example", "Use instead", "Options", "Fix safety", "Known problems"]
SUFFIXES = {"python": ".py", "yaml": ".yaml", "jinja": ".jinja"}
SHOWN_ONLY = {"text", "toml"}
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

PAGES = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)


def sections(page: str) -> dict[str, str]:
    parts = re.split(r"^## (.+)\n", page, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def examples(rule: Rule, section: str) -> list[tuple[str, str]]:
    """The fenced examples of a section that can be linted, as (file suffix, text)."""
    found = FENCE.findall(sections(rule_page(rule))[section])
    assert all(language in SUFFIXES.keys() | SHOWN_ONLY for language, _ in found)
    return [(SUFFIXES[language], text) for language, text in found if language in SUFFIXES]


def setting(rule: Rule, section: str) -> dict[str, str]:
    """The configuration that a section shows, and the file that it names, as the text behind it shows it."""
    found = FENCE.findall(sections(rule_page(rule))[section])
    shown = dict(found)
    named = re.search(r'^chat-template = "(.+)"$', shown.get("toml", ""), re.MULTILINE)
    return {"prefixlint.toml": shown["toml"], named[1]: shown["text"]} if named else {}


def write(folder: Path, found: list[tuple[str, str]], setting: dict[str, str]) -> list[Path]:
    files = []
    for number, (suffix, text) in enumerate(found, 1):
        # One folder each: examples of one page are projects of their own.
        file = folder / str(number) / f"example_prompt{suffix}"
        file.parent.mkdir()
        file.write_text(text, encoding="utf-8")
        files.append(file)
        for name, content in setting.items():
            beside = file.parent / name
            beside.parent.mkdir(parents=True, exist_ok=True)
            beside.write_text(content, encoding="utf-8")
    return files


@PAGES
def test_page_has_title_headings_and_version(rule: Rule) -> None:
    page = rule_page(rule)
    assert page.startswith(f"# {rule.name} ({rule.code})\n\nSince {rule.since}")
    assert re.findall(r"^## (.+)$", page, flags=re.MULTILINE) == HEADINGS
    assert all(text.strip() for text in sections(page).values())
    head = page.partition("\n## ")[0]
    assert ("off by default" in head) == (not rule.default)
    assert ("in preview" in head) == rule.preview


@PAGES
def test_options_are_documented(rule: Rule) -> None:
    section = sections(rule_page(rule))["Options"]
    documented = re.findall(r"^- `([a-z0-9-]+)` \(default (\S+)\)", section, re.MULTILINE)
    defaults = [str(getattr(rule.options, name.replace("-", "_"))) for name in option_names(rule)]
    assert documented == list(zip(option_names(rule), defaults, strict=True))
    assert (f"`[tool.prefixlint.rules.{rule.code}]`" in section) == bool(documented)


@PAGES
def test_links_between_pages_lead_somewhere(rule: Rule) -> None:
    folder = Path(prefixlint_rules.__file__).parent
    for target in re.findall(r"\]\(([^)#]+)\)", rule_page(rule)):
        assert (folder / target).is_file()


@PAGES
def test_example_is_found(rule: Rule, tmp_path: Path) -> None:
    found = examples(rule, "Example")
    if isinstance(rule, LinterRule):
        assert found == []
        return
    assert found
    assert all(any(m.code == rule.code for m in markers(text, suffix)) for suffix, text in found)
    files = write(tmp_path, found, setting(rule, "Example"))
    wrong = [line for file in files for line in check_folder(file.parent, [file])]
    assert not wrong, "\n".join(wrong)


@PAGES
def test_use_instead_is_silent(rule: Rule, tmp_path: Path) -> None:
    found = examples(rule, "Use instead")
    if isinstance(rule, LinterRule):
        assert found == []
        return
    assert len(found) == len(examples(rule, "Example"))
    assert all(markers(text, suffix) == () for suffix, text in found)
    files = write(tmp_path, found, setting(rule, "Use instead"))
    wrong = [line for file in files for line in check_folder(file.parent, [file])]
    assert not wrong, "\n".join(wrong)


def test_file_not_analysed_is_told_as_its_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (rule,) = (rule for rule in RULES if rule.code == "PFX901")
    (_, source), (_, told) = FENCE.findall(sections(rule_page(rule))["Example"])
    monkeypatch.chdir(tmp_path)
    Path("app").mkdir()
    Path("app/prompts.py").write_text(source, encoding="utf-8")
    result = run(["app"], Config(root=str(tmp_path)))
    assert re.sub(r"Python 3\.\d+", "Python 3.13", concise(result.findings)) == told


def test_every_module_is_a_registered_rule_with_a_page() -> None:
    folder = Path(prefixlint_rules.__file__).parent
    modules = {file.stem for file in folder.glob("*.py")} - {"__init__"}
    assert modules == {file.stem for file in folder.glob("*.md")}
    assert modules == {rule.name.replace("-", "_") for rule in RULES}
    assert all(type(rule).__module__ == f"prefixlint_rules.{rule.name.replace('-', '_')}" for rule in RULES)


def test_codes_and_names() -> None:
    codes = [rule.code for rule in RULES]
    assert codes == sorted(set(codes))
    assert len({rule.name for rule in RULES}) == len(RULES)
    for rule in RULES:
        assert re.fullmatch(r"PFX[1-9]\d\d", rule.code)
        assert re.fullmatch(r"[a-z]+(-[a-z]+)+", rule.name)
        assert re.fullmatch(r"\d+\.\d+\.\d+", rule.since)
        assert rule.summary
        assert not rule.summary.endswith(".")


def test_default_set() -> None:
    assert {rule.code for rule in RULES if not rule.default} == {"PFX109", "PFX111", "PFX405"}
    assert {rule.code for rule in RULES if rule.preview} == {"PFX207"}


def test_rules_import_only_the_api() -> None:
    folder = Path(prefixlint_rules.__file__).parent
    for file in folder.glob("*.py"):
        imported = re.findall(r"^\s*(?:from|import) (prefixlint[\w.]*)", file.read_text(encoding="utf-8"), re.MULTILINE)
        allowed = "prefixlint_rules" if file.stem == "__init__" else "prefixlint.api"
        assert all(name == "prefixlint.api" or name.startswith(allowed) for name in imported), file
