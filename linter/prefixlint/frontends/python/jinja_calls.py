"""Jinja environments with their settings, their loaders, and the templates that they give."""

from __future__ import annotations

import posixpath
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python import strings
from prefixlint.frontends.python.file_calls import as_path
from prefixlint.frontends.python.values import (
    NONE,
    Choose,
    Const,
    DictThing,
    ListThing,
    LoaderThing,
    Many,
    Maybe,
    PromptThing,
    Splat,
    Str,
)
from prefixlint.knowledge.file_names import file_names
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Text
from prefixlint.model.sources import SourceMap
from prefixlint.model.templates import Block

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator, Mapping

    from prefixlint.frontends.promptfiles import JinjaSyntax
    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.values import Val


class JinjaCalls:
    """Calls of jinja2."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter

    def template(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """``Template(text, trim_blocks=…)``."""
        return self._made(args[0], LoaderThing(syntax=_syntax(keywords)), node, frame) if args else None

    def environment(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """``Environment(loader=…, trim_blocks=…)``."""
        if frame.state is None:
            return NONE
        given = keywords.get("loader") or next((a for a in args if self._loader_of(a, frame) is not None), NONE)
        thing = self._loader_of(given, frame) or LoaderThing()
        return frame.state.new(replace(thing, syntax=_syntax(keywords)))

    def loader(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """A loader of folders, or of other loaders in order."""
        given = args[0] if args else keywords.get("searchpath") or keywords.get("loaders") or NONE
        thing = self._interpreter.thing(given, frame)
        items = thing.items if isinstance(thing, ListThing) else (given,)
        folders: list[str] = []
        texts: list[tuple[str, Val]] = []
        for item in items:
            if isinstance(item, Splat | Many | Maybe):
                continue
            inner = self._loader_of(item, frame)
            if inner is not None:
                folders.extend(inner.folders)
                texts.extend(inner.texts)
            elif (path := as_path(item, frame)) is not None:
                folders.append(path)
        return NONE if frame.state is None else frame.state.new(LoaderThing(tuple(folders), tuple(texts)))

    def package_loader(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """A loader of a folder in a package."""
        names = [strings.constant_text(a.segments) if isinstance(a, Str) else None for a in args]
        module = self._interpreter.project.import_module(names[0], 0, frame.module) if names and names[0] else None
        folder = names[1] if len(names) > 1 and names[1] else "templates"
        folders = () if module is None else (posixpath.join(module.package, folder),)
        return NONE if frame.state is None else frame.state.new(LoaderThing(folders))

    def dict_loader(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """A loader of texts by name."""
        thing = self._interpreter.thing(args[0] if args else keywords.get("mapping", NONE), frame)
        texts = thing.entries if isinstance(thing, DictThing) else ()
        held = tuple((name, text) for name, text in texts if isinstance(name, str))
        return NONE if frame.state is None else frame.state.new(LoaderThing(texts=held))

    def on_loader(self, thing: LoaderThing, name: str, args: list[Val], node: ast.Call, frame: Frame) -> Val | None:
        """``environment.get_template("x.j2")`` and ``environment.from_string(text)``."""
        given = args[0] if args else NONE
        if name == "from_string":
            return self._made(given, thing, node, frame)
        if name not in ("get_template", "select_template"):
            return None
        for text in _texts(given):
            wanted = strings.constant_text(text.segments)
            held = None if wanted is None else dict(thing.texts).get(wanted)
            whole = None if wanted is None else self._file(wanted, thing, frame)
            if isinstance(held, Str):
                return self._made(held, thing, node, frame)
            if whole is not None:
                return self._made(Str((whole,)), thing, node, frame)
        # Whichever of the project's templates it is, it is one of its files.
        origin = Origin(SourceKind.CONFIGURATION)
        template = self._interpreter.expressions.opaque(node, frame)
        return template.but(lifetime=Lifetime.DEPLOYMENT, origin=origin, confidence=Confidence.HIGH)

    def _loader_of(self, value: Val, frame: Frame) -> LoaderThing | None:
        thing = self._interpreter.thing(value, frame)
        return thing if isinstance(thing, LoaderThing) else None

    def _file(self, wanted: str, thing: LoaderThing, frame: Frame) -> Text | None:
        """Text of the template that a loader calls by this name."""
        for path in _candidates(wanted, thing.folders, frame.module.package):
            file = self._interpreter.project.file(path)
            if file is not None and file.text:
                return Text(file.text, SourceMap.verbatim(file, 0, len(file.text)), Lifetime.DEPLOYMENT)
        return None

    def _made(self, text: Val, thing: LoaderThing, node: ast.Call, frame: Frame) -> Val | None:
        """The template of a text, read as the environment reads it; None where there is not just one text."""
        texts = _texts(text)
        if len(texts) != 1 or frame.state is None:
            return None

        def load(name: str) -> Text | None:
            held = dict(thing.texts).get(name)
            segments = held.segments if isinstance(held, Str) else ()
            if len(segments) == 1 and isinstance(segments[0], Text):
                return segments[0]
            return self._file(name, thing, frame)

        span = frame.module.places.span(node)
        prompts = self._interpreter.calls.prompts
        segments = prompts.parse(texts[0].segments, "jinja", frame, thing.syntax, load)
        return frame.state.new(PromptThing("jinja", (Block("", "messages", segments, span),), span))


def _texts(value: Val) -> list[Str]:
    """The texts that a value may be: what a caller may give instead of those that are there is not known."""
    return [one for one in (value.values if isinstance(value, Choose) else (value,)) if isinstance(one, Str)]


def _candidates(wanted: str, folders: tuple[str, ...], package: str) -> Iterator[str]:
    """Paths at which a template of this name may lie: the loader's folders, then the usual ones."""
    above = posixpath.dirname(package)
    folders_of_prompts = file_names().prompt_folders
    usual = (package, *(posixpath.join(p, d) for p in (package, above, "") for d in folders_of_prompts))
    for folder in (*folders, *usual):
        yield posixpath.join(folder, wanted)
        yield posixpath.join(package, folder, wanted)


def _syntax(keywords: Mapping[str, Val]) -> JinjaSyntax | None:
    """How the arguments of an environment make templates read; None for jinja2's own way."""
    from prefixlint.frontends.promptfiles import JinjaSyntax

    def text(name: str, default: str) -> str:
        value = keywords.get(name)
        return (strings.constant_text(value.segments) if isinstance(value, Str) else None) or default

    def flag(name: str) -> bool:
        value = keywords.get(name)
        return isinstance(value, Const) and value.value is True

    own = JinjaSyntax()
    given = JinjaSyntax(
        block_start=text("block_start_string", own.block_start),
        block_end=text("block_end_string", own.block_end),
        variable_start=text("variable_start_string", own.variable_start),
        variable_end=text("variable_end_string", own.variable_end),
        comment_start=text("comment_start_string", own.comment_start),
        comment_end=text("comment_end_string", own.comment_end),
        line_statement_prefix=text("line_statement_prefix", "") or None,
        line_comment_prefix=text("line_comment_prefix", "") or None,
        trim_blocks=flag("trim_blocks"),
        lstrip_blocks=flag("lstrip_blocks"),
        keep_trailing_newline=flag("keep_trailing_newline"),
    )
    return None if given == own else given
