"""``prefixlint server``."""

from __future__ import annotations

from importlib.util import find_spec

import click

from prefixlint.cli import options


@click.command()
@click.option("--stdio", is_flag=True, expose_value=False, help="Speak on standard input and output (always so).")
def server() -> int:
    """Run the language server: diagnostics, hover, token counts and fixes in editors.

    An editor starts it and speaks with it on standard input and output (Language Server Protocol). It needs the extra
    "server": pip install 'prefixlint[server]'.
    """
    if find_spec("pygls") is None or find_spec("lsprotocol") is None:
        raise options.fail("the language server needs pygls; install it with: pip install 'prefixlint[server]'")
    from prefixlint.server.app import serve

    serve()
    return 0
