"""Adoption of prefixlint in a repository that has many faults already.

``python benchmarks/adoption/run.py FOLDER --name OWNER/REPOSITORY@COMMIT`` works on a copy of the folder: it writes a
baseline, checks that nothing is left to report, shifts all Python files by fifty lines, adds one fault, and writes what
came out to ``results.json`` beside this file. It ends with status 1 where any of this is not as it should be.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
BASELINE = "prefixlint-baseline.txt"
SHIFT = 50
HEAD = re.compile(r"(?:#!.*\n)?(?:#.*coding[:=].*\n)?")
FAULT = '''

def _added_by_hand(question):
    from datetime import datetime

    from openai import OpenAI

    system = f"""It is {datetime.now():%H:%M:%S}.

You keep the register of a small archive. Each letter has a number, a sender and a day of arrival. Letters without a
sender are kept by the postmark. When two letters bear one number, the older one keeps it. Never give out an address.
Answer with the number of the letter first. When nothing fits, name the three nearest letters and say why they differ
from what was asked for. Drafts are listed behind the letters that came of them."""
    messages = [{"role": "system", "content": system}, {"role": "user", "content": question}]
    return OpenAI().chat.completions.create(model="gpt-4o", messages=messages)
'''


@dataclass(frozen=True, slots=True)
class Adoption:
    """What was counted; ``left``, ``shifted`` and ``unneeded`` should be 0 and ``added`` 1."""

    repository: str
    version: str
    files: int
    templates: int
    errors: int
    warnings: int
    left: int
    shifted_files: int
    shifted: int
    unneeded: int
    added: int
    added_code: str


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--name", default="", help="what the folder holds: OWNER/REPOSITORY@COMMIT")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        copy = Path(temporary) / "repository"
        shutil.copytree(arguments.folder, copy, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        found = adopt(copy, arguments.name or arguments.folder.name)
    print(json.dumps(asdict(found), indent=2))
    (HERE / "results.json").write_text(json.dumps(asdict(found), indent=2) + "\n", encoding="utf-8")
    return 0 if (found.left, found.shifted, found.unneeded, found.added) == (0, 0, 0, 1) else 1


def adopt(folder: Path, name: str) -> Adoption:
    before, _ = check(folder)
    run(folder, "check", "--write-baseline", BASELINE, ".")
    after, _ = check(folder, "--baseline", BASELINE)
    shifted_files = shift(folder)
    shifted, told = check(folder, "--baseline", BASELINE)
    add_fault(folder, before["diagnostics"])
    added, _ = check(folder, "--baseline", BASELINE)
    summary = before["summary"]
    return Adoption(
        repository=name,
        version=before["tool"]["version"],
        files=summary["files"],
        templates=summary["templates"],
        errors=summary["errors"],
        warnings=summary["warnings"],
        left=len(after["diagnostics"]),
        shifted_files=shifted_files,
        shifted=len(shifted["diagnostics"]),
        unneeded=told.count("no longer needed"),
        added=len(added["diagnostics"]),
        added_code=", ".join(one["code"] for one in added["diagnostics"]),
    )


def shift(folder: Path) -> int:
    """Puts ``SHIFT`` lines of comment in front of every Python file; gives the number of files."""
    count = 0
    for file in sorted(folder.rglob("*.py")):
        try:
            text = file.read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        end = re.search(r"\r?\n|$", text)
        line = "# shifted" + (end[0] if end is not None and end[0] else "\n")
        head = HEAD.match(text)
        at = head.end() if head is not None else 0
        file.write_bytes((text[:at] + line * SHIFT + text[at:]).encode("utf-8"))
        count += 1
    return count


def add_fault(folder: Path, diagnostics: list[dict[str, Any]]) -> None:
    """Adds a function with a fault at the end of the first Python file that has one already."""
    paths = sorted({one["path"] for one in diagnostics if one["path"].endswith(".py")})
    file = folder / (paths[0] if paths else "added_by_hand.py")
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    file.write_text(text.rstrip("\n") + "\n" + FAULT, encoding="utf-8")


def check(folder: Path, *options: str) -> tuple[dict[str, Any], str]:
    """The JSON document of a run over the folder, and what was told on standard error."""
    done = run(folder, "check", "--output-format", "json", *options, ".")
    return json.loads(done.stdout), done.stderr


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "prefixlint", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(arguments)}: status {done.returncode}\n{done.stderr}")
    return done


if __name__ == "__main__":
    sys.exit(main())
