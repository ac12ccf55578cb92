"""What holds for every layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st
from layout_support import ORDER, Bare, Words, block, choice, history, plain, repeat, template, text, value, view
from prefixlint.layout.inversions import inversions
from prefixlint.layout.messages import render
from prefixlint.layout.order import engine_order
from prefixlint.layout.remembering import Remembering
from prefixlint.layout.reorder import reordered
from prefixlint.layout.scopes import shared_prefixes
from prefixlint.layout.tokenized import common_prefix, tokenize
from prefixlint.layout.variations import NEXT, SAME
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import SHAPES, Segment, Value

if TYPE_CHECKING:
    from prefixlint.model.templates import Template

words = st.text(alphabet="ab 1\n.é", min_size=0, max_size=12)
lifetimes = st.sampled_from(Lifetime)
values = st.builds(value, st.just("v"), lifetimes, st.sampled_from(SHAPES))
leaves: st.SearchStrategy[Segment] = st.one_of(st.builds(text, words), values)


def nested(inner: st.SearchStrategy[Segment]) -> st.SearchStrategy[Segment]:
    body = st.lists(inner, max_size=3).map(tuple)
    return st.one_of(
        st.builds(lambda life, arms: choice("c", life, *arms), lifetimes, st.lists(body, max_size=3)),
        st.builds(lambda life, items: repeat("r", life, *items), lifetimes, body),
    )


segments = st.recursive(leaves, nested, max_leaves=6)


def templates(parts: st.SearchStrategy[Segment]) -> st.SearchStrategy[Template]:
    blocks = st.builds(
        lambda role, component, items: block(*items, role=role, component=component),
        st.sampled_from(["", "system", "user"]),
        st.sampled_from(["tools", "system", "messages"]),
        st.lists(parts, max_size=4),
    )
    return st.lists(blocks, max_size=4).map(lambda made: template(*made))


with_history = templates(st.one_of(segments, st.builds(history)))
without_history = templates(segments)


@given(with_history, st.booleans())
@settings(max_examples=50)
def test_placed_segments_tile_text_and_tokens(made: Template, framed: bool) -> None:
    measured = view(made, framed)
    assert "".join(item.placed.text for item in measured.located) == "".join(each.text for each in measured.messages)
    at = 0
    for item in measured.located:
        assert item.placed.start == at
        at = item.placed.end
    assert at == measured.total


@given(with_history, st.booleans())
@settings(max_examples=50)
def test_breakpoint_scopes_and_stranded_tokens_stay_within_the_request(made: Template, framed: bool) -> None:
    measured = view(made, framed)
    found = measured.breakpoint
    if found is not None:
        assert 0 <= found.token_guaranteed <= found.token <= measured.total
    shared = [each.tokens for each in shared_prefixes(measured.shared)]
    assert shared == sorted(shared)
    assert all(0 <= tokens <= measured.total for tokens in shared)
    for inversion in inversions(measured.located):
        assert 0 <= inversion.stranded_tokens <= measured.total - inversion.stable_tokens_before
        assert inversion.stranded_tokens or inversion.history_stranded


@given(with_history)
@settings(max_examples=50)
def test_a_template_without_anything_that_varies_has_no_breakpoint(made: Template) -> None:
    measured = view(made)
    varies = any(item.piece and (item.piece.breaks or item.piece.growing) for item in measured.located)
    assert (measured.breakpoint is not None) == varies


@given(st.lists(segments, max_size=6))
@settings(max_examples=50)
def test_reordering_loses_no_token_that_was_safe(parts: list[Segment]) -> None:
    made = plain(*parts)
    blocks = engine_order(made.blocks, ORDER)
    one, other = (
        tokenize(reordered(render(blocks, each)), Remembering(Words()), Bare())  # type: ignore[arg-type]
        for each in (SAME, NEXT)
    )
    found = view(made).breakpoint
    if found is not None:
        assert common_prefix(one, other) >= found.token_guaranteed


@given(without_history, st.booleans())
@settings(max_examples=50)
def test_the_fix_never_lowers_the_prefix(made: Template, framed: bool) -> None:
    measured = view(made, framed)
    fixed = measured.fixed()
    assert measured.prefix <= fixed.prefix <= fixed.total
    assert fixed.stable_end <= fixed.prefix


@given(without_history)
@settings(max_examples=50)
def test_reordering_keeps_every_piece_and_puts_what_varies_behind(made: Template) -> None:
    before = view(made).messages
    after = reordered(before)
    pieces = [id(part.piece) for each in after for part in each.parts]
    assert sorted(pieces) == sorted(id(part.piece) for each in before for part in each.parts)
    stable = [part.piece.stable for each in after for part in each.parts]
    assert stable == sorted(stable, reverse=True)
    moved = [part.piece.lifetime.rank for each in after for part in each.parts if not part.piece.stable]
    assert moved == sorted(moved, reverse=True)


@given(st.sampled_from(SHAPES), lifetimes)
def test_the_two_samples_of_a_value_differ(shape: str, lifetime: Lifetime) -> None:
    from prefixlint.layout.samples import sample

    for made in (value("v", lifetime, shape), history()):
        assert isinstance(made, Value)
        assert sample(made) != sample(made, second=True)
