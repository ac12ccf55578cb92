"""String literals read from source against ``ast`` (values) and libcst (places of f-string fields).

Literals are generated in every mixture of prefixes, quotes, escapes, fields and implicit concatenation, and taken from
the standard library's files.
"""

from __future__ import annotations

import ast
import sys
import sysconfig
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import libcst
import libcst.metadata
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from prefixlint.frontends.python.literals import Field, LiteralError, LiteralText, read_literal
from prefixlint.frontends.python.positions import Places
from prefixlint.model.sources import SourceFile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from prefixlint.frontends.python.literals import Piece

STDLIB = Path(sysconfig.get_paths()["stdlib"])


# What ``ast`` says ----------------------------------------------------------------------------------------------------


def parsed(source: str) -> ast.Module:
    with warnings.catch_warnings():
        # Escapes that Python does not know are kept as they stand, with a warning.
        warnings.simplefilter("ignore", SyntaxWarning)
        warnings.simplefilter("ignore", DeprecationWarning)
        return ast.parse(source)


def literals(tree: ast.AST) -> Iterator[ast.Constant | ast.JoinedStr]:
    """String literals that do not lie inside another one."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.JoinedStr) or (isinstance(child, ast.Constant) and isinstance(child.value, str)):
            yield child
        else:
            yield from literals(child)


Said = tuple[object, ...]


def said_by_ast(values: Sequence[ast.expr]) -> list[Said]:
    out: list[Said] = []
    for value in values:
        if isinstance(value, ast.FormattedValue):
            conversion = "" if value.conversion == -1 else chr(value.conversion)
            spec = value.format_spec.values if isinstance(value.format_spec, ast.JoinedStr) else []
            out.append(("field", ast.dump(value.value), conversion, said_by_ast(spec)))
        else:
            assert isinstance(value, ast.Constant)
            if value.value:
                out.append(("text", value.value))
    return joined(out)


def said_by_reader(pieces: Sequence[Piece], text: str) -> list[Said]:
    out: list[Said] = []
    for piece in pieces:
        if isinstance(piece, Field):
            inner = parsed(f"({text[piece.expr_start : piece.expr_end]}\n)").body[0]
            assert isinstance(inner, ast.Expr)
            out.append(("field", ast.dump(inner.value), piece.conversion, said_by_reader(piece.spec, text)))
        else:
            out.append(("text", piece.text))
    return joined(out)


def joined(parts: list[Said]) -> list[Said]:
    """Texts that follow one another as one: Python versions differ in where they cut."""
    out: list[Said] = []
    for part in parts:
        if part[0] == "text" and out and out[-1][0] == "text":
            out[-1] = ("text", f"{out[-1][1]}{part[1]}")
        else:
            out.append(part)
    return out


def values_agree(source: str) -> int:
    """Asserts that every literal reads as ``ast`` reads it; how many there are."""
    file = SourceFile("a.py", source)
    places = Places(file)
    nodes = list(literals(parsed(source)))
    for node in nodes:
        start, end = places.start(node), places.end(node)
        pieces = read_literal(file, start, end)
        values = node.values if isinstance(node, ast.JoinedStr) else [node]
        assert said_by_reader(pieces, source) == said_by_ast(values), source[start:end]
        tiles(file, pieces, start, end)
    return len(nodes)


def tiles(file: SourceFile, pieces: Sequence[Piece], start: int, end: int) -> None:
    """Fields and characters stand in the file in order and without overlap, and letters stand for themselves."""
    at = start
    for piece in pieces:
        if isinstance(piece, Field):
            assert at <= piece.start < piece.expr_start <= piece.expr_end < piece.end <= end
            assert file.text[piece.start] + file.text[piece.end - 1] == "{}"
            tiles(file, piece.spec, piece.expr_end, piece.end - 1)
            at = piece.end
    fields = [piece for piece in pieces if isinstance(piece, Field)]
    at = start
    for piece in pieces:
        if isinstance(piece, Field):
            continue
        assert piece.source.length == len(piece.text) > 0
        for run in piece.source.runs:
            first, last = run.source_start, run.source_start + run.source_length
            assert at <= first <= last <= end
            at = last
            if run.length == run.source_length:
                assert file.text[first:last].replace("\r", "\n") == piece.text[run.start : run.start + run.length]
            # Outside of every field, or, the text of ``{x = }``, between its braces.
            assert all(
                last <= field.start or field.end <= first or field.expr_start <= first <= last < field.end
                for field in fields
            )


# What libcst says -----------------------------------------------------------------------------------------------------

Place = tuple[tuple[int, int], tuple[int, int]]


class Fields(libcst.CSTVisitor):
    """Places of the fields, and of their expressions, of f-strings that do not lie inside a field's expression."""

    METADATA_DEPENDENCIES = (libcst.metadata.PositionProvider,)

    def __init__(self) -> None:
        super().__init__()
        self.depth = 0
        self.found: set[tuple[Place, Place]] = set()

    def place(self, node: libcst.CSTNode) -> Place:
        found = self.get_metadata(libcst.metadata.PositionProvider, node)
        return (found.start.line, found.start.column + 1), (found.end.line, found.end.column + 1)

    def visit_FormattedStringExpression(self, node: libcst.FormattedStringExpression) -> None:
        if self.depth == 0:
            self.found.add((self.place(node), self.place(node.expression)))

    def visit_FormattedStringExpression_expression(self, node: libcst.FormattedStringExpression) -> None:
        self.depth += 1

    def leave_FormattedStringExpression_expression(self, node: libcst.FormattedStringExpression) -> None:
        self.depth -= 1


