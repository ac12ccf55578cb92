"""What a project adds to the tables: it comes first, and is gone when its run is over."""

from __future__ import annotations

from contextlib import suppress
from contextvars import copy_context

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prefixlint.knowledge import libraries, names
from prefixlint.knowledge.libraries import Sink, Source
from prefixlint.knowledge.names import NEUTRAL, NameMeaning, meaning
from prefixlint.model.lifetimes import Confidence, Lifetime, SourceKind


def means(kind: str) -> NameMeaning:
    return NameMeaning(Lifetime.USER, SourceKind(kind), Confidence.HIGH)


OWN = {
    "questionnaire": means("user-input"),
    "question": means("session"),
    "text": means("id"),
    "lead_*": means("retrieval"),
    "lead_old_*": means("random"),
    "*_log": means("history"),
}


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("questionnaire", "user-input"),
        ("Questionnaire", "user-input"),
        ("state.questionnaire", "user-input"),
        ("questionnaire_text", "user-input"),  # "text" only says how it is packed
        ("questionnaireJSON", "user-input"),
        ("question", "session"),
        ("question_text", "session"),
        ("text", "id"),
        ("lead_source", "retrieval"),
        ("leadSource", "retrieval"),
        ("lead_old_source", "random"),
        ("lead_log", "retrieval"),  # of a beginning and an end the longer counts
        ("audit_log", "history"),
        ("audit_log_text", "history"),
    ],
)
def test_added_names_come_first(name: str, kind: str) -> None:
    with names.added(OWN):
        assert meaning(name) == means(kind)


@pytest.mark.parametrize("name", ["user_question", "lead", "log", "documents", "max_length", "neutral_thing", ""])
def test_other_names_mean_what_they_did(name: str) -> None:
    before = meaning(name)
    with names.added(OWN):
        assert meaning(name) == before


def test_added_names_are_gone_afterwards() -> None:
    assert meaning("questionnaire") == NEUTRAL
    with suppress(ValueError), names.added(OWN):
        raise ValueError
    assert meaning("questionnaire") == NEUTRAL
    with names.added({"questionnaire": means("id")}):
        assert meaning("questionnaire") == means("id")
    assert meaning("questionnaire") == NEUTRAL


def test_other_contexts_do_not_see_them() -> None:
    other = copy_context()
    with names.added(OWN), libraries.added({"ask": Sink("x", prompt="p")}):
        assert other.run(meaning, "questionnaire") == NEUTRAL
        assert other.run(libraries.libraries).at_method("ask") is None
        assert libraries.libraries().at_method("ask") is not None


@pytest.mark.parametrize("pattern", ["a", "a_b", "userName", "a-b", "a1", "_a", "first_*", "*_last", "a_b_*"])
def test_patterns(pattern: str) -> None:
    assert names.is_pattern(pattern)


@pytest.mark.parametrize("pattern", ["", "*", "_*", "*_", "a*", "*a", "*_a_*", "a.b", "a b", "1a", "_", "é"])
def test_no_patterns(pattern: str) -> None:
    assert not names.is_pattern(pattern)


@given(st.text(max_size=30))
def test_judging_with_added_names_never_raises(name: str) -> None:
    with names.added(OWN):
        assert isinstance(meaning(name), NameMeaning)


NOW = Source(SourceKind.CLOCK, Lifetime.REQUEST)
ASK = Sink("own-call", prompt="prompt")
BARE = Source(SourceKind.RETRIEVAL, Lifetime.REQUEST)
CALLS: dict[str, Source | Sink] = {"mypkg.clock.now": NOW, "mypkg.llm.ask": ASK, "fetch": BARE}


@pytest.mark.parametrize(
    ("path", "entry"),
    [
        ("mypkg.clock.now", NOW),
        ("vendor.mypkg.clock.now", NOW),
        ("mypkg.clock", None),
        ("othermypkg.clock.now", None),
        ("unknown.fetch", None),  # a bare name is no library path
        ("fetch", None),
    ],
)
def test_library_paths(path: str, entry: Source | None) -> None:
    with libraries.added(CALLS):
        assert libraries.libraries().at_path(path) is entry


@pytest.mark.parametrize(
    ("path", "entry"),
    [
        ("src.mypkg.clock.now", NOW),
        ("mypkg.llm.ask", ASK),
        ("mypkg.db.fetch", BARE),
        ("mypkg.db.Store.fetch", BARE),
        ("mypkg.llm.tell", None),
        ("now", None),
    ],
)
def test_paths_of_the_project(path: str, entry: Source | Sink | None) -> None:
    assert libraries.libraries().at_project(path) is None
    with libraries.added(CALLS):
        assert libraries.libraries().at_project(path) is entry


def test_methods() -> None:
    with libraries.added(CALLS):
        known = libraries.libraries()
        assert known.at_method("self.db.fetch") is BARE
        assert known.at_method("mypkg.clock.now") is NOW
        assert known.at_method("chat.completions.create") == libraries._built_in().at_method("chat.completions.create")


def test_an_added_path_comes_before_the_tables() -> None:
    mine = Source(SourceKind.SESSION, Lifetime.USER)
    with libraries.added({"datetime.datetime.now": mine}):
        assert libraries.libraries().at_path("datetime.datetime.now") is mine
        assert libraries.libraries().at_path("datetime.date.today") is not None
    found = libraries.libraries().at_path("datetime.datetime.now")
    assert isinstance(found, Source)
    assert found.kind is SourceKind.CLOCK


def test_own_sinks() -> None:
    assert libraries.libraries().own_sinks == frozenset()
    with libraries.added(CALLS):
        assert libraries.libraries().own_sinks == {"ask"}
