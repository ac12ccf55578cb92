"""How long an editor waits: from a key to the diagnostics of the new text, and for what it asks in between.

``python benchmarks/editor_latency/run.py`` starts the server as an editor does, opens the examples and a long program
made here, changes each text a few times, and writes ``results.json`` beside this file. Folders given as arguments are
measured instead, and printed alone.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(ROOT / "tests" / "server")]

from editor import Editor, editor  # noqa: E402
from lsprotocol import types  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterator

CHANGES = 12
FILES = 60
"""Files opened of one folder, those with prompts; the largest first."""

RULES = "Answer in one short sentence, name the page of the handbook, and never guess a price. " * 12
FUNCTION = '''
def answer_{number}(question: str, history: list) -> object:
    """Another prompt of the long program."""
    rules = """{rules}"""
    return OpenAI().chat.completions.create(
        model="gpt-4o",
        messages=[
            {{"role": "system", "content": f"It is {{datetime.now():%H:%M}}. {{rules}}"}},
            *history,
            {{"role": "user", "content": question}},
        ],
    )


def helper_{number}(values: list[int]) -> int:
    total = 0
    for value in values:
        if value % {number} == 0:
            total += value * {number}
        elif value > 100:
            total -= value
    return total

'''


def long_program(prompts: int = 60) -> str:
    """A program of about 1,500 lines with that many prompts."""
    head = "from datetime import datetime\n\nfrom openai import OpenAI\n\n"
    return head + "".join(FUNCTION.format(number=number, rules=RULES) for number in range(1, prompts + 1))


def files(folder: Path) -> Iterator[Path]:
    """The files in which prefixlint finds prompts, the largest first."""
    from prefixlint.api import report

    paths = {layout.template.span.path for layout in report([folder]).layouts}
    yield from sorted((Path(path) for path in paths), key=lambda path: -path.stat().st_size)


async def timed(answer: Awaitable[object]) -> float:
    start = time.perf_counter()
    await answer
    return 1000 * (time.perf_counter() - start)


async def measure(client: Editor, name: str, text: str) -> dict[str, list[float]]:
    """Milliseconds of each kind of wait in one document."""
    out: dict[str, list[float]] = {"first": [], "change": [], "hover": [], "hints": [], "lenses": []}

    async def told(version: int) -> None:
        await client.codes(name, version)

    client.open(name, text, "python" if name.endswith(".py") else "plaintext")
    out["first"].append(await timed(told(1)))
    lines = text.count("\n")
    everything = types.Range(types.Position(0, 0), types.Position(lines + 1, 0))
    for number in range(CHANGES):
        # A comment grows at the end of the text, as while typing: nothing that is found changes its place.
        version = client.change(name, f"{text}\n# {'x' * number}\n" if name.endswith(".py") else text + "x" * number)
        out["change"].append(await timed(told(version)))
        place = types.Position(number * lines // CHANGES, 8)
        document = client.identifier(name)
        out["hover"].append(await timed(client.text_document_hover_async(types.HoverParams(document, place))))
        hints = types.InlayHintParams(document, everything)
        out["hints"].append(await timed(client.text_document_inlay_hint_async(hints)))
        out["lenses"].append(await timed(client.text_document_code_lens_async(types.CodeLensParams(document))))
    client.close(name)
    return out


async def folder_times(folder: Path) -> dict[str, object]:
    """The waits in all files with prompts of one folder, put together."""
    paths = list(files(folder))[:FILES]
    waits: dict[str, list[float]] = {}
    async with editor(folder, settings={"debounce": 0}) as client:
        for path in paths:
            text = path.read_text(encoding="utf-8", errors="replace")
            for kind, values in (await measure(client, path.relative_to(folder).as_posix(), text)).items():
                waits.setdefault(kind, []).extend(values)
    lines = [path.read_text(encoding="utf-8", errors="replace").count("\n") for path in paths]
    told: dict[str, object] = {"files": len(paths), "lines": sum(lines), "longest_file": max(lines, default=0)}
    for kind, values in waits.items():
        values.sort()
        told[kind] = {
            "median_ms": round(statistics.median(values), 1),
            "p95_ms": round(values[int(0.95 * (len(values) - 1))], 1),
            "max_ms": round(values[-1], 1),
        }
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path)
    arguments = parser.parse_args()
    if arguments.folders:
        for folder in arguments.folders:
            print(folder.name, json.dumps(asyncio.run(folder_times(folder.resolve())), indent=2))
        return
    with tempfile.TemporaryDirectory() as scratch:
        (Path(scratch) / "long.py").write_text(long_program(), encoding="utf-8")
        results = {
            "examples": asyncio.run(folder_times(ROOT / "examples")),
            "a program of 60 prompts": asyncio.run(folder_times(Path(scratch).resolve())),
        }
    text = json.dumps(results, indent=2) + "\n"
    (HERE / "results.json").write_text(text, encoding="utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
