"""Values whose names say nothing, judged by the prompt's own words and by who fills the placeholders."""

from __future__ import annotations

import pytest
from prefixlint.frontends.promptfiles import extract
from prefixlint.frontends.python import analyse
from prefixlint.model.lifetimes import Lifetime, SourceKind
from prefixlint.model.segments import Repeat, Value, walk
from prefixlint.model.sources import SourceFile
from python_support import templates_of

RULES = (
    "You answer for the public library of a small town. Books are lent for four weeks and films for one. Please answer "
    "in one sentence, and do not mention what another reader has borrowed."
)
HEAD = "from openai import OpenAI\nfrom google.adk.agents import LlmAgent\nclient = OpenAI()\n"


def judged(program: str) -> dict[str, tuple[Lifetime, SourceKind]]:
    """Lifetime and source of each value, by its expression."""
    return {
        segment.expression: (segment.lifetime, segment.origin.kind)
        for template in templates_of(HEAD + program)
        for block in template.blocks
        for segment in walk(block.segments)
        if isinstance(segment, Value | Repeat)
    }


def prompt(text: str, calls: str = "") -> str:
    return f"""
def send(x, note):
    return client.responses.create(model="gpt-4o", input=f'''{text}\\n{RULES}''')
{calls}
"""


ASKED = (Lifetime.REQUEST, SourceKind.USER_INPUT)
UNKNOWN = (Lifetime.UNKNOWN, SourceKind.PARAMETER)


def test_a_heading_says_what_stands_below() -> None:
    assert judged(prompt("# Request\n{x}\n# Rules\n{note}\n")) == {"x": ASKED, "note": UNKNOWN}


def test_the_words_of_a_condition_count_within() -> None:
    assert judged(prompt("{'Question: ' + x if x else ''}"))["x"] == ASKED


def test_no_words_reach_over_another_value() -> None:
    assert judged(prompt("# Request\n{x} {note}\n")) == {"x": ASKED, "note": UNKNOWN}


def test_what_callers_give_stays_as_it_is() -> None:
    found = judged(prompt("# Request\n{x}\n", "def hours():\n    send('When do you open?', 'n')\n"))
    assert "x" not in found


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("description", False),
        ("goal", False),
        ("setting_description", False),
        ("task_description", True),
        ("task", True),
    ],
)
def test_what_an_object_keeps_of_itself_says_nothing_of_its_input(name: str, told: bool) -> None:
    program = f"""
class Check:
    {name}: str = None
    def run(self, rows):
        self.{name} = tidy(self.{name})
        for row in rows:
            client.responses.create(model="gpt-4o", input=f"{{self.{name}}} {RULES} {{row}}")
"""
    lifetime, _ = judged(program)[f"self.{name}"]
    assert lifetime is (Lifetime.SESSION if told else Lifetime.UNKNOWN)


@pytest.mark.parametrize(
    ("owner", "kind"),
    [
        ("agent", SourceKind.CONFIGURATION),
        ("target_agent", SourceKind.CONFIGURATION),
        ("task", SourceKind.USER_INPUT),
        ("next_task", SourceKind.USER_INPUT),
    ],
)
def test_what_something_is_called_says_what_its_description_is(owner: str, kind: SourceKind) -> None:
    program = (
        f"def send({owner}):\n"
        f"    return client.responses.create(model='gpt-4o', input=f\"{{{owner}.description}} {RULES}\")\n"
    )
    assert judged(program)[f"{owner}.description"][1] is kind


def test_attributes_of_the_object_are_not_judged_so() -> None:
    program = f"""
class Desk:
    def send(self):
        return client.responses.create(model="gpt-4o", input=f'''# Request\\n{{self.x}}\\n{RULES}''')
"""
    assert judged(program) == {"self.x": UNKNOWN}


def test_a_loop_is_judged_as_a_value_is() -> None:
    text = "Here is the diff of the changes:\n{% for p in parts_of %}## {{ loop.index }}\n{{ p }}\n{% endfor %}" + RULES
    (template,) = extract(SourceFile("prompts/review.j2", text)).templates
    (repeat,) = (s for block in template.blocks for s in block.segments if isinstance(s, Repeat))
    assert (repeat.lifetime, repeat.origin.kind) == ASKED


