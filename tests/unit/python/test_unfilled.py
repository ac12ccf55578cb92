"""Placeholders of other forms than ``str.format``, in prompts that nobody is seen to fill."""

from __future__ import annotations

import pytest
from prefixlint.frontends.python import analyse
from prefixlint.frontends.python.unfilled import left_for_later
from prefixlint.model.segments import Value, walk
from prefixlint.model.sources import SourceFile
from python_support import templates_of

RULES = (
    "You sort the letters that reach a lighthouse. Bills go to the office and seed catalogues to the garden. "
    "A letter without a sender is read aloud at supper. Your task is to say in one line where each letter goes."
)
BASE = """
from string import Template
class LighthousePrompt:
    text_en = ""
    text_de = ""
    def __init__(self, language):
        self.text = getattr(self, f"text_{language}")
    def build(self, values):
        return Template(self.text).safe_substitute(values)
"""
GERMAN = (
    "Du ordnest die Post eines Leuchtturms. Rechnungen kommen ins Kontor, Samenkataloge in den Garten. Briefe ohne "
    "Absender werden beim Abendbrot verlesen. Sage in einer Zeile, wohin jeder Brief soll. Schreibe nichts weiter, "
    "auch keine Begründung, und nenne den Absender nur, wenn er auf dem Umschlag steht und leserlich ist. Ein Brief, "
    "der an zwei Leute gerichtet ist, kommt zu dem, der zuerst genannt wird; der andere liest ihn danach."
)


def names_in(program: str, path: str = "app.py") -> list[str]:
    return [
        segment.expression
        for template in templates_of(program, path)
        for block in template.blocks
        for segment in walk(block.segments)
        if isinstance(segment, Value)
    ]


def test_texts_of_a_class_whose_base_fills_a_template() -> None:
    given = f'class Sort(LighthousePrompt):\n    text_en = """Sort “$article”, ${{tone}}.\n{RULES}"""\n'
    assert names_in(BASE + given) == ["article", "tone"]


def test_the_base_may_be_in_another_module() -> None:
    given = (
        "from base import LighthousePrompt\n"
        f'class Sort(LighthousePrompt):\n    text_en = """Sort “$article”.\n{RULES}"""\n'
    )
    files = [SourceFile("base.py", BASE), SourceFile("sort.py", given)]
    (template,) = analyse(files, lambda _: None)["sort.py"].templates
    assert [s.expression for s in template.blocks[0].segments if isinstance(s, Value)] == ["article"]


def test_the_name_of_the_base_says_that_it_is_a_prompt_in_any_language() -> None:
    given = f'class Sort(LighthousePrompt):\n    text_de = """Der Brief: $article\n{GERMAN}"""\n'
    assert names_in(BASE + given) == ["article"]


def test_without_a_template_a_dollar_in_a_sentence_is_no_placeholder() -> None:
    given = f'class SortPrompt:\n    text = """Sort “$article”.\n{RULES}"""\n'
    assert names_in(given) == []


@pytest.mark.parametrize(
    "line", ["$article", "Letter: $article", "Letter: ${article}", '"$article"', "Letter: %(article)s"]
)
def test_one_with_a_line_for_itself_is(line: str) -> None:
    assert names_in(f'SORT_PROMPT = """{line}\n{RULES}"""\n') == ["article"]


@pytest.mark.parametrize(
    "line",
    [
        "for letter in $letters; do sort $article; done",
        "    article: $article",
        "$LETTER",
        "$5",
        "echo $article",
        "100% of the letters (all)s",
    ],
)
def test_shells_and_others_have_dollars_too(line: str) -> None:
    assert names_in(f'SORT_PROMPT = """{RULES}\n{line}\n"""\n') == []


def test_fields_of_the_format_come_first() -> None:
    assert names_in(f'SORT_PROMPT = """{{question}}\n$article\n{RULES}"""\n') == ["question"]


FUNCTION = '''
class Sorter:
    form = "<line/>"
    def spec(self):
        return f"""{self.form}
You are an assistant of the keeper. Given the following letter, return a line.
BEFORE
HOLE
BEHIND
RULES
{EXTRA}
"""
'''.replace("RULES", RULES)


