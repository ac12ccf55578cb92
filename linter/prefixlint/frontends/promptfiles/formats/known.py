"""What the placeholders of a format hold where its documentation says so (data: ``known_names.toml``)."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from prefixlint import package_data
from prefixlint.frontends.promptfiles.facts import Facts, Names, named, with_known
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind


@cache
def _raw() -> dict[str, dict[str, Any]]:
    return package_data.table(__file__, "known_names.toml")


@cache
def _tables() -> dict[str, dict[str, Facts]]:
    return {form: {name: _facts(entry) for name, entry in table["names"].items()} for form, table in _raw().items()}


@cache
def _signatures() -> dict[str, re.Pattern[str]]:
    signatures = {form: table["signature"] for form, table in _raw().items() if "signature" in table}
    return {form: re.compile(rf"\b(?:{'|'.join(names)})\b") for form, names in signatures.items()}


def names_in(text: str) -> Names:
    """Judge of names for a Jinja text that nothing says the format of: that whose documented names it uses, if any."""
    for form, pattern in _signatures().items():
        if len(set(pattern.findall(text))) > 1:
            return known(form)
    return named


def _facts(entry: str) -> Facts:
    lifetime, kind, *rest = entry.split("/")
    grows = "grows" in rest
    shape = next((word for word in rest if word != "grows"), "text")
    return Facts(Lifetime(lifetime), Origin(SourceKind(kind)), Confidence.HIGH, shape, grows)


@cache
def known(form: str) -> Names:
    """Judge of names for ``form``. Raises ``KeyError`` for a form without a table."""
    return with_known(_tables()[form])
