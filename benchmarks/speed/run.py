"""Time and memory of ``prefixlint check`` against parsing alone, ruff, pcdlint and cachedrift.

``python benchmarks/speed/run.py`` fetches source distributions and rivals from PyPI into a folder, runs all in turn,
and writes ``results.json`` and ``chart.svg`` beside this file. All figures of a line are of one run on one machine;
times are CPU seconds of one process (``--jobs 1``), medians over ``--runs``.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import venv
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

HERE = Path(__file__).parent
PROJECTS = {
    "agno": "2.1.0",
    "langchain-community": "0.3.30",
    "llama-index-core": "0.14.4",
    "aider-chat": "0.86.1",
    "Django": "5.2.7",
}
OWN = [sys.executable, "-m", "prefixlint", "check"]
ONE_PROCESS = [*OWN, "--jobs", "1", "--exit-zero", "--output-format", "concise"]
RIVALS = ("ruff", "pcdlint", "cachedrift")
FLOOR = """
import ast, sys, warnings
from pathlib import Path
warnings.simplefilter("ignore")
for path in Path(sys.argv[1]).rglob("*.py"):
    try:
        ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):
        pass
"""


@dataclass(frozen=True)
class Used:
    """CPU seconds of a process and its workers, peak memory of the largest in MB, seconds by the clock."""

    seconds: float
    megabytes: float
    elapsed: float


def measured(command: list[str], cache: Path | None = None) -> Used:
    """What a process takes, however it ends."""
    code = (
        "import json, resource, subprocess, sys, time\n"
        "start = time.perf_counter()\n"
        "subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(json.dumps([used.ru_utime + used.ru_stime, used.ru_maxrss, time.perf_counter() - start]))"
    )
    environment = os.environ | ({"PREFIXLINT_CACHE_DIR": str(cache)} if cache is not None else {})
    # As installed: with compiled bytecode, which some containers keep Python from writing.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    environment["PYTHONPYCACHEPREFIX"] = str(Path(tempfile.gettempdir()) / "prefixlint-benchmark-bytecode")
    done = subprocess.run([sys.executable, "-c", code, *command], capture_output=True, check=True, env=environment)
    seconds, peak, elapsed = json.loads(done.stdout)
    return Used(seconds, peak / (1024 * 1024 if sys.platform == "darwin" else 1024), elapsed)


def fetched(name: str, version: str, folder: Path) -> Path:
    """The unpacked source distribution; the wheel, which holds the same modules, where pip cannot build the former."""
    target = folder / f"{name}-{version}"
    if not target.is_dir():
        with tempfile.TemporaryDirectory() as there:
            command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", there, f"{name}=={version}"]
            if subprocess.run([*command, "--no-binary", ":all:"], check=False).returncode:
                subprocess.run(command, check=True)
            (archive,) = Path(there).glob("*.*")
            unpacked = Path(there) / "unpacked"
            shutil.unpack_archive(archive, unpacked, "zip" if archive.suffix == ".whl" else None, filter="data")
            inner = list(unpacked.iterdir())
            shutil.move(str(inner[0] if len(inner) == 1 else unpacked), str(target))
    return target


def rivals(folder: Path) -> Path:
    """The folder of programs of an environment with the rivals."""
    place = folder / "rivals"
    programs = place / ("Scripts" if os.name == "nt" else "bin")
    if not (programs / "cachedrift").exists():
        venv.create(place, with_pip=True)
        subprocess.run([programs / "python", "-m", "pip", "install", "-q", *RIVALS], check=True)
    return programs


def commands(tree: Path, programs: Path) -> dict[str, list[str]]:
    own = [*ONE_PROCESS, str(tree)]
    return {
        "ast.parse": [sys.executable, "-c", FLOOR, str(tree)],
        "prefixlint cold": [*own, "--no-cache"],
        "prefixlint warm": own,
        "ruff": [str(programs / "ruff"), "check", "--no-cache", "--exit-zero", "--quiet", str(tree)],
        "pcdlint": [str(programs / "pcdlint"), str(tree)],
        "cachedrift": [str(programs / "cachedrift"), str(tree)],
    }


def compared(tree: Path, programs: Path, runs: int) -> dict[str, dict[str, float]]:
    """Median seconds and memory of each command, and the ratio to parsing."""
    times: dict[str, list[float]] = {}
    peaks: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as cache:
        every = commands(tree, programs)
        measured(every["prefixlint warm"], Path(cache))
        for _ in range(runs):
            for name, command in every.items():
                used = measured(command, Path(cache))
                times.setdefault(name, []).append(used.seconds)
                peaks.setdefault(name, []).append(used.megabytes)
    floor = statistics.median(times["ast.parse"])
    return {
        name: {
            "seconds": round(statistics.median(found), 3),
            "times_parsing": round(statistics.median(found) / floor, 2),
            "megabytes": round(statistics.median(peaks[name])),
        }
        for name, found in times.items()
    }


def one_changed(tree: Path, runs: int) -> dict[str, float]:
    """CPU seconds of a run over the whole tree in which one file has changed since the last one, and of one over that
    file alone, as the hook runs it: over files of all sizes, and what the tree takes when none or all is known."""
    files = sorted((path for path in tree.rglob("*.py") if path.stat().st_size), key=lambda path: path.stat().st_size)
    own = ONE_PROCESS
    whole, alone = [], []
    with tempfile.TemporaryDirectory() as cache:
        cold = measured([*own, str(tree)], Path(cache)).seconds
        for number in range(runs):
            path = files[len(files) * (2 * number + 1) // (2 * runs)]
            before = path.read_bytes()
            try:
                path.write_bytes(before + b"\n# changed\n")
                whole.append(measured([*own, str(tree)], Path(cache)).seconds)
                alone.append(measured([*own, str(path)], Path(cache)).seconds)
            finally:
                path.write_bytes(before)
    return {
        "cold": round(cold, 3),
        "whole tree": round(statistics.median(whole), 3),
        "whole tree, worst": round(max(whole), 3),
        "of cold": round(statistics.median(whole) / cold, 2),
        "the file alone": round(statistics.median(alone), 3),
    }


def processes(tree: Path, runs: int) -> dict[str, float]:
    """Seconds by the clock of a cold run in one process, and in one for each processor."""
    cold = ["--no-cache", "--exit-zero", str(tree)]
    all_ = str(os.cpu_count() or 1)
    lines = {"one": [*OWN, "--jobs", "1", *cold], "one for each processor": [*OWN, "--jobs", all_, *cold]}
    return {
        name: round(statistics.median(measured(line).elapsed for _ in range(runs)), 2) for name, line in lines.items()
    }


def start_up(runs: int) -> dict[str, float]:
    """CPU seconds of what every run pays, and of what it is measured against."""
    load = "import click, tiktoken; from prefixlint.tokens import get_tokenizer; get_tokenizer('o200k_base')"
    lines = {
        "import click": [sys.executable, "-c", "import click"],
        "prefixlint --version": [sys.executable, "-m", "prefixlint", "--version"],
        "import click, tiktoken; load o200k_base": [sys.executable, "-c", load],
    }
    return {
        name: round(statistics.median(measured(line).seconds for _ in range(runs + 1)), 3)
        for name, line in lines.items()
    }


def growth(tree: Path, folder: Path, sizes: tuple[int, ...]) -> dict[str, dict[str, float]]:
    """The same tree once, four times and sixteen times side by side, as separate projects of one repository."""
    out = {}
    for size in sizes:
        place = folder / f"copies-{size}"
        for number in range(size):
            if not (place / str(number)).is_dir():
                shutil.copytree(tree, place / str(number))
        used = measured([*ONE_PROCESS, "--no-cache", str(place)])
        out[str(size)] = {"seconds": round(used.seconds, 2), "megabytes": round(used.megabytes)}
    return out


def chart(results: dict[str, dict[str, dict[str, float]]]) -> str:
    """Bars of CPU time as multiples of parsing, on a logarithmic scale."""
    top = max(entry["times_parsing"] for lines in results.values() for entry in lines.values())
    rows = []
    y = 20
    for project, lines in results.items():
        rows.append(f'<text x="10" y="{y}" font-weight="bold">{project}</text>')
        for name, entry in lines.items():
            y += 18
            width = 20 + 360 * _log(max(entry["times_parsing"], 0.05) / 0.05) / _log(max(top, 1) / 0.05)
            colour = "#2a6f97" if name.startswith("prefixlint") else "#9aa5b1"
            rows.append(f'<text x="150" y="{y}" text-anchor="end">{name}</text>')
            rows.append(f'<rect x="160" y="{y - 11}" width="{width:.0f}" height="13" fill="{colour}"/>')
            rows.append(
                f'<text x="{170 + width:.0f}" y="{y}">{entry["times_parsing"]:g} x, {entry["seconds"]:g} s</text>'
            )
        y += 28
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="680" height="{y}" font-family="sans-serif" font-size="12">'
    return "\n".join([head, '<rect width="100%" height="100%" fill="white"/>', *rows, "</svg>\n"])


def _log(value: float) -> float:
    from math import log10

    return log10(max(value, 1.0001))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "prefixlint-benchmark")
    parser.add_argument("--projects", nargs="*", default=list(PROJECTS), choices=list(PROJECTS))
    parser.add_argument("--growth", type=int, nargs="*", default=[1, 4, 16])
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    programs = rivals(options.folder)
    results = {}
    for name in options.projects:
        tree = fetched(name, PROJECTS[name], options.folder)
        results[f"{name} {PROJECTS[name]}"] = compared(tree, programs, options.runs)
        print(json.dumps(results, indent=1), flush=True)
    grown = fetched("agno", PROJECTS["agno"], options.folder)
    report = {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors",
        "python": platform.python_version(),
        "runs": options.runs,
        "projects": results,
        "one changed file of agno": one_changed(grown, options.runs),
        "processes": processes(grown, options.runs),
        "start-up": start_up(options.runs),
        "growth of agno": growth(grown, options.folder, tuple(options.growth)),
    }
    (HERE / "results.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    (HERE / "chart.svg").write_text(chart(results), encoding="utf-8")
    print(json.dumps(report["growth of agno"]))


if __name__ == "__main__":
    main()
