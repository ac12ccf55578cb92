"""Rules about code that measures or steers a cache: on facts read from small programs."""

from __future__ import annotations

import pytest
from prefixlint.api import CodeRule, Finding, Severity
from prefixlint.frontends.python.measuring import facts, might_measure
from prefixlint.model.sources import SourceFile
from prefixlint_rules import RULES

CODE_RULES = [rule for rule in RULES if isinstance(rule, CodeRule)]


def judged(text: str) -> list[Finding]:
    found = facts(SourceFile("bench.py", text))
    return [finding for rule in CODE_RULES for fact in found for finding in rule.judge(fact)]


def codes(text: str) -> list[str]:
    return [finding.code for finding in judged(text)]


@pytest.mark.parametrize(
    "text",
    [
        "rate = r['prompt_eval_count'] / r['prompt_eval_duration'] * 1e9",
        "rate = r.prompt_eval_count / (r.prompt_eval_duration / 1e9)",
        "rate = r.get('prompt_eval_count', 0) / max(1, r.get('prompt_eval_duration', 0) / 1e9)",
        "def f(r):\n    n = r['prompt_eval_count']\n    t = r['prompt_eval_duration']\n    return round(n / t, 1)",
        "per_token = r['prompt_eval_duration'] / r['prompt_eval_count']",
        "async def f(r):\n    return (r.prompt_eval_count or 0) / r.prompt_eval_duration",
        "class A:\n    def f(self, r):\n        if n := r.prompt_eval_count:\n            f(n/r.prompt_eval_duration)",
        "rate = sum(r['prompt_eval_count'] for r in rs) / sum(r['prompt_eval_duration'] for r in rs)",
        "x = d['tokens_evaluated'] / d['timings']['prompt_ms']",
    ],
)
def test_rate_of_all_tokens(text: str) -> None:
    assert codes(text) == ["PFX601"]


@pytest.mark.parametrize(
    "text",
    [
        "rate = (r['prompt_eval_count'] - r['prompt_eval_cached_count']) / r['prompt_eval_duration']",
        "def f(r):\n    n = r.prompt_eval_count - r.prompt_eval_cached_count\n    return n / r.prompt_eval_duration",
        "rate = r['eval_count'] / r['eval_duration']",
        "rate = t['prompt_n'] / t['prompt_ms']",
        "seconds = r['prompt_eval_duration'] / 1e9",
        "share = r['prompt_eval_count'] / r['total_duration']",
        # What another function calls n is another thing.
        "def f(r):\n    n = r.prompt_eval_count\n\ndef g(n, r):\n    return n / r.prompt_eval_duration",
        # A name that was given something else since.
        "def f(r):\n    n = r.prompt_eval_count\n    n = 5\n    return n / r.prompt_eval_duration",
    ],
)
def test_other_ratios_are_no_fault(text: str) -> None:
    assert codes(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("c = r.get('prompt_eval_cached_count', 0)", ["PFX602"]),
        ("c = r.get('prompt_eval_cached_count') or 0", ["PFX602"]),
        ("c = getattr(r, 'prompt_eval_cached_count', 0)", ["PFX602"]),
        ("c = r.prompt_eval_cached_count or 0", ["PFX602"]),
        ("c = data['timings'].get('cache_n', 0)", ["PFX602"]),
        ("c = shelf.get('cache_n', 0)", []),
        ("c = r.get('prompt_eval_cached_count')", []),
        ("c = r.get('prompt_eval_cached_count', None)", []),
        ("c = r.get('prompt_eval_count', 0)", []),
        ("c = usage.cache_read_input_tokens or 0", []),
        ("c = details.get('cached_tokens', 0)", []),
        ("c = r.get('prompt_eval_cached_count', False)", []),
    ],
)
def test_missing_count_read_as_zero(text: str, expected: list[str]) -> None:
    assert codes(text) == expected


