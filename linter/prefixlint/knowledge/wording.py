"""Patterns of wording by which a text shows what it is (data: ``wording.toml``)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from prefixlint import package_data

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Wording:
    """``addresses`` finds what tells a model who it is, each of ``cues`` a mark of a prompt, ``shown_form`` what
    says that placeholders only show a form, ``spoken_of`` what speaks of them as such; ``mail``, ``pages`` and
    ``other_jinja`` find marks of what is no prompt, ``chat_marks`` tokens of chat templates."""

    addresses: re.Pattern[str]
    cues: tuple[re.Pattern[str], ...]
    shown_form: re.Pattern[str]
    spoken_of: re.Pattern[str]
    mail: re.Pattern[str]
    pages: re.Pattern[str]
    other_jinja: re.Pattern[str]
    chat_marks: re.Pattern[str]


@cache
def wording() -> Wording:
    """The built-in table; raises ``KeyError`` or ``re.error`` on a malformed data file."""
    raw = package_data.table(__file__, "wording.toml")
    return Wording(
        _any(raw["addresses"], re.IGNORECASE),
        tuple(re.compile(cue, re.IGNORECASE) for cue in raw["cues"]),
        _any(raw["shown_form"], re.IGNORECASE),
        _any(raw["spoken_of"], re.IGNORECASE),
        _any(raw["mail"], re.IGNORECASE | re.MULTILINE),
        _any(raw["pages"], re.IGNORECASE),
        _any(raw["other_jinja"]),
        _any(raw["chat_marks"]),
    )


def _any(patterns: Sequence[str], flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    return re.compile("|".join(patterns), flags)
