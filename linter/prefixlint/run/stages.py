"""The stages a run is made of. Each is imported when it is first used, so a run without a prompt loads none of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from prefixlint.frontends.python.memory import Memory
    from prefixlint.model.code import CodeFact
    from prefixlint.model.layouts import Layout
    from prefixlint.model.notebooks import Notebook
    from prefixlint.model.sources import SourceFile
    from prefixlint.model.targets import Target
    from prefixlint.model.templates import Extraction, Problem, Template
    from prefixlint.rulebase import Rule

    Read = Callable[[str], SourceFile | None]
    Progress = Callable[[str, int, int], None]


def _python_might_hold(data: bytes) -> bool:
    from prefixlint.frontends.python import might_hold_prompt

    return might_hold_prompt(data)


def _python_analyse(
    files: Sequence[SourceFile], read: Read, unread: Sequence[tuple[str, bytes]], jobs: int, memory: Memory | None
) -> Mapping[str, Extraction]:
    from prefixlint.frontends.python import CallIndex, analyse

    index = CallIndex(unread)
    return analyse(
        files,
        read,
        lambda calls: [file for path in index.calling(calls) if (file := read(path))],
        jobs=jobs,
        memory=memory,
        named=index.names,
    )


def _might_measure(data: bytes) -> bool:
    from prefixlint.frontends.python.measuring import might_measure

    return might_measure(data)


def _code_facts(file: SourceFile) -> Sequence[CodeFact]:
    from prefixlint.frontends.python.measuring import facts

    return facts(file)


def _notebook_bytes(data: bytes) -> bytes:
    from prefixlint.frontends.python.notebooks import bytes_of_code

    return bytes_of_code(data)


def _read_notebook(file: SourceFile) -> tuple[Notebook | None, Sequence[Problem]]:
    from prefixlint.frontends.python.notebooks import read

    return read(file)


def _file_wanted(path: str) -> bool:
    if path.endswith((".py", ".ipynb")):
        return True
    from prefixlint.frontends.promptfiles.file_kinds import kind

    return kind(path) is not None


def _file_might_hold(path: str, data: bytes) -> bool:
    from prefixlint.frontends.promptfiles import might_hold_prompt

    return might_hold_prompt(path, data)


def _file_named(path: str) -> bool:
    from prefixlint.frontends.promptfiles.file_kinds import Kind, kind, named_prompt

    return kind(path) is not Kind.TEXT or named_prompt(path)


def _file_extract(file: SourceFile, read: Read) -> Extraction:
    from prefixlint.frontends.promptfiles import extract

    return extract(file, read)


def _build(template: Template, targets: Sequence[Target]) -> Layout:
    from prefixlint.layout import build

    return build(template, targets)


def _default_targets(template: Template) -> Sequence[Target]:
    from prefixlint.engines import default_targets

    return default_targets(template)


def _load_target(name: str, overrides: Mapping[str, object]) -> Target:
    from prefixlint.engines import load_target

    return load_target(name, overrides)


def _rules() -> tuple[Rule, ...]:
    from prefixlint.run.registry import installed_rules

    return installed_rules()


@dataclass(frozen=True, slots=True)
class Stages:
    """The functions that the pipeline calls; the defaults are the real ones."""

    python_might_hold: Callable[[bytes], bool] = _python_might_hold
    python_analyse: Callable[
        [Sequence[SourceFile], Read, Sequence[tuple[str, bytes]], int, Memory | None], Mapping[str, Extraction]
    ] = _python_analyse
    might_measure: Callable[[bytes], bool] = _might_measure
    code_facts: Callable[[SourceFile], Sequence[CodeFact]] = _code_facts
    notebook_bytes: Callable[[bytes], bytes] = _notebook_bytes
    read_notebook: Callable[[SourceFile], tuple[Notebook | None, Sequence[Problem]]] = _read_notebook
    file_wanted: Callable[[str], bool] = _file_wanted
    file_might_hold: Callable[[str, bytes], bool] = _file_might_hold
    file_named: Callable[[str], bool] = _file_named
    file_extract: Callable[[SourceFile, Read], Extraction] = _file_extract
    build: Callable[[Template, Sequence[Target]], Layout] = _build
    default_targets: Callable[[Template], Sequence[Target]] = _default_targets
    load_target: Callable[[str, Mapping[str, object]], Target] = _load_target
    rules: Callable[[], tuple[Rule, ...]] = _rules
