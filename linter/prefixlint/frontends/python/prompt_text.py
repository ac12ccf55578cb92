"""Whether a string reads like a prompt: by the names around it and by its words.

Used only where no known sink shows it. The default must be silence on code without prompts: help texts, HTML, SQL, code
generators and log messages.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from prefixlint.model.lifetimes import Confidence
from prefixlint.model.segments import Choice, Repeat, Text, literal_length

if TYPE_CHECKING:
    from collections.abc import Iterable

    from prefixlint.model.segments import Segment

MINIMUM_CHARACTERS = 160

PROMPT_NAME = re.compile(
    r"prompt|instruction|(^|_)instr(_|$)|system_?(message|msg|text|role)|sys_?msg|few_?shot|persona|(^|_)(tpl|llm)(_|$)|preamble",
    re.IGNORECASE,
)
_NOT_PROMPT_NAME = re.compile(
    r"help|usage|description|epilog|html|sql|css|regex|log|error|warning|readme|license|doc$", re.IGNORECASE
)
_WORDS = re.compile(
    r"\byou are (an?|the|now|going|given|in charge|responsible|tasked|provided|asked|acting)\b|\byour (task|job|goal|role|response|answer|output|objective|mission)\b|\bas an? (ai|expert|assistant|helpful|language model|experienced|professional)"
    r"|\bact as\b|\bplease (respond|answer|provide|generate|write|return|analy[sz]e|output|summari[sz]e|create|extract|only|do not|make sure|ensure|evaluate|identify)"
    r"|\b(respond|reply|answer|return|output) (only|in|with|using|as|the|a|valid|strictly|concisely|to the)\b|\bgiven (the|a|an|this) (following|above|below|user|question|context|text|document|conversation|input)"
    r"|\bbased on the (following|above|provided|given|context)|\b(the )?(following|above|below) (text|context|question|document|conversation|information|article|passage|instructions|json format|format)\b"
    r"|\bdo not (include|make up|add|use|output|provide|respond|repeat|mention|hallucinate|invent|answer|write|return)\b|\b(in|as|valid) (a )?json( format| object|$|\b)|\bstep[- ]by[- ]step\b|\blanguage model\b|\bassistant\b"
    r"|\byou (must|should|will|can|have access|may|need to|cannot|always|never)\b|\bmake sure (to|that|you)\b|\b(make|keep|ensure) (it|your|the) (answer|response|output|concise)|\bimportant:|\bguidelines?:|\brules?:|\binstructions?:|\bexamples?:|\boutput format|\bresponse format|\bquestion:|\bcontext:|\banswer:"
    r"|你是|请(根据|用|回答|输出|分析|将)|以下|回答|输出",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"<(html|div|body|table|script|style|head|svg|span|tr|td)\b|\b(SELECT|INSERT INTO|UPDATE|CREATE TABLE|DELETE FROM)\b.*\b(FROM|SET|VALUES|\()|^\s*(#include|def |class |import |from \w+ import|#!/|function |var |const )|\busage: ",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)


def fixed_text(segments: Iterable[Segment]) -> str:
    """All fixed text, choices and repeats included, values as a space."""
    out = []
    for segment in segments:
        if isinstance(segment, Text):
            out.append(segment.text)
        elif isinstance(segment, Choice):
            out.extend(fixed_text(arm) for arm in segment.arms)
        elif isinstance(segment, Repeat):
            out.append(fixed_text(segment.body))
        else:
            out.append(" ")
    return "".join(out)


@lru_cache(maxsize=4096)
def _score(text: str) -> int:
    """Number of different prompt phrases."""
    return len({match.group().lower() for match in _WORDS.finditer(text)})


def looks_like_prompt(name: str, segments: tuple[Segment, ...]) -> Confidence | None:
    """``HIGH`` where both name and words say so, ``LOW`` where only the words do, None where it is no prompt."""
    if literal_length(segments) < MINIMUM_CHARACTERS:
        return None
    text = fixed_text(segments)
    score = _score(text[:12_000])
    named = bool(PROMPT_NAME.search(name)) and not _NOT_PROMPT_NAME.search(name)
    if _CODE.search(text[:2_000]) and score < 4:
        return None
    if named and score >= 1:
        return Confidence.HIGH
    if score >= 3:
        return Confidence.HIGH
    return Confidence.LOW if named and len(text.split()) > 60 else None
