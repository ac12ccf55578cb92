"""TOML with places: values equal tomllib's, every character stands where its map says; prompts in settings."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prefixlint.frontends.promptfiles import PromptFileError, extract, load_toml_value, might_hold_prompt
from prefixlint.frontends.promptfiles.toml_source import documents
from prefixlint.frontends.promptfiles.yaml_source import MAX_DEPTH, Mapping_, Scalar
from prefixlint.model.lifetimes import Confidence
from prefixlint.model.sources import Position, SourceFile, SourceMap
from promptfile_shapes import blocks, only, templates


def plain(node):
    """The strings, tables and arrays that a node stands for; what is no string as its source."""
    if isinstance(node, Scalar):
        text = node.text()
        assert text.text == node.value
        if node.style:
            assert isinstance(text.source, SourceMap)
            for run in text.source.runs:
                there = node.file.text[run.source_start : run.source_start + run.source_length]
                here = text.text[run.start : run.start + run.length]
                assert there == here or there.startswith(("\\", "\r\n"))
        return node.value
    if isinstance(node, Mapping_):
        return {key.value: plain(value) for key, value in node.pairs}
    return [plain(item) for item in node.items]


def of_tomllib(value):
    if isinstance(value, dict):
        return {key: of_tomllib(held) for key, held in value.items()}
    if isinstance(value, list):
        return [of_tomllib(item) for item in value]
    return value if isinstance(value, str) else str(value)


DOCUMENT = r"""
# prompts
title = "a \"b\" \t\u00e9 \U0001F600"
'quoted key' = 'C:\dir' # note
a.b."c.d" = 1
list = [ "x", 'y', # in between
  [ "z", 3 ], ]
inline = { first = "1", second.third = '''two''', four = {} }

[tables.one]
text = '''
keeps \n and ''quotes'''''
[tables.two]
text = '''
'''
[ tables . two . "in" ]
n = 2
[[items]]
name = "first"
[items.sub]
a = 1
[[items]]
name = "second"
[[items.deep]]
x = 1
[[items.deep]]
x = 2
[tables]
more = "behind its own tables"
"""
FOLDED = '''z = """\\
   folded \\

 \\"\\"\\" text""quoted"""""
'''


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_everything_that_toml_has(ends):
    source = (DOCUMENT + FOLDED).replace("\n", ends)
    (root,) = documents(SourceFile("a.toml", source))
    assert plain(root) == of_tomllib(tomllib.loads(source))


CHARACTERS = st.text(alphabet="ab \t\n\"'\\#[]{}=,.é\U0001f600", max_size=12)


def basic(value: str, several_lines: bool) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"""\n{escaped}"""' if several_lines else '"' + escaped.replace("\n", "\\n").replace("\t", "\\t") + '"'


@settings(max_examples=150)
@given(st.lists(st.tuples(CHARACTERS, st.booleans()), min_size=1, max_size=4))
def test_any_strings(values):
    source = "".join(f"[t{n}]\nv = {basic(value, wide)} # {n}\n" for n, (value, wide) in enumerate(values))
    (root,) = documents(SourceFile("a.toml", source))
    assert plain(root) == {f"t{n}": {"v": value} for n, (value, _) in enumerate(values)} == tomllib.loads(source)


def test_values_under_keys():
    file = SourceFile("a.toml", '[p]\nx = "a\\tb"\nn = 3\nl = ["c", "d"]\n')
    text = load_toml_value(file, ["p", "x"])
    assert text is not None
    assert text.text == "a\tb"
    assert text.span(2, 3).start == Position(2, 9)
    assert load_toml_value(file, ["p", "n"]) is None
    assert load_toml_value(file, ["p", "y"]) is None
    second = load_toml_value(file, ["p", "l", 1])
    assert second is not None
    assert second.text == "d"


def test_too_deep():
    inside = "[" * (MAX_DEPTH + 1)
    with pytest.raises(PromptFileError, match="nested deeper"):
        documents(SourceFile("a.toml", f"a = {inside}{']' * (MAX_DEPTH + 1)}"))


SETTINGS = '''
[reviewer]
language = "en"
system = """You are a reviewer of code.
Always answer in JSON."""
user = """\\
The question:
{{ question|trim }}
Answer: \\
"""
'''


def test_system_and_user_of_a_table_are_one_prompt():
    template = only("settings/review_prompts.toml", SETTINGS)
    assert (template.form, template.name) == ("yaml-jinja", "reviewer")
    assert blocks(template) == [
        ("system", "You are a reviewer of code.\nAlways answer in JSON."),
        ("user", "The question:\n<question|trim request>\nAnswer: "),
    ]
    assert template.blocks[1].segments[1].span.start == Position(8, 1)


def test_settings_that_are_not_called_prompts():
    assert [template.name for template in templates("conf/app.toml", SETTINGS)] == ["reviewer"]
    other = '[tool.x]\ntemplate = """\\\n{{ name }}\n"""\nsystem = "{x}"\n'
    assert extract(SourceFile("conf/app.toml", other)).templates == ()
    for source in ('[tool.ruff]\nsystem = "{x}"\n', '[a]\nprompt = "{x}"\n', '[a]\nprompt = """text"""\n'):
        assert not might_hold_prompt("pyproject.toml", source.encode())


def test_a_system_and_a_user_text_side_by_side_are_a_prompt_by_what_they_say():
    user = """You sort the letters of a lighthouse. Your task is to say in one line where `{{ name }}` goes:
=====
{{ letter }}
=====
Answer with JSON alone, and do not add anything to it."""
    (template,) = templates("conf/letters.toml", f'[sort]\nsystem = """\\\n"""\nuser = """{user}"""\n')
    assert (template.name, template.confidence) == ("sort.user", Confidence.HIGH)
    alone = templates("conf/letters.toml", f'[sort]\ntext = """{user}"""\nprompt = """\\\n"""\n')
    assert all(template.confidence is Confidence.LOW for template in alone)
    labels = '[labels]\nsystem = """\\\nThe system of {{ name }}"""\nuser = "The user {{ name }} is known"\n'
    assert templates("conf/labels.toml", labels) == []


def test_broken_toml_is_told_where_the_file_calls_itself_a_prompt():
    source = 'system = """You are {x}\n'
    (problem,) = extract(SourceFile("prompts.toml", source)).problems
    assert problem.message.startswith("not valid TOML: ")
    assert extract(SourceFile("conf/app.toml", source)).problems == ()