def test_what_the_library_keeps_fills_placeholders() -> None:
    program = f"""
def agent(x):
    return LlmAgent(model="gemini-2.5-flash", instruction=f'''Hotel: {{{{hotel}}}}, {{x}}\\n{RULES}''')
"""
    assert judged(program)["hotel"] == (Lifetime.SESSION, SourceKind.SESSION)
    assert judged(program)["x"] == UNKNOWN


@pytest.mark.parametrize("name", ["HINT_PROMPT", "booking_prompt"])
def test_a_long_text_called_a_prompt_is_one(name: str) -> None:
    words = "The reader has come to the desk and wants to know when the hall opens and what a day costs there. "
    found = analyse([SourceFile("app.py", f'{name} = """{{question}}\n{words * 4}"""\n')], lambda path: None)["app.py"]
    assert [template.confidence.value for template in found.templates] == ["high"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # The goal of a persona is part of it; that of somebody else is what is asked.
        ("You are a {role}, named {name}.\nYour goal: {goal}\n", Lifetime.DEPLOYMENT),
        ("You are a {role}. {backstory} Your personal goal is: {goal}\n", Lifetime.DEPLOYMENT),
        ("You are a {role}.\n" + RULES + "\n" + RULES + "\nThe goal: {goal}\n", Lifetime.REQUEST),
        ("You are a librarian. A reader comes with a goal: {goal}\n", Lifetime.REQUEST),
    ],
)
def test_the_goal_of_a_persona(text: str, expected: Lifetime) -> None:
    program = (
        "def send(role, name, backstory, goal):\n"
        f"    return client.responses.create(model='gpt-4o', input=f{text + RULES!r})\n"
    )
    assert judged(program)["goal"][0] is expected


def test_parts_of_agents_are_written_with_them() -> None:
    program = (
        "def send(task):\n    agents = pick(search(task))\n"
        "    names = '\\n'.join(f'{agent.name}: {agent.description}' for agent in agents)\n"
        f"    return client.responses.create(model='gpt-4o', input=f'{{names}} {RULES}')\n"
    )
    assert judged(program)["agent.description"] == (Lifetime.DEPLOYMENT, SourceKind.CONFIGURATION)


def test_what_a_reader_makes_of_a_file_of_the_project_is_fixed() -> None:
    program = (
        "import os\nimport pymupdf\nPAPER = os.path.join(os.path.dirname(__file__), 'paper.pdf')\n"
        "def text_of(path):\n    doc = pymupdf.open(path)\n    return ''.join(page.get_text() for page in doc)\n"
        "def send(question):\n    sample = text_of(PAPER)\n    other = text_of(question)\n"
        f"    return client.responses.create(model='gpt-4o', input=f'{{sample}} {RULES} {{other}}')\n"
    )
    found = [lifetime for lifetime, _ in judged(program).values()]
    assert found.count(Lifetime.REQUEST) == 2  # the other document and its pages
    assert found.count(Lifetime.CONSTANT) == len(found) - 2


def test_a_value_added_to_a_text_tells_where() -> None:
    program = f"""
def send(goal, note):
    goal = note.split("/")[0] if "/" in note else note
    return client.responses.create(model="gpt-4o", input="Goal: " + goal + {RULES!r})
"""
    source = SourceFile("app.py", HEAD + program)
    (template,) = analyse([source], lambda path: None)["app.py"].templates
    line = source.text[: source.text.index('"Goal: "')].count("\n") + 1
    values = [s for s in walk(template.blocks[0].segments) if isinstance(s, Value)]
    assert len(values) == 2
    assert all(line in {v.span.start.line, *(hop.span.start.line for hop in v.origin.hops)} for v in values)


def test_of_several_functions_those_are_called_that_can_take_what_is_given() -> None:
    program = (
        "def report(query, style='short'):\n    return f'In {style} style. {RULES} {query}'\n"
        "def part(query, found, style='short'):\n    return f'{RULES} {query} {found} in {style} style'\n"
        f"RULES = {RULES!r}\n"
        "def send(query, kind, found):\n    make = part if kind == 'part' else report\n"
        "    if kind == 'part':\n        text = make(query, found, style='long')\n"
        "    else:\n        text = make(query, style='long')\n"
        "    return client.responses.create(model='gpt-4o', input=text)\n"
    )
    found = judged(program)
    assert "style" not in found
    assert found["query"] == ASKED


