"""Files and answers that never end, or hold more than anyone means to give: each ends a command with its reason."""

from __future__ import annotations

import os
import socket
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from prefixlint.wire import client
from prefixlint.wire.client import ServerError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from click.testing import Result

    Invoke = Callable[..., Result]

needs_zero = pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="no such device")


@needs_zero
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check", "a.txt", "--baseline", "/dev/zero"], "cannot read /dev/zero: it has more than"),
        (["check", "a.txt", "--config", "/dev/zero"], "larger than 10,000,000 bytes"),
        (["diff", "a.txt", "/dev/zero"], "/dev/zero has a line of more than"),
    ],
)
def test_a_device_without_end(
    invoke: Invoke, folder: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    from prefixlint.cli import shared_files
    from prefixlint.wire import logs

    monkeypatch.setattr(shared_files, "LARGEST", 1_000_000)
    monkeypatch.setattr(logs, "LARGEST", 1_000_000)
    (folder / "a.txt").write_text("PROMPT a error")
    result = invoke(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr


def test_json_that_breaks_off_names_the_place(invoke: Invoke, folder: Path) -> None:
    (folder / "a.json").write_text('{"messages": [\n  {"role": "user",\n   "content" "x"}]}')
    (folder / "b.json").write_text("{}")
    result = invoke("diff", "a.json", "b.json")
    assert result.exit_code == 2
    assert "a.json is not valid JSON: Expecting ':' delimiter at line 3, column 14" in result.stderr


@contextmanager
def trickling(sent: Callable[[socket.socket], None]) -> Iterator[str]:
    """A server that sends a head and then whatever ``sent`` sends, until nobody listens."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                try:
                    if connection.recv(65536):
                        sent(connection)
                except OSError:
                    pass

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        listener.close()


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize("head", [b"HTTP/1.1 200 OK\r\nX: ", HEAD + b"2\r\n{ \r\n"])
@pytest.mark.parametrize("piece", [b"a", b"1\r\n \r\n"])
def test_an_answer_that_trickles_ends_with_the_time(head: bytes, piece: bytes) -> None:
    over = threading.Event()

    def send(connection: socket.socket) -> None:
        connection.sendall(head)
        while not over.wait(0.02):
            connection.sendall(piece)

    with trickling(send) as url:
        server = client.connect(url, timeout=0.3)
        with pytest.raises(ServerError, match=r"gave no answer within 0.3 seconds|cannot reach"):
            server.get("/props")
        over.set()
