"""The programs: where they are, what they are to show, and what prefixlint finds in them."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from differential_prediction import Prediction
from differential_tokens import tokens_disagreement
from prefixlint.config import Config
from prefixlint.config.selection import Selection
from prefixlint.model.findings import Severity
from prefixlint.model.lifetimes import Lifetime
from prefixlint.run import run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prefixlint.model.layouts import Layout
    from prefixlint.model.sources import Span
    from prefixlint.run.result import RunResult

HERE = Path(__file__).parent
PROGRAMS = HERE / "programs"
# Forms of calls that the stubs take. Others stand for text of which no call is known, or for a prompt file by itself.
_CALLS = ("openai-", "anthropic-", "litellm", "ollama-", "langchain-model")


@dataclass(frozen=True, slots=True)
class Program:
    """``path`` is what is linted, a file or a folder; ``entry`` is what is executed."""

    path: Path
    entry: Path

    @property
    def name(self) -> str:
        return self.path.relative_to(PROGRAMS).with_suffix("").as_posix()

    @property
    def faulty(self) -> bool:
        return self.path.stem == "fault"

    @property
    def gap(self) -> str | None:
        """The reason why prefixlint is known to get this program wrong, or None."""
        first = self.entry.read_text(encoding="utf-8").partition("\n")[0]
        return first.removeprefix("# gap: ") if first.startswith("# gap: ") else None

    def marked(self) -> list[tuple[str, int, int]]:
        """File, first and last line of the code that a ``# fault`` comment stands above, or of a named place.

        ``# fault: notes.md:3`` names a line of a file that cannot hold such a comment.
        """
        out = []
        for file in [self.path] if self.path.is_file() else sorted(self.path.rglob("*.py")):
            text = file.read_text(encoding="utf-8")
            for number, line in enumerate(text.splitlines(), 1):
                named = re.fullmatch(r"\s*# fault: (\S+):(\d+)", line)
                if named:
                    at = int(named[2])
                    out.append((str(file.parent / named[1]), at, at))
                elif line.strip() == "# fault":
                    below = [n for n in ast.walk(ast.parse(text)) if getattr(n, "lineno", 0) == number + 1]
                    out.append((str(file), number + 1, max(n.end_lineno or 0 for n in below)))  # type: ignore[attr-defined]
        return out


def programs() -> list[Program]:
    """All programs, by name: ``pair/fault.py`` and ``pair/clean.py``, or folders of these names with a ``main.py``."""
    found = []
    for pair in sorted(path for path in PROGRAMS.iterdir() if path.is_dir()):
        for half in ("fault", "clean"):
            single, folder = pair / f"{half}.py", pair / half
            if single.is_file():
                found.append(Program(single, single))
            elif folder.is_dir():
                found.append(Program(folder, folder / "main.py"))
    return found


@dataclass(frozen=True, slots=True)
class Recording:
    """What a program sent under one hash seed, as ``differential_runner`` describes it."""

    fresh: list[str]
    turns: list[str]
    days: list[str]
    error: str | None


def record(found: Sequence[Program]) -> dict[str, list[Recording]]:
    """What the programs send, by name: one recording for each hash seed."""
    entries = [str(program.entry) for program in found]
    running = [
        subprocess.Popen(
            [sys.executable, str(HERE / "differential_runner.py"), str(PROGRAMS), *entries],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": str(seed), "TZ": "UTC"},
        )
        for seed in (0, 1)
    ]
    out: dict[str, list[Recording]] = {program.name: [] for program in found}
    for process in running:
        stdout, stderr = process.communicate()
        if process.returncode:
            raise RuntimeError(stderr)
        recordings = json.loads(stdout)
        for program in found:
            out[program.name].append(Recording(**recordings[str(program.entry.resolve())]))
    return out


@cache
def lint(program: Program) -> RunResult:
    # Conditions in front are part of the test, though their rule is off unless it is asked for; what providers want of
    # cache markers is not: the texts are shorter than any of them caches.
    return run(
        [str(program.path)],
        Config(str(PROGRAMS), exclude=(), selections=(Selection(extend=("PFX109",), ignore=("PFX4",)),)),
    )


def faults(program: Program, result: RunResult, recordings: Sequence[Recording]) -> list[str]:
    """All that prefixlint gets wrong about a program; the first of them matters most."""
    out = disagreements(result.layouts, recordings)
    alarms = result.at_least(Severity.WARNING)
    if not program.faulty:
        out.extend(f"false alarm {f.code} on {f.expression!r}, line {f.span.start.line}" for f in alarms)
    else:
        # What differs from process to process only is told as info. What a user types does not.
        of_a_process = [f for f in result.findings if f.lifetime is Lifetime.PROCESS and f.code != "PFX105"]
        found = [*alarms, *of_a_process]
        told = [(f.span.path, f.span.start.line, f.code, f.expression) for f in found]
        places = program.marked()
        if not any(path == file and first <= line <= last for path, line, *_ in told for file, first, last in places):
            elsewhere = ", ".join(f"{code} on {text!r}, line {line}" for _, line, code, text in told)
            out.append(f"no finding at the marked place; {elsewhere or 'none anywhere'}")
    return out


def disagreements(layouts: Sequence[Layout], recordings: Sequence[Recording]) -> list[str]:
    """Disagreements of the layouts with the recordings.

    Every call has to agree, in one of the ways in which it is reached; of loose texts, one.
    """
    if not layouts:
        return ["no template found"]
    calls = [layout for layout in layouts if layout.template.form.startswith(_CALLS)]
    wrong: dict[Span | None, list[list[str]]] = defaultdict(list)
    for layout in calls or layouts:
        wrong[layout.template.span if calls else None].append(_layout(layout, recordings))
    return [text for ways in wrong.values() for text in min(ways, key=len)]


def _layout(layout: Layout, recordings: Sequence[Recording]) -> list[str]:
    prediction = Prediction(layout)
    out = [f"unknown value {expression!r}" for expression in prediction.unknown()]
    fresh = [text for recording in recordings for text in recording.fresh]
    texts = [prediction.disagreement(fresh, "processes")]
    for recording in recordings:
        texts.append(prediction.disagreement(recording.turns, "turns") if recording.turns else None)
        texts.append(prediction.disagreement(recording.days, "days"))
    if not any(texts):
        texts.append(_breakpoint(layout, prediction))
        texts.append(tokens_disagreement(layout, prediction, fresh))
    out.extend(dict.fromkeys(f"{layout.template.form}: {text}" for text in texts if text))
    return out


def _breakpoint(layout: Layout, prediction: Prediction) -> str | None:
    """The reported breakpoint is the first place that differs between requests."""
    found = layout.breakpoint and (layout.breakpoint.span, layout.breakpoint.expression)
    expected = prediction.first and (prediction.first.segment.span, prediction.first.segment.expression)
    return None if found == expected else f"the breakpoint is reported at {found}, not at {expected}"
