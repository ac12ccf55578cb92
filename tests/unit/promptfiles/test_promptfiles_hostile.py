"""Broken, hostile and huge files: one message each, at the place, and the files beside them are read all the same."""

from __future__ import annotations

import pytest
from prefixlint.config import Config
from prefixlint.frontends.promptfiles import extract
from prefixlint.frontends.promptfiles.errors import MAX_PLACEHOLDERS, PromptFileError
from prefixlint.frontends.promptfiles.mapping import verbatim
from prefixlint.frontends.promptfiles.nunjucks import as_jinja
from prefixlint.frontends.promptfiles.roles import _HEADER_START, HEADER
from prefixlint.frontends.promptfiles.toml_source import load_toml_value
from prefixlint.model.sources import Position, SourceFile
from prefixlint.run.pipeline import run

HEAD = "You are a helper. Your task is to answer the question in JSON. Always be brief.\n"
MANY = MAX_PLACEHOLDERS + 10
DOUBLING = "".join(
    f"{{% macro m{n}() %}}{{{{ m{n - 1}() }}}}{{{{ m{n - 1}() }}}}{{% endmacro %}}" for n in range(1, 19)
)
CALLING = "".join(f"{{% macro m{n}() %}}{{{{ m{n - 1}() }}}}{{% endmacro %}}" for n in range(1, 31))
HOSTILE = {
    "many.j2": (HEAD + "".join(f"{{{{ x{n} }}}}\n" for n in range(MANY)), "5,000 placeholders"),
    "many.txt": (HEAD + "".join(f"{{x{n}}}\n" for n in range(MANY)), "5,000 placeholders"),
    "many.md": (HEAD + "".join(f"${{x{n}}}\n" for n in range(MANY)), "5,000 placeholders"),
    "many.prompt": ("---\nmodel: x\n---\n" + "{{x}}\n" * MANY, "5,000 placeholders"),
    "many.yaml": ("prompt: |\n  " + HEAD + "".join(f"  {{x{n}}}\n" for n in range(MANY)), "5,000 placeholders"),
    "many.poml": ("<poml>" + "<p>x {{ a }}</p>" * MANY + "</poml>", "5,000 placeholders"),
    "macros.j2": (HEAD + "{% macro m0() %}x{{ q }}{% endmacro %}" + DOUBLING + "{{ m18() }}", "5,000 placeholders"),
    "set.j2": (HEAD + "{% set a = q ~ 'x' %}" + "{% set a = a ~ a %}" * 40 + "{{ a }}", "5,000 placeholders"),
    "self.j2": (HEAD + "{% include 'self.j2' %}{{ q }}", "without end"),
    "calls.j2": (HEAD + "{% macro m0() %}x{% endmacro %}" + CALLING + "{{ m30() }}", "more than 20 deep"),
    "unclosed.j2": (HEAD + "{% if x %}never {{ y }}", "never closed"),
    "open.j2": (HEAD + "{{ y \n more text", "never closed"),
    "parens.j2": (HEAD + "{{ " + "(" * 3000 + "x" + ")" * 3000 + " }}", "nested too deep"),
    "blocks.j2": (HEAD + "{% if x %}" * 200 + "{{ y }}" + "{% endif %}" * 200, "nested deeper"),
    "deep.yaml": ("prompt: {x}\na: " + "[" * 20_000, "nested deeper"),
    "open.yaml": ("prompt: 'You are {x}\n", "YAML"),
    "deep.json": ('{"prompt": "You are {x}", "a": ' + "[" * 20_000, "nested deeper"),
    "sections.prompt": ("---\nmodel: x\n---\n" + "{{#a}}" * 5000, "nested deeper"),
    "deep.poml": ("<poml>" + "<p>" * 5000, "nested deeper"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_one_message_at_the_place(name):
    source, said = HOSTILE[name]
    file = SourceFile(f"prompts/{name}", source)
    found = extract(file, {file.path: file}.get)
    (problem,) = found.problems
    assert said in problem.message
    assert problem.path == file.path
    assert Position(1, 1) <= problem.position
    assert file.offset(problem.position) <= len(source)
    assert found.templates == ()


def test_the_message_stands_at_the_first_placeholder_too_many():
    found = extract(SourceFile("prompts/many.txt", HOSTILE["many.txt"][0]))
    assert found.problems[0].position == Position(MAX_PLACEHOLDERS + 3, 1)


@pytest.mark.parametrize("quote", ["", "{{question}} ", "{question} "])
def test_braces_without_end_are_text(quote):
    source = quote + HEAD + "{" * 20_000 + "{x" * 20_000
    assert extract(SourceFile("prompts/a.txt", source)).problems == ()


def test_a_run_tells_each_once_and_goes_on(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "prompts"
    folder.mkdir()
    for name, (source, _) in HOSTILE.items():
        (folder / name).write_text(source)
    (folder / "latin.j2").write_bytes(HEAD.encode() + b"\xff {{ x }}")
    (folder / "huge.yaml").write_text("prompt: You are {x}\nk: " + "b" * 2_100_000)
    (folder / "bomb.yaml").write_text(
        "prompt: You are {name}, answer the question in JSON.\na0: &a0 [x, x]\n"
        + "\n".join(f"a{n}: &a{n} [" + ", ".join([f"*a{n - 1}"] * 9) + "]" for n in range(1, 40))
    )
    (folder / "good.j2").write_text("{{ question }}\n" + HEAD * 20)
    result = run(["."], Config(root=str(tmp_path)))
    told = sorted(finding.span.path for finding in result.findings if finding.code == "PFX901")
    assert told == sorted(f"prompts/{name}" for name in (*HOSTILE, "latin.j2", "huge.yaml"))
    assert [finding.span.path for finding in result.findings if finding.code != "PFX901"] == ["prompts/good.j2"]
    assert result.crashes == ()
    assert sorted(template.name for template in result.templates) == ["good", "prompt"]


def test_a_number_in_toml_that_python_does_not_read():
    with pytest.raises(PromptFileError, match=r"not valid TOML: Exceeds the limit \(4300 digits\)"):
        load_toml_value(SourceFile("a.toml", "n = " + "9" * 5000), ["n"])


VERBATIM = "{% raw      %}{% endraw %}{{ a === b }}{% endraw      %}"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("{% raw %}{{ a === b }}{% endraw %}{{ a === b }}", "{% raw %}{{ a === b }}{% endraw %}{{ a ==  b }}"),
        ("{% raw %}{{ a === b }}", "{% raw %}{{ a ==  b }}"),
        (
            "{% verbatim %}{% endraw %}{{ a === b }}{% endverbatim %}",
            "{% raw      %}{% endraw %}{{ a === b }}{% endraw      %}",
        ),
        ("{# {% raw %} #}{{ a === b }}{% endraw %}", "{# {% raw %} #}{{ a ==  b }}{% endraw %}"),
        ("{% {{ a === b }}{# ===", "{% {{ a ==  b }}{# ==="),
    ],
)
def test_nunjucks_in_words_of_jinja_but_not_in_raw_text(source, expected):
    assert as_jinja(verbatim(SourceFile("a", source))).text == expected


def test_long_white_space_and_many_tags_take_no_time():
    # Each took a few seconds to minutes where the time grew with the square of the length.
    blanks = " " * 200_000
    assert HEADER.search(f"{blanks}x") is None
    assert _HEADER_START.search(f"{blanks}x") is None
    assert HEADER.fullmatch(f"{blanks}## {blanks}User :\n")
    assert _HEADER_START.search(f"text\n{blanks}#{blanks}")
    for text in ("{% raw %}{{ a }}{% endraw %}", "{% raw %}{{ a }}", "{% ", "{{ ", "{# "):
        assert as_jinja(verbatim(SourceFile("a", text * 20_000))).text == text * 20_000
