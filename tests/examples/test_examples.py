"""The examples: what is found in them and what is not, with token counts taken from tiktoken itself.

The places are found by looking for the text in the file, the counts by encoding what the programs really send.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest
import tiktoken
import tiktoken_ext.openai_public
from prefixlint.tokens.encodings import encoding_specs

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"

# file, value as it stands in the template text, code, severity, lifetime
FINDINGS = [
    ("agent/prompts/planner.jinja", "{{ session_id }}", "PFX102", "warning", "session"),
    ("agent/prompts/planner.jinja", "{{ current_time }}", "PFX101", "error", "request"),
    ("anthropic_cache/support.py", "You explain the terms", "PFX402", "error", "request"),
    ("anthropic_cache/support.py", "{ticket}", "PFX102", "error", "request"),
    ("faq_bot/faq_bot.py", "{datetime.now():%A, %H:%M}", "PFX101", "error", "request"),
    ("four_requests/stamp_in_front.py", "{stamp}", "PFX101", "error", "request"),
    ("langchain_chat/tutor.py", "{user_name}", "PFX106", "warning", "user"),
    ("rag/prompts/answer.yaml", "{context}", "PFX104", "error", "request"),
    ("rag/prompts/answer.yaml", "{question}", "PFX105", "error", "request"),
    ("wrapper/prompts.py", "{job_id}", "PFX102", "error", "request"),
]
# file that sends or holds the template, its form
TEMPLATES = [
    ("agent/prompts/planner.jinja", "jinja-file"),
    ("anthropic_cache/support.py", "anthropic-messages"),
    ("chat_loop/chat.py", "ollama-chat"),
    ("faq_bot/faq_bot.py", "openai-chat"),
    ("faq_bot/faq_bot_fixed.py", "openai-chat"),
    ("four_requests/stamp_behind.py", "llama-cpp-completion"),
    ("four_requests/stamp_in_front.py", "llama-cpp-completion"),
    ("langchain_chat/tutor.py", "langchain-chat"),
    ("rag/prompts/answer.yaml", "langchain-prompt"),
    ("rag/prompts/answer_fixed.yaml", "langchain-prompt"),
    ("wrapper/llm.py", "litellm"),
]


def prefixlint(*arguments: str) -> tuple[int, dict[str, Any]]:
    command = [sys.executable, "-m", "prefixlint", *arguments, "--output-format", "json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.stderr == ""
    return done.returncode, json.loads(done.stdout)


@pytest.fixture(scope="module")
def checked() -> tuple[int, dict[str, Any]]:
    return prefixlint("check", "examples", "--show-info")


@pytest.fixture(scope="module")
def reported() -> dict[str, dict[str, Any]]:
    status, document = prefixlint("report", "examples")
    assert status == 0
    return {template["path"].removeprefix("examples/"): template for template in document["templates"]}


@pytest.fixture(scope="module")
def encode() -> Callable[[str], list[int]]:
    """tiktoken's o200k_base by tiktoken's own definition; only the ranks come from the shipped file."""
    spec = encoding_specs()["o200k_base"]
    ranks = spec.load()
    with pytest.MonkeyPatch.context() as patch:
        known = dict(zip(ranks.tokens, ranks.ranks, strict=True))
        patch.setattr(tiktoken_ext.openai_public, "load_tiktoken_bpe", lambda url, expected_hash: known)
        encoding = tiktoken.Encoding(**tiktoken_ext.openai_public.o200k_base())
    return encoding.encode_ordinary


def place(file: str, text: str) -> tuple[int, int]:
    """Line and column of the only place of ``text`` in an example that is not in its introduction."""
    lines = (EXAMPLES / file).read_text(encoding="utf-8").splitlines()
    found = [(number, line.index(text) + 1) for number, line in enumerate(lines, 1) if text in line]
    assert len(found) == 1
    return found[0]


def common(left: list[int], right: list[int]) -> int:
    return next((at for at, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))


def test_findings(checked: tuple[int, dict[str, Any]]) -> None:
    status, document = checked
    assert status == 1
    found = [
        (d["path"], d["start"]["line"], d["start"]["column"], d["code"], d["severity"], d["lifetime"])
        for d in document["diagnostics"]
    ]
    assert found == [
        (f"examples/{file}", *place(file, text), code, severity, lifetime)
        for file, text, code, severity, lifetime in FINDINGS
    ]
    assert document["summary"]["unanalysed_files"] == 0


def test_templates(reported: dict[str, dict[str, Any]]) -> None:
    assert [(path, template["form"]) for path, template in reported.items()] == TEMPLATES


def test_every_example_says_what_it_shows() -> None:
    files = [path for path in EXAMPLES.rglob("*") if path.suffix in {".py", ".yaml", ".jinja"}]
    assert len(files) == 15
    for path in files:
        assert path.read_text(encoding="utf-8").startswith(('"""', "# ", "{# ")), path


def test_a_value_in_another_module_leads_there(checked: tuple[int, dict[str, Any]]) -> None:
    finding = next(d for d in checked[1]["diagnostics"] if d["path"] == "examples/wrapper/prompts.py")
    places = {(r["path"], r["line"]) for r in finding["related"]}
    made, _ = place("wrapper/translate.py", "uuid.uuid4()")
    sent, _ = place("wrapper/llm.py", "litellm.completion(")
    assert {("examples/wrapper/translate.py", made), ("examples/wrapper/llm.py", sent)} <= places


