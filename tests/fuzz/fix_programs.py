"""Random prompts for the fixes: Python functions of many forms, Jinja, YAML and text files, and what each of them says.

A program is run before and after against a client that keeps what it is sent; a template is rendered before and after.
Both must give the same sentences and lines, in whatever order.

    python tests/fuzz/fix_programs.py --templates 20000 --seed 1
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import tempfile
import types
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from prefixlint.run.fixing import Mended

SUBJECTS = (
    "The gate",
    "A boat",
    "Each crate",
    "The night watch",
    "Every third bell",
    "A signed slip",
    "The ferryman",
    "Rope",
)
VERBS = (
    "waits for",
    "is counted before",
    "goes under",
    "never passes",
    "belongs to",
    "is weighed with",
    "stays behind",
)
OBJECTS = (
    "the tide",
    "the second pier",
    "the harbour master",
    "a dry sack",
    "the lamp",
    "yesterday's list",
    "the north wall",
)
ENDS = (
    " in winter",
    " (unless told)",
    ", not later",
    "; write it down",
    " at {5}",
    " — always",
    " \\ twice",
    ' as "fixed"',
    "",
)
LABELS = (
    "Now: {}",
    "Current time: {}",
    "Session {}",
    "User: {}",
    "- id = {}",
    "Ticket {} is open.",
    "It is {}.",
    "[{}]",
    "{}",
)
UNITS = (
    "Now: {}",
    "Current time: {}",
    "Session: {}",
    "It is {}.",
    "Customer: {}, first class",
    "{}",
    "Question: {}",
    "Context:\n{}",
    "<context>\n{}\n</context>",
    "## State\nValue: {}",
    "Today is {}. Be brief about it.",
    "**Data**: {}",
    "Ticket {} is open for you.",
    "Use the following notes:\n\n{}",
    "Header {}\nOther header: {}",
)
VALUES = {
    "datetime.now()": "now",
    "datetime.now().isoformat()": "now",
    "uuid.uuid4()": "trace",
    "question": "question",
    "user_name": "user_name",
    "session_id": "session_id",
    "random.choice(POOL)": "pick",
    "documents": "documents",
}


@dataclass
class Figures:
    """What a run came to."""

    templates: int = 0
    findings: int = 0
    fixed: int = 0
    files: int = 0
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.templates:,} templates in {self.files:,} files, {self.findings:,} findings, "
            f"{self.fixed:,} fixed, {len(self.faults):,} broken or changed in meaning"
        )


def sentence(rng: random.Random) -> str:
    return f"{rng.choice(SUBJECTS)} {rng.choice(VERBS)} {rng.choice(OBJECTS)}{rng.choice(ENDS)}{rng.choice('.....!?')}"


def paragraph(rng: random.Random) -> str:
    lines, line = [], ""
    for word in " ".join(sentence(rng) for _ in range(rng.randint(4, 7))).split(" "):
        line = f"{line} {word}".strip()
        if len(line) > 70:
            lines.append(line)
            line = ""
    lines.append(line)
    kind = rng.random()
    if kind < 0.15:
        return "\n".join(f"- {sentence(rng)}" for _ in range(6))
    if kind < 0.3:
        return "# Rules\n" + "\n".join(lines)
    if kind < 0.4:
        return " ".join(lines)
    return "\n".join(line for line in lines if line)


def text(rng: random.Random) -> list[str]:
    """Pieces of a prompt: fixed text, and ``{}`` for each value in a unit."""
    body = [paragraph(rng) for _ in range(rng.randint(2, 3))]
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        body.insert(rng.randint(0, max(0, len(body) - 2)), rng.choice(UNITS))
    if rng.random() < 0.3:
        body.append(rng.choice(("Question: {}", "{}", "User asks: {}\nAnswer:")))
    glue = rng.choice(("\n\n", "\n\n", "\n\n", "\n", " "))
    whole = glue.join(body)
    if rng.random() < 0.2:
        whole += "\n"
    return re.split(r"(\{\})", whole)


def literal(fixed: str, quote: str, *, formatted: bool) -> str:
    """Fixed text as it is written between quotes."""
    out = fixed.replace("\\", "\\\\")
    out = out.replace("{", "{{").replace("}", "}}") if formatted else out
    if len(quote) == 1:
        out = out.replace("\n", "\\n").replace(quote, "\\" + quote)
    return out.replace('"""', '\\"\\"\\"') if len(quote) == 3 else out


