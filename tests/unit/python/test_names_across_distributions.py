"""Names are looked for in what a module could meet: its distribution, what this imports, and what imports it."""

from __future__ import annotations

import pytest
from prefixlint.frontends.python.analyse import analyse
from prefixlint.frontends.python.distributions import Distributions
from prefixlint.frontends.python.project import Project
from prefixlint.model.segments import Value, walk
from prefixlint.model.sources import SourceFile

RULES = "Sort the letters of the island by street. Put those for the harbour on top, and put the parcels aside. " * 6
CLERK = f"""
from openai import OpenAI

class Clerk:
    def sort_letters(self, wish):
        text = f"For {{wish}}: {RULES}"
        return OpenAI().chat.completions.create(model="m", messages=[{{"role": "user", "content": text}}])
"""
OFFICE = """
IMPORT
def open_office(clerk):
    prompt = "The office opens."
    return clerk.sort_letters("THE")
"""


def open_values(files: dict[str, str]) -> dict[str, list[str]]:
    """Names of the values in the templates of each file."""
    found = analyse([SourceFile(path, text) for path, text in files.items()], lambda _: None)
    return {
        path: [s.name for t in one.templates for b in t.blocks for s in walk(b.segments) if isinstance(s, Value)]
        for path, one in found.items()
        if path.endswith(".py")
    }


@pytest.mark.parametrize(
    ("imported", "beside", "open_"),
    [
        ("", "pyproject.toml", ["wish"]),
        ("", "setup.py", ["wish"]),
        ("", "notes.txt", []),  # all of one distribution
        ("from post import clerk", "pyproject.toml", []),
        ("import post", "setup.cfg", []),
        ("import posting", "setup.cfg", ["wish"]),
    ],
)
def test_callers_by_name_alone(imported: str, beside: str, open_: list[str]) -> None:
    files = {
        f"one/{beside}": "",
        "one/post/__init__.py": "",
        "one/post/clerk.py": CLERK,
        f"two/{beside}": "",
        "two/office/__init__.py": "",
        "two/office/counter.py": OFFICE.replace("IMPORT", imported),
    }
    assert open_values(files)["one/post/clerk.py"] == open_


def groups(files: dict[str, str]) -> dict[str, str]:
    project = Project(lambda path: SourceFile(path, files[path]) if path in files else None)
    modules = [module for path in files if path.endswith(".py") and (module := project.module(path)) is not None]
    found = Distributions(modules, project)
    return {module.path: found.group(module) for module in modules}


def test_what_imports_each_other_is_one_group() -> None:
    files = {
        "pyproject.toml": "",
        "app.py": "import json",
        "a/pyproject.toml": "",
        "a/src/alpha/__init__.py": "",
        "a/src/alpha/x/y.py": "from .. import z",
        "b/setup.py": "",
        "b/beta/__init__.py": "import gamma.deep",
        "c/setup.cfg": "",
        "c/gamma/deep.py": "",
        "d/setup.py": "",
        "d/delta/__init__.py": "import alpha",
        "d/delta/setup/__init__.py": "",
        "e/epsilon/setup.py": "import setup",
        "e/epsilon/__init__.py": "",
    }
    assert groups(files) == {
        "app.py": "",
        "a/src/alpha/__init__.py": "a",
        "a/src/alpha/x/y.py": "a",
        "b/setup.py": "b",
        "b/beta/__init__.py": "b",
        "c/gamma/deep.py": "b",
        "d/setup.py": "a",
        "d/delta/__init__.py": "a",
        "d/delta/setup/__init__.py": "a",
        "e/epsilon/setup.py": "",
        "e/epsilon/__init__.py": "",
    }
