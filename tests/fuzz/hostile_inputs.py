"""Hostile inputs through the whole of a run: real files changed at random, made-up files of each kind, odd syntax.

Each input is run as ``check -`` would: decoded, recognised, followed, measured, judged, and reported in every format.
It must not crash, take long, point outside of the file, or find anything without a template.

    python tests/fuzz/hostile_inputs.py --inputs 20000 --seed 1
    python tests/fuzz/hostile_inputs.py --inputs 20000 --seed 1 --corpus FOLDER   # files of a project as well
    python tests/fuzz/hostile_inputs.py --seed 1 --only 4711                      # one of them again
    python tests/fuzz/hostile_inputs.py --grammar 2000 --seed 1                   # hypothesmith's programs
    python tests/fuzz/hostile_inputs.py --files FOLDER                            # each file as it is: CPython's tests
"""

from __future__ import annotations

import argparse
import heapq
import json
import os
import random
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from prefixlint.run.result import RunResult

ROOT = Path(__file__).resolve().parents[2]
OWN = ("tests/cases", "tests/differential/programs", "examples")
LONGEST = 1.0
"""Seconds of computing that an input may take."""
HANGS = 20.0
"""Seconds of computing after which an input is given up."""
LARGEST = 8_000
"""Bytes of a real file that is changed: small ones are many times as many inputs."""
SUFFIXES = (".py", ".yaml", ".yml", ".json", ".toml", ".jinja", ".jinja2", ".j2", ".txt", ".md", ".prompt", ".prompty")


class Input(NamedTuple):
    """``name`` is the path that it is given, which decides what it is read as."""

    name: str
    data: bytes


class Hang(BaseException):
    """No ``Exception``: what catches these must not catch it."""


# Inputs ---------------------------------------------------------------------------------------------------------------


MARKS = (
    *(bytes([each]) for each in b"{}%$\"'\\\r\n\x00\x0c\x0b\x1b\xff()[]#:|>-&*!\t <@`~^,;=."),
    *("\ufeff", "é", "漢", "🙂", "\u2028", "\x85", "\ud7ff", "İ", "ﬀ", "\u202e"),
    *("{{", "}}", "{%", "%}", "{#", "#}", "{{{", "${", "<<", "%(", "%s", '"""', "'''", "\\N{DASH}", "\\x", "\\u12"),
    *(
        "\\\n",
        "f'",
        "rb'",
        "t'",
        "{x!r:>{w}}",
        "{x=}",
        "{0}",
        "{a.b[c]}",
        "&a",
        "*a",
        "!!python/name:os.system",
        "<<: *a",
    ),
    *("---\n", "...\n", "|2-\n", "? ", "async ", "await ", "yield ", "lambda: ", "*", "**", ":=", "->", "match x:\n"),
    *("if x:\n", "else:\n", "del x\n", "global x\n", "return\n", "%cell\n", "!ls\n", "self.", "[::-1]", ".format(**x)"),
    *(
        "[" * 60,
        "(" * 60,
        "{" * 60,
        "-" * 60,
        "not " * 60,
        "a." * 60,
        "{% if x %}" * 20,
        "- " * 40,
        "\\" * 31,
        "9" * 5000,
    ),
    *(
        '{"role": "system", "content": ',
        "messages=[*messages], ",
        "prompt + prompt",
        "prompt = prompt\n",
        "role: user\n",
    ),
)


def _mark(rng: random.Random) -> bytes:
    mark = rng.choice(MARKS)
    return mark if isinstance(mark, bytes) else mark.encode("utf-8")


