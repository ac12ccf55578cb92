"""PFX501: a chat template that writes the clock into the prompt before stable content."""

from __future__ import annotations

from dataclasses import dataclass, field

from prefixlint.api import CHANGES, EffectRule, Layout, RuleOptions, TemplateEffect


@dataclass(frozen=True, slots=True)
class TemplateDate(EffectRule):
    code = "PFX501"
    name = "template-date"
    since = "0.1.0"
    summary = "The target's chat template writes the date in front of stable content"
    effect = "date"

    options: RuleOptions = field(default_factory=RuleOptions)

    def counts(self, effect: TemplateEffect) -> bool:
        return effect.stranded_tokens >= self.options.min_stranded_tokens

    def message(self, effect: TemplateEffect, layout: Layout) -> str:
        return (
            f"the chat template of {layout.target.name} writes the clock at token {effect.token:,}: this "
            f"{CHANGES[effect.lifetime]}, and {effect.stranded_tokens:,} stable tokens behind it are computed again; "
            "give the template a fixed date, or take the date out of it"
        )
