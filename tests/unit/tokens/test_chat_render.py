"""Chat templates: rendered as transformers renders them, and kept in the sandbox."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

import pytest
from prefixlint.tokens.chat_arguments import chat_arguments
from prefixlint.tokens.chat_render import ChatTemplate, ChatTemplateError
from transformers.utils.chat_template_utils import render_jinja_template

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NOW = datetime(2026, 3, 14, 9, 26, 53)

# Every device that real templates use: trimmed blocks, a namespace, loop controls, macros, tojson with its options,
# the generation tag, special tokens, and text in other scripts.
OWN = """\
{%- macro bare(text) -%}
    {{- text | trim -}}
{%- endmacro %}
{%- set state = namespace(system='', turns=0) %}
{{- bos_token }}
    {% if messages[0].role == 'system' %}
        {%- set state.system = bare(messages[0].content) %}
    {% endif %}
{%- if tools is not none and tools %}
<tools>
{%- for tool in tools %}
{{ tool | tojson }}
{{ tool.function.parameters | tojson(indent=2, sort_keys=true) }}
{%- endfor %}
</tools>
{%- endif %}
{{- '<|system|>' + state.system + '\\n' if state.system }}
{%- for message in messages %}
    {%- if message.role == 'system' %}{% continue %}{% endif %}
    {%- set state.turns = state.turns + 1 %}
    {%- if message.role not in ['user', 'assistant'] %}{{ raise_exception('no role ' ~ message.role) }}{% endif %}
