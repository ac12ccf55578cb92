"""``diff`` as text and as JSON: where two requests part, or what many of them share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from prefixlint import __version__
from prefixlint.report.escape import json_text, plain, width
from prefixlint.report.lines import extent, plural
from prefixlint.wire.survey import REMEMBERED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from prefixlint.model.targets import Target
    from prefixlint.report.style import Style
    from prefixlint.wire.compare import Parting
    from prefixlint.wire.sent import Place
    from prefixlint.wire.survey import Breaking, Group

VERSION = 1
AROUND = 36
"""Characters shown on each side of the place where two requests part."""
BREAKS = 10
"""Places listed for each model; JSON has them all."""


def pair(names: tuple[str, str], partings: Sequence[Parting], differing: Sequence[str], style: Style) -> str:
    """Where two requests part for the first target, the text around, and one line for each target."""
    first = partings[0]
    lines = []
    if first.identical:
        lines.append(f"{plain(names[0])} and {plain(names[1])} are the same: {plural(first.one.total, 'token')}\n")
    else:
        lines.append(
            f"{plain(names[0])} and {plain(names[1])} share {plural(first.reuse.prefix, 'token')} and part at "
            f"{_at(first.here, first.reuse.prefix)}:\n\n"
        )
        shared, mark = _tail(first.here.before), "│" if style.drawing else "|"
        for name, place in zip(names, (first.here, first.there), strict=True):
            shown = style.paint("varying", _head(place.behind)) or style.paint("dim", f"({place.path})")
            lines.append(f"  {style.paint('stable', shared)}{style.paint('bold', mark)}{shown}  {plain(name)}\n")
        if first.here.path != first.there.path:
            lines.append(f"  (in {plain(names[1])} that is {_at(first.there, first.reuse.prefix)})\n")
    if differing:
        lines.append(f"\nThey also differ in {', '.join(differing)}, which may keep a cached prefix from being used.\n")
    rows = [("TARGET", "TOKENS", "SHARED", "REUSED", "")]
    rows += [
        (p.target.name, f"{p.other.total:,}", f"{p.reuse.prefix:,}", f"{p.reuse.tokens:,}", p.reuse.note)
        for p in partings
    ]
    return "".join(lines) + "\n" + _table(rows) + _notes([p.target for p in partings], _opaque(partings))


def _tokens(group: Group) -> str:
    return f"{extent(group.shortest, group.longest)} {'token' if group.longest == 1 else 'tokens'}"


def survey(groups: Sequence[Group], skipped: int, problems: Sequence[str], style: Style) -> str:
    """For each model: the prefix that all requests share, the places that break it, and what targets could reuse."""
    out = []
    for group in groups:
        model = f" to {plain(group.model)}" if group.model else ""
        out.append(
            f"{plural(group.requests, 'request')}{model}, {_tokens(group)}: "
            f"all share the first {plural(group.all_share, 'token')}\n"
        )
        for breaking in group.breaks[:BREAKS]:
            out.append(_breaking(breaking, group.requests - 1, style))
        if len(group.breaks) > BREAKS:
            rest = sum(breaking.count for breaking in group.breaks[BREAKS:])
            out.append(
                f"  {rest:>7,}  at {len(group.breaks) - BREAKS} later places (--output-format json lists them)\n"
            )
        if group.identical:
            out.append(f"  {group.identical:>7,}  the same as the first\n")
        if group.requests > 1:
            rows = [("TARGET", "TOKENS", "SHARED", "REUSED", "", "")]
            for reused in group.reused:
                share = f"{reused.reused / reused.tokens:.0%}" if reused.tokens else ""
                counts = (f"{reused.tokens:,}", f"{reused.shared:,}", f"{reused.reused:,}", share)
                rows.append((reused.target.name, *counts, reused.note))
            out.append("\n" + _table(rows))
        out.append("\n")
    targets = list({reused.target.name: reused.target for group in groups for reused in group.reused}.values())
    if skipped:
        out.append(f"not counted: {plural(skipped, 'record')} of something else than a request\n")
    out += [f"not read: {plain(problem)}\n" for problem in problems]
    out.append(
        f"Shared: with one of the {REMEMBERED} requests before. Reused: what the target would have made of that, "
        "had it kept them.\n"
    )
    return "".join(out) + _notes(targets, False)


def pair_json(names: tuple[str, str], partings: Sequence[Parting], differing: Sequence[str]) -> str:
    """Version 1: the two names, and for each target where they part and what it reuses."""
    return _dump(
        {
            "requests": list(names),
            "differing_settings": list(differing),
            "targets": [
                {
                    **_target(p.target),
                    "tokens": [p.one.total, p.other.total],
                    "shared_tokens": p.reuse.prefix,
                    "reused_tokens": p.reuse.tokens,
                    "identical": p.identical,
                    "places": None if p.identical else [_place(p.here), _place(p.there)],
                    "note": p.reuse.note,
                }
                for p in partings
            ],
        }
    )


def survey_json(
    groups: Sequence[Group], skipped: int, problems: Sequence[str], joined: Mapping[str, Any] | None = None
) -> str:
    """Version 1: one entry for each model, with every place that breaks its prefix."""
    return _dump(
        {
            "groups": [
                {
                    "model": group.model,
                    "first": group.name,
                    "requests": group.requests,
                    "identical": group.identical,
                    "shared_by_all_tokens": group.all_share,
                    "tokens": [group.shortest, group.longest],
                    "breaks": [
                        {
                            "token": breaking.first,
                            "last_token": breaking.last,
                            "requests": breaking.count,
                            "place": _place(breaking.place),
                            "example": {"request": breaking.by, "behind": breaking.instead},
                        }
                        for breaking in group.breaks
                    ],
                    "targets": [
                        {
                            **_target(reused.target),
                            "tokens": reused.tokens,
                            "shared_tokens": reused.shared,
                            "reused_tokens": reused.reused,
                            "note": reused.note,
                        }
                        for reused in group.reused
                    ],
                }
                for group in groups
            ],
            "records_without_request": skipped,
            "problems": list(problems),
            **(joined or {}),
        }
    )


def _dump(document: dict[str, Any]) -> str:
    head = {"version": VERSION, "tool": {"name": "prefixlint", "version": __version__}}
    return json_text({**head, **document})


def _target(target: Target) -> dict[str, Any]:
    return {"target": target.name, "engine": target.engine, "tokenizer": target.tokenizer, "exact": target.exact}


def _place(place: Place) -> dict[str, Any]:
    around = {"before": place.before[-AROUND:], "behind": place.behind[:AROUND]}
    return {"path": place.path, "line": place.line, "column": place.column, **around}


def _at(place: Place, token: int) -> str:
    if not place.before and not place.behind:
        return f"token {token:,}, {plain(place.path)}"
    inside = f" of {plain(place.path)}" if place.path else ""
    return f"token {token:,}, line {place.line:,}, column {place.column:,}{inside}"


def _tail(text: str) -> str:
    return plain(("…" if len(text) > AROUND else "") + text[-AROUND:])


def _head(text: str) -> str:
    return plain(text[:AROUND]) + ("…" if len(text) > AROUND else "")


def _breaking(breaking: Breaking, others: int, style: Style) -> str:
    share = f"{breaking.count / others:.0%}"
    tokens = extent(breaking.first, breaking.last)
    place = breaking.place
    where = plain(place.path) or "the text"
    line = f", line {place.line:,}" if place.behind else ""
    text = f"  {breaking.count:>7,}  {share:>4} at token {tokens} ({where}{line})\n"
    if place.behind or breaking.instead:
        arrow = "→" if style.drawing else "->"
        here = f"{style.paint('stable', _tail(place.before))}{style.paint('varying', _head(place.behind))}"
        text += f"{'':11}{here} {arrow} {style.paint('varying', _head(breaking.instead))}\n"
    return text


def _table(rows: Sequence[tuple[str, ...]]) -> str:
    """The first column to the left, the last to the left, numbers between to the right."""
    widths = [max(width(row[column]) for row in rows) for column in range(len(rows[0]))]
    out = []
    for row in rows:
        cells = [row[0] + " " * (widths[0] - width(row[0]))]
        cells += [cell.rjust(widths[at]) for at, cell in enumerate(row[1:-1], 1)]
        out.append("  ".join([*cells, row[-1]]).rstrip() + "\n")
    return "".join(out)


def _opaque(partings: Sequence[Parting]) -> bool:
    return any(p.one.opaque or p.other.opaque for p in partings)


def _notes(targets: Sequence[Target], opaque: bool) -> str:
    stand_in: dict[str, list[str]] = {}
    for target in targets:
        if not target.exact:
            stand_in.setdefault(target.tokenizer, []).append(target.name)
    out = [f"{', '.join(names)}: counted with {name} as a stand-in\n" for name, names in stand_in.items()]
    if opaque:
        out.append("An image or a file counts as one token: what it takes is the engine's secret.\n")
    return "\n" + "".join(out) if out else ""
