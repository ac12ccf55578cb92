"""``assert_stable_prefix``: a prompt, found in the source, and the length of its stable prefix."""

from __future__ import annotations

import inspect
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import ModuleType

    from prefixlint.api import Layout, RunResult, Span, Template

    Named = str | os.PathLike[str] | Callable[..., object] | type | ModuleType


def assert_stable_prefix(
    template: Named,
    *,
    at_least: int = 1024,
    target: str = "openai:gpt-4o",
    within: str = "request",
    config: str | os.PathLike[str] | None = None,
) -> None:
    """Fails unless the stable prefix of a prompt has ``at_least`` so many tokens of ``target``.

    ``template`` is a file, ``"file::name"`` with the name that ``prefixlint report`` shows, ``"file:line"`` with a line
    that the prompt or its call stands on, or the function, class or module that builds or sends it (none of which is
    called). Where that means several prompts, each must hold. ``within`` is whose requests have to share the prefix:
    "request" for all of them, or "user", "session", "turn", "process", "day", "hour". ``config`` is a configuration
    file instead of the nearest one.

    Raises ``AssertionError`` where a prefix is too short or the file could not be analysed, ``LookupError`` where there
    is no such prompt, ``FileNotFoundError`` for the file, and ``ValueError`` for an unknown target or lifetime.
    """
    __tracebackhide__ = True
    from prefixlint.api import report

    path, name, lines = _where(template)
    result = report([path], config=config, targets=[target])
    _assert_analysed(result, path)
    layouts = [layout for layout in result.layouts if _meant(layout.template, path, name, lines)]
    if not layouts:
        raise LookupError(_not_there(path, name, lines, result.layouts))
    short = [layout for layout in layouts if _tokens(layout, within) < at_least]
    if short:
        raise AssertionError("\n".join(_told(layout, at_least, within) for layout in short))


def _where(template: Named) -> tuple[str, str, range | None]:
    """The file, the name of the prompt ("" for any) and the lines (from 1) that it must touch."""
    if isinstance(template, str | os.PathLike):
        text = os.fspath(template)
        path, mark, name = text.partition("::")
        if mark:
            return path, name, None
        head, _, line = text.rpartition(":")
        if head and line.isdigit() and not os.path.exists(text):
            return head, "", range(int(line), int(line) + 1)
        return text, "", None
    if inspect.ismodule(template):
        if template.__file__ is None:
            raise LookupError(f"{template.__name__} has no file")
        return template.__file__, "", None
    thing = inspect.unwrap(template) if callable(template) else template
    path = inspect.getsourcefile(thing) or ""
    lines, first = inspect.getsourcelines(thing)
    return path, "", range(first, first + len(lines))


def _assert_analysed(result: RunResult, path: str) -> None:
    __tracebackhide__ = True
    wrong = [f"{problem.path}:{problem.position.line}: {problem.message}" for problem in result.problems]
    wrong += [f"internal error in {crash.stage} on {crash.where}: {crash.error}" for crash in result.crashes]
    if wrong:
        raise AssertionError(f"{path} could not be analysed: " + "; ".join(wrong))


def _meant(template: Template, path: str, name: str, lines: range | None) -> bool:
    if name:
        return template.name == name or template.name.endswith(f".{name}")
    if lines is None:
        return True
    file = os.path.realpath(path)
    return any(_touches(span, file, lines) for span in _spans(template))


def _spans(template: Template) -> Iterator[Span]:
    """Where a prompt is sent, passed on and written down."""
    from prefixlint.api import Text, walk

    yield template.span
    for hop in template.related:
        yield hop.span
    for block in template.blocks:
        yield block.span
        for segment in walk(block.segments):
            if isinstance(segment, Text):
                yield from segment.spans()


def _touches(span: Span, file: str, lines: range) -> bool:
    same = os.path.realpath(span.path) == file
    return same and span.start.line < lines.stop and lines.start <= span.end.line


def _tokens(layout: Layout, within: str) -> int:
    if within == "request":
        return layout.stable_prefix_tokens
    shared = {each.lifetime.value: each.tokens for each in layout.shared_prefix}
    if within not in shared:
        known = ", ".join(["request", *shared]) or "request"
        raise ValueError(f"within must be one of {known}, not {within!r}")
    return shared[within]


def _not_there(path: str, name: str, lines: range | None, layouts: Sequence[Layout]) -> str:
    what = f"prompt called {name!r}" if name else "prompt" if lines is None else f"prompt at line {lines.start}"
    known = ", ".join(f"{layout.template.name} (line {layout.template.span.start.line})" for layout in layouts)
    return f"no {what} in {path}; " + (f"there are: {known}" if known else "prefixlint finds none there")


def _told(layout: Layout, at_least: int, within: str) -> str:
    tokens = _tokens(layout, within)
    target = layout.target
    about = "" if target.exact else f" (counted with {target.tokenizer}, an approximation)"
    scope = "" if within == "request" else f" within one {within}"
    lines = [
        f"{layout.template.id}: stable prefix of {tokens:,} tokens{scope} for {target.name}{about}, "
        f"not at least {at_least:,}"
    ]
    point = layout.breakpoint
    if point is not None:
        place = f"{point.span.path}:{point.span.start.line}:{point.span.start.column}"
        lines.append(f"  it ends at {place} `{point.expression}` ({point.lifetime.value})")
    if tokens + layout.stranded_tokens < at_least:
        lines.append(f"  all stable tokens together are {tokens + layout.stranded_tokens:,}")
    elif layout.stranded_tokens:
        lines.append(f"  {layout.stranded_tokens:,} stable tokens stand behind that")
    return "\n".join(lines)
