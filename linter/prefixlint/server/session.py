"""The documents that are open, each with its latest analysis: when one is due, which one counts, who is told."""

from __future__ import annotations

import asyncio
import contextlib
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from prefixlint.model.sources import SourceFile
from prefixlint.server.analysis import Analysis, analyse
from prefixlint.server.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

T = TypeVar("T")


@dataclass(slots=True)
class Document:
    """An open document: its text as it is now, and what was found in an earlier or in this one."""

    uri: str
    source: SourceFile
    version: int
    analysis: Analysis | None = None
    task: asyncio.Task[None] | None = None
    hurry: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def current(self) -> bool:
        return self.analysis is not None and self.analysis.source is self.source


class Session:
    """All of it happens on the event loop but the analyses, which run one after the other on a thread of their own:

    the front ends hold what the configuration says of a project for the process while one runs. ``tell`` is called
    after each analysis that counts, ``fail`` with an error that ended one.
    """

    def __init__(self, tell: Callable[[Document], None], fail: Callable[[str, Exception], None]) -> None:
        self.settings = Settings()
        self.folders: tuple[str, ...] = ()
        self._documents: dict[str, Document] = {}
        self._tell, self._fail = tell, fail
        self._thread = ThreadPoolExecutor(1, "analysis")

    def close_all(self) -> None:
        """Ends all that is going on."""
        for document in self._documents.values():
            if document.task is not None:
                document.task.cancel()
        self._thread.shutdown(wait=False, cancel_futures=True)

    @property
    def documents(self) -> tuple[Document, ...]:
        return tuple(self._documents.values())

    def analyses(self) -> Iterable[Analysis]:
        """The latest analysis of each document, the ones of text that is no longer there too."""
        return [each.analysis for each in self._documents.values() if each.analysis is not None]

    def uri_of(self, path: str) -> str | None:
        """The address under which the client knows the open document ``path``."""
        return next((each.uri for each in self._documents.values() if each.source.path == path), None)

    def opened(self, uri: str, path: str, text: str, version: int) -> None:
        self._documents[uri] = Document(uri, SourceFile(path, text), version)
        self._due(self._documents[uri], 0)

    def changed(self, uri: str, text: str, version: int) -> None:
        document = self._documents.get(uri)
        if document is None:
            return
        document.source, document.version = SourceFile(document.source.path, text), version
        self._due(document, self.settings.debounce / 1000)

    def closed(self, uri: str) -> None:
        document = self._documents.pop(uri, None)
        if document is not None and document.task is not None:
            document.task.cancel()

    def all_due(self) -> None:
        """Something outside the documents has changed: a configuration, a file on the disk, a setting."""
        for document in self._documents.values():
            # What was found rests on the old state; the text is the same, so identity alone would not tell.
            document.source = SourceFile(document.source.path, document.source.text)
            self._due(document, self.settings.debounce / 1000)

    async def current(self, uri: str) -> Analysis | None:
        """The analysis of the document as it is now, as soon as it is there."""
        document = self._documents.get(uri)
        while document is not None and not document.current:
            if document.task is None:
                return document.analysis
            document.hurry.set()
            await asyncio.wait([document.task])
        return document.analysis if document is not None else None

    async def in_turn(self, work: Callable[[], T]) -> T:
        """The result of ``work``, done on the thread of the analyses."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def _due(self, document: Document, delay: float) -> None:
        """Analyses the document after ``delay`` seconds without another change."""
        if document.task is not None:
            document.task.cancel()
        document.hurry.clear()
        document.task = asyncio.get_running_loop().create_task(self._later(document, delay))

    async def _later(self, document: Document, delay: float) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(document.hurry.wait(), delay)
        source, version = document.source, document.version
        unsaved = [each.source for each in self._documents.values() if each is not document]
        root, settings = self._root(source.path), self.settings

        def work() -> Analysis | None:
            # While it waited for the thread, another text may have come, whose turn is next.
            return analyse(source, version, root, settings, unsaved) if document.source is source else None

        try:
            found = await self.in_turn(work)
        except Exception as error:
            self._fail(source.path, error)
            found = Analysis(source, version)
        if found is None or document.source is not source:
            return
        before = document.analysis
        document.analysis, document.task = found, None
        self._tell(document)
        if before is None or before.source.text != source.text:
            self._due_by(document)

    def _due_by(self, changed: Document) -> None:
        """Other documents whose prompts were read through this one."""
        path = changed.source.path
        for document in self._documents.values():
            if document is not changed and document.analysis is not None and path in document.analysis.result.sources:
                document.source = SourceFile(document.source.path, document.source.text)
                self._due(document, self.settings.debounce / 1000)

    def _root(self, path: str) -> str:
        """The innermost workspace folder around ``path``, else the folder that it is in."""
        around = [each for each in self.folders if path.startswith(each.rstrip("/") + "/")]
        return max(around, key=len, default=os.path.dirname(path))
