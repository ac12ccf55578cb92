"""Paths and files of the project: where a program opens, reads or parses one, and what stands in it."""

from __future__ import annotations

import posixpath
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python import strings
from prefixlint.frontends.python.chosen_names import for_each_name
from prefixlint.frontends.python.loops import is_item
from prefixlint.frontends.python.prompt_text import is_prompt_name
from prefixlint.frontends.python.values import (
    CONFIGURED,
    DATA,
    PROMPT_FILE,
    Const,
    FileData,
    Lib,
    Opaque,
    PathText,
    Str,
)
from prefixlint.knowledge.file_names import file_names
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Text
from prefixlint.model.sources import SourceMap

if TYPE_CHECKING:
    import ast
    from collections.abc import Mapping

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.values import Val

_FILE = Lib("builtins.__file__")
_MOST_ABOVE = 8


class FileCalls:
    """Values of calls that make paths, open files or parse them, and of their methods."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter

    def data(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """Data parsed from a file of the project, or from text of one."""
        source = args[0] if args else None
        if isinstance(source, PathText):
            return FileData(source.path)
        if isinstance(source, Str) and len(source.segments) == 1 and isinstance(source.segments[0], Text):
            text = source.segments[0]
            if isinstance(text.source, SourceMap) and text.text == text.source.file.text:
                return FileData(text.source.file.path)
        if source is None:
            return None
        value = self._interpreter.expressions.derived(node, [source], frame)
        asked = value.origin.kind is SourceKind.USER_INPUT and not is_item(value.origin)
        self._interpreter.reads_given |= not value.lifetime.known and frame.function is not None
        return value if asked else value.but(type=DATA)

    def data_file(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """Data of the file at a path, from the project's root or beside the module."""
        path = as_path(args[0], frame) if args else None
        if path is None:
            return None
        beside = posixpath.join(frame.module.package, path)
        return FileData(beside if self._interpreter.project.file(path) is None else path)

    def data_text(self, data: FileData) -> Str | None:
        """The text at a place of a data file; None where there is no text."""
        from prefixlint.frontends.promptfiles import PromptFileError, load_toml_value, load_yaml_value

        file = self._interpreter.project.file(data.path)
        if file is None:
            return None
        load = load_toml_value if data.path.endswith(".toml") else load_yaml_value
        try:
            text = load(file, data.keys)
        except PromptFileError:
            return None
        return None if text is None else Str((replace(text, lifetime=Lifetime.DEPLOYMENT),))

    def path(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        parts = [as_path(arg, frame) for arg in args]
        if not parts or None in parts:
            end = _end_of_path(args, parts)
            folder = self._interpreter.expressions.derived(node, args, frame)
            found = None
            if end is not None:
                found = self.prompt_file(end, frame) or self.configured(end, folder, node, frame)
            return found or _of_prompts(folder, args)
        return PathText(posixpath.join(*[part for part in parts if part is not None]))

    def same_path(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        path = as_path(args[0], frame) if args else None
        return None if path is None else PathText(path)

    def exists(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """A file of the project is there; any other may be there when the program runs."""
        path = as_path(args[0], frame) if args else None
        return None if path is None or self._interpreter.project.file(path) is None else Const(True)

    def dirname(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        path = as_path(args[0], frame) if args else None
        return None if path is None else PathText(posixpath.dirname(path))

    def open(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        path = as_path(args[0], frame) if args else None
        if path is not None:
            return PathText(path)
        end = _end_of_path(args[:1], [None])
        found = None if end is None else self.prompt_file(end, frame)
        if found is not None:
            return found
        return _of_prompts(self._interpreter.expressions.derived(node, args[:1], frame), args[:1])

    def on_path(self, owner: PathText, name: str, args: list[Val], node: ast.Call, frame: Frame) -> Val | None:
        """Methods of paths and of files opened there."""
        return for_each_name(args, lambda each: self._on_path(owner, name, each, node, frame))

    def _on_path(self, owner: PathText, name: str, args: list[Val], node: ast.Call, frame: Frame) -> Val | None:
        if name in ("read_text", "read"):
            return self.read(owner.path, node, frame)
        if name in ("exists", "is_file"):
            return self.exists([owner], {}, node, frame)
        if name in ("open", "resolve", "absolute", "expanduser", "as_posix", "strip", "__enter__"):
            return owner
        if name == "replace" and len(args) == 2:
            old, new = (strings.constant_text(a.segments) if isinstance(a, Str) else None for a in args)
            return PathText(owner.path.replace(old, new)) if old and new is not None else None
        if name in ("joinpath", "with_name", "with_suffix"):
            parts = [strings.constant_text(a.segments) if isinstance(a, Str) else None for a in args]
            if None in parts or not parts:
                return self._interpreter.expressions.derived(node, args, frame)
            if name == "joinpath":
                return PathText(posixpath.join(owner.path, *[p for p in parts if p is not None]))
            if name == "with_name":
                return PathText(posixpath.join(posixpath.dirname(owner.path), parts[0] or ""))
            return PathText(posixpath.splitext(owner.path)[0] + (parts[0] or ""))
        return None

    def prompt_file(self, end: str, frame: Frame) -> PathText | None:
        """The prompt file that a path means of which no more than its end is known: beside the module or above it,
        there or in one of the usual folders. None for files that nothing calls prompts."""
        from prefixlint.frontends.promptfiles.file_kinds import SUFFIXES, named_prompt

        if not end.endswith(SUFFIXES):
            return None
        above = frame.module.package
        for _ in range(_MOST_ABOVE):
            for folder in file_names().prompt_folders:
                path = posixpath.normpath(posixpath.join(above, folder, end))
                if named_prompt(path) and (file := self._interpreter.project.file(path)) is not None and file.text:
                    return PathText(path)
            if not above:
                break
            above = posixpath.dirname(above)
        return None

    def configured(self, end: str, folder: Val, node: ast.expr, frame: Frame) -> Opaque | None:
        """What lies in a folder of which nothing is known under the fixed name of a prompt (``project /
        "instructions.md"``): it is configured. None for any other file."""
        from prefixlint.frontends.promptfiles.file_kinds import SUFFIXES, named_prompt

        if not isinstance(folder, Opaque) or folder.lifetime.known:
            return None
        if not end.endswith(SUFFIXES) or not named_prompt(end):
            return None
        return _as_configured(self._interpreter.expressions.opaque(node, frame))

    def read(self, path: str, node: ast.expr, frame: Frame) -> Val:
        """Text of a project file that the program reads at run time, or an unknown deployment value."""
        project = self._interpreter.project
        for candidate in map(posixpath.normpath, (path, posixpath.join(frame.module.package, path))):
            file = project.file(candidate)
            if file is not None and file.text:
                return Str((Text(file.text, SourceMap.verbatim(file, 0, len(file.text)), Lifetime.DEPLOYMENT),))
        value = self._interpreter.expressions.opaque(node, frame)
        return replace(
            value, lifetime=Lifetime.DEPLOYMENT, origin=Origin(SourceKind.ENVIRONMENT), confidence=Confidence.HIGH
        )


def _end_of_path(parts: list[Val], known: list[str | None]) -> str | None:
    """What is known of the end of a path, behind a folder that is not: ``prompts/x.txt`` of ``join(base, "prompts",
    "x.txt")`` and of ``f"{base}/prompts/x.txt"``; None where the file's name is not known."""
    last = max((at for at, part in enumerate(known) if part is None), default=-1)
    behind = [part for part in known[last + 1 :] if part is not None]
    part = parts[last] if 0 <= last < len(parts) else None
    if isinstance(part, Str) and len(part.segments) > 1 and isinstance(part.segments[-1], Text):
        _, slash, tail = part.segments[-1].text.partition("/")
        behind = [tail, *behind] if slash else behind
    return posixpath.join(*behind).lstrip("/") if behind else None


def _of_prompts(value: Opaque, parts: list[Val]) -> Opaque:
    """A path of which nothing is known but that a prompt lies there (``prompt_path``): what it holds is configured."""
    named_so = any(isinstance(part, Opaque) and is_prompt_name(part.expression) for part in parts)
    if value.lifetime.known or not named_so:
        return value
    return _as_configured(value)


def _as_configured(value: Opaque) -> Opaque:
    return value.but(lifetime=Lifetime.DEPLOYMENT, origin=CONFIGURED, confidence=Confidence.HIGH, type=PROMPT_FILE)


def as_path(value: Val, frame: Frame) -> str | None:
    """The path that a value stands for, or None."""
    if value == _FILE:
        return frame.module.path
    if isinstance(value, PathText):
        return value.path
    return strings.constant_text(value.segments) if isinstance(value, Str) else None
