"""Prompts under names that nothing in the project uses: constants and functions that were left behind.

Only what other modules are seen to use can tell: a name counts as unused where it stands nowhere else, while its module
is imported by name. Where names are looked up at run time, in the module or by those that import it, nothing is said.
"""

from __future__ import annotations

import ast
import io
import re
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from prefixlint.frontends.python import unused_keys
from prefixlint.frontends.python.own_nodes import bound_by
from prefixlint.frontends.python.sending import asks
from prefixlint.frontends.python.syntax import last_name
from prefixlint.knowledge.call_names import call_names, sends_by_name
from prefixlint.knowledge.libraries import libraries
from prefixlint.model.lifetimes import Confidence, HopKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from prefixlint.frontends.python.modules import ModuleInfo
    from prefixlint.model.sources import Span
    from prefixlint.model.templates import Template

_LEAST = 5
"""Characters of a name that tells something."""
_OWN_LOOKUP = re.compile(r"\b(?:globals|locals|vars)\(|__dict__|sys\.modules")
# Looked for first, many times as fast as by the pattern: hardly any module has one.
_PARTS_OF_IMPORTS = ("import_", "spec_from", "run_path", "run_module")
_PARTS_OF_READING = ("getattr(", "vars(", "dir(", "getmembers(", "__dict__")
_IMPORTED_LATE = re.compile(r"\b(?:import_module|__import__|spec_from_file_location|run_path|run_module)\(")
_PLAIN_BASES = frozenset({"object", "ABC"})


class Unused:
    """Answers whether a name is used; ``named`` says whether one, or a few words in a row, stand in a file of the run
    that is not among ``modules``."""

    def __init__(self, modules: Iterable[ModuleInfo], named: Callable[[str], bool]) -> None:
        self._modules = {module.path: module for module in modules}
        self._named = named
        self._looked_up: dict[str, bool] = {}
        self._importing: dict[str, Mapping[str, bool]] = {}
        self._late: dict[tuple[str, str], bool] = {}
        self._prompt_forms = libraries().prompt_forms

    def judged(self, template: Template) -> Template:
        """The template, no longer sure to be a prompt where nothing uses the name that it stands under."""
        module = self._modules.get(template.span.path)
        if template.confidence is Confidence.LOW or module is None:
            return template
        made = _made_prompt(module, template) if template.form in self._prompt_forms else None
        if made is None and any(hop.kind is HopKind.SENT for hop in template.related):
            return template
        unused = self._is_unused(template, module, made)
        return replace(template, confidence=Confidence.LOW) if unused else template

    def _is_unused(self, template: Template, module: ModuleInfo, made: tuple[str, range] | None) -> bool:
        name = template.name.rpartition(".")[2] if made is None else made[0]
        if len(name) < _LEAST or name.startswith("__") or self._is_looked_up(module):
            return False
        if made is not None:
            lines: range | None = made[1]
        elif template.form == "prompt-constant":
            put = unused_keys.put_at(module, template.span.start.line)
            if put is not None:
                return not self._named(put.owner) and not unused_keys.is_asked_for(put, self._modules.values())
            lines = _lines_of_constant(module, name, template.span.start.line)
        else:
            lines = None if template.related else _lines_of_function(module, name, template.span)
        if lines is None or _stands_in(name, module.file.text, lines) or self._named(name):
            return False
        if self._is_exported(name, module):
            return False
        return not any(_uses(name, other, module) for other in self._modules.values() if other is not module)

    def _is_exported(self, name: str, module: ModuleInfo) -> bool:
        """Whether a package gives the name away with all others of the module: ``from .texts import *`` in its
        ``__init__.py``."""
        if name.startswith("_") or "__all__" in module.file.text:
            return False
        stem = module.dotted.rpartition(".")[2]
        packages = (self._modules[path] for path in self._importing_by_name(stem) if path.endswith("__init__.py"))
        taken = f"{stem} import *"
        pattern = re.compile(rf"\b{re.escape(taken)}")
        return any(pattern.search(package.file.text) for package in packages) or self._named(taken)

    def _is_looked_up(self, module: ModuleInfo) -> bool:
        """Whether no module imports this one by name, or names of it may be looked up at run time."""
        found = self._looked_up.get(module.path)
        if found is None:
            found = self._looked_up[module.path] = self._looks_up(module)
        return found

    def _looks_up(self, module: ModuleInfo) -> bool:
        if _OWN_LOOKUP.search(module.file.text):
            return True
        folder, _, stem = module.dotted.rpartition(".")
        importing = self._importing_by_name(stem)
        others = [reads for path, reads in importing.items() if path != module.path]
        return not others or any(others) or self._is_named_late(stem, folder.rpartition(".")[2] or stem)

    def _importing_by_name(self, stem: str) -> Mapping[str, bool]:
        """Paths of the modules that import one of this name, each with whether it reads the names in that. A repository
        may have many modules of one name: all are told of at once."""
        if stem not in self._importing:
            self._importing[stem] = {
                module.path: _reads_names(stem, module.file.text)
                for module in self._modules.values()
                if stem in module.imported
            }
        return self._importing[stem]

    def _is_named_late(self, stem: str, folder: str) -> bool:
        """Whether a module that imports others by names that are made at run time has one of these words in it."""
        if (stem, folder) not in self._late:
            words = re.compile(rf"\b(?:{re.escape(stem)}|{re.escape(folder)})\b")
            self._late[stem, folder] = any(words.search(other.file.text) for other in self._importing_late)
        return self._late[stem, folder]

    @cached_property
    def _importing_late(self) -> list[ModuleInfo]:
        """Modules that import others by names that are made at run time."""
        return [
            module
            for module in self._modules.values()
            if any(part in module.file.text for part in _PARTS_OF_IMPORTS) and _IMPORTED_LATE.search(module.file.text)
        ]


