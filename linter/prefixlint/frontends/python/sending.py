"""Calls that seem to send a prompt, by the names in them."""

from __future__ import annotations

import ast
from functools import lru_cache

from prefixlint.frontends.python.prompt_text import role_of
from prefixlint.frontends.python.syntax import last_name
from prefixlint.knowledge.call_names import call_names
from prefixlint.knowledge.names import split_words


def calls_model(called: ast.expr) -> bool:
    """Whether what is called is a model by its name, or a method of one with a plain name: ``model.call``."""
    if isinstance(called, ast.Attribute) and called.attr in call_names().plain_sending:
        called = called.value
    return _ends_in_model(last_name(called))


def asks(call: ast.Call, type_: str = "") -> bool:
    """Whether a call seems to ask a model: by what it calls, by an agent that it sets a task, or by a system text and a
    user text that it is given. ``type_`` is the library's class of what a method belongs to."""
    if asks_model(call.func) or tasks_agent(call) or (type_ and tasks_class(type_, last_name(call.func))):
        return True
    return {"system", "user"} <= {role_of(keyword.arg) for keyword in call.keywords if keyword.arg}


def tasks_agent(call: ast.Call) -> bool:
    """Whether a call sets an agent a task, by their names: ``agent.run(…)``, ``Runner.run(agent, …)``, ``agent(…)``."""
    called, names = call.func, call_names()
    if isinstance(called, ast.Attribute) and called.attr in names.tasking:
        return any(_ends_in_agent(last_name(node)) for node in (called.value, *call.args[:1]))
    name = last_name(called)
    return _ends_in_agent(name) and name.islower() and not _makes_or_manages(name)


@lru_cache(maxsize=4096)
def _makes_or_manages(name: str) -> bool:
    """Whether a function makes, finds or sets up what its name ends in: ``get_model``, ``populate_agent``."""
    first = split_words(name)[:1]
    return not first or first[0] in call_names().verbs | call_names().managing


@lru_cache(maxsize=4096)
def tasks_class(type_: str, method: str) -> bool:
    """Whether a method gives a task to what a class of a library makes: a model or an agent, by their names
    (``ChatOpenAI``, ``ReActAgent``)."""
    name, names = type_.rpartition(".")[2], call_names()
    words = split_words(name)
    if not words or not name[:1].isupper() or method not in names.tasking:
        return False
    return words[-1] in names.models | names.agents or "chat" in words or not names.language_models.isdisjoint(words)


def asks_model(called: ast.expr) -> bool:
    """Whether what is called has a language model in its name (``call_llm``), is a method of such a one
    (``self.llm.ask_json``), or of what may be one that sends something to it (``self.model.generate_content``)."""
    name = last_name(called)
    if _names_model(name) or (calls_model(called) and not (_ends_in_model(name) and _makes_or_manages(name))):
        return True
    if not isinstance(called, ast.Attribute):
        return False
    words, names = split_words(last_name(called.value)), call_names()
    if words and words[-1] in names.language_models:
        return True
    return called.attr in names.sending and calls_model(called.value)


@lru_cache(maxsize=4096)
def is_request(called: str) -> bool:
    """Whether a class is one of requests by its name: what it is made with is sent (``Prompt(messages=…)``)."""
    words = split_words(called)
    return called[:1].isupper() and bool(words) and words[-1] in call_names().requests


@lru_cache(maxsize=4096)
def is_message_class(called: str) -> bool:
    """Whether a class is one of messages by its name: ``ChatMessage``, ``Msg``."""
    return called[:1].isupper() and split_words(called)[-1:] in (("message",), ("msg",))


@lru_cache(maxsize=4096)
def _ends_in_model(name: str) -> bool:
    words = split_words(name)
    return bool(words) and words[-1] in call_names().models


@lru_cache(maxsize=4096)
def _ends_in_agent(name: str) -> bool:
    words = split_words(name)
    return bool(words) and words[-1] in call_names().agents


@lru_cache(maxsize=4096)
def _names_model(name: str) -> bool:
    (first, *others), names = split_words(name) or [""], call_names()
    if first in names.asking_models and "model" in others:
        return True
    return first in names.asking and not names.language_models.isdisjoint(others)
