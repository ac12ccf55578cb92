"""What a text is by its wording: a prompt, a letter, a page, or Jinja of another trade."""

from __future__ import annotations

import re

from prefixlint.knowledge.wording import wording

_HEAD = 20_000
"""Characters at the start of a text that are looked at."""
_ASKS = 6
"""Marks of a prompt that a plain text with placeholders bears where neither its name nor its place says what it is."""
_JSON = re.compile(r"\bjson\b", re.IGNORECASE)


def prose(text: str) -> int:
    """How many different marks of a prompt the first 20,000 characters of ``text`` bear (0 to 19)."""
    head, known = text[:_HEAD], wording()
    return sum(1 for pattern in (*known.cues, known.addresses) if pattern.search(head))


def addresses_model(text: str) -> bool:
    """True when the text tells a model who it is or what its task is."""
    return wording().addresses.search(text[:_HEAD]) is not None


def asks_model(path: str, text: str) -> bool:
    """True for a plain text with ``{{ }}`` in it that sets a task and tells the model who it is or that JSON is wanted.

    Letters to people are such texts too, and bear other marks.
    """
    if not path.lower().endswith(".txt") or "{{" not in text or prose(text) < _ASKS or wording().mail.search(text):
        return False
    return addresses_model(text) or _JSON.search(text[:_HEAD]) is not None


def is_page(text: str) -> bool:
    """True for a page for people."""
    return wording().pages.search(text) is not None


def other_jinja(text: str) -> bool:
    """True for Jinja of other trades: HTML pages, Ansible, dbt, Helm, Salt, cookiecutter."""
    return is_page(text) or wording().other_jinja.search(text) is not None


def spells_chat(path: str, head: str) -> bool:
    """True for plain text (pages of documentation show such tokens too) with tokens of a chat template in it."""
    return path.lower().endswith((".txt", ".tmpl", ".tpl")) and wording().chat_marks.search(head[:_HEAD]) is not None