def _reads_names(stem: str, text: str) -> bool:
    """Whether a module's names are read as data: ``getattr(prompts, name)``, ``vars(prompts)``."""
    if not any(part in text for part in _PARTS_OF_READING):
        return False
    names = {stem, *re.findall(rf"\b{re.escape(stem)}\s+as\s+(\w+)", text)}
    each = "|".join(map(re.escape, sorted(names)))
    reading = rf"\b(?:getattr|vars|dir|getmembers)\(\s*(?:[\w.]+\.)?(?:{each})\b|\b(?:{each})\.__dict__"
    return re.search(reading, text) is not None


def _made_prompt(module: ModuleInfo, template: Template) -> tuple[str, range] | None:
    """Name and lines of the module's variable that holds a prompt which a library makes (``PromptTemplate(…)``); None
    for one that something else sends, or that no variable holds."""
    # What it is made by stands for a request until something else sends it.
    made = template.related[0] if template.related else None
    if made is None or len(template.related) > 1:
        return None
    for node in module.tree.body:
        lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
        for target, value in bound_by(node) if made.span.start.line in lines else ():
            if isinstance(target, ast.Name) and isinstance(value, ast.Call) and made.span.path == module.path:
                return target.id, lines
    return None


def _lines_of_constant(module: ModuleInfo, name: str, at: int) -> range | None:
    """The lines of the statement at ``at`` that gives a constant its value: of the module, or of a class without bases
    from which somebody could read all that it holds."""
    plain = (info for info in module.classes.values() if _PLAIN_BASES.issuperset(info.base_names))
    statements = (*module.tree.body, *(node for info in plain for node in info.node.body))
    for node in statements:
        lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
        if at in lines and any(isinstance(t, ast.Name) and t.id == name for t, _ in bound_by(node)):
            return lines
    return None


def _lines_of_function(module: ModuleInfo, name: str, place: Span) -> range | None:
    """The lines of a function that only the project's own code could call (one of the module, or a private method of a
    class that has nothing from elsewhere) and that makes a text for others, without a call that may send it."""
    found = (info for info in module.functions if info.name == name and info.holds(place))
    info = next(found, None)
    if info is None or info.is_decorated or info in module.enclosing:
        return None
    if any(map(_may_send, info.own_nodes.of(ast.Call))):
        return None
    if info.owner is not None and not (name.startswith("_") and _PLAIN_BASES.issuperset(info.owner.base_names)):
        return None
    return range(info.node.lineno, (info.node.end_lineno or info.node.lineno) + 1)


def _may_send(call: ast.Call) -> bool:
    """Whether a call may send what it is given, by what it calls."""
    name, names = last_name(call.func), call_names()
    if name in names.sending | names.answering | names.tasking | names.posting or asks(call):
        return True
    return sends_by_name(name)


def _stands_in(name: str, text: str, own: range) -> bool:
    """Whether a name stands in its module outside of these lines, in more than a comment."""
    word = _word(name)
    lines = [] if text.count(name) == 1 else text.splitlines()
    found = [line for number, line in enumerate(lines, 1) if name in line and number not in own and word.search(line)]
    if any(word.search(line.partition("#")[0]) for line in found):
        return True
    # Behind such a sign it may stand in a text: ``f"# Rules\n{RULES}"``.
    return bool(found) and any(word.search(part) for number, part in _parts(text) if number not in own)


def _parts(text: str) -> Iterator[tuple[int, str]]:
    """What the text of a module consists of, without its comments, each with the line on which it begins."""
    import tokenize

    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    with suppress(tokenize.TokenError, SyntaxError):
        yield from ((token.start[0], token.string) for token in tokens if token.type != tokenize.COMMENT)


def _uses(name: str, other: ModuleInfo, module: ModuleInfo) -> bool:
    """Whether another module names it, and not something of its own that is called the same."""
    text = other.file.text
    if name not in text or _word(name).search(text) is None:
        return False
    own = re.search(rf"^(?:async )?(?:def )?{re.escape(name)}\b *[(:=]", text, re.MULTILINE) is not None
    return not own or module.dotted.rpartition(".")[2] in other.imported


@lru_cache(maxsize=256)
def _word(name: str) -> re.Pattern[str]:
    return re.compile(rf"\b{re.escape(name)}\b")
