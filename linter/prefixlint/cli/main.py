"""Entry point: a click group that imports a command's module only when that command runs."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from prefixlint import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

# 0 nothing to report; 1 findings at or above --fail-on; 2 wrong use; 4 internal error; 130 interrupted.
EXIT_CLEAN, EXIT_FINDINGS, EXIT_USAGE, EXIT_INTERNAL, EXIT_INTERRUPTED = 0, 1, 2, 4, 130

COMMANDS = {
    "check": "Find values that break the prefix cache of prompts.",
    "report": "Show where each prompt's stable prefix ends and what engines will reuse.",
    "diff": "Show where requests part, in tokens, and what engines reuse.",
    "lock": "Record the stable prefix of each prompt, or check that none shrank or changed.",
    "verify": "Ask a running server whether it reuses what is predicted.",
    "init": "Write a configuration and a pre-commit hook, and show the first report.",
    "server": "Run the language server for editors.",
    "clean": "Remove the results that earlier runs have kept.",
    "explain": "Print the page of a rule.",
    "rules": "List the rules.",
    "targets": "List the engines and providers that predictions are made for.",
}
"""Each command and its line in the help; its function stands in ``prefixlint.cli.<name>`` under the same name."""


class LazyGroup(click.Group):
    """A group whose commands are imported on first use; the help is written without importing any."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = getattr(import_module(f"prefixlint.cli.{cmd_name}"), cmd_name)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from prefixlint.config.model import did_you_mean

            near = did_you_mean(args[0], COMMANDS)
            hint = near or (f"; to check a path: prefixlint check {args[0]}" if os.path.exists(args[0]) else "")
            ctx.fail(f"no such command {args[0]!r}{hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="prefixlint", message="%(prog)s %(version)s")
def app() -> None:
    """Finds what breaks the prefix cache of prompts: where, to the token, and at what cost."""


def main(arguments: Sequence[str] | None = None) -> Any:
    """Runs the command line and exits with one of the statuses above."""
    for stream in (sys.stdout, sys.stderr):
        # A file name or prompt may hold what the terminal's encoding lacks; that must not end the run.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if arguments is not None:
        sys.exit(_status(arguments))
    import gc

    # This process does nothing else: millions of syntax nodes need not be looked through for garbage, nor given back
    # one by one at its end (as mypy does).
    gc.disable()
    status = _status(None)
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(status)


def silence_stdout() -> None:
    """Lets everything written to a closed pipe from now on vanish, also what Python flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _status(arguments: Sequence[str] | None) -> int:
    try:
        status = app.main(args=None if arguments is None else list(arguments), standalone_mode=False)
        if not sys.stdout.closed:  # as the language server leaves it
            sys.stdout.flush()
        return status if isinstance(status, int) else EXIT_CLEAN
    except click.ClickException as error:
        error.show()
        return EXIT_USAGE
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return EXIT_INTERRUPTED
    except (BrokenPipeError, SystemExit):
        # Whoever read the help has seen enough; click turns that into an exit of its own, the only one it makes here.
        silence_stdout()
        return EXIT_CLEAN
    except Exception as error:
        import traceback

        traceback.print_exc()
        click.echo(f"prefixlint: internal error: {type(error).__name__}: {error}", err=True)
        return EXIT_INTERNAL
