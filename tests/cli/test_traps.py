"""A project full of traps: nothing of it is run, nothing outside of it is read, no output can be injected into.

Each trap leaves a file in a folder of its own when it fires. The same project is checked by ``python -m prefixlint``,
by the console script, and in a process that notes what Python's audit hooks tell: code objects of the project that are
executed, connections, programs that are started, files that are opened for writing.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMAND = str(Path(sys.executable).with_name("prefixlint"))
SECRET = "the-combination-is-4711"
RULES = "You are a careful guide of a museum. Never touch the exhibits, and do not tell what is behind the doors. " * 8
# What would be executed: it leaves a file behind.
FIRE = "import os; open(os.path.join(os.environ['TRAPS'], {name!r}), 'w').close()"
CHAT = """
from openai import OpenAI
client = OpenAI()
RULES = {rules!r}
def ask(question, now):
    return client.chat.completions.create(model="gpt-4o", messages=[
        {{"role": "system", "content": f"{{now}} {{RULES}}"}}, {{"role": "user", "content": question}}])
"""
# Modules that the linter or its libraries import, and those that Python imports by itself.
FAKES = (
    *(
        "prefixlint",
        "prefixlint_rules",
        "click",
        "sitecustomize",
        "usercustomize",
        "tiktoken",
        "tiktoken_ext",
        "jinja2",
    ),
    *("ruamel", "libcst", "tokenizers", "transformers", "regex", "json", "ast", "tomllib", "dataclasses", "typing"),
    *("tokenize", "re", "zlib", "readline", "colorama", "pygls", "rules", "linter", "conftest", "prefixlint_plugin"),
)
GLOBALS = "cycler.__init__.__globals__.os.system('touch \"$TRAPS/{name}\"')"
JINJA = (
    "{{{{ now() }}}} {{{{ ''.__class__.__mro__[1].__subclasses__() }}}} {{{{ {} }}}}\n".format(
        GLOBALS.format(name="jinja")
    )
    + "{% include '/etc/passwd' %}{% include '../../outside/secret.txt' %}{% import 'outside.jinja' as o %}\n"
    + "{% set x = namespace.__init__.__globals__ %}{{ question }}\n"
    + RULES
)
YAML = f"""\
system: &a !!python/object/apply:os.system ['touch "$TRAPS/yaml"']
template: !!python/object/new:subprocess.Popen [['touch', 'yaml']]
name: !!python/name:os.system
prompt: "You are {{now}} {RULES} {{question}}"
"""
CHAT_TEMPLATE = "{{% for m in messages %}}{{{{ m.content }}}}{{% endfor %}}{{{{ {} }}}}".format(
    GLOBALS.format(name="chat-template")
)


@pytest.fixture
def traps(tmp_path: Path) -> Path:
    folder = tmp_path / "traps"
    folder.mkdir()
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    outside, root = tmp_path / "outside", tmp_path / "project"
    for folder in (outside, root, root / "prompts", root / "app", root / "trap-1.0.dist-info", root / ".git/hooks"):
        folder.mkdir(parents=True)
    secret = CHAT.format(rules=f"{SECRET} {RULES}")
    (outside / "secret.py").write_text(secret)
    (outside / "secret.txt").write_text(f"{SECRET} {RULES}")
    (outside / "secret.jinja").write_text(f"{{{{ now() }}}} {SECRET} {RULES}")
    (root / "app" / "linked.py").symlink_to(outside / "secret.py")
    (root / "prompts" / "outside.jinja").symlink_to(outside / "secret.jinja")
    (root / "prompts" / "outside.txt").symlink_to(outside / "secret.txt")
    (root / "linked").symlink_to(outside, target_is_directory=True)
    for name in FAKES:
        (root / f"{name}.py").write_text(f"{FIRE.format(name=f'import of {name}')}\n{CHAT.format(rules=RULES)}")
    (root / "app" / "__init__.py").write_text(FIRE.format(name="package"))
    (root / "app" / "main.py").write_text(
        f"{FIRE.format(name='side effect')}\nfrom linked.secret import RULES as OUTSIDE\nfrom app.linked import RULES\n"
        f"from pathlib import Path\n{CHAT.format(rules=RULES)}"
        "def read(question, now):\n"
        "    text = Path('../outside/secret.txt').read_text() + Path('prompts/outside.txt').read_text()\n"
        "    return client.chat.completions.create(model='gpt-4o', messages=[\n"
        "        {'role': 'system', 'content': f'You are {now} {OUTSIDE} {text}'},\n"
        "        {'role': 'user', 'content': question}])\n"
    )
    (root / "app" / "book.ipynb").write_text(
        json.dumps({"cells": [{"cell_type": "code", "source": FIRE.format(name="cell") + CHAT.format(rules=RULES)}]})
    )
    (root / "prompts" / "system.jinja").write_text(JINJA)
    (root / "prompts" / "system.yaml").write_text(YAML)
    (root / "trap-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: trap\nVersion: 1.0\n")
    (root / "trap-1.0.dist-info" / "entry_points.txt").write_text(
        "[prefixlint.rules]\ntrap = prefixlint_plugin:RULES\n"
    )
    (root / ".git" / "config").write_text(
        '[core]\n\tfsmonitor = "touch \\"$TRAPS/fsmonitor\\""\n\thooksPath = .git/hooks\n'
        '[alias]\n\tls-files = !touch "$TRAPS/alias"\n'
    )
    (root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    for folder in ("objects", "refs"):
        (root / ".git" / folder).mkdir()
    return root


# Runs the command line and notes what no run may do.
WATCHED = """
import os, sys
def note(what):
    open(os.path.join(os.environ["TRAPS"], str(what).replace("/", "|")[:200]), "w").close()