def test_the_common_name_of_known_values_says_nothing() -> None:
    program = (
        "def send(x, note):\n    text = '\\n'.join(section for section in (x, note) if section)\n"
        "    for part in (x, note):\n        text += part\n"
        f"    return client.responses.create(model='gpt-4o', input=text + {RULES!r})\n"
    )
    assert set(judged(program).values()) == {UNKNOWN}


@pytest.mark.parametrize(
    ("shown", "expected"),
    [("context", Lifetime.REQUEST), ("context.registry", Lifetime.UNKNOWN), ("context.terms", Lifetime.REQUEST)],
)
def test_what_a_context_carries_is_judged_by_its_own_name(shown: str, expected: Lifetime) -> None:
    program = (
        f"def send(context):\n    client.create(messages=[{{'role': 'user', 'content': f'{{{shown}}} {RULES}'}}])\n"
    )
    assert judged(f"from openai import OpenAI\nclient = OpenAI().chat.completions\n{program}")[shown][0] is expected


SHOTS = """
def send(x, zop):
    return client.chat.completions.create(model="gpt-4o", messages=[{{"role": "system", "content": "You sort books."}},
        {{"role": "user", "content": "An atlas of the coasts of the north, without its last page"}},
        {{"role": "{second}", "content": "To the second shelf, below the maps of the town, as it is torn"}},
        {{"role": "user", "content": f'''{text}\\n{rules}'''}}])
"""


@pytest.mark.parametrize(
    ("second", "text", "found"),
    [
        ("assistant", "{x}\\nShelf: {zop}.", {"x": ASKED, "zop": UNKNOWN}),
        ("assistant", "Here:\\n\\n  {zop}\\n", {"zop": ASKED}),
        ("assistant", "Sort {x}", {"x": UNKNOWN}),
        ("assistant", "{x}{zop}\\n", {"x": UNKNOWN, "zop": UNKNOWN}),
        ("assistant", "{demo_text}\\n", {}),
        ("user", "{x}\\nShelf: {zop}.", {"x": UNKNOWN, "zop": UNKNOWN}),
    ],
)
def test_what_fills_a_line_behind_examples_is_what_is_given(
    second: str, text: str, found: dict[str, tuple[Lifetime, SourceKind]]
) -> None:
    shown = judged(SHOTS.format(second=second, text=text, rules=RULES))
    assert {name: value for name, value in shown.items() if name in ("x", "zop")} == found


@pytest.mark.parametrize(
    ("expression", "whole"),
    [
        ("tools", True),
        ("tools[0]", False),
        ("tools['search']", False),
        ("tools[0].description", False),
    ],
)
def test_one_thing_of_a_catalogue_is_no_catalogue(expression: str, whole: bool) -> None:
    source = (
        "from openai import OpenAI\nclient = OpenAI()\ndef ask(tools):\n"
        f"    text = f'You are the planner. {{{expression}}}'\n"
        "    return client.responses.create(model='gpt-4o', input=text)\n"
    )
    (template,) = templates_of(source)
    (value,) = [segment for block in template.blocks for segment in block.segments if isinstance(segment, Value)]
    assert (value.shape == "catalogue") is whole


@pytest.mark.parametrize("annotation", ["int", "int | None", "Optional[float]"])
@pytest.mark.parametrize("name", ["turns", "documents", "summary"])
def test_a_number_counts_what_its_name_says_and_holds_none_of_it(name: str, annotation: str) -> None:
    program = f"""
def send({name}: {annotation}):
    return client.responses.create(model="gpt-4o", input=f'''You have {{{name}}} of them. {RULES}''')
"""
    assert judged(program) == {name: UNKNOWN}


@pytest.mark.parametrize(
    ("parameter", "lifetime"),
    [("turns: str", Lifetime.TURN), ("turns: list[int]", Lifetime.TURN), ("user_id: int", Lifetime.USER)],
)
def test_what_is_no_count_is_what_its_name_says(parameter: str, lifetime: Lifetime) -> None:
    name = parameter.partition(":")[0]
    program = f"""
def send({parameter}):
    return client.responses.create(model="gpt-4o", input=f'''You have {{{name}}}. {RULES}''')
"""
    assert judged(program)[name][0] is lifetime
