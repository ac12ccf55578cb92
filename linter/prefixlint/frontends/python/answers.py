"""What is asked of a project, answered as plain values that can be kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from prefixlint.cache.digests import text_digest

if TYPE_CHECKING:
    from collections.abc import Callable

    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.modules import ClassInfo, FunctionInfo
    from prefixlint.frontends.python.trace import Question
    from prefixlint.model.sources import Span

NOBODY_KNOWS = "?"
"""The answer about a function or class that cannot be found again by its place."""


class Answers:
    """Answers questions, as plain values."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter
        self._project = interpreter.project
        self._known: dict[Question, Any] = {}
        self._by_kind: dict[str | int, Callable[..., Any]] = {
            "module": self._file,
            "file": self._file,
            "import": self._import,
            "partial": self._partial,
            "relevant": self._relevant,
            "cuts": self._cuts,
            "given": self._given,
            "together": self._together,
            "owners": self._owners,
            "implementations": self._implementations,
            "unique": self._unique,
            "named": self._named,
            "handler": self._handler,
            "told": self._told,
            "small": self._small,
            "given later": self._given_later,
            "keeps": self._keeps,
            "keeps nothing": self._keeps_nothing,
            "set by functions": self._set_by_functions,
            "set from outside": self._set_from_outside,
            # Texts are compared, and what is made of other answers stands where these do.
            **dict.fromkeys(
                ("outline", "body", "variables", "bases", "attributes", "set up", "turns", "around"), lambda *_: True
            ),
        }

    def of(self, question: Question) -> Any:
        if question not in self._known:
            kind, *about = question
            try:
                self._known[question] = self._by_kind[kind](*about)
            except (LookupError, TypeError):
                self._known[question] = NOBODY_KNOWS
        return self._known[question]

    def _file(self, path: str) -> str | None:
        file = self._project.file(path)
        return None if file is None else text_digest(file.text)

    def _import(self, dotted: str, level: int, importer: str) -> str | None:
        module = self._project.module(importer)
        found = None if module is None else self._project.import_module(dotted, level, module)
        return None if found is None else found.path

    def _partial(self, path: str) -> list[str]:
        return sorted(self._project.trace.partial.get(path, ()))

    def _relevant(self, *place: Any) -> bool:
        return self._function(place) in self._interpreter.relevant

    def _cuts(self, *place: Any) -> bool:
        return self._interpreter.lookup.aging.turns.cuts(self._function(place))

    def _given(self, name: str) -> bool:
        return self._interpreter.lookup.aging.turns.keeping.is_given_messages(name)

    def _together(self, name: str, *others: Any) -> bool:
        return self._interpreter.lookup.aging.turns.is_called_with(name, frozenset(others))

    def _owners(self, *place: Any) -> list[Any]:
        owners = self._interpreter.graph.owners(self._function(place))
        return [None if owner is None else list(owner.place) for owner in owners]

    def _implementations(self, *places: Any) -> list[Any]:
        found = self._interpreter.graph.implementations(self._function(places[:3]), self._class(places[3:]))
        return [[list(owner.place), list(method.place)] for owner, method in found]

    def _unique(self, name: str) -> Any:
        found = self._interpreter.unique_method(name)
        return None if found is None else list(found.place)

    def _named(self, name: str) -> list[Any]:
        return [list(info.place) for info in self._interpreter.functions_named(name)[:2]]

    def _handler(self, *place: Any) -> str:
        return repr(self._interpreter.handlers.of(self._function(place)))

    def _told(self, *about: Any) -> Any:
        *place, name = about
        return _plain(getattr(self._definition(place), name))

    def _small(self, *about: Any) -> bool:
        *place, nodes = about
        return self._function(place).has_at_most(nodes)

    def _given_later(self, *about: Any) -> list[Any]:
        *place, name = about
        return [list(method.place) for method, _ in self._class(place).given_later(name)]

    def _keeps(self, *place: Any) -> list[Any]:
        known = self._interpreter.lookup.aging.turns.keeping.of_class(self._class(place))
        return [
            [kept.own, list(kept.path), kept.keyed, _where(found.span), found.messages, found.stored, found.named]
            for kept, found in known.items()
        ]

    def _keeps_nothing(self, path: str) -> bool:
        module = self._project.module(path)
        keeping = self._interpreter.lookup.aging.turns.keeping
        return module is None or not (module.names_added_to or keeping.of_module(module))

    def _set_by_functions(self, path: str) -> list[str]:
        module = self._project.module(path)
        return [] if module is None else sorted(module.names_set_by_functions)

    def _set_from_outside(self, path: str) -> list[str]:
        module = self._project.module(path)
        return [] if module is None else sorted(module.names_set_from_outside)

    def _definition(self, place: Any) -> FunctionInfo | ClassInfo:
        try:
            return self._function(place)
        except LookupError:
            return self._class(place)

    def _function(self, place: Any) -> FunctionInfo:
        return self._project.function_at(*place)

    def _class(self, place: Any) -> ClassInfo:
        path, *at = place
        module = self._project.module(path)
        for info in () if module is None else module.classes.values():
            if list(info.place[1:]) == at:
                return info
        raise LookupError(path)


def _plain(value: Any) -> Any:
    """Sets as sorted lists, tuples as lists."""
    if isinstance(value, frozenset):
        return sorted(map(_plain, value))
    return [_plain(part) for part in value] if isinstance(value, tuple) else value


def _where(span: Span) -> list[Any]:
    return [span.path, span.start.line, span.start.column]
