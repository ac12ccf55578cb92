"""Imports in a repository of several packages side by side: found in each, without looking for all in each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from prefixlint.frontends.python.project import Project
from prefixlint.model.sources import SourceFile

if TYPE_CHECKING:
    from pathlib import Path

LIBRARIES = "".join(f"import library_{number}.part.inner\n" for number in range(20))


def _project(texts: dict[str, str]) -> Project:
    files = {path: SourceFile(path, text) for path, text in texts.items()}
    project = Project(files.get)
    for file in files.values():
        project.add(file)
    return project


def _asked(packages: int) -> int:
    """How many files are asked for where each of so many packages imports the same libraries."""
    texts = {}
    for number in range(packages):
        texts[f"{number}/own{number}/__init__.py"] = ""
        texts[f"{number}/own{number}/main.py"] = LIBRARIES
    project = _project(texts)
    for number in range(packages):
        module = project.module(f"{number}/own{number}/main.py")
        assert module is not None
        for path in module.imported_paths:
            assert project.import_module(path, 0, module) is None
    return len(project.asked_for)


def test_files_asked_for_grow_with_packages_and_not_with_their_square() -> None:
    _, four, eight = _asked(1), _asked(4), _asked(8)
    assert eight <= 2.1 * four


@pytest.mark.parametrize(
    "other",
    ["other/tools/prompts.py", "other/tools/__init__.py", "other/tools/deep/prompts.py", "other/tools.py"],
)
def test_what_another_folder_of_packages_holds_is_found(other: str) -> None:
    """A module, a package, a folder that is no package, a file alone."""
    project = _project(
        {"app/own/__init__.py": "", "app/own/main.py": "", "other/their/__init__.py": "", other: "RULES = ''"}
    )
    main = project.module("app/own/main.py")
    assert main is not None
    dotted = other.removeprefix("other/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    found = project.import_module(dotted, 0, main)
    assert found is not None
    assert found.path == other


def test_a_folder_outside_of_the_run_is_looked_into(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    held = tmp_path / "other/plain/prompts.py"
    held.parent.mkdir(parents=True)
    held.write_text("RULES = ''")
    run = {path: SourceFile(path, "") for path in ("app/own/__init__.py", "app/own/main.py", "other/their/__init__.py")}

    def read(path: str) -> SourceFile | None:
        return SourceFile(path, held.read_text()) if path == "other/plain/prompts.py" else run.get(path)

    project = Project(read)
    for file in run.values():
        project.add(file)
    main = project.module("app/own/main.py")
    assert main is not None
    found = project.import_module("plain.prompts", 0, main)
    assert found is not None
    assert found.path == "other/plain/prompts.py"
