"""A small HTTP client for one server: loopback unless told otherwise, no redirects, no proxies, keys in no message."""

from __future__ import annotations

import ipaddress
import json
import os
import socket
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Mapping
    from http.client import HTTPConnection

LARGEST = 64 * 1024 * 1024
"""Bytes of an answer that are read at most."""
_SHOWN = 200


class ServerError(Exception):
    """A server that gives no usable answer. ``user`` is true where the request, not the server, has to change.

    ``status`` is what it answered with, None where nothing came back at all.
    """

    def __init__(self, message: str, *, user: bool = False, status: int | None = None) -> None:
        super().__init__(message)
        self.user = user
        self.status = status


class _Ending:
    """Closes a connection once ``seconds`` have passed, whatever trickles in: a socket's own timeout starts anew with
    each byte. ``came`` is true from then on."""

    def __init__(self, seconds: float) -> None:
        self.came = False
        self._socket: socket.socket | None = None
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True

    def holds(self, connected: socket.socket | None) -> None:
        """The socket to close; nothing is left to wait for where the time is over already."""
        self._socket = connected
        if self.came:
            self._end()

    def _end(self) -> None:
        self.came = True
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)

    def __enter__(self) -> _Ending:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back, ``body``, and the wall-clock ``seconds`` until it was all there."""

    body: Mapping[str, Any]
    seconds: float


@dataclass(frozen=True, slots=True)
class Server:
    """``host`` is what the user wrote, ``address`` what is connected to; ``path`` has no slash at its end."""

    scheme: str
    host: str
    address: str
    port: int
    path: str
    timeout: float
    key: str = field(default="", repr=False)
    key_header: str = "Authorization"

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}"

    def get(self, path: str) -> Answer:
        """The JSON at ``path``. Raises ``ServerError``."""
        return self._send("GET", path, None)

    def post(self, path: str, body: Mapping[str, Any]) -> Answer:
        """The answer to ``body``; that of a stream is what its events say of usage. Raises ``ServerError``."""
        return self._send("POST", path, json.dumps(body, ensure_ascii=False).encode("utf-8", "replace"))

    def _send(self, method: str, path: str, data: bytes | None) -> Answer:
        from http.client import HTTPException

        where = f"{self.url}{path}"
        connection = self._connection()
        started = time.perf_counter()
        late = f"{where} gave no answer within {self.timeout:g} seconds (--timeout)"
        with _Ending(self.timeout) as ending:
            try:
                connection.connect()
                ending.holds(connection.sock)
                connection.request(method, path, data, self._headers())
                response = connection.getresponse()
                raw = response.read(LARGEST)
            except TimeoutError:
                raise ServerError(late) from None
            except (OSError, HTTPException, ValueError) as error:
                if ending.came:
                    raise ServerError(late) from None
                reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
                raise ServerError(f"cannot reach {where}: {self._safe(reason)}") from None
            finally:
                connection.close()
        if ending.came:
            raise ServerError(late)
        seconds = time.perf_counter() - started
        if not 200 <= response.status < 300:
            raise self._refused(where, response.status, raw)
        return Answer(self._read(where, response.getheader("Content-Type") or "", raw), seconds)

    def _connection(self) -> HTTPConnection:
        from http.client import HTTPConnection, HTTPSConnection

        if self.scheme == "https":
            # The certificate is for the name; loopback addresses were checked when it was resolved.
            return HTTPSConnection(self.host, self.port, timeout=self.timeout)
        return HTTPConnection(self.address, self.port, timeout=self.timeout)

    def _headers(self) -> dict[str, str]:
        host = f"[{self.host}]" if ":" in self.host else self.host
        headers = {"Content-Type": "application/json", "Accept": "application/json", "Host": f"{host}:{self.port}"}
        if self.key_header == "x-api-key":
            headers["anthropic-version"] = "2023-06-01"
        if self.key:
            headers[self.key_header] = f"Bearer {self.key}" if self.key_header == "Authorization" else self.key
        return headers

    def _refused(self, where: str, status: int, raw: bytes) -> ServerError:
        said = self._safe(_message(raw))
        said = f": {said}" if said else ""
        if 300 <= status < 400:
            return ServerError(f"{where} redirects ({status}), which is not followed", user=True, status=status)
        hint = {
            401: "; name the variable that holds the key: --key-env",
            403: "; name the variable that holds the key: --key-env",
            404: "; is it the right address, --api and --model?",
            429: "; the server limits requests: wait, or fewer --repeats",
        }.get(status, "")
        user = status not in (408, 429) and status < 500
        return ServerError(f"{where} answers {status}{said}{hint}", user=user, status=status)

    def _read(self, where: str, kind: str, raw: bytes) -> Mapping[str, Any]:
        from prefixlint.wire.usage import events_of, of_stream

        text = raw.decode("utf-8", "replace")
        try:
            if "event-stream" in kind or "ndjson" in kind or text.lstrip().startswith(("data:", "event:")):
                found: Any = of_stream(events_of(text))
            else:
                found = json.loads(text)
        except (ValueError, RecursionError):
            raise ServerError(
                f"{where} answers with something that is not JSON: {self._safe(text)!r}", status=200
            ) from None
        if not isinstance(found, dict):
            raise ServerError(f"{where} answers with JSON that is no object: {self._safe(text)!r}", status=200)
        if found.get("error") is not None:
            raise ServerError(f"{where} reports an error: {self._safe(_message(raw))}", status=200)
        return found

    def _safe(self, text: str) -> str:
        """A server's own words, cut short, and without the key should it repeat it."""
        text = " ".join(text.split())
        if self.key:
            text = text.replace(self.key, "***")
        return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _message(raw: bytes) -> str:
    """The message in an error of any API, or the answer as it is."""
    text = raw.decode("utf-8", "replace")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    for _ in range(3):
        if isinstance(value, dict):
            value = next((value[key] for key in ("error", "message", "detail") if value.get(key)), text)
    return value if isinstance(value, str) else text


