"""A prompt as a bar: pieces coloured by lifetime, as wide as their tokens, and where reuse ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Choice, Repeat, Text
from prefixlint.report.html.markup import element
from prefixlint.rulebase import RuleOptions
from prefixlint.severity import counts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from prefixlint.model.layouts import Layout, Placed


@dataclass(frozen=True, slots=True)
class Bar:
    """Pieces in order, each with its number in the layout; ``prefix`` tokens of them are reused."""

    pieces: tuple[tuple[int, Placed], ...]
    prefix: int

    @property
    def total(self) -> int:
        return sum(placed.tokens for _, placed in self.pieces)


def now(layout: Layout) -> Bar:
    return Bar(tuple(enumerate(layout.placed)), layout.stable_prefix_tokens)


def after(layout: Layout) -> Bar | None:
    """The bar with all that varies moved to the end, the longest-lived first; ``None`` where that gains nothing.

    Token counts are those of the pieces as they stand now: at the seams a few may merge otherwise.
    """
    pieces = list(enumerate(layout.placed))
    end = len(pieces)
    while end and is_framing(pieces[end - 1][1]):
        end -= 1
    body, tail = pieces[:end], pieces[end:]
    stable = [piece for piece in body if not moves(piece[1])]
    moved = sorted((piece for piece in body if moves(piece[1])), key=lambda piece: -piece[1].lifetime.rank)
    prefix = sum(placed.tokens for _, placed in stable)
    if not moved or prefix <= layout.stable_prefix_tokens:
        return None
    return Bar((*stable, *moved, *tail), prefix)


def is_framing(placed: Placed) -> bool:
    """Tokens that the chat format puts around messages."""
    return isinstance(placed.segment, Text) and not placed.text


def moves(placed: Placed) -> bool:
    """Would the fix move it: does it vary, or may it?"""
    return placed.lifetime.varies or (
        placed.lifetime is Lifetime.UNKNOWN and not isinstance(placed.segment, Choice | Repeat)
    )


def affected(layout: Layout) -> bool:
    """Does a value strand enough in it to be a finding, as the rules count where nothing is configured?"""
    least = RuleOptions().min_stranded_tokens
    return any(counts(inversion, least) for inversion in layout.inversions)


def stranded(placed: Placed, layout: Layout) -> bool:
    """Does it stay the same and stand behind the breakpoint?"""
    return not moves(placed) and placed.lifetime.known and placed.start >= layout.stable_prefix_tokens


def bar(shown: Bar, label: str, strands: Iterable[int] = ()) -> str:
    """The bar as HTML. ``strands`` are the numbers of pieces to be hatched as stranded."""
    total = max(1, shown.total)
    hatched = set(strands)
    at = 0
    pieces = []
    for number, placed in shown.pieces:
        if placed.tokens:
            kind = f"p l-{placed.lifetime.value}{' st' if number in hatched else ''}"
            place = f"left:{_share(at, total)};width:{_share(placed.tokens, total)}"
            pieces.append(element("span", "", _class=kind, data_s=str(number), style=place))
        at += placed.tokens
    mark = element("span", "", _class="mark", style=f"left:{_share(min(shown.prefix, total), total)}")
    return element("div", "".join(pieces) + mark, _class="bar", role="img", aria_label=label)


def _share(part: int, whole: int) -> str:
    return f"{part * 100 / whole:.3f}".rstrip("0").rstrip(".") + "%"


def overview_bar(layout: Layout) -> str:
    """A small bar of three parts for the table: reused, stranded, the rest."""
    total = max(1, layout.total_tokens)
    prefix = min(layout.stable_prefix_tokens, total)
    lost = min(layout.stranded_tokens, total - prefix)
    parts: Sequence[tuple[str, int, int]] = (("kept", 0, prefix), ("lost", prefix, lost))
    spans = "".join(
        element("span", "", _class=kind, style=f"left:{_share(at, total)};width:{_share(tokens, total)}")
        for kind, at, tokens in parts
        if tokens
    )
    return element("div", spans, _class="mini", aria_hidden="true")
