"""Layouts of earlier runs: what tokens a template takes depends on it, on its files' texts and on the targets alone."""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from prefixlint.cache import codec
from prefixlint.cache.digests import text_digest
from prefixlint.model.layouts import Layout
from prefixlint.run.stored import program

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from prefixlint.cache.store import Store
    from prefixlint.model.sources import SourceFile
    from prefixlint.model.targets import Target
    from prefixlint.model.templates import Template

QUICK = 0.2
"""Seconds of measuring below which layouts are not worth keeping."""


@dataclass(slots=True)
class LaidOut:
    """Keeps layouts in ``store`` for runs over the same ``paths``. Use: ``of`` for each template, then ``save``."""

    store: Store | None
    paths: Sequence[str]
    _known: dict[str, str] | None = None
    _used: dict[str, str] = field(default_factory=dict)
    _digests: dict[str, str] = field(default_factory=dict)
    _seconds: float = 0

    def of(
        self, template: Template, targets: Sequence[Target], build: Callable[[Template, Sequence[Target]], Layout]
    ) -> Layout:
        """As ``build`` gives it."""
        if self.store is None or not _counts_alike_everywhere(targets):
            return build(template, targets)
        files: dict[str, SourceFile] = {}
        try:
            about = codec.pack({"template": template, "targets": tuple(targets)}, files)
        except codec.NotStorable:
            return build(template, targets)
        digest = text_digest(about.decode() + "".join(self._digest(files[path]) for path in sorted(files)))
        known = self._loaded(self.store).get(digest)
        if known is not None:
            with suppress(codec.Damaged):
                layout = codec.unpack(known.encode(), files.get).get("layout")
                if isinstance(layout, Layout):
                    self._used[digest] = known
                    return layout
        start = time.process_time()
        layout = build(template, targets)
        self._seconds += time.process_time() - start
        with suppress(codec.NotStorable):
            self._used[digest] = codec.pack({"layout": layout}).decode()
        return layout

    def save(self) -> None:
        if self.store is not None and (self._seconds > QUICK or (self._seconds and self._known)):
            self.store.put(self.key, json.dumps(self._used).encode())

    @property
    def key(self) -> str:
        return text_digest(repr(("layouts", program(), sys.version, os.getcwd(), tuple(self.paths))))

    def _loaded(self, store: Store) -> dict[str, str]:
        if self._known is None:
            raw: Any = None
            with suppress(ValueError):
                raw = json.loads(store.get(self.key) or b"{}")
            kept = raw if isinstance(raw, dict) else {}
            self._known = {digest: body for digest, body in kept.items() if isinstance(body, str)}
        return self._known

    def _digest(self, file: SourceFile) -> str:
        if file.path not in self._digests:
            self._digests[file.path] = text_digest(file.text)
        return self._digests[file.path]


def _counts_alike_everywhere(targets: Sequence[Target]) -> bool:
    """Whether the targets' tokens depend on nothing that could change between two runs: on no file but this program's
    own."""
    from prefixlint.tokens.encodings import encoding_specs

    specs = [encoding_specs().get(target.tokenizer) for target in targets]
    shipped = all(spec is not None and spec.shipped for spec in specs)
    return shipped and all(target.chat_template is None for target in targets)
