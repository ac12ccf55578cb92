"""Which files are prompts: other YAML and Jinja stay silent; hostile files cost little and say one clear thing."""

from __future__ import annotations

import pytest
from prefixlint.frontends.promptfiles import extract, might_hold_prompt
from prefixlint.model.lifetimes import Confidence
from prefixlint.model.segments import Value
from prefixlint.model.sources import SourceFile

OTHER = {
    ".github/workflows/ci.yml": "on: push\njobs:\n  test:\n    steps:\n      - run: ${{ x }}\n        name: prompt\n",
    "docker-compose.yml": "services:\n  web:\n    image: x\n    environment: {SYSTEM_PROMPT: '${SYSTEM_PROMPT}'}\n",
    "k8s/deploy.yaml": "apiVersion: apps/v1\nkind: Deployment\nspec:\n  template:\n    metadata: {name: '${NAME}'}\n",
    "chart/templates/cm.yaml": "data:\n  prompt: {{ .Values.prompt | quote }}\n{{- end }}\n",
    "openapi.yaml": "openapi: 3.0.0\npaths:\n  /users/{user_id}:\n    get: {description: 'You must give {user_id}'}\n",
    "locale/en.yml": "en:\n  prompt: 'Hello {name}'\n  messages:\n    welcome: 'Welcome back, {name}!'\n",
    "playbook.yml": "- hosts: all\n  tasks:\n    - name: x\n      template: {src: a.j2, dest: '/etc/{{ name }}'}\n",
    "templates/page.html.j2": "<html><body>You are {{ user.name }}. Your task is to answer the question.</body></html>",
    "deploy/services.xml.j2": "<service>You are {{ question }}. Your task is to answer.</service>",
    "templates/base.j2": "<div class='prompt'>{% block body %}{% endblock %}</div>",
    "roles/nginx/templates/nginx.conf.j2": "server { listen {{ port }}; }",
    "roles/x/templates/motd.j2": "Welcome to {{ ansible_hostname }}. You must always follow the rules.",
    "models/orders.sql.jinja": "select * from {{ ref('orders') }}",
    "models/macro.jinja": "select * from {{ ref('orders') }} where {{ question }}",
    "{{cookiecutter.x}}/README.j2": "# {{ cookiecutter.project }}\nYou should follow these instructions.",
    "views/page.mustache": "<html><body>You are {{user}}. Your task is to answer the question.</body></html>",
    "views/prompt_list.hbs": "{{#each prompts}}<li>{{title}}</li>{{/each}}",
    "email.j2": "Hello {{ user.name }},\n\nplease find your invoice attached.\n",
    "README.md": "# Prompts\n\nYou are an assistant. Your task is {task}. Always answer.",
    "docs/prompts.md": "# system:\nYou are an assistant. Answer {{ question }} with the rules below.",
    "notes/todo.txt": "You are an assistant. Your task is {task}. Always answer the question.",
    "prompts/constant.md": "You are an assistant. Your task is to answer. Always answer the question.",
    "data.json": '{"messages": [{"role": "user", "content": "You are {x}"}]}',
    "package.json": '{"prompts": "^2.0.0", "template": "{x}"}',
    "zsh/prompt.j2": "PS1='{{ color }}$ '",
    "cases/fixture.yaml": "interactions:\n- request:\n    body: '{}'\n  prompt: 'You are {x}'\n",
    "promptflow/readme_templates/README.md.jinja2": "# {{ title }}\n[![badge]({{ badge }})]({{ url }})\n",
}


@pytest.mark.parametrize("path", OTHER)
def test_other_files_stay_silent(path):
    source = OTHER[path]
    if might_hold_prompt(path, source.encode()):
        found = extract(SourceFile(path, source))
        assert found.templates == ()
        assert found.problems == ()


FORM = "# State\nHeight: {height}\n\n{history}\n\n# Program\n{program}\n\n# Work\nImprove it.\n"


