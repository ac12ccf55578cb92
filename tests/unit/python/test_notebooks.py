"""Notebooks: which cells are read as what, and that each character keeps its place in the JSON."""

from __future__ import annotations

import ast
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prefixlint.config import Config
from prefixlint.frontends.python.notebooks import read
from prefixlint.model.sources import Position, SourceFile
from prefixlint.run.pipeline import run

if TYPE_CHECKING:
    from pathlib import Path

RULES = "You answer members of a climbing hall. They bring their own rope and sign the list at the door.\n" * 8
CLIENT = f'from openai import OpenAI\nfrom datetime import datetime\nclient = OpenAI()\nRULES = """{RULES}"""'
ASK = """def ask(question):
    return client.chat.completions.create(model="gpt-4o", messages=[
        {"role": "system", "content": f"é🙂\\tIt is {datetime.now()}\\n{RULES}"},
        {"role": "user", "content": question},
    ])"""


def cell(source: object, **more: object) -> dict[str, object]:
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": source, **more}


def body(*cells: object, language: str = "python", **more: object) -> dict[str, object]:
    metadata = {"language_info": {"name": language}}
    return {"cells": list(cells), "metadata": metadata, "nbformat": 4, "nbformat_minor": 5, **more}


def lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def code(*cells: object, **more: str) -> str:
    """The module that the cells are."""
    notebook, problems = read(SourceFile("a.ipynb", json.dumps(body(*cells, **more))))
    assert problems == ()
    return notebook.code.text if notebook is not None else ""


def findings(text: str, tmp_path: Path, name: str = "a.ipynb") -> Any:
    result = run([], Config(root=str(tmp_path)), stdin=(name, text.encode()))
    assert result.crashes == ()
    return result


# What is code ---------------------------------------------------------------------------------------------------------


def test_code_cells_are_one_module_in_order() -> None:
    prose = {"cell_type": "markdown", "metadata": {}, "source": ["x = 0"]}
    assert (
        code(cell(["a = 1\n", "b = 2"]), prose, cell("c = 3\n"), cell([]), cell("d = 4"))
        == "a = 1\nb = 2\nc = 3\nd = 4\n"
    )


@pytest.mark.parametrize(
    ("command", "python"),
    [
        ("%matplotlib inline", "pass"),
        ("!pip install 'openai", "pass"),
        ("?print", "pass"),
        ("print?", "pass"),
        ("client.chat??", "pass"),
        ("pip install openai[x]", "pass"),
        ("/print a", "pass"),
        ("files = !ls *.py", "files = get_ipython()"),
        ("took = %timeit -o f()", "took = get_ipython()"),
        ("    %cd ..", "    pass"),
        ("!curl -X POST \\\n  --data 'x' \\\n  http://localhost", "pass"),
    ],
)
def test_commands_do_nothing(command: str, python: str) -> None:
    before = "if True:\n" if python.startswith(" ") else "a = 1\n"
    assert code(cell(f"{before}{command}\nb = 2")) == f"{before}{python}\nb = 2\n"


@pytest.mark.parametrize(
    "text",
    [
        'p = """\n%s is here\n!ls\nwhy?\n"""\n',
        "p = (a\n% b\n)\n",
        "p = 'It''s' # '''\nq = 1\n",
        "p = ''''x\n?'''\n",
        "p = '\\\n!x'\n",
        "a: int = 3 # 100%?\n",
        'x = "a" "?"\n',
        "pip = 3\npip - a\n",
        "def f():\n    '''\n    %magic\n    '''\n    return a % b\n",
        "p = '''\\''' \n!x'''\n",
    ],
)
def test_text_that_looks_like_commands_is_kept(text: str) -> None:
    ast.parse(text)
    assert code(cell(text)) == text