def expression(rng: random.Random, pieces: list[str], names: list[str]) -> tuple[str, list[str]]:
    """The text as a Python expression, and lines that must stand in front of it."""
    value = iter(names)
    form = rng.choice(("f3", "f1", "concat", "plus", "format", "percent", "join", "append", "fconst", "augmented"))
    if form == "f3":
        body = "".join(
            f"{{{next(value)}}}" if each == "{}" else literal(each, '"""', formatted=True) for each in pieces
        )
        return (f'f"""{body}"""' if not body.endswith('"') else f'f"""{body} """'), []
    if form == "f1":
        quote = rng.choice("\"'")
        body = "".join(
            f"{{{next(value)}}}" if each == "{}" else literal(each, quote, formatted=True) for each in pieces
        )
        return f"f{quote}{body}{quote}", []
    if form in ("concat", "plus"):
        lines = re.split(r"(?<=\n)", "".join(f"\0{next(value)}\0" if each == "{}" else each for each in pieces))
        parts = []
        for line in lines:
            bits = line.split("\0")
            fields = len(bits) > 1
            body = "".join(
                literal(bit, '"', formatted=fields) if number % 2 == 0 else f"{{{bit}}}"
                for number, bit in enumerate(bits)
            )
            if body:
                parts.append(f'{"f" if fields else ""}"{body}"')
        joiner = "\n        " if form == "concat" else "\n        + "
        return "(\n        " + joiner.join(parts) + "\n    )", []
    if form == "format":
        body = "".join(
            f"{{v{next(value_number)}}}" if each == "{}" else literal(each, '"""', formatted=True)
            for value_number in [iter(range(99))]
            for each in pieces
        )
        arguments = ", ".join(f"v{number}={name}" for number, name in enumerate(names))
        body = body if not body.endswith('"') else f"{body} "
        return f'"""{body}""".format({arguments})', []
    if form == "percent":
        counted = iter(range(99))
        body = "".join(
            f"%(v{next(counted)})s" if each == "{}" else literal(each, '"""', formatted=False).replace("%", "%%")
            for each in pieces
        )
        body = body if not body.endswith('"') else f"{body} "
        return f'"""{body}""" % {{{", ".join(f"{chr(34)}v{n}{chr(34)}: {name}" for n, name in enumerate(names))}}}', []
    blocks = "".join(f"\0{next(value)}\0" if each == "{}" else each for each in pieces).split("\n\n")
    parts = []
    for block in blocks:
        bits = block.split("\0")
        fields = len(bits) > 1
        body = "".join(
            literal(bit, '"', formatted=fields) if number % 2 == 0 else f"{{{bit}}}" for number, bit in enumerate(bits)
        )
        parts.append(f'{"f" if fields else ""}"{body}"')
    if form == "join":
        return '"\\n\\n".join([\n        ' + ",\n        ".join(parts) + ",\n    ])", []
    if form == "append":
        return '"\\n\\n".join(parts)', ["parts = []", *(f"parts.append({part})" for part in parts)]
    if form == "augmented":
        return "prompt", ['prompt = ""', *(f'prompt += {part} + "\\n\\n"' for part in parts)]
    constants = []
    written = []
    for number, part in enumerate(parts):
        if part.startswith("f"):
            written.append(part[2:-1])
        else:
            constants.append(f"PART{number} = {part}")
            written.append(f"{{PART{number}}}")
    return 'f"' + "\\n\\n".join(written) + '"', constants


