"""PFX503: a chat template that removes the reasoning of earlier answers."""

from __future__ import annotations

from dataclasses import dataclass

from prefixlint.api import EffectRule, Layout, Severity, TemplateEffect


@dataclass(frozen=True, slots=True)
class TemplateDropsReasoning(EffectRule):
    code = "PFX503"
    name = "template-drops-reasoning"
    since = "0.1.0"
    summary = "The target's chat template removes the reasoning of earlier answers from the conversation"
    effect = "rewritten"

    def severity(self, effect: TemplateEffect) -> Severity:
        return Severity.WARNING if effect.kept_by else Severity.INFO

    def message(self, effect: TemplateEffect, layout: Layout) -> str:
        remedy = (
            f"hand {' or '.join(effect.kept_by)} to the template"
            if effect.kept_by
            else "count on a reuse that ends at the answer before"
        )
        return (
            f"the chat template of {layout.target.name} removes the reasoning of earlier answers: with each new user "
            "message all from the first answer or tool call since the one before is computed again; "
            f"{remedy}"
        )
