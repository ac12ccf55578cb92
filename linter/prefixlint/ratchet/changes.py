"""What became of the templates' stable prefixes since they were recorded: in a lock, or at an earlier revision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from prefixlint.ratchet.lock import Locked, locked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from prefixlint.ratchet.prefixes import Prefix, State


@dataclass(frozen=True, slots=True)
class Change:
    """What became of a template for one target. ``fails`` for a prefix that shrank or changed.

    ``before`` is ``None`` for what was not recorded, ``after`` for what is not there any more; ``line`` is 0 then.
    ``new`` is true where nothing was recorded of the template for any target.
    """

    path: str
    line: int
    template: str
    before: Prefix | None
    after: Prefix | None
    reason: str = ""
    fails: bool = False
    new: bool = False

    @property
    def message(self) -> str:
        """One line for people who have a lock."""
        if self.after is None:
            return f"{self.path}: {self.template}: in the lock, but not there any more"
        where = f"{self.path}:{self.line}: {self.template}"
        target = self.after.target
        if self.before is None:
            missing = "not in the lock" if self.new else f"{target} is not in the lock"
            return f"{where}: {missing}: {_tokens(self.after)} for {target}"
        return f"{where}: {self.before.tokens:,} -> {self.after.tokens:,} tokens for {target}: {self.reason}"


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
        out.extend(_changes(pairs.get(number), state))
    taken = {id(each) for each in pairs.values()}
    out.extend(
        Change(each.path, 0, each.template, each.prefixes[0] if each.prefixes else None, None)
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


def _changes(before: Locked | None, state: State) -> Iterator[Change]:
    was = {prefix.target: prefix for prefix in before.prefixes} if before else {}

    def change(old: Prefix | None, now: Prefix, reason: str = "", fails: bool = False) -> Change:
        return Change(state.path, state.line, state.template, old, now, reason, fails, before is None)

    for now in state.prefixes:
        old = was.get(now.target)
        if before is None or old is None:
            yield change(None, now)
        elif now.digest == old.digest and now.tokenizer != old.tokenizer:
            # The numbers are of different tokenizers; that the text is the same is all that can be said.
            if now.tokens != old.tokens:
                yield change(old, now, f"counted anew ({old.tokenizer} -> {now.tokenizer})")
        elif now.digest == old.digest and now.tokens >= old.tokens:
            if now.tokens > old.tokens:
                yield change(old, now, "grew")
        else:
            yield change(old, now, _reason(before, state, old, now), True)


def _tokens(prefix: Prefix) -> str:
    return f"{prefix.tokens:,} token{'' if prefix.tokens == 1 else 's'}"


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
