from __future__ import annotations

import io
import threading

import pytest
from prefixlint.cli import progress
from prefixlint.cli.progress import ProgressLine


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def test_long_run_shows_a_line_and_wipes_it(clock: list[float]) -> None:
    stream = Terminal()
    with ProgressLine(stream) as line:
        line("reading files", 1, 2000)
        clock[0] += 1.5
        line("reading files", 1200, 2000)
        line("reading files", 1201, 2000)  # too soon after the last
        clock[0] += 0.2
        line("measuring templates", 0, 3)
    done, left = "#" * 14, "-" * 10
    assert stream.getvalue() == (
        f"\r\x1b[Kreading files {done}{left} 1,200 of 2,000\r\x1b[Kmeasuring templates {'-' * 24} 0 of 3\r\x1b[K"
    )


def test_bar_is_drawn_where_the_terminal_can(clock: list[float]) -> None:
    class Drawing(Terminal):
        encoding = "UTF-8"

    stream = Drawing()
    with ProgressLine(stream) as line:
        clock[0] += 5
        line("reading files", 3, 4)
    assert f"reading files {'█' * 18}{'░' * 6} 3 of 4" in stream.getvalue()


def test_stage_that_reports_only_at_its_beginning_is_shown_while_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_PATIENCE", 0.01)
    stream, written = Terminal(), threading.Event()
    flush = stream.flush
    monkeypatch.setattr(stream, "flush", lambda: (flush(), written.set()))
    with ProgressLine(stream) as line:
        line("following prompts", 0, 9)
        assert written.wait(10)
    assert stream.getvalue() == f"\r\x1b[Kfollowing prompts {'-' * 24} 0 of 9\r\x1b[K"


def test_short_run_shows_nothing(clock: list[float]) -> None:
    stream = Terminal()
    with ProgressLine(stream) as line:
        line("reading files", 1, 2)
    assert stream.getvalue() == ""


def test_nothing_where_there_is_no_terminal(clock: list[float]) -> None:
    stream = io.StringIO()
    with ProgressLine(stream) as line:
        clock[0] += 5
        line("reading files", 1, 2)
    assert stream.getvalue() == ""


def test_line_is_wiped_when_the_run_is_interrupted(clock: list[float]) -> None:
    stream = Terminal()

    def interrupted() -> None:
        with ProgressLine(stream) as line:
            clock[0] += 5
            line("reading files", 1, 2)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert stream.getvalue().endswith("\r\x1b[K")
