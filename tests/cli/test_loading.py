"""What is loaded by a run that finds no prompt, and by the help."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

SHOWN = """
import sys
from prefixlint.cli.main import app
try:
    app(sys.argv[1:], standalone_mode=True)
except SystemExit:
    pass
heavy = ("tiktoken", "tokenizers", "transformers", "libcst", "jinja2", "ruamel", "yaml", "numpy", "regex", "pygls")
print("LOADED", *(name for name in heavy if name in sys.modules))
"""
CODE = "import os\n\n\ndef longest(messages):\n    return max(messages, key=len), os.getcwd()\n"


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["check", "."], ["report", "."]])
def test_no_heavy_library_is_loaded_without_a_template(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text(CODE)
    (tmp_path / "settings.yaml").write_text("port: 80\nname: desk\n")
    done = subprocess.run(
        [sys.executable, "-c", SHOWN, *arguments], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "LOADED"
