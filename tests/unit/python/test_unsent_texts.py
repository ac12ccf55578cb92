"""Texts that are kept, counted or printed as documentation, and go to no model."""

from __future__ import annotations

from textwrap import dedent

import pytest
from prefixlint.frontends.python import analyse
from prefixlint.frontends.python.prompt_text import looks_like_prompt
from prefixlint.model.lifetimes import Confidence
from prefixlint.model.segments import Text
from prefixlint.model.sources import Position, SourceFile, Span
from python_support import templates_of

CACHED = """
import asyncio
RULES = "You sort letters in a post office on an island. Letters without a stamp are delivered too. " * 4
async def keep(llm, letter, found, loop):
    messages = [{"role": "user", "content": found}, {"role": "user", "content": RULES + letter}]
    %s
"""


@pytest.mark.parametrize(
    ("call", "sent"),
    [
        ("await asyncio.to_thread(chat_with_llm, messages)", True),
        ("await loop.run_in_executor(None, generate_answer, messages)", True),
        ("await loop.run_in_executor(None, set_llm_cache, llm, messages)", False),
        ("await loop.run_in_executor(None, llm.context.run, set_llm_cache, messages)", False),
        ("set_llm_cache(llm, messages)", False),
        ("count_tokens_of_llm(messages)", False),
    ],
)
def test_what_keeps_answers_or_counts_tokens_sends_nothing(call: str, sent: bool) -> None:
    functions = "".join(
        f"def {name}(*given):\n    return print(given)\n"
        for name in ("chat_with_llm", "generate_answer", "set_llm_cache", "count_tokens_of_llm")
    )
    program = functions + CACHED % call
    templates = templates_of(program)
    assert any(hop.note == "sent here" for t in templates for hop in t.related) is sent


DOCUMENTED = """
%s = '''You are given one of the model classes of the library. You must make an instance with `from_config`.
Your task is to choose the right one; do not make one with `__init__()`. Follow these instructions.'''
def insert(%s, context):
    return %s.replace("of the library", f"of the library (with {context})")
def update(cls, context):
    %s = insert(%s, context)
    return cls
"""


@pytest.mark.parametrize(
    ("constant", "parameter", "name", "count"),
    [
        ("CLASS_DOCSTRING", "docstring", "own_docstring", 0),
        ("CLASS_DOCSTRING", "docstring", "cls.__doc__", 0),
        ("CLASS_PROMPT", "prompt", "own_prompt", 1),
    ],
)
def test_what_documents_code_is_no_prompt(constant: str, parameter: str, name: str, count: int) -> None:
    program = DOCUMENTED % (constant, parameter, parameter, name, constant)
    found = analyse([SourceFile("app.py", program)], lambda _: None)
    assert len(found["app.py"].templates) == count


BODY = """
    import json
    import urllib.request

    RULES = "You are a helpful assistant. Your task is to run commands on the user's machine. Follow these steps: "
    RULES += "you must list files, move or delete them, build or install what the user asks for. Do not ask again. "
    RULES += "Respond only with what a command has printed, in one paragraph. Always tell the user what was done."

    def _prompt(url, prompt_text, image):
        content = [{"type": "text", "text": %s}]
        if image:
            content.append({"type": "image_url", "image_url": {"url": image}})
        payload = {
            "model": "m",
            "messages": [{"role": "user", "content": content}],
            "tools": [{"type": "function", "function": {"name": "run", "description": RULES}}],
        }
        data = json.dumps(payload).encode("utf-8")
        return urllib.request.urlopen(urllib.request.Request(url + "/v1/chat/completions", data=data, method="POST"))
"""


@pytest.mark.parametrize(("text", "roles"), [("prompt_text", []), ('f"{prompt_text} {RULES}"', [["user", "user"]])])
def test_the_body_of_a_request_written_as_json_is_no_text_of_its_own(text: str, roles: list[list[str]]) -> None:
    # Its messages are: an engine sees the tools in front of them, wherever the dictionary holds these.
    found = templates_of(dedent(BODY) % text)
    assert [[block.role for block in template.blocks] for template in found] == roles


