"""From what a user writes, or a template says, to a target."""

from __future__ import annotations

import pytest
from prefixlint.engines import TargetError, default_targets, load_target, target_names, target_rows
from prefixlint.model.sources import Position, Span
from prefixlint.model.templates import Template

SPAN = Span("app.py", Position(1, 1), Position(1, 2))


def made(engine: str | None = None, model: str | None = None) -> Template:
    return Template("test", "prompt", SPAN, (), engine, model)


def test_an_engine_alone() -> None:
    target = load_target("vllm")
    assert (target.name, target.engine, target.model, target.configured) == ("vllm", "vllm", None, True)
    assert (target.cache.model, target.cache.granularity, target.cache.minimum, target.cache.recompute) == (
        "block",
        16,
        16,
        1,
    )
    assert (target.source_date, target.confidence) == ("2026-11-02", "source")
    assert "vllm 0.33.0" in target.source


def test_a_model_behind_a_colon() -> None:
    target = load_target("openai:gpt-4o")
    assert (target.name, target.engine, target.model, target.tokenizer) == (
        "openai:gpt-4o",
        "openai",
        "gpt-4o",
        "o200k_base",
    )
    assert target.exact
    assert (target.cache.model, target.cache.granularity, target.cache.minimum) == ("block", 128, 1024)
    ollama = load_target("ollama:qwen2.5:7b")
    assert (ollama.engine, ollama.model) == ("ollama", "qwen2.5:7b")


@pytest.mark.parametrize("model", ["gpt-5.6", "gpt-5.6-mini", "gpt-6", "gpt-6.1-sol"])
def test_openai_changed_with_gpt_5_6(model: str) -> None:
    target = load_target(f"openai:{model}")
    assert (target.engine, target.cache.model, target.cache.implicit_write) == ("openai", "breakpoint", True)
    assert load_target(f"azure:{model}").cache.model == "breakpoint"


@pytest.mark.parametrize("model", ["gpt-5.5", "gpt-5.5-2026-03-01"])
def test_gpt_5_5_writes_every_2048_tokens(model: str) -> None:
    assert load_target(f"openai:{model}").cache.granularity == 2048


@pytest.mark.parametrize(
    ("model", "minimum"),
    [
        ("claude-sonnet-4-5", 1024),
        ("claude-sonnet-4-5-20250929", 1024),
        ("claude-sonnet-4-20250514", 1024),
        ("claude-opus-4-20250514", 1024),
        ("claude-opus-4-1-20250805", 1024),
        ("claude-opus-4-5", 4096),
        ("claude-opus-4.6", 4096),
        ("claude-opus-4-7", 2048),
        ("claude-opus-4-8", 1024),
        ("claude-haiku-4-5", 4096),
        ("claude-3-5-haiku-20241022", 2048),
        ("claude-sonnet-5-5", 512),
        ("claude-sonnet-5", 1024),
        ("claude-opus-5", 512),
    ],
)
def test_minimum_of_anthropic_models(model: str, minimum: int) -> None:
    assert load_target(f"anthropic:{model}").cache.minimum == minimum


def test_bedrock_has_its_own_minimum() -> None:
    assert load_target("bedrock:us.anthropic.claude-opus-4-7-v1:0").cache.minimum == 4096


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("llama.cpp", "llama-server"),
        ("LLAMA_CPP", "llama-server"),
        ("hosted_vllm", "vllm"),
        ("google_genai", "gemini"),
        ("azure", "azure-openai"),
        ("z-ai", "glm"),
        ("moonshot", "kimi"),
    ],
)
def test_aliases(alias: str, name: str) -> None:
    assert load_target(alias).cache == load_target(name).cache
    assert load_target(alias).engine == load_target(name).engine


def test_a_relay_takes_the_cache_of_the_provider_behind_it() -> None:
    target = load_target("litellm:anthropic/claude-opus-4-5")
    assert (target.engine, target.cache.model, target.cache.minimum) == ("litellm", "breakpoint", 4096)
    assert any("Anthropic" in note for note in target.notes)
    assert load_target("litellm:gpt-4o").cache.granularity == 128
    assert load_target("openrouter:anthropic/claude-sonnet-4.5").cache.minimum == 1024
    assert load_target("litellm:ollama/qwen2.5:7b").cache.model == "token"
    assert load_target("litellm").cache.model == "undocumented"


def test_a_model_without_a_public_tokenizer_gets_a_stand_in() -> None:
    claude = load_target("anthropic:claude-sonnet-4-5")
    assert not claude.exact
    assert any("no public tokenizer" in note for note in claude.notes)


