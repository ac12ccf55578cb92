from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from prefixlint.ratchet.changes import compare
from prefixlint.ratchet.lock import Locked, read, render
from prefixlint.ratchet.prefixes import Place, Prefix, State

TEXT = st.text(st.characters(codec=None))
HASH = st.text("0123456789abcdef", min_size=12, max_size=12)
PREFIX = st.builds(Prefix, TEXT.map("t".__add__), st.integers(0, 10**7), HASH, TEXT.map("o".__add__))
LOCKED = st.builds(
    Locked,
    TEXT.map("p".__add__),
    TEXT,
    st.lists(PREFIX, min_size=1, max_size=3).map(tuple),
    st.lists(TEXT.map("v".__add__), max_size=3).map(tuple),
)


@given(st.lists(LOCKED))
def test_any_lock_comes_back_sorted(items: list[Locked]) -> None:
    text = render(items)
    assert read(text, "f") == tuple(sorted(items, key=lambda each: (each.path, each.template)))
    assert render(read(text, "f")) == text
    assert render(reversed(read(render(dict.fromkeys(items)), "f"))).count("\n") == 3 + len(set(items))


def state(path: str, name: str, tokens: int, digest: str, line: int = 1, value: str = "q") -> State:
    return State(path, line, name, (Prefix("vllm", tokens, digest, "o200k_base"),), (value,), Place(value, path, line))


def locked(path: str, name: str, tokens: int, digest: str) -> Locked:
    return Locked(path, name, (Prefix("vllm", tokens, digest, "o200k_base"),), ("q",))


def messages(old: list[Locked], new: list[State], gone: str = "") -> list[tuple[str, bool]]:
    changes = compare(old, new, lambda path: True, lambda path: path == gone)
    return [(change.message, change.fails) for change in changes]


def test_the_words_of_a_loss() -> None:
    after = state("app/agent.py", "ask", 0, "b" * 12, 12, "now")
    assert messages([locked("app/agent.py", "ask", 6466, "a" * 12)], [after]) == [
        ("app/agent.py:12: ask: 6,466 -> 0 tokens for vllm: `now` added at line 12", True)
    ]


def test_of_several_with_one_name_the_one_that_did_not_change_is_known() -> None:
    old = [locked("a.py", "x", 10, "a" * 12), locked("a.py", "x", 20, "b" * 12)]
    new = [
        state("a.py", "x", 30, "c" * 12, 1),
        state("a.py", "x", 10, "a" * 12, 5),
        state("a.py", "x", 20, "b" * 12, 9),
    ]
    assert messages(old, new) == [("a.py:1: x: not in the lock: 30 tokens for vllm", False)]


def test_a_renamed_template_is_followed_only_if_its_old_name_is_gone() -> None:
    old = [locked("a.py", "x", 10, "a" * 12)]
    assert messages(old, [state("a.py", "y", 10, "a" * 12)]) == []
    both = [state("a.py", "x", 10, "a" * 12), state("a.py", "y", 10, "a" * 12)]
    assert messages(old, both) == [("a.py:1: y: not in the lock: 10 tokens for vllm", False)]


def test_a_file_that_moved_is_followed_also_when_its_prompt_changed() -> None:
    old = [locked("a.py", "x", 10, "a" * 12)]
    (change,) = messages(old, [state("b.py", "x", 4, "b" * 12, 3)], gone="a.py")
    assert change == ("b.py:3: x: 10 -> 4 tokens for vllm: the text in front of `q` (line 3) is shorter", True)
    copied, kept = messages(old, [state("b.py", "x", 10, "a" * 12)])
    assert (copied[1], kept) == (False, ("a.py: x: in the lock, but not there any more", False))


def test_a_longer_reuse_of_the_same_text_does_not_fail() -> None:
    assert messages([locked("a.py", "x", 10, "a" * 12)], [state("a.py", "x", 12, "a" * 12)]) == [
        ("a.py:1: x: 10 -> 12 tokens for vllm: grew", False)
    ]


def test_a_prefix_that_nothing_ends() -> None:
    whole = replace(state("a.py", "x", 30, "c" * 12), values=(), end=None)
    assert messages([locked("a.py", "x", 10, "a" * 12)], [whole]) == [
        ("a.py:1: x: 10 -> 30 tokens for vllm: no value ends it any more", True)
    ]
    before = replace(locked("a.py", "x", 10, "a" * 12), values=())
    assert messages([before], [whole]) == [("a.py:1: x: 10 -> 30 tokens for vllm: its text changed", True)]


def test_an_end_in_another_file() -> None:
    end = Place("now()", "lib/clock.py", 7)
    after = replace(state("a.py", "x", 3, "c" * 12), values=("now()",), end=end)
    (change,) = messages([locked("a.py", "x", 10, "a" * 12)], [after])
    assert change == ("a.py:1: x: 10 -> 3 tokens for vllm: `now()` added at lib/clock.py:7", True)


def test_one_token() -> None:
    assert messages([], [state("a.py", "x", 1, "a" * 12)]) == [("a.py:1: x: not in the lock: 1 token for vllm", False)]
