"""What a project says of its own code and files: ``names``, ``sources``, ``handlers``, ``sinks`` and ``templates``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from prefixlint.config import values
from prefixlint.config.model import ConfigError, TemplateFiles, did_you_mean
from prefixlint.knowledge.libraries import Handler, Sink, Source
from prefixlint.knowledge.names import NameMeaning, is_pattern
from prefixlint.model.lifetimes import Confidence, Lifetime, SourceKind
from prefixlint.model.segments import SHAPES

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping


def _literal(value: str) -> str:
    return f'`"{value}"`'


def _listed(enum: type[Lifetime] | type[SourceKind]) -> str:
    return ", ".join(_literal(item.value) for item in enum if item.value != "unknown")


FORM = "own-call"
"""Form of templates that a sink of the project sends."""

_KIND_OF = {
    Lifetime.CONSTANT: SourceKind.CONFIGURATION,
    Lifetime.DEPLOYMENT: SourceKind.CONFIGURATION,
    Lifetime.PROCESS: SourceKind.CONFIGURATION,
    Lifetime.DAY: SourceKind.CLOCK,
    Lifetime.HOUR: SourceKind.CLOCK,
    Lifetime.USER: SourceKind.SESSION,
    Lifetime.SESSION: SourceKind.SESSION,
    Lifetime.TURN: SourceKind.USER_INPUT,
    Lifetime.REQUEST: SourceKind.USER_INPUT,
    Lifetime.UNKNOWN: SourceKind.PARAMETER,
}
"""The kind of a value of which only the lifetime is given."""

VALUE_KEYS: Mapping[str, str] = {
    "lifetime": (
        f'{_listed(Lifetime)}: how long the value stays the same; `"unknown"` where nothing shall be said of it'
    ),
    "kind": (
        f'{_listed(SourceKind)}: which rule speaks of it. A `"history"` is a conversation that grows. Without it: '
        "configuration up to `process`, clock for `day` and `hour`, session for `user` and `session`, "
        "user-input for `turn` and `request`"
    ),
    "shape": (
        f"{', '.join(map(_literal, SHAPES))}: what it looks like, for the sample that is counted. "
        'A `"prompt"`, and a `"catalogue"` (a list of tools or rules), count as text of some 80 and 90 tokens, a '
        '`"document"` as one of some 100 also where it is a session\'s. Without it: by the kind'
    ),
}
"""What a name or a source can be given, with what the reference says of it."""

_PARTS: Mapping[str, str] = {
    "messages": "name of the argument with the message list",
    "system": "name of the argument with the system text",
    "prompt": "name of the argument with the prompt as one text",
    "tools": "name of the argument with the tools",
    "model": "name of the argument with the model's name",
}
SINK_KEYS: Mapping[str, str] = {
    **_PARTS,
    "engine": "the engine or provider that it talks to, as in `target`",
    "positional": (
        "names of the arguments that can be given without a name, in order. Not needed for functions of the project, "
        "whose definition says it"
    ),
    "history": "`true` where a conversation follows the prompt (an agent's instructions)",
}
"""What a sink can be given."""

TEMPLATE_KEYS: Mapping[str, str] = {
    "include": (
        "globs of files that are prompts whatever they are called. The suffix tells the format (`.j2`, `.yaml`, "
        "`.json`, `.prompty`, …); any other is read as text with placeholders"
    ),
    "exclude": (
        "globs of files that are no prompts. It comes before `include`. "
        "What Python code loads from such a file is still followed"
    ),
    "keys": "keys whose text, and all text below them, is a prompt, in YAML files of no format that prefixlint knows",
}
"""What can be said of prompt files."""


def names(where: str, value: object) -> Mapping[str, NameMeaning]:
    """Meanings by name, ``first_*`` or ``*_last``; each a lifetime, or a table with lifetime, kind and shape."""
    out = {}
    for name, row in values.table(where, value).items():
        if not is_pattern(name):
            raise ConfigError(
                f"{where}: {name!r} is not a name: write a parameter or placeholder, 'first_*' or '*_last'"
            )
        lifetime, kind, shape = _value(f"{where}.{name}", row)
        grows = kind is SourceKind.HISTORY
        out[name] = NameMeaning(lifetime, kind, Confidence.HIGH, shape, grows)
    return out


def sources(where: str, value: object) -> Mapping[str, Source]:
    """Sources by dotted path or bare name; each a lifetime, or a table with lifetime, kind and shape."""
    out = {}
    for path, row in values.table(where, value).items():
        lifetime, kind, shape = _value(_place(where, path), _unquoted(where, path, row))
        out[path] = Source(kind, lifetime, shape)
    return out


def handlers(where: str, value: object) -> Mapping[str, Handler]:
    """What parameters of handlers hold, by the name of a decorator or of a call that registers one; each a lifetime, or
    a table with lifetime and kind."""
    out = {}
    for name, row in values.table(where, value).items():
        if not name.isidentifier():
            raise ConfigError(f"{where}: {name!r} is not the last name of a decorator or of a call")
        lifetime, kind, _ = _value(f"{where}.{name}", row)
        out[name] = Handler(kind, lifetime)
    return out


def sinks(where: str, value: object) -> Mapping[str, Sink]:
    """Sinks by dotted path or bare name; each a table that names the arguments with the parts of the request."""
    out = {}
    for path, inner in values.table(where, value).items():
        at = _place(where, path)
        row = _known_keys(at, values.table(at, _unquoted(where, path, inner)), SINK_KEYS)
        given: dict[str, Any] = {part: _argument(f"{at}.{part}", row[part]) for part in _PARTS if part in row}
        if not given.keys() & {"messages", "system", "prompt"}:
            raise ConfigError(f"{at} must name the argument with the messages, the system text or the prompt")
        if "engine" in row:
            given["engine"] = _engine(f"{at}.engine", row["engine"])
        if "history" in row:
            given["history"] = values.boolean(f"{at}.history", row["history"])
        if "positional" in row:
            given["positional"] = values.strings(f"{at}.positional", row["positional"])
        out[path] = Sink(FORM, **given)
    return out


def templates(where: str, value: object) -> TemplateFiles:
    row = _known_keys(where, values.table(where, value), ("include", "exclude", "keys"))
    return TemplateFiles(
        include=values.glob_patterns(f"{where}.include", row.get("include", [])),
        exclude=values.glob_patterns(f"{where}.exclude", row.get("exclude", [])),
        keys=values.strings(f"{where}.keys", row.get("keys", [])),
    )


def _value(where: str, row: object) -> tuple[Lifetime, SourceKind, str]:
    """Lifetime, kind and shape of what a name or a call stands for."""
    if isinstance(row, str):
        row = {"lifetime": row}
    if not isinstance(row, dict):
        raise ConfigError(f"{where} must be a lifetime or a table, not {values.kind_of(row)}")
    _known_keys(where, row, VALUE_KEYS)
    if "lifetime" not in row:
        raise ConfigError(f"{where} has no lifetime; add one of {', '.join(item.value for item in Lifetime)}")
    lifetime = values.member(f"{where}.lifetime", row["lifetime"], Lifetime)
    kind = values.member(f"{where}.kind", row["kind"], SourceKind) if "kind" in row else _KIND_OF[lifetime]
    shape = values.word(f"{where}.shape", row["shape"], SHAPES) if "shape" in row else _shape(kind, lifetime)
    return lifetime, kind, shape


def _shape(kind: SourceKind, lifetime: Lifetime) -> str:
    if kind is SourceKind.CLOCK:
        return "timestamp" if lifetime in (Lifetime.TURN, Lifetime.REQUEST) else "date"
    return "uuid" if kind is SourceKind.ID else "text"


def _known_keys(where: str, row: Mapping[str, object], known: Collection[str]) -> Mapping[str, object]:
    for key in row:
        if key not in known:
            near = did_you_mean(key, known) or f"; known are {', '.join(known)}"
            raise ConfigError(f"{where}: unknown key {key!r}{near}")
    return row


def _place(where: str, path: str) -> str:
    if not all(part.isidentifier() for part in path.split(".")):
        raise ConfigError(f"{where}: {path!r} is not the dotted path of a function or method, nor a bare name")
    return f"{where}.{path!r}" if "." in path else f"{where}.{path}"


def _unquoted(where: str, path: str, row: object) -> object:
    """``row``; raises for the nested tables that TOML makes of a dotted path without quotes."""
    known = (*VALUE_KEYS, *SINK_KEYS)
    dotted, inner, steps = path, row, 0
    while isinstance(inner, dict) and inner and not inner.keys() & set(known):
        key, inner = next(iter(inner.items()))
        dotted += f".{key}"
        steps += 1
    if steps > 1 or (steps == 1 and not did_you_mean(dotted.rpartition(".")[2], known)):
        raise ConfigError(f'{where}: a dotted path stands in quotes: "{dotted}" = ...')
    return row


def _argument(where: str, value: object) -> str:
    if isinstance(value, str) and all(part.isidentifier() for part in value.split(".")):
        return value
    raise ConfigError(f"{where} must be the name of an argument, not {value!r}")


def _engine(where: str, value: object) -> str:
    from prefixlint.engines.facts import engine_names, resolve

    found = resolve(value) if isinstance(value, str) else None
    if found is not None:
        return found
    near = did_you_mean(value, engine_names()) if isinstance(value, str) else ""
    raise ConfigError(f"{where}: unknown engine {value!r}{near or '; `prefixlint targets` lists them'}")
