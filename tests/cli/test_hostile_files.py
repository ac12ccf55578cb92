"""Projects that no parser likes: each file that cannot be read is one PFX901 with its place, the others are found."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from prefixlint.cache.store import Store
from prefixlint.config import Config
from prefixlint.run.pipeline import run
from prefixlint.run.stages import Stages

COMMAND = str(Path(sys.executable).with_name("prefixlint"))
RULES = (
    "You are a careful guide of a museum. Never touch the exhibits, and say nothing of what is behind the doors. " * 6
)
PROMPT = f"""from openai import OpenAI
from datetime import datetime
client = OpenAI()
RULES = "{RULES}"


def ask(question):
    return client.chat.completions.create(model="gpt-4o", messages=[
        {{"role": "system", "content": f"{{datetime.now()}} {{RULES}}"}},
        {{"role": "user", "content": question}},
    ])
"""
FOUND = ["PFX101"]


def codes(folder: Path, *names: str, store: Store | None = None) -> list[str]:
    """Codes of what is found in the folder, or in these files of it."""
    paths = [str(folder / name) for name in names] or [str(folder)]
    result = run(paths, Config(root=str(folder)), store=store)
    assert result.crashes == ()
    return [finding.code for finding in result.findings]


def messages(folder: Path) -> list[tuple[str, int, str]]:
    """Name, line and message of each PFX901."""
    result = run([str(folder)], Config(root=str(folder)))
    assert result.crashes == ()
    return [
        (os.path.basename(each.span.path), each.span.start.line, each.message)
        for each in result.findings
        if each.code == "PFX901"
    ]


# Bytes ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        b"# -*- coding: latin-1 -*-\n" + PROMPT.replace("museum", "mus\xe9e").encode("latin-1"),
        b"#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\n" + PROMPT.replace("museum", "m\u201d").encode("cp1252"),
        b"# coding: shift_jis\n" + PROMPT.replace("museum", "\u535a\u7269\u9928").encode("shift_jis"),
        b"\xef\xbb\xbf# coding: utf-8\n" + PROMPT.replace("museum", "musée").encode(),
        PROMPT.replace("\n", "\r\n").encode(),
        PROMPT.replace("\n", "\r").encode(),
        b"\x0c\n" + PROMPT.replace("\n\n\n", "\n\x0c\n\x0c").encode(),
        PROMPT.encode() + b"\x1a"[:0],
    ],
    ids=["latin-1", "cp1252", "shift_jis", "mark", "CRLF", "CR", "form feeds", "plain"],
)
def test_encodings_and_line_ends(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.py").write_bytes(data)
    result = run([str(tmp_path)], Config(root=str(tmp_path)))
    (finding,) = result.findings
    source = result.sources[finding.span.path]
    assert source.text[source.offset(finding.span.start) : source.offset(finding.span.end)] == "{datetime.now()}"
    assert '{"role": "system"' in source.line(finding.span.start.line)


@pytest.mark.parametrize(
    ("data", "line", "message"),
    [
        (PROMPT.encode("utf-16"), 1, "file is not valid UTF-8"),
        (PROMPT.replace("museum", "mus\xe9e").encode("latin-1"), 4, "file is not valid UTF-8"),
        (
            b"\xef\xbb\xbf# coding: latin-1\n" + PROMPT.replace("museum", "mus\xe9e").encode("latin-1"),
            5,
            "not valid UTF-8",
        ),
        (PROMPT.replace("def", "\0def").encode(), 7, "NUL byte"),
        (b"# coding: nonsense\n" + PROMPT.encode(), 1, "unknown encoding 'nonsense'"),
        (PROMPT.replace("def ask(question):", "def ask question:").encode(), 7, "not valid Python"),
        (PROMPT.encode() + b"print 'messages'\n", 12, "Python 2"),
        (b"prompt = " + b"(" * 5000 + b"1" + b")" * 5000, 1, ""),
        (b"messages = " + b"-" * 100_000 + b"1", 1, ""),
    ],
    ids=["utf-16", "latin-1", "mark and cookie", "NUL", "no encoding", "syntax", "Python 2", "brackets", "signs"],
)
def test_what_cannot_be_read_is_told_and_the_rest_goes_on(tmp_path: Path, data: bytes, line: int, message: str) -> None:
    (tmp_path / "bad.py").write_bytes(data)
    (tmp_path / "good.py").write_text(PROMPT)
    (told,) = messages(tmp_path)
    assert told[:2] == ("bad.py", line)
    assert message in told[2]
    assert "PFX101" in codes(tmp_path)


@pytest.mark.parametrize(
    ("name", "severity"),
    [
        ("papers/a.txt", "info"),
        ("prompts/a.txt", "warning"),
        ("papers/answer_prompt.txt", "warning"),
        ("a.j2", "warning"),
    ],
)
def test_a_text_that_nothing_calls_a_prompt_is_a_minor_matter(tmp_path: Path, name: str, severity: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"We show that {{ x }} holds for all graphs of this kind. " * 40 + b"\0")
    (finding,) = run([str(tmp_path)], Config(root=str(tmp_path))).findings
    assert (finding.code, finding.severity.value) == ("PFX901", severity)


# Size -----------------------------------------------------------------------------------------------------------------


def test_a_file_of_200_000_lines(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n" * 200_000 + PROMPT)
    assert codes(tmp_path) == FOUND


@pytest.mark.parametrize("joint", [' + "', ' "'], ids=["plus", "beside"])
def test_a_text_of_10_000_parts(tmp_path: Path, joint: str) -> None:
    parts = joint.join(f'part {number} "' for number in range(10_000))
    (tmp_path / "a.py").write_text(PROMPT.replace(f'RULES = "{RULES}"', f'RULES = ("{parts})'))
    found = codes(tmp_path)
    assert found in (FOUND, ["PFX901"])


def test_deep_nesting_of_what_is_no_prompt_hides_nothing(tmp_path: Path) -> None:
    lines = [f"{' ' * depth}if x:" for depth in range(90)] + [f"{' ' * 90}pass"]
    nested = "[" * 80 + "]" * 80
    (tmp_path / "a.py").write_text(f"{PROMPT}\n{chr(10).join(lines)}\ny = {nested}\nz = {'not ' * 90} x\n")
    assert codes(tmp_path) == FOUND


def test_cyclic_imports_and_classes(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("from b import *\nfrom b import RULES\nimport a\nclass A(B): pass\n" + PROMPT)
    (tmp_path / "b.py").write_text(
        "from a import *\nfrom a import RULES, ask\nclass B(A): pass\nprompt = RULES + ask(1)\n"
    )
    assert codes(tmp_path) == FOUND


def test_a_caller_of_a_wrapper_whose_name_is_not_ascii(tmp_path: Path) -> None:
    """The caller says nothing of prompts: it is found by the name that it calls."""
    sends = PROMPT[: PROMPT.index("def ask")] + (
        "def fragt_müller(rules, question):\n"
        '    return client.chat.completions.create(model="gpt-4o", messages=['
        '{"role": "system", "content": rules}, {"role": "user", "content": question}])\n'
    )
    (tmp_path / "wrapper.py").write_text(sends.replace("RULES", "OTHER"))
    (tmp_path / "caller.py").write_text(
        "from datetime import datetime\nfrom wrapper import fragt_müller\n"
        f"TEXT = {RULES.replace('You are', 'Be')!r}\n"
        "def handle(question):\n    fragt_müller(f'{datetime.now()} {TEXT}', question)\n"
    )
    result = run([str(tmp_path)], Config(root=str(tmp_path)))
    assert [(each.code, os.path.basename(each.span.path)) for each in result.findings] == [("PFX101", "caller.py")]


def test_yaml_that_holds_itself(tmp_path: Path) -> None:
    (tmp_path / "prompts.yaml").write_text("system: &a\n  system: *a\n  prompt: [*a, *a]\n  <<: *a\n")
    laughs = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 40))
    (tmp_path / "system_prompt.yaml").write_text(f"a0: &a0 You are {{x}}\n{laughs}prompt: *a39\n")
    (tmp_path / "a.py").write_text(PROMPT)
    assert set(codes(tmp_path)) <= {"PFX101", "PFX901"}
    assert "PFX101" in codes(tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "{{" * 50000,
        "{%" * 50000,
        "{" * 100000,
        "${" * 50000,
        "%(" * 50000,
        "<<" * 50000,
        " " * 200000 + "{{ x }}",
        "{# " * 50000,
        "\\" * 100000,
        "{{ a|" * 20000,
        "&a " * 50000,
        "- " * 50000,
        "a: " * 20000,
        '"' * 100000,
    ],
    ids=lambda text: text[:3].strip() or "spaces",
)
@pytest.mark.parametrize("name", ["prompts/system_prompt.jinja", "prompts/system_prompt.txt", "prompts/prompt.yaml"])
def test_text_that_expressions_dislike(tmp_path: Path, name: str, text: str) -> None:
    """Each took seconds or hours where a pattern of ours would try every way."""
    path = tmp_path / name
    path.parent.mkdir()
    path.write_text(f"prompt: You are {text} {{{{ question }}}} {RULES}\n")
    assert set(codes(tmp_path)) <= {"PFX901", "PFX101", "PFX104", "PFX105"}


# Files that come and go -----------------------------------------------------------------------------------------------


def test_a_file_that_vanishes_is_no_file_of_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from prefixlint.run import collect

    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text(PROMPT)
    real = collect.read_bytes

    def read(path: str, limit: int) -> Any:
        if path.endswith("a.py"):
            os.unlink(path)
        return real(path, limit)

    monkeypatch.setattr(collect, "read_bytes", read)
    assert codes(tmp_path) == FOUND


def test_a_file_that_changes_meanwhile_is_read_once(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(PROMPT)
    real = Stages()

    def analyse(*arguments: Any) -> Any:
        path.write_text("x = (")
        return real.python_analyse(*arguments)

    result = run([str(tmp_path)], Config(root=str(tmp_path)), stages=Stages(python_analyse=analyse))
    assert [(each.code, result.sources[each.span.path].text) for each in result.findings] == [("PFX101", PROMPT)]


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root reads everything")
def test_an_unreadable_folder_and_file(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(PROMPT)
    (tmp_path / "b.py").write_text(PROMPT)
    (tmp_path / "b.py").chmod(0)
    (tmp_path / "c").mkdir(mode=0)
    assert codes(tmp_path) == [*FOUND, "PFX901"]


def test_a_pipe_is_not_opened(tmp_path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("no pipes with names")
    os.mkfifo(tmp_path / "a.py")
    (tmp_path / "b.py").write_text(PROMPT)
    assert codes(tmp_path) == FOUND
    assert codes(tmp_path, "a.py") == ["PFX901"]


# The cache ------------------------------------------------------------------------------------------------------------


def test_a_cache_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from prefixlint.cache import store as module
    from prefixlint.run import stored

    monkeypatch.setattr(stored, "QUICK", -1.0)
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.py").write_text(PROMPT)

    def full(**_: Any) -> Any:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "NamedTemporaryFile", full)
    store = Store(str(tmp_path / "cache"))
    assert codes(folder, store=store) == FOUND
    assert "No space left on device" in store.trouble


def command(folder: Path, cache: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [COMMAND, "check", ".", *arguments],
        cwd=folder,
        env=os.environ | {"PREFIXLINT_CACHE_DIR": str(cache)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A project that takes long enough for its results to be kept."""
    folder = tmp_path / "large"
    folder.mkdir()
    for number in range(40):
        (folder / f"m{number}.py").write_text(PROMPT.replace("museum", f"museum {number}"))
    return folder