def by_libcst(source: str) -> set[tuple[Place, Place]]:
    visitor = Fields()
    # libcst takes a byte string as it stands, line ends included.
    libcst.metadata.MetadataWrapper(libcst.parse_module(source.encode()), unsafe_skip_copy=True).visit(visitor)
    return visitor.found


def by_reader(source: str) -> set[tuple[Place, Place]]:
    file = SourceFile("a.py", source)
    places = Places(file)
    out: set[tuple[Place, Place]] = set()

    def place(start: int, end: int) -> Place:
        span = file.span(start, end)
        return (span.start.line, span.start.column), (span.end.line, span.end.column)

    def add(pieces: Sequence[Piece]) -> None:
        for piece in pieces:
            if isinstance(piece, Field):
                text = source[piece.expr_start : piece.expr_end]
                first = piece.expr_start + len(text) - len(text.lstrip())
                last = piece.expr_end - len(text) + len(text.rstrip())
                # libcst leaves brackets out of an expression's place.
                out.add((place(piece.start, piece.end), place(first, last)))
                add(piece.spec)

    for node in literals(parsed(source)):
        add(read_literal(file, places.start(node), places.end(node)))
    return out


def places_agree(source: str) -> None:
    ours, theirs = by_reader(source), by_libcst(source)
    assert {field for field, _ in ours} == {field for field, _ in theirs}
    inner = dict(theirs)
    for field, (start, end) in ours:
        assert start <= inner[field][0] <= inner[field][1] <= end
        if "(" not in source:
            assert inner[field] == (start, end)


# Generated literals ---------------------------------------------------------------------------------------------------

