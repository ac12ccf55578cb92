"""Messages of one role that a converter joins: which branches only do that."""

from __future__ import annotations

import ast

import pytest
from prefixlint.frontends.python.joining import joins_neighbours


def branch(test: str, body: str, orelse: str = "out.append(m)") -> ast.If:
    (node,) = ast.parse(f"if {test}:\n    {body}\n" + (f"else:\n    {orelse}\n" if orelse else "")).body
    assert isinstance(node, ast.If)
    return node


@pytest.mark.parametrize(
    ("test", "body", "orelse"),
    [
        ("out and out[-1]['role'] == m['role']", "out[-1]['content'] += m['content']", "out.append(m)"),
        ("out and out[-1].role == m.role", "out[-1].content = out[-1].content + m.content", "out.append(m)"),
        ("out[-1].get('role') == role", "out[-1]['content'] = f\"{out[-1]['content']}\\n{text}\"", "out.append(m)"),
        ("contents and isinstance(contents[-1], kind)", "contents[-1].parts.extend(parts)", "contents.append(kind())"),
        ("out[-1]['role'] == 'user'", "out[-1]['content'].append(part); continue", ""),
    ],
)
def test_a_message_that_goes_on_with_the_last_one(test: str, body: str, orelse: str) -> None:
    assert joins_neighbours(branch(test, body, orelse))


@pytest.mark.parametrize(
    ("test", "body", "orelse"),
    [
        # in front of what the message says
        ("out[-1]['role'] == m['role']", "out[-1]['content'] = m['content'] + out[-1]['content']", "out.append(m)"),
        ("out[-1]['role'] == m['role']", "out[-1]['content'].insert(0, m['content'])", "out.append(m)"),
        # nothing is added where the roles differ
        ("out[-1]['role'] == 'user'", "out[-1]['content'] += note", ""),
        ("out[-1]['role'] == 'user'", "out[-1]['content'] += note", "log(m)"),
        # no role is asked for
        ("out and short", "out[-1]['content'] += m['content']", "out.append(m)"),
        # another list
        ("out[-1]['role'] == m['role']", "old[-1]['content'] += m['content']", "out.append(m)"),
        # more than that
        ("out[-1]['role'] == m['role']", "out[-1]['content'] += x; out[0]['content'] += x", "out.append(m)"),
    ],
)
def test_what_does_something_else(test: str, body: str, orelse: str) -> None:
    assert not joins_neighbours(branch(test, body, orelse))