def test_runs_at_the_same_time_share_a_cache(large: Path, tmp_path: Path) -> None:
    running = [command(large, tmp_path / "cache", "--output-format", "concise") for _ in range(2)]
    outputs = [each.communicate(timeout=120) for each in running]
    assert [each.returncode for each in running] == [1, 1]
    assert len(set(outputs)) == 1
    assert outputs[0][0].count("PFX101") == 40
    again = command(large, tmp_path / "cache", "--output-format", "concise").communicate(timeout=120)
    assert again == outputs[0]


def test_a_run_that_is_killed_leaves_a_sound_cache(large: Path, tmp_path: Path) -> None:
    first = command(large, tmp_path / "cache", "--output-format", "concise")
    timer = threading.Timer(0.5, first.kill)
    timer.start()
    first.communicate(timeout=120)
    timer.join()
    second = command(large, tmp_path / "cache", "--output-format", "concise")
    output, _ = second.communicate(timeout=120)
    assert (second.returncode, output.count("PFX101")) == (1, 40)


# Our own faults -------------------------------------------------------------------------------------------------------


def test_a_fault_of_ours_in_one_function_hides_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from prefixlint.frontends.python.interpreter import Interpreter

    (tmp_path / "a.py").write_text(PROMPT)
    (tmp_path / "b.py").write_text(PROMPT.replace("def ask", "def crash"))
    real = Interpreter.run_root

    def run_root(self: Interpreter, info: Any, *arguments: Any) -> Any:
        if info.name == "crash":
            raise KeyError("fault")
        return real(self, info, *arguments)

    monkeypatch.setattr(Interpreter, "run_root", run_root)
    result = run([str(tmp_path)], Config(root=str(tmp_path)))
    assert [each.code for each in result.findings] == FOUND
    assert [(each.where.rpartition("/")[2], each.error) for each in result.crashes] == [
        ("b.py:7:crash", "KeyError: 'fault'")
    ]
    assert result.unanalysed_files == 1
