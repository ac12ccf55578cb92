"""Requests through a chat template: every piece at its place, and what the template writes around it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from layout_support import ORDER, Bare, Words, block, choice, clock, history, template, text, value
from prefixlint.engines import load_target
from prefixlint.layout import build
from prefixlint.layout.chats import NotPlaced, ThroughTemplate
from prefixlint.layout.inversions import as_written, inversions
from prefixlint.layout.remembering import Remembering
from prefixlint.layout.views import View
from prefixlint.model.lifetimes import Lifetime
from prefixlint.tokens.chat_render import ChatTemplate

if TYPE_CHECKING:
    from pathlib import Path

    from prefixlint.model.templates import Template

TRIMMING = """\
{%- for message in messages %}<{{ message.role }}>{{ message.content | trim }}</>
{% endfor %}
{%- if tools %}[tools] {{ tools | tojson }}
{% endif %}
{%- if add_generation_prompt %}<assistant>{% endif %}"""
LAST_TURN = """\
{%- for message in messages %}
{%- if message.role == 'user' %}
{%- if loop.last and messages[0].role == 'system' %}{{ messages[0].content }} {% endif -%}
[user] {{ message.content }} {% elif message.role == 'assistant' %}[answer] {{ message.content }} {% endif %}
{%- endfor %}"""
RULES = "Answer in one sentence. Cite the page. Never guess a number."


def through(text: str, engine: str = "vllm") -> ThroughTemplate:
    return ThroughTemplate(ChatTemplate("own.jinja", text), datetime(2026, 3, 14, 9, 26, 53), engine)


def seen(made: Template, chat: str, engine: str = "vllm") -> View:
    return View(made, ORDER, Remembering(Words()), Bare(), through(chat, engine))  # type: ignore[arg-type]


def question() -> object:
    return block(value("question", Lifetime.REQUEST, "text"), role="user")


def test_pieces_stand_where_the_template_puts_them() -> None:
    made = template(
        block(text("  Hello "), value("name", Lifetime.USER, "name"), text(".\n\n"), role="system", component="system"),
        block(text("Go."), role="user"),
    )
    view = seen(made, TRIMMING)
    assert [(item.framing, item.placed.text) for item in view.located] == [
        (True, "<system>"),
        (False, "Hello "),
        (False, "Maria Keller"),
        (False, "."),
        (True, "</>\n<user>"),
        (False, "Go."),
        (True, "</>\n<assistant>"),
    ]
    whole = "<system>Hello Maria Keller.</>\n<user>Go.</>\n<assistant>"
    assert "".join(item.placed.text for item in view.located) == view.messages[0].text == whole
    assert view.total == len(Words().encode(whole))
    # "<" "system" ">" "Hello" " " stand in every request; the space could merge with what follows.
    assert view.breakpoint is not None
    assert (view.breakpoint.token, view.breakpoint.token_guaranteed) == (5, 4)


def test_the_templates_head_is_stable_and_its_roles_are_the_blocks() -> None:
    made = template(block(text(RULES), role="system", component="system"), question())  # type: ignore[arg-type]
    view = seen(made, TRIMMING)
    assert [item.placed.role for item in view.located] == ["system", "system", "user", "user", "user"]
    assert all(item.placed.lifetime is Lifetime.CONSTANT for item in view.located if item.framing)
    head = f"<system>{RULES}</>\n<user>"
    assert view.prefix == len(Words().encode(head))


def test_tools_stand_in_the_description_of_a_tool() -> None:
    tools = block(text('say "hi"\n'), clock(), role="tools", component="tools")
    made = template(tools, block(text(RULES), role="system", component="system"))
    view = seen(made, TRIMMING)
    placed = [item.placed.text for item in view.located]
    assert placed[3:5] == ['say \\"hi\\"\\n', "2026-03-14 09:26:53"]
    assert placed[2].endswith('"description": "')
    assert view.located[3].placed.start > view.located[1].placed.end


def test_a_conversation_is_rendered_turn_by_turn() -> None:
    made = template(
        block(text(RULES), role="system", component="system"),
        block(history(), role="history"),
        question(),  # type: ignore[arg-type]
    )
    view = seen(made, TRIMMING)
    placed = view.located[3].placed
    assert placed.text.startswith("My parcel has not moved")
    assert placed.text.count("</>\n<assistant>") == 2
    assert placed.text.count("</>\n<user>") == 1
    # The next turn goes on behind the conversation; a question of the first request stands there, and both start alike.
    behind = len(Words().encode(view.messages[0].text[: view.messages[0].text.index("How do I change")]))
    assert view.prefix == behind


def test_system_text_in_the_last_turn_is_behind_the_conversation_and_no_inversion() -> None:
    made = template(
        block(text(RULES), role="system", component="system"),
        block(history(), role="history"),
        question(),  # type: ignore[arg-type]
    )
    view = seen(made, LAST_TURN)
    roles = [item.placed.role for item in view.located if not item.framing]
    assert roles == ["history", "system", "user"]
    assert inversions(as_written(view.located)) == ()


@pytest.mark.parametrize(
    ("chat", "message"),
    [
        (
            "{% for m in messages %}{{ m.content | upper }}{% endfor %}",
            "it leaves out|it rewrites what the messages say",
        ),
        ("{% for m in messages %}{{ m.content | replace('.', '!') }}{% endfor %}", "it rewrites what the messages say"),
        ("{% for m in messages %}{{ m.content | length }}{% endfor %}", "it leaves out the system message"),
        ("{% for m in messages %}{{ m.content * 2 }}{% endfor %}", "it repeats the system message"),
        ("{{ messages[0].content | length }}{{ messages[0].content }}", "its framing depends on what the messages say"),
    ],
)
def test_what_cannot_be_followed_is_refused(chat: str, message: str) -> None:
    made = template(block(text(RULES), role="system", component="system"))
    with pytest.raises(NotPlaced, match=message):
        seen(made, chat)


def test_a_run_falls_back_to_counts_and_says_so(tmp_path: Path) -> None:
    made = template(block(text(RULES), role="system", component="system"), question())  # type: ignore[arg-type]
    file = tmp_path / "shouting.jinja"
    file.write_text("{% for m in messages %}{{ m.content | replace('.', '!') }}{% endfor %}", encoding="utf-8")
    usual = load_target("vllm")
    layout = build(made, [replace(usual, chat_template=str(file)), usual])
    assert layout.target.chat_template is None
    assert layout.total_tokens == build(made, [usual]).total_tokens
    assert layout.predictions[0].note.endswith(
        f"the chat template is not followed ({file}: it rewrites what the messages say), framing is counted as chatml"
    )
    assert "chat template" not in layout.predictions[1].note


def test_a_target_renders_the_chat_template_that_is_set(tmp_path: Path) -> None:
    made = template(block(text(RULES), role="system", component="system"), question())  # type: ignore[arg-type]
    file = tmp_path / "own.jinja"
    file.write_text(TRIMMING, encoding="utf-8")
    layout = build(made, [load_target("vllm", {"chat-template": str(file)})])
    assert layout.target.chat_template == str(file)
    assert layout.placed[0].text == "<system>"
    assert "".join(each.text for each in layout.placed).startswith(f"<system>{RULES}</>\n<user>How do I")


def test_a_missing_chat_template_is_told(tmp_path: Path) -> None:
    made = template(block(text(RULES), role="system", component="system"))
    layout = build(made, [load_target("vllm", {"chat-template": str(tmp_path / "gone.jinja")})])
    assert "(cannot read " in layout.predictions[0].note


words = st.text(alphabet='ab \n.<é"', max_size=8)
blocks = st.builds(
    lambda role, one, other, life: block(
        text(one), value("v", life), choice("c", life, (text(other),), ()), text(one), role=role
    ),
    st.sampled_from(["system", "user", "assistant"]),
    words,
    words,
    st.sampled_from(Lifetime),
)


@given(st.lists(blocks, min_size=1, max_size=4), st.booleans())
@settings(max_examples=60)
def test_placed_texts_and_tokens_tile_the_rendered_request(made: list[object], trim: bool) -> None:
    chat = TRIMMING if trim else TRIMMING.replace(" | trim", "")
    view = seen(template(*made), chat)  # type: ignore[arg-type]
    assert "".join(item.placed.text for item in view.located) == view.messages[0].text
    ends = [item.placed.end for item in view.located]
    assert [item.placed.start for item in view.located] == [0, *ends[:-1]]
    assert ends[-1] == view.total == len(Words().encode(view.messages[0].text))
    for item in view.located:
        if item.piece is not None:
            assert item.placed.text in item.piece.text


def test_trouble_is_told_with_the_layout(tmp_path: Path) -> None:
    made = template(block(text(RULES), role="system", component="system"))
    missing = str(tmp_path / "gone.jinja")
    layout = build(made, [load_target("vllm", {"chat-template": missing, "tokenizer": "me/gone"})])
    assert "me/gone is neither a file nor in the Hugging Face cache" in layout.trouble
    assert "tokens are counted with o200k_base; the chat template is not followed (cannot read" in layout.trouble
    assert layout.trouble == layout.predictions[0].note.removeprefix("below the minimum of 16 tokens; ")
    assert build(made, [load_target("vllm")]).trouble == ""
