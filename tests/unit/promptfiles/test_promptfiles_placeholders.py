"""Placeholder syntaxes: filling the segments equals what Python's own formatting gives, and places are exact."""

from __future__ import annotations

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prefixlint.frontends.promptfiles import (
    PromptFileError,
    bind,
    format_segments,
    jinja_segments,
    mustache_segments,
    percent_segments,
    template_segments,
)
from prefixlint.frontends.promptfiles.mapping import verbatim
from prefixlint.frontends.promptfiles.placeholders import (
    dify_segments,
    editor_segments,
    input_segments,
    kernel_segments,
    live_syntax,
)
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Choice, Repeat, Text, Value, walk
from prefixlint.model.sources import Position, SourceFile
from promptfile_shapes import shape

VALUES = {"a": "1", "bb": "two", "c_c": "x y"}


def text(source: str) -> Text:
    return verbatim(SourceFile("p.txt", source))


def fill(segments, fmt) -> str:
    return "".join(part.text if isinstance(part, Text) else fmt(part) for part in segments)


@settings(max_examples=200)
@given(st.lists(st.sampled_from(["x", "\n", "é\U0001f600", "{{", "}}", "{a}", "{bb}", "{c_c!r:>9}"])))
def test_format_equals_str_format(pieces):
    source = "".join(pieces)
    try:
        expected = source.format(**VALUES)
    except ValueError:
        return
    got = format_segments(text(source))
    assert fill(got, lambda value: ("{" + value.expression + "}").format(**VALUES)) == expected


@settings(max_examples=200)
@given(st.lists(st.sampled_from(["x", "\n", "é", "$$", "$a", "${bb}", " $c_c ", "{a}"])))
def test_template_equals_string_template(pieces):
    source = "".join(pieces)
    try:
        expected = string.Template(source).substitute(VALUES)
    except KeyError:
        return
    assert fill(template_segments(text(source)), lambda value: VALUES[value.name]) == expected


@settings(max_examples=200)
@given(st.lists(st.sampled_from(["x", "\n", "é", "%%", "%(a)s", "%(bb)5s", "%(c_c)-8r"])))
def test_percent_equals_printf_formatting(pieces):
    source = "".join(pieces)
    got = percent_segments(text(source))

    def one(value: Value) -> str:
        at = SourceFile("p.txt", source)
        return source[at.offset(value.span.start) : at.offset(value.span.end)] % VALUES

    assert fill(got, one) == source % VALUES


def test_places_include_the_braces():
    held = format_segments(text("a {{b}}\n  {question!r:>10} c"))
    assert held[0].text == "a {b}\n  "
    assert held[0].span(2, 3).start == Position(1, 3)
    assert held[0].span(2, 3).end == Position(1, 5)
    assert (held[1].span.start, held[1].span.end) == (Position(2, 3), Position(2, 19))
    assert (held[1].name, held[1].expression) == ("question", "question!r:>10")


@pytest.mark.parametrize(
    "source",
    ['{"json": [1, 2]}', "{not a field}", "{ x }", "{", "}", "a{\nb}", "{x", "{'a': 1}", "function() { return 1; }"],
)
def test_braces_that_open_no_field_are_text(source):
    assert shape(format_segments(text(source))) == source


def test_format_fields_of_other_kinds():
    held = format_segments(text("{} {0} {user.name} {docs[0]} {price:.2f}"))
    values = [part for part in held if isinstance(part, Value)]
    assert [(value.expression, value.name) for value in values] == [
        ("", ""),
        ("0", "0"),
        ("user.name", "user"),
        ("docs[0]", "docs"),
        ("price:.2f", "price"),
    ]
    assert values[4].shape == "float"


def test_mustache():
    held = mustache_segments(text("a {{question}} {{{raw}}} {{! no }}{{#if style}}S {{style}}{{else}}none{{/if}}"))
    assert [part.expression for part in held if isinstance(part, Value)] == ["question", "raw"]
    (choice,) = [part for part in held if isinstance(part, Choice)]
    assert [shape(arm) for arm in choice.arms] == ["S <style deployment>", "none"]
    assert choice.confidence is Confidence.LOW
    (loop,) = mustache_segments(text("{{#each tools}}- {{this.name}}\n{{/each}}"))
    assert isinstance(loop, Repeat)
    assert loop.lifetime is Lifetime.DEPLOYMENT
    (inverse,) = mustache_segments(text("{{^question}}nothing{{/question}}"))
    assert [shape(arm) for arm in inverse.arms] == ["", "nothing"]


def test_a_section_over_a_catalogue_is_repeated_for_each_of_its_things():
    (loop,) = mustache_segments(text("{{#tools}}- {{name}}\n{{/tools}}"))
    assert isinstance(loop, Repeat)
    assert [part.shape for part in walk(loop.body) if isinstance(part, Value)] == ["text"]


def test_a_partial_block_is_unknown():
    (value,) = mustache_segments(text("{{#> layout}}fallback{{/layout}}"))
    assert isinstance(value, Value)
    assert (value.expression, value.lifetime) == ("> layout", Lifetime.UNKNOWN)


@pytest.mark.parametrize("source", ["a {{#x}} b", "a {{/x}}", "{{#if x}}\n  {{/section}}{{/if}}"])
def test_broken_mustache_sections(source):
    with pytest.raises(PromptFileError) as caught:
        mustache_segments(text(source))
    assert caught.value.problem.position == (Position(2, 3) if "section" in source else Position(1, 3))


