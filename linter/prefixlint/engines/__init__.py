"""Engines and providers: their facts as data, targets made of them, and their cache models as pure functions."""

from __future__ import annotations

from prefixlint.engines.overrides import TargetError
from prefixlint.engines.targets import TargetRow, default_targets, load_target, target_names, target_rows

__all__ = ["TargetError", "TargetRow", "default_targets", "load_target", "target_names", "target_rows"]
