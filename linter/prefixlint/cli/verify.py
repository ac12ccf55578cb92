"""``prefixlint verify``."""

from __future__ import annotations

import json
import secrets
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from prefixlint.cli import options
from prefixlint.wire.ask import APIS, CannotAsk

if TYPE_CHECKING:
    from prefixlint.config import Config
    from prefixlint.model.targets import Target
    from prefixlint.model.templates import Template
    from prefixlint.wire.ask import Api
    from prefixlint.wire.client import Server
    from prefixlint.wire.probe import Plan


@click.command()
@click.option("--url", required=True, metavar="URL", help="The server: http://127.0.0.1:8080, or the full API address.")
@click.option("--template", "wanted", metavar="NAME", help="Which template of the file: its name, id or line.")
@click.option(
    "--api", "api_name", type=click.Choice(tuple(APIS)), help="What to speak. [default: as the server answers]"
)
@click.option("--model", metavar="NAME", help="The model to ask for. [default: the template's own]")
@click.option("--target", "target_name", metavar="NAME", help="Predict for this engine. [default: as the API says]")
@click.option("--tokenizer", metavar="PATH", help="The model's tokenizer.json, for exact counts.")
@click.option("--repeats", type=click.IntRange(1, 100), default=3, show_default=True, help="Pairs of requests to send.")
@click.option("--timeout", type=click.FloatRange(0.1), default=120.0, show_default=True, help="Seconds to wait.")
@click.option("--allow-remote", is_flag=True, help="Send to a server that is not on this machine.")
@click.option("--key-env", metavar="NAME", help="Environment variable with the key; without it none is sent.")
@click.option("--dry-run", is_flag=True, help="Show the requests in full and send nothing.")
@click.option("--output-format", type=click.Choice(("text", "json")), default="text", show_default=True)
@options.output_option
@options.config_option
@click.argument("path", metavar="FILE")
def verify(
    path: str,
    url: str,
    wanted: str | None,
    api_name: str | None,
    model: str | None,
    target_name: str | None,
    tokenizer: str | None,
    repeats: int,
    timeout: float,
    allow_remote: bool,
    key_env: str | None,
    dry_run: bool,
    output_format: str,
    output_file: str | None,
    config_file: str | None,
) -> int:
    """Ask a running server whether it reuses what is predicted.

    Sends a template of FILE twice, filled with sample values, and only what varies is different the second time; a line
    with a number of its own in front keeps earlier runs out. Exit status: 0 prediction and measurement agree, 1 they do
    not or the server does not say, 2 wrong use, 4 the server fails.
    """
    from prefixlint.cli.main import EXIT_INTERNAL, EXIT_USAGE
    from prefixlint.tokens import TokenizerError
    from prefixlint.wire.client import ServerError, connect
    from prefixlint.wire.probe import by_address, detect, plan

    config = options.configuration((path,), config_file, None, ())
    template = _template(path, wanted, config)
    chat = any(block.role for block in template.blocks)
    try:
        server = connect(url, timeout=timeout, allow_remote=allow_remote, key_env=key_env, reach=not dry_run)
        chosen = APIS[api_name] if api_name else by_address(server)
        if chosen is None and dry_run:
            raise click.UsageError("--dry-run asks no server what it is: name it with --api")
        api, engine = (chosen, chosen.engine) if chosen else detect(server, chat)
        server = replace(server, key_header=api.key_header)
        model = model or template.model
        target = _target(target_name or engine, model, tokenizer, config)
        what = plan(template, api, server, target, model, [f"Run {secrets.token_hex(4)}.\n" for _ in range(repeats)])
        click.echo(_announcement(what, server, full=dry_run), err=not dry_run, nl=False)
        if dry_run:
            return 0
        return _measure(what, server, template, output_format, output_file)
    except ServerError as error:
        from prefixlint.report.escape import plain

        click.echo(f"Error: {plain(str(error))}", err=True)
        return EXIT_USAGE if error.user else EXIT_INTERNAL
    except (CannotAsk, TokenizerError) as error:
        raise options.fail(str(error)) from None


def _measure(what: Plan, server: Server, template: Template, output_format: str, output_file: str | None) -> int:
    from prefixlint.cli.main import EXIT_CLEAN, EXIT_FINDINGS
    from prefixlint.cli.progress import ProgressLine
    from prefixlint.report import trials
    from prefixlint.wire.probe import run

    with ProgressLine() as progress:
        found = run(what, server, lambda done, count: progress("asking the server", done, count))
    if output_format == "json":
        text = trials.document(template.id, what, found)
    else:
        text = trials.render(template.id, what, found)
    options.emit(text, output_file)
    return EXIT_CLEAN if all(trial.agrees for trial in found) else EXIT_FINDINGS


def _template(path: str, wanted: str | None, config: Config) -> Template:
    result = options.execute((path,), config, None, check=False)
    found = [
        template
        for template in result.templates
        if wanted is None or wanted in (template.id, template.name, str(template.span.start.line))
    ]
    if len(found) == 1:
        return found[0]
    if result.path_errors:
        raise options.fail("nothing to verify")
    known = ", ".join(f"{template.name} (line {template.span.start.line})" for template in found or result.templates)
    if found:
        raise options.fail(f"{path} has {len(found)} such templates: choose one with --template: {known}")
    raise options.fail(f"{path} has no such template; it has {known or 'none'}")


def _target(name: str, model: str | None, tokenizer: str | None, config: Config) -> Target:
    from prefixlint.config import ConfigError
    from prefixlint.run import Stages
    from prefixlint.run.registry import named_target

    named = name if ":" in name or not model else f"{name}:{model}"
    try:
        return named_target(named, config, Stages(), {"tokenizer": tokenizer} if tokenizer else {})
    except ConfigError as error:
        raise options.fail(str(error)) from None


def _announcement(what: Plan, server: Server, *, full: bool) -> str:
    """What will be sent: in full, or the first of the requests cut short."""
    api: Api = what.api
    count = 2 * len(what.pairs)
    head = f"POST {server.url}{what.path} ({api.name}), {count} requests{' with a key' if server.key else ''}"
    if full:
        bodies = [json.dumps(body, ensure_ascii=False, indent=2) for pair in what.pairs for body in pair]
        return head + "\n" + "\n".join(bodies) + "\n"
    from prefixlint.report.escape import plain

    body = plain(json.dumps(what.pairs[0][0], ensure_ascii=False))
    return f"{head}, the first of {len(body):,} characters: {body[:160]}{'…' if len(body) > 160 else ''}\n"
