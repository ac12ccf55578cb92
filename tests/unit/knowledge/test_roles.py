"""Words that say who speaks, as the libraries' own documents list them."""

from __future__ import annotations

import pytest
from prefixlint.knowledge.roles import begins_pair, names_of, role_of_class, role_words, standard_role
from prefixlint.model.templates import SYSTEM_ROLES


@pytest.mark.parametrize(
    ("word", "role"),
    [("human", "user"), ("ai", "assistant"), ("model", "assistant"), ("function", "tool"), ("narrator", "narrator")],
)
def test_words_of_libraries_stand_for_the_roles_of_requests(word: str, role: str) -> None:
    assert standard_role(word) == role


def test_each_word_stands_for_a_role_that_a_block_may_have() -> None:
    assert set(role_words().values()) == {"system", "developer", "user", "assistant", "tool", "history"}
    assert set(role_words().values()) >= SYSTEM_ROLES


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("HumanMessage", "user"),
        ("HumanMessagePromptTemplate", "user"),
        ("AIMessage", "assistant"),
        ("SystemMessage", "system"),
        ("MessagesPlaceholder", ""),
    ],
)
def test_classes_of_messages(name: str, role: str) -> None:
    assert role_of_class(name) == role


def test_pairs_of_other_things_begin_with_words_for_roles_too() -> None:
    assert begins_pair("human")
    assert not begins_pair("model")
    assert not begins_pair(3)


def test_names_of_a_role_are_words_and_classes() -> None:
    assert {"user", "human", "HumanMessage"} <= names_of("user")
    assert names_of("system", "developer").isdisjoint(names_of("user"))
