"""Effects of chat templates on a request: dates, moved text, removed reasoning."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import pytest
from layout_support import ORDER, Bare, Words, block, clock, history, template, text, value
from prefixlint.layout.chats import ThroughTemplate
from prefixlint.layout.effects import effects
from prefixlint.layout.remembering import Remembering
from prefixlint.layout.views import View
from prefixlint.model.lifetimes import Lifetime
from prefixlint.tokens.chat_render import ChatTemplate

if TYPE_CHECKING:
    from prefixlint.model.layouts import TemplateEffect

TURNS = "{% for m in messages %}[{{ m.role }}] {{ m.content }} {% endfor %}"
RULES = "Answer in one sentence. Cite the page."


def found(chat: str, *, engine: str = "vllm", talk: bool = True, tools: bool = False) -> tuple[TemplateEffect, ...]:
    blocks = [
        *([block(text("Find"), role="tools", component="tools")] if tools else []),
        block(text(RULES), role="system", component="system"),
        *([block(history(), role="history")] if talk else []),
        block(value("question", Lifetime.REQUEST, "text"), role="user"),
    ]
    through = ThroughTemplate(ChatTemplate("own.jinja", chat), datetime(2026, 3, 14, 9, 26, 53), engine)
    view = View(template(*blocks), ORDER, Remembering(Words()), Bare(), through)  # type: ignore[arg-type]
    return effects(view, through)


def test_a_template_that_only_frames_has_no_effect() -> None:
    assert found(TURNS) == ()


def test_a_date_in_front_of_the_system_text() -> None:
    (effect,) = found("On {{ strftime_now('%d %b') }}. " + TURNS, talk=False)
    assert (effect.kind, effect.lifetime, effect.source) == ("date", Lifetime.DAY, "own.jinja")
    # "On" " " stand before "14"; all of RULES stands behind it, and its tokens are counted without the framing.
    assert (effect.token, effect.stranded_tokens) == (2, len(Words().encode(RULES)))
    assert not effect.history_stranded


def test_a_time_of_day_changes_with_every_request_and_strands_the_conversation() -> None:
    (effect,) = found("At {{ strftime_now('%H:%M') }}. " + TURNS)
    assert (effect.lifetime, effect.history_stranded) == (Lifetime.REQUEST, True)
    # 09:26 and 09:28 part at the minute: "At" " " "09" ":".
    assert effect.token == 4
    assert effect.stranded_tokens > len(Words().encode(RULES))


def test_a_date_behind_everything_strands_nothing() -> None:
    (effect,) = found(TURNS + "{{ strftime_now('%d %b') }}", talk=False)
    assert effect.stranded_tokens == 0


def test_an_engine_that_hands_over_the_date() -> None:
    chat = "On {{ date_string | default('26 Jul 2024') }}. " + TURNS
    assert found(chat) == ()
    assert [effect.kind for effect in found(chat, engine="llama-server")] == ["date"]


LAST = (
    "{% for m in messages %}{% if m.role == 'user' and loop.last %}"
    "{% if tools %}{{ tools | tojson }} {% endif %}{{ messages[0].content }} {% endif %}"
    "{% if m.role != 'system' %}[{{ m.role }}] {{ m.content }} {% endif %}{% endfor %}"
)


@pytest.mark.parametrize(("tools", "parts"), [(False, ("system",)), (True, ("tools", "system"))])
def test_text_in_the_last_turn(tools: bool, parts: tuple[str, ...]) -> None:
    (effect,) = found(LAST, tools=tools)
    assert (effect.kind, effect.lifetime, effect.parts) == ("moved", Lifetime.TURN, parts)
    assert effect.stranded_tokens == len(Words().encode(RULES)) + tools


def test_without_a_conversation_nothing_moves() -> None:
    assert found(LAST, talk=False, tools=True) == ()


DROPS = (
    "{% for m in messages %}[{{ m.role }}] "
    "{% if m.role == 'assistant' and not preserve_thinking %}{{ m.content.split('</think>')[-1] }}"
    "{% else %}{{ m.content }}{% endif %} {% endfor %}"
)
FIELD = (
    "{% for m in messages %}[{{ m.role }}] "
    "{% if m.reasoning_content and loop.index0 > messages | length - 3 %}{{ m.reasoning_content }} {% endif %}"
    "{{ m.content }} {% endfor %}"
)


def test_removed_reasoning_and_the_way_to_keep_it() -> None:
    (effect,) = found(DROPS)
    assert (effect.kind, effect.lifetime, effect.kept_by) == ("rewritten", Lifetime.TURN, ("preserve_thinking=true",))
    (effect,) = found(FIELD)
    assert (effect.kind, effect.kept_by) == ("rewritten", ())
    assert found(DROPS, talk=False) == ()


def test_a_plain_prompt_has_no_chat_template() -> None:
    through = ThroughTemplate(
        ChatTemplate("own.jinja", "{{ strftime_now('%H') }}" + TURNS), datetime(2026, 3, 14), "vllm"
    )
    view = View(template(block(clock())), ORDER, Remembering(Words()), Bare(), through)  # type: ignore[arg-type]
    assert effects(view, through) == ()
    assert view.total == len(Words().encode("2026-03-14 09:26:53"))
