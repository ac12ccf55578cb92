"""Conversations in Jinja: what a slice, a filter or a condition keeps of them, and loops that write their messages."""

from __future__ import annotations

import pytest
from jinja2 import Environment
from prefixlint.config.model import Config
from prefixlint.frontends.promptfiles import bind, extract, jinja_segments
from prefixlint.frontends.promptfiles.mapping import verbatim
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Repeat, Segment, Value, walk
from prefixlint.model.sources import SourceFile
from prefixlint.run import run

KEPT = [
    # what is written, entries that are kept, source of their number, whether entries move to the front as it grows
    ("{{ messages[-10:] }}", 10, "10", True),
    ("{{ messages[-10:-1] | tojson }}", 10, "10", True),
    ("{{ (messages | list)[-4:] | join(' ') }}", 4, "4", True),
    ("{% for m in messages[-6:] %}{{ m }} {% endfor %}", 6, "6", True),
    ("{% set recent = messages[-6:] %}{% for m in recent %}{{ m }} {% endfor %}", 6, "6", True),
    ("{% for m in messages[-keep:] %}{{ m }} {% endfor %}", None, "keep", True),
    ("{% for m in messages %}{% if loop.revindex <= 3 %}{{ m }} {% endif %}{% endfor %}", 3, "3", True),
    (
        "{% for m in messages %}{% if loop.index > messages | length - 3 %}{{ m }} {% endif %}{% endfor %}",
        None,
        "",
        True,
    ),
    ("{{ messages }}", None, "", False),
    ("{{ messages[2:] }}", None, "", False),
    ("{{ messages[:5] }}", None, "", False),
    ("{{ messages[2:5] }}", None, "", False),
    ("{% for m in messages %}{{ m }} {% endfor %}", None, "", False),
    ("{{ messages | join(' ') | truncate(30, True, '') }}", None, "", False),
]


def first(source: str) -> Value | Repeat:
    segments = jinja_segments(verbatim(SourceFile("p.j2", source)))
    return next(part for part in walk(segments) if isinstance(part, Value | Repeat))


def slides(source: str) -> bool:
    """Whether jinja2, given one more message, writes another text in front of the common one."""
    template = Environment(autoescape=False).from_string(source)
    talk = [f"message {number}" for number in range(40)]
    short, long = (template.render(messages=talk[:count], keep=7).rstrip(" ]\"'.") for count in (30, 31))
    return not long.startswith(short)


@pytest.mark.parametrize(("source", "size", "bound", "moves"), KEPT)
def test_what_is_kept_of_a_conversation(source: str, size: int | None, bound: str, moves: bool) -> None:
    assert slides(source) is moves
    segment = first(source)
    drift = segment.drift
    assert (drift is not None) is moves
    if drift is not None:
        assert (drift.kind, drift.size, drift.bound) == ("window", size, bound)
        assert segment.lifetime is Lifetime.TURN
        assert not segment.grows


@pytest.mark.parametrize("source", ["{{ messages[:5] }}", "{{ messages[2:5] }}", "{{ messages | first }}"])
def test_the_start_of_a_conversation_stays(source: str) -> None:
    assert (first(source).lifetime, first(source).grows) == (Lifetime.SESSION, False)


@pytest.mark.parametrize("source", ["{{ messages }}", "{{ messages[2:] }}", "{{ messages[:-1] }}"])
def test_a_conversation_grows_behind_its_start(source: str) -> None:
    assert (first(source).lifetime, first(source).grows) == (Lifetime.TURN, True)


@pytest.mark.parametrize("source", ["{{ messages[-1] }}", "{{ messages | last }}", "{{ messages[-1:] }}"])
def test_the_last_message_is_that_of_this_turn(source: str) -> None:
    segment = first(source)
    assert (segment.lifetime, segment.origin.kind, segment.drift) == (Lifetime.TURN, SourceKind.USER_INPUT, None)


def test_filters_that_keep_the_last_turns() -> None:
    for source in ("{{ history | last_turns(2) }}", "{{ history | colang | user_assistant_last }}"):
        drift = first(source).drift
        assert drift is not None
        assert drift.kind == "window"
    assert first("{{ history | last_turns(1) }}").drift is None


