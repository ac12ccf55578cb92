"""A document about which a loop asks again and again counts as the text that it is for all passes."""

from __future__ import annotations

import pytest
from prefixlint.engines.targets import load_target
from prefixlint.frontends.python import analyse
from prefixlint.layout import build
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Value, walk
from prefixlint.model.sources import SourceFile
from prefixlint.severity import counts
from python_support import templates_of

ASK = "    client.chat.completions.create(model='gpt-4o', messages=[{'role': 'user', 'content': prompt}])\n"
ORDER = "Say what the contract below says of it, in one line, or NONE where it says nothing."
LEAST = 64


def found(program: str) -> set[str]:
    """What strands enough, by its expression."""
    source = "from openai import OpenAI\nclient = OpenAI()\n" + program
    extraction = analyse([SourceFile("app.py", source)], lambda path: None)["app.py"]
    assert extraction.faults == ()
    layouts = [build(template, (load_target("llama-server"),)) for template in extraction.templates]
    return {each.expression for layout in layouts for each in layout.inversions if counts(each, LEAST)}


@pytest.mark.parametrize(
    ("parameters", "loop", "prompt", "expected"),
    [
        ("document, fields", "for field in fields", f"{{field}}? {ORDER}\\n{{document}}", {"field"}),
        ("paper_text, fields", "for field in fields", f"{{field}}? {ORDER}\\n{{paper_text[:9000]}}", {"field"}),
        ("text, rounds", "for turn in range(rounds)", f"Round {{turn + 1}}. {ORDER}\\n{{text}}", {"turn + 1"}),
        # The document first, or nothing but labels in front of it.
        ("document, fields", "for field in fields", f"{ORDER}\\n{{document}}\\n{{field}}", set()),
        ("document, fields", "for field in fields", "{field}: {document}", set()),
        # What is asked is short, however long it lasts.
        ("question, chunks", "for chunk in chunks", f"{{chunk}}\\n{ORDER}\\n{{question}}", set()),
        # The loop goes over the documents.
        ("question, documents", "for document in documents", f"{{question}}? {ORDER}\\n{{document}}", set()),
    ],
)
def test_a_document_lasts_for_all_passes(parameters: str, loop: str, prompt: str, expected: set[str]) -> None:
    assert found(f"def run({parameters}):\n  {loop}:\n    prompt = f'{prompt}'\n{ASK}") == expected


CALL = "client.chat.completions.create(model='gpt-4o', messages=[{'role': 'user', 'content': f'%s'}])"


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        (f"{{field}}? {ORDER}\\n{{document}}", {"field"}),
        (f"{ORDER}\\n{{document}}\\n{{field}}", set()),
        (f"{{field}}? {ORDER}\\n{{store.search(field)}}", set()),
    ],
)
@pytest.mark.parametrize(
    "around", ["[%s for field in fields]", "{field: %s for field in fields}", "gather(*[%s for field in fields])"]
)
def test_the_same_in_comprehensions(around: str, prompt: str, expected: set[str]) -> None:
    assert found(f"def run(document, fields, store):\n    return {around % (CALL % prompt)}\n") == expected


def test_what_each_pass_looks_up_is_no_such_document() -> None:
    program = (
        f"def run(questions, store):\n  for q in questions:\n    context = store.search(q)\n"
        f"    prompt = f'{{q}}? {ORDER}\\n{{context}}'\n{ASK}"
    )
    assert found(program) == set()


def test_without_a_loop_nothing_lasts() -> None:
    program = f"def run(field, document):\n    prompt = f'{{field}}? {ORDER}\\n{{document}}'\n{ASK}"
    assert found(program) == set()


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("self.endpoint.in_pace(self.go, messages=[{'role': 'user', 'content': prompt}])", {"point"}),
        ("notes.append(prompt)", set()),
    ],
)
@pytest.mark.parametrize("text", ["summary", "response", "source"])
def test_a_loop_that_asks_about_each_point(call: str, expected: set[str], text: str) -> None:
    prompt = (
        f"Is the point {{point}} made? {ORDER} Answer with one number between 0 and 3, and with nothing else. {ORDER}"
    )
    loop = f"  for point in points:\n    prompt = f'{prompt}\\n{{{text}}}'\n    {call}\n"
    assert found(f"def rate(self, points, {text}, marks, notes):\n{loop}") == expected


