"""Prices of input, against the price lists' own figures multiplied by hand."""

from __future__ import annotations

import sys
from decimal import Decimal

import pytest
from prefixlint.model.targets import Prediction
from prefixlint.report.pricing import NoPrices, dollars, line, pricer


def prediction(model: str | None, cached: int = 0, after: int = 8_000, engine: str = "openai") -> Prediction:
    return Prediction(engine, cached, after, 128, 1024, model=model, total_tokens=10_000)


def test_cached_input_has_a_price_of_its_own() -> None:
    pytest.importorskip("genai_prices")
    found = pricer()(prediction("gpt-4o"))
    assert found is not None
    # $2.50 a million tokens, $1.25 for cached ones: 10,000 tokens a request, a thousand requests.
    assert found.uncached == Decimal("25")
    assert found.predicted == Decimal("25")
    assert found.after_fix == Decimal("2") * Decimal("2.5") + Decimal("8") * Decimal("1.25")
    assert line(found) == "$25.00 for the input of 1,000 requests, $25.00 without a cache, $15.00 after a fix"


def test_an_engine_that_serves_the_model_for_another_is_priced_by_the_model() -> None:
    pytest.importorskip("genai_prices")
    assert pricer()(prediction("claude-sonnet-4-5", 8_000, engine="litellm")) is not None


@pytest.mark.parametrize("model", [None, "our-own-model"])
def test_an_unknown_model_has_no_price(model: str | None) -> None:
    pytest.importorskip("genai_prices")
    assert pricer()(prediction(model)) is None


def test_without_the_package_there_is_a_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "genai_prices", None)
    with pytest.raises(NoPrices, match=r"pip install 'prefixlint\[prices\]'"):
        pricer()


@pytest.mark.parametrize(
    ("amount", "text"), [("0", "$0"), ("0.0123", "$0.012"), ("4.141", "$4.14"), ("1234", "$1,234.00")]
)
def test_dollars(amount: str, text: str) -> None:
    assert dollars(Decimal(amount)) == text
