"""Calls that only try a function out: what an example of a project gives to the project's own functions says nothing of
other callers."""

from __future__ import annotations

from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING

from prefixlint.knowledge.file_names import file_names

if TYPE_CHECKING:
    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.modules import Code


@lru_cache(maxsize=4096)
def example_folder(path: str) -> str:
    """The folder of examples that a file lies in, with a slash at its end; "" for a file that lies in none."""
    folders = path.split("/")[:-1]
    for at, folder in enumerate(folders):
        if folder.lower() in file_names().example_folders:
            return "/".join(folders[: at + 1]) + "/"
    return ""


def leading_from_example(frame: Frame) -> tuple[Code, ...] | None:
    """The functions of an example that lead to a frame outside of its folder; None for a frame that no such call led
    to."""
    folder = example_folder(frame.chain[0].span.path) if frame.chain else ""
    if not folder or frame.module.path.startswith(folder):
        return None
    within = sum(1 for _ in takewhile(lambda hop: hop.span.path.startswith(folder), frame.chain))
    # Each function on the way but the last one has made one of the calls; a module that is run has made the first.
    return frame.stack[: max(len(frame.stack) - len(frame.chain) + within - 1, 0)]
