"""What the configuration says of the project's own code and files, made known to the front ends for one run."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from functools import partial
from typing import TYPE_CHECKING

from prefixlint.discover.projects import place
from prefixlint.knowledge import prompt_files

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prefixlint.config import Config


@contextmanager
def project_knowledge(config: Config) -> Iterator[None]:
    """Until it is left, the front ends know the project's names, sources, sinks and prompt files."""
    with ExitStack() as stack:
        if config.names:
            from prefixlint.knowledge import names

            stack.enter_context(names.added(config.names))
        if config.sources or config.sinks or config.handlers:
            from prefixlint.knowledge import libraries

            stack.enter_context(libraries.added({**config.sources, **config.sinks}, config.handlers))
        files = config.templates
        stack.enter_context(
            prompt_files.declared(
                prompt_files.Declared(
                    partial(_matches, config.root, files.include),
                    partial(_matches, config.root, files.exclude),
                    frozenset(key.lower() for key in files.keys),
                    partial(place, root=config.root, top=config.top),
                )
            )
        )
        yield


def _matches(root: str, patterns: tuple[str, ...], path: str) -> bool:
    from prefixlint.discover import globs
    from prefixlint.discover.walk import relative

    return bool(patterns) and globs.matches(relative(path, root), patterns)
