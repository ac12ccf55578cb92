"""Effects of published chat templates, against what was found by rendering each of them by hand with other tools."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import pytest
import registry
from prefixlint.engines import load_target
from prefixlint.layout import build
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Text, Value
from prefixlint.model.sources import SourceFile
from prefixlint.model.templates import Block, Template
from prefixlint.tokens.chat_files import chat_template
from prefixlint.tokens.chat_probe import reasoning

if TYPE_CHECKING:
    from pathlib import Path

    from prefixlint.model.layouts import Layout

pytestmark = pytest.mark.downloads

SPAN = SourceFile("prompt.py", "x" * 80).span(3, 9)
RULES = "Answer in one sentence. Cite the page. Never guess a number, and say so when the manual is silent."
DATED = {"meta-llama-Llama-3.2-3B-Instruct", "openai-gpt-oss-120b", "upstage-Solar-Open-100B"}
DATED_BY_LLAMA_SERVER = {"meta-llama-Llama-3.1-8B-Instruct", "meta-llama-Llama-3.3-70B-Instruct"}
MOVED = {
    "mistralai-Mistral-Nemo-Instruct-2407": ("tools", "system"),
    "Mistral-Small-3.2-24B-Instruct-2506": ("tools",),
}
# Reasoning of earlier answers is gone once the user has written again, in a field or in the text.
REMOVED = {
    *("Qwen-Qwen3-0.6B", "Qwen3.5-4B", "GLM-4.6", "GLM-4.7-Flash", "MiniMax-M2", "LFM2.5-8B-A1B", "StepFun3.5-Flash"),
    *("NVIDIA-Nemotron-3-Nano-30B-A3B-BF16", "NVIDIA-Nemotron-Nano-v2", "openbmb-MiniCPM5-1B", "openai-gpt-oss-120b"),
    *("upstage-Solar-Open-100B", "Qwen-QwQ-32B", "deepseek-ai-DeepSeek-R1-Distill-Llama-8B", "tencent-Hy3"),
    *("deepseek-ai-DeepSeek-R1-Distill-Qwen-32B", "llama-cpp-deepseek-r1", "deepseek-ai-DeepSeek-V3.1", "Reka-Edge"),
    *("llama-cpp-rwkv-world", "Apriel-1.6-15b-Thinker-fixed", "google-gemma-4-31B-it"),
}
KEPT_BY = {
    "LFM2.5-8B-A1B": "preserve_thinking=true",
    "GLM-4.7-Flash": "clear_thinking=false",
    "NVIDIA-Nemotron-3-Nano-30B-A3B-BF16": "truncate_history_thinking=false",
}
APPENDED = {
    *("Kimi-K3", "MiniMax-M3", "ByteDance-Seed-OSS", "inclusionai-ling-3.0-flash", "poolside-Laguna-XS.2", "Spark2.5"),
    *("Qwen-Qwen2.5-7B-Instruct", "Qwen3-Coder", "meta-llama-Llama-3.2-3B-Instruct", "ibm-granite-granite-4.0"),
    *("NousResearch-Hermes-2-Pro-Llama-3-8B-tool_use", "moonshotai-Kimi-K2", "LFM2-8B-A1B", "Apertus-8B-Instruct"),
}


def prompt(*, tools: bool) -> Template:
    history = Value(
        "history", SPAN, Lifetime.TURN, Origin(SourceKind.HISTORY), Confidence.HIGH, "text", "history", grows=True
    )
    question = Value("question", SPAN, Lifetime.REQUEST, Origin(SourceKind.USER_INPUT), Confidence.HIGH)
    blocks = [
        Block("system", "system", (Text(RULES, SPAN),), SPAN),
        Block("history", "messages", (history,), SPAN),
        Block("user", "messages", (question,), SPAN),
    ]
    if tools:
        blocks.insert(0, Block("tools", "tools", (Text("Finds a page of the manual.", SPAN),), SPAN))
    return Template("test", "prompt", SPAN, tuple(blocks))


def laid(file: Path, tokenizer: Path, *, engine: str = "vllm", tools: bool = False) -> Layout:
    target = load_target(engine, {"tokenizer": str(tokenizer / "tokenizer.json"), "chat-template": str(file)})
    return build(prompt(tools=tools), [target])


@pytest.fixture(scope="module")
def tokenizer(cache_folder: Path) -> Path:
    return registry.tokenizer_folder(cache_folder, "qwen3")


@pytest.fixture(scope="module")
def templates(llama_cpp_models: Path) -> list[Path]:
    return sorted((llama_cpp_models / "templates").glob("*.jinja"))


@pytest.mark.parametrize("engine", ["vllm", "llama-server"])
def test_dates_in_front_of_the_system_text(engine: str, templates: list[Path], tokenizer: Path) -> None:
    found = set()
    for file in templates:
        for effect in laid(file, tokenizer, engine=engine).effects:
            if effect.kind == "date" and effect.stranded_tokens:
                assert effect.lifetime is Lifetime.DAY
                assert effect.stranded_tokens > 20
                found.add(file.stem)
    assert found == (DATED if engine == "vllm" else DATED | DATED_BY_LLAMA_SERVER)


def test_tools_and_system_text_in_the_last_turn(templates: list[Path], tokenizer: Path) -> None:
    found = {}
    for file in templates:
        layout = laid(file, tokenizer, tools=True)
        for effect in layout.effects:
            if effect.kind == "moved":
                found[file.stem] = effect.parts
    assert found == MOVED


def test_most_templates_are_followed(templates: list[Path], tokenizer: Path) -> None:
    notes = {file.stem: laid(file, tokenizer).predictions[0].note for file in templates}
    refused = {name: note for name, note in notes.items() if "not followed" in note}
    # Each of them raises under transformers, too: no system role, arguments that no engine gives, no tools, no BOS.
    wanted = {
        "google-gemma-2-2b-it": "System role not supported",
        "fireworks-ai-llama-3-firefunction-v2": "'functions' is undefined",
        "CohereForAI-c4ai-command-r-plus-tool_use": "'NoneType' object is not iterable",
        "NousResearch-Hermes-2-Pro-Llama-3-8B-tool_use": "'NoneType' object is not iterable",
        "NousResearch-Hermes-3-Llama-3.1-8B-tool_use": "'NoneType' object is not iterable",
        "meetkai-functionary-medium-v3.1": "'bos_token' is undefined",
        "meetkai-functionary-medium-v3.2": "'bos_token' is undefined",
    }
    assert set(refused) <= set(wanted)
    assert all(wanted[name] in note for name, note in refused.items())


def test_removed_reasoning(templates: list[Path]) -> None:
    now = datetime(2026, 3, 14, 9, 26, 53)
    found = {file.stem: reasoning(chat_template(str(file)), "vllm", now) for file in templates}
    removed = {name for name, each in found.items() if each.removed}
    assert removed >= REMOVED, REMOVED - removed
    assert not removed & APPENDED, removed & APPENDED
    assert {name: found[name].kept_by for name in KEPT_BY} == {name: (by,) for name, by in KEPT_BY.items()}
