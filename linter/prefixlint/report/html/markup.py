"""Analysed text as HTML that shows it and never becomes anything else."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from prefixlint.report.escape import COMMAND, plain

if TYPE_CHECKING:
    from typing import Final

# What ``plain`` would escape, line feeds and tabs left out: those are laid out as they are.
_MAYBE_HIDDEN: Final = re.compile(COMMAND.pattern + r"|[^\n\t\x20-\x7e\u00a1-\u02ff\u4e00-\u9fff]")


def inline(text: str) -> str:
    """``text`` on one line, for an element or an attribute value in double quotes."""
    return escape(plain(text), quote=True)


def path(text: str) -> str:
    """A path on one line that may be broken behind a slash."""
    return inline(text).replace("/", "/<wbr>")


def block(text: str) -> str:
    """``text`` with its lines, for an element; control and invisible characters as escapes that stand out."""
    text = text.replace("\r\n", "\n")
    out: list[str] = []
    at = 0
    for found in _MAYBE_HIDDEN.finditer(text):
        if found[0] in "#:":
            # Only a build server that prints the page would see a command in it.
            out += (escape(text[at : found.start()]), f"&#{ord(found[0])};")
            at = found.end()
            continue
        shown = plain(found[0])
        if shown != found[0]:
            out += (escape(text[at : found.start()]), f"<i>{escape(shown)}</i>")
            at = found.end()
    out.append(escape(text[at:]))
    return "".join(out)


def element(name: str, content: str, **attributes: str | None) -> str:
    """An element around ``content``, which is HTML already. Attribute values are text; None leaves one out.

    An underscore in front of a name is dropped, others become hyphens: ``_class``, ``data_at``.
    """
    listed = "".join(
        f' {key.removeprefix("_").replace("_", "-")}="{inline(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{listed}>{content}</{name}>"