def test_cells_in_other_languages_are_left_out() -> None:
    assert code(cell("%%bash\nls"), cell("# x\n%%html\n<b>"), cell("%%time\na = 1")) == "pass\na = 1\n"
    assert code(cell("SELECT 1", metadata={"vscode": {"languageId": "sql"}}), cell("a = 1")) == "a = 1\n"
    assert code(cell("x <- 1"), language="R") == ""


def test_a_cell_may_be_indented_as_a_whole() -> None:
    assert code(cell("    a = 1\n    if a:\n        b = 2\n")) == "a = 1\nif a:\n    b = 2\n"


# Places ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize("whole", [True, False])
def test_findings_stand_in_the_json(tmp_path: Path, indent: int | None, ascii_only: bool, whole: bool) -> None:
    prose = {"cell_type": "markdown", "metadata": {}, "source": ["# Ask"]}
    parts = [prose, cell(CLIENT if whole else lines(CLIENT)), cell(ASK if whole else lines(ASK))]
    text = json.dumps(body(*parts), indent=indent, ensure_ascii=ascii_only)
    result = findings(text, tmp_path)
    (finding,) = result.findings
    file = SourceFile("a.ipynb", text)
    assert finding.code == "PFX101"
    assert text[file.offset(finding.span.start) : file.offset(finding.span.end)] == "{datetime.now()}"
    assert finding.message.startswith("cell 3, line 3: `datetime.now()` ")
    (call,) = [each for each in finding.related if each.note == "sent here"]
    assert text[file.offset(call.span.start) :].startswith("client.chat.completions.create(")
    # As the same code in a Python file has it.
    same = findings(f"{CLIENT}\n{ASK}\n", tmp_path, "a.py").findings[0]
    assert (finding.stranded_tokens, finding.stable_tokens_before) == (same.stranded_tokens, same.stable_tokens_before)


@given(
    cells=st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0%!?/;,"), max_size=40), max_size=5),
    indent=st.sampled_from([None, 1]),
    ascii_only=st.booleans(),
    whole=st.booleans(),
)
def test_each_character_has_its_place(cells: list[str], indent: int | None, ascii_only: bool, whole: bool) -> None:
    """Cells are strings of Python, so that whatever is in them stays."""
    sources = [
        f"x = {text!r}\ny = '''{text.translate(dict.fromkeys(map(ord, chr(39) + chr(92))))}'''" for text in cells
    ]
    written = [cell(source if whole else source.splitlines(keepends=True)) for source in sources]
    text = json.dumps(body(*written), indent=indent, ensure_ascii=ascii_only)
    notebook, _ = read(SourceFile("a.ipynb", text))
    assert notebook is not None
    for at, char in enumerate(notebook.code.text):
        span = notebook.origin.span(at, at + 1)
        place = span.start
        if span.start == span.end:
            assert char == "\n"  # the one that a cell's last line lacks
            continue
        assert json.loads(f'"{text[notebook.offset(span.start) : notebook.offset(span.end)]}"') == char
        line = notebook.code.position(at).line
        assert notebook.code_line(place) == line
        number, within = notebook.cell_line(place) or (0, 0)
        source = SourceFile("", sources[number - 1])
        assert source.line(within).rstrip("\r\n") == notebook.code.line(line).rstrip("\r\n")


def test_comments_silence_findings_of_their_own_cell(tmp_path: Path) -> None:
    silenced = ASK.replace(
        '        {"role": "system"', '        # prefixlint: ignore[PFX101]\n        {"role": "system"'
    )
    again = ASK.replace("def ask", "def ask_again")
    for whole in (True, False):
        parts = [cell(each if whole else lines(each)) for each in (CLIENT, silenced, again)]
        result = findings(json.dumps(body(*parts)), tmp_path)
        assert [(each.code, each.message[:15]) for each in result.findings] == [("PFX101", "cell 3, line 3:")]
        assert result.suppressed == 1


# Broken and large ones ------------------------------------------------------------------------------------------------