def changed(data: bytes, other: bytes, rng: random.Random) -> bytes:
    """``data`` with one change of a random kind; ``other`` lends lines."""
    lines, lent = data.split(b"\n"), other.split(b"\n")
    at, line = rng.randrange(len(data) + 1), rng.randrange(len(lines))
    match rng.randrange(14):
        case 0:
            return data[:at]
        case 1:
            return data[:at] + data[at + rng.randrange(1, 30) :]
        case 2 | 3 | 4:
            return data[:at] + b"".join(_mark(rng) for _ in range(rng.randrange(1, 4))) + data[at:]
        case 5:
            lines[line : line + rng.randrange(1, 6)] = []
        case 6:
            lines[line:line] = lines[line : line + rng.randrange(1, 8)] * rng.randrange(1, 12)
        case 7:
            second = rng.randrange(len(lines))
            lines[line], lines[second] = lines[second], lines[line]
        case 8:
            return data.replace(b"\n", rng.choice([b"\r", b"\r\n", b"\n\x0c", b"\n\r"]))
        case 9:
            lines[line] = b" " * rng.randrange(9) + lines[line].lstrip()
        case 10:
            start = rng.randrange(len(lent))
            lines[line:line] = lent[start : start + rng.randrange(1, 12)]
        case 11:
            # A word becomes another word of the file: names that mean something else now.
            words = [word for word in data.replace(b"(", b" ").replace(b".", b" ").split() if word.isalnum()]
            if words:
                return data.replace(rng.choice(words), rng.choice(words), rng.randrange(1, 4))
        case 12:
            lines[line] += _mark(rng) + lines[rng.randrange(len(lines))].strip()
        case _:
            end = min(len(data), at + rng.randrange(1, 200))
            return data[:at] + data[at:end] * rng.randrange(2, 6) + data[end:]
    return b"\n".join(lines)


TEXTS = (
    "You are a careful assistant. Your task is to answer the question of the user. Do not make things up.",
    "Today is {date}.",
    "{{ now() }}",
    "{% for d in documents %}{{ d }}{% endfor %}",
    "Question: {question}",
    "${name} %(city)s <<old>> $1",
    "",
    "\u2028\x85é漢🙂",
    "system:\nYou are\nuser:\n{{question}}",
    "a: b # c",
    "{% include 'self.jinja' %}{% extends x %}",
    "{{#each d}}{{this}}{{/each}}",
    "*a",
    "<<",
    "!!python/object/apply:os.system ['true']",
    "2031-05-06",
    "no",
)
KEYS = (
    *("messages", "role", "content", "prompt", "system", "system_prompt", "template", "input_variables", "user"),
    *("template_format", "_type", "type", "text", "model", "name", "nodes", "graph", "data", "prompts", "instructions"),
    *("backstory", "goal", "examples", "prefix", "suffix", "configurations", "api", "cells", "<<", "1", "é"),
)
NAMES = (
    *("prompts/system_prompt.json", "prompts/chat.yaml", "prompt.yaml", "agents.yaml", "tasks.yaml", "prompts.toml"),
    *(
        "flow.dag.yaml",
        "skprompt.json",
        "config.json",
        "prompts/a.prompt",
        "dify.yml",
        "domain.yml",
        "promptfooconfig.yaml",
    ),
)


def value(rng: random.Random, depth: int = 0) -> object:
    kind = rng.randrange(10)
    if depth < 6 and kind < 4:
        return {rng.choice(KEYS): value(rng, depth + 1) for _ in range(rng.randrange(6))}
    if depth < 6 and kind < 6:
        return [value(rng, depth + 1) for _ in range(rng.randrange(5))]
    if kind < 9:
        return rng.choice(("\n", " ", "")).join(rng.choice(TEXTS) for _ in range(rng.randrange(1, 5)))
    return rng.choice((None, True, 3, -1.5e300, "system", "user", "assistant", "jinja2", "few_shot", "gpt-4o"))


def written(data: object, rng: random.Random) -> str:
    """Data as JSON, or as YAML of some style."""
    if rng.random() < 0.4:
        return json.dumps(data, ensure_ascii=rng.random() < 0.5, indent=rng.choice((None, 1)))
    return "\n".join(_yaml(data, 0, rng)) + "\n"


def _yaml(data: object, indent: int, rng: random.Random) -> Iterator[str]:
    pad = " " * indent
    if isinstance(data, dict) and data:
        for key, each in data.items():
            mark = rng.choice(("", "", "", "", " &a", " !x", " *a"))
            if isinstance(each, dict | list) and each:
                yield f"{pad}{key}:{'' if mark == ' *a' else mark}"
                yield from _yaml(each, indent + rng.choice((1, 2, 4)), rng)
            else:
                yield f"{pad}{key}:{mark} {_scalar(each, indent, rng)}"
    elif isinstance(data, list) and data:
        for each in data:
            if isinstance(each, dict | list) and each:
                inner = list(_yaml(each, indent + 2, rng))
                yield f"{pad}- {inner[0].lstrip()}"
                yield from inner[1:]
            else:
                yield f"{pad}- {_scalar(each, indent, rng)}"
    else:
        yield pad + _scalar(data, indent, rng)


