"""The lock: each template's stable prefix as it was recorded, a line for each, and what has become of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from prefixlint.ratchet.prefixes import Prefix
from prefixlint.ratchet.records import Kind, RecordError, escape, parse, unescape, write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
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


@dataclass(frozen=True, slots=True)
class Change:
    """What became of a template: ``fails`` for a prefix that shrank or changed. ``message`` is one line for people."""

    message: str
    fails: bool


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


def compare(
    old: Sequence[Locked], new: Sequence[State], covers: Callable[[str], bool], gone: Callable[[str], bool]
) -> tuple[Change, ...]:
    """What became of the templates since they were recorded, in the order of ``new``, those not there any more last.

    ``covers`` says of a path whether the run looked at it, ``gone`` whether there is no such file any more. A template
    that was renamed in its file or whose file was moved is followed where the old name is gone.
    """
    pairs = _pairs(old, new, gone)
    out: list[Change] = []
    for number, state in enumerate(new):
        before = pairs.get(number)
        where = f"{state.path}:{state.line}: {state.template}"
        if before is None:
            lengths = ", ".join(f"{_tokens(each)} for {each.target}" for each in state.prefixes)
            out.append(Change(f"{where}: not in the lock: {lengths}", False))
            continue
        out.extend(_changes(where, before, state))
    taken = {id(each) for each in pairs.values()}
    out.extend(
        Change(f"{each.path}: {each.template}: in the lock, but not there any more", False)
        for each in old
        if id(each) not in taken and covers(each.path)
    )
    return tuple(out)


def _pairs(old: Sequence[Locked], new: Sequence[State], gone: Callable[[str], bool]) -> dict[int, Locked]:
    """For each number in ``new`` what was recorded of it."""
    names = {(state.path, state.template) for state in new}
    out: dict[int, Locked] = {}
    left = list(old)

    def pair(
        was: Callable[[Locked], object], now: Callable[[Locked], object], allowed: Callable[[Locked], bool]
    ) -> None:
        offers: dict[object, list[Locked]] = {}
        for each in reversed(left):
            if allowed(each):
                offers.setdefault(was(each), []).append(each)
        for number, state in enumerate(new):
            if number not in out and (offer := offers.get(now(locked(state)))):
                out[number] = offer.pop()
        taken = {id(each) for each in out.values()}
        left[:] = [each for each in left if id(each) not in taken]

    def name(each: Locked) -> object:
        return each.path, each.template

    def content(each: Locked) -> object:
        return tuple(sorted((prefix.target, prefix.digest) for prefix in each.prefixes)), each.values

    # Alike in name and content first: of several of one name, one may be new in front of the others.
    pair(lambda each: (name(each), content(each)), lambda each: (name(each), content(each)), lambda each: True)
    pair(name, name, lambda each: True)
    pair(
        lambda each: (each.path, content(each)),
        lambda each: (each.path, content(each)),
        lambda each: (each.path, each.template) not in names,
    )
    pair(lambda each: each.template, lambda each: each.template, lambda each: gone(each.path))
    pair(content, content, lambda each: gone(each.path))
    return out


def _changes(where: str, before: Locked, state: State) -> list[Change]:
    out = []
    was = {prefix.target: prefix for prefix in before.prefixes}
    for now in state.prefixes:
        old = was.get(now.target)
        if old is None:
            out.append(Change(f"{where}: {now.target} is not in the lock: {_tokens(now)}", False))
            continue
        same_text = now.digest == old.digest
        if now.tokenizer != old.tokenizer and same_text:
            # The numbers are of different tokenizers; that the text is the same is all that can be said.
            if now.tokens != old.tokens:
                tokenizers = f"{old.tokenizer} -> {now.tokenizer}"
                out.append(Change(f"{where}: {_lengths(old, now)}: counted anew ({tokenizers})", False))
            continue
        if same_text and now.tokens >= old.tokens:
            if now.tokens > old.tokens:
                out.append(Change(f"{where}: {_lengths(old, now)}: grew", False))
            continue
        out.append(Change(f"{where}: {_lengths(old, now)}: {_reason(before, state, old, now)}", True))
    return out


def _tokens(prefix: Prefix) -> str:
    return f"{prefix.tokens:,} token{'' if prefix.tokens == 1 else 's'}"


def _lengths(old: Prefix, now: Prefix) -> str:
    return f"{old.tokens:,} -> {now.tokens:,} tokens for {now.target}"


def _reason(before: Locked, state: State, old: Prefix, now: Prefix) -> str:
    end = state.end
    if end is None:
        return "no value ends it any more" if before.values else "its text changed"
    line = f"line {end.line}" if end.path == state.path else f"{end.path}:{end.line}"
    if not end.expression:
        return f"text that varies at {line}"
    value = f"`{end.expression}`"
    if end.expression not in before.values:
        return f"{value} added at {line}"
    if before.values[0] != end.expression:
        return f"{value} stands first now, at {line}; it was `{before.values[0]}`"
    what = "is shorter" if now.tokens < old.tokens else "is longer" if now.tokens > old.tokens else "changed"
    return f"the text in front of {value} ({line}) {what}"


def renewed(old: Iterable[Locked], new: Iterable[State], keep: Callable[[str], bool]) -> str:
    """The lock with ``new``, and of the ``old`` one the templates of files of which ``keep`` is true."""
    return render([*map(locked, new), *(each for each in old if keep(each.path))])


def anchored(state: State, name: Callable[[str], str]) -> State:
    """The state with its paths as the lock names them."""
    end = None if state.end is None else replace(state.end, path=name(state.end.path))
    return replace(state, path=name(state.path), end=end)
