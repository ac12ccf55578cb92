"""Python front end: follows prompts through code without running it."""

from prefixlint.frontends.python.analyse import analyse
from prefixlint.frontends.python.calling_files import CallIndex
from prefixlint.frontends.python.interest import might_hold_prompt

__all__ = ["CallIndex", "analyse", "might_hold_prompt"]
