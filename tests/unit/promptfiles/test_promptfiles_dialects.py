"""Jinja as other programs read it: promptfoo's Nunjucks, and BAML's minijinja.

What Nunjucks renders was written down from its version 3.2.4 (``renderString`` with ``autoescape: false`` and the
values below). minijinja is asked itself where it is installed.
"""

from __future__ import annotations

import pytest
from prefixlint.frontends.promptfiles import JinjaSyntax, extract, jinja_segments
from prefixlint.frontends.promptfiles.mapping import verbatim
from prefixlint.frontends.promptfiles.placeholders import segments_in
from prefixlint.model.segments import Choice, Value, walk
from prefixlint.model.sources import SourceFile
from promptfile_rendering import render
from promptfile_shapes import only, shape

VALUES = {
    "question": "why?",
    "name": "Ada",
    "empty": "",
    "off": False,
    "on": True,
    "n": 3,
    "items": ["a", "b"],
    "nothing": [],
    "user": {"name": "Bo"},
    "msgs": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "yo"}],
}

NUNJUCKS = [
    ("Hello {{name}}, {{ question }}", "Hello Ada, why?"),
    ("{{ user.name }} {{ user['name'] }} {{ items[0] }}", "Bo Bo a"),
    ("{% if off %}a{% elif n == 3 %}b{% elseif on %}c{% else %}d{% endif %}", "b"),
    ("{% if off %}a{% elseif on %}c{% endif %}", "c"),
    ("{% if n === 3 %}same{% endif %}{% if n !== 4 %}, other{% endif %}", "same, other"),
    ("{% if name === '===' %}a{% else %}b{% endif %}", "b"),
    ("{% for i in items %}{{ loop.index }}.{{ i }}{% if not loop.last %}, {% endif %}{% endfor %}", "1.a, 2.b"),
    ("{% for i in nothing %}{{ i }}{% else %}none{% endfor %}", "none"),
    ("{% for m in msgs %}{{ m.role }}: {{ m.content }}\n{% endfor %}", "user: hi\nassistant: yo\n"),
    ("{% set g = 'Hi' %}{{ g }} {{ name }}", "Hi Ada"),
    ("{% set g %}[{{ name }}]{% endset %}{{ g }}", "[Ada]"),
    ("{{ 'yes' if on else 'no' }} {{ name if off }}", "yes "),
    ("a{# gone #}b {{ empty or 'none' }}", "ab none"),
    ("{% verbatim %}{{ x }} {% elseif %}{% endverbatim %}.", "{{ x }} {% elseif %}."),
    ("{% raw %}{{ a === b }}{% endraw %} a === b", "{{ a === b }} a === b"),
    ("{% switch n %}{% case 2 %}two{% case 3 %}three{% default %}other{% endswitch %}", "three"),
    ("{% switch name %} {% case 2 %}two{% default %}other{% endswitch %}", "other"),
    ("{% macro m(x, y='q') %}<{{ x }}{{ y }}>{% endmacro %}{{ m('a') }}{{ m(name, y='z') }}", "<aq><Adaz>"),
    ("a  {%- if on %} b {%- endif %} c {{- name -}} d", "a b cAdad"),
    ("line\n{% if on %}\nx\n{% endif %}\nend\n", "line\n\nx\n\nend\n"),
]


@pytest.mark.parametrize(("source", "expected"), NUNJUCKS)
def test_nunjucks_renders_the_same(source: str, expected: str) -> None:
    file = SourceFile("p.txt", source)
    assert render(segments_in(verbatim(file), "nunjucks"), VALUES, file) == expected


def test_nunjucks_loops_of_other_names_and_regular_expressions() -> None:
    source = r"{% asyncEach i in items %}{{ i }};{% endeach %}{{ r/a\"\/d/g.test(name) }}{{ name }}"
    held = segments_in(verbatim(SourceFile("p.txt", source)), "nunjucks")
    assert shape(held[:1]) == "[for items: <i request>;]"
    assert isinstance(held[-1], Value)
    assert (held[-1].expression, held[-1].span.start.column) == ("name", source.index("{{ name") + 1)


def test_places_in_nunjucks_are_those_of_the_file() -> None:
    source = "{% if n === 3 %}{{ question }}{% elseif off %}{{ name }}{% endif %}"
    held = segments_in(verbatim(SourceFile("p.txt", source)), "nunjucks")
    assert isinstance(held[0], Choice)
    places = {part.expression: part.span.start.column for part in walk(held) if isinstance(part, Value)}
    assert places == {"question": source.index("{{ question") + 1, "name": source.index("{{ name") + 1}


CONFIG = "prompts: [file://prompts.txt, 'Region {{ env.REGION }}: {{question}}']\nproviders: [x]\n"


def test_promptfoo_text_files_hold_several_prompts() -> None:
    others = {"prompts.txt": SourceFile("prompts.txt", "First {{question}}\n\n---\nSecond {{question}}\nof two\n---\n")}
    found = extract(SourceFile("promptfooconfig.yaml", CONFIG), others.get).templates
    assert [shape(each.blocks[0].segments) for each in found] == [
        "First <question request>",
        "Second <question request>\nof two",
        "Region <env.REGION deployment>: <question request>",
    ]
    assert [each.span.start.line for each in found] == [1, 4, 1]


MINIJINJA = [
    "{% for m in msgs %}\n{{ m.role }}:\n  {% if m.role == 'user' %}\n  u\n  {% endif %}\n{% endfor %}\nend\n",
    "{% set x = name -%}\n  {{ x }}\n{% raw -%} {{ x }} {%- endraw %}\n",
    "{%- for i in items -%} {{ i }} {%- endfor -%}\n  {# note #}\nend",
    "  {%+ if on %}a{% endif +%}\nb\n\n",
    "{% macro m(x, y='q') %}[{{ x }}{{ y }}]{% endmacro %}{{ m(name) }}\n{{ m('a', y=question) }}",
    "{% if off %}\na\n{% elif n == 3 %}\n  b\n{% else %}\nc\n{% endif %}\nx",
    "{% with a=name %}\n{{ a }}\n{% endwith %}\n{{ 'yes' if on else 'no' }} {{ items | join(', ') }}",
]


@pytest.mark.parametrize("trimmed", [False, True])
@pytest.mark.parametrize("source", MINIJINJA)
def test_minijinja_renders_the_same(source: str, trimmed: bool) -> None:
    minijinja = pytest.importorskip("minijinja")
    file = SourceFile("p.j2", source)
    held = jinja_segments(verbatim(file), syntax=JinjaSyntax(trim_blocks=trimmed, lstrip_blocks=trimmed))
    environment = minijinja.Environment(trim_blocks=trimmed, lstrip_blocks=trimmed)
    assert render(held, VALUES, file) == environment.render_str(source, **VALUES)


BAML = """\
function Sort(question: string, notes: string[]) -> string {
  client "openai/gpt-4o"
  prompt #"
    {{ _.role(role="system") }}
    Rules:
      {% for note in notes %}
      - {{ note }}
      {% endfor %}
    {{ _.chat("user") }}
    {% if question %}
    {{ question }}
    {% endif %}
  "#
}
"""


def test_baml_trims_blocks() -> None:
    # BAML sets minijinja up with trim_blocks and lstrip_blocks: a line that holds a block alone leaves nothing behind.
    template = only("baml_src/sort.baml", BAML)
    assert [(block.role, shape(block.segments)) for block in template.blocks] == [
        ("system", "Rules:\n[for notes:   - <note request>\n]"),
        ("user", "[if question: <question request>\n|]"),
    ]