def hook(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.bind", "os.system", "os.exec"):
        note(event)
    elif event in ("subprocess.Popen", "os.posix_spawn") and os.path.basename(str(arguments[0])) != "git":
        note(f"program {arguments[0]}")
    elif event == "exec" and getattr(arguments[0], "co_filename", "").startswith(os.environ["PROJECT"]):
        note(f"exec {arguments[0].co_filename}")
    elif event == "open" and isinstance(arguments[0], str):
        path = os.path.abspath(arguments[0])
        writes = isinstance(arguments[1], str) and set(arguments[1]) & set("wax+")
        if (writes and path.startswith(os.environ["PROJECT"])) or path.startswith(os.environ["OUTSIDE"]):
            note(f"open {path}")
sys.addaudithook(hook)
from prefixlint.cli.main import main
main()
"""
WAYS = {
    "module": [sys.executable, "-m", "prefixlint"],
    "script": [COMMAND],
    "watched": [sys.executable, "-P", "-c", WATCHED],
}


def run(way: str, arguments: Sequence[str], project: Path, traps: Path) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONSAFEPATH")}
    # The folders that this process imports from, by absolute paths.
    environment["PYTHONPATH"] = os.pathsep.join(os.path.abspath(each) for each in sys.path if each)
    environment |= {
        "TRAPS": str(traps),
        "PROJECT": str(project),
        "OUTSIDE": str(project.parent / "outside"),
        "PREFIXLINT_CACHE_DIR": str(traps.parent / "cache"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return subprocess.run(
        [*WAYS[way], *arguments],
        cwd=project,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def fired(traps: Path) -> list[str]:
    return sorted(path.name for path in traps.iterdir())


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("command", ["check", "report"])
def test_nothing_of_the_project_runs(project: Path, traps: Path, way: str, command: str) -> None:
    if way == "module":
        # Python's own -m runs the first module of this name that it finds: see the test below.
        (project / "prefixlint.py").unlink()
    done = run(way, [command, "."], project, traps)
    assert "app/main.py" in done.stdout, done.stderr
    assert done.returncode == (1 if command == "check" else 0), done.stderr
    assert fired(traps) == []
    assert SECRET not in done.stdout + done.stderr


def test_a_module_of_our_name_is_not_run_by_the_safe_ways(project: Path, traps: Path) -> None:
    for way in ([COMMAND], [sys.executable, "-P", "-m", "prefixlint"]):
        done = run("script", ["--version"], project, traps) if way == [COMMAND] else None
        if done is None:
            done = subprocess.run([*way, "--version"], cwd=project, capture_output=True, encoding="utf-8", check=False)
        assert done.stdout.startswith("prefixlint "), done.stderr
    assert fired(traps) == []


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", ".", "--unsafe-fixes", "--diff"],
        ["check", ".", "--output-format", "sarif", "--diff-base", "HEAD"],
        ["lock", ".", "--check"],
        ["rules"],
        ["explain", "PFX101"],
        ["targets", "vllm"],
        ["diff", "prompts/system.jinja", "prompts/system.yaml"],
    ],
    ids=" ".join,
)
def test_other_commands_run_nothing_either(project: Path, traps: Path, arguments: list[str]) -> None:
    done = run("watched", arguments, project, traps)
    assert done.returncode in (0, 1, 2), done.stderr
    assert "Traceback" not in done.stderr
    assert fired(traps) == []
    assert SECRET not in done.stdout + done.stderr


TARGET = '[tool.prefixlint]\ntarget = ["vllm:x"]\n[tool.prefixlint.targets."vllm:x"]\n'


@pytest.mark.parametrize(
    ("settings", "status", "told"),
    [
        ('plugins = ["prefixlint_plugin"]', 2, "unknown key 'plugins'"),
        ('extend = "../outside/secret.txt"', 2, "unknown key 'extend'"),
        ('select = ["prefixlint_plugin:RULES"]', 2, "unknown rule code"),
        ('exclude = ["/etc/*", "../../**"]\ninclude = ["../outside/**", "/etc/passwd"]', 0, ""),
        (f'{TARGET}tokenizer = "/dev/zero"', 1, "/dev/zero holds no tokenizer"),
        (f'{TARGET}tokenizer = "meta-llama/Llama-3.1-8B"', 1, "neither a file nor in the Hugging Face cache"),
        (f'{TARGET}tokenizer = "http://127.0.0.1:9/x"', 1, "unknown tokenizer 'http://127.0.0.1:9/x'"),
        (f'{TARGET}tokenizer = "o200k_base"\nchat-template = "/dev/zero"', 1, "/dev/zero is no regular file"),
        (f'{TARGET}tokenizer = "o200k_base"\nchat-template = "chat.jinja"', 1, "chat.jinja"),
    ],
)
def test_poisoned_configuration(project: Path, traps: Path, settings: str, status: int, told: str) -> None:
    head = "" if settings.startswith("[") else "[tool.prefixlint]\n"
    (project / "pyproject.toml").write_text(head + settings)
    (project / "chat.jinja").write_text(CHAT_TEMPLATE)
    done = run("watched", ["check", "app"], project, traps)
    assert (done.returncode, "Traceback" in done.stderr) == (status, False), done.stderr + done.stdout
    assert told in done.stderr + done.stdout
    assert fired(traps) == []
    assert SECRET not in done.stdout + done.stderr
