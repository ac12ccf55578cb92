"""The same values behind the rules, what lasts longest first."""

import uuid
from datetime import datetime

from openai import OpenAI

client = OpenAI()

RULES = """You are the desk of a repair shop for typewriters. Ask for the make and the year before anything
else. Ribbons are sold by the pair. A machine that was dropped is looked at before a price is named, and the
look is free. Spare parts for makes older than 1920 are made by hand and take six weeks. Do not promise a day.
Letters that print too high are a matter of the carriage, not of the type. When the owner wants to throw the
machine away, offer to buy it. Close each answer with the opening hours."""


def desk(user, question):
    return client.chat.completions.create(
        model="gpt-4o",
        messages=[
            {"role": "system", "content": f"{RULES}\n\nLocale {user.locale}, {datetime.now():%H:%M}, ticket {uuid.uuid4()}"},
            {"role": "user", "content": question},
        ],
    )
