"""Ollama's chat templates: what they render, worked out by hand from Go's documentation and Ollama's source."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pytest
from prefixlint.tokens import TokenizerError
from prefixlint.tokens.chat_files import chat_template, has_chat_template
from prefixlint.tokens.chat_render import ChatTemplate, ChatTemplateError
from prefixlint.tokens.gotemplate import GoTemplateError, parse, run
from prefixlint.tokens.ollama import GoChatTemplate
from test_model_files import byte_pairs, gguf

if TYPE_CHECKING:
    from pathlib import Path

NOW = datetime(2026, 3, 14, 9, 26, 53)
SYSTEM = {"role": "system", "content": "Be brief."}
USER = {"role": "user", "content": "Hi"}
ANSWER = {"role": "assistant", "content": "Hello"}
NEXT = {"role": "user", "content": "Why?"}


@pytest.mark.parametrize(
    ("template", "wanted"),
    [
        ("a {{- .Name }}  b", "ax  b"),
        ("a  {{ .Name -}}  \n b", "a  xb"),
        ("{{/* nothing */}}a {{- /* nor here */ -}} b", "ab"),
        ("{{ if .No }}1{{ else if .Name }}2{{ else }}3{{ end }}", "2"),
        ("{{ if and .Name (not .No) }}both{{ end }}", "both"),
        ("{{ or .No .Name }}{{ and .Name .No }}", "xfalse"),
        ("{{ range .List }}<{{ . }}>{{ else }}none{{ end }}", "<a><b>"),
        ("{{ range .Empty }}<{{ . }}>{{ else }}none{{ end }}", "none"),
        ("{{ range $i, $x := .List }}{{ $i }}{{ $x }}{{ end }}", "0a1b"),
        ("{{ range $key, $value := .Map }}{{ $key }}={{ $value }};{{ end }}", "k=1;z=2;"),
        ('{{ range .List }}{{ if eq . "a" }}{{ continue }}{{ end }}{{ . }}{{ end }}', "b"),
        ("{{ range .List }}{{ . }}{{ break }}{{ end }}", "a"),
        ('{{ $x := "1" }}{{ range .List }}{{ $x = . }}{{ end }}{{ $x }}', "b"),
        ('{{ $x := "1" }}{{ if .Name }}{{ $x := "2" }}{{ $x }}{{ end }}{{ $x }}', "21"),
        ("{{ with .Name }}{{ . }}{{ $.Other }}{{ end }}", "xy"),
        ('{{ eq .Name "z" "x" }} {{ ne 1 2 }} {{ lt 1 2 }} {{ ge 1 2 }}', "true true true false"),
        ('{{ len .List }} {{ len "é" }} {{ index .List 1 }} {{ slice "abcd" 1 3 }}', "2 2 b bc"),
        ("{{ eq (len (slice .List 1)) 1 }}", "true"),
        ('{{ .Name | printf "<%s>" }}{{ printf "%d%%|%q|%v" 5 "a" true }}', '<x>5%|"a"|true'),
        ('{{ print 1 2 "a" 3 }}', "1 2a3"),
        ('{{ `{{ raw }}` }}{{ "a\\n" }}', "{{ raw }}a\n"),
        ("{{ .Missing }}{{ nil | not }}", "<no value>true"),
        ("{{ (index .List 0) }}{{ .Map.k }}", "a1"),
    ],
)
def test_go_templates(template: str, wanted: str) -> None:
    data = {"Name": "x", "Other": "y", "No": False, "List": ["a", "b"], "Empty": [], "Map": {"z": 2, "k": 1}}
    assert run(parse(template), data, {}) == wanted


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("{{ if .A }}", "if without its end"),
        ("{{ end }}", "'end' without a beginning"),
        ("{{ .A", "an action without its end"),
        ('{{ template "x" }}', "template is not covered"),
        ("{{ shout .A }}", "the function shout is not covered"),
        ("{{ $x }}", r"there is no variable \$x"),
        ("{{ .A.B }}", "there is no field B in str"),
        ("{{ eq .A 1 }}", "values of different kinds"),
        ('{{ printf "%x" 1 }}', "format '%x' is not covered"),
        ("{{ index .L 5 }}", "index cannot be applied"),
        ("{{ & }}", "is not covered"),
        ("{{ if .A }}" * 80, "more than 60 blocks"),
    ],
)
def test_what_is_not_covered_is_said(template: str, message: str) -> None:
    with pytest.raises(GoTemplateError, match=message):
        run(parse(template), {"A": "a", "L": []}, {})


def rendered(text: str, *messages: dict[str, Any], tools: Any = None, **more: str) -> str:
    return GoChatTemplate("ollama:own", text, {}, **more).render(messages, now=NOW, tools=tools)


MESSAGES = """{{ if .System }}<s>{{ .System }}</s>{{ end }}
{{- range $i, $_ := .Messages }}
{{- $last := eq (len (slice $.Messages $i)) 1 }}
{{- if eq .Role "user" }}<u>{{ .Content }}</u>
{{- else if eq .Role "assistant" }}<a>{{ .Content }}</a>
{{- end }}
{{- if $last }}<a>{{ end }}
{{- end }}"""
TURNS = """{{ if .System }}<s>{{ .System }}</s>{{ end }}<u>{{ .Prompt }}</u><a>{{ .Response }}</a>
"""


def test_a_template_of_messages() -> None:
    assert rendered(MESSAGES, USER) == "<u>Hi</u><a>"
    assert rendered(MESSAGES, SYSTEM, USER, ANSWER, NEXT) == ("<s>Be brief.</s><u>Hi</u><a>Hello</a><u>Why?</u><a>")
    # Neighbours of one role are one message.
    assert rendered(MESSAGES, USER, NEXT) == "<u>Hi\n\nWhy?</u><a>"


def test_a_template_of_turns_is_rendered_once_for_each_and_ends_at_the_answer() -> None:
    assert rendered(TURNS, USER) == "<u>Hi</u><a>"
    assert rendered(TURNS, SYSTEM, USER, ANSWER, NEXT) == ("<s>Be brief.</s><u>Hi</u><a>Hello</a>\n<u>Why?</u><a>")
    # Without a place for the answer it goes to the end.
    assert rendered("[{{ .Prompt }}] ", USER, ANSWER, NEXT) == "[Hi] Hello[Why?] "


def test_an_answer_inside_a_condition_ends_the_prompt_there() -> None:
    text = "{{ .Prompt }}{{ if .Response }}({{ .Response }}){{ end }}!"
    # Up to the answer, which is empty in the last turn: the condition does not hold.
    assert rendered(text, USER, ANSWER, NEXT) == "Hi(Hello)!Why?"


def test_the_models_system_text_and_first_token() -> None:
    assert rendered(MESSAGES, USER, system="Own rules.", begin="<|b|>") == "<|b|><s>Own rules.</s><u>Hi</u><a>"
    assert rendered(MESSAGES, SYSTEM, USER, system="Own rules.") == "<s>Be brief.</s><u>Hi</u><a>"


def test_a_model_that_can_think_is_asked_to() -> None:
    text = (
        "{{ range .Messages }}{{ .Thinking }}{{ .Content }}{{ end }}{{ if and $.IsThinkSet $.Think }}<think>{{ end }}"
    )
    assert rendered(text, USER) == "Hi<think>"
    assert rendered(text.replace("{{ .Thinking }}", ""), USER) == "Hi"


def test_dates() -> None:
    assert rendered("{{ currentDate }} {{ yesterdayDate }} {{ .Prompt }}", USER) == "2026-03-14 2026-03-13 Hi"


TOOL = {
    "type": "function",
    "function": {
        "name": "find",
        "description": "Finds <all> & more",
        "parameters": {
            "type": "object",
            "required": ["q"],
            "properties": {"q": {"type": "string", "description": "words"}, "n": {"type": "integer", "enum": [1, 2]}},
        },
    },
}
FUNCTION = (
    '{"name":"find","description":"Finds \\u003call\\u003e \\u0026 more","parameters":{"type":"object",'
    '"required":["q"],"properties":{"n":{"type":"integer","enum":[1,2]},"q":{"type":"string","description":"words"}}}}'
)


def test_tools() -> None:
    whole = f'{{"type":"function","function":{FUNCTION}}}'
    assert rendered("{{ .Tools }}{{ range .Messages }}{{ end }}", USER, tools=[TOOL]) == f"[{whole}]"
    assert rendered("{{ range .Tools }}{{ . }}{{ end }}{{ .Messages | len }}", USER, tools=[TOOL]) == f"{whole}1"
    assert rendered("{{ range .Tools }}{{ json .Function }}{{ end }}{{ len .Messages }}", USER, tools=[TOOL]) == (
        f"{FUNCTION}1"
    )
    each = "{{ range .Tools }}{{ .Function.Name }}({{ range $n, $p := .Function.Parameters.Properties }}"
    each += "{{ $n }}: {{ $p.Type }}, "
    assert (
        rendered(each + "{{ end }}){{ end }}{{ len .Messages }}", USER, tools=[TOOL])
        == "find(n: integer, q: string, )1"
    )
    # How this is printed depends on the version of Ollama.
    with pytest.raises(ChatTemplateError, match="ollama:own is not rendered here: how a Struct is printed"):
        rendered("{{ range .Tools }}{{ .Function }}{{ end }}{{ .Messages }}", USER, tools=[TOOL])


def test_calls_of_tools() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "find", "arguments": '{"q": "a", "n": 1}'}}
    text = "{{ range .Messages }}{{ range .ToolCalls }}{{ .Function.Name }}{{ .Function.Arguments }}{{ end }}{{ end }}"
    assert rendered(text, USER, {"role": "assistant", "content": "", "tool_calls": [call]}) == 'find{"n":1,"q":"a"}'


def install(folder: Path, layers: dict[str, str], config: dict[str, Any] | None = None) -> None:
    blobs = folder / "blobs"
    gguf(blobs / "sha256-model", byte_pairs(**{"tokenizer.chat_template": "{{ messages[0].content }}"}))
    listed = [{"mediaType": "application/vnd.ollama.image.model", "digest": "sha256:model"}]
    for kind, text in layers.items():
        (blobs / f"sha256-{kind}").write_text(text, encoding="utf-8")
        listed.append({"mediaType": f"application/vnd.ollama.image.{kind}", "digest": f"sha256:{kind}"})
    (blobs / "sha256-config").write_text(json.dumps(config or {}), encoding="utf-8")
    manifest = folder / "manifests" / "registry.ollama.ai" / "library" / "mine" / "latest"
    manifest.parent.mkdir(parents=True)
    manifest.write_text(json.dumps({"config": {"digest": "sha256:config"}, "layers": listed}), encoding="utf-8")


def test_an_installed_models_own_template(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_MODELS", str(tmp_path))
    install(tmp_path, {"template": MESSAGES, "system": "Own rules."})
    template = chat_template.__wrapped__("ollama:mine")
    assert has_chat_template("ollama:mine")
    # llama.cpp puts the first token of this vocabulary in front of every prompt.
    assert template.render([USER], now=NOW) == "<|begin|><s>Own rules.</s><u>Hi</u><a>"


def test_without_a_template_of_its_own_that_of_the_file_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_MODELS", str(tmp_path))
    install(tmp_path, {})
    template = chat_template.__wrapped__("ollama:mine")
    assert type(template) is ChatTemplate
    assert template.render([USER], now=NOW) == "Hi"


def test_a_model_that_ollama_renders_by_a_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_MODELS", str(tmp_path))
    install(tmp_path, {"template": MESSAGES}, {"renderer": "qwen3-coder"})
    with pytest.raises(
        TokenizerError, match=r"by a program of its own \(qwen3-coder\); save the model's chat template"
    ):
        chat_template.__wrapped__("ollama:mine")
