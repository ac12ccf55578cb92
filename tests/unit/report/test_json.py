from __future__ import annotations

import json
from dataclasses import replace

from prefixlint import __version__
from prefixlint.report import jsonout
from prefixlint.run.result import RunResult


def test_check(result: RunResult) -> None:
    assert json.loads(jsonout.check(result, result.findings[:2])) == {
        "version": 1,
        "tool": {"name": "prefixlint", "version": __version__},
        "summary": {"files": 12, "templates": 1, "errors": 1, "warnings": 1, "infos": 1, "unanalysed_files": 1},
        "diagnostics": [
            {
                "code": "PFX101",
                "name": "volatile-timestamp",
                "severity": "error",
                "confidence": "certain",
                "message": "`now()` changes with every request; move it behind them",
                "path": "app/agent.py",
                "start": {"line": 4, "column": 15},
                "end": {"line": 4, "column": 22},
                "template": "app/agent.py:3:PROMPT",
                "lifetime": "request",
                "expression": "now()",
                "related": [
                    {"path": "app/clock.py", "line": 5, "column": 9, "note": "created here"},
                    {"path": "app/agent.py", "line": 8, "column": 1, "note": "sent here"},
                ],
                "stable_tokens_before": 10,
                "stranded_tokens": 1803,
                "history_stranded": False,
                "fix": None,
                "url": "https://example.org/volatile-timestamp/",
            },
            {
                "code": "PFX901",
                "name": "file-not-analysed",
                "severity": "warning",
                "confidence": "certain",
                "message": "cannot be parsed: print statement",
                "path": "app/old.py",
                "start": {"line": 3, "column": 7},
                "end": {"line": 3, "column": 8},
                "template": None,
                "lifetime": None,
                "expression": None,
                "related": [],
                "stable_tokens_before": 0,
                "stranded_tokens": 0,
                "history_stranded": False,
                "fix": None,
                "url": None,
            },
        ],
    }


def test_report(result: RunResult) -> None:
    document = json.loads(jsonout.report(result))
    (template,) = document["templates"]
    segments = template.pop("segments")
    assert document == {"version": 1, "templates": [template]}
    assert template == {
        "id": "app/agent.py:3:PROMPT",
        "path": "app/agent.py",
        "start": {"line": 3, "column": 1},
        "end": {"line": 3, "column": 17},
        "form": "openai-chat",
        "name": "PROMPT",
        "target": {
            "engine": "openai",
            "model": "gpt-4o",
            "tokenizer": "o200k_base",
            "chat_template": None,
            "exact": True,
        },
        "breakpoint": {
            "token": 10,
            "token_guaranteed": 9,
            "path": "app/agent.py",
            "line": 4,
            "column": 15,
            "expression": "now()",
            "lifetime": "request",
        },
        "stable_prefix_tokens": 10,
        "stable_tokens": 1813,
        "stranded_tokens": 1803,
        "history_stranded": False,
        "shared_prefix": [{"lifetime": "user", "tokens": 10, "tokens_after_fix": 1790}],
        "predictions": [
            {
                "engine": "openai",
                "cached_tokens": 0,
                "cached_tokens_after_fix": 1792,
                "granularity": 128,
                "minimum": 1024,
                "note": "below the minimum of 1,024 tokens",
                "keep_seconds": 300,
                "within": [{"lifetime": "user", "tokens": 0, "tokens_after_fix": 1664}],
                "invalidated_by": ["another model"],
            },
            {
                "engine": "vllm",
                "cached_tokens": 0,
                "cached_tokens_after_fix": 1808,
                "granularity": 16,
                "minimum": 16,
                "note": "",
                "keep_seconds": None,
                "within": [],
                "invalidated_by": [],
            },
        ],
    }
    assert [(part["kind"], part["expression"], part["tokens"], part["lifetime"]) for part in segments] == [
        ("text", None, 10, "constant"),
        ("value", "now()", 10, "request"),
        ("text", None, 3, "constant"),
        ("value", "user", 1, "unknown"),
        ("text", None, 1800, "constant"),
    ]
    assert segments[1] == {
        "kind": "value",
        "role": "system",
        "lifetime": "request",
        "text": "2026-03-04 05:06:07",
        "expression": "now()",
        "tokens": 10,
        "path": "app/agent.py",
        "start": {"line": 4, "column": 15},
        "end": {"line": 4, "column": 22},
    }


def test_nothing_found() -> None:
    assert json.loads(jsonout.report(RunResult())) == {"version": 1, "templates": []}
    assert json.loads(jsonout.check(RunResult(), ()))["diagnostics"] == []


def test_nothing_frames_a_text_without_roles(result: RunResult) -> None:
    layout = result.layouts[0]
    framed = replace(layout, target=replace(layout.target, chat_format="chatml"))
    (block,) = layout.template.blocks
    plain = replace(framed, template=replace(layout.template, blocks=(replace(block, role=""),)))
    templates = json.loads(jsonout.report(replace(result, layouts=(framed, plain))))["templates"]
    assert [template["target"]["chat_template"] for template in templates] == ["chatml", None]