def test_a_cell_in_newer_syntax_is_read(tmp_path: Path) -> None:
    ask = ASK.replace("\\n{RULES}", "{'\\n'.join(['', RULES])}")
    assert ask != ASK
    result = findings(json.dumps(body(cell(CLIENT), cell(ask))), tmp_path)
    assert [each.code for each in result.findings] == ["PFX101"]


def test_a_broken_cell_is_told_and_the_others_are_read(tmp_path: Path) -> None:
    text = json.dumps(
        body(cell(CLIENT), cell("prompt = (1,\n\nx = ["), cell("nothing (of interest"), cell(ASK)), indent=1
    )
    result = findings(text, tmp_path)
    assert [(each.code, each.message.partition(": ")[0]) for each in result.findings] == [
        ("PFX901", "cell 2, line 3"),
        ("PFX101", "cell 4, line 3"),
    ]
    place = SourceFile("a.ipynb", text).offset(result.findings[0].span.start)
    assert text[:place].endswith('"source": "prompt = (1,\\n\\nx = ')


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ('{"cells": [{"cell_type": "code", "source": "prompt', Position(1, 44), "not complete or not JSON"),
        ('{"cells": "prompt"}', Position(1, 1), "no list of cells"),
        ('{"worksheets": [{"cells": [{"input": "prompt"}]}]}', Position(1, 1), "format 4"),
        ('["prompt"]', Position(1, 1), "no list of cells"),
        ('{"cells": ' + "[" * 500 + '"prompt"', Position(1, 74), "nested deeper"),
    ],
)
def test_a_broken_notebook_is_told(tmp_path: Path, text: str, place: Position, words: str) -> None:
    (finding,) = findings(text, tmp_path).findings
    assert (finding.code, finding.span.start) == ("PFX901", place)
    assert words in finding.message


def test_odd_cells_are_passed_over() -> None:
    odd: list[object] = [
        None,
        3,
        "x = 1",
        [],
        {"cell_type": "code"},
        cell(None),
        cell([1, None, "a = 1\n", ["b"]]),
        cell({"a": 1}),
    ]
    assert code(*odd, cell("c = 1")) == "a = 1\nc = 1\n"


def test_pictures_do_not_count(tmp_path: Path) -> None:
    """Larger than other files may be, and found all the same."""
    picture = {"output_type": "display_data", "data": {"image/png": "iVBORw0KGgo" * 300_000}, "metadata": {}}
    text = json.dumps(body(cell(lines(CLIENT), outputs=[picture]), cell(lines(ASK), outputs=[picture])), indent=1)
    path = tmp_path / "a.ipynb"
    path.write_text(text)
    assert path.stat().st_size > 3 * Config(root="").max_file_size
    result = run([str(tmp_path)], Config(root=str(tmp_path)))
    assert [(each.code, each.message[:15]) for each in result.findings] == [("PFX101", "cell 2, line 3:")]


def test_no_fix_is_offered(tmp_path: Path) -> None:
    from prefixlint.run.fixing import mend

    (tmp_path / "a.ipynb").write_text(json.dumps(body(cell(lines(CLIENT)), cell(lines(ASK))), indent=1))
    config = Config(root=str(tmp_path))
    result = run([str(tmp_path)], config)
    mended = mend(result, lambda texts: run([str(tmp_path)], config, unsaved=tuple(texts.values())), unsafe=True)
    assert (len(result.findings), mended.changed) == (1, ())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("files = !ls\n", "files = get_ipython()\n"),
        ("a.b, c[0] ,d['x y']\t=\t%time 2\n", "a.b, c[0] ,d['x y']\t=\tget_ipython()\n"),
        ("x" + " " * 200_000 + "\n", "x" + " " * 200_000 + "\n"),
        ("x" + " " * 200_000 + "= !ls\n", "x" + " " * 200_000 + "= get_ipython()\n"),
    ],
)
def test_results_of_commands_are_kept_by_targets_however_far_away(text: str, expected: str) -> None:
    assert code(cell(text)) == expected