@pytest.mark.parametrize(
    ("path", "source", "known"),
    [
        # What several values are filled into, where prompts lie, says little of itself: one mark of a prompt is enough.
        ("prompts/defaults/change.txt", f"{FORM}Provide the whole program.", True),
        ("prompts/defaults/change.txt", FORM, False),
        ("letters/change.txt", f"{FORM}Provide the whole program.", False),
        ("prompts/defaults/change.txt", "Height: {height}\n{history}\nProvide the whole program.", False),
    ],
)
def test_a_form_among_prompts_says_little(path, source, known):
    assert bool(extract(SourceFile(path, source)).templates) is known


@pytest.mark.parametrize("path", ["prompts/context.xml.j2", "agents/page_prompt.xml.jinja"])
def test_prompts_are_written_with_tags_too(path):
    source = "<page>The user looks at a page.\n<text>{{ page_text }}</text>\nAnswer in one line.</page>\n"
    assert might_hold_prompt(path, source.encode())
    (template,) = extract(SourceFile(path, source)).templates
    assert [s.expression for b in template.blocks for s in b.segments if isinstance(s, Value)] == ["page_text"]


@pytest.mark.parametrize(
    "path",
    [".github/workflows/ci.yml", "docker-compose.yml", "k8s/deploy.yaml", "chart/templates/cm.yaml", "openapi.yaml"],
)
def test_common_other_yaml_is_not_even_parsed(path):
    assert not might_hold_prompt(path, OTHER[path].encode())


@pytest.mark.parametrize("path", ["a.png", "a.py", "a.html", "a", "node_modules/x/prompts/a.j2"])
def test_other_kinds(path):
    assert not might_hold_prompt(path, b"You are {{ x }}")
    assert extract(SourceFile(path, "You are {{ x }}")).templates == ()


def problem(path: str, source: str):
    found = extract(SourceFile(path, source))
    assert found.templates == ()
    (only,) = found.problems
    return only.position.line, only.message


def test_broken_yaml():
    line, message = problem("prompts/a.yaml", "system_prompt: 'You are {x}\nother: [\n")
    assert line == 3
    assert "YAML" in message


def test_broken_jinja():
    assert problem("prompts/a.j2", "You are a helper.\n\nAnswer {% if question %}now.\n") == (
        3,
        "Jinja: {% if %} is never closed",
    )


def test_broken_jinja_inside_yaml_names_the_line_in_the_file():
    source = "a: 1\nsystem_prompt: |\n  You are a helper. Answer the user.\n  {{ question }} {% if x %}\n"
    line, message = problem("prompts/a.yaml", source)
    assert line == 4
    assert "never closed" in message


def test_huge_and_deep_files():
    assert "over the bound" in problem("prompts/a.yaml", "prompt: You are {x}\n" + "# filler\n" * 300_000)[1]
    assert "over the bound" in problem("prompts/a.j2", "You are a helper. Answer {{ x }}\n" + "x" * 1_100_000)[1]
    assert "nested deeper" in problem("prompts/a.yaml", "prompt: " + "[" * 10_000)[1]
    assert "nested deeper" in problem("prompts/a.json", '{"prompt": "{x}", "x": ' + "[" * 10_000)[1]


def test_broken_json():
    assert problem("prompts/a.json", '{"prompt": "You are {x}"\n')[0] == 2
    assert extract(SourceFile("data.json", '{"_type": "{x}"')).problems == ()


def test_unclosed_front_matter_settings():
    line, message = problem("a.prompty", "---\nname: [x\n---\nsystem:\nhello {{ x }}\n")
    assert line >= 2
    assert "YAML" in message


def test_many_placeholders_are_quick():
    source = "You are a helper. Answer the user.\n" + "line {{ question }} and more\n" * 5_000
    (template,) = extract(SourceFile("prompts/a.j2", source)).templates
    assert len(template.blocks[0].segments) == 10_001


def test_the_cheap_test_is_cheap():
    data = b"key: value {x}\n" * 4_000_000
    might_hold_prompt("config/prompts.yaml", data)
    might_hold_prompt("config/other.yaml", data)


