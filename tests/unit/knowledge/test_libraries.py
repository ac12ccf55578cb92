"""The library tables: every file loads, says where it comes from, and its entries are found by their paths."""

from __future__ import annotations

import re
import tomllib
from importlib import resources
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prefixlint.engines import target_names
from prefixlint.knowledge.libraries import (
    Entry,
    FieldClass,
    FillingClass,
    Handler,
    MessageClass,
    ModuleClass,
    PassingClass,
    PlaceholderClass,
    PredictorClass,
    PromptClass,
    SignatureClass,
    Sink,
    Source,
    Window,
    libraries,
)
from prefixlint.model.lifetimes import Lifetime, SourceKind
from prefixlint.model.segments import SHAPES

FILES = {
    file.name: tomllib.loads(file.read_text(encoding="utf-8"))
    for file in resources.files("prefixlint.knowledge").joinpath("libraries").iterdir()
    if file.name.endswith(".toml")
}
SECTIONS = {
    *("source", "sink", "message", "prompt", "filling", "placeholder", "window"),
    *("field", "signature", "predictor", "passing", "module"),
}
EACH_FILE = pytest.mark.parametrize("raw", FILES.values(), ids=FILES)


@EACH_FILE
def test_file_says_where_it_comes_from_and_when(raw: dict[str, Any]) -> None:
    assert set(raw) <= {
        "packages",
        "namespaces",
        "reference",
        "date",
        "decorator",
        "text_decorator",
        "handler",
        "handlers",
        "signatures",
        *SECTIONS,
    }
    assert len(raw["reference"]) > 10
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", raw["date"])
    assert all(re.fullmatch(r"[a-z_0-9]+\*?", package) for package in raw["packages"])


@EACH_FILE
def test_entries_can_be_reached(raw: dict[str, Any]) -> None:
    for section in SECTIONS:
        for row in raw.get(section, ()):
            assert row.get("paths") or row.get("methods")
            assert raw["packages"] or not row.get("paths")
            for path in (*row.get("paths", ()), *row.get("methods", ())):
                assert all(part.isidentifier() for part in path.split(".")), path


@EACH_FILE
def test_decorators_are_known_by_name(raw: dict[str, Any]) -> None:
    for row in raw.get("decorator", ()):
        assert row["names"]
        for name in row["names"]:
            sink = libraries().decorator(name, frozenset(row.get("packages", ())))
            assert sink is not None
            assert sink.form == row["form"]


@EACH_FILE
def test_handlers_are_known_by_what_marks_them(raw: dict[str, Any]) -> None:
    known = libraries().handlers
    for row in raw.get("handler", ()):
        assert row.get("decorators") or row.get("registrars") or row.get("signatures")
        packages = tuple(row.get("packages", raw["packages"]))
        # A decorator called "get" says nothing where no framework is imported; a signature does.
        assert packages or row.get("signatures")
        routes, tool = row.get("routes", False), row.get("tool", False)
        expected = Handler(SourceKind(row["kind"]), Lifetime(row["lifetime"]), packages, routes, tool)
        for name in row.get("decorators", ()):
            assert expected in known.decorators[name]
        for name in row.get("registrars", ()):
            assert expected in known.registrars[name]
        for name in row.get("lists", ()):
            assert expected in known.lists[name]
        for signature in row.get("signatures", ()):
            assert known.signatures[tuple(signature)] == expected


def test_what_lies_below_an_object_is_found() -> None:
    known = libraries()
    source, path = known.below("flask.request.args.get") or (None, "")
    assert isinstance(source, Source)
    assert (source.kind, source.lifetime, path) == (SourceKind.USER_INPUT, Lifetime.REQUEST, "flask.request")
    assert known.below("flask.request") is None
    assert known.below("flask.current_app.config") is None
    assert known.below("os.environ.get") is None


def entries() -> list[Entry]:
    known = libraries()
    found = [entry for table in known.by_path.values() for entry in table.values()]
    return [*found, *known.by_method.values()]


def test_the_tables_are_not_empty() -> None:
    kinds = {Source, Sink, MessageClass, PromptClass, FillingClass, PlaceholderClass, Window}
    kinds |= {FieldClass, SignatureClass, PredictorClass, PassingClass, ModuleClass}
    assert {type(entry) for entry in entries()} == kinds


