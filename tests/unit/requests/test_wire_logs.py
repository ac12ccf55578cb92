"""Requests out of files and logs."""

from __future__ import annotations

import io
import json

import pytest
from prefixlint.wire.logs import Entry, LogError, read

CHAT = {"model": "gpt-4o", "messages": [{"role": "user", "content": "Hello"}]}


def entries(text: str | bytes, name: str = "log.jsonl") -> list[Entry]:
    data = text if isinstance(text, bytes) else text.encode()
    return list(read(name, io.BytesIO(data)).entries)


def said(entry: Entry) -> str:
    assert entry.body is not None, entry.problem
    return " | ".join(part.text for message in entry.body.messages for part in message.parts)


@pytest.mark.parametrize(
    "record",
    [
        CHAT,
        {"custom_id": "1", "method": "POST", "url": "/v1/chat/completions", "body": CHAT},
        {"request": CHAT, "response": {"usage": {}}},
        {"request": json.dumps(CHAT)},
        {"kwargs": CHAT},
        {"id": "x", "call_type": "acompletion", "model": "gpt-4o", "messages": CHAT["messages"], "response": {}},
        {"standard_logging_object": {"messages": CHAT["messages"], "model": "gpt-4o"}},
        {"proxy_server_request": {"url": "http://x", "body": CHAT}},
        {"traceId": "t", "type": "GENERATION", "model": "gpt-4o", "input": CHAT["messages"], "output": "Hi"},
        {"traceId": "t", "type": "GENERATION", "providedModelName": "gpt-4o", "input": json.dumps(CHAT["messages"])},
        {"traceId": "t", "type": "GENERATION", "input": CHAT},
    ],
)
def test_records_of_logs(record: object) -> None:
    (entry,) = entries(json.dumps(record) + "\n")
    assert entry.name == "log.jsonl:1"
    assert said(entry) == "Hello"
    assert entry.body is not None
    assert entry.body.model == "gpt-4o"


def test_litellm_keeps_tools_among_the_parameters() -> None:
    record = {"messages": CHAT["messages"], "model_parameters": {"tools": [{"type": "function"}]}}
    assert said(entries(json.dumps(record))[0]) == '{"type": "function"}\n | Hello'


def test_prompts_as_strings() -> None:
    found = entries('"One"\n\n{"prompt": "Two"}\n{"text": "Three"}\n{"traceId": "t", "input": "Four"}\n')
    assert [(entry.name, said(entry)) for entry in found] == [
        ("log.jsonl:1", "One"),
        ("log.jsonl:3", "Two"),
        ("log.jsonl:4", "Three"),
        ("log.jsonl:5", "Four"),
    ]


def test_what_is_no_request() -> None:
    span, broken, other = entries('{"traceId": "t", "type": "SPAN", "input": "x"}\n{broken\n{"level": "info"}\n')
    assert (span.body, span.problem) == (None, "")
    assert broken == Entry("log.jsonl:2", None, "not valid JSON")
    assert other.problem == "it has none of messages, input, contents and prompt"


def test_a_log_is_read_as_it_is_asked_for() -> None:
    class Endless(io.RawIOBase):
        lines = 0

        def readable(self) -> bool:
            return True

        def readline(self, size: int | None = -1) -> bytes:
            self.lines += 1
            return json.dumps(CHAT).encode() + b"\n"

    stream = Endless()
    source = read("log.jsonl", stream)  # type: ignore[arg-type]
    assert said(next(source.entries)) == "Hello"
    assert stream.lines < 5


def test_a_log_by_its_contents_and_a_list() -> None:
    text = json.dumps(CHAT) + "\n"
    assert [entry.name for entry in entries(text * 2, "trace.log")] == ["trace.log:1", "trace.log:2"]
    assert [said(entry) for entry in entries(json.dumps([CHAT, CHAT], indent=1), "a.json")] == ["Hello", "Hello"]
    (one,) = entries(json.dumps(CHAT, indent=2), "a.json")
    assert (one.name, said(one)) == ("a.json", "Hello")


@pytest.mark.parametrize(
    "text",
    [
        "Hello\n\nworld\n",
        "\n\nHello\r\n",
        "{name} asks:\nx",
        "[1]\n\nOne of them\n",
        '{"a": 1}',
        "{{ x }}\n",
        '"a" is a\nb',
    ],
)
def test_a_text_stays_as_it_is(text: str) -> None:
    (one,) = entries(text, "prompt.txt")
    assert said(one) == text


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.txt", b" \n\n", "a.txt is empty"),
        ("a.jsonl", b"", "a.jsonl is empty"),
        ("a.json", b'{"messages": [', "a.json is not valid JSON: Expecting value at line 1, column 15"),
        ("a.json", b'{"a": 1}', "a.json is no request body: it has none of messages, input, contents and prompt"),
        ("a.txt", b"ok\n\xff\xfe", "a.txt: line 2 is not UTF-8"),
    ],
)
def test_files_that_cannot_be_used(name: str, data: bytes, message: str) -> None:
    with pytest.raises(LogError, match=f"^{message}$"):
        entries(data, name)


GENERATION = {"id": "o1", "traceId": "t", "type": "GENERATION", "model": "gpt-4o", "input": CHAT["messages"]}
SPAN = {"id": "o2", "traceId": "t", "type": "SPAN", "input": {"question": "x"}}


@pytest.mark.parametrize(
    "export",
    [
        {"data": [GENERATION, SPAN], "meta": {"page": 1, "limit": 50}},  # a page of the observations API
        {"id": "t", "name": "chat", "input": "x", "observations": [SPAN, GENERATION]},  # one trace
        {"data": [{"id": "t", "observations": [GENERATION]}, {"id": "u", "observations": []}]},
        [{"id": "t", "observations": [SPAN, GENERATION]}],
        [GENERATION, SPAN],
    ],
)
@pytest.mark.parametrize("pretty", [None, 2])
def test_exports_of_langfuse(export: object, pretty: int | None) -> None:
    found = entries(json.dumps(export, indent=pretty), "export.json")
    requests = [entry for entry in found if entry.body is not None]
    assert [said(entry) for entry in requests] == ["Hello"]
    assert all(not entry.problem for entry in found)


def test_traces_one_a_line() -> None:
    line = json.dumps({"id": "t", "observations": [SPAN, GENERATION]})
    found = entries(f"{line}\n{line}\n")
    assert [entry.name for entry in found if entry.body] == ["log.jsonl:1[1]", "log.jsonl:2[1]"]