def function(rng: random.Random, number: int) -> str:
    pieces = text(rng)
    wanted = pieces.count("{}")
    names = [rng.choice(list(VALUES)) for _ in range(wanted)]
    value, before = expression(rng, pieces, names)
    shape = rng.choice(("system", "user", "history", "blocks", "anthropic", "two"))
    lines = [*before]
    if shape == "blocks":
        lines.append(f"note = {value}")
        rules = json.dumps(paragraph(rng) + " " + paragraph(rng))
        call = (
            'anthropic.messages.create(model="claude-sonnet-4-5", max_tokens=9, system=[\n'
            f'        {{"type": "text", "text": f"Now: {{datetime.now()}}"}},\n'
            f'        {{"type": "text", "text": {rules}, "cache_control": {{"type": "ephemeral"}}}},\n'
            '    ], messages=[{"role": "user", "content": note}])'
        )
    elif shape == "anthropic":
        lines.append(f"system = {value}")
        call = (
            'anthropic.messages.create(model="claude-sonnet-4-5", max_tokens=9, system=system, '
            f"messages={rng.choice(('history', '[*history]'))})"
        )
    else:
        lines.append(f"system = {value}")
        tail = '{"role": "user", "content": question}'
        head = '{"role": "system", "content": system}'
        middle = {"history": ", *history", "two": ', {"role": "system", "content": f"Facts: {documents}"}, *history'}
        content = (
            '[{"role": "user", "content": system}]' if shape == "user" else f"[{head}{middle.get(shape, '')}, {tail}]"
        )
        call = f'client.chat.completions.create(model="gpt-4o", messages={content})'
    body = "\n    ".join([*lines, f"return {call}"])
    return f"def ask{number}(question, user_name, session_id, documents, history):\n    {body}\n"


HEADER = """import random
import uuid
from datetime import datetime

import anthropic as anthropic_package
from openai import OpenAI

client = OpenAI()
anthropic = anthropic_package.Anthropic()
POOL = ["one", "two"]
"""


def python_file(rng: random.Random, count: int) -> str:
    whole = HEADER + "".join(f"\n\n{function(rng, number)}" for number in range(count))
    return whole.replace("\n", "\r\n") if rng.random() < 0.1 else whole


class _Recorder:
    """A client that keeps what it is sent, whatever the way to its method is called."""

    def __init__(self, sent: list[Any]) -> None:
        self._sent = sent

    def __getattr__(self, name: str) -> _Recorder:
        return self

    def __call__(self, *args: Any, **kwargs: Any) -> _Recorder:
        if "model" in kwargs:
            self._sent.append(kwargs)
        return self


class _Clock(datetime):
    @classmethod
    def now(cls, tz: Any = None) -> datetime:
        return datetime(2031, 5, 6, 7, 8, 9, tzinfo=UTC).replace(tzinfo=tz)


def sent(source: str) -> list[dict[str, Any]]:
    """What the functions of a program send."""
    out: list[Any] = []
    modules = {"openai": types.ModuleType("openai"), "anthropic": types.ModuleType("anthropic")}
    modules["openai"].OpenAI = lambda: _Recorder(out)  # type: ignore[attr-defined]
    modules["anthropic"].Anthropic = lambda: _Recorder(out)  # type: ignore[attr-defined]
    kept = {name: sys.modules.get(name) for name in modules}
    sys.modules.update(modules)
    try:
        scope: dict[str, Any] = {}
        exec(compile(source, "generated", "exec"), scope)
        scope["datetime"] = _Clock
        scope["uuid"] = types.SimpleNamespace(uuid4=lambda: "11-22")
        scope["random"] = types.SimpleNamespace(choice=lambda pool: "drawn")
        for name, value in list(scope.items()):
            if name.startswith("ask"):
                value("what now", "Ada", "s-17", "doc a", [{"role": "user", "content": "earlier words"}])
    finally:
        for name, module in kept.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module
    return out


def said(body: object) -> Counter[str]:
    """The sentences and lines in all that was sent."""
    words: list[str] = []

    def collect(value: object) -> None:
        if isinstance(value, dict):
            for key, each in value.items():
                if key not in ("role", "type", "model", "cache_control"):
                    collect(each)
        elif isinstance(value, list):
            for each in value:
                collect(each)
        elif isinstance(value, str):
            # A clock may come to say no more than the day.
            value = re.sub(r"2031-05-06[ T]07:08:09", "2031-05-06", value)
            words.extend(re.split(r"\n+|(?<=[.!?])\s+", value))

    collect(body)
    return Counter(word.strip() for word in words if word.strip())


