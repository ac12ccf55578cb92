"""Which files and functions are worth running: those that hold prompt text or send a request, and their callers."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from typing import TYPE_CHECKING

from prefixlint.frontends.python.modules import FunctionInfo, own_nodes
from prefixlint.frontends.python.prompt_text import PROMPT_NAME
from prefixlint.knowledge.libraries import libraries

if TYPE_CHECKING:
    from collections.abc import Iterable

    from prefixlint.frontends.python.modules import ModuleInfo

_BYTES = re.compile(
    rb"prompt|openai|anthropic|litellm|langchain|llama_index|ollama|messages|system_message|instructions|completion|"
    rb"generate_content|\bllm\b|\bLLM\b|You are|[\"']role[\"']|haystack|dspy|pydantic_ai|crewai|agno|autogen|smolagents|llama_cpp|vllm|\bagent",
    re.IGNORECASE,
)
_SEND = frozenset(
    [
        "create",
        "acreate",
        "parse",
        "stream",
        "completion",
        "acompletion",
        "chat",
        "generate",
        "agenerate",
        "complete",
        "acomplete",
        "invoke",
        "ainvoke",
        "predict",
        "apredict",
        "run",
        "arun",
        "kickoff",
        "converse",
        "generate_content",
        "from_messages",
        "from_template",
        "apply_chat_template",
        "create_completion",
        "create_chat_completion",
        "chat_completion",
        "responses",
        "render",
    ]
)
_AGENT_KEYWORDS = frozenset(
    {"instruction", "instructions", "system_prompt", "system_message", "system_instruction", "backstory"}
)
_LONG = 120
MAX_CALLERS = 60


def might_hold_prompt(data: bytes) -> bool:
    """Cheap test on the bytes of a Python file: whether parsing it can be worth it."""
    return _BYTES.search(data) is not None


def is_interesting(info: FunctionInfo) -> bool:
    """Whether a function by itself builds or sends what could be a prompt."""
    if any(name in libraries().by_decorator for name in info.method_decorators):
        return True
    if any(isinstance(node, ast.Attribute) and node.attr in _SEND for node in info.own_nodes):
        if any(libraries().sends(package) for package in info.module.packages):
            return True
    return bool(PROMPT_NAME.search(info.name)) or _holds_prompt(info.own_nodes)


def is_interesting_body(tree: ast.Module) -> bool:
    """Whether a module's own statements build and send what could be a prompt (scripts, agents made at import)."""
    return any(isinstance(node, ast.Call) for node in own_nodes(tree)) and _holds_prompt(tuple(own_nodes(tree)))


def _holds_prompt(nodes: tuple[ast.AST, ...]) -> bool:
    documentation = {
        id(node.value) for node in nodes if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    sends = mentions = False
    letters = 0
    for node in nodes:
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str) and id(node) not in documentation:
                letters += len(node.value)
                if len(node.value) >= _LONG or node.value == "role":
                    return True
        elif isinstance(node, ast.Attribute):
            sends = sends or node.attr in _SEND
            mentions = mentions or bool(PROMPT_NAME.search(node.attr))
        elif isinstance(node, ast.Name):
            sends = sends or node.id in _SEND
            mentions = mentions or bool(PROMPT_NAME.search(node.id))
        elif isinstance(node, ast.keyword) and node.arg is not None:
            if node.arg in _AGENT_KEYWORDS:
                return True
            mentions = mentions or node.arg == "messages" or bool(PROMPT_NAME.search(node.arg))
        if mentions and (sends or letters >= _LONG):
            return True
    return False


def called_names(info: FunctionInfo) -> set[str]:
    """Last names of everything that a function calls or passes on by name."""
    names = set()
    for node in info.own_nodes:
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute):
                names.add(node.func.attr)
            elif isinstance(node.func, ast.Name):
                names.add(node.func.id)
    return names


def roots(modules: Iterable[ModuleInfo], hops: int = 3) -> list[FunctionInfo]:
    """Interesting functions and their callers up to ``hops`` calls away.

    Those that no other of them seems to call come first: a function that was entered from one of its callers need not be run
    by itself again.
    """
    functions = [info for module in modules for info in module.functions]
    callers: dict[str, list[FunctionInfo]] = defaultdict(list)
    for info in functions:
        for name in called_names(info):
            callers[name].append(info)
    chosen: dict[int, FunctionInfo] = {}
    frontier = [info for info in functions if is_interesting(info)]
    for info in frontier:
        chosen[id(info.node)] = info
    for _ in range(hops):
        following = []
        for info in frontier:
            name = info.owner.name if info.name == "__init__" and info.owner is not None else info.name
            found = callers.get(name, [])
            if len(found) > MAX_CALLERS or (name.startswith("__") and name.endswith("__")):
                continue
            for caller in found:
                if id(caller.node) not in chosen:
                    chosen[id(caller.node)] = caller
                    following.append(caller)
        frontier = following
    called = {
        name for info in chosen.values() for name in called_names(info) if len(callers.get(name, ())) <= MAX_CALLERS
    }
    picked = [info for info in functions if id(info.node) in chosen]
    return sorted(picked, key=lambda info: info.name in called)