def test_mustache_sections_are_read_to_a_depth():
    def nested(depth):
        return "".join(f"{{{{#s{n}}}}}" for n in range(depth)) + "".join(
            f"{{{{/s{n}}}}}" for n in reversed(range(depth))
        )

    assert len(mustache_segments(text(nested(60)))) == 1
    with pytest.raises(PromptFileError, match="nested deeper than 60"):
        mustache_segments(text(nested(61)))


def test_other_syntaxes():
    assert shape(input_segments(text("note<commentblockmarker>###</commentblockmarker>a !<INPUT 3>! b"))) == (
        "a <!<INPUT 3>! unknown> b"
    )
    assert shape(kernel_segments(text("{{$input}} {{time.now}}"))) == "<input request> <time.now request>"
    assert (
        shape(dify_segments(text("{{#x.query#}} {{question}} {plain}")))
        == "<x.query request> <question request> {plain}"
    )


@pytest.mark.parametrize(
    ("source", "syntax"),
    [
        ("Answer {question}", "format"),
        ("Answer {{question}} and {other}", "jinja"),
        ("{question} {context} {{literal}}", "format"),
        ('{question} as {{"key": 1}}', "format"),
        ("{% if x %}y{% endif %} {z}", "jinja"),
        ("{{#each xs}}{{this}}{{/each}}", "mustache"),
        ("{{#sys.query#}}", "dify"),
        ("{{$input}}", "kernel"),
        ("a ${name} b", "dollar-brace"),
        ("%(name)s", "percent"),
        ("<<name>>", "angle"),
        (r"\frac{a}{b} and x_{n}", ""),
        ("costs $5 and {}", ""),
        ("curl -w '%{http_code}' $url_of_it", "dollar"),
        ("Review ${input:scope} and write {title}", "editor"),
        # As DSPy tells a model the form of a call, and such a call, which is filled.
        ("All calls are built so, with the appropriate values filled in.\n\n[[ ## letter ## ]]\n{letter}", ""),
        ("[[ ## letter ## ]]\n{letter}\n\nAnswer with the output fields.", "format"),
        ("nothing", ""),
    ],
)
def test_live_syntax(source, syntax):
    assert live_syntax([source]) == syntax


@pytest.mark.parametrize("shown", ["{text: $t, mrkdwn: true}", "{thought: [why], action: finish}", '{name: "x"}'])
def test_an_object_that_a_text_shows_is_no_field(shown):
    with pytest.raises(ValueError, match="Invalid format specifier"):
        shown.format(text="", thought="", name="")
    assert shape(format_segments(text(f"{shown} {{question}}"))) == f"{shown} <question request>"


@pytest.mark.parametrize("spec", ["", ">8", "*^+#08,.3f", "%Y-%m-%d, %H:%M", "{width}", " d"])
def test_what_stands_behind_the_colon_of_a_field(spec):
    (value,) = format_segments(text(f"{{when:{spec}}}"))
    assert isinstance(value, Value)


def test_prompts_of_an_editor():
    held = editor_segments(
        text("# Fix\n${input:issue:its number} in ${workspaceFolder}, ${selection}: {title} ${other}")
    )
    assert shape(held) == (
        "# Fix\n<input:issue request> in <workspaceFolder process>, <selection request>: {title} ${other}"
    )


CLOCK = Value(
    "datetime.now()",
    SourceFile("a.py", "datetime.now()").span(0, 14),
    Lifetime.REQUEST,
    Origin(SourceKind.CLOCK),
    Confidence.CERTAIN,
)


def test_binding_replaces_a_bare_name():
    segments = jinja_segments(text("Now {{ when }}, {{ when | upper }}, {{ other }}"))
    held = bind(segments, {"when": (verbatim(SourceFile("b", "at ")), CLOCK)})
    assert shape(held) == "Now at <datetime.now() request>, <when | upper request>, <other unknown>"
    derived = held[4]
    assert isinstance(derived, Value)
    assert (derived.origin.kind, derived.confidence, derived.name) == (SourceKind.CLOCK, Confidence.CERTAIN, "")


def test_binding_reaches_into_choices_and_repeats():
    segments = jinja_segments(
        text("{% for x in things %}{{ x.a }} {{ when }}{% endfor %}{% if things %}{{ when }}{% endif %}")
    )
    constant = (verbatim(SourceFile("b", "fixed")),)
    held = bind(segments, {"things": (CLOCK,), "when": constant})
    loop, choice = held
    assert isinstance(loop, Repeat)
    assert isinstance(choice, Choice)
    assert (loop.lifetime, choice.lifetime) == (Lifetime.REQUEST, Lifetime.REQUEST)
    assert shape(loop.body) == "<x.a request> fixed"
    assert shape(choice.arms[0]) == "fixed"


def test_binding_a_constant_makes_a_condition_constant():
    (choice,) = jinja_segments(text("{% if question %}a{% endif %}"))
    (bound,) = bind((choice,), {"question": (verbatim(SourceFile("b", "fixed")),)})
    assert bound.lifetime is Lifetime.CONSTANT


def test_binding_nothing_changes_nothing():
    segments = jinja_segments(text("{% if a %}{{ b }}{% endif %} {{ c }}"))
    assert bind(segments, {}) == segments