CUT = """
import tiktoken
def shrink_text(text, most):
    codes = tiktoken.encoding_for_model("gpt-4o")
    tokens = codes.encode(text)
    return text if len(tokens) <= most else codes.decode(tokens[:most])
truncate_text = shrink_text
def run(step, document, rules):
    text = f"Step {step} of the analysis. %s"
    prompt = {cut}
    client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": prompt}])
""".replace("%s", " ".join([ORDER] * 4))


@pytest.mark.parametrize("cut", ["truncate_text(text, 9000)", "clean_up_lines(text)", "trim(text, most=90)", "text"])
def test_a_text_that_is_cut_when_it_is_too_long_stays_a_text(cut: str) -> None:
    assert found(CUT.replace("{cut}", cut)) == {"step"}


@pytest.mark.parametrize("cut", ['question.strip("\\n")', 'trim(question, " [and so on]")', "strip_tags(question)"])
def test_what_is_put_or_taken_off_at_an_end_is_not_the_text(cut: str) -> None:
    program = f"def run(question):\n    prompt = {cut} + ' {ORDER} {ORDER} {ORDER} {ORDER}'\n" + ASK
    assert found(program) == {cut}


@pytest.mark.parametrize("cut", ["translate(text)", "encode(text)", "last_lines(text, 4)"])
def test_a_text_that_becomes_another_is_a_value(cut: str) -> None:
    assert found(CUT.replace("{cut}", cut)) == set()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("SCORING_TEMPLATE", {"code"}),
        ("prompts.REASONS_PROMPT", {"code"}),
        ("RULES_COUNT", set()),
        ("scoring_template", set()),
    ],
)
def test_a_constant_of_a_library_is_a_text_by_its_name(name: str, expected: set[str]) -> None:
    program = "from marks.texts import SCORING_TEMPLATE, RULES_COUNT, scoring_template, prompts\n"
    assert found(f"{program}def run(code):\n    prompt = f'Mark this code: {{code}}\\n{{{name}}}'\n{ASK}") == expected


GROUPS = """
from concurrent.futures import ThreadPoolExecutor

def check(diff, summary, groups, names):
    def one(group):
        known = [names[name] for name in group["names"] if name in names]
        prompt = f"You check a change. Its summary: {PART} Group: {known} ORDER"
        return client.responses.create(model="gpt-4o", input=prompt)
    with ThreadPoolExecutor(4) as pool:
        ASKED
"""


@pytest.mark.parametrize(
    ("part", "lifetime"),
    [
        ("summary", Lifetime.SESSION),
        ("summary[:600]", Lifetime.SESSION),
        ("(summary or 'none')[:600]", Lifetime.SESSION),
        ("summary[:len(group)]", Lifetime.REQUEST),
        ("diff[:600]", Lifetime.SESSION),
    ],
)
@pytest.mark.parametrize("asked", ["[one(group) for group in groups]", "{pool.submit(one, g): g for g in groups}"])
def test_what_is_made_around_a_function_lasts_for_all_its_calls(asked: str, part: str, lifetime: Lifetime) -> None:
    program = GROUPS.replace("PART", part).replace("ORDER", ORDER).replace("ASKED", asked)
    values = [
        segment
        for template in templates_of("from openai import OpenAI\nclient = OpenAI()\n" + program)
        for block in template.blocks
        for segment in walk(block.segments)
        if isinstance(segment, Value)
    ]
    assert {value.expression: value.lifetime for value in values} == {part: lifetime, "known": Lifetime.REQUEST}
