"""Where requests part, checked against whole tokenizations and counts made by hand."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prefixlint.engines import load_target
from prefixlint.tokens import TokenizerError, get_tokenizer
from prefixlint.wire.bodies import of_json, of_text
from prefixlint.wire.compare import OTHER_MODEL, compare, differing
from prefixlint.wire.sent import render
from prefixlint.wire.survey import Survey

if TYPE_CHECKING:
    from pathlib import Path

GPT = load_target("openai:gpt-4o")
VLLM = load_target("vllm")
ENCODING = get_tokenizer("o200k_base")


def chat(*messages: tuple[str, str], **more: object) -> object:
    return {"messages": [{"role": role, "content": text} for role, text in messages], **more}


def test_two_texts() -> None:
    one, other = "Manual.\nTime: 2026-03-14 09:26\nRules.", "Manual.\nTime: 2026-03-15 10:31\nRules."
    a, b = ENCODING.encode(one), ENCODING.encode(other)
    prefix = next(at for at in range(len(a)) if a[at] != b[at])
    (found,) = compare(of_text(one), of_text(other), [GPT])
    assert found.reuse.prefix == prefix
    assert found.one.total == len(a)
    assert found.here.before == one[: len(found.here.before)]
    assert ENCODING.encode(found.here.before) == a[:prefix]
    assert (found.here.line, found.here.column) == (2, len("Time: 2026-03-") + 1)
    assert (found.here.behind, found.there.behind) == ("14 09:26\nRules.", "15 10:31\nRules.")


@given(st.text(max_size=60), st.text(max_size=60), st.text(max_size=60))
def test_texts_part_where_their_tokens_do(head: str, one: str, other: str) -> None:
    a, b = ENCODING.encode(head + one), ENCODING.encode(head + other)
    (found,) = compare(of_text(head + one), of_text(head + other), [GPT])
    prefix = found.reuse.prefix
    assert a[:prefix] == b[:prefix]
    assert found.identical == (a == b)
    assert found.identical or a[prefix : prefix + 1] != b[prefix : prefix + 1]


def test_framing_of_a_chat() -> None:
    # The cookbook's count: 3 tokens a message, its role, and 3 for the reply.
    body = of_json(chat(("system", "Be brief."), ("user", "Hello there")))
    texts = ENCODING.encode("Be brief.") + ENCODING.encode("Hello there")
    assert render(body, GPT).total == 2 * (3 + 1) + 3 + len(texts)


def test_a_conversation_that_goes_on_is_shared_wholly() -> None:
    one = of_json(chat(("system", "Be brief."), ("user", "Hello")))
    other = of_json(chat(("system", "Be brief."), ("user", "Hello"), ("assistant", "Hi"), ("user", "Bye")))
    (found,) = compare(one, other, [GPT])
    # The prompt for the reply is the start of the assistant's message.
    assert found.reuse.prefix == found.one.total
    assert found.here.path == "the end"
    assert found.there.behind == "Hi"


def test_another_role_parts_in_the_framing() -> None:
    one, other = of_json(chat(("user", "Hello"))), of_json(chat(("system", "Hello")))
    (found,) = compare(one, other, [GPT])
    assert found.reuse.prefix == 1
    assert found.here.path == "the framing of a user message"


TEMPLATE = "{% for m in messages %}[{{ m.role }}] {{ m.content }}\n{% endfor %}{{ tools | tojson if tools }}>"


@pytest.mark.parametrize(
    "body",
    [
        chat(("system", "Be brief."), ("user", "Hello")),
        {"system": "Be brief.", "messages": [{"role": "user", "content": [{"type": "text", "text": "Hello"}]}]},
        {"instructions": "Be brief.", "input": "Hello"},
        {"system_instruction": {"parts": [{"text": "Be brief."}]}, "contents": "Hello"},
    ],
)
def test_a_chat_template_writes_the_whole_request(body: object, tmp_path: Path) -> None:
    (tmp_path / "own.jinja").write_text(TEMPLATE)
    target = load_target("vllm", {"chat-template": str(tmp_path / "own.jinja")})
    expected = "[system] Be brief.\n[user] Hello\n>"
    rendered = render(of_json(body), target)
    assert rendered.sent.tokens == tuple(ENCODING.encode(expected))
    place = rendered.place(rendered.total - 1)
    assert (place.path, place.line) == ("the rendered chat", 3)


def test_a_chat_template_leaves_plain_prompts_alone_and_may_refuse(tmp_path: Path) -> None:
    (tmp_path / "own.jinja").write_text("{{ raise_exception('no ' + messages[0].role) }}")
    target = load_target("vllm", {"chat-template": str(tmp_path / "own.jinja")})
    assert render(of_text("Hello"), target).sent.tokens == tuple(ENCODING.encode("Hello"))
    with pytest.raises(TokenizerError, match="refuses the conversation: no user"):
        compare(of_json(chat(("user", "Hello"))), of_json(chat(("user", "Hi"))), [target])


def test_tools_stand_where_the_target_puts_them() -> None:
    one = of_json(chat(("system", "Be brief."), ("user", "Hello"), tools=[{"name": "a"}]))
    other = of_json(chat(("system", "Be brief."), ("user", "Hello"), tools=[{"name": "b"}]))
    openai, vllm = compare(one, other, [GPT, VLLM])
    assert openai.here.path == vllm.here.path == "tools[0]"
    # OpenAI sees tools first, most chat templates the system text.
    assert vllm.reuse.prefix - openai.reuse.prefix == len(ENCODING.encode("Be brief.")) + 4


def test_another_image_is_another_token() -> None:
    def body(url: str) -> object:
        image = {"type": "image_url", "image_url": {"url": url}}
        return {"messages": [{"role": "user", "content": [image, {"type": "text", "text": "What is it?"}]}]}

    same, changed = (compare(of_json(body("a")), of_json(body(url)), [GPT])[0] for url in "ab")
    assert same.identical
    assert changed.here.path == "messages[0].content[0]"
    assert changed.one.opaque == 1


def test_another_model_reuses_nothing() -> None:
    one, other = (of_json(chat(("user", "Hello " * 2000), model=model, n=1)) for model in ("gpt-4o", "gpt-4.1"))
    assert differing(one, other) == ("model",)
    (found,) = compare(one, other, [GPT])
    assert (found.reuse.tokens, found.reuse.note) == (0, OTHER_MODEL)
    assert compare(one, one, [GPT])[0].reuse.tokens == found.one.total // 128 * 128


def test_lone_surrogates_and_tokens_instead_of_text() -> None:
    one, other = of_json({"prompt": "a\ud800b"}), of_json({"prompt": "a\ud800c"})
    assert compare(one, other, [GPT])[0].here.behind == "b"
    tokens = compare(of_json({"prompt": [5, 6, 7]}), of_json({"prompt": [5, 6, 8]}), [GPT])[0]
    assert (tokens.reuse.prefix, tokens.here.path, tokens.here.column) == (2, "prompt", 3)


def survey(*bodies: object) -> Survey:
    out = Survey(lambda body: [VLLM])
    for number, body in enumerate(bodies):
        out.add(f"log:{number}", of_json(body))
    return out


def test_survey_counts_where_requests_part() -> None:
    rules = "Rules. " * 50
    words = random.Random(5).sample(["red", "blue", "green", "grey", "pink", "gold"], 6)
    bodies = [
        chat(("system", f"{rules}Day {number % 2 + 1}. End."), ("user", word)) for number, word in enumerate(words)
    ]
    (group,) = survey(*bodies, bodies[0]).groups()
    head = len(ENCODING.encode(f"{rules}Day ")) + 3
    assert (group.requests, group.identical, group.all_share) == (7, 1, head)
    day, word = group.breaks
    # Three requests are of the other day; two of the same day ask something else.
    assert (day.count, word.count) == (3, 2)
    assert (day.place.path, day.place.behind, day.instead) == ("messages[0].content", "1. End.", "2. End.")
    assert (word.place.path, word.place.behind) == ("messages[1].content", words[0])
    (reused,) = group.reused
    assert reused.reused <= reused.shared <= reused.tokens
    assert reused.reused >= 6 * (head // 16 * 16)


def test_survey_keeps_models_apart() -> None:
    bodies = [chat(("user", "Hello"), model=model) for model in ("a", "b", "b")]
    assert [(group.model, group.requests) for group in survey(*bodies).groups()] == [("b", 2), ("a", 1)]


def test_breaks_a_few_tokens_apart_are_one_place() -> None:
    times = ["2026-03-14 09:26:53", "2026-03-14 09:26:54", "2026-03-14 10:00:00", "2027-01-01 00:00:00"]
    (group,) = survey(*(chat(("user", f"Time: {time}. Go.")) for time in times)).groups()
    (only,) = group.breaks
    assert only.count == 3
    assert only.first < only.last


def anthropic(tool_choice: str, *, question: str = "Why?", marked: bool = True, **more: object) -> object:
    marker = {"cache_control": {"type": "ephemeral"}} if marked else {}
    return {
        "model": "claude-sonnet-4-5",
        "tool_choice": {"type": tool_choice},
        "system": [{"type": "text", "text": "Rule. " * 1500, **marker}],
        "messages": [{"role": "user", "content": [{"type": "text", "text": question, **marker}]}],
        **more,
    }


def test_what_another_tool_choice_loses_depends_on_the_provider() -> None:
    # platform.claude.com prompt caching, "What invalidates the cache": tool_choice keeps tools and system.
    one, other = of_json(anthropic("auto")), of_json(anthropic("any"))
    (claude, vllm) = compare(one, other, (load_target("anthropic:claude-sonnet-4-5"), load_target("vllm")))
    assert claude.identical
    assert (claude.reuse.tokens, claude.reuse.note) == (
        claude.one.sent.markers[0],
        "another tool_choice loses the messages",
    )
    assert vllm.reuse.tokens > claude.reuse.tokens
    assert vllm.reuse.note == ""


def test_an_image_more_keeps_tools_and_system_text() -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}
    first = anthropic("auto")
    then = anthropic("auto", messages=[{"role": "user", "content": [{"type": "text", "text": "Why?"}, image]}])
    (found,) = compare(of_json(first), of_json(then), (load_target("anthropic:claude-sonnet-4-5"),))
    assert found.reuse.tokens == 0 or found.reuse.tokens == found.one.sent.markers[0]
    assert "images" in found.reuse.note


@pytest.mark.parametrize(
    ("setting", "target"),
    [
        ({"response_format": {"type": "json_object"}}, "openai:gpt-4o"),
        ({"parallel_tool_calls": False}, "openai:gpt-4o"),
        ({"reasoning_effort": "high"}, "openai:gpt-5"),
        ({"cache_salt": "a"}, "vllm"),
        ({"prompt_cache_key": "a"}, "openai:gpt-5.6"),
    ],
)
def test_settings_that_lose_everything(setting: dict[str, object], target: str) -> None:
    body = {"model": "m", "messages": [{"role": "system", "content": "Rule. " * 1500}]}
    (found,) = compare(of_json(body), of_json({**body, **setting}), (load_target(target),))
    assert found.identical
    assert found.reuse.tokens == 0
    assert found.reuse.note


def test_a_run_of_tool_results_is_one_block() -> None:
    def result(number: int) -> dict[str, object]:
        return {"type": "tool_result", "tool_use_id": str(number), "content": f"Result {number}"}

    body = {
        "model": "claude-sonnet-4-5",
        "system": "Rule.",
        "messages": [{"role": "user", "content": [*map(result, range(30)), {"type": "text", "text": "Go on."}]}],
    }
    sent = render(of_json(body), load_target("anthropic:claude-sonnet-4-5")).sent
    # The system text, the thirty results, the question.
    assert len(sent.blocks) == 3


def test_a_marker_on_the_message_ends_the_run_of_tool_results_at_its_end() -> None:
    results = [{"type": "tool_result", "tool_use_id": str(number), "content": f"Result {number}"} for number in "abc"]
    mark = {"cache_control": {"type": "ephemeral"}}
    (message,) = of_json({"messages": [{"role": "user", "content": results, **mark}]}).messages
    assert [(part.kind, part.marker) for part in message.parts] == [
        ("tool_result", False),
        ("tool_result", False),
        ("tool_result", True),
    ]
