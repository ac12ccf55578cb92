"""``targets NAME``: all that is known of one engine or provider, each fact with its source, date and confidence."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from prefixlint.report.lines import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from prefixlint.engines.facts import EngineFacts
    from prefixlint.report.style import Style

_LABEL = 14


def render(facts: EngineFacts, apis: Sequence[str], style: Style) -> str:
    """The sheet of ``facts``; ``apis`` are lines about the counters of its APIs."""
    evidence = facts.default_evidence
    out = [f"{style.paint('bold', facts.name)}  {facts.title}\n"]
    out.append(f"{style.paint('dim', f'{evidence.source}; {evidence.date}; {evidence.confidence}')}\n\n")
    for fact, label, lines in _rows(facts, apis):
        for number, line in enumerate(lines):
            out.append(_row(label if number == 0 else "", line, style))
        if fact in facts.evidence_of:
            found = facts.evidence_of[fact]
            out.append(_row("", f"({found.source}; {found.date}; {found.confidence})", style, dim=True))
    return "".join(out)


def _rows(facts: EngineFacts, apis: Sequence[str]) -> Iterator[tuple[str, str, list[str]]]:
    """A fact's key, its label, and what there is to say."""
    cache = facts.cache
    yield "model", "cache", [f"{cache['model']}: {cache['formula']}"]
    yield "mode", "", [cache["mode"]]
    if "granularity" in cache:
        yield "granularity", "step", [plural(cache["granularity"], "token")]
    minima = [
        f"{plural(row['minimum'], 'token')} for {', '.join(row['match'])}" for row in facts.models if "minimum" in row
    ]
    if "minimum" in cache or minima:
        yield "minimum", "minimum", [*([plural(cache["minimum"], "token")] if "minimum" in cache else []), *minima]
    if "recompute" in cache:
        yield "recompute", "recomputed", [f"{plural(cache['recompute'], 'token')} at the end, at least"]
    order = cache["order"]
    yield "order", "order", ["the model's chat template decides" if order == "template" else ", ".join(order)]
    if "max-breakpoints" in cache:
        yield "max-breakpoints", "markers", [f"{cache['max-breakpoints']} at most"]
    if "lookback" in cache:
        yield "lookback", "lookback", [plural(cache["lookback"], "block")]
    yield "ttl", "kept", [cache["ttl"]]
    yield "invalidators", "also lost by", [one.what for one in facts.invalidators]
    if "limits" in cache:
        yield "limits", "mind", list(cache["limits"])
    if facts.variants:
        yield "variants", "variants", [f"{name}: {table['model']}" for name, table in facts.variants.items()]
    yield "usage", "reported", list(apis)
    usage = facts.usage
    yield "", "", [f"missing: {usage.missing}", *([f"trap: {usage.trap}"] if usage.trap else [])]
    more = [*usage.also, *usage.metrics]
    if more:
        yield "", "", [f"also: {', '.join(more)}"]
    if facts.price:
        yield "price", "price", [f"{name} {text} of uncached input" for name, text in facts.price.items()]
    if facts.serves:
        yield "", "models", [", ".join(facts.serves)]
    for row in facts.routes:
        yield "", "", [f"{', '.join(row['match'])}: see {row['to']}"]
    if facts.notes:
        yield "", "note", list(facts.notes)


def _row(label: str, text: str, style: Style, *, dim: bool = False) -> str:
    lead = f"  {label:<{_LABEL}}"
    lines = textwrap.wrap(text, max(30, style.width - len(lead)), break_long_words=False, break_on_hyphens=False)
    body = [style.paint("dim", line) if dim else line for line in lines]
    return style.paint("dim", lead) + f"\n{' ' * len(lead)}".join(body) + "\n"
