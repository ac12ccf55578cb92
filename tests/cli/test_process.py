"""The installed command in processes of its own: what only shows there."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = str(Path(sys.executable).with_name("prefixlint"))


def run(*arguments: str, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [COMMAND, *arguments], cwd=cwd, env=os.environ | environment, capture_output=True, encoding="utf-8", check=False
    )


def test_version_loads_click_and_nothing_heavier() -> None:
    def loaded(code: str) -> set[str]:
        done = subprocess.run(
            [sys.executable, "-c", f"{code}\nimport sys\nprint(*sys.modules)"],
            capture_output=True,
            text=True,
            check=True,
        )
        return set(done.stdout.splitlines()[-1].split())

    code = "from prefixlint.cli.main import main\ntry:\n    main(['--version'])\nexcept SystemExit:\n    pass"
    ours = {name for name in loaded(code) - loaded("import click") if name.partition(".")[0] == "prefixlint"}
    others = loaded(code) - loaded("import click") - ours
    assert ours == {"prefixlint", "prefixlint.cli", "prefixlint.cli.main"}
    assert {name.partition(".")[0] for name in others} <= {"importlib", "__future__", "click", "locale", "_locale"}


def test_version_and_help() -> None:
    from prefixlint import __version__

    assert run("--version").stdout == f"prefixlint {__version__}\n"
    assert "check" in run("--help").stdout
    assert "--stdin-filename" in run("check", "-h").stdout


def test_module_does_not_import_from_the_analysed_folder(tmp_path: Path) -> None:
    for name in ("click", "tomllib", "json", "dataclasses", "prefixlint_rules"):
        (tmp_path / f"{name}.py").write_text(f"raise SystemExit('{name} of the analysed folder was imported')\n")
    plugin = tmp_path / "trap-1.0.dist-info"
    plugin.mkdir()
    (plugin / "METADATA").write_text("Metadata-Version: 2.1\nName: trap\nVersion: 1.0\n")
    (plugin / "entry_points.txt").write_text("[prefixlint.rules]\ntrap = trap:RULES\n")
    (tmp_path / "trap.py").write_text("raise SystemExit('plugin of the analysed folder was loaded')\n")
    done = subprocess.run(
        [sys.executable, "-m", "prefixlint", "rules"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "PFX101" in done.stdout
    assert "trap" not in done.stdout + done.stderr
    assert run("rules", cwd=tmp_path).stdout == done.stdout


def test_closed_output_pipe_is_quiet() -> None:
    for arguments in (["rules"], ["--help"]):
        read, write = os.pipe()
        os.close(read)
        process = subprocess.Popen([COMMAND, *arguments], stdout=write, stderr=subprocess.PIPE)
        os.close(write)
        _, errors = process.communicate(timeout=30)
        assert errors == b""
        assert process.returncode == 0


def test_closed_output_pipe_does_not_hide_findings(tmp_path: Path) -> None:
    (tmp_path / "prefixlint.toml").write_text("max-file-size = 5")
    (tmp_path / "a.py").write_text("messages = [{'role': 'system', 'content': f'You are {x}'}]")
    read, write = os.pipe()
    os.close(read)
    process = subprocess.Popen([COMMAND, "check", "a.py"], cwd=tmp_path, stdout=write, stderr=subprocess.PIPE)
    os.close(write)
    _, errors = process.communicate(timeout=30)
    assert errors == b""
    assert process.returncode == run("check", "a.py", cwd=tmp_path).returncode


def test_server_ends_quietly_when_told_to_exit() -> None:
    pytest.importorskip("pygls")
    messages = (
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"processId": None, "capabilities": {}}},
        {"jsonrpc": "2.0", "method": "initialized", "params": {}},
        {"jsonrpc": "2.0", "id": 2, "method": "shutdown"},
        {"jsonrpc": "2.0", "method": "exit"},
    )
    bodies = [json.dumps(message) for message in messages]
    sent = "".join(f"Content-Length: {len(body)}\r\n\r\n{body}" for body in bodies)
    done = subprocess.run([COMMAND, "server"], input=sent, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_interrupt_is_130() -> None:
    process = subprocess.Popen(
        [COMMAND, "check", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # A shell that runs the tests in the background may ignore the signal, and children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdin is not None
    # More than a pipe holds: once all of it is written, the command has read some, and waits for the rest.
    process.stdin.write(b" " * (1 << 20))
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert output == b""
    assert errors.strip() == b"interrupted"


def test_output_in_an_encoding_without_the_characters(tmp_path: Path) -> None:
    done = subprocess.run(
        [COMMAND, "check", "no-日"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONIOENCODING": "latin-1"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == b"prefixlint: no such file or folder: no-\\u65e5\n"
    assert run("targets", PYTHONIOENCODING="ascii").returncode == 0


def test_explain_prints_the_page() -> None:
    done = run("explain", "PFX101")
    assert done.returncode == 0
    assert "volatile-timestamp" in done.stdout
    assert run("explain", "volatile-timestamp").stdout == done.stdout


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device that is always full is needed")
def test_a_full_disk_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("")
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "prefixlint", "check", "--no-cache", str(tmp_path)]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "cannot write the report: No space left on device" in done.stderr
