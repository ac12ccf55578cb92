"""The recording client: called as the real ones are, and what it has kept, compared in tokens."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from prefixlint.testing import Recorder
from prefixlint.tokens import get_tokenizer

RULES = "Answer in one short sentence, name the page of the handbook, and never guess a price. " * 12
TOKENS = len(get_tokenizer("o200k_base").encode(RULES))


def chat(system: str, question: str) -> dict[str, Any]:
    messages = [{"role": "system", "content": system}, {"role": "user", "content": question}]
    return {"model": "gpt-4o", "messages": messages}


def test_answers_have_the_shape_of_the_real_ones() -> None:
    recorder = Recorder(answers=["one", "two"])
    client = recorder.client
    assert client.chat.completions.create(**chat("s", "q")).choices[0].message.content == "one"
    assert client.responses.create(model="gpt-4o", input="q").output_text == "two"
    assert client.responses.create(model="gpt-4o", input="q").output[0].content[0].text == "two"
    assert client.messages.create(model="claude-sonnet-4-5", max_tokens=9, messages=[]).content[0].text == "two"
    assert client.completions.create(model="m", prompt="p").choices[0].text == "two"
    assert client.beta.chat.completions.parse(**chat("s", "q")).choices[0].message.content == "two"
    assert len(recorder.requests) == 6
    with pytest.raises(AttributeError, match="has no models"):
        client.models.list()
    assert not hasattr(client.chat, "create")


def test_streams() -> None:
    recorder = Recorder(answers=["Hello"])
    chunks = list(recorder.client.chat.completions.create(**chat("s", "q"), stream=True))
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == "Hello"
    with recorder.client.messages.stream(model="claude-sonnet-4-5", max_tokens=9, messages=[]) as stream:
        assert list(stream.text_stream) == ["Hello"]
        assert stream.get_final_message().content[0].text == "Hello"
    assert "stream" not in recorder.requests[0]


def test_awaited_clients() -> None:
    recorder = Recorder(answers=["Hello"])

    async def talk() -> list[str]:
        client = recorder.async_client
        whole = await client.chat.completions.create(**chat("s", "q"))
        pieces = [chunk async for chunk in await client.chat.completions.create(**chat("s", "q"), stream=True)]
        async with client.messages.stream(model="claude-sonnet-4-5", max_tokens=9, messages=[]) as stream:
            texts = [text async for text in stream.text_stream]
        await client.close()
        return [whole.choices[0].message.content, pieces[0].choices[0].delta.content, *texts]

    assert asyncio.run(talk()) == ["Hello", "Hello", "Hello"]
    assert len(recorder.requests) == 3


def test_bodies_are_kept_as_they_were_sent() -> None:
    recorder = Recorder()

    class NotGiven:
        """What OpenAI's client calls an argument that is not given."""

    class Message:
        def model_dump(self, **options: object) -> dict[str, str]:
            return {"role": "assistant", "content": "Yes."}

    messages: list[Any] = [{"role": "user", "content": "Is it open?"}, Message()]
    recorder.client.chat.completions.create(
        model="m", messages=messages, tools=NotGiven(), timeout=3, extra_body={"cache_salt": "a"}
    )
    messages.append({"role": "user", "content": "And now?"})
    assert recorder.requests == [
        {
            "model": "m",
            "messages": [{"role": "user", "content": "Is it open?"}, {"role": "assistant", "content": "Yes."}],
            "cache_salt": "a",
        }
    ]
    reply = recorder.client.chat.completions.create(model="m", messages=[SimpleNamespace(role="user", content="x")])
    recorder.client.chat.completions.create(model="m", messages=[reply.choices[0].message])
    assert recorder.requests[1]["messages"] == [{"role": "user", "content": "x"}]
    assert recorder.requests[2]["messages"] == [{"role": "assistant", "content": "ok"}]


def test_requests_that_share_their_rules() -> None:
    recorder = Recorder()
    for question in ("How much is a day ticket?", "Are dogs allowed?"):
        recorder.client.chat.completions.create(**chat(RULES, question))
    recorder.assert_stable_prefix(at_least=TOKENS)
    with pytest.raises(AssertionError, match=r"request 2 shares \d+ tokens of vllm with the one before it"):
        recorder.assert_stable_prefix(at_least=TOKENS + 50, target="vllm")


def test_requests_that_part_too_early() -> None:
    recorder = Recorder()
    for time in ("09:26", "09:47"):
        recorder.client.chat.completions.create(**chat(f"It is {time}. {RULES}", "Are dogs allowed?"))
    with pytest.raises(AssertionError) as failure:
        recorder.assert_stable_prefix(at_least=TOKENS)
    told = str(failure.value)
    assert "line 1, column 10 of messages[0].content" in told
    assert "'It is 09:26. Answer in one" in told
    assert "'It is 09:47. Answer in one" in told


def test_a_growing_conversation_shares_what_was_sent_before() -> None:
    recorder = Recorder()
    messages: list[Any] = [{"role": "user", "content": RULES}]
    for text in ("And on Sundays?", "Are dogs allowed?"):
        reply = recorder.client.messages.create(model="claude-sonnet-4-5", max_tokens=9, messages=messages)
        messages += [{"role": "assistant", "content": reply.content}, {"role": "user", "content": text}]
    recorder.assert_stable_prefix(at_least=TOKENS, target="anthropic:claude-sonnet-4-5")


def test_nothing_to_compare() -> None:
    recorder = Recorder()
    recorder.client.chat.completions.create(**chat(RULES, "q"))
    with pytest.raises(AssertionError, match="takes two to compare"):
        recorder.assert_stable_prefix()
    recorder.client.chat.completions.create(**chat(RULES, "q"))
    recorder.assert_stable_prefix(at_least=TOKENS)
    with pytest.raises(AssertionError, match="are the same"):
        recorder.assert_stable_prefix(at_least=5000)
    with pytest.raises(ValueError, match="openia"):
        recorder.assert_stable_prefix(target="openia")
