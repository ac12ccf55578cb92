"""What a chat template does to a request that its source does not show: found by rendering it again."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from prefixlint.model.layouts import TemplateEffect
from prefixlint.model.lifetimes import Lifetime

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from prefixlint.layout.chats import ThroughTemplate
    from prefixlint.layout.placing import Located
    from prefixlint.layout.views import View

_LATER = ((timedelta(minutes=1, seconds=7), Lifetime.REQUEST), (timedelta(days=400), Lifetime.DAY))
"""A clock that goes on: by a minute, and to another day, month and year."""


def effects(view: View, through: ThroughTemplate | None) -> tuple[TemplateEffect, ...]:
    """The effects of the chat template ``through`` on the request of ``view``; none without a template."""
    if through is None or not view.rendered:
        return ()
    return (*_dates(view, through), *_moved(view, through), *_rewritten(view, through))


def _dates(view: View, through: ThroughTemplate) -> Iterator[TemplateEffect]:
    for later, lifetime in _LATER:
        token = view.parts_from(replace(through, now=through.now + later))
        if token is not None:
            yield _effect("date", lifetime, token, view.located, through)
            return


def _moved(view: View, through: ThroughTemplate) -> Iterator[TemplateEffect]:
    """Tools and system text behind a conversation: with its next turn they stand at another place."""
    items = [item for item in view.located if item.piece is not None and item.placed.text]
    talk = [at for at, item in enumerate(items) if item.piece is not None and item.piece.growing is not None]
    if not talk:
        return
    behind = [item for item in items[talk[-1] :] if item.placed.component != "messages"]
    if behind:
        parts = tuple(dict.fromkeys(item.placed.component for item in behind))
        yield _effect("moved", Lifetime.TURN, behind[0].placed.start, behind, through, parts)


def _rewritten(view: View, through: ThroughTemplate) -> Iterator[TemplateEffect]:
    from prefixlint.tokens.chat_probe import reasoning

    talk = next((item for item in view.located if item.piece is not None and item.piece.conversation), None)
    if talk is None:
        return
    found = reasoning(through.template, through.engine, through.now)
    if found.removed:
        effect = _effect("rewritten", Lifetime.TURN, talk.placed.start, (), through)
        yield replace(effect, history_stranded=True, kept_by=found.kept_by)


def _effect(
    kind: str,
    lifetime: Lifetime,
    token: int,
    items: Sequence[Located],
    through: ThroughTemplate,
    parts: tuple[str, ...] = (),
) -> TemplateEffect:
    """An effect that strands what of ``items`` lives longer and stands behind ``token``; framing is not counted."""
    behind = [item for item in items if item.piece is not None and item.placed.end > token]
    stranded = sum(
        item.placed.end - max(token, item.placed.start) for item in behind if item.placed.lifetime.outlives(lifetime)
    )
    conversation = any(item.piece is not None and item.piece.growing is not None for item in behind)
    return TemplateEffect(
        kind=kind,
        lifetime=lifetime,
        token=token,
        stranded_tokens=stranded,
        history_stranded=conversation and lifetime in (Lifetime.TURN, Lifetime.REQUEST),
        source=through.template.source,
        parts=parts,
    )
