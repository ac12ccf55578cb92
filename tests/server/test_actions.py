"""Code actions: what they do to the text, and that the finding is gone then."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from editor import Editor, editor
from lsprotocol import types

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    Talk = Callable[[Editor], Awaitable[None]]
    Run = Callable[[Talk], None]

RULES = "".join(f"Rule {number}: a boat that comes in after dusk waits for pier {number}.\n" for number in range(9))
LISTING = f'''\
import os
from openai import OpenAI


def ask(folder, question):
    names = ", ".join(os.listdir(folder))  # \U0001f6a2
    return OpenAI().chat.completions.create(
        model="gpt-4o",
        messages=[
            {{"role": "system", "content": "\U0001f6a2 Files: " + names + """{RULES}"""}},
            {{"role": "user", "content": question}},
        ],
    )
'''
CLOCK = f'''\
from datetime import datetime
from openai import OpenAI


def ask(question):
    system = f"""Now: {{datetime.now()}}

{RULES}"""
    return OpenAI().chat.completions.create(
        model="gpt-4o", messages=[{{"role": "system", "content": system}}, {{"role": "user", "content": question}}]
    )
'''
YAML = "_type: prompt\ninput_variables: [question]\ntemplate: |\n  Question: {question}\n" + "".join(
    f"  {line}\n" for line in RULES.splitlines()
)
JINJA = "You are the harbour master's assistant. It is {{ current_time }}.\n" + RULES


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    async def within(talk: Talk, client: Editor) -> None:
        client.forget()
        await talk(client)

    with asyncio.Runner() as runner:
        opening = editor(tmp_path_factory.mktemp("project"))
        client = runner.run(opening.__aenter__())
        yield lambda talk: runner.run(within(talk, client))
        runner.run(opening.__aexit__(None, None, None))


def applied(text: str, edits: list[types.TextEdit]) -> str:
    """The text after the edits, as an editor makes them: offsets in UTF-16, from the last one to the first."""
    units = text.encode("utf-16-le")
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len((line + "\n").encode("utf-16-le")))

    def offset(place: types.Position) -> int:
        return starts[place.line] + 2 * place.character

    for edit in sorted(edits, key=lambda each: offset(each.range.start), reverse=True):
        new = edit.new_text.encode("utf-16-le")
        units = units[: offset(edit.range.start)] + new + units[offset(edit.range.end) :]
    return units.decode("utf-16-le")


async def actions(client: Editor, name: str, line: int, *only: str) -> list[types.CodeAction]:
    place = types.Range(types.Position(line, 0), types.Position(line, 500))
    context = types.CodeActionContext([], only=list(only) or None)
    found = await client.text_document_code_action_async(
        types.CodeActionParams(client.identifier(name), place, context)
    )
    return [each for each in found or () if isinstance(each, types.CodeAction)]


def edits(client: Editor, name: str, action: types.CodeAction) -> list[types.TextEdit]:
    assert action.edit is not None
    assert action.edit.changes is not None
    (found,) = action.edit.changes.values()
    assert list(action.edit.changes) == [client.uri(name)]
    return list(found)


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n")


async def mended(client: Editor, name: str, text: str, action: types.CodeAction) -> str:
    """The text after the action; the server has nothing to say of it any more."""
    new = applied(text, edits(client, name, action))
    assert await client.codes(name, client.change(name, new)) == []
    return new


def test_a_safe_fix_comes_first(run: Run) -> None:
    async def talk(client: Editor) -> None:
        client.open("files.py", LISTING)
        line = line_of(LISTING, "+ names")
        fix, silence = await actions(client, "files.py", line)
        assert fix.kind == "quickfix"
        assert fix.is_preferred
        assert fix.title.startswith("PFX202: ")
        assert [each.code for each in fix.diagnostics or ()] == ["PFX202"]
        assert silence.title == "Suppress PFX202 here with a comment"
        new = await mended(client, "files.py", LISTING, fix)
        assert new == LISTING.replace("os.listdir(folder)", "sorted(os.listdir(folder))")
        assert await actions(client, "files.py", 0) == []

    run(talk)


def test_all_safe_fixes_at_once(run: Run) -> None:
    async def talk(client: Editor) -> None:
        client.open("files.py", LISTING)
        assert await actions(client, "files.py", 0, "source.organizeImports") == []
        for kind in ("source.fixAll", "source.fixAll.prefixlint", "source"):
            (every,) = await actions(client, "files.py", 0, kind)
            assert every.kind == "source.fixAll.prefixlint"
        new = await mended(client, "files.py", LISTING, every)
        assert new == LISTING.replace("os.listdir(folder)", "sorted(os.listdir(folder))")

    run(talk)


@pytest.mark.parametrize(
    ("name", "text", "place", "comment", "above"),
    [
        ("files.py", LISTING, "+ names", "            # prefixlint: ignore[PFX202]\n", '            {"role": "system"'),
        ("clock.py", CLOCK, "Now: ", "    # prefixlint: ignore[PFX101]\n", "    system ="),
        ("ask.yaml", YAML, "{question}", "# prefixlint: ignore[PFX105]\n", "template:"),
    ],
)
def test_a_comment_that_silences(run: Run, name: str, text: str, place: str, comment: str, above: str) -> None:
    async def talk(client: Editor) -> None:
        client.open(name, text, name.rpartition(".")[2])
        found = await actions(client, name, line_of(text, place))
        silence = next(each for each in found if each.title.startswith("Suppress"))
        assert await mended(client, name, text, silence) == text.replace(above, comment + above)

    run(talk)


def test_a_jinja_comment_adds_no_text(run: Run) -> None:
    async def talk(client: Editor) -> None:
        (client.root / "prompts").mkdir(exist_ok=True)
        name = "prompts/desk.jinja"
        client.open(name, JINJA, "jinja")
        assert await client.codes(name, 1) == ["PFX101"]
        found = await actions(client, name, 0)
        silence = next(each for each in found if each.title.startswith("Suppress"))
        first, _, rest = JINJA.partition("\n")
        assert await mended(client, name, JINJA, silence) == f"{first}{{# prefixlint: ignore[PFX101] #}}\n{rest}"

    run(talk)
