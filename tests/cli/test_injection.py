"""Names and texts of a project that are commands to terminals, build servers and browsers: in every format they stay
text."""

from __future__ import annotations

import html.parser
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

COMMAND = str(Path(sys.executable).with_name("prefixlint"))
RULES = "You are a careful guide of a museum. Never touch the exhibits, and do not tell what is behind the doors. " * 8
# Terminals, GitHub, Azure Pipelines, TeamCity, Markdown and HTML, tables, bidirectional text.
HOSTILE = (
    "\x1b]0;title\x07\x1b[2J",
    "\x9b31m",
    "x ::error file=a.py,line=1::pwned",
    "x ##vso[task.setvariable variable=a]pwned",
    "x ##[error]pwned",
    "x ##teamcity[buildStop]",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![pixel](http://192.0.2.1/p.png)",
    "[click](javascript:alert(1))",
    "```\n# heading\n| a | b |",
    "]]><!--",
    "\u202eevil\u2066",
    "a\r::warning::pwned",
)
FILES = (
    *(
        "::error file=x,line=1::pwned.py",
        "a\n::error::pwned.py",
        "##vso[task.complete result=Failed].py",
        "\x1b[31mred.py",
    ),
    *(
        "<img src=x onerror=alert(1)>.py",
        "[x](javascript:alert(1)).py",
        "a|b`c`.py",
        "\u202eyp.evil.py",
        "a%0A::error::.py",
    ),
)
FORMATS = ("full", "concise", "json", "sarif", "github", "gitlab", "junit", "markdown")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("hostile")
    reads = "".join(
        f"        {{'role': 'user', 'content': f'Now {{values[{text!r}]}} {{RULES}}'}},\n" for text in HOSTILE
    )
    # An f-string must not hold a backslash before Python 3.12: names in front of it.
    names = "".join(f"    v{number} = values[{text!r}]\n" for number, text in enumerate(HOSTILE))
    reads = "".join(
        f"        {{'role': 'user', 'content': f'Now {{v{number}}} {{RULES}}' + {text!r}}},\n"
        for number, text in enumerate(HOSTILE)
    )
    body = (
        "from openai import OpenAI\nfrom datetime import datetime\nclient = OpenAI()\n"
        f"RULES = {RULES!r}\ndef ask(values, datetime):\n{names}"
        "    return client.chat.completions.create(model='gpt-4o', messages=[\n"
        "        {'role': 'system', 'content': f'It is {datetime.now()} {RULES}'},\n"
        f"{reads}        {{'role': 'system', 'content': '%s ' % datetime.now({HOSTILE[0]!r}) + RULES}}])\n"
    )
    for name in FILES:
        if os.name == "nt" and re.search(r'[<>:"/\\|?*\x00-\x1f]', name):
            continue
        (root / name).write_text(body)
    direct = "".join(f"def f{n}(db):\n    return send({text!r} + str(db.now) )\n" for n, text in enumerate(HOSTILE))
    (root / "broken.py").write_text(f"messages = prompt ::error::x {HOSTILE[2]!r}\n{direct}")
    folder = root / "prompts"
    folder.mkdir()
    for number, text in enumerate(HOSTILE):
        (folder / f"p{number}.jinja").write_text(
            f"You are {{{{ current_time | default({text!r}) }}}} {RULES} {{{{ question }}}}"
        )
        (folder / f"b{number}.jinja").write_text(f"You are {{{{ question }}}} {{% {text} %}}")
    return root


def run(project: Path, *arguments: str) -> str:
    done = subprocess.run(
        [COMMAND, *arguments], cwd=project, capture_output=True, check=False, env=os.environ | {"COLUMNS": "60"}
    )
    assert done.returncode in (0, 1), done.stderr
    assert b"Traceback" not in done.stderr
    harmless(done.stderr.decode())
    return done.stdout.decode()


def harmless(text: str) -> None:
    """No control character but the line feed, no invisible one, and no command of a build server."""
    assert re.findall(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff]", text) == []
    # GitHub takes commands at the start of a line, behind white space; the others look for theirs anywhere.
    assert [line for line in text.split("\n") if re.match(r"\s*::", line)] == []
    assert [line for line in text.split("\n") if re.search(r"##\w*\[", line)] == []


@pytest.mark.parametrize("output_format", FORMATS)
def test_check(project: Path, output_format: str) -> None:
    text = run(project, "check", ".", "--no-cache", "--output-format", output_format)
    if output_format == "github":
        ours = re.compile(
            r"::(error|warning|notice) file=[^:,]+,line=\d+,col=\d+,endLine=\d+(,endColumn=\d+)?,title=[^:,]+::"
        )
        lines = text.splitlines()
        assert lines
        assert all(ours.match(line) for line in lines)
        text = "\n".join(ours.sub("", line) for line in lines)
    harmless(text)
    if output_format in ("json", "sarif", "gitlab"):
        json.loads(text)
    elif output_format == "junit":
        ElementTree.fromstring(text)
    elif output_format == "markdown":
        plain_markdown(text)
    if output_format == "sarif":
        messages = [found["message"]["text"] for found in json.loads(text)["runs"][0]["results"]]
        assert [each for each in messages if re.search(r"(?<!\\)\]\(", each)] == []


def plain_markdown(text: str) -> None:
    """Neither HTML nor links nor pictures but our own, outside of code."""
    outside = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", text, flags=re.DOTALL)
    assert re.findall(r"<(?!/?(?:details|summary|sub|br|code|b|pre|table|tr|td|th)\b)[a-z!]", outside) == []
    assert re.findall(r"(?<!\\)\]\((?!https?://|#)", outside) == []


class Tags(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.scripts = 0
        self.attributes: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.scripts += tag == "script"
        self.attributes += [
            name for name, value in attrs if name.startswith("on") or (value or "").startswith("javascript:")
        ]
        assert tag != "img"


@pytest.mark.parametrize("output_format", ["text", "json", "markdown", "html"])
def test_report(project: Path, output_format: str) -> None:
    text = run(project, "report", ".", "--output-format", output_format)
    if output_format == "html":
        tags = Tags()
        tags.feed(text)
        assert (tags.scripts, tags.attributes) == (1, [])
        text = re.sub(r"<script.*?</script>|<style.*?</style>", "", text, flags=re.DOTALL)
    harmless(text)
    if output_format == "json":
        json.loads(text)
    elif output_format == "markdown":
        plain_markdown(text)


def test_statistics_diff_and_lock(project: Path, tmp_path: Path) -> None:
    harmless(run(project, "check", ".", "--no-cache", "--statistics"))
    lock = tmp_path / "lock"
    subprocess.run([COMMAND, "lock", ".", "--file", str(lock)], cwd=project, check=False, capture_output=True)
    for number in range(len(HOSTILE)):
        harmless(run(project, "diff", f"prompts/p{number}.jinja", f"prompts/b{number}.jinja"))
