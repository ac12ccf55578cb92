"""Measures a template for one target, and says so where what the target asks for cannot be had."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from prefixlint.layout.chats import ThroughTemplate
    from prefixlint.layout.views import Fixed, View
    from prefixlint.model.layouts import SharedPrefix, TemplateEffect
    from prefixlint.model.targets import Target
    from prefixlint.model.templates import Template

Made = TypeVar("Made")

STAND_IN = "o200k_base"
"""Tokenizer that counts where the target's own is missing."""

NOW = datetime(2026, 3, 14, 9, 26, 53)
"""The clock of a rendered chat template: the first sample of a timestamp."""


@dataclass(frozen=True, slots=True)
class Measured:
    """``target`` is the one that was measured: with another tokenizer or without a chat template where ``note`` says
    so."""

    target: Target
    view: View
    fixed: Fixed
    shared: tuple[SharedPrefix, ...]
    effects: tuple[TemplateEffect, ...]
    note: str


def with_tokenizer(target: Target) -> tuple[Target, str]:
    """``target``, or where its tokenizer cannot be had the same with a stand-in and a note of why."""
    from prefixlint.tokens import TokenizerError, get_tokenizer

    try:
        get_tokenizer(target.tokenizer)
    except TokenizerError as error:
        return replace(target, tokenizer=STAND_IN, exact=False), f"{error}; tokens are counted with {STAND_IN}"
    return target, ""


def measure(template: Template, target: Target) -> Measured:
    """All counts of ``template``. Where a chat template cannot be followed, framing is counted by the chat format."""
    return _made(template, target, _measured)


def seen(template: Template, target: Target) -> View:
    """The view of ``template`` that ``measure`` counts in, and no more."""
    return _made(template, target, lambda template, target, through, note: _view(template, target, through))


def _made(
    template: Template, target: Target, make: Callable[[Template, Target, ThroughTemplate | None, str], Made]
) -> Made:
    from prefixlint.layout.chats import NotPlaced
    from prefixlint.tokens.protocol import TokenizerError

    target, note = with_tokenizer(target)
    if target.chat_template is not None and any(block.role for block in template.blocks):
        try:
            return make(template, target, _through(target), note)
        except (NotPlaced, TokenizerError) as error:
            where = "" if target.chat_template in str(error) else f"{target.chat_template}: "
            trouble = f"the chat template is not followed ({where}{error}), framing is counted as {target.chat_format}"
            note = f"{note}; {trouble}" if note else trouble
        target = replace(target, chat_template=None)
    return make(template, target, None, note)


def _measured(template: Template, target: Target, through: ThroughTemplate | None, note: str) -> Measured:
    from prefixlint.layout.effects import effects
    from prefixlint.layout.predict import shared_after
    from prefixlint.layout.scopes import shared_prefixes

    view = _view(template, target, through)
    found = effects(view, through)
    fixed = view.fixed()
    return Measured(target, view, fixed, shared_after(shared_prefixes(view.shared), fixed), found, note)


def _view(template: Template, target: Target, through: ThroughTemplate | None) -> View:
    from prefixlint.layout.remembering import remembering
    from prefixlint.layout.views import View
    from prefixlint.tokens.chat import chat_format

    chat = chat_format("none" if through else target.chat_format)
    tokenizer = remembering(target.tokenizer, chat=through is not None)
    return View(template, target.cache.order, tokenizer, chat, through)


def _through(target: Target) -> ThroughTemplate:
    """Raises ``ChatTemplateError``."""
    from prefixlint.layout.chats import ThroughTemplate
    from prefixlint.tokens.chat_files import chat_template

    template = chat_template(target.chat_template or "", target.tokenizer)
    return ThroughTemplate(template, NOW, target.engine)