def connect(
    url: str, *, timeout: float, allow_remote: bool = False, key_env: str | None = None, reach: bool = True
) -> Server:
    """The server at ``url``; nothing is sent yet, and with ``reach`` False not even a connection is tried.

    The key is the value of the environment variable ``key_env``. Raises ``ServerError`` for an address that cannot be
    used, and for one outside this machine unless ``allow_remote`` says so.
    """
    parts = urlsplit(url if "://" in url else f"http://{url}")
    try:
        port = parts.port
    except ValueError:
        raise ServerError(f"{url} has no valid port", user=True) from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ServerError(f"{url} is no http or https address", user=True)
    if parts.username or parts.password or parts.query:
        raise ServerError("the address may hold no user, password or query; keys come from --key-env", user=True)
    port = port or (443 if parts.scheme == "https" else 80)
    try:
        found = socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise ServerError(f"cannot find {parts.hostname}: {error.strerror or error}") from None
    addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
    if not allow_remote and not all(ipaddress.ip_address(one.partition("%")[0]).is_loopback for one in addresses):
        raise ServerError(f"{parts.hostname} is not this machine: --allow-remote sends the prompt there", user=True)
    key = ""
    if key_env is not None:
        key = os.environ.get(key_env, "").strip()
        if not key:
            raise ServerError(f"the environment has no {key_env}", user=True)
    path = parts.path.rstrip("/")
    # "localhost" may mean two addresses with a server at one of them.
    address = next((one for one in addresses if reach and _listens(one, port, timeout)), addresses[0])
    return Server(parts.scheme, parts.hostname, address, port, path, timeout, key)


def _listens(address: str, port: int, timeout: float) -> bool:
    try:
        socket.create_connection((address, port), min(timeout, 2.0)).close()
    except OSError:
        return False
    return True
