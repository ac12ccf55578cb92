"""Jinja to segments: rendering them equals jinja2, places are exact, lifetimes are those of what fills the template."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jinja2 import DictLoader, Environment
from prefixlint.frontends.promptfiles import JinjaSyntax, PromptFileError, jinja_segments
from prefixlint.frontends.promptfiles.mapping import verbatim
from prefixlint.model.lifetimes import Confidence, Lifetime, SourceKind
from prefixlint.model.segments import Choice, Repeat, Text, Value, walk
from prefixlint.model.sources import Position, SourceFile
from promptfile_rendering import render

CONTEXT = {
    "question": "why?",
    "empty": "",
    "user": {"name": "Ada"},
    "tools": ["hammer", "saw"],
    "nothing": [],
    "pairs": {"a": 1, "b": 2},
    "number": 3,
    "flag": True,
    "off": False,
}


def segments_of(source: str, **options):
    return jinja_segments(verbatim(SourceFile("p.j2", source)), **options)


def rendered(source: str, context=None, syntax: JinjaSyntax | None = None) -> str:
    file = SourceFile("p.j2", source)
    held = jinja_segments(verbatim(file), **({"syntax": syntax} if syntax else {}))
    return render(held, CONTEXT if context is None else context, file)


SOURCES = [
    "plain",
    "a {{ question }} b",
    "a\n  {{- question -}}  \n b",
    "{{ user.name | upper }}, {{ user['name'] }} {{ number + 1 }}",
    "x{# gone #}y {#- and space -#} z",
    "{% raw %}{{ not }} {% live %}{% endraw %} {{ question }}",
    "a\n  {%- raw -%}  {{x}}  {%- endraw -%}  b",
    "{% if flag %}yes{% else %}no{% endif %}",
    "{% if off %}a{% elif number == 3 %}b{% elif flag %}c{% else %}d{% endif %}!",
    "{% if not empty -%}\n  none\n{%- endif %}.",
    "{% for t in tools %}- {{ t }}\n{% endfor %}",
    "{% for t in nothing %}- {{ t }}{% else %}no tools{% endfor %}",
    "{% for t in tools %}{{ loop.index }}. {{ t }}{% if not loop.last %}, {% endif %}{% endfor %}",
    "{% for k, v in pairs.items() %}{{ k }}={{ v }};{% endfor %}",
    "{% set greeting = 'Hello' %}{{ greeting }} {{ question }}",
    "{% set both = question ~ '!' %}{{ both }}{{ both }}",
    "{% set block %}[{{ question }}]{% endset %}{{ block }}{{ block }}",
    "{% if flag %}{% set tone = 'kind' %}{% else %}{% set tone = 'curt' %}{% endif %}Be {{ tone }}.",
    "{% set tone = 'kind' %}{% if off %}{% set tone = 'curt' %}{% endif %}Be {{ tone }}.",
    "{{ 'yes' if flag else question }} {{ 'only' if off }} {{ question if off else user.name }}",
    "{{ 'a' ~ question ~ number }}",
    "{% macro item(n, mark='-') %}{{ mark }} {{ n }}\n{% endmacro %}{{ item(question) }}{{ item('x', mark='*') }}",
    "{% with a = 1, b = question %}{{ a }}{{ b }}{% endwith %}",
    "{% block head %}in {{ question }}{% endblock %} out",
    "{{ missing }}|{{ missing.x if missing else 'none' }}",
    "one\r\ntwo {{ question }}\r\n{% if flag %}\r\nthree{% endif %}\r\n",
    "ends with newline\n",
    "{{ '{{' }} braces }} and { single }",
    "{{ 3 }}{{ true }}{{ none }}",
]


@pytest.mark.parametrize("source", SOURCES)
def test_rendering_equals_jinja2(source):
    assert rendered(source) == Environment().from_string(source).render(**CONTEXT)


@pytest.mark.parametrize("source", SOURCES)
def test_rendering_equals_jinja2_with_trim_and_lstrip(source):
    syntax = JinjaSyntax(trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)
    env = Environment(trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)
    assert rendered(source, syntax=syntax) == env.from_string(source).render(**CONTEXT)


WORDS = st.text(alphabet="ab {}%#\n\t-é", max_size=8).filter(
    lambda s: (
        not any(mark in s for mark in ("{{", "}}", "{%", "%}", "{#", "#}"))
        and not s.endswith("{")
        and not s.startswith("}")
    )
)
DASH = st.sampled_from(["", "-"])
EXPRESSIONS = st.sampled_from(
    ["question", "user.name", "number", "question|upper", "'lit'", "missing", "tools|length", "'a' ~ number"]
)
CONDITIONS = st.sampled_from(["flag", "off", "not empty", "number > 2", "missing", "tools and off"])


@st.composite
def outputs(draw):
    return f"{{{{{draw(DASH)} {draw(EXPRESSIONS)} {draw(DASH)}}}}}"


def tag(draw, inside: str) -> str:
    return f"{{%{draw(DASH)} {inside} {draw(DASH)}%}}"


@st.composite
def conditionals(draw, children):
    source = tag(draw, f"if {draw(CONDITIONS)}") + draw(children)
    if draw(st.booleans()):
        source += tag(draw, f"elif {draw(CONDITIONS)}") + draw(children)
    if draw(st.booleans()):
        source += tag(draw, "else") + draw(children)
    return source + tag(draw, "endif")


@st.composite
def loops(draw, children):
    over = draw(st.sampled_from(["tools", "nothing", "range(2)"]))
    source = tag(draw, f"for item in {over}") + draw(children) + "{{ item }}"
    if draw(st.booleans()):
        source += tag(draw, "else") + draw(children)
    return source + tag(draw, "endfor")


@st.composite
def raws(draw):
    return tag(draw, "raw") + "{{ x }}" + draw(WORDS) + tag(draw, "endraw")


@st.composite
def comments(draw):
    return f"{{#{draw(DASH)} note {draw(DASH)}#}}"


LEAVES = st.one_of(WORDS, WORDS, outputs(), comments(), raws())
TEMPLATES = st.recursive(
    st.lists(LEAVES, max_size=3).map("".join),
    lambda children: st.lists(st.one_of(LEAVES, conditionals(children), loops(children)), max_size=3).map("".join),
    max_leaves=8,
)


@settings(max_examples=300)
@given(TEMPLATES, st.booleans(), st.booleans())
def test_rendering_any_template_equals_jinja2(source, trim, lstrip):
    env = Environment(trim_blocks=trim, lstrip_blocks=lstrip)
    expected = env.from_string(source).render(**CONTEXT)
    assert rendered(source, syntax=JinjaSyntax(trim_blocks=trim, lstrip_blocks=lstrip)) == expected


@settings(max_examples=200)
@given(TEMPLATES)
def test_text_and_values_stand_where_their_spans_say(source):
    file = SourceFile("p.j2", source)
    last = 0
    for segment in walk(jinja_segments(verbatim(file))):
        span = segment.span() if isinstance(segment, Text) else segment.span
        start, end = file.offset(span.start), file.offset(span.end)
        if isinstance(segment, Value):
            assert source[start : start + 2] == "{{" or source[start:end] == segment.expression
            assert segment.expression in source[start:end]
        elif isinstance(segment, Text):
            for at, char in enumerate(segment.text):
                place = file.offset(segment.span(at, at + 1).start)
                assert source[place] == char or source[place : place + 2] == "{{" or source[place] in "'\""
            assert start >= last
            last = start


def test_positions_of_a_value_include_its_braces():
    held = segments_of("line one\n  {{- user.name | trim -}}  \nrest")
    value = held[1]
    assert (value.span.start, value.span.end) == (Position(2, 3), Position(2, 27))
    assert value.expression == "user.name | trim"
    assert value.name == "user"
    assert held[2].text == "rest"
    assert held[2].span().start == Position(3, 1)


def test_positions_with_carriage_returns():
    held = segments_of("one\r\ntwo {{ question }}\r\nthree")
    assert held[0].text == "one\ntwo "
    assert held[1].span.start == Position(2, 5)
    assert held[2].text == "\nthree"
    assert held[2].span(1).start == Position(3, 1)


def first(source: str, kind=Value):
    return next(segment for segment in walk(segments_of(source)) if isinstance(segment, kind))


@pytest.mark.parametrize(
    ("source", "lifetime", "kind"),
    [
        ("{{ strftime_now('%Y-%m-%d') }}", Lifetime.DAY, SourceKind.CLOCK),
        ("{{ strftime_now('%d %B %Y %H:00') }}", Lifetime.HOUR, SourceKind.CLOCK),
        ("{{ strftime_now('%H:%M') }}", Lifetime.REQUEST, SourceKind.CLOCK),
        ("{{ now() }}", Lifetime.REQUEST, SourceKind.CLOCK),
        ("{{ now().strftime('%Y-%m-%d') }}", Lifetime.DAY, SourceKind.CLOCK),
        ("{{ datetime.now().isoformat() }}", Lifetime.REQUEST, SourceKind.CLOCK),
        ("{{ items | random }}", Lifetime.REQUEST, SourceKind.SHUFFLED),
        ("{{ question | trim | upper }}", Lifetime.REQUEST, SourceKind.USER_INPUT),
        ("{{ tools | tojson }}", Lifetime.DEPLOYMENT, SourceKind.CONFIGURATION),
        ("{% set q = question %}{{ q | trim }}", Lifetime.REQUEST, SourceKind.USER_INPUT),
        ("{% for t in tools %}{{ t.question }}{% endfor %}", Lifetime.DEPLOYMENT, SourceKind.CONFIGURATION),
        ("{% for x in xs %}{{ x.question }}{% endfor %}", Lifetime.REQUEST, SourceKind.USER_INPUT),
        ("{{ chat_history[-1] }}", Lifetime.TURN, SourceKind.USER_INPUT),
        ("{{ chat_history | last }}", Lifetime.TURN, SourceKind.USER_INPUT),
        ("{{ chat_history[-2] }}", Lifetime.TURN, SourceKind.HISTORY),
    ],
)
def test_lifetimes(source, lifetime, kind):
    value = first(source)
    assert (value.lifetime, value.origin.kind) == (lifetime, kind)


def test_a_history_grows_and_its_end_does_not():
    assert first("{% for m in chat_history %}{{ m.content }}{% endfor %}", Repeat).grows
    assert first("{{ chat_history }}").grows
    assert not first("{{ chat_history[-5:] }}").grows
    assert not first("{{ chat_history | last }}").grows


def test_loops_over_tools_are_deployment():
    assert (
        first("{% for tool in tools.values() %}- {{ tool.name }}\n{% endfor %}", Repeat).lifetime is Lifetime.DEPLOYMENT
    )


@pytest.mark.parametrize(
    ("source", "shape"),
    [
        ("{{ tools }}", "catalogue"),
        ("{{ tools | join(', ') }}", "catalogue"),
        ("{% for tool in tools %}{{ tool.description }}{% endfor %}", "text"),
        ("{% for name, rule in rules.items() %}{{ rule }}{% endfor %}", "text"),
        ("{{ tools[0] }}", "text"),
        ("{{ tools[name] }}", "text"),
        ("{{ tools['lamp'] }}", "text"),
        ("{{ tools.first }}", "text"),
        ("{{ tools | first }}", "text"),
        ("{{ tools | last }}", "text"),
    ],
)
def test_one_thing_of_a_catalogue_is_no_catalogue(source: str, shape: str) -> None:
    assert first(source).shape == shape


def test_the_text_of_an_example_is_not_what_a_user_wrote() -> None:
    assert first("{{ text }}").lifetime is Lifetime.REQUEST
    assert first("{{ examples[0].text }}").lifetime is Lifetime.DEPLOYMENT


def test_a_condition_on_presence_is_weak_evidence():
    present = first("{% if question %}You have a question.{% endif %}", Choice)
    compared = first("{% if question == 'x' %}You have a question.{% endif %}", Choice)
    assert present.confidence is Confidence.LOW
    assert compared.confidence is Confidence.HIGH
    assert present.arms[1] == ()


def test_a_constant_expression_is_text():
    assert [segment.text for segment in segments_of("a {{ 'b' }} c")] == ["a b c"]


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("one\n{% if x %}\ntwo", 2),
        ("one\n{{ x", 2),
        ("{% endfor %}", 1),
        ("\n\n{{ a b }}", 3),
        ("{% for x %}{% endfor %}", 1),
        ("{{ }}", 1),
        ("{% if x %}" * 100 + "{% endif %}" * 100, 1),
        ("{{ " + "(" * 5000 + ")" * 5000 + " }}", 1),
    ],
)
def test_broken_templates_say_where(source, line):
    with pytest.raises(PromptFileError) as caught:
        segments_of(source)
    assert caught.value.problem.position.line == line


TEMPLATES_BY_NAME = {
    "base": "Base {% block a %}base a{% endblock %} and {% block b %}base b {{ question }}{% endblock %}.",
    "child": "{% extends 'base' %}ignored{% block a %}child {{ user.name }}{% endblock %}",
    "super": "{% extends 'base' %}{% block b %}[{{ super() }}]{% endblock %}",
    "grandchild": "{% extends 'child' %}{% block b %}deep{% endblock %}",
    "part": "part of {{ question }}",
    "whole": "A {% include 'part' %} Z",
    "macros": "{% macro hi(x) %}hi {{ x }}{% endmacro %}",
    "user": "{% from 'macros' import hi %}{{ hi(question) }}",
}


@pytest.mark.parametrize("name", ["child", "super", "grandchild", "whole", "user"])
def test_templates_that_use_others_equal_jinja2(name):
    env = Environment(loader=DictLoader(TEMPLATES_BY_NAME))
    files = {key: SourceFile(key, value) for key, value in TEMPLATES_BY_NAME.items()}
    held = jinja_segments(
        verbatim(files[name]), loader=lambda wanted: verbatim(files[wanted]) if wanted in files else None
    )
    assert render(held, CONTEXT, files[name]) == env.get_template(name).render(**CONTEXT)


def test_without_a_loader_other_templates_are_unknown():
    value = first("A {% include 'part' %} Z")
    assert value.lifetime is Lifetime.UNKNOWN
    assert value.expression == "include 'part'"


def test_a_template_that_includes_itself_is_a_problem():
    text = verbatim(SourceFile("p.j2", "x {% include 'p.j2' %}"))
    with pytest.raises(PromptFileError, match="without end"):
        jinja_segments(text, loader=lambda _: text)


def test_a_macro_may_call_itself():
    # As templates write trees: how deep depends on what is given.
    source = (
        "{% macro row(node, indent='') %}{{ indent }}- {{ node.question }}{% for child in node.children %}"
        "{{ row(child, indent ~ ' ') }}{% endfor %}{% endmacro %}{% for node in roots %}{{ row(node) }}{% endfor %}"
    )
    (loop,) = segments_of(source)
    inner = next(part for part in walk(loop.body) if isinstance(part, Repeat))
    (again,) = inner.body
    assert isinstance(again, Value)
    assert again.expression == "row(child, indent ~ ' ')"
    assert first(source.replace("node.question", "question")).lifetime is Lifetime.REQUEST


@pytest.mark.parametrize(
    ("default", "lifetime", "kind"),
    [
        ("You are a helpful assistant.", Lifetime.DEPLOYMENT, SourceKind.CONFIGURATION),
        ("No task was given.", Lifetime.REQUEST, SourceKind.USER_INPUT),
        ("You are {{ role }}.", Lifetime.REQUEST, SourceKind.USER_INPUT),
    ],
)
def test_what_stands_for_fixed_instructions_is_configuration(
    default: str, lifetime: Lifetime, kind: SourceKind
) -> None:
    found = walk(segments_of(f"{{% if task %}}\n{{{{ task }}}}\n{{% else %}}\n{default}\n{{% endif %}}"))
    (value,) = [s for s in found if isinstance(s, Value) and s.expression == "task"]
    assert (value.lifetime, value.origin.kind) == (lifetime, kind)
