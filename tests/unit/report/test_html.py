"""The HTML report without a browser: its structure, its numbers, and that analysed text stays text."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest
from prefixlint.api import Confidence, Inversion, Lifetime, Origin, SourceKind
from prefixlint.model.layouts import Placed
from prefixlint.model.segments import Choice, Text, Value
from prefixlint.report.html import picture, prompt, report
from prefixlint.report.html.markup import block, element, inline
from prefixlint.run.result import RunResult

if TYPE_CHECKING:
    from prefixlint.model.layouts import Layout

VOID = {"meta", "input", "br", "wbr"}
HOSTILE = (
    "</script><script>alert(1)</script>\"'><img src=x onerror=alert(2)>&amp;<!--"
    "\u202e\x00\x1b]0;x\x07\ud800\u2028 </pre>"
)


@dataclass
class Node:
    tag: str
    attributes: dict[str, str]
    children: list[Node | str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(child if isinstance(child, str) else child.text for child in self.children)

    def all(self, tag: str = "", **wanted: str) -> list[Node]:
        found = []
        for child in self.children:
            if isinstance(child, str):
                continue
            names = child.attributes.get("class", "").split()
            fits = all(
                value in names if key == "cls" else child.attributes.get(key) == value for key, value in wanted.items()
            )
            if fits and tag in ("", child.tag):
                found.append(child)
            found += child.all(tag, **wanted)
        return found

    def one(self, tag: str = "", **wanted: str) -> Node:
        (found,) = self.all(tag, **wanted)
        return found


class Tree(HTMLParser):
    """A strict reader: every element is closed where it belongs."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Node("", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs), f"an attribute twice in {tag}"
        node = Node(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError("a comment")


def parse(result: RunResult) -> Node:
    tree = Tree()
    tree.feed(report(result))
    tree.close()
    assert tree.open == [tree.root]
    return tree.root


def test_overview(result: RunResult) -> None:
    page = parse(result)
    heads = [head.text for head in page.one("table", id="overview").all("th")]
    (row,) = page.one("table", id="overview").one("tbody").all("tr")
    assert dict(zip(heads, (cell.text for cell in row.all("td")), strict=True)) == {
        "Template": "PROMPT app/agent.py:3",
        "Target": "openai:gpt-4o",
        "Stable prefix": "10 of 1,813",
        "Stranded": "1,803",
        "Ended by": "now() request",
        "User / session": "10 / 0",
        "Reuse now": "0",
        "After the fix": "1,792",
    }
    assert [cell.attributes["data-v"] for cell in row.all("td")] == [
        "PROMPT", "openai:gpt-4o", "10", "1803", "now()", "0", "0", "1792",
    ]  # fmt: skip
    assert row.attributes["data-words"] == "prompt app/agent.py:3 openai:gpt-4o openai-chat now()"
    assert row.one("a").attributes["href"] == "#" + page.one("details").attributes["id"]
    sums = [item.text for item in page.one("ul", cls="sums").all("li")]
    assert sums == [
        "1 template", "0 templates affected", "1,803 stable tokens stranded", "1 value of unknown lifetime", "12 files",
        "1 file not analysed",
    ]  # fmt: skip


def test_only_what_would_be_a_finding_counts_as_affected(result: RunResult) -> None:
    layout = result.layouts[0]
    placed = layout.placed[1]
    origin = Origin(SourceKind.CLOCK)

    def affected(stranded: int, history: bool) -> bool:
        span = layout.template.span
        sure = Confidence.CERTAIN
        found = Inversion(
            placed,
            "now()",
            span,
            Lifetime.REQUEST,
            origin,
            sure,
            10,
            stranded,
            history,
            longest_text=stranded,
            expected_tokens=stranded,
        )
        return picture.affected(replace(layout, inversions=(found,)))

    assert [affected(63, False), affected(64, False), affected(0, True)] == [False, True, True]


def test_details(result: RunResult) -> None:
    details = parse(result).one("details")
    facts = dict(zip((each.text for each in details.all("dt")), (each.text for each in details.all("dd")), strict=True))
    assert facts == {
        "Target": "openai, gpt-4o, counted with o200k_base",
        "Stable prefix": "10 of 1,813 stable tokens, 1,803 stranded",
        "Breakpoint": "token 9 to 10: now() request at app/agent.py:4:15",
        "Shared within": "user 10 (1,790 after a fix)",
        "Unknown": "1 value of unknown lifetime",
    }
    assert [[cell.text for cell in row.all("td")] for row in details.one("tbody").all("tr")] == [
        ["openai", "0", "1,792", "128", "1,024", "below the minimum of 1,024 tokens"],
        ["vllm", "0", "1,808", "16", "16", ""],
    ]


def test_a_conversation_in_the_prefix_is_not_told_as_more_than_all(result: RunResult) -> None:
    page = parse(replace(result, layouts=(replace(result.layouts[0], stable_tokens=7, stranded_tokens=0),)))
    assert page.one("details").all("dd")[1].text == "10 tokens"
    assert page.one("table", id="overview").one("tbody").all("td")[2].text == "10"


def test_the_text_in_its_pieces(result: RunResult) -> None:
    details = parse(result).one("details")
    pieces = details.one("pre").all("span", cls="s")
    assert [(piece.text, piece.attributes["class"], piece.attributes["data-s"]) for piece in pieces] == [
        ("You are the assistant of ACME.\nCurrent time: ", "s k-text l-constant", "0"),
        ("2026-03-04 05:06:07", "s k-value l-request", "1"),
        (". User: ", "s k-text l-constant st", "2"),
        ("Ada", "s k-value l-unknown", "3"),
        ("\nAnswer in one sentence.\nNever invent a price.\n", "s k-text l-constant st", "4"),
    ]
    assert pieces[1].attributes["title"] == "value now() · request · 10 tokens (10 to 20) · app/agent.py:4:15"
    assert pieces[2].attributes["title"] == "text · constant · 3 tokens (20 to 23) · stranded · app/agent.py:4:22"
    assert details.one("h3").text == "system"
    children = details.one("pre").children
    at = next(
        place
        for place, child in enumerate(children)
        if isinstance(child, Node) and "break" in child.attributes["class"]
    )
    assert children[at + 1] is pieces[1]
    assert details.one("span", cls="break").text == "reuse ends: token 10"


def styles(bar: Node) -> list[tuple[str, str]]:
    return [(each.attributes.get("data-s", "mark"), each.attributes["style"]) for each in bar.all("span")]


def test_bars(result: RunResult) -> None:
    now, after = parse(result).one("details").all("div", cls="bar")
    assert now.attributes["aria-label"] == "Now: 10 of 1,824 tokens reused"
    assert styles(now) == [
        ("0", "left:0%;width:0.548%"),
        ("1", "left:0.548%;width:0.548%"),
        ("2", "left:1.096%;width:0.164%"),
        ("3", "left:1.261%;width:0.055%"),
        ("4", "left:1.316%;width:98.684%"),
        ("mark", "left:0.548%"),
    ]
    assert after.attributes["aria-label"] == "After the fix: about 1,813 of 1,824 tokens reused"
    assert [name for name, _ in styles(after)] == ["0", "2", "4", "1", "3", "mark"]
    assert styles(after)[-1] == ("mark", "left:99.397%")


def made(layout: Layout, *pieces: tuple[str, Lifetime, int], prefix: int) -> Layout:
    """A layout of ``text, lifetime, tokens``; "" is framing, text in braces a value."""
    placed, at = [], 0
    span = layout.template.span
    for text, lifetime, tokens in pieces:
        segment = Value(text, span, lifetime) if text.startswith("{") else Text(text, span, lifetime)
        placed.append(Placed(segment, "user", "messages", lifetime, at, at + tokens, text, 0))
        at += tokens
    return replace(layout, placed=tuple(placed), total_tokens=at, stable_prefix_tokens=prefix)


def test_after_the_fix_the_longest_lived_come_first_and_the_last_framing_stays(result: RunResult) -> None:
    layout = made(
        result.layouts[0],
        ("", Lifetime.CONSTANT, 3),
        ("{now}", Lifetime.REQUEST, 5),
        ("{x}", Lifetime.UNKNOWN, 2),
        ("rules", Lifetime.CONSTANT, 70),
        ("{name}", Lifetime.USER, 4),
        ("{log}", Lifetime.SESSION, 6),
        ("file", Lifetime.DEPLOYMENT, 20),
        ("", Lifetime.CONSTANT, 5),
        prefix=3,
    )
    bar = picture.after(layout)
    assert bar is not None
    assert [placed.text for _, placed in bar.pieces] == [
        "", "rules", "file", "{name}", "{log}", "{now}", "{x}", "",
    ]  # fmt: skip
    assert (bar.prefix, bar.total) == (93, 115)


def test_no_bar_for_a_fix_that_gains_nothing(result: RunResult) -> None:
    layout = made(
        result.layouts[0],
        ("rules", Lifetime.CONSTANT, 70),
        ("{q}", Lifetime.REQUEST, 4),
        ("", Lifetime.CONSTANT, 5),
        prefix=70,
    )
    assert picture.after(layout) is None
    page = parse(replace(result, layouts=(layout,)))
    assert len(page.all("div", cls="bar")) == 1


def test_decisions_show_what_decides(result: RunResult) -> None:
    layout = result.layouts[0]
    choice = Choice((), "user.is_admin", layout.template.span, Lifetime.USER)
    placed = Placed(choice, "system", "system", Lifetime.USER, 10, 10, "", 0)
    page = parse(replace(result, layouts=(replace(layout, placed=(layout.placed[0], placed)),)))
    piece = page.one("span", cls="k-choice")
    assert piece.text == "if user.is_admin"
    assert piece.attributes["title"] == "choice user.is_admin · user · 0 tokens · app/agent.py:3:1"


def test_long_prompts_are_cut(result: RunResult) -> None:
    layout = made(result.layouts[0], ("x" * (prompt.LONGEST + 1234), Lifetime.CONSTANT, 9), prefix=9)
    page = parse(replace(result, layouts=(replace(layout, breakpoint=None),)))
    assert page.one("pre").text == "x" * prompt.LONGEST
    assert page.one("p", cls="note").text == "1,234 more characters are not shown."


def hostile(result: RunResult) -> RunResult:
    """The result with hostile text wherever analysed text can stand."""
    layout = result.layouts[0]
    span = replace(layout.template.span, path=f"{HOSTILE}.py")
    template = replace(layout.template, name=HOSTILE, form=HOSTILE, span=span, bounds=(HOSTILE,))
    value = Value(HOSTILE, span, Lifetime.REQUEST)
    assert layout.breakpoint is not None
    placed = (
        Placed(Text(HOSTILE, span), HOSTILE, "system", Lifetime.CONSTANT, 0, 9, HOSTILE, 0),
        Placed(value, HOSTILE, "system", Lifetime.REQUEST, 9, 12, HOSTILE, 0),
        Placed(Choice((), HOSTILE, span), HOSTILE, "system", Lifetime.UNKNOWN, 12, 12, "", 0),
    )
    return replace(
        result,
        layouts=(
            replace(
                layout,
                template=template,
                target=replace(layout.target, name=HOSTILE, engine=HOSTILE, model=HOSTILE, tokenizer=HOSTILE),
                placed=placed,
                breakpoint=replace(layout.breakpoint, expression=HOSTILE, span=span),
                predictions=tuple(replace(each, engine=HOSTILE, note=HOSTILE) for each in layout.predictions),
            ),
        ),
    )


def tags(node: Node) -> set[str]:
    return {child.tag for child in node.all()}


def test_hostile_text_stays_text(result: RunResult) -> None:
    page = parse(hostile(result))
    assert tags(page) - {"i"} == tags(parse(result)) | {"wbr"}
    assert len(page.all("script")) == 1
    assert not [name for node in page.all() for name in node.attributes if name.startswith("on")]
    shown = HOSTILE.replace("\u202e", "\\u202e").replace("\x00", "\\x00").replace("\x1b", "\\x1b")
    shown = shown.replace("\x07", "\\x07").replace("\ud800", "\\ud800").replace("\u2028", "\\u2028")
    assert [piece.text for piece in page.all("span", cls="s")[:2]] == [shown, shown]
    assert page.one("table", id="overview").one("a").text == shown
    text = report(hostile(result))
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]", text)


