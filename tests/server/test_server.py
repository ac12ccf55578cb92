"""The language server over its standard streams, asked by a real client."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any

import pytest
from editor import Editor, editor
from lsprotocol import types
from prefixlint.tokens import get_tokenizer

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from pathlib import Path

    Talk = Callable[[Editor], Awaitable[None]]
    Run = Callable[[Talk], None]

RULES = "Answer in one short sentence, name the page of the handbook, and never guess a price. " * 12
SMILE = "\U0001f600"  # two units of UTF-16, four bytes of UTF-8, one character


def program(system: str) -> str:
    """A program whose system text is the expression ``system``; line 6 holds it, behind a smile."""
    return f'''\
from datetime import datetime
from openai import OpenAI
RULES = """{RULES}"""
def answer(question: str) -> object:
    return OpenAI().chat.completions.create(model="gpt-4o", messages=[
        {{"role": "system", "content": {system}}},
        {{"role": "user", "content": question}},
    ])
'''


STAMPED = program(f'f"{SMILE} {{datetime.now():%H:%M}} {{RULES}}"')
MENDED = program("RULES")
FIELD = f'        {{"role": "system", "content": f"{SMILE} '
"""What stands in front of the value on its line."""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Lets a test talk to one server that all of them share, each with documents of its own."""
    root = tmp_path_factory.mktemp("project")
    with asyncio.Runner() as runner:
        opening = editor(root)
        client = runner.run(opening.__aenter__())
        yield lambda talk: runner.run(_within(talk, client))
        runner.run(opening.__aexit__(None, None, None))


async def _within(talk: Talk, client: Editor) -> None:
    client.forget()
    await talk(client)


def run_alone(root: Path, talk: Talk, **options: Any) -> None:
    """The same with a server of its own, which may be told other things at its start."""

    async def whole() -> None:
        async with editor(root, **options) as client:
            await talk(client)

    asyncio.run(whole())


def test_diagnostics_follow_the_unsaved_text(run: Run) -> None:
    async def talk(client: Editor) -> None:
        client.open("desk.py", STAMPED)
        assert await client.codes("desk.py", 1) == ["PFX101"]
        assert await client.codes("desk.py", client.change("desk.py", MENDED)) == []
        assert await client.codes("desk.py", client.change("desk.py", STAMPED)) == ["PFX101"]
        assert await client.codes("desk.py", client.change("desk.py", STAMPED + "def broken(:\n")) == ["PFX901"]
        client.close("desk.py")
        await client.until(lambda: not client.diagnostics[client.uri("desk.py")].diagnostics)

    run(talk)


def test_a_burst_of_keys_is_one_analysis(run: Run) -> None:
    async def talk(client: Editor) -> None:
        client.open("desk.py", MENDED)
        await client.codes("desk.py", 1)
        for number in range(20):
            last = client.change("desk.py", STAMPED + f"# {number}\n")
        await client.codes("desk.py", last)
        told = [each.version for each in client.published if each.uri == client.uri("desk.py")]
        assert told[0] == 1
        assert told[-1] == last
        assert len(told) < 6

    run(talk)


@pytest.mark.parametrize(("encoding", "units"), [(None, 2), ("utf-16", 2), ("utf-8", 4), ("utf-32", 1)], ids=str)
def test_places_count_what_client_and_server_agreed_on(tmp_path: Path, encoding: str | None, units: int) -> None:
    async def talk(client: Editor) -> None:
        client.open("desk.py", STAMPED)
        await client.codes("desk.py", 1)
        (found,) = client.diagnostics[client.uri("desk.py")].diagnostics
        start = len(FIELD) - 1 + units
        assert found.range.start == types.Position(5, start)
        assert found.range.end == types.Position(5, start + len("{datetime.now():%H:%M}"))
        for character, there in ((start, True), (start - 1, False)):
            place = types.Position(5, character)
            hover = await client.text_document_hover_async(types.HoverParams(client.identifier("desk.py"), place))
            assert hover is not None
            assert ("datetime.now()" in str(hover.contents)) is there

    run_alone(tmp_path, talk, encodings=[encoding] if encoding else None)


def test_a_diagnostic_says_all_that_a_finding_says(run: Run) -> None:
    async def talk(client: Editor) -> None:
        client.open("desk.py", STAMPED)
        await client.codes("desk.py", 1)
        (found,) = client.diagnostics[client.uri("desk.py")].diagnostics
        assert found.severity is types.DiagnosticSeverity.Error
        assert found.source == "prefixlint"
        assert found.message.startswith("`datetime.now()` changes with every request")
        assert found.related_information is not None
        (sent,) = found.related_information
        assert (sent.location.uri, sent.location.range.start.line) == (client.uri("desk.py"), 4)

    run(talk)


