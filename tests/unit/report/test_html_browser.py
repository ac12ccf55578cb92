"""The HTML report in a browser, where one is installed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from chromium import BROWSER, Chromium
from prefixlint.report.html import report
from test_html import HOSTILE, hostile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from prefixlint.model.layouts import Layout
    from prefixlint.run.result import RunResult

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed")

VISIBLE = "[...document.querySelectorAll('#overview tbody tr')].filter(r => !r.hidden)"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Chromium]:
    with Chromium() as browser:
        yield browser


@pytest.fixture
def browser(chromium: Chromium) -> Chromium:
    chromium.messages.clear()
    chromium.requests.clear()
    chromium.size(1280, 900)
    return chromium


@pytest.fixture
def several(result: RunResult) -> RunResult:
    layout = result.layouts[0]

    def named(name: str, stranded: int, prefix: int) -> Layout:
        template = replace(layout.template, name=name)
        return replace(layout, template=template, stranded_tokens=stranded, stable_prefix_tokens=prefix)

    free = replace(named("gamma", 0, 300), breakpoint=None)
    return replace(result, layouts=(named("beta", 50, 20), named("alpha", 900, 3), free))


def write(tmp_path: Path, result: RunResult) -> Path:
    page = tmp_path / "report.html"
    page.write_text(report(result), encoding="utf-8")
    return page


def names(browser: Chromium) -> list[str]:
    found = browser.evaluate(f"{VISIBLE}.map(r => r.querySelector('a').textContent)")
    assert isinstance(found, list)
    return found


def click(browser: Chromium, head: str) -> None:
    browser.evaluate(
        f"[...document.querySelectorAll('#overview th button')].find(b => b.textContent === '{head}').click()"
    )


def quiet(browser: Chromium, page: Path) -> None:
    assert browser.messages == []
    assert browser.requests == [page.as_uri()]


def test_sorts(browser: Chromium, several: RunResult, tmp_path: Path) -> None:
    page = write(tmp_path, several)
    browser.open(page)
    assert names(browser) == ["alpha", "beta", "gamma"]
    click(browser, "Stable prefix")
    assert names(browser) == ["gamma", "beta", "alpha"]
    click(browser, "Stable prefix")
    assert names(browser) == ["alpha", "beta", "gamma"]
    click(browser, "Template")
    click(browser, "Template")
    assert names(browser) == ["gamma", "beta", "alpha"]
    assert browser.evaluate("document.querySelector('th[aria-sort]').textContent") == "Template"
    order = "[...document.querySelectorAll('details summary b')].map(b => b.textContent)"
    assert browser.evaluate(order) == ["gamma", "beta", "alpha"]
    quiet(browser, page)


def test_filters(browser: Chromium, several: RunResult, tmp_path: Path) -> None:
    page = write(tmp_path, several)
    browser.open(page)

    def enter(words: str, life: str = "") -> tuple[list[str], str]:
        browser.evaluate(
            f"document.getElementById('words').value = '{words}'; document.getElementById('life').value = '{life}';"
            "document.getElementById('filter').dispatchEvent(new Event('input'))"
        )
        return names(browser), browser.evaluate("document.getElementById('count').textContent")

    assert enter("ALPHA agent.py") == (["alpha"], "1 of 3 shown")
    assert browser.evaluate("[...document.querySelectorAll('details')].filter(d => !d.hidden).length") == 1
    assert enter("alpha nothing") == ([], "0 of 3 shown")
    assert enter("", "request") == (["alpha", "beta"], "2 of 3 shown")
    assert enter("") == (["alpha", "beta", "gamma"], "3 of 3 shown")
    quiet(browser, page)


def test_a_link_opens_its_template(browser: Chromium, several: RunResult, tmp_path: Path) -> None:
    page = write(tmp_path, several)
    browser.open(page, "#t1")
    opened = "[...document.querySelectorAll('details[open]')].map(d => d.id)"
    assert browser.evaluate(opened) == ["t1"]
    browser.evaluate("document.querySelector('#overview a[href=\"#t0\"]').click(); new Promise(r => setTimeout(r, 50))")
    assert browser.evaluate(opened) == ["t0", "t1"]
    assert browser.evaluate("document.activeElement.parentElement.id") == "t0"
    browser.evaluate("document.getElementById('close').click()")
    assert browser.evaluate(opened) == []


def test_pieces_by_keyboard_and_pointer(browser: Chromium, result: RunResult, tmp_path: Path) -> None:
    page = write(tmp_path, result)
    browser.open(page, "#t0")
    tip = "document.querySelector('.tip').textContent"
    browser.key("Tab")
    assert browser.evaluate("document.activeElement.className") == "prompt"
    for key, told in (
        ("ArrowRight", "text · constant · 10 tokens (0 to 10)"),
        ("ArrowRight", "value now() · request · 10 tokens (10 to 20)"),
        ("End", "text · constant · 1,800 tokens (24 to 1,824) · stranded"),
        ("ArrowRight", "text · constant · 1,800 tokens (24 to 1,824) · stranded"),
        ("ArrowLeft", "value user · unknown · 1 token (23 to 24)"),
        ("Home", "text · constant · 10 tokens (0 to 10)"),
    ):
        browser.key(key)
        assert browser.evaluate(tip).startswith(told), key
    browser.evaluate(
        "document.querySelector('.bar .p[data-s=\"1\"]')"
        ".dispatchEvent(new PointerEvent('pointerover', {bubbles: true}))"
    )
    assert browser.evaluate(tip).startswith("value now()")
    assert browser.evaluate("[...document.querySelectorAll('.on')].map(e => e.dataset.s)") == ["1", "1", "1"]
    quiet(browser, page)


def test_hostile_text_stays_text(browser: Chromium, result: RunResult, tmp_path: Path) -> None:
    page = write(tmp_path, hostile(result))
    browser.open(page, "#t0")
    assert browser.evaluate("document.querySelectorAll('img, script').length") == 1
    assert browser.evaluate("document.querySelector('.s').textContent").startswith(HOSTILE[:20])
    quiet(browser, page)


@pytest.mark.parametrize(("width", "phone"), [(1280, False), (390, True), (320, True)])
def test_nothing_is_wider_than_the_screen(
    browser: Chromium, several: RunResult, result: RunResult, tmp_path: Path, width: int, phone: bool
) -> None:
    layouts = (*several.layouts, *hostile(result).layouts)
    browser.size(width, 800, phone=phone)
    browser.open(write(tmp_path, replace(several, layouts=layouts)))
    browser.evaluate("document.getElementById('open').click()")
    assert browser.evaluate("document.documentElement.scrollWidth") <= width


def test_dark_and_light(browser: Chromium, result: RunResult, tmp_path: Path) -> None:
    page = write(tmp_path, result)
    colour = "getComputedStyle(document.body).backgroundColor"
    browser.media(scheme="dark")
    browser.open(page)
    dark = browser.evaluate(colour)
    browser.media(scheme="light")
    light = browser.evaluate(colour)
    assert (dark, light) == ("rgb(20, 23, 26)", "rgb(255, 255, 255)")
    browser.evaluate("document.getElementById('theme').click()")
    assert browser.evaluate(colour) == dark
    browser.evaluate("document.getElementById('theme').click()")
    assert browser.evaluate(colour) == light


def test_prints_what_is_open(browser: Chromium, several: RunResult, tmp_path: Path) -> None:
    browser.open(write(tmp_path, several), "#t1")
    browser.media("print", "dark")
    shown = (
        "[...document.querySelectorAll('details')].filter(d => getComputedStyle(d).display !== 'none').map(d => d.id)"
    )
    assert browser.evaluate(shown) == ["t1"]
    assert browser.evaluate("getComputedStyle(document.getElementById('filter')).display") == "none"
    # Paper is white, whatever the screen is.
    assert browser.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert browser.evaluate("getComputedStyle(document.querySelector('#t1 td')).color") == "rgb(0, 0, 0)"
    browser.media("")


def test_two_thousand_templates(browser: Chromium, result: RunResult, tmp_path: Path) -> None:
    layout = result.layouts[0]
    layouts = tuple(
        replace(layout, template=replace(layout.template, name=f"prompt{number}"), stranded_tokens=number)
        for number in range(2000)
    )
    page = write(tmp_path, replace(result, layouts=layouts))
    browser.open(page)
    assert names(browser)[:2] == ["prompt1999", "prompt1998"]
    click(browser, "Template")
    assert names(browser)[:3] == ["prompt0", "prompt1", "prompt2"]
    browser.evaluate(
        "document.getElementById('words').value = 'prompt77';"
        "document.getElementById('filter').dispatchEvent(new Event('input'))"
    )
    assert names(browser) == ["prompt77", *(f"prompt{number}" for number in range(770, 780))]
    browser.evaluate("document.querySelector('#overview tbody tr:not([hidden]) a').click()")
    assert (
        browser.evaluate("new Promise(r => setTimeout(() => r(document.querySelectorAll('details[open]').length), 50))")
        == 1
    )
    quiet(browser, page)