def _scalar(each: object, indent: int, rng: random.Random) -> str:
    if not isinstance(each, str):
        return json.dumps(each)
    style = rng.randrange(5)
    if style == 0:
        return json.dumps(each)
    if style == 1:
        return "'" + each.replace("'", "''") + "'"
    if style < 4:
        head = rng.choice("|>") + rng.choice(("", "-", "+"))
        return head + "\n" + "\n".join(f"{' ' * (indent + 3)}{line}" for line in each.split("\n"))
    return each


def jinja(rng: random.Random, depth: int = 0) -> str:
    out = []
    for _ in range(rng.randrange(1, 6)):
        name = rng.choice(
            ("question", "documents", "now()", "user.name", "x[0]", "loop.index", "self.b()", "1/0", "x~y")
        )
        inner = jinja(rng, depth + 1) if depth < 4 else rng.choice(TEXTS)
        out.append(
            rng.choice(
                (
                    lambda name=name, inner=inner: f"{{{{ {name} }}}}",
                    lambda name=name, inner=inner: (
                        f"{{{{ {name} | {rng.choice(('upper', 'tojson', 'nope', 'default(x)', 'join(x)'))} }}}}"
                    ),
                    lambda name=name, inner=inner: f"{{%- if {name} %}}{inner}{{% else -%}}{inner}{{% endif %}}",
                    lambda name=name, inner=inner: f"{{% for x in {name} %}}{inner}{{% endfor %}}",
                    lambda name=name, inner=inner: f"{{% macro m(x, y={name}) %}}{inner}{{% endmacro %}}{{{{ m(1) }}}}",
                    lambda name=name, inner=inner: f"{{% set q = {name} %}}{inner}{{{{ q }}}}",
                    lambda name=name, inner=inner: f"{{% block b %}}{inner}{{% endblock %}}",
                    lambda name=name, inner=inner: f"{{% raw %}}{inner}{{% endraw %}}{{# {inner} #}}",
                    lambda name=name, inner=inner: f"{{% call(x) m({name}) %}}{inner}{{% endcall %}}",
                    lambda name=name, inner=inner: rng.choice(TEXTS),
                )
            )()
        )
    return rng.choice(("", "\n", " ")).join(out)