@pytest.mark.parametrize("start", ["<|im_start|>system\n", "[INST] ", "<start_of_turn>user\n"])
def test_plain_text_that_spells_out_a_chat_template_is_a_prompt(start):
    source = start + "You rate answers. Here is the question: {question}\nGive one number, and nothing else.\n"
    for path, count in (("config/rate.txt", 1), ("config/rate.md", 0)):
        held = might_hold_prompt(path, source.encode())
        assert held is bool(count)
        assert len(extract(SourceFile(path, source)).templates) == count
    assert not might_hold_prompt("config/rate.txt", source.removeprefix(start).encode())


@pytest.mark.parametrize(
    ("folder", "taken"),
    [("docs", 0), ("docs-website", 0), ("reference_versioned_docs", 0), ("docs_chat", 1), ("reference", 1)],
)
def test_text_in_folders_of_documentation_is_none(folder, taken):
    source = b"You are a clerk. Your task is to answer the question: {question}\n"
    assert might_hold_prompt(f"{folder}/prompts/a.md", source) is bool(taken)


TASK = """Identify the birds that the following field notes name.

Notes: {{ field_notes }}

List only birds, and never insects. For each bird give its Latin name and where it was seen.
Answer in JSON with the key "birds", as in this example: {"birds": [{"name": "Apus apus", "place": "tower"}]}
"""
LETTER = """Hello {{ user.name }},

your answer to the following question is on our page. You must not reply to this letter; please use the form, for
example for a new question. Always give the number of the request, and write what you need in JSON if you can.

Best regards
"""


def test_plain_text_that_sets_a_task_is_a_prompt_wherever_it_stands():
    path = "birds/metrics/templates/find_birds.txt"
    assert might_hold_prompt(path, TASK.encode())
    (template,) = extract(SourceFile(path, TASK)).templates
    assert template.confidence is Confidence.HIGH
    assert [s.expression for b in template.blocks for s in b.segments if isinstance(s, Value)] == ["field_notes"]


def test_a_letter_to_people_is_none():
    assert extract(SourceFile("mail/templates/answer.txt", LETTER)).templates == ()


def test_nunjucks_in_a_folder_of_prompts_is_no_broken_jinja():
    text = TASK + '{% if kind !== "large" %}Small birds only.{% endif %}\n'
    found = extract(SourceFile("prompts/find_birds.txt", text))
    assert found.problems == ()
    (template,) = found.templates
    assert [type(s).__name__ for s in template.blocks[0].segments] == ["Text", "Value", "Text", "Choice", "Text"]


def test_what_is_neither_is_told():
    (problem,) = extract(SourceFile("prompts/find_birds.txt", TASK + "{% if kind %}")).problems
    assert "Jinja" in problem.message


SHORT = "Extract the places from the following text; this is round {{ round }}.\n\n{{ text }}\n"


@pytest.mark.parametrize(
    ("path", "source", "read"),
    [
        ("desk/places_prompt_input.txt", SHORT, True),
        ("desk/prompts/places.txt", SHORT, False),
        ("desk/places.txt", SHORT, False),
        ("desk/places_prompt_input.txt", SHORT.replace("{{", "{").replace("}}", "}"), False),
        # A word in angle brackets is no page.
        ("desk/sql_prompt.txt", SHORT + "Return one statement: UPDATE <table> SET <column> = <value>.\n", True),
        ("desk/page_prompt.txt", SHORT + "<table><td>{{ text }}</td></table>\n", False),
    ],
)
def test_a_file_that_is_called_a_prompt_need_not_say_much(path, source, read):
    assert bool(extract(SourceFile(path, source)).templates) is read


@pytest.mark.parametrize("suffix", [".mustache", ".hbs", ".handlebars"])
def test_mustache_by_its_suffix(suffix: str) -> None:
    text = "You are a clerk. Your task is to answer {{question}}.\n{{#rules}}Say {{rules}}{{/rules}}\nAnswer shortly."
    (template,) = extract(SourceFile(f"prompts/clerk{suffix}", text)).templates
    (block,) = template.blocks
    shown = [type(segment).__name__ for segment in block.segments]
    assert shown == ["Text", "Value", "Text", "Choice", "Text"]
    assert [s.expression for s in block.segments if isinstance(s, Value)] == ["question"]
