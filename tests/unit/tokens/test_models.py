"""Model names lead to the tokenizer that tiktoken names, or to a stand-in that says so."""

from __future__ import annotations

import pytest
import tiktoken.model
from prefixlint.tokens import get_tokenizer
from prefixlint.tokens.models import families, spellings, tokenizer_for

NOT_SHIPPED = {"p50k_base", "p50k_edit", "r50k_base", "gpt2"}


@pytest.mark.parametrize(
    ("model", "encoding"),
    [*tiktoken.model.MODEL_TO_ENCODING.items()]
    + [
        (f"{prefix.removesuffix('-')}-2026-01-01", encoding)
        for prefix, encoding in tiktoken.model.MODEL_PREFIX_TO_ENCODING.items()
    ],
)
def test_every_model_that_tiktoken_knows(model: str, encoding: str) -> None:
    choice = tokenizer_for(model)
    if encoding in NOT_SHIPPED:
        assert not choice.exact
        assert "o200k_base" in choice.note
    else:
        assert (choice.name, choice.exact, choice.note) == (encoding, True, "")


@pytest.mark.parametrize(
    ("model", "encoding"),
    [
        ("openai/gpt-4o", "o200k_base"),
        ("azure/gpt-4o-mini", "o200k_base"),
        ("openai:gpt-4.1-nano", "o200k_base"),
        ("openrouter/openai/gpt-5.1", "o200k_base"),
        ("GPT-4o", "o200k_base"),
        (" gpt-4-turbo ", "cl100k_base"),
        ("ft:gpt-3.5-turbo-0125:acme::abc", "cl100k_base"),
        ("ft:gpt-4o-2024-08-06:acme::abc", "o200k_base"),
        ("text-embedding-3-small", "cl100k_base"),
        ("gpt-oss:20b", "o200k_harmony"),
        ("openai/gpt-oss-120b", "o200k_harmony"),
        ("o3", "o200k_base"),
        ("o1-preview", "o200k_base"),
    ],
)
def test_names_with_a_provider_a_tag_or_capitals(model: str, encoding: str) -> None:
    assert tokenizer_for(model) == tokenizer_for(model, "vllm")
    assert (tokenizer_for(model).name, tokenizer_for(model).exact) == (encoding, True)


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("claude-sonnet-4-5", "Claude has no public tokenizer"),
        ("anthropic/claude-3.5-sonnet", "Claude has no public tokenizer"),
        ("us.anthropic.claude-3-5-sonnet-20241022-v2:0", "Claude has no public tokenizer"),
        ("bedrock/anthropic.claude-3-haiku", "Claude has no public tokenizer"),
        ("vertex_ai/gemini-2.5-pro", "Gemma 3"),
        ("gemma3:12b", "Gemma 3"),
        ("qwen2.5:7b", "1.06 times"),
        ("Qwen/Qwen3-8B", "1.06 times"),
        ("meta-llama/Llama-3.1-8B-Instruct", "1.1 times for Chinese"),
        ("meta-llama/Meta-Llama-3-8B", "1.1 times for Chinese"),
        ("llama3.2:1b-instruct-q4_K_M", "1.1 times for Chinese"),
        ("llama2", "Llama 2"),
        ("mistralai/Mistral-7B-Instruct-v0.2", "Llama 2"),
        ("deepseek-chat", "0.88 times for Chinese"),
        ("deepseek-ai/DeepSeek-R1-Distill-Qwen-32B", "1.06 times for English"),
        ("deepseek-ai/DeepSeek-R1-Distill-Llama-8B", "1.1 times for Chinese"),
        ("llama4:scout", "0.97 to 1.0 times for English"),
        ("mistral-small-latest", "1.3 times for Chinese"),
        ("devstral-medium-2507", "1.3 times for Chinese"),
        ("magistral:24b", "1.3 times for Chinese"),
        ("phi4:14b", "1.6 times for Chinese"),
        ("phi3.5", "Phi 3"),
        ("command-r-plus", "1.08 times for English"),
        ("granite3.3:8b", "1.4 times for Chinese"),
        ("ibm/granite-4-h-small", "1.6 times for Chinese"),
        ("kimi-k2-0905-preview", "not measured"),
        ("zai-org/GLM-4.6", "not measured"),
        ("azure/my-deployment", "azure/my-deployment: its tokenizer is not known"),
        ("gpt-9", "tiktoken names no encoding"),
    ],
)
def test_a_stand_in_says_how_far_off_it_can_be(model: str, said: str) -> None:
    choice = tokenizer_for(model)
    assert (choice.name, choice.exact) == ("o200k_base", False)
    assert said in choice.note
    assert "counted with o200k_base; real counts: " in choice.note


def test_without_a_model_the_engine_says_which_family() -> None:
    assert tokenizer_for(None, "anthropic").note.startswith("no model is named: tokens are counted with o200k_base")
    assert "Claude 2" in tokenizer_for(None, "anthropic").note
    assert tokenizer_for("", "openai").exact is False
    assert "fifteen tokenizers" in tokenizer_for(None, None).note
    assert tokenizer_for(None, "vllm") == tokenizer_for(None, None)


def test_spellings_go_from_the_whole_name_to_its_parts() -> None:
    assert list(spellings("openrouter/Qwen/Qwen3-8B:free")) == [
        "openrouter/qwen/qwen3-8b:free",
        "qwen/qwen3-8b:free",
        "qwen3-8b:free",
        "qwen3-8b",
        "free",
    ]
    assert list(spellings("gpt-4o")) == ["gpt-4o"]


def test_every_entry_has_a_source_and_a_tokenizer_that_loads() -> None:
    for family in families():
        assert family.source
        assert family.date >= "2026"
        assert get_tokenizer(family.tokenizer).encode("x")
        assert family.exact or (family.reason and family.off), family.title
    assert families()[-1].patterns == ("*",)
