"""Names, sources, sinks and prompt files of a project: what they are read as, and what is said of wrong ones."""

from __future__ import annotations

import tomllib

import pytest
from prefixlint.config import Config, ConfigError, own
from prefixlint.config.model import TemplateFiles
from prefixlint.knowledge.libraries import Sink, Source
from prefixlint.knowledge.names import NameMeaning
from prefixlint.model.lifetimes import Confidence, Lifetime, SourceKind

HIGH = Confidence.HIGH


@pytest.mark.parametrize(
    ("lifetime", "kind"),
    [
        ("constant", "configuration"),
        ("deployment", "configuration"),
        ("process", "configuration"),
        ("day", "clock"),
        ("hour", "clock"),
        ("user", "session"),
        ("session", "session"),
        ("turn", "user-input"),
        ("request", "user-input"),
        ("unknown", "parameter"),
    ],
)
def test_a_lifetime_alone_gives_the_kind(lifetime: str, kind: str) -> None:
    assert own.names("f: names", {"x": lifetime})["x"].kind is SourceKind(kind)
    source = own.sources("f: sources", {"acme.x": lifetime})["acme.x"]
    assert (source.lifetime, source.kind) == (Lifetime(lifetime), SourceKind(kind))


def test_names() -> None:
    table = tomllib.loads(
        """
        questionnaire = "request"
        "max_*" = { lifetime = "user", kind = "configuration" }
        "*_log" = { lifetime = "turn", kind = "history" }
        ticket = { lifetime = "session", kind = "id" }
        stamp = { lifetime = "request", kind = "clock", shape = "epoch" }
        """
    )
    assert own.names("f: names", table) == {
        "questionnaire": NameMeaning(Lifetime.REQUEST, SourceKind.USER_INPUT, HIGH),
        "max_*": NameMeaning(Lifetime.USER, SourceKind.CONFIGURATION, HIGH),
        "*_log": NameMeaning(Lifetime.TURN, SourceKind.HISTORY, HIGH, grows=True),
        "ticket": NameMeaning(Lifetime.SESSION, SourceKind.ID, HIGH, "uuid"),
        "stamp": NameMeaning(Lifetime.REQUEST, SourceKind.CLOCK, HIGH, "epoch"),
    }


def test_sources() -> None:
    table = {
        "mypkg.clock.now": {"kind": "clock", "lifetime": "request"},
        "mypkg.clock.today": {"kind": "clock", "lifetime": "day"},
        "fetch_lead": {"kind": "retrieval", "lifetime": "user", "shape": "json"},
    }
    assert own.sources("f: sources", table) == {
        "mypkg.clock.now": Source(SourceKind.CLOCK, Lifetime.REQUEST, "timestamp"),
        "mypkg.clock.today": Source(SourceKind.CLOCK, Lifetime.DAY, "date"),
        "fetch_lead": Source(SourceKind.RETRIEVAL, Lifetime.USER, "json"),
    }


def test_sinks() -> None:
    table = {
        "mypkg.llm.ask": {
            "messages": "messages",
            "system": "options.system",
            "prompt": "prompt",
            "tools": "tools",
            "model": "name",
            "engine": "llama.cpp",
            "positional": ["system", "prompt"],
        },
        "run_agent": {"system": "instructions", "history": True},
    }
    assert own.sinks("f: sinks", table) == {
        "mypkg.llm.ask": Sink(
            "own-call",
            engine="llama-server",
            system="options.system",
            messages="messages",
            prompt="prompt",
            tools="tools",
            model="name",
            positional=("system", "prompt"),
        ),
        "run_agent": Sink("own-call", system="instructions", history=True),
    }


def test_templates() -> None:
    table = {"include": ["prompts/**/*.tmpl"], "exclude": ["old"], "keys": ["instruction_text"]}
    assert own.templates("f: templates", table) == TemplateFiles(
        ("prompts/**/*.tmpl",), ("old",), ("instruction_text",)
    )
    assert own.templates("f: templates", {}) == TemplateFiles() == Config(root="/").templates