PLAIN = st.text("abcN{}xu019 #:=!\t\x0c\x85\u2028é𝔘\U0001f600", min_size=1, max_size=4)
ESCAPES = st.sampled_from(
    [
        "\\n",
        "\\\\",
        "\\'",
        '\\"',
        "\\x41",
        "\\u00e9",
        "\\U0001F600",
        "\\101",
        "\\7",
        "\\018",
        "\\N{BULLET}",
        "\\q",
        "\\{",
    ]
)
BREAKS = st.sampled_from(["\\\n", "\\\r\n", "\\\r"])
ENDS = st.sampled_from(["\n", "\r\n", "\r", "\n\n"])
EXPRESSIONS = [
    "x",
    " x ",
    "a.b[0]",
    "f(x, y=1)",
    "(x if a != b else y)",
    "x if a != b else y",
    "[i for i in z if i >= 2]",
    " {1: 2}[1] ",
    "(lambda v: v)(x)",
    "(x := 5)",
    "d[1:2]",
    "a == b",
    "a<=b",
    "é",
    "𝔘 + x",
    "not x",
    "*a, b",
    "yield_",
]
if sys.version_info >= (3, 12):
    EXPRESSIONS += ["x # it's\n", "# {\n x", "x +\n y"]
QUOTED = ["d{q}k{q}]", "d[{q}k{q}]", "{q}:{q}.join(x)", "f{q}{{y!r:>{{w}}}}{q}", "{q}}}{q}", "rb{q}a{q}", "r{q}!{q}"]
SPECS = ["", ":>10", ":%H:%M", ":{w}", ":>{w}.{p!s}", ":{{", ":,", ":é"]


@st.composite
def fields(draw: st.DrawFn, quote: str) -> str:
    """A replacement field; some are not valid Python, or not in every version."""
    other = draw(st.sampled_from(["'", '"', '"""'] if sys.version_info >= (3, 12) else ["'" if '"' in quote else '"']))
    expression = draw(
        st.sampled_from(EXPRESSIONS) | st.sampled_from(QUOTED).map(lambda template: template.format(q=other))
    )
    # CPython 3.12 and 3.13 ended the text of ``{a != b = }`` at the exclamation mark until that was mended.
    debug = "" if "!=" in expression else draw(st.sampled_from(["", "", "=", " = "]))
    conversion = draw(st.sampled_from(["", "", "!r", "!s", "!a"]))
    return "{" + expression + debug + conversion + draw(st.sampled_from(SPECS)) + "}"


@st.composite
def strings(draw: st.DrawFn) -> str:
    prefix = draw(st.sampled_from(["", "r", "R", "u", "f", "F", "rf", "fR", "Fr"]))
    quote = draw(st.sampled_from(["'", '"', "'''", '"""']))
    formatted = "f" in prefix.lower()
    parts = [PLAIN if not formatted else PLAIN.map(lambda text: text.replace("{", "{{").replace("}", "}}"))]
    parts += [ESCAPES, BREAKS, st.just('"' if "'" in quote else "'")]
    if formatted:
        parts += [fields(quote), fields(quote)]
    if len(quote) == 3:
        parts += [ENDS, st.just(quote[0])]
    return prefix + quote + "".join(draw(st.lists(st.one_of(parts), max_size=6))) + quote


@st.composite
def sources(draw: st.DrawFn) -> str:
    gaps = st.sampled_from([" ", "", "\n", "\r\n    ", " \\\n ", "  # '''\n", "\x0c"])
    between = draw(st.sampled_from(["x = ({})\n", "é = f(y, [{}])\r\n", "if a:\n    '𝔘', {{'a': ({})}}\n"]))
    parts = draw(st.lists(strings(), min_size=1, max_size=3))
    text = parts[0]
    for part in parts[1:]:
        text += draw(gaps) + part
    return between.format(text)


def valid(source: str) -> bool:
    try:
        parsed(source)
    except (SyntaxError, ValueError):
        return False
    return True


@given(sources())
@example('x = f\'{x!r:>{w}}{{}}\' \\\n \'a\' """\\N{BULLET}\r\n"""\n')
@example("x = rf'\\{x}\\N{x}'\n")
@example("x = f'{x = !s:a}'\n")
def test_generated_literals_read_as_ast_reads_them(source: str) -> None:
    assume(valid(source))
    assert values_agree(source) >= 1


COMMENTS = [
    "f'''{ # it's\n x}'''",
    "f'{x = # it is {\n }'",
    "f'{x # {\n = !r}'",
    "f'{x # a\n # b\n !s:>{w}}'",
]