def test_nothing_is_reused_before_the_breakpoint_of_a_marked_block(reported: dict[str, dict[str, Any]]) -> None:
    """The cache marker stands behind the ticket number: Anthropic writes the cache and never reads it."""
    prediction = reported["anthropic_cache/support.py"]["predictions"][0]
    assert (prediction["engine"], prediction["cached_tokens"]) == ("anthropic", 0)


def test_the_chat_keeps_its_instructions(
    reported: dict[str, dict[str, Any]], encode: Callable[[str], list[int]]
) -> None:
    chat = load("chat_loop/chat.py", "ollama")
    assert reported["chat_loop/chat.py"]["stable_prefix_tokens"] >= len(encode(chat.INSTRUCTIONS))


def load(file: str, *libraries: str) -> Any:
    """An example as a module, with stand-ins for the libraries that it imports and this test does not need."""
    with pytest.MonkeyPatch.context() as patch:
        for name in libraries:
            stand_in = ModuleType(name)
            stand_in.__getattr__ = lambda name: lambda *_, **__: None  # type: ignore[method-assign]
            patch.setitem(sys.modules, name, stand_in)
        spec = importlib.util.spec_from_file_location(file.replace("/", "_").removesuffix(".py"), EXAMPLES / file)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module


def sent(file: str, at: datetime) -> str:
    """The prompt that one of the four requests really sends at this time."""
    module = load(file, "llama_cpp")
    prompts: list[str] = []

    class Llama:
        def create_completion(self, prompt: str, max_tokens: int) -> dict[str, list[dict[str, str]]]:
            prompts.append(prompt)
            return {"choices": [{"text": ""}]}

    class Clock:
        @staticmethod
        def now() -> datetime:
            return at

    module.llm, module.datetime = Llama(), Clock
    module.ask()
    return prompts[0]


NOW = datetime(2026, 3, 14, 9, 26, 53)
MANUAL = (EXAMPLES / "four_requests/manual.md").read_text(encoding="utf-8")
LINE = " is the time of this request."


def test_time_in_front_strands_the_manual(
    reported: dict[str, dict[str, Any]], encode: Callable[[str], list[int]]
) -> None:
    template = reported["four_requests/stamp_in_front.py"]
    assert template["breakpoint"]["token_guaranteed"] == 0
    stranded = len(encode(f"{LINE}\n{MANUAL}"))
    assert template["stranded_tokens"] == stranded
    assert template["stable_tokens"] == stranded + template["stable_prefix_tokens"]
    first = encode(sent("four_requests/stamp_in_front.py", NOW))
    assert first[-stranded:] == encode(f"{LINE}\n{MANUAL}")
    # Ten years apart nothing but the century is left; within the decade "202" is one token.
    century = encode(sent("four_requests/stamp_in_front.py", NOW.replace(year=2036)))
    decade = encode(sent("four_requests/stamp_in_front.py", NOW.replace(year=2027)))
    assert common(first, century) == 0
    assert common(first, decade) == 1 == template["breakpoint"]["token"]


def test_time_behind_keeps_the_manual_but_for_the_token_at_the_boundary(
    reported: dict[str, dict[str, Any]], encode: Callable[[str], list[int]]
) -> None:
    template = reported["four_requests/stamp_behind.py"]
    stable = encode(f"{MANUAL}\n")
    assert template["breakpoint"]["token_guaranteed"] == len(stable) - 1
    # The boundary token is lost indeed: another line break makes one token of all three.
    assert common(stable, encode(f"{MANUAL}\n\n")) == len(stable) - 1
    # In the program's own requests the time begins with a digit, and the token stays.
    first = encode(sent("four_requests/stamp_behind.py", NOW))
    assert common(first, encode(sent("four_requests/stamp_behind.py", NOW.replace(year=2036)))) == len(stable)
    decade = encode(sent("four_requests/stamp_behind.py", NOW.replace(year=2027)))
    assert common(first, decade) == len(stable) + 1 == template["breakpoint"]["token"]


def test_llama_server_reuses_what_two_requests_share(
    reported: dict[str, dict[str, Any]], encode: Callable[[str], list[int]]
) -> None:
    """The prediction is a floor: of two requests within a minute even more of the time is the same."""
    for file in ("four_requests/stamp_in_front.py", "four_requests/stamp_behind.py"):
        prediction = reported[file]["predictions"][0]
        assert prediction["engine"] == "llama-server"
        first, second = encode(sent(file, NOW)), encode(sent(file, NOW + timedelta(seconds=2)))
        shared = common(first, second)
        assert 0 <= shared - prediction["cached_tokens"] < len(encode(NOW.isoformat(timespec="seconds")))


def test_text_behind_the_time_in_a_system_message(
    checked: tuple[int, dict[str, Any]], encode: Callable[[str], list[int]]
) -> None:
    """Stranded are the rest of the system message and the framing: its end (1), the user message's beginning (3) and
    end (1), and the reply's beginning (3)."""
    finding = next(d for d in checked[1]["diagnostics"] if d["path"] == "examples/faq_bot/faq_bot.py")
    rules = load("faq_bot/faq_bot.py", "openai").HOUSE_RULES
    assert finding["stranded_tokens"] == len(encode(f".\n\n{rules}")) + 1 + 3 + 1 + 3
