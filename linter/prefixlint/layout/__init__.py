"""Layouts: where each part of a template stands in tokens, where its stable prefix ends, and what that costs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.model.layouts import Layout

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from prefixlint.layout.measure import Measured
    from prefixlint.model.layouts import Inversion, Placed
    from prefixlint.model.targets import Target
    from prefixlint.model.templates import Template

__all__ = ["build"]


def build(template: Template, targets: Sequence[Target]) -> Layout:
    """The layout of ``template`` for the first target, with a prediction for each of ``targets``.

    Placed segments are in the order in which that engine sees them; framing by the chat format is placed as text
    without characters, framing by a chat template with the text that it writes. Targets with the same tokenizer, chat
    template and component order are measured once. Where a tokenizer cannot be had or a chat template not followed, a
    stand-in counts and the predictions' notes say so. Raises ``ValueError`` without a target.
    """
    from prefixlint.layout.inversions import as_written, inversions
    from prefixlint.layout.measure import measure
    from prefixlint.layout.predict import predict

    if not targets:
        raise ValueError("a layout needs at least one target")
    measures: dict[tuple[str | None, ...], Measured] = {}
    predictions = []
    for target in targets:
        if target.counting not in measures:
            measures[target.counting] = measure(template, target)
        found = measures[target.counting]
        predictions.append(predict(found.view, found.fixed, target, found.note, found.shared))
    measured = next(iter(measures.values()))
    layout = _layout(template, measured, inversions(as_written(measured.view.located)))
    return replace(layout, predictions=tuple(predictions), others=tuple(_others(template, measured.target)))


def _others(template: Template, target: Target) -> Iterator[Layout]:
    """The layouts with another arm of a choice, each with the inversions of that arm alone."""
    from prefixlint.layout.inversions import as_written, inversions
    from prefixlint.layout.measure import measure, seen
    from prefixlint.layout.other_arms import other_arms

    for other, own in other_arms(template):
        found = tuple(each for each in inversions(as_written(seen(other, target).located)) if each.span in own)
        if found:
            yield _layout(other, measure(other, target), found)


def _layout(template: Template, measured: Measured, inverted: tuple[Inversion, ...]) -> Layout:
    view = measured.view
    placed = tuple(item.placed for item in view.located)
    stranded = _stable_behind(placed, view.prefix)
    return Layout(
        template=template,
        target=measured.target,
        placed=placed,
        total_tokens=view.total,
        breakpoint=view.breakpoint,
        stable_prefix_tokens=view.prefix,
        stable_tokens=view.prefix + stranded,
        stranded_tokens=stranded,
        history_stranded=any(inversion.history_stranded for inversion in inverted),
        shared_prefix=measured.shared,
        inversions=inverted,
        effects=measured.effects,
        trouble=measured.note,
    )


def _stable_behind(placed: Sequence[Placed], start: int) -> int:
    """Tokens from ``start`` on of all that stays the same between the requests of a running program."""
    stable = (item for item in placed if item.lifetime.known and not item.lifetime.varies)
    return sum(max(0, item.end - max(start, item.start)) for item in stable)
