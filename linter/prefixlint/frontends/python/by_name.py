"""What the name of a variable says of the value that is bound to it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from operator import is_
from typing import TYPE_CHECKING

from prefixlint.frontends.python.loops import is_item
from prefixlint.frontends.python.values import DATA, Choose, Opaque
from prefixlint.knowledge.names import expression_words, meaning, split_words
from prefixlint.model.lifetimes import Lifetime, Origin, SourceKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from prefixlint.frontends.python.values import Val
    from prefixlint.knowledge.names import NameMeaning

_KEY = re.compile(r"""(?:\.|\[["'])(\w+)(?:["']\])?$""")


@dataclass(frozen=True, slots=True)
class _Rule:
    """Where a name wins over what was known of a value that was looked up.

    The value lives as long as one of ``lifetimes`` says (no matter how long where there are none), or is no item of a
    loop and stands under one of ``keys``. The name, read strictly, says ``kind``, ``lifetime`` and
    ``grows``, of which None and False ask for nothing. Kind, lifetime and growth are then those of the name, and so is
    the shape, but for a value that ``keeps_shape``.
    """

    lifetimes: frozenset[Lifetime] = frozenset()
    keys: frozenset[str] = frozenset()
    kind: SourceKind | None = None
    lifetime: Lifetime | None = None
    grows: bool = False
    keeps_shape: bool = False

    def is_of(self, value: Opaque) -> bool:
        if self.keys:
            key = _KEY.search(value.expression)
            return key is not None and key[1] in self.keys and not is_item(value.origin)
        return value.lifetime in self.lifetimes

    def wins(self, said: NameMeaning) -> bool:
        fits = self.kind in (None, said.kind) and self.lifetime in (None, said.lifetime)
        return fits and (said.grows or not self.grows)


_BY_ID = _Rule(frozenset({Lifetime.SESSION, Lifetime.USER}), grows=True)
# By what the value is.
_WINNING: Mapping[SourceKind, tuple[_Rule, ...]] = {
    # ``customer_name = row[0]``: what was looked up and is called the user's stays the same for one user.
    SourceKind.RETRIEVAL: (_Rule(frozenset({Lifetime.REQUEST}), kind=SourceKind.SESSION, lifetime=Lifetime.USER),),
    # ``history = store.get(session_id)``: looked up by the id of a session and called a conversation, it is one.
    SourceKind.ID: (_BY_ID,),
    SourceKind.SESSION: (_BY_ID,),
    SourceKind.USER_INPUT: (
        # ``instructions = record["prompt"]``: it is not what a user asks. Of rows that are run over each has another.
        _Rule(keys=expression_words().prompt_keys, kind=SourceKind.CONFIGURATION, keeps_shape=True),
        # ``preferences = found.value["data"]``: the key says how it is packed, and the name what it is.
        _Rule(keys=expression_words().packing_keys, kind=SourceKind.SESSION, lifetime=Lifetime.USER),
    ),
}


def judged(value: Val, name: str) -> Val:
    """A value of unknown lifetime takes what the name it is bound to suggests, and so does one that was looked up where
    the name knows better (``_WINNING``); any other value stays as it is."""
    if isinstance(value, Choose):
        arms = tuple([judged(arm, name) for arm in value.values])
        return value if all(map(is_, arms, value.values)) else replace(value, values=arms)
    if not isinstance(value, Opaque):
        return value
    rules = _WINNING.get(value.origin.kind, ())
    rule = next((rule for rule in rules if rule.is_of(value) and rule.wins(meaning(name, loose=False))), None)
    if rule is not None:
        said = meaning(name, loose=False)
        origin = Origin(said.kind, value.origin.hops)
        shape = value.shape if rule.keeps_shape else said.shape
        return value.but(lifetime=said.lifetime, origin=origin, shape=shape, grows=rule.grows or None)
    if value.lifetime.known or (value.type and value.type != DATA):
        return value
    found = meaning(name)
    if not found.lifetime.known:
        return value
    if (
        value.type == DATA
        and found.kind is SourceKind.CONFIGURATION
        and expression_words().settings.isdisjoint(split_words(name))
    ):
        # ``example = json.load(file)`` is one of many examples, none that is configured.
        return value
    return replace(
        value,
        lifetime=found.lifetime,
        origin=Origin(found.kind, value.origin.hops),
        confidence=found.confidence,
        shape=found.shape,
        grows=found.grows,
    )
