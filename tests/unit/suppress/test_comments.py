"""Which lines each comment speaks for, by hand."""

from __future__ import annotations

import pytest
from prefixlint.model.sources import SourceFile
from prefixlint.suppress.comments import comments


def spoken_for(path: str, text: str) -> list[tuple[int, int]]:
    return [(comment.first, comment.last) for comment in comments(SourceFile(path, text))]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        # Above a statement, with and without blank lines and other comments between.
        ("# prefixlint: ignore\nx = 1\ny = 2\n", [(2, 2)]),
        ("# prefixlint: ignore\n\n# more\nx = 1\n", [(4, 4)]),
        # The whole statement, a triple-quoted prompt too.
        ('# prefixlint: ignore\nx = f"""a\n{b}\nc"""\ny = 1\n', [(2, 4)]),
        ("# prefixlint: ignore\nx = (\n 1,\n 2)\ny = 1\n", [(2, 4)]),
        ("# prefixlint: ignore\nx = 1 + \\\n  2\ny = 1\n", [(2, 3)]),
        # On the last line.
        ("x = 1  # prefixlint: ignore\ny = 2\n", [(1, 1)]),
        ('x = f"""a\n{b}\nc"""  # prefixlint: ignore\n', [(1, 3)]),
        ("x = f(\n  1,\n)  # prefixlint: ignore\n", [(1, 3)]),
        # Within a statement: what ends on the line, or begins below.
        ('x = [\n  f"""a\n{b}""",  # prefixlint: ignore\n  f"{c}",\n]\n', [(2, 3)]),
        ('x = [\n  f"{b}",\n  # prefixlint: ignore\n  f"""{c}\nd""",\n  f"{e}",\n]\n', [(4, 5)]),
        # A compound statement's header only.
        ("# prefixlint: ignore\nif x:\n    y = 1\n", [(2, 2)]),
        ("def f():\n    # prefixlint: ignore\n    return g(\n        1)\n", [(3, 4)]),
        # At the end of the file, with nothing below.
        ("x = 1\n# prefixlint: ignore\n", [(2, 2)]),
        # In a string it is no comment.
        ('x = "# prefixlint: ignore"\n', []),
        ('x = """\n# prefixlint: ignore\n"""\n', []),
        # Two on one line are one comment.
        ("x = 1  # type: ignore  # prefixlint: ignore\n", [(1, 1)]),
        # Other line ends, form feeds, and line separators that Python does not know.
        ("# prefixlint: ignore\r\nx = (1,\r\n2)\r\n", [(2, 3)]),
        ("y = 1\r# prefixlint: ignore\rx = 1\r", [(3, 3)]),
        ("\x0cy = '\u2028\x0c'\n# prefixlint: ignore\nx = 1\n", [(3, 3)]),
        # What stands before a syntax error still counts.
        ("# prefixlint: ignore\nx = 1\ny = (((\n", [(2, 2)]),
        ("# something else\nx = 1\n", []),
    ],
)
def test_python(text: str, lines: list[tuple[int, int]]) -> None:
    assert spoken_for("a.py", text) == lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("# prefixlint: ignore\nsystem: '{now}'\nuser: x\n", [(2, 2)]),
        ("# prefixlint: ignore\nsystem: |\n  a {now}\n\n  b\nuser: x\n", [(2, 5)]),
        ("system: |  # prefixlint: ignore\n  a {now}\nuser: x\n", [(1, 2)]),
        # Behind the entry that follows a block scalar, it speaks for that entry alone.
        ("system: |\n  a {now}\nuser: x  # prefixlint: ignore\n", [(3, 3)]),
        ("a:\n  # prefixlint: ignore\n  - role: system\n    content: |\n      x {now}\n  - role: user\n", [(3, 5)]),
        ("system: '{now}'  # prefixlint: ignore\nuser: x\n", [(1, 1)]),
        ('system: "a\n  {now}\n  b"  # prefixlint: ignore\nuser: x\n', [(1, 3)]),
        # Text of a scalar is no comment.
        ("system: |\n  # prefixlint: ignore\n  {now}\n", []),
        ("system: '# prefixlint: ignore {now}'\n", []),
        ("system: a# prefixlint: ignore\n", []),
        # Jinja comments inside a scalar are comments of the template.
        ("system: |\n  {# prefixlint: ignore #}\n  {{ now }}\n", [(2, 3)]),
        # Text that is not YAML all through.
        ("# prefixlint: ignore\na: x\nb: [\n", [(2, 2)]),
    ],
)
def test_yaml(text: str, lines: list[tuple[int, int]]) -> None:
    assert spoken_for("a.yaml", text) == lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        # Above an entry or behind it, it speaks for the strings that begin on the entry's line.
        ('# prefixlint: ignore\n\nsystem = """a\n{now}\n"""\nuser = "x"\n', [(3, 5)]),
        ("system = '''a\n{now}\n'''  # prefixlint: ignore\nuser = 'x'\n", [(1, 3)]),
        ("user = 'x'  # prefixlint: ignore\n", [(1, 1)]),
        # Text of a string is no comment.
        ('system = """\n# prefixlint: ignore\n"""\nuser = "# prefixlint: ignore"\n', []),
        # Jinja comments inside a string are comments of the template.
        ('system = """\n{# prefixlint: ignore #}\n{{ now }}"""\n', [(2, 3)]),
    ],
)
def test_toml(text: str, lines: list[tuple[int, int]]) -> None:
    assert spoken_for("a.toml", text) == lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("{# prefixlint: ignore #}\n{{ now }}\n", [(1, 2)]),
        ("a {{ now }} {# prefixlint: ignore #}\nb\n", [(1, 1)]),
        ("{#- note\n prefixlint: ignore -#}\n{{ now }}\n", [(1, 3)]),
        ("{# prefixlint: ignore #}", [(1, 1)]),
        ("# prefixlint: ignore\n", []),
        ("{# other #}\n", []),
    ],
)
def test_jinja(text: str, lines: list[tuple[int, int]]) -> None:
    assert spoken_for("a.jinja", text) == lines


def test_json_has_none() -> None:
    assert spoken_for("a.json", '{"a": "{# prefixlint: ignore #}"}') == []


def test_place_of_the_comment() -> None:
    file = SourceFile("a.py", "x = 'é'  # prefixlint: ignore\r\n")
    (comment,) = comments(file)
    assert file.text[comment.start :].rstrip() == comment.text == "# prefixlint: ignore"


@pytest.mark.parametrize(
    ("path", "text", "lines"),
    [
        ("a.py", "# prefixlint: ignore\nx = 1\n" * 10_000, [(n, n) for n in range(2, 20_001, 2)]),
        (
            "a.py",
            "x = [\n" + "  1,  # prefixlint: ignore\n" * 10_000 + "]\n",
            [(n, n) for n in range(2, 10_002)],
        ),
        ("a.yaml", "# prefixlint: ignore\nkey: text\n" * 5_000, [(n, n) for n in range(2, 10_001, 2)]),
        ("a.yaml", "# prefixlint: ignore\n" * 5_000 + "key:\n" + "  - text\n" * 5_000, [(5_001, 10_001)] * 5_000),
        ("a.jinja", "{# prefixlint: " * 50_000, []),
    ],
)
def test_many_comments(path: str, text: str, lines: list[tuple[int, int]]) -> None:
    """Each of these took minutes when every comment looked at all lines."""
    assert spoken_for(path, text) == lines
