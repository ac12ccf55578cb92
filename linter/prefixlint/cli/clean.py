"""``prefixlint clean``."""

from __future__ import annotations

import click

from prefixlint.cli import options


@click.command()
def clean() -> int:
    """Remove the results that earlier runs have kept."""
    from prefixlint.cache.store import Store, default_folder

    store = Store(default_folder())
    try:
        count = store.clean()
    except OSError as error:
        raise options.fail(f"cannot clean {store.folder}: {error.strerror or error}") from None
    entries = "entry" if count == 1 else "entries"
    options.emit(f"Removed {count:,} {entries} from {store.folder}\n")
    return 0
