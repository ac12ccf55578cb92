"""Programs whose prompts would grow without bound: each is analysed, and what a bound cuts off is an unknown value."""

from __future__ import annotations

import pytest
from prefixlint.frontends.python import analyse
from prefixlint.frontends.python.frames import Bounds
from prefixlint.model.segments import Value
from prefixlint.model.sources import SourceFile
from python_support import templates_of

HEAD = "from openai import OpenAI\nclient = OpenAI()\ndef ask(q):\n"
SEND = '    client.chat.completions.create(model="gpt-4o", messages=[{"role": "system", "content": prompt}])\n'

BODIES = {
    "doubled": '    prompt = "You are a helpful assistant"\n' + "    prompt = prompt + prompt\n" * 40,
    "doubled in an f-string": '    prompt = "You are"\n' + '    prompt = f"{prompt}{q}{prompt}"\n' * 40,
    "choices in choices": '    prompt = "You are"\n'
    + "".join(
        f'    if q.a{i}:\n        prompt += "text {i}"\n    else:\n        prompt = "You {i} " + prompt\n'
        for i in range(40)
    ),
    "many cases": '    prompt = "You are"\n    match q:\n'
    + "".join(f'        case {i}: prompt += "case {i}"\n' for i in range(600)),
    "a long elif": '    prompt = "You are"\n    if q == 0:\n        prompt = "a"\n'
    + "".join(f'    elif q == {i}:\n        prompt = "You are {i}"\n' for i in range(1, 300)),
}


def templates(body: str) -> int:
    file = SourceFile("app.py", HEAD + body + SEND)
    found = analyse([file], lambda path: None)["app.py"]
    assert found.faults == ()
    return len(found.templates) + len(found.problems)


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_growth_without_bound_ends_in_one_template(body: str) -> None:
    assert templates(body) == 1


def test_numbers_that_python_does_not_print() -> None:
    assert templates("    prompt = f'You are {10**5000}'\n") == 1
    assert templates("    prompt = 'You are {" + "9" * 5000 + "}'.format(q)\n") == 1


def test_a_wrapper_in_every_file_is_followed_from_its_own_caller() -> None:
    rules = "You answer for the public library. Books are lent for four weeks and films for one week only. " * 6
    files = [
        SourceFile(
            f"m{i}.py",
            f'from openai import OpenAI\nclient = OpenAI()\nRULES = """{rules}"""\n'
            "def send(system, question):\n"
            '    return client.chat.completions.create(model="gpt-4o", messages=['
            '{"role": "system", "content": system}, {"role": "user", "content": question}])\n'
            'def handle(question, user_name):\n    return send(f"{user_name} {RULES}", question)\n',
        )
        for i in range(70)
    ]
    found = analyse(files, lambda path: None)
    assert [len(found[file.path].templates) for file in files] == [1] * 70


@pytest.mark.parametrize("call", ["logger.warning", "sys.stdout.write", "cursor.execute", "typer.echo"])
def test_text_that_goes_to_no_model_is_no_prompt(call: str) -> None:
    rules = "You are an expert. Your task is to answer. Do not make up facts. Respond only in JSON. " * 6
    file = SourceFile(
        "app.py", f"def show(logger, sys, cursor, typer, question):\n    {call}(f'{{question}} {rules}')\n"
    )
    assert analyse([file], lambda path: None)["app.py"].templates == ()


def test_a_file_of_many_long_ways_ends_and_says_so() -> None:
    loops = "".join(f"{'    ' * depth}for x{depth} in {list(range(20))}:\n" for depth in range(1, 4))
    heavy = f'    prompt = "You are"\n{loops}                prompt = prompt + f"{{x1}} {{x2}} {{x3}} {{q}}"\n{SEND}'
    text = HEAD + heavy + "".join(f"def ask{number}(q):\n{heavy}" for number in range(3))
    found = analyse([SourceFile("app.py", text)], lambda path: None, bounds=Bounds(steps_of_file=5_000))["app.py"]
    (problem,) = [each for each in found.problems if "too many steps" in each.message]
    assert (problem.position.line, found.faults) == (text[: text.index("def ask0")].count("\n") + 1, ())
    assert problem.message.startswith(
        "`ask0()` could not be followed: the file takes too many steps, nor could 2 other"
    )
    assert not problem.minor


