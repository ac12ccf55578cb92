"""Some of the random prompts of ``fix_programs.py``: fixing them breaks no file and changes nothing that is said."""

from __future__ import annotations

import fix_programs


def test_no_file_is_broken_and_no_sentence_is_lost() -> None:
    *_, figures = fix_programs.fuzz(200, 5, python=0.01, per_file=4)
    assert not figures.faults
    assert figures.fixed > 100
