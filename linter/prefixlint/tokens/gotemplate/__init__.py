"""The part of Go's ``text/template`` in which chat templates of Ollama are written: read, and rendered.

By the package's own documentation (pkg.go.dev/text/template, Go 1.24). What is not covered raises ``GoTemplateError``:
nothing is guessed at.
"""

from __future__ import annotations

from prefixlint.tokens.gotemplate.nodes import GoTemplateError
from prefixlint.tokens.gotemplate.parse import parse
from prefixlint.tokens.gotemplate.run import Struct, run

__all__ = ["GoTemplateError", "Struct", "parse", "run"]
