"""The data files: complete, dated, and of one form."""

from __future__ import annotations

import re
from datetime import date
from importlib.resources import files
from typing import Any, get_args

import pytest
from prefixlint.engines.facts import CONFIDENCES, KINDS, engine_names, index, load_facts
from prefixlint.model.targets import COMPONENTS, CacheModelName
from prefixlint.wire.bodies import IMAGES, SETTINGS
from prefixlint.wire.usage import apis

TOP = {"title", "kind", "engine", "serves", "source", "date", "confidence", "notes", "route", "cache", "models"}
TOP |= {"usage", "price", "evidence", "variants"}
CACHE: dict[str, type | tuple[type, ...]] = {
    "model": str,
    "order": (str, list),
    "mode": str,
    "formula": str,
    "ttl": str,
    "invalidators": list,
}
CACHE_MAY: dict[str, type] = {
    "granularity": int,
    "minimum": int,
    "recompute": int,
    "limits": list,
    "lookback": int,
    "max-breakpoints": int,
    "implicit-write": bool,
    "keep": int,
    "tails": list,
    "user-starts": bool,
    "step": int,
    "junctions": bool,
    "window": int,
}
USAGE = {"apis", "missing"}
USAGE_MAY = {"trap", "also", "metrics"}

EXPECTED = [
    "anthropic",
    "azure-openai",
    "bedrock",
    "dashscope",
    "dashscope-explicit",
    "deepseek",
    "fireworks",
    "gemini",
    "glm",
    "groq",
    "kimi",
    "litellm",
    "llama-server",
    "lmcache",
    "lmdeploy",
    "mistral",
    "mlx-lm",
    "ollama",
    "openai",
    "openai-5.6",
    "openrouter",
    "sglang",
    "tensorrt-llm",
    "tgi",
    "together",
    "vllm",
    "xai",
]


def raw(name: str) -> dict[str, Any]:
    import tomllib

    return tomllib.loads(files("prefixlint.engines").joinpath("data", f"{name}.toml").read_text(encoding="utf-8"))


def check_evidence(table: dict[str, Any]) -> None:
    assert table["source"].strip()
    assert table["confidence"] in CONFIDENCES
    assert re.fullmatch(r"\d{4}(-\d\d-\d\d)?", table["date"])
    assert date.fromisoformat(table["date"] if "-" in table["date"] else f"{table['date']}-01-01") >= date(2024, 1, 1)


def test_every_engine_and_provider_has_a_file() -> None:
    assert list(engine_names()) == EXPECTED


@pytest.mark.parametrize("name", EXPECTED)
def test_file_has_the_form_of_all(name: str) -> None:
    table = raw(name)
    assert set(table) <= TOP
    assert table["kind"] in KINDS
    assert table["title"].strip()
    check_evidence(table)
    cache = table["cache"]
    assert set(CACHE) <= set(cache) <= set(CACHE) | set(CACHE_MAY)
    for key, kind in {**CACHE, **CACHE_MAY}.items():
        if key in cache:
            assert isinstance(cache[key], kind), key
    check_cache(cache)
    assert set(table["usage"]) >= USAGE
    assert set(table["usage"]) <= USAGE | USAGE_MAY
    assert set(table["usage"]["apis"]) <= {api.name for api in apis()}
    for row in cache["invalidators"]:
        assert {"what"} <= set(row) <= {"what", "settings", "drops"}
        assert set(row.get("settings", ())) <= {*SETTINGS, IMAGES}, row
        assert set(row.get("drops", ())) <= set(COMPONENTS)
    for fact, evidence in table.get("evidence", {}).items():
        assert fact in cache or fact in ("usage", "price", "variants"), fact
        assert set(evidence) == {"source", "date", "confidence"}
        check_evidence(evidence)
    for override in table.get("models", ()):
        assert override["match"]
        assert set(override) - {"match"} <= set(CACHE) | set(CACHE_MAY)
        check_cache({**cache, **override})
    for variant in table.get("variants", {}).values():
        assert set(variant) <= set(CACHE) | set(CACHE_MAY)
        check_cache({**cache, **variant})
    for route in table.get("route", ()):
        assert set(route) == {"match", "to"}
        assert route["to"] in EXPECTED
    facts = load_facts(name)
    assert (facts.default_evidence.source, facts.default_evidence.date) == (table["source"], table["date"])


def check_cache(cache: dict[str, Any]) -> None:
    assert cache["model"] in get_args(CacheModelName)
    assert cache.get("granularity", 1) >= 1
    assert cache.get("minimum", 0) >= 0
    assert cache.get("recompute", 1) == 1
    assert "granularity" in cache or cache["model"] in ("breakpoint", "unit", "undocumented", "checkpoint")
    assert cache["order"] == "template" or sorted(cache["order"]) == ["messages", "system", "tools"]
    assert (cache["model"] == "breakpoint") == ("max-breakpoints" in cache)


def test_index_leads_to_files() -> None:
    table = index()
    assert set(table) == {"defaults", "aliases", "models", "template-order"}
    assert set(table["defaults"]) <= set(EXPECTED)
    assert set(table["aliases"].values()) <= set(EXPECTED)
    assert not set(table["aliases"]) & set(EXPECTED)
    for row in table["models"]:
        assert set(row) == {"match", "engine"}
        assert row["engine"] in EXPECTED
    orders = [table["template-order"]["default"], *(row["order"] for row in table["template-order"]["models"])]
    assert all(sorted(order) == ["messages", "system", "tools"] for order in orders)


def test_unknown_file_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        load_facts("no-such-engine")
