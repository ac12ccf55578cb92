"""What the names of functions, methods and decorators say of what they do (data: ``call_names.toml``)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from prefixlint import package_data
from prefixlint.knowledge.names import split_words

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class CallNames:
    """Last names of what is called; the data file says of each kind what they do.

    ``sending_parts``, ``summing_up``, ``shortening`` and ``counting`` find parts of names; ``verbs``, ``relations``,
    ``managing``, ``retrieving``, ``doing``, ``writing_out``, ``keeping_text``, ``retelling``, ``summary_makers``,
    ``histories``, ``dropping``, ``models``, ``agents``, ``asking``, ``asking_models``, ``language_models``,
    ``requests``, ``caching_first`` and ``caching_last`` are single words of names. ``body_keys``, ``text_keys``,
    ``inner_bodies``, ``conversations``, ``asked_keys``, ``answer_keys`` and ``agent_arguments`` are names of what is
    handed on, not of what is called, and ``templates`` words of such names. ``filling`` includes ``filling_text``,
    ``elsewhere`` includes ``showing``.
    ``handing_on`` gives the argument's place.
    """

    sending: frozenset[str]
    sending_parts: re.Pattern[str]
    plain_sending: frozenset[str]
    models: frozenset[str]
    asking: frozenset[str]
    asking_models: frozenset[str]
    language_models: frozenset[str]
    tasking: frozenset[str]
    agents: frozenset[str]
    making: frozenset[str]
    requests: frozenset[str]
    posting: frozenset[str]
    body_keys: frozenset[str]
    text_keys: frozenset[str]
    inner_bodies: frozenset[str]
    agent_arguments: frozenset[str]
    adding_to_system: frozenset[str]
    setting_system: frozenset[str]
    answering: frozenset[str]
    conversations: frozenset[str]
    running: frozenset[str]
    running_itself: frozenset[str]
    filling: frozenset[str]
    filling_text: frozenset[str]
    templates: frozenset[str]
    building: frozenset[str]
    verbs: frozenset[str]
    relations: frozenset[str]
    managing: frozenset[str]
    retrieving: frozenset[str]
    doing: frozenset[str]
    writing_out: frozenset[str]
    keeping_text: frozenset[str]
    retelling: frozenset[str]
    summary_makers: frozenset[str]
    histories: frozenset[str]
    summing_up: re.Pattern[str]
    shortening: re.Pattern[str]
    dropping: frozenset[str]
    elsewhere: frozenset[str]
    showing: frozenset[str]
    measuring: frozenset[str]
    asked_keys: frozenset[str]
    answer_keys: frozenset[str]
    storing: frozenset[str]
    counting: re.Pattern[str]
    caching_first: frozenset[str]
    caching_last: frozenset[str]
    mapping: frozenset[str]
    querying: frozenset[str]
    rows: frozenset[str]
    row_attributes: frozenset[str]
    backwards: frozenset[str]
    limits: frozenset[str]
    newest: frozenset[str]
    numbers: frozenset[str]
    ranges: frozenset[str]
    reversed_ranges: frozenset[str]
    caching: frozenset[str]
    plain: frozenset[str]
    record_bases: frozenset[str]
    handing_on: Mapping[str, int]


@lru_cache(maxsize=4096)
def hands_elsewhere(called: str) -> bool:
    """Whether a call of this name hands its text to something that is no model: to people, to a file, to a counter of
    tokens, to a store of earlier answers."""
    names = call_names()
    if called in names.elsewhere or names.counting.search(called) is not None:
        return True
    first, *rest = split_words(called) or ("",)
    return first in names.caching_first and bool(rest) and rest[-1] in names.caching_last


@lru_cache(maxsize=4096)
def sends_by_name(called: str) -> bool:
    """Whether a part of a call's name says that it sends."""
    return call_names().sending_parts.search(called) is not None


@cache
def call_names() -> CallNames:
    """The built-in table; raises ``TypeError`` on a malformed data file."""
    raw = package_data.table(__file__, "call_names.toml")
    del raw["date"]
    tables: dict[str, Any] = {name: frozenset(words) for name, words in raw.items()}
    tables["filling"] |= tables["filling_text"]
    tables["elsewhere"] |= tables["showing"]
    tables["handing_on"] = raw["handing_on"]
    for name in ("sending_parts", "summing_up", "shortening", "counting"):
        tables[name] = re.compile("|".join(map(re.escape, raw[name])), re.IGNORECASE)
    return CallNames(**tables)
