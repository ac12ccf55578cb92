"""What the configuration says of the project's own code and files, made known to the front ends for one run."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from functools import partial
from typing import TYPE_CHECKING

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
        if config.sources or config.sinks:
            from prefixlint.knowledge import libraries

            stack.enter_context(libraries.added({**config.sources, **config.sinks}))
        files = config.templates
        if files.include or files.exclude or files.keys:
            from prefixlint.frontends.promptfiles import recognise

            keys = frozenset(key.lower() for key in files.keys)
            included = partial(_matches, config.root, files.include)
            excluded = partial(_matches, config.root, files.exclude)
            stack.enter_context(recognise.declared(recognise.Declared(included, excluded, keys)))
        yield


def _matches(root: str, patterns: tuple[str, ...], path: str) -> bool:
    from prefixlint.discover import globs
    from prefixlint.discover.walk import relative

    return bool(patterns) and globs.matches(relative(path, root), patterns)