@pytest.mark.parametrize(
    ("hole", "extra", "found"),
    [
        ("{{{{article}}}}", "{self.form}", ["article"]),
        ("{{{{article}}}}", "{{output_schema}}", ["article", "output_schema"]),
        ("{{article}}", "{self.form}", ["article"]),
    ],
)
def test_what_a_function_leaves_open_whatever_it_is_called(hole: str, extra: str, found: list[str]) -> None:
    program = FUNCTION.replace("BEFORE", "+++++").replace("BEHIND", "+++++")
    assert names_in(program.replace("HOLE", hole).replace("{EXTRA}", extra)) == found


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("```\n{article}\n```\n", {"article"}),
        ("```text\n{article}\n```\n", {"article"}),
        ("<letter>\n  {article}\n</letter>\n", {"article"}),
        ("Letter: {article}\n", set()),
        ("+++++\n{article}\n-----\n", set()),
        ("<letter>\n{article}\n</note>\n", set()),
        ("```\n{indent}\n```\n", set()),
    ],
)
def test_a_second_filling_shows_by_what_stands_around(text: str, names: set[str]) -> None:
    assert left_for_later(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "Later questions may contain {{1.output}}, which is the answer to the first, or {{article}}.",
        "The letter is filled in with template variables ({{article}}, {{sender}}).",
        "A question in the form of “{{letter}}” is one to be filled in.",
        "What the parent gives stands as {{i.output}}.",
        "Write a template with the placeholder {{article}} in it.",
        'Print it with print(f"{np.mean([1, 2])}").',
    ],
)
def test_a_text_that_speaks_of_placeholders_has_none(text: str) -> None:
    assert names_in(f'SORT_PROMPT = """{RULES}\n{text}\n"""\n') == []


def test_fields_beside_a_placeholder_that_is_spoken_of_are_fields() -> None:
    text = "Refer to inputs by placeholders (e.g., {{input_name}}).\n{article}"
    assert names_in(f'SORT_PROMPT = """{RULES}\n{text}\n"""\n') == ["article"]


LONG = f"{RULES} You must answer the question with a line.\n"
TEXT = f'"""Sort this:\n{{article}}\n{LONG}"""'


@pytest.mark.parametrize(
    "program",
    [
        f"class Sorter:\n    def __init__(self):\n        self.sort_prompt = {TEXT}\n",
        f"import os\nSORT_PROMPT = os.environ.get('SORT_PROMPT', {TEXT})\n",
        f"from kit import Prompt\nsort = Prompt(name='sort', template={TEXT}, inputs=['article'])\n",
        f"from kit import register\nregister('sort', prompt_template={TEXT})\n",
    ],
)
def test_texts_that_are_kept_or_handed_on_to_be_filled(program: str) -> None:
    assert names_in(program) == ["article"]


@pytest.mark.parametrize(
    "program",
    [
        f"class Sorter:\n    def __init__(self):\n        self.help = {TEXT}\n",
        f"from kit import log\nlog(message={TEXT})\n",
        f"from kit import Agent\nsorter = Agent(instructions={TEXT})\n",
    ],
)
def test_others_stay_as_they_are(program: str) -> None:
    assert names_in(program) == []


def test_an_attribute_that_its_own_methods_fill_is_one_prompt() -> None:
    program = (
        "from openai import OpenAI\nclient = OpenAI()\n"
        f"class Sorter:\n    def __init__(self):\n        self.sort_prompt = {TEXT}\n"
        "    def sort(self, article):\n        text = self.sort_prompt.format(article=article)\n"
        "        return client.responses.create(model='gpt-4o', input=text)\n"
    )
    assert names_in(program) == ["article"]


STEP = '''
from steps import Step
class Sort(Step):
    def run(self):
        return Step(dict(item=self.letter, KEY="""TEXT""", **self.inputs)).run()
'''


@pytest.mark.parametrize("called", ["Step(dict(", "Step(inputs=dict(", "run_step('sort', dict("])
def test_a_prompt_in_a_dictionary_that_something_is_made_with(called: str) -> None:
    program = STEP.replace("KEY", "user_prompt").replace("TEXT", f"Sort this:\\n{{{{letter}}}}\\n{RULES}")
    assert names_in(program.replace("Step(dict(", called)) == ["letter"]


def test_other_texts_in_such_a_dictionary_are_no_prompts() -> None:
    assert names_in(STEP.replace("KEY", "label").replace("TEXT", "Letter {{letter}}")) == []
    assert names_in(STEP.replace("KEY", "user_prompt").replace("TEXT", RULES)) == []
    assert names_in(STEP.replace("KEY", "user_prompt").replace("TEXT", "SELECT * FROM {{table}} " * 20)) == []
