"""What a call gives where its name, a prompt object or a class says it."""

from __future__ import annotations

import pytest
from prefixlint.model.lifetimes import Lifetime, SourceKind
from prefixlint.model.segments import Repeat, Value, walk
from python_support import templates_of

HEAD = "from openai import OpenAI\nclient = OpenAI()\n"
SENT = "    return client.chat.completions.create(model='gpt-4o', messages=[{'role': 'user', 'content': text}])\n"
CUT = """
def {name}(rows, key, room, counter):
    if room <= 0:
        return []
    used = 0
    for place, row in enumerate(rows):
        used += len(counter.encode(key(row))) + 1
        if used > room:
            return rows[:place]
    return rows
def answer(question, store, counter):
    rows = {name}(store.search(question), key=lambda row: row["body"], room=4000, counter=counter)
    text = "Rows:" + "".join(row["body"] for row in rows)
"""


def _values(program: str) -> list[tuple[str, Lifetime]]:
    found = [s for t in templates_of(program) for b in t.blocks for s in walk(b.segments)]
    return [(s.expression, s.lifetime) for s in found if isinstance(s, Value | Repeat)]


@pytest.mark.parametrize("name", ["trim_rows_by_token_size", "cut_rows_for_settings", "rows_with_language"])
def test_how_things_are_chosen_is_not_what_is_given(name: str) -> None:
    assert set(_values(HEAD + CUT.format(name=name) + SENT)) == {
        ("rows", Lifetime.REQUEST),
        ('row["body"]', Lifetime.REQUEST),
    }


CHAIN = """
from langchain_core.messages import HumanMessage
from langchain_core.prompts import ChatPromptTemplate
def node(llm, tools, question):
    prompt = ChatPromptTemplate.from_messages([("system", "You weigh the news of the day."), ("user", "{question}")])
    found = (PIPE).invoke({"question": question})
    return llm.invoke([HumanMessage(content="Retell it."), found])
"""


@pytest.mark.parametrize(
    ("pipe", "sent"),
    [("prompt | llm.bind_tools(tools)", ["Retell it."]), ("prompt", ["Retell it.", "You weigh the news of the day."])],
)
def test_what_a_prompt_piped_into_a_model_gives_is_an_answer(pipe: str, sent: list[str]) -> None:
    *_, last = [t for t in templates_of(CHAIN.replace("PIPE", pipe)) if t.form == "langchain-model"]
    texts = [getattr(s, "text", None) for b in last.blocks for s in walk(b.segments)]
    assert [text for text in texts if text is not None] == sent
    assert Lifetime.REQUEST in {s.lifetime for b in last.blocks for s in b.segments}


CALLED = """
from langchain_core.messages import HumanMessage, ToolMessage
def report(llm, state, tools):
    asked = llm.invoke(state["messages"])
    results = [ToolMessage(content=str(tools.run(call)), tool_call_id=call["id"]) for call in asked.tool_calls]
    messages = []
    if hasattr(asked, "content"):
        messages.append(asked)
    messages.extend(results)
    messages.append(HumanMessage(content="Write the report now."))
    return llm.invoke(messages)
"""


def test_a_message_that_asked_for_tools_is_conversation_where_it_may_be_missing() -> None:
    *_, last = [t for t in templates_of(CALLED) if t.form == "langchain-model"]
    assert [block.role for block in last.blocks] == ["history", "history", "user"]


ITEMS = """
from openai import OpenAI
client = OpenAI()
def process(datas):
    BODY
    messages = [{"role": "system", "content": "You weigh tables." + text}, {"role": "user", "content": "Go."}]
    return client.chat.completions.create(model="gpt-4o", messages=messages)
def ask(documents):
    return process(documents)
"""


@pytest.mark.parametrize(
    "body",
    [
        "text = ''.join([one['body'] for one in datas])",
        "text = ''.join(one for one in datas)",
        "text = ''\n    for place, one in enumerate(datas):\n        text += one['body']",
        "rows = [['body']]\n    for one in datas:\n        rows.append([one['body']])\n"
        "    text = ''.join(''.join(str(cell) for cell in row) for row in rows)",
    ],
)
def test_callers_say_what_the_items_are_that_a_function_is_given(body: str) -> None:
    (template,) = templates_of(ITEMS.replace("BODY", body))
    assert [hop.note for hop in template.related] == ["sent here", "`process()` called here"]
    values = [s for b in template.blocks for s in walk(b.segments) if isinstance(s, Value)]
    assert {(value.lifetime, value.origin.kind) for value in values} == {(Lifetime.REQUEST, SourceKind.RETRIEVAL)}


