"""What classes and modules keep from turn to turn: lists, and what stands under the keys of dictionaries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from prefixlint.knowledge.names import meaning

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from prefixlint.frontends.python.additions import Addition, Kept
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.modules import ClassInfo, FunctionInfo, ModuleInfo
    from prefixlint.model.sources import Span


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of something kept: the place where it is added to, whether messages are, whether objects or lists
    are stored in it under keys, and whether by its name what stands under a key is a conversation."""

    span: Span
    messages: bool
    stored: bool
    named: bool


class Keeping:
    """Finds what is kept, and whether it is a conversation; each class and module is looked at once."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter
        self._found: dict[ClassInfo | str, Mapping[Kept, Evidence]] = {}
        self._given: frozenset[str] | None = None

    def learn(self, other: Keeping) -> None:
        """Takes over what another one has found."""
        self._found = dict(other._found)
        self._given = other._given

    def of_class(self, info: ClassInfo) -> Mapping[Kept, Evidence]:
        """What instances keep, those of base classes included."""
        trace = self._interpreter.project.trace
        known = self._found.get(info)
        if known is None:
            methods = (m for c in self._interpreter.lookup.ancestry(info) for m in c.methods.values())
            with trace.apart():
                known = self._found[info] = self._told((m for m in methods if m.name != "__init__"), own=True)
        trace.note(("keeps", *info.place))
        return known

    def of_module(self, module: ModuleInfo) -> Mapping[Kept, Evidence]:
        """What a module keeps, by the names of its variables."""
        trace = self._interpreter.project.trace
        known = self._found.get(module.path)
        if known is None:
            with trace.apart():
                known = self._found[module.path] = self._told(module.functions, own=False)
        if known:
            module.looked_into()
        trace.note(("keeps nothing", module.path))
        return known

    def holds_conversation(self, kept: Kept, info: FunctionInfo) -> bool:
        """Whether what a function's object or module keeps is a conversation."""
        if kept.own:
            found = {} if info.owner is None else self.of_class(info.owner)
        else:
            found = self.of_module(info.module)
        evidence = found.get(kept)
        return evidence is not None and (evidence.messages or evidence.named)

    def _told(self, functions: Iterable[FunctionInfo], *, own: bool) -> Mapping[Kept, Evidence]:
        out: dict[Kept, Evidence] = {}
        for info in functions:
            for one in info.additions:
                if one.to.own is not own:
                    continue
                old = out.get(one.to)
                messages = (old is not None and old.messages) or self._adds_messages(one, info)
                span = one.place if old is None else old.span
                stored = one.stored or (old is not None and old.stored)
                named = one.to.keyed and not one.stored and meaning(one.to.path[-1]).grows
                out[one.to] = Evidence(span, messages, stored, named or (old is not None and old.named))
        return out

    def _adds_messages(self, one: Addition, info: FunctionInfo) -> bool:
        return (one.given and self.is_given_messages(info.name)) or one.messages

    def is_given_messages(self, name: str) -> bool:
        """Whether functions of that name are called with a message written out in the call."""
        self._interpreter.project.trace.note(("given", name))
        if self._given is None:
            with self._interpreter.project.trace.apart():
                self._given = frozenset().union(*(info.given_messages for info in self._interpreter.functions))
        return name in self._given
