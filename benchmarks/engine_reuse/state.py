"""Predicted reuse against llama.cpp's own server: a plain model, one with ``--cache-reuse``, and a recurrent one.

``python benchmarks/engine_reuse/state.py --pairs 330`` needs the packages xllamacpp and gguf, which the ``test`` extra
brings, and writes ``state.json`` beside this file.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent / "tests" / "cli"))

from llama_pairs import KINDS, ask  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=330)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=HERE / "state.json")
    options = parser.parse_args()
    results = []
    for kind in KINDS:
        with tempfile.TemporaryDirectory() as folder:
            asked = list(ask(kind, Path(folder), options.pairs, options.seed))
        equal = sum(pair.predicted == pair.found for pair in asked)
        reused = sum(pair.found or 0 for pair in asked)
        results.append({"kind": kind, "pairs": len(asked), "equal": equal, "reused_tokens": reused})
        print(f"{kind}: {equal} of {len(asked)} equal", flush=True)
    command = f"state.py --pairs {options.pairs} --seed {options.seed}"
    report = {"command": command, "engine": f"xllamacpp=={version('xllamacpp')}", "results": results}
    options.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
