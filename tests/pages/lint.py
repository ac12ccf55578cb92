"""Runs the whole pipeline over a folder of examples."""

from __future__ import annotations

from typing import TYPE_CHECKING

from expectations import disagreements, markers
from prefixlint_rules import RULES

if TYPE_CHECKING:
    from pathlib import Path

KNOWN = frozenset(rule.code for rule in RULES)


def check_folder(folder: Path, files: list[Path]) -> list[str]:
    """What is wrong with the run over ``folder``, against the markers in ``files``; nothing when all is as marked.

    The default rules run, and those that a marker names; findings of every severity count.
    """
    from dataclasses import replace

    from prefixlint.config import Config, load
    from prefixlint.config.selection import Selection
    from prefixlint.run import run

    named = {marker.code for file in files for marker in markers(file.read_text(encoding="utf-8"), file.suffix)}
    selection = Selection(extend=tuple(sorted(named & KNOWN)))
    own = folder / "prefixlint.toml"
    config = load(file=str(own)) if own.is_file() else Config(root=str(folder))
    result = run([str(folder)], replace(config, exclude=(), selections=(selection,), preview=True))
    broken = [f"{crash.where}: {crash.stage} crashed: {crash.error}" for crash in result.crashes]
    return broken + disagreements(files, result.findings)
