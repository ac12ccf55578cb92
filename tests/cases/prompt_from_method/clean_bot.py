"""Each message says when it was spoken; stored with it, the time never changes again."""

from datetime import datetime
from textwrap import dedent

from openai import AsyncOpenAI


class Doorman:
    def __init__(self):
        self.client = AsyncOpenAI()
        self.history = []

    def system_prompt(self):
        return dedent("""
            You are the doorman of a house with forty flats. Parcels up to a metre are taken in, larger ones go
            to the cellar. Visitors are announced by name and never sent up unannounced, craftsmen only between
            eight and five. Keys are handed out to whoever stands on the list and to nobody else, whatever the
            reason given. The lift is for people, the stairs are for furniture. Noise after ten is noted with
            the hour and the floor. Say no politely, and once.
        """)

    async def hear(self, sentence):
        moment = datetime.now().strftime("%A, %H:%M:%S")
        self.history.append({"role": "user", "content": f"({moment}) {sentence}"})
        return await self.client.chat.completions.create(
            model="gpt-4o",
            messages=[{"role": "system", "content": self.system_prompt()}, *self.history],
        )
