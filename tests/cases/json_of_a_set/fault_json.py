"""json.dumps keeps the order of its list, and the list has that of a set."""

import json

from openai import OpenAI

client = OpenAI()

ALLERGENS = {"nuts", "milk", "egg", "celery", "mustard", "fish"}

MENU = """You write the menu of a school kitchen for a week. Each day has a soup, a dish and a fruit. A dish
that holds one of the allergens is marked with its first letter. Fish is served on Thursday, pancakes never
before a Friday. Leftovers of Monday come back on Tuesday under another name. No dish repeats within ten days.
Children who bring their own food still get the fruit. Write the week as a table of five lines, without prices
and without praise."""


def week(wishes):
    # expect: PFX203 `json.dumps(list(ALLERGENS))`
    system = f"Allergens: {json.dumps(list(ALLERGENS))}\n\n{MENU}"
    return client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": wishes}],
    )