@pytest.mark.parametrize(
    ("name", "shape"), [("AI_PROMPT", "text"), ("HUMAN_PROMPT", "text"), ("RUBRIC_PROMPT", "prompt")]
)
def test_marks_of_turns_in_a_library_are_no_whole_prompts(name: str, shape: str) -> None:
    program = f"import anthropic\ndef ask(question):\n    text = f'{{question}}{{anthropic.{name}}}'\n" + SENT
    values = [s for t in templates_of(HEAD + program) for b in t.blocks for s in b.segments if isinstance(s, Value)]
    assert [value.shape for value in values if value.expression == f"anthropic.{name}"] == [shape]


@pytest.mark.parametrize(
    ("call", "lifetime"),
    [
        ("notebook.search_memory(item.words)", Lifetime.REQUEST),
        ("notebook.recall_memories(item.words)", Lifetime.REQUEST),
        ("notebook.search_memory('gardens')", Lifetime.SESSION),  # always the same is looked for
        ("notebook.load_memory(item.words)", Lifetime.SESSION),  # nothing is looked for
    ],
)
def test_what_is_looked_for_among_memories_is_another_each_time(call: str, lifetime: Lifetime) -> None:
    program = f"def answer(notebook, item):\n    found = {call}\n    text = f'Known: {{found}}'\n"
    assert _values(HEAD + program + SENT) == [("found", lifetime)]


@pytest.mark.parametrize(
    ("name", "key", "kind"),
    [
        ("chat_history", "session_id", SourceKind.HISTORY),
        ("messages", "user_id", SourceKind.HISTORY),
        ("chat_history", "order_id", SourceKind.ID),  # another one for each request
        ("basket", "session_id", SourceKind.ID),
    ],
)
def test_a_conversation_that_is_looked_up_by_the_id_of_a_session(name: str, key: str, kind: SourceKind) -> None:
    program = f"def answer(store, {key}):\n    {name} = store.get({key})\n    text = f'Said before: {{{name}}}'\n"
    found = [s for t in templates_of(HEAD + program + SENT) for b in t.blocks for s in walk(b.segments)]
    (value,) = [s for s in found if isinstance(s, Value)]
    assert (value.expression, value.origin.kind, value.grows) == (name, kind, kind is SourceKind.HISTORY)


PICKED = """
import random
def pieces(shelf, fields):
    wanted = [row for row in shelf if all(field in row for field in fields)]
    if len(wanted) < 3:
        wanted = [row for row in shelf if any(field in row for field in fields)]
    first = {{key: wanted[{place}][key] for key in fields if key in wanted[{place}]}}
    return first
def answer(shelf, fields):
    text = f"Piece: {{pieces(shelf, fields)}}"
"""


@pytest.mark.parametrize(
    ("place", "lifetime"), [("random.randrange(len(wanted))", Lifetime.REQUEST), ("0", Lifetime.UNKNOWN)]
)
def test_what_a_larger_function_draws_differs_each_time(place: str, lifetime: Lifetime) -> None:
    ((_, told),) = _values(HEAD + PICKED.format(place=place) + SENT)
    assert told is lifetime


@pytest.mark.parametrize(
    ("name", "lifetime"),
    [
        ("handle_search_memories", Lifetime.REQUEST),
        ("do_recall_memories", Lifetime.REQUEST),
        ("store_memories", Lifetime.SESSION),
        ("search", Lifetime.REQUEST),
    ],
)
def test_the_verb_may_stand_behind_a_word_for_doing(name: str, lifetime: Lifetime) -> None:
    program = f"def answer(question, store):\n    text = 'Known: ' + store.{name}(question) + '. Answer briefly.'\n"
    assert [found for _, found in _values(HEAD + program + SENT)] == [lifetime]
