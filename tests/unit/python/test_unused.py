"""Prompts under names that nothing in the project uses."""

from __future__ import annotations

from textwrap import dedent

import pytest
from prefixlint.frontends.python import CallIndex, analyse, unused
from prefixlint.frontends.python.prompt_text import fixed_text
from prefixlint.model.lifetimes import Confidence
from prefixlint.model.sources import SourceFile

PROMPTS = '''
GREETING_PROMPT = """You are the voice of a lighthouse. Your task is to greet {guest} politely when the boat comes in.
Always name the island and the tide, and never speak of the weather. Respond only with the greeting, in one line."""

FAREWELL_PROMPT = """You are the voice of a lighthouse. Your task is to see {guest} off politely when the boat leaves.
Always name the next island and the tide, and never speak of storms. Respond only with the farewell, in one line."""

def supper_prompt(guest):
    return f"""You are the cook of a lighthouse. Your task is to say what {guest} gets for supper, with its price.
Always name the fish and where it was caught, and never speak of bones. Respond only with the dish, in one line."""
'''
TELLING = {"greeting": "the boat comes in", "farewell": "the boat leaves", "supper": "gets for supper"}
USER = """
from {module} import GREETING_PROMPT

def greet(guest):
    return GREETING_PROMPT.format(guest=guest)
"""


def sure(texts: dict[str, str], unread: dict[str, str] | None = None) -> set[str]:
    """Which of the three texts are held to be prompts."""
    index = CallIndex([(path, text.encode()) for path, text in (unread or {}).items()])
    files = [SourceFile(path, dedent(text)) for path, text in texts.items()]
    found = analyse(files, lambda _: None, named=index.names)
    assert not any(extraction.faults for extraction in found.values())
    said = [
        fixed_text(block.segments)
        for extraction in found.values()
        for template in extraction.templates
        if template.confidence is not Confidence.LOW
        for block in template.blocks
    ]
    return {name for name, words in TELLING.items() if any(words in text for text in said)}


def test_what_nothing_uses_is_sent_by_nobody() -> None:
    assert sure({"light/words.py": PROMPTS, "light/app.py": USER.format(module="light.words")}) == {"greeting"}


@pytest.mark.parametrize(
    ("other", "used"),
    [
        ("from light.words import FAREWELL_PROMPT as bye\nprint(bye)", {"farewell"}),
        ("from light import words\nprint(words.FAREWELL_PROMPT)", {"farewell"}),
        ("from light.words import *\nprint(supper_prompt('Ann'))", {"supper"}),
        ("KEPT = {'farewell': 'light.words:FAREWELL_PROMPT'}", {"farewell"}),
        # Another text of that name.
        ("FAREWELL_PROMPT = 'Bye, {guest}.'\nprint(FAREWELL_PROMPT)", set()),
        # Names that are made at run time may be any of the module's.
        ("from light import words\nasked = lambda kind: getattr(words, kind)", {"farewell", "supper"}),
        ("import light.words as w\nasked = lambda kind: vars(w)[kind]", {"farewell", "supper"}),
        (
            "from importlib import import_module\nasked = lambda kind: import_module('light.' + kind)",
            {"farewell", "supper"},
        ),
    ],
)
def test_a_use_anywhere_in_the_project_counts(other: str, used: set[str]) -> None:
    texts = {"light/words.py": PROMPTS, "light/app.py": USER.format(module="light.words"), "light/other.py": other}
    assert sure(texts) == {"greeting", *used}


@pytest.mark.parametrize(
    ("more", "used"),
    [
        ("def bye(guest):\n    return FAREWELL_PROMPT.format(guest=guest)", {"farewell"}),
        ("__all__ = ['GREETING_PROMPT', 'FAREWELL_PROMPT', 'supper_prompt']", {"farewell", "supper"}),
        ("def told(kind):\n    return globals()[kind + '_PROMPT']", {"farewell", "supper"}),
        ("# FAREWELL_PROMPT was sent before.", set()),
        ("def bye(guest):\n    return '# Farewell' + FAREWELL_PROMPT", {"farewell"}),
        ('def bye(guest):\n    return f"""\n# {FAREWELL_PROMPT}"""', {"farewell"}),
    ],
)
def test_uses_in_the_module_itself_count(more: str, used: set[str]) -> None:
    assert sure({"words.py": PROMPTS + more, "app.py": USER.format(module="words")}) == {"greeting", *used}


def test_a_use_in_a_file_without_a_word_of_prompts_counts() -> None:
    texts = {"words.py": PROMPTS, "app.py": USER.format(module="words")}
    assert sure(texts, {"menu.py": "from words import supper_prompt\n"}) == {"greeting", "supper"}
    assert sure(texts, {"menu.py": "from words import supper_prompts\n"}) == {"greeting"}


@pytest.mark.parametrize(
    ("package", "own", "used"),
    [
        ("from .words import *\n", "", {"farewell", "supper"}),
        ("from light.words import *  # noqa: F403\n", "", {"farewell", "supper"}),
        ("from .words import GREETING_PROMPT\n", "", set()),
        ("from .swords import *\n", "", set()),
        ("from .words import *\n", "__all__ = ['GREETING_PROMPT']", set()),
    ],
)
@pytest.mark.parametrize("is_read", [True, False])
def test_what_a_package_gives_away_is_for_others(package: str, own: str, used: set[str], is_read: bool) -> None:
    texts = {"light/words.py": PROMPTS + own, "light/app.py": USER.format(module="light.words")}
    if is_read:
        found = sure({**texts, "light/__init__.py": package})
    else:
        found = sure(texts, {"light/__init__.py": package})
    assert found == {"greeting", *used}