def test_hover_tells_lifetime_origin_and_cost(run: Run) -> None:
    async def hover(client: Editor, line: int, character: int) -> str | None:
        place = types.Position(line, character)
        found = await client.text_document_hover_async(types.HoverParams(client.identifier("desk.py"), place))
        if found is None:
            return None
        assert isinstance(found.contents, types.MarkupContent)
        return found.contents.value

    async def talk(client: Editor) -> None:
        client.open("desk.py", STAMPED)
        told = await hover(client, 5, len(FIELD) + 3)
        assert told is not None
        assert "`datetime.now()`: **request** (clock), changes with every request" in told
        found = re.search(r"strands (\d+) stable tokens", told)
        assert found is not None
        # The rules, and of the framing that stays: 4 tokens a message, 3 for the answer.
        rules = len(get_tokenizer("o200k_base").encode(RULES))
        assert rules <= int(found[1]) <= rules + 2 * 4 + 3
        text = await hover(client, 2, 20)
        assert text is not None
        assert "computed again with every request" in text
        assert await hover(client, 0, 3) is None
        assert await hover(client, 400, 0) is None

    run(talk)


def test_code_lens_and_report(run: Run) -> None:
    async def talk(client: Editor) -> None:
        client.open("desk.py", MENDED)
        lenses = await client.text_document_code_lens_async(types.CodeLensParams(client.identifier("desk.py")))
        assert lenses is not None
        (lens,) = lenses
        assert lens.range.start.line == 4
        assert lens.command is not None
        tokens = len(get_tokenizer("o200k_base").encode(RULES))
        words = lens.command.title.replace(",", "").split()
        assert words[:2] == ["stable", "prefix"]
        assert tokens < int(words[2]) <= tokens + 8
        command = types.ExecuteCommandParams(lens.command.command, lens.command.arguments)
        address = await client.workspace_execute_command_async(command)
        assert client.shown == [address]
        page = (await asyncio.to_thread(_read, str(address))).lower()
        assert page.startswith("<!doctype html>")
        assert "desk.py" in page

    run(talk)


def _read(address: str) -> str:
    from pathlib import Path
    from urllib.parse import unquote, urlparse

    return Path(unquote(urlparse(address).path)).read_text(encoding="utf-8")


def test_inlay_hints_run_through_the_prompt(tmp_path: Path) -> None:
    lines = "".join(f"Rule {number}: be brief, and name the page.\n" for number in range(30))
    text = f'''\
from openai import OpenAI
def answer(question: str) -> object:
    return OpenAI().chat.completions.create(model="gpt-4o", messages=[
        {{"role": "system", "content": """{lines}"""}},
        {{"role": "user", "content": question}},
    ])
'''
    encode = get_tokenizer("o200k_base").encode

    async def labels(client: Editor) -> dict[int, str]:
        everything = types.Range(types.Position(0, 0), types.Position(100, 0))
        found = await client.text_document_inlay_hint_async(
            types.InlayHintParams(client.identifier("desk.py"), everything)
        )
        return {hint.position.line: str(hint.label) for hint in found or ()}

    async def values(client: Editor) -> None:
        client.open("desk.py", text)
        assert list(await labels(client)) == [3, 34]

    async def every_line(client: Editor) -> None:
        client.open("desk.py", text)
        found = await labels(client)
        first = int(found[3])
        assert first == 3  # <|im_start|>system<|im_sep|>
        for number in (1, 2, 17, 29):
            # A line ends in a token of its own line break here, so the counts of the texts add up.
            before = "".join(lines.splitlines(keepends=True)[:number])
            assert int(found[3 + number]) == first + len(encode(before)), number

    async def none(client: Editor) -> None:
        client.open("desk.py", text)
        assert await labels(client) == {}

    run_alone(tmp_path, values)
    run_alone(tmp_path, every_line, settings={"inlayHints": "lines"})
    run_alone(tmp_path, none, settings={"inlayHints": "off"})


