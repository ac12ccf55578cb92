"""A file's own template gives way to the one of whatever loads it."""

from __future__ import annotations

import pytest
from prefixlint.config import Config
from prefixlint.run.pipeline import run

BODY = "You are a pilot. Your task is to answer the question. Always be brief and answer in JSON.\n" * 8
CODE = """
from jinja2 import Environment, FileSystemLoader
from openai import OpenAI

client = OpenAI()
environment = Environment(loader=FileSystemLoader("prompts"))
REGION = "north"


def ask(question):
    system = environment.get_template("pilot.j2").render(user_name=REGION)
    messages = [{"role": "system", "content": system}, {"role": "user", "content": question}]
    return client.chat.completions.create(model="gpt-4o", messages=messages)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts/pilot.j2").write_text("Hello {{ user_name }}.\n" + BODY)
    return tmp_path


def templates(folder):
    result = run(["."], Config(root=str(folder)))
    return [template.span.path for template in result.templates], result.findings


def test_a_file_that_nobody_loads_is_judged_by_itself(folder):
    paths, findings = templates(folder)
    assert paths == ["prompts/pilot.j2"]
    assert [finding.expression for finding in findings] == ["user_name"]


def test_a_file_that_code_loads_is_judged_by_what_the_code_passes(folder):
    (folder / "app.py").write_text(CODE)
    paths, findings = templates(folder)
    assert paths == ["app.py"]
    assert findings == ()


def test_a_file_whose_text_goes_to_what_is_not_followed_is_judged_by_what_the_code_passes(folder):
    """Nothing but the text stands for such a prompt: the template of the code stands in the file as well."""
    (folder / "app.py").write_text(
        "from jinja2 import Template\nimport fleet\n\n\n"
        "def ask(question):\n"
        '    text = Template(open("prompts/pilot.j2").read()).render(user_name=question)\n'
        "    return fleet.ask(prompt=text)\n"
    )
    result = run(["."], Config(root=str(folder)))
    assert [(template.form, template.span.path) for template in result.templates] == [
        ("prompt-string", "prompts/pilot.j2")
    ]
    assert [(finding.code, finding.expression) for finding in result.findings] == [("PFX105", "question")]


def test_a_file_of_which_only_a_part_is_loaded_keeps_its_own_template(folder):
    (folder / "prompts/part.j2").write_text("You are a pilot. Answer the question in JSON.\n{{ question }}\n")
    (folder / "app.py").write_text(CODE)
    paths, _ = templates(folder)
    assert paths == ["app.py", "prompts/part.j2"]


def test_an_included_file_is_part_of_the_one_that_includes_it(folder):
    (folder / "prompts/main.j2").write_text(
        "You are a captain. Answer the question.\n{% include 'pilot.j2' %}\n{{ question }}"
    )
    paths, findings = templates(folder)
    assert paths == ["prompts/main.j2"]
    assert [(finding.span.path, finding.expression) for finding in findings] == [("prompts/pilot.j2", "user_name")]


def test_what_a_module_makes_of_its_own_texts_stays_where_another_one_shows_them(folder):
    sent = (
        f'RULES = """{BODY}"""\n\ndef answer(question):\n    prompt = question + RULES\n'
        '    return client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": prompt}])\n'
    )
    (folder / "rules.py").write_text("from openai import OpenAI\n\nclient = OpenAI()\n" + sent)
    head = "You are shown this prompt as it is set up for all pilots of the line. Answer whether you agree.\\n"
    (folder / "menu.py").write_text(
        f"from rules import RULES\n\ndef menu_prompt(task):\n    return '{head}' + RULES + task\n"
    )
    paths, findings = templates(folder)
    assert "rules.py" in paths
    assert ("rules.py", "question") in [(finding.span.path, finding.expression) for finding in findings]
