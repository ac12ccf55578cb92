"""PFX901: a file that may hold a prompt could not be analysed."""

from __future__ import annotations

from prefixlint.api import LinterRule


class FileNotAnalysed(LinterRule):
    code = "PFX901"
    name = "file-not-analysed"
    since = "0.1.0"
    summary = "A file that may hold a prompt could not be analysed"
