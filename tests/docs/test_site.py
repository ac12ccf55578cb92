"""The built site: no warnings, no link that leads nowhere, nothing fetched from elsewhere. Needs the extra ``docs``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from prefixlint.engines import target_rows
from prefixlint.report.schemas import schema
from prefixlint_rules import RULES

pytest.importorskip("material")
ROOT = Path(__file__).parents[2]


class Links(HTMLParser):
    """Where a page leads to, what it loads, and the places in it that can be led to."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.places: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if found := given.get("id"):
            self.places.add(found)
        if tag == "a" and (found := given.get("href")):
            self.links.append(found)
        elif (tag, given.get("rel")) not in (("link", "next"), ("link", "prev"), ("link", "canonical")):
            loaded = given.get("src") or (given.get("href") if tag == "link" else None)
            if loaded:
                self.loads.append(loaded)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Links]:
    out = {}
    for path in site.rglob("*.html"):
        out[path] = Links()
        out[path].feed(path.read_text(encoding="utf-8"))
    return out


def test_links_lead_somewhere(site: Path, pages: dict[Path, Links]) -> None:
    for path, page in pages.items():
        for link in page.links if path.name != "404.html" else ():
            parts = urlsplit(link)
            if parts.scheme:
                assert parts.scheme in ("https", "mailto"), (path.name, link)
                continue
            there = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            there = there / "index.html" if there.is_dir() else there
            assert there.is_file(), (path.name, link)
            if parts.fragment and there.suffix == ".html" and parts.fragment != "__skip":
                assert unquote(parts.fragment) in pages[there].places, (path.name, link)


def test_nothing_comes_from_elsewhere(pages: dict[Path, Links]) -> None:
    for path, page in pages.items():
        for address in page.loads:
            assert not urlsplit(address).scheme, (path.name, address)
            assert not urlsplit(address).netloc, (path.name, address)


def test_every_rule_and_target_is_there(site: Path, pages: dict[Path, Links]) -> None:
    index = pages[site / "rules/index.html"].links
    for rule in RULES:
        assert f"{rule.name}.html" in index
        text = (site / f"rules/{rule.name}.html").read_text(encoding="utf-8")
        assert f"{rule.name} ({rule.code})" in text
    targets = (site / "targets.html").read_text(encoding="utf-8")
    for row in target_rows():
        assert f"<code>{row.name}</code>" in targets
        assert row.source_date in targets


def test_the_schemas_are_published(site: Path) -> None:
    for name in ("check", "report"):
        published = json.loads((site / f"schemas/{name}-1.json").read_text(encoding="utf-8"))
        assert published == schema("check" if name == "check" else "report")


def test_pictures_take_the_colours_of_the_page(site: Path) -> None:
    page = (site / "prefix-caches.html").read_text(encoding="utf-8")
    assert page.count('<svg xmlns="http://www.w3.org/2000/svg" class="pl-picture"') == 4
    assert "prefers-color-scheme:dark" not in page
    assert "<!-- " not in page.partition("<article")[2].partition("</article>")[0]


def test_every_page_is_in_the_navigation(site: Path, pages: dict[Path, Links]) -> None:
    listed = {urlsplit(link).path for link in pages[site / "index.html"].links}
    for path in (ROOT / "docs").rglob("*.md"):
        assert path.relative_to(ROOT / "docs").with_suffix(".html").as_posix() in {*listed, "index.html"}, path.name