def test_a_record_written_as_json_is_a_text_where_it_holds_no_messages() -> None:
    program = dedent(BODY).replace('"messages"', '"question"') % "prompt_text"
    assert [template.form for template in templates_of(program)] == ["prompt-string"]


ROWS = """
    def keep(session, talk, letter, Message):
        rule = f"You are given the letter of {letter.sender}. Your task is to sort it: always by the town."
        rows = [{"role": "system", "content": rule}, {"role": "user", "content": letter.text}]
        %s
"""


@pytest.mark.parametrize(
    ("used", "count"),
    [
        ("session.add_all(rows)", 0),
        ("Message.objects.bulk_create(rows, batch_size=100)", 0),
        ("talk.insert_many(rows)", 0),
        # What is given back may be sent, stored or not.
        ("talk.insert_many(rows)\n        return rows", 1),
        ("session.commit()", 1),
    ],
)
def test_rows_for_a_database_are_no_messages_that_are_sent(used: str, count: int) -> None:
    assert len(templates_of(dedent(ROWS) % used.replace("\n        ", "\n    "))) == count


ROWS_OF_DATA = '''
import json

TASK = """You are given the log of a lighthouse. Your task is to say which ships passed, and when. Always be brief,
and never name a ship that the log does not name. Ships without a name are told by the colour of their hull."""

def build(logs, out, llm, logger):
    rows = []
    for log in logs:
        head = "Log of the night: {}. ".format(log["text"])
        prompt = f"{head} {TASK} Respond only with their names, in the order in which they came."
        USED
    with open(out, "w") as file:
        json.dump(rows, file)
'''


@pytest.mark.parametrize(
    ("used", "count"),
    [
        ('rows.append({"instruction": prompt, "input": "", "output": log["ships"]})', 0),
        ('rows.append({"prompt": prompt.strip(), "chosen": log["best"], "rejected": log["worst"]})', 0),
        ("print(len(prompt), prompt)", 0),
        ('logger.info("asking %s", prompt)', 0),
        # Whoever reads the rows may send them.
        ('rows.append({"prompt": prompt})', 1),
        ('rows.append({"prompt": prompt, "answer": ""})', 1),
        ("rows.append(prompt)", 1),
        # It was sent before it was put down.
        ('answer = llm(prompt); rows.append({"prompt": prompt, "answer": answer})', 1),
        ('print(prompt); rows.append({"prompt": prompt})', 1),
        ('record = {"prompt": prompt}; record["answer"] = llm(record)', 1),
    ],
)
def test_rows_with_their_answers_and_what_is_only_shown_go_to_no_model(used: str, count: int) -> None:
    assert len(templates_of(ROWS_OF_DATA.replace("USED", used))) == count


EVENTS = '''
class Memory:
    def shown(self, NAME):
        out = []
        for event in NAME:
            out.extend(self.one(event))
        return out

    def one(self, event):
        prompt = f"""You are the keeper of a lighthouse. What happened: {event.room}. Your task is to keep it in mind.
Always be brief, and never name a ship that the log does not name. Respond only with the names, in their order."""
        return [Note(role="user", parts=[Part(prompt)])]

def step(agent, NAME):
    return agent.go(Memory().shown(NAME))
'''


@pytest.mark.parametrize(("name", "confidence"), [("chat_history", Confidence.LOW), ("documents", Confidence.HIGH)])
def test_what_is_made_of_each_message_may_be_a_message_again(name: str, confidence: Confidence) -> None:
    assert [template.confidence for template in templates_of(EVENTS.replace("NAME", name))] == [confidence]


NOTICE = (
    "You are given one shell, and the previous command is still running. Your task is to wait for it, or to stop it. "
    "You must not send more than one command at once. Respond only with what the process asks for, and always answer."
)


@pytest.mark.parametrize(
    ("text", "told"),
    [(NOTICE, Confidence.HIGH), (f"[{NOTICE}]", None), (f"\n[{NOTICE}]\n", None), (f"[1] {NOTICE}", Confidence.HIGH)],
)
def test_what_a_tool_says_in_brackets_about_itself_is_no_prompt(text: str, told: Confidence | None) -> None:
    place = Span("a.py", Position(1, 1), Position(9, 1))
    assert looks_like_prompt("suffix", (Text(text, place),)) is told
