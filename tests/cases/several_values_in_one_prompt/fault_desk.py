"""Three values in front of the rules, each reported once, with its own rule."""

import uuid
from datetime import datetime

from openai import OpenAI

client = OpenAI()


def desk(user, question):
    # expect: PFX106 `user.locale`
    # expect: PFX101 `datetime.now()`
    # expect: PFX102 `uuid.uuid4()`
    system = f"""Locale {user.locale}, {datetime.now():%H:%M}, ticket {uuid.uuid4()}

You are the desk of a repair shop for typewriters. Ask for the make and the year before anything else. Ribbons
are sold by the pair. A machine that was dropped is looked at before a price is named, and the look is free.
Spare parts for makes older than 1920 are made by hand and take six weeks. Do not promise a day. Letters that
print too high are a matter of the carriage, not of the type. When the owner wants to throw the machine away,
offer to buy it. Close each answer with the opening hours."""
    return client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
    )
