"""The pytest plugin, imported in every run of everyone who has prefixlint installed: nothing heavy may be here."""

import pytest

from prefixlint.testing.recording import Recorder


@pytest.fixture
def llm_requests() -> Recorder:
    """Stands in for a client of OpenAI or Anthropic, and keeps what is sent to it."""
    return Recorder()
