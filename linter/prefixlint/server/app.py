"""The server: what each message of the protocol does."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
import tempfile
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, cast

from lsprotocol import types
from pygls import uris
from pygls.lsp.server import LanguageServer

from prefixlint import __version__
from prefixlint.frontends.promptfiles.file_kinds import SUFFIXES as PROMPT_FILES
from prefixlint.server import actions, diagnostics, hints, hover
from prefixlint.server.analysis import CONFIG_FILES
from prefixlint.server.bounded import Bounded
from prefixlint.server.places import Units
from prefixlint.server.session import Document, Session
from prefixlint.server.settings import settings_of

if TYPE_CHECKING:
    from prefixlint.server.analysis import Analysis

FIX_ALL = "source.fixAll.prefixlint"
OPEN_REPORT = "prefixlint.openReport"
WATCHED = (*(f"**/{name}" for name in CONFIG_FILES), *(f"**/*{suffix}" for suffix in (".py", *PROMPT_FILES)))
SUFFIXES = {
    "python": ".py",
    "yaml": ".yaml",
    "json": ".json",
    "toml": ".toml",
    "jinja": ".jinja",
    "markdown": ".md",
    "plaintext": ".txt",
}
"""Suffix of a document that has no file name yet, by its language."""


class PrefixlintServer(LanguageServer):
    """pygls' server with a session of documents.

    Whole texts are asked for: pygls counts a form feed and other separators as line ends, the protocol does not, and
    changes of ranges would go astray in a file that holds one.
    """

    def __init__(self) -> None:
        super().__init__("prefixlint", __version__, types.TextDocumentSyncKind.Full)
        self.session = Session(self._tell, self._fail)
        self._published: set[str] = set()
        self._told: set[str] = set()
        self._root = os.getcwd()

    @property
    def units(self) -> Units:
        encoding = self.workspace.position_encoding
        return Units(str(getattr(encoding, "value", encoding) or "utf-16"))

    def begin(self, params: types.InitializeParams) -> None:
        """Takes settings and folders from what the client says first."""
        self.use_settings(params.initialization_options)
        named = [folder.uri for folder in params.workspace_folders or ()]
        named = named or [uri for uri in (params.root_uri,) if uri]
        self.set_folders(named)

    def set_folders(self, named: list[str]) -> None:
        folders = [path.replace(os.sep, "/") for uri in named if (path := uris.to_fs_path(uri))]
        self.session.folders = tuple(folders)
        self._root = folders[0] if folders else os.getcwd()

    def use_settings(self, value: object) -> None:
        self.session.settings, wrong = settings_of(value)
        for message in wrong:
            self._show(message)

    def path_of(self, uri: str, language: str) -> str:
        """The document's path, absolute with forward slashes; one without a file gets a name in the workspace."""
        path = uris.to_fs_path(uri)
        if path is None:
            name = os.path.basename(uri.rpartition(":")[2]) or "untitled"
            suffix = SUFFIXES.get(language, "")
            path = os.path.join(self._root, name if name.endswith(suffix) else name + suffix)
        return os.path.abspath(path).replace(os.sep, "/")

    def uri_of(self, path: str) -> str:
        return self.session.uri_of(path) or str(uris.from_fs_path(os.path.abspath(path)))

    def code_action(self, action: actions.Action, analysis: Analysis, uri: str, kind: str) -> types.CodeAction:
        edits = [
            types.TextEdit(self.units.range(analysis.source, edit.span), edit.replacement) for edit in action.edits
        ]
        told = [diagnostics.diagnostic(each, analysis, self.units, self.uri_of) for each in action.findings]
        change = types.WorkspaceEdit(changes={uri: edits})
        return types.CodeAction(action.title, kind, told, is_preferred=action.best or None, edit=change)

    def publish(self) -> None:
        """Sends the diagnostics of all documents; a file that has none any more is told so."""
        found = diagnostics.by_file(self.session.analyses(), self.units, self.uri_of)
        versions = {each.uri: each.version for each in self.session.documents if each.current}
        told = {self.uri_of(path): list(each) for path, each in found.items()}
        for uri in {*self._published, *told, *versions}:
            self.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(uri, told.get(uri, []), versions.get(uri))
            )
        self._published = set(told)

    def _tell(self, document: Document) -> None:
        analysis = document.analysis
        assert analysis is not None
        self.publish()
        if analysis.trouble:
            self._show(analysis.trouble)
        for crash in analysis.result.crashes:
            self._log(f"internal error in {crash.stage} on {crash.where}: {crash.error}\n{crash.traceback}")
        for trouble in {layout.trouble for layout in analysis.result.layouts if layout.trouble}:
            self._log(trouble)
        capabilities = self.client_capabilities.workspace
        if capabilities is not None and capabilities.inlay_hint and capabilities.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None)
        if capabilities is not None and capabilities.code_lens and capabilities.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None)

    def _fail(self, path: str, error: Exception) -> None:
        self._log(f"internal error on {path}: {type(error).__name__}: {error}")

    def _log(self, message: str) -> None:
        self.window_log_message(types.LogMessageParams(types.MessageType.Warning, f"prefixlint: {message}"))

    def _show(self, message: str) -> None:
        """Says it once: the same configuration is read again with every change of a text."""
        if message not in self._told:
            self._told.add(message)
            self.window_show_message(types.ShowMessageParams(types.MessageType.Warning, f"prefixlint: {message}"))

    def forget_told(self) -> None:
        """What is still wrong is said again."""
        self._told.clear()