def test_tools_stand_where_the_chat_template_puts_them() -> None:
    assert load_target("vllm:Qwen/Qwen2.5-7B-Instruct").cache.order == ("system", "tools", "messages")
    assert load_target("vllm:moonshotai/Kimi-K2-Instruct").cache.order == ("tools", "system", "messages")
    assert load_target("anthropic").cache.order == ("tools", "system", "messages")


def test_overrides_replace_facts() -> None:
    target = load_target(
        "vllm",
        {"block-size": 32, "minimum": 0, "tokenizer": "cl100k_base", "order": ["tools", "system", "messages"]},
    )
    assert (target.cache.granularity, target.cache.minimum, target.tokenizer) == (32, 0, "cl100k_base")
    assert target.cache.order == ("tools", "system", "messages")
    trt = load_target("tensorrt-llm", {"cache_model": "block", "block_size": 32})
    assert (trt.cache.model, trt.cache.granularity) == ("block", 32)
    assert load_target("vllm", {"chat-format": "none"}).chat_format == "none"
    assert load_target("sglang", {"page-size": 64, "model": "Qwen/Qwen3-8B"}).model == "Qwen/Qwen3-8B"


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"block-sise": 32}, "target 'vllm' has no setting 'block-sise': did you mean block-size?"),
        ({"block-size": 0}, "target 'vllm': block-size must be a whole number of at least 1, not 0"),
        ({"block-size": "32"}, "block-size must be a whole number"),
        ({"minimum": True}, "minimum must be a whole number"),
        ({"tokenizer": 3}, "tokenizer must be a text"),
        ({"cache-model": "radix"}, "cache-model must be one of token, block"),
        ({"chat-format": "chatm"}, "target 'vllm': unknown chat format 'chatm'"),
        ({"order": ["system"]}, "order must be a list"),
        ({"order": "system"}, "order must be a list"),
    ],
)
def test_an_override_that_cannot_be_used(overrides: dict[str, object], message: str) -> None:
    with pytest.raises(TargetError, match=message.replace("?", r"\?")):
        load_target("vllm", overrides)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("vlm", r"unknown target 'vlm': did you mean vllm"),
        ("lama.cpp:x", r"unknown target 'lama.cpp': did you mean llama.cpp"),
        ("quux", r"unknown target 'quux': known are anthropic, "),
        ("", r"unknown target ''"),
        ("../data/vllm", r"unknown target"),
        ("index", r"unknown target 'index'"),
    ],
)
def test_an_unknown_name_gets_a_suggestion(name: str, message: str) -> None:
    with pytest.raises(TargetError, match=message):
        load_target(name)


def names(template: Template) -> list[str]:
    return [target.name for target in default_targets(template)]


def test_several_targets_where_nothing_is_said() -> None:
    assert names(made()) == ["llama-server", "vllm", "openai", "anthropic"]
    assert not any(target.configured for target in default_targets(made()))


def test_the_templates_own_target_comes_first() -> None:
    assert names(made("openai", "gpt-4o")) == ["openai:gpt-4o", "llama-server", "vllm", "anthropic"]
    assert names(made("anthropic", "claude-sonnet-4-5"))[0] == "anthropic:claude-sonnet-4-5"
    assert names(made("ollama"))[0] == "ollama"
    assert names(made(None, "gpt-4o"))[0] == "openai:gpt-4o"
    assert names(made(None, "claude-sonnet-4-5"))[0] == "anthropic:claude-sonnet-4-5"


def test_an_openai_client_with_a_model_of_others() -> None:
    assert names(made("openai", "Qwen/Qwen3-8B"))[:2] == ["vllm:Qwen/Qwen3-8B", "llama-server:Qwen/Qwen3-8B"]
    assert names(made("openai", "deepseek-chat"))[0] == "deepseek:deepseek-chat"
    assert names(made("openai", "llama3.1:8b"))[0] == "ollama:llama3.1:8b"
    assert names(made("openai", "my-own-model"))[0] == "openai:my-own-model"


def test_a_hint_that_means_nothing_is_passed_over() -> None:
    assert names(made("my-client", "my-own-model")) == names(made())


def test_every_name_loads_and_is_listed() -> None:
    rows = {row.name: row for row in target_rows()}
    assert tuple(rows) == target_names()
    for name in target_names():
        assert load_target(name).cache == rows[name].cache
        assert rows[name].source
    assert (4096, ("*opus-4.6*", "*opus-4.5*", "*haiku-4.5*")) in rows["anthropic"].minima