def notebook(cells: Iterable[str], rng: random.Random) -> str:
    """The code as cells, with the oddities that notebooks have."""

    def source(text: str) -> object:
        return text if rng.random() < 0.2 else text.splitlines(keepends=True)

    made: list[object] = [{"cell_type": "markdown", "metadata": {}, "source": ["# You are"]}]
    for text in cells:
        if rng.random() < 0.3:
            text = (
                rng.choice(
                    ("%matplotlib inline\n", "!pip install openai\n", "%%time\n", "x = !ls\n", "%%bash\n", "?x\n")
                )
                + text
            )
        cell = {"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": [], "source": source(text)}
        if rng.random() < 0.05:
            cell[rng.choice(("source", "cell_type", "outputs"))] = value(rng)
        made.append(cell)
    body = {"cells": made, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(body, indent=rng.choice((None, 1)), ensure_ascii=rng.random() < 0.5)


@cache
def corpus(folders: tuple[str, ...]) -> tuple[tuple[Input, ...], ...]:
    """Small real files that may hold a prompt, grouped by suffix; Python files last."""
    from prefixlint.run.stages import Stages

    stages = Stages()
    groups: dict[str, list[Input]] = {}
    for folder in folders:
        base = Path(folder)
        for path in sorted(base.rglob("*")):
            if path.suffix not in SUFFIXES or path.is_symlink() or not path.is_file() or path.stat().st_size > LARGEST:
                continue
            data = path.read_bytes()
            name = "/".join(path.relative_to(base).parts[-2:])
            python = path.suffix == ".py"
            if stages.python_might_hold(data) if python else stages.file_might_hold(name, data):
                groups.setdefault(path.suffix, []).append(Input(name, data))
    return tuple(tuple(groups[key]) for key in sorted(groups, key=lambda key: (key == ".py", key)))


def made(seed: int, number: int, folders: tuple[str, ...]) -> Input:
    """The input of this number: the same each time."""
    rng = random.Random(f"{seed} {number}")
    groups = corpus(folders)
    kind = rng.random()
    if kind < 0.08:
        return Input(rng.choice(NAMES), written(value(rng), rng).encode("utf-8"))
    if kind < 0.13:
        return Input(rng.choice(("prompts/p.jinja", "prompts/p.j2", "templates/p.txt")), jinja(rng).encode("utf-8"))
    group = groups[-1] if kind < 0.5 else rng.choice(groups[:-1])
    name, data = rng.choice(group)
    if 0.42 < kind < 0.5:
        text = data.decode("utf-8", "replace")
        cuts = sorted(rng.randrange(len(text) + 1) for _ in range(rng.randrange(5))) if rng.random() < 0.3 else []
        parts = text.split("\n\n\n") if not cuts else [text[a:b] for a, b in zip([0, *cuts], [*cuts, None])]  # noqa: B905
        name, data = "notes/a.ipynb", notebook(parts, rng).encode("utf-8", "surrogatepass")
    for _ in range(rng.choice((1, 1, 2, 3, 5))):
        data = changed(data, rng.choice(group).data, rng)
    return Input(name, data[: 4 * LARGEST])


# One input ------------------------------------------------------------------------------------------------------------


FORMATS = ("full", "concise", "json", "github", "gitlab", "junit", "markdown")


def faults(each: Input, config_root: str) -> Iterator[str]:
    """What is wrong with the run over an input."""
    from prefixlint.config import Config
    from prefixlint.run.pipeline import run

    result = run([], Config(root=config_root, show_info=True), stdin=each)
    for crash in result.crashes:
        yield crash.traceback
    yield from misplaced(result)
    if result.findings:
        # SARIF holds the pages of all rules each time: that is most of the work.
        rare = ("sarif",) if len(each.data) % 10 == 0 else ()
        yield from unreadable(result, (*FORMATS, *rare))


def misplaced(result: RunResult) -> Iterator[str]:
    """Findings without a template, and places that are not in the file."""
    templates = {template.id for template in result.templates}
    for finding in result.findings:
        # PFX406 is about an argument of a request, whether or not anything is known of its text.
        told_of_code = finding.code == "PFX406" or finding.code.startswith(("PFX6", "PFX9"))
        if not told_of_code and finding.template not in templates:
            yield f"{finding.code} without a template: {finding.message}"
        source = result.sources.get(finding.span.path)
        for place in (finding.span.start, finding.span.end):
            lines = len(source.line_starts) if source is not None else None
            if place.line < 1 or place.column < 1 or (lines is not None and place.line > lines + 1):
                yield f"{finding.code} at {place.line}:{place.column} of {lines} lines"
            elif source is not None and place.column > len(source.line(place.line)) + 2:
                yield f"{finding.code} at {place.line}:{place.column}: the line is shorter"


def unreadable(result: RunResult, formats: Iterable[str]) -> Iterator[str]:
    """Reports that are not what they ought to be."""
    from xml.etree import ElementTree

    from prefixlint.cli.found import Found
    from prefixlint.model.findings import Severity
    from prefixlint.report.style import Style

    found = Found(result, result.findings, "", (), "", Severity.WARNING)
    for each in formats:
        text = found.text(each, Style())
        if "\x1b" in text:
            yield f"{each}: an escape character"
        if each in ("json", "sarif", "gitlab"):
            json.loads(text)
        elif each == "junit":
            ElementTree.fromstring(text)


@dataclass
class Figures:
    """What came of many inputs. ``slow`` holds the slowest as (seconds, label)."""

    inputs: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    broken: list[tuple[str, str]] = field(default_factory=list)
    slow: list[tuple[float, str]] = field(default_factory=list)

    def look(self, label: str, each: Input, check: Callable[[Input], Iterable[str]]) -> None:
        self.inputs += 1
        self.kinds[Path(each.name).suffix] += 1
        start = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                with _bounded():
                    self.broken.extend((label, fault) for fault in check(each))
            except (Exception, Hang) as error:
                self.broken.append((label, "".join(traceback.format_exception(error))))
        took = time.process_time() - start
        if took > LONGEST:
            self.broken.append((label, f"took {took:.1f} s"))
        heapq.heappush(self.slow, (took, f"{label} {each.name}"))
        if len(self.slow) > 10:
            heapq.heappop(self.slow)

    def __str__(self) -> str:
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in self.kinds.most_common())
        slow = "\n".join(f"  {seconds:.2f} s {label}" for seconds, label in sorted(self.slow, reverse=True))
        return f"{self.inputs:,} inputs ({kinds}), {len(self.broken):,} faults; the slowest:\n{slow}"


