"""The prompt is kept in one module and sent by another; the value that spoils it is made here."""

import uuid

from llm import complete
from prompts import TASK


def translate(text: str) -> str:
    return complete(TASK.format(job_id=uuid.uuid4().hex, text=text))
