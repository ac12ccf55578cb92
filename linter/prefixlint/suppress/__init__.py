"""Suppression comments: what they silence, and which of them do nothing."""

from prefixlint.suppress.apply import Directive, Outcome, apply, directives

__all__ = ["Directive", "Outcome", "apply", "directives"]
