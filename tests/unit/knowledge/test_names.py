"""What names say: the data file's form, and names judged by hand."""

from __future__ import annotations

import tomllib
from datetime import date
from importlib import resources
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prefixlint.knowledge.names import NEUTRAL, meaning, split_words
from prefixlint.model.lifetimes import Confidence, Lifetime, SourceKind
from prefixlint.model.segments import SHAPES

RAW: dict[str, Any] = tomllib.loads(
    resources.files("prefixlint.knowledge").joinpath("names.toml").read_text(encoding="utf-8")
)
ROWS: list[dict[str, Any]] = RAW["meaning"]
LISTS = ("names", "words", "prefixes")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['kind']}-{row['lifetime']}")
def test_row_is_well_formed(row: dict[str, Any]) -> None:
    assert set(row) <= {"kind", "lifetime", "confidence", "shape", "grows", *LISTS}
    SourceKind(row["kind"])
    # Only names that say that nothing can be said of them have no lifetime.
    assert Lifetime(row["lifetime"]).known != (row["kind"] == "parameter")
    # A name is evidence and no proof.
    assert Confidence(row["confidence"]) is not Confidence.CERTAIN
    assert row.get("shape", "text") in SHAPES
    assert any(row.get(key) for key in LISTS)
    for name in row.get("names", ()):
        assert "_".join(split_words(name)) == name
    for key in ("words", "prefixes"):
        for word in row.get(key, ()):
            assert split_words(word) == (word,)


def test_history_and_nothing_else_grows() -> None:
    for row in ROWS:
        assert row.get("grows", False) == (row["kind"] == "history")


@pytest.mark.parametrize("key", LISTS)
def test_no_name_stands_twice(key: str) -> None:
    entries = [entry for row in ROWS for entry in row.get(key, ())]
    assert sorted(entries) == sorted(set(entries))


@pytest.mark.parametrize("key", ["containers", "telling"])
def test_no_word_stands_twice(key: str) -> None:
    assert sorted(RAW[key]) == sorted(set(RAW[key]))
    assert all(split_words(word) == (word,) for word in RAW[key])


def test_data_have_a_date() -> None:
    assert date.fromisoformat(RAW["date"]) >= date(2026, 1, 1)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['kind']}-{row['lifetime']}")
def test_a_whole_name_means_what_its_row_says(row: dict[str, Any]) -> None:
    for name in row.get("names", ()):
        found = meaning(name)
        assert (found.kind.value, found.lifetime.value) == (row["kind"], row["lifetime"]), name


QUESTION = ("request", "user-input")
RETRIEVED = ("request", "retrieval")
HISTORY = ("turn", "history")
SETTING = ("deployment", "configuration")
OF_USER = ("user", "session")
PLACE = ("session", "environment")
OF_SESSION = ("session", "session")
CLOCK = ("request", "clock")
DAY = ("day", "clock")
ID = ("request", "id")
SESSION_ID = ("session", "id")
UNKNOWN = ("unknown", "parameter")

