"""The whole page: head, sums, overview table, and the details of every template."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from typing import TYPE_CHECKING

from prefixlint import __version__, package_data
from prefixlint.model.lifetimes import Lifetime
from prefixlint.report.html.details import details
from prefixlint.report.html.markup import element, inline, path
from prefixlint.report.html.picture import affected, overview_bar
from prefixlint.report.lines import plural
from prefixlint.report.table import clipped, unknown_values

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

    from prefixlint.model.layouts import Layout
    from prefixlint.run.result import RunResult

_COLUMNS: Final = (
    ("Template", "text"),
    ("Target", "text"),
    ("Stable prefix", "number"),
    ("Stranded", "number"),
    ("Ended by", "text"),
    ("User / session", "number"),
    ("Reuse now", "number"),
    ("After the fix", "number"),
)


def report(result: RunResult) -> str:
    """One self-contained file; templates that strand most first."""
    layouts = sorted(
        result.layouts, key=lambda layout: (-layout.stranded_tokens, not layout.history_stranded, layout.template.span)
    )
    style, script = _asset("report.css"), _asset("report.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    # Whatever a prompt holds, the browser loads nothing and runs this one script.
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'"
    body = _sums(result) + _legend() + (_overview(layouts) + _all_details(layouts) if layouts else _nothing())
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>Prefix cache report</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        f'<header><h1>Prefix cache report</h1><button type="button" id="theme" hidden>Dark or light</button></header>\n'
        f"<main>\n{body}</main>\n<footer>prefixlint {__version__}</footer>\n"
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


@cache
def _asset(name: str) -> str:
    return package_data.text(__file__, f"assets/{name}")


def _nothing() -> str:
    return "<p>No prompt was found.</p>\n"


def _sums(result: RunResult) -> str:
    layouts = result.layouts
    sums = [
        (len(result.templates), "template", "templates", ""),
        (sum(map(affected, layouts)), "template", "templates", " affected"),
        (sum(layout.stranded_tokens for layout in layouts), "stable token", "stable tokens", " stranded"),
        (sum(map(unknown_values, layouts)), "value", "values", " of unknown lifetime"),
        (result.files, "file", "files", ""),
        (result.unanalysed_files, "file", "files", " not analysed"),
    ]
    items = "".join(f"<li><b>{count:,}</b> {one if count == 1 else many}{what}</li>" for count, one, many, what in sums)
    return element("ul", items, _class="sums") + "\n"


def _legend() -> str:
    names = "".join(element("li", element("span", "", _class=f"key l-{life.value}") + life.value) for life in Lifetime)
    rest = element("li", element("span", "", _class="key l-constant st") + "stranded") + element(
        "li", element("span", "", _class="key mark-key") + "reuse ends"
    )
    return element("ul", names + rest, _class="legend", aria_label="Colours") + "\n"


def _overview(layouts: Sequence[Layout]) -> str:
    lives = [life for life in Lifetime if any(each.breakpoint and each.breakpoint.lifetime is life for each in layouts)]
    choices = "".join(element("option", life.value, value=life.value) for life in lives)
    controls = (
        '<div id="filter" role="search" hidden><label>Filter <input type="search" id="words" autocomplete="off" '
        'placeholder="file, name, target, value"></label>'
        f'<label>Ended by <select id="life"><option value="">any lifetime</option>{choices}</select></label>'
        '<label class="check"><input type="checkbox" id="lost"> only with something stranded</label>'
        '<output id="count"></output></div>\n'
    )
    heads = "".join(f'<th scope="col" data-kind="{kind}"{_HEADS.get(name, "")}>{name}</th>' for name, kind in _COLUMNS)
    rows = "\n".join(_row(number, layout) for number, layout in enumerate(layouts))
    return f'{controls}<table id="overview">\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>\n'


_HEADS: Final = {
    "Stranded": ' aria-sort="descending"',
    "User / session": ' title="Tokens that all requests of one user, and of one session, share"',
    "Reuse now": ' title="Tokens that the first target reuses"',
    "After the fix": ' title="Tokens that the first target reuses with what varies at the end"',
}


def _row(number: int, layout: Layout) -> str:
    template, target, point = layout.template, layout.target, layout.breakpoint
    where = f"{template.span.path}:{template.span.start.line}"
    name = f'<a href="#t{number}">{inline(template.name)}</a> <code>{path(where)}</code>'
    lost = f"{layout.stranded_tokens:,}" + (" + conversation" if layout.history_stranded else "")
    ended = (
        "nothing" if point is None else f"<code>{inline(clipped(point.expression, 40))}</code> {_life(point.lifetime)}"
    )
    shared = {each.lifetime: each.tokens for each in layout.shared_prefix}
    user, session = shared.get(Lifetime.USER), shared.get(Lifetime.SESSION)
    scopes = f"{user or 0:,} / {session or 0:,}" if shared else "–"
    first = layout.predictions[0] if layout.predictions else None
    of = f" of {layout.stable_tokens:,}" if layout.stable_prefix_tokens <= layout.stable_tokens else ""
    model = target.name if target.model else target.engine
    cells = (
        (name, template.name),
        (inline(model), model),
        (
            f"{layout.stable_prefix_tokens:,}{of}{overview_bar(layout)}",
            str(layout.stable_prefix_tokens),
        ),
        (lost, str(layout.stranded_tokens + (10**9 if layout.history_stranded else 0))),
        (ended, "" if point is None else point.expression),
        (scopes, str(session or 0)),
        (f"{first.cached_tokens:,}" if first else "–", str(first.cached_tokens if first else -1)),
        (f"{first.cached_tokens_after_fix:,}" if first else "–", str(first.cached_tokens_after_fix if first else -1)),
    )
    words = " ".join((template.name, where, model, template.form, point.expression if point else "")).lower()
    inner = "".join(
        element("td", f"<div>{content}</div>", data_v=clipped(value, 80), data_label=label, _class=kind)
        for (content, value), (label, kind) in zip(cells, _COLUMNS, strict=True)
    )
    life = point.lifetime.value if point else ""
    return element(
        "tr",
        inner,
        data_n=str(number),
        data_words=clipped(words, 400),
        data_life=life,
        data_lost=str(int(affected(layout))),
    )


def _life(lifetime: Lifetime) -> str:
    return element("span", lifetime.value, _class=f"life l-{lifetime.value}")


def _all_details(layouts: Sequence[Layout]) -> str:
    folded = "\n".join(details(number, layout) for number, layout in enumerate(layouts))
    return (
        f'<section id="details"><h2>{plural(len(layouts), "template")}</h2>'
        '<p class="tools" hidden><button type="button" id="open">Open all</button>'
        '<button type="button" id="close">Close all</button></p>\n'
        f"{folded}\n</section>\n"
    )