MARKED = "import anthropic\nsystem = [{'text': t, 'cache_control': {'type': 'ephemeral'}}]\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (MARKED + "total += r.usage.input_tokens", ["PFX603"]),
        (MARKED + "total = r.usage.input_tokens + r.usage.output_tokens", ["PFX603"]),
        (MARKED + "total = total + r.usage.input_tokens + r.usage.output_tokens", ["PFX603"]),
        (MARKED + "total = r.input_tokens + r.cache_read_input_tokens + r.cache_creation_input_tokens", []),
        # Without markers nothing is left out of input_tokens.
        ("import anthropic\ntotal += r.usage.input_tokens", []),
        # OpenAI's input_tokens include the cached ones.
        ("import openai\ncache_control = None\ntotal += r.usage.input_tokens", []),
        (MARKED + "print(r.usage.input_tokens)", []),
    ],
)
def test_uncached_input_read_as_load(text: str, expected: list[str]) -> None:
    assert codes(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("post('/completion')\ncached = r['tokens_cached']", ["PFX604"]),
        ("post('/completion')\nrow = {'cache_hit_tokens': r['tokens_cached']}", ["PFX604"]),
        ("log(reused=r.get('tokens_cached'), n=r['timings'])", ["PFX604"]),
        ("rate = r['tokens_cached'] / r['tokens_evaluated']", ["PFX604"]),
        ("post('/completion')\nslot = r['tokens_cached']", []),
        # Another service may well mean what the name says.
        ("cached = r['tokens_cached']", []),
        ("post('/completions')\ncached = r['tokens_cached']", []),
    ],
)
def test_slot_length_read_as_reuse(text: str, expected: list[str]) -> None:
    assert codes(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("c.create(prompt_cache_key=str(uuid.uuid4()))", ["PFX406"]),
        ("c.create(prompt_cache_key=f'k-{time.time()}')", ["PFX406"]),
        ("c.create(extra_body={'cache_salt': secrets.token_hex(8)})", ["PFX406"]),
        ("body['prompt_cache_key'] = str(uuid4())", ["PFX406"]),
        ("c.create(prompt_cache_key=f'desk-{tenant}')", []),
        ("c.create(prompt_cache_key=session.key)", []),
        ("c.create(request_id=str(uuid.uuid4()))", []),
    ],
)
def test_volatile_cache_key(text: str, expected: list[str]) -> None:
    assert codes(text) == expected


def test_a_finding_has_its_place_and_what_it_is_about() -> None:
    (finding,) = judged("# ü\nrate = ('ü', r['prompt_eval_count'] / r['prompt_eval_duration'])\n")
    assert (finding.span.path, finding.span.start.line, finding.span.start.column) == ("bench.py", 2, 14)
    assert finding.expression == "r['prompt_eval_count'] / r['prompt_eval_duration']"
    assert (finding.severity, finding.template, finding.lifetime) == (Severity.WARNING, "", None)
    assert "prompt_eval_count includes cached tokens, prompt_eval_duration does not" in finding.message


@pytest.mark.parametrize("text", ["def f(:", "x = \0", "prompt_eval_count = " + "(" * 400 + ")" * 400, ""])
def test_a_file_that_cannot_be_parsed_has_no_facts(text: str) -> None:
    assert facts(SourceFile("a.py", text)) == ()


def test_deep_expressions_are_given_up_quietly() -> None:
    assert facts(SourceFile("a.py", "x = " + "+".join(["r.prompt_eval_count"] * 30_000))) == ()


@pytest.mark.parametrize(
    ("data", "worth"),
    [
        (b"r['prompt_eval_count']", True),
        (b"prompt_cache_key=k", True),
        (b"usage.cache_read_input_tokens", False),
        (b"my_tokens = 5", False),
    ],
)
def test_cheap_test(data: bytes, worth: bool) -> None:
    assert might_measure(data) is worth


def test_the_whole_run_reports_and_suppresses() -> None:
    from prefixlint.config import Config
    from prefixlint.run import run

    text = (
        b"rate = r['prompt_eval_count'] / r['prompt_eval_duration']\n"
        b"# prefixlint: ignore[PFX601]\n"
        b"rate = r['prompt_eval_count'] / r['prompt_eval_duration']\n"
    )
    result = run([], Config(root="."), stdin=("bench.py", text))
    assert [(finding.code, finding.span.start.line) for finding in result.findings] == [("PFX601", 1)]
    assert result.suppressed == 1
    assert result.templates == ()
