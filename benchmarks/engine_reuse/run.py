"""Predicted reuse against what llama.cpp's own server reports.

``python benchmarks/engine_reuse/run.py --pairs 500`` fetches the engine and three vocabularies from package registries,
makes a model for each, sends both requests of every pair, and writes ``results.json`` beside this file.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent.parent / "tests" / "engines")]

import pairs  # noqa: E402
import registry  # noqa: E402
from prefixlint.tokens.chat_files import chat_template  # noqa: E402

TEMPLATES = {
    "qwen3": "Qwen-Qwen3-0.6B.jinja",
    "llama3_1": "meta-llama-Llama-3.1-8B-Instruct.jinja",
    "deepseek_v3": "",
}
"""A file among llama.cpp's templates; "" for the one that comes with the tokenizer, which has no place for tools."""


@dataclass(frozen=True, slots=True)
class Result:
    """How many of ``pairs`` had the reuse and the length that were predicted, and the first ones that had not."""

    tokenizer: str
    chat_template: str
    engine: str
    pairs: int
    with_tools: int
    equal: int
    refused: int
    reused_tokens: int
    computed_tokens: int
    wrong: list[dict[str, object]]


def compare(name: str, count: int, seed: int, cache: Path) -> Result:
    """Runs ``count`` pairs with the vocabulary ``name``."""
    folder = registry.tokenizer_folder(cache, name)
    named = TEMPLATES[name]
    template = registry.templates_and_vocabularies(cache) / "templates" / named if named else folder
    python = registry.engine_python(cache)
    made = pairs.pairs(count, seed, folder, template, tools=bool(named))
    with tempfile.TemporaryDirectory() as scratch:
        model, chats, out = (Path(scratch) / each for each in ("model.gguf", "chats.json", "answers.json"))
        jinja = Path(scratch) / "chat_template.jinja"
        jinja.write_text(chat_template(str(template)).text, encoding="utf-8")
        subprocess.run([python, HERE / "make_model.py", folder, jinja, model], check=True)
        chats.write_text(json.dumps([chat for pair in made for chat in (pair.first, pair.second)]), encoding="utf-8")
        served = subprocess.run([python, HERE / "serve.py", model, chats, out], check=False, capture_output=True)
        if served.returncode:
            raise RuntimeError(served.stderr.decode("utf-8", "replace")[-3000:])
        answers = json.loads(out.read_text(encoding="utf-8"))[1::2]
    answered = [(pair, answer) for pair, answer in zip(made, answers, strict=True) if "error" not in answer]
    wrong = [
        {"predicted": [pair.cached, pair.total], "answer": answer, "note": pair.note, "second": pair.second}
        for pair, answer in answered
        if (pair.cached, pair.total) != (answer["cached"], answer["cached"] + answer["computed"])
    ]
    return Result(
        tokenizer=name,
        chat_template=named or "its own",
        engine=registry.ENGINE[0],
        pairs=len(made),
        with_tools=sum("tools" in pair.first for pair in made),
        equal=len(answered) - len(wrong),
        refused=len(made) - len(answered),
        reused_tokens=sum(answer["cached"] for _, answer in answered),
        computed_tokens=sum(answer["computed"] for _, answer in answered),
        wrong=wrong[:5],
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cache", type=Path, default=Path(".cache/engine_reuse"))
    parser.add_argument("--out", type=Path, default=HERE / "results.json")
    options = parser.parse_args()
    options.cache.mkdir(parents=True, exist_ok=True)
    results = []
    for name in TEMPLATES:
        results.append(compare(name, options.pairs, options.seed, options.cache.resolve()))
        print(f"{name}: {results[-1].equal} of {results[-1].pairs} equal, {results[-1].refused} refused", flush=True)
    report = {"command": f"run.py --pairs {options.pairs} --seed {options.seed}", "results": list(map(asdict, results))}
    options.out.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