LIFETIMES = "constant, deployment, process, day, hour, user, session, turn, request, unknown"


@pytest.mark.parametrize(
    ("key", "text", "message"),
    [
        ("names", "x = 3", "f: names.x must be a lifetime or a table, not a whole number"),
        (
            "names",
            "x = 'requst'",
            f"f: names.x.lifetime must be one of {LIFETIMES}, not 'requst'; did you mean 'request'?",
        ),
        ("names", "x = {}", f"f: names.x has no lifetime; add one of {LIFETIMES}"),
        (
            "names",
            "x = {lifetime = 'day', knd = 'clock'}",
            "f: names.x: unknown key 'knd'; did you mean 'kind'?",
        ),
        (
            "names",
            "x = {lifetime = 'day', zzzzz = 1}",
            "f: names.x: unknown key 'zzzzz'; known are lifetime, kind, shape",
        ),
        (
            "names",
            "'user.name' = 'user'",
            "f: names: 'user.name' is not a name: write a parameter or placeholder, 'first_*' or '*_last'",
        ),
        (
            "names",
            "'*' = 'user'",
            "f: names: '*' is not a name: write a parameter or placeholder, 'first_*' or '*_last'",
        ),
        (
            "sources",
            "'a b' = 'day'",
            "f: sources: 'a b' is not the dotted path of a function or method, nor a bare name",
        ),
        (
            "sources",
            "'acme.now' = {lifetime = 'day', kind = 'clok'}",
            "f: sources.'acme.now'.kind must be one of clock, id, random, retrieval, user-input, history, session, "
            "environment, unordered, listing, shuffled, identity, attachment, summary, conditional, parameter, "
            "configuration, not 'clok'; did you mean 'clock'?",
        ),
        ("sources", "now = {lifetme = 'day'}", "f: sources.now: unknown key 'lifetme'; did you mean 'lifetime'?"),
        ("sources", "acme.now = 'day'", 'f: sources: a dotted path stands in quotes: "acme.now" = ...'),
        (
            "sources",
            "acme.clock.now = {lifetime = 'day'}",
            'f: sources: a dotted path stands in quotes: "acme.clock.now" = ...',
        ),
        ("sinks", "acme.llm.ask = {prompt = 'p'}", 'f: sinks: a dotted path stands in quotes: "acme.llm.ask" = ...'),
        ("sinks", "ask = 'prompt'", "f: sinks.ask must be a table, not a string"),
        (
            "sinks",
            "ask = {tools = 'tools'}",
            "f: sinks.ask must name the argument with the messages, the system text or the prompt",
        ),
        ("sinks", "ask = {mesages = 'm'}", "f: sinks.ask: unknown key 'mesages'; did you mean 'messages'?"),
        ("sinks", "ask = {messages = 0}", "f: sinks.ask.messages must be the name of an argument, not 0"),
        (
            "sinks",
            "ask = {prompt = 'p', engine = 'vlm'}",
            "f: sinks.ask.engine: unknown engine 'vlm'; did you mean 'vllm'?",
        ),
        (
            "sinks",
            "ask = {prompt = 'p', engine = 7}",
            "f: sinks.ask.engine: unknown engine 7; `prefixlint targets` lists them",
        ),
        (
            "sinks",
            "ask = {prompt = 'p', history = 1}",
            "f: sinks.ask.history must be true or false, not a whole number",
        ),
        ("templates", "includ = []", "f: templates: unknown key 'includ'; did you mean 'include'?"),
        ("templates", "include = 'a'", "f: templates.include must be a list of strings, not a string"),
        ("templates", "exclude = ['[z-a]']", "f: templates.exclude: '[z-a]' is not a valid glob"),
        ("templates", "keys = [1]", "f: templates.keys must be a list of strings, but holds 1"),
    ],
)
def test_errors_name_file_key_and_way_out(key: str, text: str, message: str) -> None:
    with pytest.raises(ConfigError) as error:
        getattr(own, key)(f"f: {key}", tomllib.loads(text))
    assert str(error.value) == message
