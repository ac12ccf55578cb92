"""The lock: each template's stable prefix as it was recorded, a line for each."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from prefixlint.ratchet.prefixes import Prefix
from prefixlint.ratchet.records import Kind, RecordError, escape, parse, unescape, write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Final

    from prefixlint.ratchet.prefixes import State

LOCK: Final = Kind(
    "lock",
    (
        "The stable prefix of each prompt. A line for each: file, template, then for each target its name, the tokens,",
        "a hash of what stands in them and the tokenizer; last the values that can change, in order.",
    ),
    4,
    "prefixlint lock",
)


@dataclass(frozen=True, slots=True)
class Locked:
    """A template as it was recorded. Templates of one name in one file are told apart by their order."""

    path: str
    template: str
    prefixes: tuple[Prefix, ...]
    values: tuple[str, ...]


def locked(state: State) -> Locked:
    """What is recorded of a template."""
    return Locked(state.path, state.template, state.prefixes, state.values)


def read(text: str, where: str) -> tuple[Locked, ...]:
    """The templates that a lock lists. Raises ``RecordError``."""
    out = []
    for record in parse(LOCK, text, where):
        path, template, prefixes, values = record.fields
        out.append(
            Locked(
                unescape(path),
                unescape(template),
                tuple(_prefix(part, f"{where}:{record.line}") for part in prefixes.split(", ")),
                tuple(map(unescape, values.split("; "))) if values else (),
            )
        )
    return tuple(out)


def _prefix(text: str, where: str) -> Prefix:
    words = text.split(" ")
    if len(words) != 4 or not words[1].isascii() or not words[1].isdigit():
        raise RecordError(f"{where}: expected target, tokens, hash, tokenizer, found {text!r}; run {LOCK.made_by}")
    target, tokens, digest, tokenizer = words
    return Prefix(unescape(target), int(tokens), digest, unescape(tokenizer))


def render(templates: Iterable[Locked]) -> str:
    """The lock, by file and template; templates of one name keep their order."""
    ordered = sorted(templates, key=lambda each: (each.path, each.template))
    return write(LOCK, map(_row, ordered))


def _row(item: Locked) -> tuple[str, ...]:
    prefixes = (
        f"{escape(each.target, ' ,')} {each.tokens} {each.digest} {escape(each.tokenizer, ' ,')}"
        for each in item.prefixes
    )
    values = "; ".join(escape(value, ";") for value in item.values)
    return escape(item.path), escape(item.template), ", ".join(prefixes), values


def renewed(old: Iterable[Locked], new: Iterable[State], keep: Callable[[str], bool]) -> str:
    """The lock with ``new``, and of the ``old`` one the templates of files of which ``keep`` is true."""
    return render([*map(locked, new), *(each for each in old if keep(each.path))])


def anchored(state: State, name: Callable[[str], str], root: str) -> State:
    """The state with its paths as the lock names them, and tokenizers below ``root`` as the configuration names them.

    ``root`` is the folder that paths in the configuration begin at.
    """
    end = None if state.end is None else replace(state.end, path=name(state.end.path))
    below = os.path.join(root, "")
    prefixes = tuple(
        replace(each, tokenizer=each.tokenizer.removeprefix(below).replace(os.sep, "/"))
        if each.tokenizer.startswith(below)
        else each
        for each in state.prefixes
    )
    return replace(state, path=name(state.path), prefixes=prefixes, end=end)