class _bounded:
    """Ends what computes for too long."""

    def __enter__(self) -> None:
        if hasattr(signal, "setitimer"):  # not on Windows
            signal.signal(signal.SIGVTALRM, self._stop)
            signal.setitimer(signal.ITIMER_VIRTUAL, HANGS)

    def __exit__(self, *_: object) -> None:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    @staticmethod
    def _stop(*_: object) -> None:
        raise Hang


def many(figures: Figures, seed: int, numbers: Iterable[int], folders: tuple[str, ...], root: str) -> Iterator[int]:
    """Looks at the inputs of these numbers, one after the other."""
    for number in numbers:
        each = made(seed, number, folders)
        figures.look(f"{seed}/{number}", each, lambda each: faults(each, root))
        yield number


def grammar(figures: Figures, seed: int, count: int, root: str) -> None:
    """Looks at programs and expressions that hypothesmith makes, beside and inside of a prompt."""
    import hypothesis
    import hypothesmith
    from hypothesis import strategies as st

    head = "from openai import OpenAI\nclient = OpenAI()\nprompt = 'You are a careful assistant.'\n"
    message = "messages=[{'role': 'system', 'content': "
    call = f"def ask(messages, q):\n    return client.chat.completions.create(model='gpt-4o', {message}"
    programs = st.one_of(
        hypothesmith.from_grammar().map(lambda text: head + text),
        hypothesmith.from_grammar("eval_input").map(lambda text: f"{head}{call}({text.strip()}\n)}}])\n"),
        hypothesmith.from_grammar("eval_input").map(
            lambda text: f"{head}{call}f'''You {{({text.strip()})}} {{q}}'''}}])\n"
        ),
        hypothesmith.from_node().map(lambda text: head + text),
    )

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=count,
        database=None,
        deadline=None,
        suppress_health_check=list(hypothesis.HealthCheck),
        phases=[hypothesis.Phase.generate],
    )
    @hypothesis.given(programs)
    def each_one(text: str) -> None:
        figures.look(
            f"grammar {text!r}",
            Input("app/a.py", text.encode("utf-8", "surrogatepass")),
            lambda each: faults(each, root),
        )

    each_one()


def whole_files(figures: Figures, folder: Path, root: str) -> None:
    """Looks at each file of a folder as it is, and at Python with a word that has it parsed and followed."""
    for path in sorted(folder.rglob("*")):
        if path.suffix in (*SUFFIXES, ".ipynb") and path.is_file():
            each = Input("/".join(path.relative_to(folder).parts), path.read_bytes())
            figures.look(str(path), each, lambda each: faults(each, root))
            if path.suffix == ".py":
                each = Input(each.name, each.data + b"\n# prompt, messages, llm\n")
                figures.look(f"{path}, followed", each, lambda each: faults(each, root))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=0)
    parser.add_argument("--grammar", type=int, default=0)
    parser.add_argument("--files", type=Path)
    parser.add_argument("--first", type=int, default=0, help="number of the first input")
    parser.add_argument("--only", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--corpus", action="append", default=[], metavar="FOLDER")
    parser.add_argument("--faults", type=Path, help="a file that gets the faults as they are found")
    arguments = parser.parse_args()
    folders = (*(str(ROOT / each) for each in OWN), *arguments.corpus)
    files = arguments.files.resolve() if arguments.files is not None else None
    log = arguments.faults.resolve().open("a") if arguments.faults is not None else sys.stderr
    figures = Figures()
    with tempfile.TemporaryDirectory() as root:
        os.chdir(root)
        if arguments.only is not None:
            each = made(arguments.seed, arguments.only, folders)
            sys.stdout.buffer.write(each.name.encode() + b"\n" + each.data + b"\n")
            figures.look("it", each, lambda each: faults(each, root))
        numbers = range(arguments.first, arguments.first + arguments.inputs)
        told = 0
        for number in many(figures, arguments.seed, numbers, folders, root):
            for label, fault in figures.broken[told:]:
                print(f"== {label}\n{fault}", file=log, flush=True)
            told = len(figures.broken)
            if number % 5000 == 4999:
                print(figures, flush=True)
        if arguments.grammar:
            grammar(figures, arguments.seed, arguments.grammar, root)
        if files is not None:
            whole_files(figures, files, root)
        for label, fault in figures.broken[told:]:
            print(f"== {label}\n{fault}", file=log, flush=True)
        os.chdir(ROOT)
    print(figures)
    return 1 if figures.broken else 0


if __name__ == "__main__":
    sys.exit(main())
