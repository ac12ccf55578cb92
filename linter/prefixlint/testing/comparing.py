"""Recorded requests side by side, in tokens of a target."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from prefixlint.config import Config
from prefixlint.run.registry import named_target
from prefixlint.run.stages import Stages
from prefixlint.wire.bodies import NotABody, of_json
from prefixlint.wire.compare import compare

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from prefixlint.wire.bodies import Body
    from prefixlint.wire.sent import Place

AROUND = 40
"""Characters shown on each side of the place where two requests part."""


def too_short(requests: Sequence[Mapping[str, Any]], at_least: int, target: str) -> list[str]:
    """A message for each request that shares less than ``at_least`` tokens with the one before it.

    Raises ``ConfigError``, a ``ValueError``, for an unknown target and ``AssertionError`` for a request without a
    prompt.
    """
    __tracebackhide__ = True
    chosen = named_target(target, Config(""), Stages())
    bodies = list(_bodies(requests))
    out = []
    for number, (one, other) in enumerate(pairwise(bodies), 2):
        (found,) = compare(one, other, (chosen,))
        if found.reuse.prefix < at_least and not found.identical:
            out.append(
                f"request {number} shares {found.reuse.prefix:,} tokens of {target} with the one before it, not at "
                f"least {at_least:,}; they part at {_place(found.here, found.there)}"
            )
        elif found.reuse.prefix < at_least:
            out.append(
                f"requests {number - 1} and {number} are the same and have {found.reuse.prefix:,} tokens of {target}, "
                f"not at least {at_least:,}"
            )
    return out


def _bodies(requests: Sequence[Mapping[str, Any]]) -> Iterator[Body]:
    __tracebackhide__ = True
    for number, request in enumerate(requests, 1):
        try:
            yield of_json(dict(request))
        except NotABody as error:
            raise AssertionError(f"request {number} holds no prompt: {error}") from None


def _place(here: Place, there: Place) -> str:
    """Where two requests part, with the text on both sides."""
    before = here.before[-AROUND:]
    one, other = (f"{before + place.behind[:AROUND]!r}" for place in (here, there))
    where = f"line {here.line:,}, column {here.column:,} of {here.path}" if here.path else f"line {here.line:,}"
    return f"{where}: {one} and {other}"