def test_nothing_is_loaded_and_only_the_one_script_runs(result: RunResult) -> None:
    text = report(result)
    page = parse(result)
    policy = page.one("meta", **{"http-equiv": "Content-Security-Policy"}).attributes["content"]
    digest = base64.b64encode(hashlib.sha256(page.one("script").text.encode()).digest()).decode()
    assert policy == (f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'")
    assert not page.all("link")
    assert not page.all("img")
    assert "url(" not in text
    assert "http:" not in text
    assert "https:" not in text
    assert {node.attributes["href"][0] for node in page.all("a")} == {"#"}


def test_ids_are_unique_and_templates_in_order(result: RunResult) -> None:
    layouts = tuple(replace(result.layouts[0], stranded_tokens=count) for count in (5, 0, 900, 70))
    page = parse(replace(result, layouts=layouts))
    ids = [node.attributes["id"] for node in page.all() if "id" in node.attributes]
    assert len(set(ids)) == len(ids)
    rows = page.one("table", id="overview").one("tbody").all("tr")
    assert [row.all("td")[3].text for row in rows] == ["900", "70", "5", "0"]


def test_a_parser_as_strict_as_the_standard_has_nothing_to_say(result: RunResult) -> None:
    import html5lib

    for each in (result, RunResult()):
        html5lib.HTMLParser(strict=True).parse(report(each))


def test_nothing_found() -> None:
    page = parse(RunResult())
    assert "No prompt was found." in page.text
    assert not page.all("table")


@pytest.mark.parametrize("text", ["", "plain", "a\tb\nc", "é漢😀 نص", "x\r\ny"])
def test_readable_text_is_not_escaped(text: str) -> None:
    assert block(text) == text.replace("\r\n", "\n")


def test_markup() -> None:
    assert block("<a\x1b>") == "&lt;a<i>\\x1b</i>&gt;"
    assert inline('"\n<') == "&quot;\\n&lt;"
    assert (
        element("p", "<b>x</b>", _class='a"b', data_at=None, data_s="1")
        == '<p class="a&quot;b" data-s="1"><b>x</b></p>'
    )