def create() -> PrefixlintServer:
    """The server with everything that it answers to."""
    server = PrefixlintServer()
    _life(server)
    _documents(server)
    _answers(server)
    return server


def serve() -> None:
    """Speaks the protocol on standard input and output until the client has gone."""
    # Unlike a run that ends, a server has to find what earlier runs left behind.
    gc.enable()
    server = create()
    stdin, stdout = sys.stdin.buffer, sys.stdout.buffer
    # Whatever prints by mistake must not come between the messages.
    with contextlib.redirect_stdout(sys.stderr):
        server.start_io(cast("BinaryIO", Bounded(stdin)), stdout)


def _life(server: PrefixlintServer) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(ls: PrefixlintServer, params: types.InitializeParams) -> None:
        ls.begin(params)

    @server.feature(types.INITIALIZED)
    async def initialized(ls: PrefixlintServer, params: types.InitializedParams) -> None:
        workspace = ls.client_capabilities.workspace
        watched = workspace.did_change_watched_files if workspace is not None else None
        if watched is not None and watched.dynamic_registration:
            watchers = [types.FileSystemWatcher(pattern) for pattern in WATCHED]
            options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
            registration = types.Registration("watched", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            await ls.client_register_capability_async(types.RegistrationParams([registration]))

    @server.feature(types.SHUTDOWN)
    def shutdown(ls: PrefixlintServer, params: None) -> None:
        ls.session.close_all()

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def watched_files(ls: PrefixlintServer, params: types.DidChangeWatchedFilesParams) -> None:
        ls.forget_told()
        ls.session.all_due()

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def configuration(ls: PrefixlintServer, params: types.DidChangeConfigurationParams) -> None:
        if params.settings:
            ls.use_settings(params.settings)
        ls.forget_told()
        ls.session.all_due()

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    async def folders(ls: PrefixlintServer, params: types.DidChangeWorkspaceFoldersParams) -> None:
        ls.set_folders(list(ls.workspace.folders))
        ls.session.all_due()


def _documents(server: PrefixlintServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(ls: PrefixlintServer, params: types.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        ls.session.opened(document.uri, ls.path_of(document.uri, document.language_id), document.text, document.version)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(ls: PrefixlintServer, params: types.DidChangeTextDocumentParams) -> None:
        uri = params.text_document.uri
        ls.session.changed(uri, ls.workspace.get_text_document(uri).source, params.text_document.version)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def saved(ls: PrefixlintServer, params: types.DidSaveTextDocumentParams) -> None:
        # A client that watches no files tells at least what it saves itself.
        if os.path.basename(uris.to_fs_path(params.text_document.uri) or "") in CONFIG_FILES:
            ls.forget_told()
            ls.session.all_due()

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(ls: PrefixlintServer, params: types.DidCloseTextDocumentParams) -> None:
        ls.session.closed(params.text_document.uri)
        ls.publish()


def _answers(server: PrefixlintServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hovered(ls: PrefixlintServer, params: types.HoverParams) -> types.Hover | None:
        analysis = await ls.session.current(params.text_document.uri)
        if analysis is None:
            return None
        found = hover.at(analysis, ls.units.position(analysis.source, params.position))
        if found is None:
            return None
        span, text = found
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), ls.units.range(analysis.source, span))

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    async def inlay_hints(ls: PrefixlintServer, params: types.InlayHintParams) -> list[types.InlayHint]:
        wanted = ls.session.settings.inlay_hints
        analysis = await ls.session.current(params.text_document.uri)
        if analysis is None or wanted == "off":
            return []
        lines = wanted == "lines"
        found = hints.hints(analysis, lines=lines, first=params.range.start.line + 1, last=params.range.end.line + 1)
        return [
            types.InlayHint(
                ls.units.place(analysis.source, hint.position),
                hint.label,
                tooltip=hint.tooltip,
                padding_left=True,
                padding_right=True,
            )
            for hint in found
        ]

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    async def code_lenses(ls: PrefixlintServer, params: types.CodeLensParams) -> list[types.CodeLens]:
        analysis = await ls.session.current(params.text_document.uri)
        if analysis is None or not ls.session.settings.code_lens:
            return []
        out = []
        for lens in hints.lenses(analysis):
            place = ls.units.place(analysis.source, lens.position)
            command = types.Command(lens.title, OPEN_REPORT, arguments=[params.text_document.uri])
            out.append(types.CodeLens(types.Range(place, place), command))
        return out

    options = types.CodeActionOptions([types.CodeActionKind.QuickFix, FIX_ALL])

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)
    async def code_actions(ls: PrefixlintServer, params: types.CodeActionParams) -> list[types.CodeAction]:
        uri = params.text_document.uri
        analysis = await ls.session.current(uri)
        if analysis is None:
            return []
        place = params.range
        first, last = (ls.units.position(analysis.source, each) for each in (place.start, place.end))
        out: list[types.CodeAction] = []
        if wants(params, types.CodeActionKind.QuickFix):
            for make in (actions.fixes, actions.suppressions):
                found = await ls.session.in_turn(partial(make, analysis, first, last))
                out += [ls.code_action(each, analysis, uri, types.CodeActionKind.QuickFix) for each in found]
        # Asked for by name, as on saving: it takes a while in a file with many findings.
        if params.context.only and wants(params, FIX_ALL):
            fixed = await ls.session.in_turn(partial(actions.all_fixes, analysis))
            out += [ls.code_action(fixed, analysis, uri, FIX_ALL)] if fixed is not None else []
        return out

    @server.command(OPEN_REPORT)
    async def open_report(ls: PrefixlintServer, uri: str) -> str | None:
        """Writes the report on one document as HTML, and asks the client to show it. Gives the file's address."""
        analysis = await ls.session.current(uri)
        if analysis is None:
            return None
        address = str(uris.from_fs_path(_written(analysis)))
        window = ls.client_capabilities.window
        if window is not None and window.show_document is not None and window.show_document.support:
            await ls.window_show_document_async(types.ShowDocumentParams(address, external=True))
        return address


def wants(params: types.CodeActionParams, kind: str) -> bool:
    """Does the client ask for actions of this kind, or of one that it belongs to?"""
    only = params.context.only
    return not only or any(kind == each or kind.startswith(f"{each}.") for each in map(_name, only))


def _name(kind: types.CodeActionKind | str) -> str:
    return str(getattr(kind, "value", kind))


def _written(analysis: Analysis) -> str:
    from prefixlint.report import html

    folder = tempfile.mkdtemp(prefix="prefixlint-")
    path = os.path.join(folder, "report.html")
    with open(path, "w", encoding="utf-8", errors="backslashreplace") as stream:
        stream.write(html.report(replace(analysis.result, files=1)))
    return path
