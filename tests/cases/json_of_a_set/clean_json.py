"""A dict keeps its order, and a sorted list has one."""

import json

from openai import OpenAI

client = OpenAI()

ALLERGENS = {"nuts": "N", "milk": "M", "egg": "E", "celery": "C", "mustard": "S", "fish": "F"}

MENU = """You write the menu of a school kitchen for a week. Each day has a soup, a dish and a fruit. A dish
that holds one of the allergens is marked with its first letter. Fish is served on Thursday, pancakes never
before a Friday. Leftovers of Monday come back on Tuesday under another name. No dish repeats within ten days.
Children who bring their own food still get the fruit. Write the week as a table of five lines, without prices
and without praise."""


def week(wishes):
    # ok: PFX203
    system = f"Allergens: {json.dumps(ALLERGENS)}\n\n{MENU}"
    return client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": wishes}],
    )