def test_a_value_in_another_file_is_shown_there_and_follows_it(run: Run) -> None:
    prompts = (
        f'from datetime import datetime\nRULES = """{RULES}"""\n'
        'def system() -> str:\n    return f"{datetime.now()} {RULES}"\n'
    )
    main = (
        "from openai import OpenAI\nfrom prompts import system\n"
        "def answer(question: str) -> object:\n"
        '    return OpenAI().chat.completions.create(model="gpt-4o", messages=[\n'
        '        {"role": "system", "content": system()}, {"role": "user", "content": question}])\n'
    )

    async def talk(client: Editor) -> None:
        (client.root / "prompts.py").write_text(prompts)
        client.open("main.py", main)
        assert await client.codes("main.py", 1) == []
        uri = client.uri("prompts.py")
        await client.until(lambda: uri in client.diagnostics)
        (found,) = client.diagnostics[uri].diagnostics
        assert (found.code, found.range.start.line) == ("PFX101", 3)
        # Now it is opened and mended, and nothing is saved.
        client.open("prompts.py", prompts)
        client.change("prompts.py", f'RULES = """{RULES}"""\ndef system() -> str:\n    return RULES\n')
        await client.until(lambda: not client.diagnostics[uri].diagnostics)

    run(talk)


def test_configuration_is_read_again(tmp_path: Path) -> None:
    config = tmp_path / "prefixlint.toml"

    def changed(client: Editor) -> None:
        event = types.FileEvent(client.uri("prefixlint.toml"), types.FileChangeType.Changed)
        client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))

    async def talk(client: Editor) -> None:
        client.open("desk.py", STAMPED)
        await client.until(lambda: client.registered)
        assert client.registered == [types.WORKSPACE_DID_CHANGE_WATCHED_FILES]
        assert await client.codes("desk.py", 1) == ["PFX101"]
        config.write_text('ignore = ["PFX101"]\n')
        changed(client)
        await client.until(lambda: not client.diagnostics[client.uri("desk.py")].diagnostics)
        config.write_text('ignore = ["PFX999"]\n')
        changed(client)
        await client.until(lambda: client.uri("prefixlint.toml") in client.diagnostics)
        (found,) = client.diagnostics[client.uri("prefixlint.toml")].diagnostics
        assert found.code == "PFX903"
        assert "PFX999" in found.message
        await client.until(lambda: any("PFX999" in message for message in client.messages))
        config.write_text('exclude = ["desk.py"]\n')
        changed(client)
        await client.until(lambda: not client.diagnostics[client.uri("prefixlint.toml")].diagnostics)
        assert not client.diagnostics[client.uri("desk.py")].diagnostics
        config.unlink()
        changed(client)
        await client.until(lambda: client.diagnostics[client.uri("desk.py")].diagnostics)

    run_alone(tmp_path, talk)


def test_settings(tmp_path: Path) -> None:
    async def talk(client: Editor) -> None:
        await client.until(lambda: client.messages)
        assert any("'inlayHint'" in message for message in client.messages)
        client.open("desk.py", STAMPED)
        # Too short for a provider's cache that the user chose himself: an info, which is shown where that is wanted.
        assert await client.codes("desk.py", 1) == ["PFX101"]
        (found,) = client.diagnostics[client.uri("desk.py")].diagnostics
        assert found.severity is types.DiagnosticSeverity.Information
        settings = {"prefixlint": {"target": ["vllm"]}}
        client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings))
        uri = client.uri("desk.py")
        await client.until(lambda: client.diagnostics[uri].diagnostics[0].severity is types.DiagnosticSeverity.Error)

    run_alone(tmp_path, talk, settings={"target": "openai:gpt-4o", "showInfo": True, "inlayHint": "off"})


def test_a_document_without_a_file_and_one_that_holds_no_prompt(run: Run) -> None:
    async def talk(client: Editor) -> None:
        untitled = "untitled:Untitled-1"
        item = types.TextDocumentItem(untitled, "python", 1, STAMPED)
        client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        await client.until(lambda: untitled in client.diagnostics)
        assert [each.code for each in client.diagnostics[untitled].diagnostics] == ["PFX101"]
        client.open("notes.rst", "no prompt", "restructuredtext")
        assert await client.codes("notes.rst", 1) == []
        client.open("plain.py", "# -*- coding: latin-1 -*-\nNAME = 'Größe'\n")
        assert await client.codes("plain.py", 1) == []
        assert client.logged == []

    run(talk)


def test_a_form_feed_and_other_separators_are_no_line_ends(run: Run) -> None:
    text = (
        STAMPED.replace("def answer", "\f\ndef answer")
        .replace("answer(question", "answer(question")
        .replace("from openai", "MARKS = '\x0b\x85\u2028'\nfrom openai")
    )

    async def talk(client: Editor) -> None:
        client.open("desk.py", text)
        assert await client.codes("desk.py", 1) == ["PFX101"]
        assert client.diagnostics[client.uri("desk.py")].diagnostics[0].range.start.line == 7
        version = client.change("desk.py", "\n" + text)
        assert await client.codes("desk.py", version) == ["PFX101"]
        assert client.diagnostics[client.uri("desk.py")].diagnostics[0].range.start.line == 8

    run(talk)
