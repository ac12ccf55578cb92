"""What claims to be a message and is none ends the server, quietly and soon."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pygls")
COMMAND = str(Path(sys.executable).with_name("prefixlint"))


@pytest.mark.parametrize(
    ("head", "said"),
    [
        (b"Content-Length: 999999999999\r\n\r\n{}", "a message of 999,999,999,999 bytes is not read"),
        (b"Content-Length: " + b"9" * 6000 + b"\r\n\r\n{}", ""),
        (b"Content-Length: -1\r\n\r\n{}", ""),
        (b"GET / HTTP/1.1\r\n\r\n", ""),
        (b"x" * 5_000_000, ""),
    ],
    ids=["huge", "no number", "negative", "HTTP", "no line end"],
)
def test_what_is_no_message(head: bytes, said: str) -> None:
    done = subprocess.run([COMMAND, "server"], input=head, capture_output=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"Traceback" not in done.stderr
    assert said in done.stderr.decode()
