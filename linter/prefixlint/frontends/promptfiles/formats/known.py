"""What the placeholders of a format hold where its documentation says so (data: ``known_names.toml``)."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

from prefixlint.frontends.promptfiles.facts import Facts, Names, with_known
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind


@cache
def _tables() -> dict[str, dict[str, Facts]]:
    raw = tomllib.loads(
        resources.files("prefixlint.frontends.promptfiles.formats")
        .joinpath("known_names.toml")
        .read_text(encoding="utf-8")
    )
    return {form: {name: _facts(entry) for name, entry in table["names"].items()} for form, table in raw.items()}


def _facts(entry: str) -> Facts:
    lifetime, kind, *rest = entry.split("/")
    grows = "grows" in rest
    shape = next((word for word in rest if word != "grows"), "text")
    return Facts(Lifetime(lifetime), Origin(SourceKind(kind)), Confidence.HIGH, shape, grows)


@cache
def known(form: str) -> Names:
    """Judge of names for ``form``. Raises ``KeyError`` for a form without a table."""
    return with_known(_tables()[form])
