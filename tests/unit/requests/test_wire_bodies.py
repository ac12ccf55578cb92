"""Request bodies of each API: texts, roles, order, markers and places, as the APIs' references define them."""

from __future__ import annotations

from typing import Any

import pytest
from prefixlint.wire.bodies import Body, NotABody, of_json, of_text


def texts(body: Body) -> list[tuple[str, str, str]]:
    return [(m.component, m.role, "".join(part.text for part in m.parts)) for m in body.messages]


def test_openai_chat() -> None:
    body = of_json(
        {
            "model": "gpt-4o",
            "tools": [{"type": "function", "function": {"name": "find", "parameters": {}}}],
            "messages": [
                {"role": "developer", "content": "Be brief."},
                {"role": "user", "content": [{"type": "text", "text": "One"}, {"type": "text", "text": "Two"}]},
                {"role": "assistant", "content": None, "tool_calls": [{"id": "c1"}]},
                {"role": "tool", "tool_call_id": "c1", "content": "42"},
                {"role": "system", "content": "Reminder"},
            ],
            "temperature": 0.2,
            "reasoning_effort": "low",
        }
    )
    assert (body.form, body.model, body.engine) == ("openai-chat", "gpt-4o", "openai")
    assert texts(body) == [
        ("tools", "", '{"type": "function", "function": {"name": "find", "parameters": {}}}\n'),
        ("system", "developer", "Be brief."),
        ("messages", "user", "OneTwo"),
        ("messages", "assistant", '[{"id": "c1"}]'),
        ("messages", "tool", "42"),
        # Engines leave a system message where it is when it comes later.
        ("messages", "system", "Reminder"),
    ]
    assert body.messages[2].parts[1].place == "messages[1].content[1].text"
    # The temperature decides over no cache.
    assert body.settings == {"model": '"gpt-4o"', "reasoning_effort": '"low"'}


@pytest.mark.parametrize(
    "given",
    [
        "Hello",
        [{"role": "user", "content": "Hello"}],
        [{"role": "user", "content": [{"type": "input_text", "text": "Hello"}]}],
    ],
)
def test_openai_responses(given: object) -> None:
    body = of_json({"model": "gpt-5", "instructions": "Be brief.", "input": given})
    assert body.form == "openai-responses"
    assert texts(body) == [("system", "system", "Be brief."), ("messages", "user", "Hello")]


def test_openai_responses_items_of_tools() -> None:
    call = {"type": "function_call", "call_id": "c", "name": "find", "arguments": "{}"}
    body = of_json({"input": [call, {"type": "function_call_output", "call_id": "c", "output": "42"}]})
    assert [message.role for message in body.messages] == ["function_call", "function_call_output"]
    assert '"output": "42"' in texts(body)[1][2]


def test_anthropic_blocks_and_markers() -> None:
    mark = {"cache_control": {"type": "ephemeral"}}
    body = of_json(
        {
            "model": "claude-sonnet-4-5",
            "system": [{"type": "text", "text": "Rules"}, {"type": "text", "text": "Manual", **mark}],
            "tools": [{"name": "find", "input_schema": {}, **mark}],
            "messages": [
                {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "42", **mark}]}
            ],
        }
    )
    assert body.form == "anthropic"
    # Tools first, and the marker is no text that an engine sees.
    assert texts(body)[0] == ("tools", "", '{"name": "find", "input_schema": {}}\n')
    assert [(part.text, part.marker) for part in body.messages[1].parts] == [("Rules", False), ("Manual", True)]
    assert [(part.text, part.marker) for part in body.messages[2].parts] == [("42", True)]


def test_bedrock_converse() -> None:
    body = of_json(
        {
            "system": [{"text": "Rules"}, {"cachePoint": {"type": "default"}}],
            "messages": [{"role": "user", "content": [{"text": "Hello"}]}],
            "inferenceConfig": {"maxTokens": 10},
        }
    )
    assert body.form == "bedrock"
    assert texts(body) == [("system", "system", "Rules"), ("messages", "user", "Hello")]
    assert [part.marker for part in body.messages[0].parts] == [False, True]


def test_gemini() -> None:
    body = of_json(
        {
            "systemInstruction": {"parts": [{"text": "Rules"}]},
            "contents": [{"role": "user", "parts": [{"text": "Hello"}, {"inlineData": {"data": "aGk="}}]}],
        }
    )
    assert body.form == "gemini"
    assert texts(body) == [("system", "system", "Rules"), ("messages", "user", "Hello")]
    assert body.messages[1].parts[1].digest


def test_ollama() -> None:
    chat = of_json({"model": "qwen2.5:7b", "messages": [{"role": "user", "content": "Hi"}], "keep_alive": "5m"})
    assert (chat.form, chat.engine) == ("ollama-chat", "ollama")
    generate = of_json({"model": "qwen2.5:7b", "system": "Rules", "prompt": "Hi"})
    assert texts(generate) == [("system", "system", "Rules"), ("messages", "user", "Hi")]
    raw = of_json({"model": "qwen2.5:7b", "prompt": "<|im_start|>", "raw": True})
    assert texts(raw) == [("messages", "", "<|im_start|>")]


def test_llama_server_completion() -> None:
    assert texts(of_json({"prompt": "Once", "n_predict": 1})) == [("messages", "", "Once")]
    tokens = of_json({"prompt": [1, 2, 3]})
    assert tokens.messages[0].parts[0].ids == (1, 2, 3)
    assert tokens.engine == "llama-server"


def test_images_are_told_apart_by_their_contents() -> None:
    def digest(url: str) -> str:
        part = {"type": "image_url", "image_url": {"url": url}}
        return of_json([{"role": "user", "content": [part]}]).messages[0].parts[0].digest

    assert digest("data:a") == digest("data:a") != digest("data:b")


@pytest.mark.parametrize("value", [{}, [], [1], 3, None, {"messages": "x"}, {"prompt": None}])
def test_something_else(value: Any) -> None:
    with pytest.raises(NotABody):
        of_json(value)


@pytest.mark.parametrize(
    "value",
    [
        {"messages": [1, None, {"role": 5, "content": {"a": 1}}, {"content": [None, 3, ["x"]]}]},
        {"messages": [], "tools": {"a": 1}},
        {"prompt": ["a", {"text": 3}]},
        {"contents": [[]], "systemInstruction": 4},
        {"input": [{}], "instructions": 4},
    ],
)
def test_odd_bodies_are_read_as_far_as_they_go(value: Any) -> None:
    assert isinstance(of_json(value), Body)


def test_a_text_is_one_plain_message() -> None:
    assert texts(of_text("Hello\n")) == [("messages", "", "Hello\n")]