JUDGED = {
    "question": QUESTION,
    "api_base_url": SETTING,
    "website_url": QUESTION,
    "query": QUESTION,
    "user_question": QUESTION,
    "userQuery": QUESTION,
    "user-input": QUESTION,
    "input_text": QUESTION,
    "state.question": QUESTION,
    "topic": QUESTION,
    "task": QUESTION,
    "code": QUESTION,
    "code_diff": QUESTION,
    "error_message": QUESTION,
    "documents": RETRIEVED,
    "retrieved_docs": RETRIEVED,
    "search_results": RETRIEVED,
    "context": RETRIEVED,
    "context_str": RETRIEVED,
    "retrieved_context": RETRIEVED,
    "relevant_chunks": RETRIEVED,
    "formatted_documents": RETRIEVED,
    "knowledge_base": RETRIEVED,
    "history": HISTORY,
    "chat_history": HISTORY,
    "chatHistory": HISTORY,
    "conversation": HISTORY,
    "messages": HISTORY,
    "agent_scratchpad": HISTORY,
    "tools": SETTING,
    "tool_names": SETTING,
    "format_instructions": SETTING,
    "output_format": SETTING,
    "few_shot_examples": SETTING,
    "examples": SETTING,
    "language": SETTING,
    "tone": SETTING,
    "max_words": SETTING,
    "persona": SETTING,
    "system_prompt": SETTING,
    "json_schema": SETTING,
    "top_k": SETTING,
    "current_working_directory": PLACE,
    "current_dir": PLACE,
    "user_name": OF_USER,
    "userName": OF_USER,
    "customer_name": OF_USER,
    "tenant_id": OF_USER,
    "user_preferences": OF_USER,
    "timezone": OF_USER,
    "user_profile": OF_USER,
    "code_profile": QUESTION,
    "model_profile": SETTING,
    "memory": OF_SESSION,
    "long_term_memory": OF_SESSION,
    "now": CLOCK,
    "current_time": CLOCK,
    "currentDateTime": CLOCK,
    "timestamp": CLOCK,
    "today": DAY,
    "current_date": DAY,
    "todays_date": DAY,
    "weekday": DAY,
    "request_id": ID,
    "pr_number": ID,
    "issueId": ID,
    "chat_pr_number": ID,
    "slack_thread_id": SESSION_ID,
    "max_page_number": ("deployment", "configuration"),
    "confirmation_number": ID,
    "account_number": ("user", "session"),
    "longest_word_number": ("deployment", "configuration"),
    "head_sha": ID,
    "number": ("deployment", "configuration"),
    "code_numbered": ("request", "user-input"),
    "file_numbered": UNKNOWN,
    "trace_id": ID,
    "uuid": ID,
    "session_id": SESSION_ID,
    "thread_id": SESSION_ID,
    "conversationId": SESSION_ID,
    "output_1": ("request", "user-input"),
    "output_text": ("request", "user-input"),
    "output_training_data": UNKNOWN,
    "output_structure": SETTING,
    "output_language": SETTING,
    "expected_answer": ("request", "user-input"),
    "expected_fields": SETTING,
    "user_instruction": ("request", "user-input"),
    "user_instructions": ("deployment", "configuration"),
    "instruction": UNKNOWN,
    "remaining_budget": ("turn", "session"),
    "step_count": ("turn", "session"),
    "retry_count": ("turn", "session"),
    "example_count": ("deployment", "configuration"),
    "responseB": ("request", "user-input"),
    "doc_2": ("request", "retrieval"),
    "layer_2": UNKNOWN,
    "b": UNKNOWN,
    "x": UNKNOWN,
    "foo": UNKNOWN,
    "value": UNKNOWN,
    "placeholder": UNKNOWN,
    "": UNKNOWN,
}


@pytest.mark.parametrize(("name", "expected"), JUDGED.items())
def test_names_judged_by_hand(name: str, expected: tuple[str, str]) -> None:
    found = meaning(name)
    assert (found.lifetime.value, found.kind.value) == expected
    assert (found.confidence is Confidence.HIGH) == (expected is not UNKNOWN)
    assert found.grows == (expected is HISTORY)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("userQuery", ("user", "query")),
        ("HTTPServer", ("http", "server")),
        ("user-input_text", ("user", "input", "text")),
        ("top_k2", ("top", "k", "2")),
        ("__init__", ("init",)),
        ("", ()),
    ],
)
def test_split_words(name: str, words: tuple[str, ...]) -> None:
    assert split_words(name) == words


@given(st.text(max_size=30) | st.from_regex(r"[A-Za-z_.]{0,30}", fullmatch=True))
def test_any_name_has_a_meaning(name: str) -> None:
    found = meaning(name)
    assert found == NEUTRAL or found.lifetime.known


@pytest.mark.parametrize(
    "name",
    ["tools", "tool_descriptions", "available_tools", "agent_descriptions", "self.few_shot_examples", "functions_json"],
)
def test_lists_of_what_a_program_offers_are_catalogues(name: str) -> None:
    found = meaning(name)
    assert (found.kind, found.lifetime, found.shape) == (SourceKind.CONFIGURATION, Lifetime.DEPLOYMENT, "catalogue")


@pytest.mark.parametrize(
    "name", ["tool", "tool_names", "agent_description", "tool_description", "max_tools", "available_memory", "function"]
)
def test_single_things_names_and_numbers_are_none(name: str) -> None:
    found = meaning(name)
    assert (found.kind, found.shape) == (SourceKind.CONFIGURATION, "text")


@pytest.mark.parametrize("name", ["new_section_start_tag", "old_delimiter", "current_format", "last_suffix"])
def test_marks_and_forms_are_configuration_whatever_stands_in_front(name: str) -> None:
    assert (meaning(name).kind, meaning(name).lifetime) == (SourceKind.CONFIGURATION, Lifetime.DEPLOYMENT)
