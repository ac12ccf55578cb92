"""Acme's rules for prompts."""

from acme_prompt_rules.short_prefix import ShortPrefix

RULES = (ShortPrefix(),)
