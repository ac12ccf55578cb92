"""Formats with a renderer of their own (POML, banks, LangChain): by hand, and against it where it is installed."""

from __future__ import annotations

import json
from copy import deepcopy
from textwrap import dedent
from typing import TYPE_CHECKING, Any

import pytest
from prefixlint.frontends.promptfiles import extract
from prefixlint.model.segments import Choice, Text, Value
from prefixlint.model.sources import Position, SourceFile
from promptfile_rendering import render
from promptfile_shapes import blocks, only, shape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prefixlint.model.segments import Segment


def test_poml():
    source = dedent(
        """\
        <poml>
          <role>You are a
            clerk.</role>
          <!-- not sent -->
          <let name="rules" src="rules.json"/>
          <hint>Ask <b>once</b>.</hint>
          <cp caption="Orders">
            <list listStyle="decimal">
              <item>Look it up
                <list><item>by name</item><item>by day</item></list>
              </item>
              <item>Answer</item>
            </list>
          </cp>
          <p for="rule in rules">Rule {{ rule }}</p>
          <document src="manual.txt" />
          <example><input>Where?</input><output>There.</output></example>
          <tool-definition name="find" description="Finds">{"type": "object"}</tool-definition>
          <human-msg>Question: {{ question }}<p if="urgent">Hurry.</p></human-msg>
        </poml>
        """
    )
    template = only("clerk.poml", source)
    # As the renderer of microsoft/poml writes it; the tool comes first as in any request.
    assert blocks(template) == [
        ("", 'find\nFinds\n{"type": "object"}'),
        (
            "system",
            "# Role\n\nYou are a clerk.\n\n**Hint:** Ask **once**.\n\n# Orders\n\n"
            "1. Look it up \n\n   - by name\n   - by day\n\n2. Answer[for rules: \n\nRule <rule deployment>]\n\n"
            "<manual.txt deployment>",
        ),
        ("user", "Where?"),
        ("assistant", "There."),
        ("user", "Question: <question request>[if urgent: \n\nHurry.|]"),
    ]
    assert template.blocks[0].component == "tools"
    assert template.bounds == ()
    (text,) = (part for part in template.blocks[1].segments if isinstance(part, Text) and "clerk" in part.text)
    assert text.span(text.text.index("clerk"), text.text.index("clerk") + 5).start == Position(3, 5)


def test_poml_in_another_syntax_says_what_is_not_known():
    assert only("a.poml", '<poml syntax="xml"><task>Count {{ words }}</task></poml>').bounds


def test_poml_includes_other_files():
    files = {"p/head.poml": "<task>Count {{ text }}</task>"}
    template = only("p/a.poml", '<poml><include src="head.poml"/><p>{{ question }}</p></poml>', files)
    assert blocks(template) == [("user", "# Task\n\nCount <text request>\n\n<question request>")]
    looping = only("p/a.poml", '<poml><p>x</p><include src="a.poml"/></poml>', {"p/a.poml": '<include src="a.poml"/>'})
    assert blocks(looping) == [("user", "x\n\n<a.poml deployment>")]


POML_BY_RENDERER = """<poml>
  <role>You
   are.</role> <hint>be <i>it</i> <code>c</code> {{ q }}</hint>
  <section><h>A</h><p>a</p><section><h>B</h>tail <!-- x --> end</section></section>
  <list><item>b<p>x</p></item><item>c</item></list><list listStyle="latin"><item>z</item><item>y</item></list>
  <cp caption="D" captionStyle="hidden">z</cp><code inline="false" lang="py">
x = 1
  y = 2
</code>
  <p>first</p><p for="x in xs">Item {{ x }}</p><p if="flag">shown</p>
  <stepwise-instructions>s #lt;b#gt;</stepwise-instructions>
  <examples><example><input>i {{ q }}</input><output>o</output></example></examples>
  <output-format>of</output-format><qa>{{ q }}</qa>
</poml>"""


def test_poml_equals_its_renderer():
    poml = pytest.importorskip("poml")
    values = {"q": "Why?", "xs": ["one", "two"], "flag": True}
    wanted = [
        (message["speaker"].replace("human", "user").replace("ai", "assistant"), message["content"])
        for message in poml.poml(POML_BY_RENDERER, context=values, chat=True)
    ]
    file = SourceFile("a.poml", POML_BY_RENDERER)
    (template,) = extract(file).templates
    assert [(block.role, rendered(block.segments, values)) for block in template.blocks] == wanted


def rendered(segments: Sequence[Segment], values: dict[str, Any]) -> str:
    """The string that simple names, a loop over ``xs`` as ``x`` and conditions on names give."""
    out = ""
    for segment in segments:
        if isinstance(segment, Text):
            out += segment.text
        elif isinstance(segment, Value):
            out += str(values[segment.expression])
        elif isinstance(segment, Choice):
            out += rendered(segment.arms[0 if values[segment.expression] else 1], values)
        else:
            out += "".join(rendered(segment.body, {**values, "x": item}) for item in values[segment.expression])
    return out


CACHED = """{% chat role="system" %}
You are a librarian.
{{ manual | cache_control("ephemeral") }}
   {% if strict %}
Be strict.
   {% endif %}
{% endchat %}
Not sent.
{% chat role="user" %}
{% filter cache_control %}Shelf {{ shelf }}{% endfilter %}
{{ question }}
{% endchat %}
"""


def test_banks_marks_content_blocks_to_be_cached():
    template = only("prompts/library.jinja", CACHED)
    assert [(block.role, block.cache_marker, shape(block.segments)) for block in template.blocks] == [
        ("system", False, "You are a librarian."),
        ("system", True, "<manual unknown>"),
        ("system", False, "[if strict: Be strict.\n|]"),
        ("user", True, "Shelf <shelf unknown>"),
        ("user", False, "<question request>"),
    ]


def test_banks_renders_the_same():
    banks = pytest.importorskip("banks")
    values = {"manual": "All books.", "strict": True, "shelf": "A 3", "question": "Where is it?"}
    wanted = [
        (message.role, content.text, content.cache_control is not None)
        for message in banks.Prompt(CACHED).chat_messages(values)
        for content in message.content
    ]
    file = SourceFile("prompts/library.jinja", CACHED)
    (template,) = extract(file).templates
    held = [(block.role, render(block.segments, values, file).strip(), block.cache_marker) for block in template.blocks]
    assert held == wanted


LANGCHAIN = {
    "prompt": {
        "_type": "prompt",
        "input_variables": ["question", "tone"],
        "template": "Be {tone}.\n{{json}} {question!s}",
    },
    "few_shot": {
        "_type": "few_shot",
        "input_variables": ["question", "tone"],
        "prefix": "Be {tone}.",
        "example_prompt": {"_type": "prompt", "input_variables": ["a", "b"], "template": "Q: {a} A: {b}"},
        "examples": [{"a": "one", "b": "two"}, {"a": "three", "b": "four"}],
        "example_separator": "\n--\n",
        "suffix": "Q: {question} A:",
    },
}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("kind", LANGCHAIN)
def test_langchain_formats_the_same(kind):
    loading = pytest.importorskip("langchain_core.prompts.loading")
    values = {"question": "Why?", "tone": "brief"}
    wanted = loading.load_prompt_from_config(deepcopy(LANGCHAIN[kind])).format(**values)
    (template,) = extract(SourceFile("qa.json", json.dumps(LANGCHAIN[kind]))).templates
    (block,) = template.blocks
    parts = [
        part.text if isinstance(part, Text) else str(values[part.name]) if isinstance(part, Value) else ""
        for part in block.segments
    ]
    assert "".join(parts) == wanted
