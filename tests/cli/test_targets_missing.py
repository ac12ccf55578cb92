"""A tokenizer that a target names and that is not there: told once, and the run goes on."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

PROMPT = """\
from openai import OpenAI

client = OpenAI()


def {name}(question):
    system = {{"role": "system", "content": "You are a careful assistant."}}
    return client.chat.completions.create(model="m", messages=[system, {{"role": "user", "content": question}}])
"""


def test_a_missing_tokenizer_is_told_once(tmp_path: Path) -> None:
    for name in ("first", "second"):
        (tmp_path / f"{name}_prompt.py").write_text(PROMPT.format(name=name), encoding="utf-8")
    (tmp_path / "prefixlint.toml").write_text(
        'target = ["vllm"]\n[targets.vllm]\ntokenizer = "models/gone.gguf"\n', encoding="utf-8"
    )
    command = [sys.executable, "-m", "prefixlint", "check", "."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0
    assert done.stderr.count("unknown tokenizer 'models/gone.gguf'") == 1
    assert "tokens are counted with o200k_base" in done.stderr
    assert "2 templates" in done.stdout
