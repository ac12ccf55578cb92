"""Requests out of files: a rendered prompt, a body, a list of bodies, or a log with one JSON value a line."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from prefixlint.wire.bodies import Body, NotABody, of_json, of_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

LARGEST = 64 * 1024 * 1024
"""Characters of a prompt or of a request that are read at most; a log may have any number of requests."""
LINES = (".jsonl", ".ndjson")
WRAPPERS = (
    "body",
    "request",
    "request_body",
    "proxy_server_request",
    "standard_logging_object",
    "kwargs",
    "payload",
    "json",
)
"""Fields in which logs keep the request itself: OpenAI's batch files, LiteLLM's payloads, and what people write."""


class LogError(ValueError):
    """A file that no request can be read from: the message says why."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A request with its name, ``file`` or ``file:line``; or why there is none, ``problem``.

    An entry without either is none of a request: a span or an event of a trace.
    """

    name: str
    body: Body | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """The entries of one file, read as they are asked for. ``single`` is true for one prompt or one body."""

    entries: Iterator[Entry]
    single: bool


def read(name: str, stream: Iterable[bytes]) -> Source:
    """The requests in ``stream``, a file called ``name``, as its contents say what it is.

    Raises ``LogError`` for a file that is empty, or by its name JSON and by its contents not; what is wrong with one
    line of a log is in its entry.
    """
    lines = _decoded(name, stream)
    head = _up_to_text(lines)
    if not head.strip():
        raise LogError(f"{name} is empty")
    if name.lower().endswith(LINES):
        return Source(_log(name, head, lines), False)
    if head.lstrip()[0] in '{["' and _parsed(head) is not None:
        following = _up_to_text(lines)
        if isinstance(_parsed(following), dict | str | list):
            return Source(_log(name, head, _chain(following, lines)), False)
        head += following
    text = head + _all(name, lines)
    return _document(name, text) if text.lstrip()[0] in '{["' else Source(iter([Entry(name, of_text(text))]), True)


def _all(name: str, lines: Iterator[str]) -> str:
    parts, length = [], 0
    for line in lines:
        parts.append(line)
        length += len(line)
        if length > LARGEST:
            raise LogError(f"{name} has more than {LARGEST:,} characters and is no log with a request a line; not read")
    return "".join(parts)


def _up_to_text(lines: Iterator[str]) -> str:
    """The lines up to the first that is not blank, as they are."""
    out = ""
    for line in lines:
        out += line
        if line.strip():
            break
    return out


def _decoded(name: str, stream: Iterable[bytes]) -> Iterator[str]:
    for number, line in enumerate(stream, 1):
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            raise LogError(f"{name}: line {number} is not UTF-8") from None


def _chain(line: str, lines: Iterator[str]) -> Iterator[str]:
    yield line
    yield from lines


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _broken_at(text: str) -> str:
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return f": {error.msg} at line {error.lineno}, column {error.colno}"
    except (ValueError, RecursionError):
        pass
    return ""


def _document(name: str, text: str) -> Source:
    """One JSON value, or a text that only looks like one."""
    value = _parsed(text)
    if value is None:
        if name.lower().endswith(".json"):
            raise LogError(f"{name} is not valid JSON{_broken_at(text)}")
        return Source(iter([Entry(name, of_text(text))]), True)
    records = _records(value)
    if records is not None:
        return Source((_entry(f"{name}[{number}]", item) for number, item in enumerate(records)), False)
    try:
        return Source(iter([Entry(name, unwrap(value))]), True)
    except NotABody as error:
        if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
            return Source((_entry(f"{name}[{number}]", item) for number, item in enumerate(value)), False)
        if name.lower().endswith(".json"):
            raise LogError(f"{name} is no request body: {error}") from None
        return Source(iter([Entry(name, of_text(text))]), True)


def _records(value: object) -> list[Any] | None:
    """The records of an export in one JSON value: a page of an API (``data``), a trace, or several, with its
    observations; None for anything else."""
    inner: list[Any] | None = None
    if isinstance(value, dict) and not value.keys() & {"messages", "contents", "prompt"}:
        inner = next(
            (value[key] for key in ("data", "observations", "traces") if isinstance(value.get(key), list)), None
        )
    elif isinstance(value, list) and any(isinstance(item, dict) and "observations" in item for item in value):
        inner = value
    if inner is None:
        return None
    out: list[Any] = []
    for item in inner:
        records = _records(item)
        out += [item] if records is None else records
    return out


def _log(name: str, head: str, lines: Iterator[str]) -> Iterator[Entry]:
    number = 0
    for line in _chain(head, lines):
        # The first chunks may hold blank lines in front of the value.
        number += max(1, line.count("\n"))
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            yield Entry(f"{name}:{number}", problem="not valid JSON")
            continue
        records = _records(value)
        if records is None:
            yield _entry(f"{name}:{number}", value)
        else:
            yield from (_entry(f"{name}:{number}[{at}]", record) for at, record in enumerate(records))


def _entry(name: str, value: object) -> Entry:
    try:
        return Entry(name, unwrap(value))
    except NotABody as error:
        return Entry(name, problem=str(error))


def unwrap(value: object) -> Body | None:
    """The request in a log record; None for a record of something else. Raises ``NotABody``.

    Knows request bodies themselves, OpenAI's batch lines, LiteLLM's logging payloads, exported Langfuse observations,
    and prompts as strings.
    """
    if isinstance(value, str):
        return of_text(value)
    if not isinstance(value, dict):
        return of_json(value)
    if value.keys() & {"traceId", "trace_id"} and "input" in value:
        return _observation(value)
    if isinstance(value.get("messages"), list | str):
        return _litellm(value)
    for name in WRAPPERS:
        inner = value.get(name)
        if isinstance(inner, str):
            inner = _parsed(inner)
        if isinstance(inner, dict):
            return unwrap(inner)
    if isinstance(value.get("text"), str) and "input" not in value and "prompt" not in value:
        return of_text(value["text"])
    return of_json(value)


def _observation(value: Mapping[str, Any]) -> Body | None:
    """A Langfuse observation: only a generation is a request; its input may be JSON within a string."""
    if value.get("type") not in (None, "GENERATION"):
        return None
    given = value["input"]
    if isinstance(given, str):
        parsed = _parsed(given)
        if not isinstance(parsed, dict | list):
            return _with_model(of_text(given), value)
        given = parsed
    if given is None:
        raise NotABody("its input is empty")
    body = {"messages": given} if isinstance(given, list) else given
    model = value.get("model") or value.get("providedModelName")
    if isinstance(body, dict) and model and "model" not in body:
        body = {**body, "model": model}
    return of_json(body)


def _litellm(value: Mapping[str, Any]) -> Body:
    """A body with messages; LiteLLM's payload keeps the tools among the parameters."""
    parameters = value.get("model_parameters") or value.get("optional_params")
    if isinstance(parameters, dict):
        value = {**{key: item for key, item in parameters.items() if key not in value}, **value}
    if isinstance(value["messages"], str):
        return _with_model(of_text(value["messages"]), value)
    return of_json(value)


def _with_model(body: Body, value: Mapping[str, Any]) -> Body:
    model = value.get("model")
    return Body(body.form, body.messages, model if isinstance(model, str) else None)
