"""Under which names packages are distributed (data: ``distributions.toml``)."""

from __future__ import annotations

import re
from functools import cache

from prefixlint import package_data


def is_distributed_as(package: str, name: str) -> bool:
    """Whether a top ``package`` comes with the distribution of that name, however it is spelt.

    Raises ``KeyError`` on a malformed data file.
    """
    return _normalised(name) in _others().get(package, (_normalised(package),))


@cache
def _others() -> dict[str, tuple[str, ...]]:
    table = package_data.table(__file__, "distributions.toml")["of_package"]
    return {package: tuple(names) for package, names in table.items()}


def _normalised(name: str) -> str:
    """As package indexes compare names (https://packaging.python.org/en/latest/specifications/name-normalization/)."""
    return re.sub(r"[-_.]+", "-", name).lower()
