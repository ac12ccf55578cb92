"""PFX502: a chat template that moves tools or system text into the last user turn."""

from __future__ import annotations

from dataclasses import dataclass, field

from prefixlint.api import EffectRule, Layout, RuleOptions, Severity, TemplateEffect

_PARTS = {"tools": "the tools", "system": "the system text"}


@dataclass(frozen=True, slots=True)
class TemplateMovesSystem(EffectRule):
    code = "PFX502"
    name = "template-moves-system"
    since = "0.1.0"
    summary = "The target's chat template puts tools or system text into the last user turn"
    effect = "moved"

    options: RuleOptions = field(default_factory=RuleOptions)

    def counts(self, effect: TemplateEffect) -> bool:
        return effect.stranded_tokens >= self.options.min_stranded_tokens

    def severity(self, effect: TemplateEffect) -> Severity:
        # No line of the source is at fault, and the model was trained on this form.
        return Severity.WARNING

    def message(self, effect: TemplateEffect, layout: Layout) -> str:
        what = " and ".join(_PARTS[part] for part in effect.parts)
        return (
            f"the chat template of {layout.target.name} puts {what} behind the conversation, at token "
            f"{effect.token:,}: with every turn {effect.stranded_tokens:,} stable tokens move and are computed again, "
            "and so is the turn before; write them into the first user message instead"
        )
