"""The commands that the documentation shows, run in the order of a page, and what they print.

A ``console`` block holds commands behind ``$ `` and their output; a line ``...`` stands for any lines. A block with
``title="bot.py"`` is that file, written where the commands are by then. ``<!-- commands begin in: examples -->`` says
where a page begins, an empty folder otherwise. ``python docs/_site/commands.py`` writes the outputs of all pages anew.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

DOCS = Path(__file__).parents[1]
ROOT = DOCS.parent
_FENCE = re.compile(r'^```(\w+)(?: title="([^"]+)")?[^\n]*\n(.*?)^```$', re.MULTILINE | re.DOTALL)
_BEGIN = re.compile(r"<!-- commands begin in: (\S+) -->")
# What needs a package index, and what it gives: the test has both already.
_GIVEN = re.compile(r"^(pip install |python3 -m venv |\. \.venv/bin/activate)")


@dataclass(frozen=True, slots=True)
class Command:
    """A line behind ``$ ``, and the output shown below it; ``start`` and ``end`` are where that stands in the page."""

    line: str
    shown: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class File:
    """A file that the page shows in full."""

    name: str
    text: str


def steps(page: str) -> list[Command | File]:
    """Files and commands in the order of the page."""
    out: list[Command | File] = []
    for fence in _FENCE.finditer(page):
        language, title, body = fence.groups()
        if language != "console":
            if title:
                out.append(File(title, body))
            continue
        at = fence.start(3)
        prompts = [*re.finditer(r"^\$ (.+)\n", body, re.MULTILINE)]
        ends = [*(each.start() for each in prompts[1:]), len(body)]
        for prompt, end in zip(prompts, ends, strict=True):
            out.append(Command(prompt[1], body[prompt.end() : end], at + prompt.end(), at + end))
    return out


def as_expected(shown: str, printed: str) -> bool:
    """True where the output is what is shown."""
    pattern = "".join(r"(?:.*\n)*?" if line == "...\n" else re.escape(line) for line in shown.splitlines(keepends=True))
    return re.fullmatch(pattern, printed) is not None


def outputs(page: str, base: Path) -> list[tuple[Command, str]]:
    """Each command with what it prints, standard error included, when the page is followed in a folder of ``base``."""
    home, programs, work = base / "home", base / "bin", base / "work"
    for folder in (home, programs, work):
        folder.mkdir()
    begin = _BEGIN.search(page)
    if begin:
        shutil.copytree(ROOT / begin[1], work, dirs_exist_ok=True)
    for name, module in (("prefixlint", "prefixlint"), ("pre-commit", "pre_commit"), ("python", "")):
        call = f"-m {module} " if module else ""
        (programs / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {call}"$@"\n', encoding="utf-8")
        (programs / name).chmod(0o755)
    script = ["git init -q -b main; git add -A; git commit -q -m start" if begin else ":"]
    commands = []
    for number, step in enumerate(steps(page)):
        if isinstance(step, File):
            script.append(
                f"mkdir -p \"$(dirname {step.name})\"; cat > {step.name} <<'END-{number}'\n{step.text}END-{number}"
            )
        else:
            commands.append(step)
            line = ":" if _GIVEN.match(step.line) else step.line
            script.append(f"echo {shlex.quote(f'=={number}==')}\n{line}")
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-c", "\n".join(script)],
        cwd=work,
        env=_environment(home, programs),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    printed = re.split(r"^==\d+==\n", done.stdout, flags=re.MULTILINE)[1:]
    return list(zip(commands, printed, strict=True))


def _environment(home: Path, programs: Path) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "PRE_COMMIT"))}
    for name in ("NO_COLOR", "FORCE_COLOR", "CI"):
        kept.pop(name, None)
    paths = [str(ROOT / part) for part in os.environ.get("PYTHONPATH", "").split(os.pathsep) if part]
    return {
        **kept,
        "PYTHONPATH": os.pathsep.join(paths),
        "PYTHONUTF8": "1",
        "HOME": str(home),
        "PRE_COMMIT_HOME": str(home / "pre-commit"),
        "PRE_COMMIT_COLOR": "never",
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        **{f"GIT_{who}_{what}": "a@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    }


def renewed(page: str, base: Path) -> str:
    """The page with the outputs of now; one that is right though it leaves lines out stays."""
    for command, printed in reversed(outputs(page, base)):
        if not as_expected(command.shown, printed):
            page = page[: command.start] + printed + page[command.end :]
    return page


def main() -> None:
    for path in sorted(DOCS.rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        if "```console\n" not in text:
            continue
        with tempfile.TemporaryDirectory() as folder:
            new = renewed(text, Path(folder))
        if new != text:
            path.write_text(new, encoding="utf-8")
            print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
