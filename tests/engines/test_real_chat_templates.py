"""Rendered chats of published models: the same token ids as transformers' ``apply_chat_template``."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
import registry
from prefixlint.tokens import get_tokenizer
from prefixlint.tokens.chat_files import chat_template, special_tokens
from prefixlint.tokens.chat_render import ChatTemplate, ChatTemplateError
from transformers import PreTrainedTokenizerFast

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.downloads

TOKENIZERS = ["qwen3", "llama3_1", "gemma3", "deepseek_v3", "mistral_nemo"]
SYSTEM = {"role": "system", "content": "You are  a helper.\nRule 1: don't guess.\n"}
USER = {"role": "user", "content": " What's the weather in Zürich? 2024"}
CHATS = [[SYSTEM, USER], [USER], [SYSTEM, USER, {"role": "assistant", "content": "Sunny."}, USER]]
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "get_weather",
            "description": "Weather of a <city> & more: 'x'",
            "parameters": {
                "type": "object",
                "properties": {"city": {"type": "string", "description": "é"}},
                "required": ["city"],
            },
        },
    }
]


def answer(call: Any) -> Any:
    """What ``call`` gives, or None where the template refuses the conversation."""
    try:
        return call()
    except ChatTemplateError:
        return None
    except Exception as error:
        if "prefixlint" in type(error).__module__:
            raise
        return None


@cache
def reference(folder: Path) -> PreTrainedTokenizerFast:
    return PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"), **special_tokens(folder))


def agreed(template: ChatTemplate, name: str, folder: Path, chat: list[Any], tools: Any) -> bool:
    """Whether both render; asserts that they agree on it, and on each token."""
    options = {"tools": tools, "chat_template": template.text, "add_generation_prompt": True, "return_dict": False}
    wanted = answer(lambda: reference(folder).apply_chat_template(chat, **options))
    ours = get_tokenizer(str(folder), chat=True)
    got = answer(lambda: ours.encode(template.render(chat, now=datetime.now(), tools=tools)))
    assert got == wanted, (template.source, name, len(chat), tools is not None)
    return got is not None


@pytest.mark.parametrize("name", TOKENIZERS)
def test_the_models_own_template(name: str, cache_folder: Path) -> None:
    folder = registry.tokenizer_folder(cache_folder, name)
    template = chat_template(str(folder))
    rendered = [agreed(template, name, folder, chat, tools) for chat in CHATS for tools in (None, TOOLS)]
    assert sum(rendered) >= 4


@pytest.mark.parametrize(("name", "every"), [("qwen3", 1), ("llama3_1", 4), ("gemma3", 4), ("mistral_nemo", 4)])
def test_templates_of_seventy_models(name: str, every: int, cache_folder: Path, llama_cpp_models: Path) -> None:
    folder = registry.tokenizer_folder(cache_folder, name)
    files = sorted((llama_cpp_models / "templates").glob("*.jinja"))[::every]
    both = 0
    for file in files:
        template = ChatTemplate(file.name, file.read_text(encoding="utf-8"), special_tokens(folder))
        rendered = {tools is not None: agreed(template, name, folder, CHATS[0], tools) for tools in (None, TOOLS)}
        both += all(rendered.values())
    assert both >= (60 if every == 1 else 10)