def prompt_file(rng: random.Random) -> tuple[str, str]:
    """Name and text of a prompt file."""
    pieces = text(rng)
    names = iter(rng.choice(("current_time", "question", "user_name", "session_id", "context")) for _ in range(9))
    kind = rng.choice(("jinja", "jinja", "yaml", "txt"))
    if kind == "jinja":
        body = "".join(f"{{{{ {next(names)} }}}}" if each == "{}" else _apart(each) for each in pieces)
        if rng.random() < 0.3:
            body = "{# the prompt #}\n" + body
        return "prompt.jinja2", body + rng.choice(("", "\n"))
    body = "".join(f"{{{next(names)}}}" if each == "{}" else _apart(each) for each in pieces)
    if kind == "yaml":
        indented = "\n".join(f"  {line}".rstrip() for line in body.split("\n"))
        return (
            "prompt.yaml",
            f"_type: prompt\ntemplate_format: f-string\n# what is asked\ntemplate: |\n{indented}\nname: x\n",
        )
    return "prompt.txt", body


def _apart(fixed: str) -> str:
    return fixed.replace("{5}", "five")


def rendered(name: str, body: str) -> Counter[str]:
    """What the file says, with the same values each time."""
    values = {name: f"<{name}>" for name in ("current_time", "question", "user_name", "session_id", "context")}
    if name.endswith(".jinja2"):
        from jinja2 import Environment

        return said(Environment().from_string(body).render(values))
    if name.endswith(".yaml"):
        from ruamel.yaml import YAML

        body = YAML(typ="safe").load(body)["template"]
    return said(body.format(**values))


def mended(folder: Path, paths: list[Path]) -> tuple[int, Mended]:
    """The number of findings, and what all fixes make of them. Nothing is written."""
    from prefixlint.config import load
    from prefixlint.run import run
    from prefixlint.run.fixing import mend

    config = load(str(folder), None)
    names = [str(path) for path in paths]
    result = run(names, config)
    if result.crashes:
        raise AssertionError(result.crashes[0].traceback)
    return len(result.findings), mend(
        result, lambda texts: run(names, config, unsaved=tuple(texts.values())), unsafe=True
    )


def look(folder: Path, name: str, body: str, says: Callable[[str], Counter[str]], figures: Figures) -> None:
    """Fixes one file and compares what it says before and after, and what a second fixing finds."""
    path = folder / name
    path.write_bytes(body.encode())
    count, done = mended(folder, [path])
    figures.files += 1
    figures.findings += count
    figures.fixed += len(done.made)
    for _, new in done.changed:
        try:
            same = says(body) == says(new)
        except Exception as error:
            figures.faults.append(f"{error}\n{body}\n----\n{new}")
            continue
        if not same:
            figures.faults.append(f"{says(body) - says(new)} {says(new) - says(body)}\n{body}\n----\n{new}")
        path.write_bytes(new.encode())
        if mended(folder, [path])[1].changed:
            figures.faults.append(f"fixed again\n{new}")


def fuzz(templates: int, seed: int, python: float = 0.05, per_file: int = 6) -> Iterator[Figures]:
    """Generates and fixes at least so many templates; gives the figures so far after each file.

    ``python`` is the share of Python files, which take most of the time.
    """
    figures, rng = Figures(), random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        (folder / "prefixlint.toml").write_text("")
        while figures.templates < templates:
            if rng.random() < python:
                figures.templates += per_file
                look(folder, "app.py", python_file(rng, per_file), lambda body: said(sent(body)), figures)
                yield figures
                continue
            file, body = prompt_file(rng)
            figures.templates += 1
            prompts = folder / "prompts"
            prompts.mkdir(exist_ok=True)
            look(prompts, file, body, lambda text, file=file: rendered(file, text), figures)  # type: ignore[misc]
            (prompts / file).unlink()
            yield figures
        yield figures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--templates", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--python", type=float, default=0.05, help="share of Python files among the files")
    options = parser.parse_args()
    figures, shown = Figures(), 0
    for number, figures in enumerate(fuzz(options.templates, options.seed, options.python)):
        if number % 50 == 0:
            print(figures.templates, figures.fixed, len(figures.faults), flush=True)
        for fault in figures.faults[shown:]:
            print("=" * 100, fault, sep="\n", flush=True)
        shown = len(figures.faults)
    print(figures)
    return 1 if figures.faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
