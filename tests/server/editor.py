"""An editor: pygls' client, which starts the server as its own process and speaks with it on its standard streams."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.lsp.client import LanguageClient

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

PATIENCE = 30
"""Seconds after which a test gives up."""


class Editor(LanguageClient):
    """Keeps what the server says without being asked, and counts versions of documents."""

    def __init__(self, root: Path) -> None:
        super().__init__("editor", "1")
        self.root = root
        self.diagnostics: dict[str, types.PublishDiagnosticsParams] = {}
        self.published: list[types.PublishDiagnosticsParams] = []
        self.messages: list[str] = []
        self.logged: list[str] = []
        self.registered: list[str] = []
        self.shown: list[str] = []
        self._versions: dict[str, int] = {}
        self._news = asyncio.Event()

        @self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: types.PublishDiagnosticsParams) -> None:
            self.diagnostics[params.uri] = params
            self.published.append(params)
            self._news.set()

        @self.feature(types.WINDOW_SHOW_MESSAGE)
        def message(params: types.ShowMessageParams) -> None:
            self.messages.append(params.message)
            self._news.set()

        @self.feature(types.WINDOW_LOG_MESSAGE)
        def log(params: types.LogMessageParams) -> None:
            self.logged.append(params.message)

        @self.feature(types.CLIENT_REGISTER_CAPABILITY)
        def register(params: types.RegistrationParams) -> None:
            self.registered += [registration.method for registration in params.registrations]
            self._news.set()

        @self.feature(types.WINDOW_SHOW_DOCUMENT)
        def show(params: types.ShowDocumentParams) -> types.ShowDocumentResult:
            self.shown.append(params.uri)
            return types.ShowDocumentResult(True)

    def uri(self, name: str) -> str:
        return (self.root / name).as_uri()

    def open(self, name: str, text: str, language: str = "python") -> None:
        self._versions[name] = 1
        item = types.TextDocumentItem(self.uri(name), language, 1, text)
        self.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def change(self, name: str, text: str) -> int:
        """Sends the whole new text, as after a key was hit; gives the version."""
        self._versions[name] += 1
        version = self._versions[name]
        identifier = types.VersionedTextDocumentIdentifier(version, self.uri(name))
        change = types.TextDocumentContentChangeWholeDocument(text)
        self.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [change]))
        return version

    def close(self, name: str) -> None:
        identifier = types.TextDocumentIdentifier(self.uri(name))
        self.text_document_did_close(types.DidCloseTextDocumentParams(identifier))

    def forget(self) -> None:
        """Closes what is open and forgets what was said."""
        for name in tuple(self._versions):
            self.close(name)
        self._versions.clear()
        for said in (self.diagnostics, self.published, self.messages, self.logged, self.shown):
            said.clear()

    def identifier(self, name: str) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.uri(name))

    async def until(self, holds: Callable[[], object]) -> None:
        """Waits for something that the server says to make it hold."""
        async with asyncio.timeout(PATIENCE):
            while not holds():
                self._news.clear()
                await self._news.wait()

    async def codes(self, name: str, version: int | None) -> list[Any]:
        """The codes of the diagnostics of that version of a document."""
        uri = self.uri(name)
        await self.until(lambda: uri in self.diagnostics and self.diagnostics[uri].version == version)
        return [diagnostic.code for diagnostic in self.diagnostics[uri].diagnostics]


@asynccontextmanager
async def editor(
    root: Path, settings: object = None, encodings: list[types.PositionEncodingKind | str] | None = None
) -> AsyncIterator[Editor]:
    """A client at work in the folder ``root``."""
    client = Editor(root)
    # The server works in another folder: a path that is relative here would be another one there.
    places = os.pathsep.join(os.path.abspath(place) for place in sys.path if place)
    command = (sys.executable, "-m", "prefixlint", "server", "--stdio")
    await client.start_io(*command, cwd=str(root), env={**os.environ, "PYTHONPATH": places})
    capabilities = types.ClientCapabilities(
        workspace=types.WorkspaceClientCapabilities(
            did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True)
        ),
        window=types.WindowClientCapabilities(show_document=types.ShowDocumentClientCapabilities(support=True)),
        general=types.GeneralClientCapabilities(position_encodings=encodings) if encodings else None,
    )
    folder = types.WorkspaceFolder(root.as_uri(), "project")
    await client.initialize_async(
        types.InitializeParams(capabilities, workspace_folders=[folder], initialization_options=settings)
    )
    client.initialized(types.InitializedParams())
    try:
        yield client
    finally:
        async with asyncio.timeout(PATIENCE):
            await client.shutdown_async(None)
            client.exit(None)
            await client.stop()