@pytest.mark.skipif(sys.version_info < (3, 12), reason="no comments inside of fields before Python 3.12")
@pytest.mark.parametrize("source", COMMENTS)
def test_comments_inside_of_fields(source: str) -> None:
    assert values_agree(source) == 1


@given(sources())
@example("x = f'{x}{ y }'\n")
def test_generated_fields_stand_where_libcst_sees_them(source: str) -> None:
    assume(valid(source))
    # libcst counts lines by LF alone and has no PEP 701 yet in everything; what it cannot read proves nothing.
    assume("\r" not in source and "\x0c" not in source)
    try:
        by_libcst(source)
    except libcst.ParserSyntaxError:
        assume(False)
    places_agree(source)


@given(strings())
def test_what_is_no_literal_is_an_error_and_no_crash(text: str) -> None:
    """Any cut of a literal reads, or raises the one error that the caller expects."""
    for end in range(len(text)):
        try:
            read_literal(SourceFile("a.py", text[:end]), 0, end)
        except LiteralError:
            continue


# By hand --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "text", "places"),
    [
        ("'ab'", "ab", [1, 2]),
        ("'a\\tb'", "a\tb", [1, 2, 4]),
        ("'\\x41\\u00e9\\N{BULLET}.'", "Aé•.", [1, 5, 11, 21]),
        ("'a\\\n b'", "a b", [1, 4, 5]),
        ("'''a\r\nb'''", "a\nb", [3, 4, 6]),
        ("'a' \"b\"", "ab", [1, 5]),
        ("f'{{a}}'", "{a}", [2, 4, 5]),
        ("r'\\n'", "\\n", [2, 3]),
        ("'\\q'", "\\q", [1, 2]),
    ],
)
def test_places_of_characters(source: str, text: str, places: list[int]) -> None:
    pieces = read_literal(SourceFile("a.py", source), 0, len(source))
    assert [piece.text for piece in pieces if isinstance(piece, LiteralText)] == [text]
    assert isinstance(pieces[0], LiteralText)
    assert [pieces[0].source.source_offset(at) for at in range(len(text))] == places


def test_field_by_hand() -> None:
    (field,) = read_literal(SourceFile("a.py", "f'{ now() !r:>{w}}'"), 0, 19)
    assert isinstance(field, Field)
    assert (field.start, field.end, field.expr_start, field.expr_end, field.conversion) == (2, 18, 3, 10, "r")
    text, inner = field.spec
    assert isinstance(text, LiteralText)
    assert isinstance(inner, Field)
    assert (text.text, inner.start, inner.end) == (">", 14, 17)


@pytest.mark.parametrize(
    "source", ["", "x", "b'a'", "'a", "'a' + 'b'", "f'{x'", "f'}'", "f'{x!r'", "'\\xg'", "'\\N{no such}'"]
)
def test_what_cannot_be_read(source: str) -> None:
    with pytest.raises(LiteralError):
        read_literal(SourceFile("a.py", source), 0, len(source))


# The standard library -------------------------------------------------------------------------------------------------


def text_of(path: Path) -> str | None:
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            return stream.read()
    except UnicodeDecodeError:
        return None


def test_the_standard_library_reads_as_ast_reads_it() -> None:
    files = [*STDLIB.glob("*.py"), *STDLIB.glob("asyncio/*.py"), *STDLIB.glob("test/test_*string*.py")]
    assert len(files) > 100
    count = 0
    for path in files:
        text = text_of(path)
        if text is not None and valid(text):
            count += values_agree(text)
    assert count > 10_000


@pytest.mark.parametrize("name", ["dataclasses.py", "enum.py", "traceback.py", "asyncio/base_events.py"])
def test_fields_of_the_standard_library_stand_where_libcst_sees_them(name: str) -> None:
    text = text_of(STDLIB / name)
    assert text is not None
    places_agree(text)
