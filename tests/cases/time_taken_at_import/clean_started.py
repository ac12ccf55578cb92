"""What never changes comes first, what the start of the process decides after it."""

from datetime import datetime

from openai import OpenAI

client = OpenAI()
STARTED = datetime.now()

SHOP = """You answer for a shop that sells kites. Beginners get a diamond, children a sled, everyone else the
question how strong the wind is where they live. A line is as long as the field is wide. Near an airport or a
power line you talk the buyer out of it. Repairs take a week in spring and a day in winter. Silk is sold by the
metre and never cut on a Sunday. Kites that came back broken are exchanged once. Keep to three sentences and end
with the wind of tomorrow, if you know it."""


def greet(question):
    return client.chat.completions.create(
        model="gpt-4o",
        messages=[
            {"role": "system", "content": f"{SHOP}\n\nService started {STARTED}"},
            {"role": "user", "content": question},
        ],
    )