def test_the_end_of_a_list_that_is_no_conversation_is_no_window() -> None:
    assert first("{{ documents[-10:] }}").drift is None


TALK = Value(
    "t",
    SourceFile("a.py", "t").span(0, 1),
    Lifetime.TURN,
    Origin(SourceKind.HISTORY),
    Confidence.HIGH,
    grows=True,
)


@pytest.mark.parametrize(
    ("source", "size"), [("{{ xs[-8:] }}", 8), ("{% for x in xs[-8:] %}{{ x }}{% endfor %}", 8), ("{{ xs[2:] }}", 0)]
)
def test_a_caller_that_passes_a_conversation_makes_it_a_window(source: str, size: int) -> None:
    held: tuple[Segment, ...] = jinja_segments(verbatim(SourceFile("p.j2", source)))
    assert all(getattr(part, "drift", None) is None for part in walk(held))
    bound = bind(held, {"xs": (TALK,)})[0]
    assert isinstance(bound, Value | Repeat)
    assert (bound.drift.size if bound.drift is not None else 0) == size
    assert not (bound.drift is not None and bound.grows)


RULES = "You are a clerk. Answer the question of the user and follow the rules below, always and only these. " * 6


def blocks(source: str) -> list[tuple[str, list[str]]]:
    (template,) = extract(SourceFile("prompts/chat.jinja2", source)).templates
    return [
        (block.role, [part.expression for part in walk(block.segments) if isinstance(part, Value | Repeat)])
        for block in template.blocks
    ]


@pytest.mark.parametrize(
    "loop",
    [
        "# user:\n{{ m.question }}\n# assistant:\n{{ m.answer }}\n",
        "# {{ m.role }}:\n{{ m.content }}\n",
        "{{ m['role'] }}:\n{{ m['content'] }}\n",
        "{% if m.role == 'user' %}\nuser:\n{{ m.content }}\n{% else %}\nassistant:\n{{ m.content }}\n{% endif %}\n",
    ],
)
def test_a_loop_that_writes_messages_is_a_conversation(loop: str) -> None:
    source = (
        f"# system:\n{RULES}\n\n{{% for m in chat_history %}}\n{loop}{{% endfor %}}\n\n# user:\n{{{{ question }}}}\n"
    )
    assert blocks(source) == [("system", []), ("history", ["chat_history"]), ("user", ["question"])]


def test_a_loop_over_other_things_is_none() -> None:
    loop = "{% for d in documents %}\n# user:\n{{ d }}\n{% endfor %}\n"
    source = f"# system:\n{RULES}\n{loop}# user:\n{{{{ question }}}}\n"
    assert blocks(source)[1] == ("user", ["documents", "d"])


def findings(tmp_path, monkeypatch, source: str) -> list[tuple[str, str, int]]:
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "chat.jinja2").write_text(source)
    monkeypatch.chdir(tmp_path)
    found = run(["."], Config(root=str(tmp_path))).findings
    return [(each.code, each.severity.value, each.span.start.line) for each in found]


def test_the_last_messages_as_messages_are_a_warning(tmp_path, monkeypatch) -> None:
    loop = "{% for m in messages[-10:] %}\n# {{ m.role }}:\n{{ m.content }}\n{% endfor %}\n"
    source = f"# system:\n{RULES}\n{loop}"
    assert findings(tmp_path, monkeypatch, source) == [("PFX301", "warning", 3)]


def test_the_last_messages_in_a_text_are_an_info(tmp_path, monkeypatch) -> None:
    source = f"{RULES}\n{{% for m in messages[-10:] %}}{{{{ m.role }}}}: {{{{ m.content }}}}\n{{% endfor %}}"
    assert findings(tmp_path, monkeypatch, source) == [("PFX301", "info", 2)]


def test_the_last_messages_in_front_of_the_rules_strand_them(tmp_path, monkeypatch) -> None:
    source = f"You are a clerk.\n{{{{ messages[-10:] }}}}\n{RULES}"
    assert findings(tmp_path, monkeypatch, source) == [("PFX108", "error", 2), ("PFX301", "info", 2)]