<|{{ message.role }}|>{{ state.turns }}
    {%- if message.role == 'assistant' %}
{% generation %}{{ message.content }}{{ message.thinking }}{{ message.name is defined }}{% endgeneration %}
    {%- else %}{{ message.content.split('</think>')[-1] }}{% endif %}
{% endfor %}
{%- if add_generation_prompt %}<|assistant|>{% endif %}
{{- dict(a=1).items() | list }}
"""
SYSTEM = {"role": "system", "content": "  Straße & <Weg>\n"}
USER = {"role": "user", "content": "a </think> wie 'spät'?"}
ANSWER = {"role": "assistant", "content": "halb", "reasoning_content": "hm", "name": None}
CHATS = [[USER], [SYSTEM, USER], [SYSTEM, USER, ANSWER, USER]]
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "uhr",
            "description": "Zeit für <Ort>",
            "parameters": {"type": "object", "properties": {"z": {"type": "string"}, "a": {"type": "number"}}},
        },
    }
]


def theirs(text: str, chat: Sequence[Mapping[str, Any]], tools: Any, generation: bool) -> str:
    plain = [{key: value for key, value in message.items() if value is not None} for message in chat]
    rendered, _ = render_jinja_template(
        [plain], tools=tools, chat_template=text, add_generation_prompt=generation, bos_token="<s>"
    )
    return str(rendered[0])


@pytest.mark.parametrize("generation", [True, False])
@pytest.mark.parametrize("tools", [None, TOOLS], ids=["bare", "tools"])
@pytest.mark.parametrize("chat", CHATS, ids=["user", "system", "turns"])
def test_renders_as_transformers_does(chat: list[dict[str, Any]], tools: Any, generation: bool) -> None:
    ours = ChatTemplate("own", OWN, {"bos_token": "<s>"}).render(chat, now=NOW, tools=tools, generation=generation)
    assert ours == theirs(OWN, chat, tools, generation)
    assert ours.startswith("<s>")


def test_the_clock_is_the_one_that_is_given() -> None:
    template = ChatTemplate("own", "{% if strftime_now is defined %}{{ strftime_now('%d %b %Y %H:%M') }}{% endif %}")
    assert template.render([USER], now=NOW) == "14 Mar 2026 09:26"


def test_an_engine_hands_over_its_own_arguments() -> None:
    template = ChatTemplate("own", "{{ date_string | default('none') }}")
    assert template.render([USER], now=NOW, arguments=chat_arguments("llama-server", NOW)) == "14 Mar 2026"
    assert template.render([USER], now=NOW, arguments=chat_arguments("vllm", NOW)) == "none"


MILLION = "('a' * 1000000)"
BOMBS = [
    "{{ '%999999999d' | format(1) }}",
    "{{ 'x' | center(10**10) }}",
    "{{ 'x'.ljust(10**10) }}",
    "{{ 'x'.zfill(10**10) }}",
    "{{ '{:>9999999999}'.format(1) }}",
    "{{ '{:>{w}}'.format(1, w=10**10) }}",
    "{{ ('{0}' * 100000).format('x' * 100000) }}",
    "{{ '%s' * 99999 % (('x' * 99999,) * 99999) }}",
    f"{{{{ {MILLION}.replace('a', {MILLION}) }}}}",
    f"{{{{ {MILLION} | replace('a', {MILLION}) }}}}",
    f"{{{{ {MILLION} | indent({MILLION}) }}}}",
    f"{{{{ {MILLION} | wordwrap(1, wrapstring={MILLION}) }}}}",
    f"{{{{ {MILLION}.translate({{97: {MILLION}}}) }}}}",
    f"{{{{ range(100000) | map('string') | join({MILLION}) }}}}",
    f"{{{{ {MILLION}.join(['x'] * 100000) }}}}",
    "{{ [1] | tojson(indent=10**10) }}",
    "{{ [1] | batch(10**10, 'x') | list }}",
    "{{ [1] | slice(10**10) | list }}",
    "{{ lipsum(n=10**10) }}",
    "{{ '\\t'.expandtabs(10**10) }}",
    "{{ (1).to_bytes(10**10, 'big') }}",
    "{% set x = 'a' %}" + "{% set x = x ~ x %}" * 60,
    "{% set x = [1] %}" + "{% set x = x + x %}" * 60,
    "{% set s = namespace(x=3) %}{% for i in range(99) %}{% set s.x = s.x * s.x %}{% endfor %}",
    "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}",
    f"{{% set b = {MILLION} %}}{{% set z %}}{{% for i in range(99999) %}}{{{{ b }}}}{{% endfor %}}{{% endset %}}",
    "{% set z %}{% for i in range(99999) %}" + "w" * 99999 + "{% endfor %}{% endset %}",
    "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(100) }}",
    "{% for x in [1] recursive %}{{ loop([1, 2]) }}{% endfor %}",
    "{% for x in range(240) recursive %}{% if loop.depth < 3 %}{{ loop(range(240)) }}{% endif %}{% endfor %}",
    "{% for x in range(99999) if not x recursive %}{{ loop(range(99999)) if loop.depth < 99 }}{% endfor %}",
]


@pytest.mark.parametrize("text", BOMBS)
def test_what_would_take_hours_or_terabytes_is_refused(text: str) -> None:
    with pytest.raises(ChatTemplateError, match=r"makes more text|does not come to an end|RecursionError"):
        ChatTemplate("own", text).render([USER], now=NOW)


def test_a_long_conversation_is_within_the_allowance() -> None:
    chat = [{"role": "user", "content": "x" * 4000}, {"role": "assistant", "content": "y" * 4000}] * 300
    ours = ChatTemplate("own", OWN, {"bos_token": "<s>"}).render(chat, now=NOW, tools=None)
    assert ours == theirs(OWN, chat, None, True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{{ raise_exception('roles must alternate') }}", "own refuses the conversation: roles must alternate"),
        ("\n{% if %}", "own, line 2: Expected an expression, got 'end of statement block'"),
        ("{{ messages[0]['content'] + 1 }}", "own fails: TypeError: can only concatenate str"),
        ("{{ messages.__class__.__mro__ }}", "own refuses the conversation: access to attribute '__class__'"),
        ("{{ strftime_now.__globals__['sys'] }}", "own refuses the conversation: access to attribute '__globals__'"),
        ("{% set ns = namespace(a=1) %}{% set ns.__class__ = 2 %}", "own refuses the conversation: a namespace cannot"),
        ("{{ messages.append(1) }}", "own refuses the conversation: .*unsafe|own refuses the conversation: .*append"),
        ("{% for a in range(10**6) %}{{ a }}{% endfor %}", "own fails: OverflowError"),
        ("{% include '/etc/passwd' %}", "own fails: TypeError: no loader"),
        ("{% for a in range(9999) %}{{ 'x' * 9999 }}{% endfor %}", "own does not come to an end"),
        ("{{ 'x' * 10**11 }}", "own refuses the conversation: an operation makes more text"),
        ("{{ 9**99999 }}", "own refuses the conversation: an operation makes more text"),
        ("{{ '%0999999999d' % 1 }}", "own refuses the conversation: an operation makes more text"),
    ],
)
def test_what_goes_wrong_is_said(text: str, message: str) -> None:
    with pytest.raises(ChatTemplateError, match=message):
        ChatTemplate("own", text).render([USER], now=NOW)
