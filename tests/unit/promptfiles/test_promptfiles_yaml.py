"""YAML with places: values equal ruamel's own, and every character stands where its map says."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prefixlint.discover.read import read_source
from prefixlint.frontends.promptfiles import PromptFileError, load_yaml_value
from prefixlint.frontends.promptfiles.yaml_source import Mapping_, Scalar, Sequence_, documents
from prefixlint.model.sources import Position, SourceFile, SourceMap
from ruamel.yaml import YAML


def scalars(node, seen=None):
    seen = set() if seen is None else seen
    if id(node) in seen:
        return
    seen.add(id(node))
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Sequence_):
        for item in node.items:
            yield from scalars(item, seen)
    elif isinstance(node, Mapping_):
        for key, value in node.pairs:
            yield from scalars(key, seen)
            yield from scalars(value, seen)


def check(source: str) -> int:
    """Every scalar of ``source`` is mapped exactly: verbatim characters stand at their place, in order."""
    file = SourceFile("f.yaml", source)
    count = 0
    for root in documents(file):
        for scalar in scalars(root):
            text = scalar.text()
            assert text.text == scalar.value
            assert isinstance(text.source, SourceMap), (source, scalar.value)
            last = -1
            for run in text.source.runs:
                assert run.source_start > last
                last = run.source_start + run.source_length - 1
                assert scalar.start <= run.source_start
                if run.length == run.source_length:
                    there = source[run.source_start : run.source_start + run.length]
                    here = text.text[run.start : run.start + run.length]
                    for left, right in zip(there, here, strict=True):
                        assert left == right or (left in "\r\n\t " and right in "\n ")
            count += 1
    return count


LINES = st.lists(st.text(alphabet="ab :#-'\"\\{}é€\U0001f600\t", max_size=6), min_size=1, max_size=6)
HEADERS = st.tuples(
    st.sampled_from("|>"), st.sampled_from(["", "-", "+"]), st.booleans(), st.sampled_from(["", "  # note"])
)
BREAKS = st.sampled_from(["\n", "\r\n"])


@settings(max_examples=300)
@given(LINES, HEADERS, st.integers(1, 4), BREAKS, st.booleans())
def test_block_scalars(lines, header, indent, line_break, more):
    style, chomping, explicit, comment = header
    if not explicit and (lines[0][:1] in (" ", "\t", "") or not lines[0].strip()):
        lines = ["x", *lines]
    if any(line.startswith("\t") and not line.strip() for line in lines):
        lines = [line.strip() or "y" for line in lines]
    mark = f"{style}{indent if explicit else ''}{chomping}{comment}"
    body = line_break.join(" " * indent + line if line else "" for line in lines)
    source = f"key: {mark}{line_break}{body}{line_break}" + (f"{line_break}other: 1{line_break}" if more else "")
    expected = YAML(typ="safe", pure=True).load(source)["key"]
    assert check(source) == (4 if more else 2)
    assert load_yaml_value(SourceFile("f", source), ("key",)).text == expected


@settings(max_examples=300)
@given(st.text(alphabet="ab \n'\"\\é\U0001f600\t:#", max_size=20), st.booleans(), BREAKS)
def test_quoted_scalars(value, single, line_break):
    from io import StringIO

    yaml = YAML(typ="safe", pure=True)
    yaml.width = 12
    yaml.default_style = "'" if single else '"'
    out = StringIO()
    yaml.dump({"key": {"inner": [value]}}, out)
    source = out.getvalue().replace("\n", line_break)
    # The emitter does not always write what it was given, so the loader says what stands there.
    expected = YAML(typ="safe", pure=True).load(source)["key"]["inner"][0]
    assert load_yaml_value(SourceFile("f", source), ("key", "inner", 0)).text == expected
    assert check(source) == 3


WORDS = st.lists(st.text(alphabet="ab'\"{}é\U0001f600", min_size=1, max_size=4), min_size=1, max_size=3)
PLAIN = st.lists(WORDS, min_size=1, max_size=4)


@settings(max_examples=300)
@given(PLAIN, st.sampled_from(["", "&anchor ", "!tag ", "!tag &anchor "]), BREAKS, st.integers(0, 2))
def test_plain_scalars(lines, properties, line_break, blank):
    """A plain scalar over several lines, with blank lines, anchors and tags in front."""
    body = (line_break * (1 + blank) + "   ").join(" ".join(words) for words in lines)
    source = f"other: 1{line_break}key: {properties}x{body}{line_break}"
    expected = "x" + ("\n" * blank if blank else " ").join(" ".join(words) for words in lines)
    assert load_yaml_value(SourceFile("f", source), ("key",)).text == expected
    assert check(source) == 4


@settings(max_examples=200)
@given(
    st.lists(st.sampled_from(["a", "\\n", "\\t", "\\x41", "\\u00e9", "\\U0001F600", '\\"', "\\\\", " "]), min_size=1)
)
def test_every_escape_stands_for_its_character(pieces):
    """Each character of the value maps to the piece that it was written as."""
    source = 'key: "' + "".join(pieces) + '"\n'
    text = load_yaml_value(SourceFile("f", source), ("key",))
    at = len('key: "')
    written = {"\\n": "\n", "\\t": "\t", "\\x41": "A", "\\u00e9": "é", "\\U0001F600": "\U0001f600"}
    assert text.text == "".join(written.get(piece, piece.replace("\\", "", 1)) for piece in pieces)
    for place, piece in enumerate(pieces):
        span = text.span(place, place + 1)
        assert (span.start.column, span.end.column) == (at + 1, at + len(piece) + 1)
        at += len(piece)


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("style", ["|", "|-", "|+", ">", ">-", '"', "'", ""])
def test_places_behind_a_byte_order_mark(tmp_path, style, line_break):
    """Columns count characters of the text, so the mark counts for none."""
    inner = "Ask {who}"
    text = f"{style}\n  {inner}\n" if style[:1] in ("|", ">") and style else f"{style}{inner}{style}\n"
    path = tmp_path / "p.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + f"prompt: {text}".replace("\n", line_break).encode())
    file = read_source(str(path), 1_000_000)
    assert isinstance(file, SourceFile)
    value = load_yaml_value(file, ("prompt",))
    span = value.span(value.text.index("{"), value.text.index("}") + 1)
    column = 3 if style[:1] in ("|", ">") and style else len("prompt: ") + len(style) + 1
    assert span.start == Position(2 if column == 3 else 1, column + 4)
    assert span.end == Position(span.start.line, span.start.column + 5)


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("key: plain text\n  goes on\n\n  here\n", "plain text goes on\nhere"),
        ('key: "a\\tb \\u00e9 \\x41 \\\n   c"\n', "a\tb é A c"),
        ("key: 'it''s'\n", "it's"),
        ("key: !tag &anchor |\n  a\n  b\n", "a\nb\n"),
        ("base: &x 'shared {a}'\nkey: *x\n", "shared {a}"),
        ("base: &b {key: merged}\nkey: own\n<<: *b\n", "own"),
        (
            "key: >\n  one\n  two\n\n  three\n   more\n  end\n",
            "one two\n\nthree\n more\nend\n".replace("\n\nthree", "\nthree"),
        ),
        ("key: >-\n\n  one\n\n\n", "\none"),
        ("key: |+\n  one\n\n\n", "one\n\n\n"),
        ("key: |2\n    indented\n  base\n", "  indented\nbase\n"),
        ("---\nkey: first\n---\nkey: second\n", "first"),
    ],
)
def test_scalars_by_hand(source, value):
    assert load_yaml_value(SourceFile("f", source), ("key",)).text == value
    check(source)


def test_places_in_a_literal_scalar():
    file = SourceFile("f.yaml", "prompts:\r\n  - text: |\r\n      Hello\r\n        {name},\r\n      bye\r\n")
    text = load_yaml_value(file, ("prompts", 0, "text"))
    at = text.text.index("{name}")
    span = text.span(at, at + 6)
    assert (span.start, span.end) == (Position(4, 9), Position(4, 15))


def test_merged_and_missing_keys():
    file = SourceFile("f", "base: &b {key: merged}\nuse:\n  <<: *b\n  other: 1\n")
    assert load_yaml_value(file, ("use", "key")).text == "merged"
    assert load_yaml_value(file, ("use", "none")) is None
    assert load_yaml_value(file, ("use",)) is None


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("a: [1, 2\nb: 3\n", 2),
        ("a: 'open\n", 2),
        ("a: b: c\n", 1),
        ("a: *nowhere\n", 1),
        ("ok: 1\nbad: \x07\n", 2),
        ("[" * 5000, 1),
        ("x: " * 3, 1),
        ("a: " + "b" * 2_100_000, 1),
    ],
)
def test_broken_and_hostile_files_say_where(source, line):
    with pytest.raises(PromptFileError) as caught:
        documents(SourceFile("f.yaml", source))
    assert caught.value.problem.position.line == line


def test_an_alias_bomb_costs_nothing():
    lines = ["a0: &a0 [x, x]"] + [f"a{n}: &a{n} [" + ", ".join([f"*a{n - 1}"] * 9) + "]" for n in range(1, 30)]
    (root,) = documents(SourceFile("f.yaml", "\n".join(lines)))
    assert isinstance(root, Mapping_)
    assert len(list(scalars(root))) == 32


@pytest.mark.parametrize("quote", ["'", '"'])
def test_long_white_space_within_a_line_is_read_in_one_go(quote):
    source = f"a: {quote}b{' ' * 200_000}c \t d\t \n  e{quote}\n"
    assert check(source) == 2


def test_nothing_is_constructed():
    source = "a: !!python/object/apply:os.system ['exit 3']\nb: !!int notanumber\n"
    assert load_yaml_value(SourceFile("f", source), ("b",)).text == "notanumber"