def test_a_module_that_nobody_imports_may_be_loaded_in_another_way() -> None:
    assert sure({"light/words.py": PROMPTS}) == {"greeting", "farewell", "supper"}


def test_what_a_decorator_takes_is_used() -> None:
    marked = PROMPTS.replace("def supper_prompt", "@registered\ndef supper_prompt")
    assert "supper" in sure({"words.py": marked, "app.py": USER.format(module="words")})


@pytest.mark.parametrize(
    ("bases", "name", "found"),
    [("", "_supper_prompt", False), ("", "supper_prompt", True), ("(Plugin)", "_supper_prompt", True)],
)
def test_a_method_is_unused_where_nobody_else_can_call_it(bases: str, name: str, found: bool) -> None:
    method = dedent(PROMPTS[PROMPTS.index("def ") :]).replace("def supper_prompt(guest)", f"def {name}(self, guest)")
    owner = f"class Kitchen{bases}:\n    " + method.replace("\n    return", "\n        return")
    program = PROMPTS[: PROMPTS.index("def ")] + owner
    assert ("supper" in sure({"words.py": program, "app.py": USER.format(module="words")})) is found


@pytest.mark.parametrize(("given", "found"), [("return", False), ("return call_llm", True), ("return model.run", True)])
def test_what_asks_by_itself_may_be_called_from_elsewhere(given: str, found: bool) -> None:
    text = PROMPTS[PROMPTS.index('f"""') :]
    program = f"{PROMPTS[: PROMPTS.index('def ')]}def supper(guest):\n    {given} ({text.rstrip()})\n"
    assert ("supper" in sure({"words.py": program, "app.py": USER.format(module="words")})) is found


KEYED = PROMPTS.partition("def supper")[0].replace("GREETING_PROMPT =", 'WORDS = {}\n\nWORDS["greeting"] =')
KEYED = KEYED.replace("FAREWELL_PROMPT =", 'WORDS["farewell"] =')
ASKING = "from light.words import WORDS\n\ndef greet(guest):\n    return WORDS['greeting'].format(guest=guest)\n"


@pytest.mark.parametrize(
    ("more", "used"),
    [
        ("", {"greeting"}),
        ("def part(guest):\n    return WORDS.get('farewell').format(guest=guest)\n", {"greeting", "farewell"}),
        ("def part(guest, which):\n    return WORDS[which].format(guest=guest)\n", {"greeting", "farewell"}),
        ("def part(guest):\n    return [text for text in WORDS.values()]\n", {"greeting", "farewell"}),
        ("class Desk:\n    words = WORDS\n", {"greeting", "farewell"}),
        ("ask = lambda which: WORDS[which]\n", {"greeting", "farewell"}),
    ],
)
def test_a_key_that_nobody_asks_for_is_sent_by_nobody(more: str, used: set[str]) -> None:
    assert sure({"light/words.py": KEYED, "light/app.py": ASKING + more}) == used


def test_a_dictionary_that_others_may_know_says_nothing() -> None:
    unread = {"light/other.py": "from light.words import WORDS\nfor text in WORDS.values(): print(text)\n"}
    assert sure({"light/words.py": KEYED, "light/app.py": ASKING}, unread) == {"greeting", "farewell"}


MADE = """
from langchain.prompts import PromptTemplate

GREETING = PromptTemplate.from_template('''You greet {{guest}} politely when the boat comes in, in one line.''')
FAREWELL = PromptTemplate(
    template='''You see {{guest}} off politely when the boat leaves, in one line.''', input_variables=["guest"]
)
{more}
"""


@pytest.mark.parametrize(
    ("more", "used"),
    [
        ("", {"greeting"}),
        ("def bye(guest):\n    return FAREWELL.format(guest=guest)", {"greeting", "farewell"}),
        ("def bye():\n    return FAREWELL | model", {"greeting", "farewell"}),
    ],
)
def test_a_prompt_of_a_library_that_nobody_uses_is_sent_by_nobody(more: str, used: set[str]) -> None:
    app = "from words import GREETING\nprint(GREETING.format(guest=input()))\n"
    assert sure({"words.py": MADE.format(more=more), "app.py": app}) == used


def test_modules_of_one_name_are_looked_for_in_each_importer_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Copies of a package side by side: what each of them imports is told of all at once."""
    searched: list[str] = []
    before = unused._reads_names

    def reads_names(stem: str, text: str) -> bool:
        searched.append(stem)
        return before(stem, text)

    monkeypatch.setattr(unused, "_reads_names", reads_names)
    texts = {}
    for number in range(6):
        texts[f"{number}/light/__init__.py"] = ""
        texts[f"{number}/light/words.py"] = PROMPTS
        texts[f"{number}/light/app.py"] = USER.format(module="light.words")
    assert sure(texts) == {"greeting"}
    assert searched.count("words") == 6
