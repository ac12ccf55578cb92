"""For the tests of programs that send prompts: what a prompt's stable prefix must not fall below.

    from prefixlint.testing import assert_stable_prefix

    def test_the_manual_is_cached():
        assert_stable_prefix("app/agent.py::build_messages", at_least=1024, target="openai:gpt-4o")

That reads the source and runs none of it. The fixture ``llm_requests`` of the pytest plugin records what a program
really sends instead. Nothing heavy is imported before one of them is used.
"""

from prefixlint.testing.asserting import assert_stable_prefix
from prefixlint.testing.recording import Recorder

__all__ = ["Recorder", "assert_stable_prefix"]
