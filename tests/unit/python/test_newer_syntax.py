"""Files in a syntax that is newer than the oldest Python: the same is found as in older words, at the same places.

On a Python that knows the syntax it is parsed as it is, and the tests hold all the same.
"""

from __future__ import annotations

import ast
import sys

import pytest
from prefixlint.frontends.python import analyse
from prefixlint.frontends.python.newer_syntax import parsed
from prefixlint.model.segments import Value, walk
from prefixlint.model.sources import SourceFile

RULES = "You are a careful guide of a museum. Never touch the exhibits. " * 8
HEAD = f'from datetime import datetime\nfrom openai import OpenAI\nclient = OpenAI()\nRULES = """é {RULES}"""\n'
SEND = (
    "    return client.chat.completions.create(model='gpt-4o', messages=[\n"
    "        {'role': 'system', 'content': %s}, *messages])\n"
)
NEWER = {
    "type parameters": "def ask[T: (int, str), *é, **P](names: T, messages):\n" + SEND % "f'{datetime.now()} {RULES}'",
    "a generic class": "class A[T]:\n  def ask(self, names: T, messages):\n  " + (SEND % "f'{datetime.now()} {RULES}'"),
    "an alias": "type Names[é] = dict[str, é]; type Other = int\ndef ask(names, messages):\n    type Inner = int\n"
    + SEND % "f'{datetime.now()} {RULES}'",
    "quotes within": "def ask(names, messages):\n" + SEND % """f"{names["now"]} {datetime.now()} {RULES}\"""",
    "backslashes within": "def ask(names, messages):\n"
    + SEND % """f"{'\\n'.join(f'{n}\\t' for n in names)} {datetime.now()} {RULES}\"""",
    "except without brackets": "def ask(names, messages):\n    try: pass\n    except ValueError, TypeError: pass\n"
    + SEND % "f'{datetime.now()} {RULES}'",
}


@pytest.mark.parametrize("name", NEWER)
def test_the_clock_is_found_at_its_place(name: str) -> None:
    file = SourceFile("a.py", HEAD + NEWER[name])
    found = analyse([file], lambda path: None)["a.py"]
    assert (found.problems, found.faults) == ((), ())
    (template,) = found.templates
    values = [each for block in template.blocks for each in walk(block.segments) if isinstance(each, Value)]
    clock = next(each for each in values if each.expression == "datetime.now()")
    start, end = file.offset(clock.span.start), file.offset(clock.span.end)
    assert file.text[start:end] in ("{datetime.now()}", "datetime.now()")
    assert file.text[file.offset(template.span.start) :].startswith("client.chat")


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("def f[é](x): return x\n", "def f    (x): return x\n"),
        ("class A[T: int](B): y = 1\n", "class A        (B): y = 1\n"),
        ("if x: type X = int\n", "if x: 0;   X = int\n"),
        ('x = f"{a["b"]} {c}"\n', "x = f\"{a['b']} {c}\"\n"),
        ("x = f'{f'{y}'}'\n", "x = f'{f\"{y}\"}'\n"),
        ("x = t'{y}'\n", "x = f'{y}'\n"),
        ("x = f\"{'\\n'.join(f'{y}\\t')}\\n\"\n", "x = f\"{'_n'.join(f'{y}_t')}\\n\"\n"),
        ('x = f\'{y["a\\"b\\\\"]}\'\n', "x = f'{y[\"a__b__\"]}'\n"),
        ("match f'{\"\\n\"}':\n    case {'a': b}: pass\n", "match f'{\"_n\"}':\n    case {'a': b}: pass\n"),
        ("x = Rt'{y}'\n", "x = Rf'{y}'\n"),
        ("try: pass\nexcept A, B.c: pass\n", "try: pass\nexcept A     : pass\n"),
    ],
)
@pytest.mark.skipif(sys.version_info >= (3, 12), reason="this Python knows most of it")
def test_what_is_written_instead(newer: str, older: str) -> None:
    with pytest.raises(SyntaxError):
        ast.parse(newer)
    tree = parsed(SourceFile("a.py", newer))
    assert tree is not None
    assert ast.dump(tree, include_attributes=True) == ast.dump(ast.parse(older), include_attributes=True)


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="this Python knows most of it")
@pytest.mark.parametrize("text", ["def f[T](x:\n", "x = f'{a['b\"c']}'\n", "type = (\n", "def f[\n T\n](x): pass\n"])
def test_what_cannot_be_said_is_left(text: str) -> None:
    assert parsed(SourceFile("a.py", text)) is None