def test_sources_have_a_known_lifetime_and_shape() -> None:
    for entry in entries():
        if isinstance(entry, Source):
            assert entry.lifetime.known
            assert entry.lifetime is not Lifetime.CONSTANT
            assert entry.shape in SHAPES


def test_sinks_take_a_prompt_and_name_an_engine_there_is() -> None:
    for entry in entries():
        if isinstance(entry, Sink):
            assert entry.system or entry.messages or entry.prompt
            assert entry.engine is None or entry.engine in target_names()
            parts = {entry.system, entry.messages, entry.prompt, entry.tools, entry.model, *entry.system_aliases}
            assert set(entry.positional) <= parts
            assert set(entry.requires) <= parts
            if entry.ordered:
                assert {entry.system, *entry.system_aliases} <= set(entry.ordered)


def test_message_and_prompt_classes_say_where_role_and_text_are() -> None:
    for entry in entries():
        if isinstance(entry, MessageClass):
            assert bool(entry.role) != bool(entry.role_argument)
        if isinstance(entry, PromptClass):
            assert entry.text or entry.messages or entry.wraps
            assert entry.syntax in {"format", "jinja", "kernel"}


@pytest.mark.parametrize(
    ("path", "kind", "lifetime"),
    [
        ("datetime.datetime.now", "clock", "request"),
        ("datetime.date.today", "clock", "day"),
        ("time.time", "clock", "request"),
        ("uuid.uuid4", "id", "request"),
        ("secrets.token_hex", "random", "request"),
        ("random.randint", "random", "request"),
        ("random.choice", "shuffled", "request"),
        ("os.environ.get", "environment", "deployment"),
        ("os.getcwd", "environment", "session"),
        ("getpass.getuser", "session", "user"),
        ("os.listdir", "listing", "session"),
        ("asyncio.as_completed", "unordered", "request"),
        ("builtins.id", "identity", "process"),
        ("subprocess.check_output", "environment", "turn"),
        ("django.utils.timezone.now", "clock", "request"),
    ],
)
def test_sources_by_path(path: str, kind: str, lifetime: str) -> None:
    entry = libraries().at_path(path)
    assert isinstance(entry, Source)
    assert (entry.kind, entry.lifetime) == (SourceKind(kind), Lifetime(lifetime))


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("openai.OpenAI.chat.completions.create", "openai-chat"),
        ("openai.AsyncOpenAI.responses.create", "openai-responses"),
        ("anthropic.Anthropic.messages.create", "anthropic-messages"),
        ("litellm.completion", "litellm"),
        ("ollama.chat", "ollama-chat"),
        ("ollama.generate", "ollama-generate"),
        ("llama_cpp.Llama.create_completion", "llama-cpp-completion"),
        ("langchain_core.prompts.ChatPromptTemplate.from_messages", "langchain-chat"),
        ("langchain.prompts.PromptTemplate", "langchain-prompt"),
        ("llama_index.core.PromptTemplate", "llamaindex-prompt"),
    ],
)
def test_sinks_and_prompts_by_path(path: str, form: str) -> None:
    entry = libraries().at_path(path)
    assert isinstance(entry, Sink | PromptClass)
    assert entry.form == form


@pytest.mark.parametrize(
    "path", ["datetime.timedelta", "json.dumps", "unheard_of.chat.completions.create", "openai", ""]
)
def test_what_is_in_no_table(path: str) -> None:
    assert libraries().at_path(path) is None


def test_methods_by_the_longest_end() -> None:
    known = libraries()
    assert known.at_method("self.client.chat.completions.create") is known.at_path("openai.chat.completions.create")
    assert known.at_method("create") is None
    assert known.at_method("store.similarity_search") is known.by_method["similarity_search"]


def test_packages_by_beginning() -> None:
    known = libraries()
    assert known.at_path("langchain_community.messages.SystemMessage") is not None
    assert known.at_path("langchai.messages.SystemMessage") is None
    assert known.sends("langchain_community")
    assert not known.sends("langchai")
    assert not known.sends("datetime")


@given(st.lists(st.sampled_from(["datetime", "now", "a", "openai", "create", "", "chat"]), max_size=6).map(".".join))
def test_any_path_and_chain_can_be_asked_for(path: str) -> None:
    known = libraries()
    for found in (known.at_path(path), known.at_method(path)):
        assert found is None or isinstance(found, Entry)
