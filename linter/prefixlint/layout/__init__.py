"""Layouts: where each part of a template stands in tokens, where its stable prefix ends, and what that costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.model.layouts import Layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prefixlint.model.layouts import Placed
    from prefixlint.model.targets import Target
    from prefixlint.model.templates import Template

__all__ = ["build"]


def build(template: Template, targets: Sequence[Target]) -> Layout:
    """The layout of ``template`` for the first target, with a prediction for each of ``targets``.

    Placed segments are in the order in which that engine sees them; framing by the chat format is placed as text
    without characters. Targets with the same tokenizer, chat format and component order are measured once. Raises
    ``ValueError`` without a target and ``TokenizerError`` where a tokenizer cannot be had.
    """
    from prefixlint.layout.inversions import inversions
    from prefixlint.layout.predict import predict
    from prefixlint.layout.remembering import remembering
    from prefixlint.layout.scopes import shared_prefixes
    from prefixlint.layout.views import Fixed, View
    from prefixlint.tokens.chat import chat_format

    if not targets:
        raise ValueError("a layout needs at least one target")
    views: dict[tuple[str, str, tuple[str, ...]], tuple[View, Fixed]] = {}
    predictions = []
    for target in targets:
        key = (target.tokenizer, target.chat_format, target.cache.order)
        if key not in views:
            view = View(template, target.cache.order, remembering(target.tokenizer), chat_format(target.chat_format))
            views[key] = (view, view.fixed())
        predictions.append(predict(*views[key], target))
    first = next(iter(views.values()))[0]
    placed = tuple(item.placed for item in first.located)
    inverted = inversions(first.located)
    return Layout(
        template=template,
        target=targets[0],
        placed=placed,
        total_tokens=first.total,
        breakpoint=first.breakpoint,
        stable_prefix_tokens=first.prefix,
        stable_tokens=_stable(placed),
        stranded_tokens=_stable(placed, first.prefix),
        history_stranded=any(inversion.history_stranded for inversion in inverted),
        shared_prefix=shared_prefixes(first.shared),
        inversions=inverted,
        predictions=tuple(predictions),
    )


def _stable(placed: Sequence[Placed], start: int = 0) -> int:
    """Tokens from ``start`` on of all that stays the same between the requests of a running program."""
    stable = (item for item in placed if item.lifetime.known and not item.lifetime.varies)
    return sum(max(0, item.end - max(start, item.start)) for item in stable)
