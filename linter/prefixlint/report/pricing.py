"""What the input of a prompt costs, by the price lists of the optional package genai-prices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable
    from decimal import Decimal

    from prefixlint.model.targets import Prediction

REQUESTS: Final = 1_000
_PROVIDERS: Final = {
    "openai": "openai",
    "azure-openai": "azure",
    "anthropic": "anthropic",
    "gemini": "google",
    "bedrock": "aws",
}


class NoPrices(Exception):
    """The package with the price lists is not installed; the message says how to get it."""


@dataclass(frozen=True, slots=True)
class Cost:
    """US dollars for the input of ``REQUESTS`` requests: nothing cached, as predicted, and as predicted after the fix.

    Writing to a cache, where that is charged, is left out: it is paid once for many requests.
    """

    uncached: Decimal
    predicted: Decimal
    after_fix: Decimal


def pricer() -> Callable[[Prediction], Cost | None]:
    """A function that prices a prediction; it gives None where the model is not known or not listed.

    Raises ``NoPrices``.
    """
    try:
        import genai_prices
    except ImportError:
        raise NoPrices("--prices needs the package genai-prices: pip install 'prefixlint[prices]'") from None

    def price(prediction: Prediction) -> Cost | None:
        if prediction.model is None or not prediction.total_tokens:
            return None
        counts = (0, prediction.cached_tokens, prediction.cached_tokens_after_fix)
        costs = [_input(genai_prices, prediction, cached) for cached in counts]
        uncached, predicted, after = costs
        if uncached is None or predicted is None or after is None:
            return None
        return Cost(uncached, predicted, after)

    return price


def _input(genai_prices: Any, prediction: Prediction, cached: int) -> Decimal | None:
    usage = genai_prices.Usage(input_tokens=prediction.total_tokens, cache_read_tokens=cached, output_tokens=0)
    for provider in dict.fromkeys((_PROVIDERS.get(prediction.engine), None)):
        try:
            found = genai_prices.calc_price(usage, model_ref=prediction.model, provider_id=provider)
        except (LookupError, ValueError):
            continue
        price: Decimal = found.input_price
        return price * REQUESTS
    return None


def line(cost: Cost) -> str:
    """One cost in words: "$2.50 for the input of 1,000 requests, $3.00 without a cache, $1.60 after a fix"."""
    text = f"{dollars(cost.predicted)} for the input of {REQUESTS:,} requests, {dollars(cost.uncached)} without a cache"
    return text if cost.after_fix == cost.predicted else f"{text}, {dollars(cost.after_fix)} after a fix"


def dollars(amount: Decimal) -> str:
    """An amount to the cent; small ones to two digits that count."""
    if not amount:
        return "$0"
    return f"${amount:,.2f}" if amount >= 1 else f"${float(amount):.2g}"