def test_in_a_run_without_prompts_it_is_a_minor_matter_that_a_file_takes_too_many_steps() -> None:
    loops = "".join(f"{'    ' * depth}for x{depth} in {list(range(20))}:\n" for depth in range(1, 4))
    heavy = f"    total = []\n{loops}                total.append(x1 + x2 + x3)\n    prompt = total\n"
    text = "".join(f"def prompt{number}(q):\n{heavy}    return q.generate(prompt)\n" for number in range(3))
    found = analyse([SourceFile("app.py", text)], lambda path: None, bounds=Bounds(steps_of_file=5_000))["app.py"]
    (problem,) = [each for each in found.problems if "too many steps" in each.message]
    assert (found.templates, problem.minor) == ((), True)


def test_a_large_callee_does_not_hide_what_its_caller_sends() -> None:
    loops = "".join(f"{'    ' * depth}for x{depth} in {list(range(20))}:\n" for depth in range(1, 4))
    prepare = f"def prepare(q):\n    total = ''\n{loops}                total = total + f'{{x1}} {{x2}} {{q}}'\n"
    prepare += '    client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": total}])\n'
    answer = 'def answer(q):\n    prepare(q)\n    prompt = f"{datetime.now()} You answer {{q}} for the library."\n'
    text = f"from datetime import datetime\n{HEAD.rpartition('def')[0]}{prepare}{answer}{SEND}"
    found = analyse([SourceFile("app.py", text)], lambda path: None)["app.py"]
    (template,) = [t for t in found.templates if t.name == "answer"]
    assert [s.expression for block in template.blocks for s in block.segments if isinstance(s, Value)] == [
        "datetime.now()"
    ]
    assert template.bounds == ()
    assert any("prepare" in problem.message for problem in found.problems)


@pytest.mark.parametrize(
    ("line", "sent"),
    [
        ("x = {'a': x, 'b': x}", "json.dumps(x)"),
        ("x = [x, x]", "str(x)"),
        ("x = [x, x]", "''.join(x)"),
        ("x = [x, q] if q else {'k': x, 'j': x}", "str(x)"),
        ("x = {'role': 'user', 'content': [x, x]}", "str([x])"),
        ("y = [*y, *y, q]", "str(y)"),
        ("y.extend(y + [q])", "str(y)"),
        ("y += y + [q]", "str(y)"),
    ],
)
def test_things_that_double_are_cut_off_and_told(line: str, sent: str) -> None:
    body = "".join(f"    {line}\n" for _ in range(50))
    source = (
        "import json\nfrom openai import OpenAI\nclient = OpenAI()\n"
        f"def ask(q):\n    x = q\n    y = [q]\n{body}    return client.responses.create(model='m', input={sent})\n"
    )
    found = analyse([SourceFile("a.py", source)], lambda path: None)["a.py"]
    assert [problem.message.partition(":")[0] for problem in found.problems] == [
        "`ask()` could not be followed to its end"
    ]


def test_of_a_request_with_very_many_messages_the_first_ones_are_shown() -> None:
    messages = ", ".join(f"{{'role': 'user', 'content': 'number {n}'}}" for n in range(600))
    source = (
        "from openai import OpenAI\nclient = OpenAI()\n"
        f"def ask():\n    return client.chat.completions.create(model='m', messages=[{messages}])\n"
    )
    (template,) = templates_of(source, "a.py")
    assert len(template.blocks) == 500
    assert template.bounds == ("more than 500 parts: the rest is left out",)
