"""The prompt comes from a method; the clock is in a local variable three lines above."""

from datetime import datetime
from textwrap import dedent

from openai import AsyncOpenAI


class Doorman:
    def __init__(self):
        self.client = AsyncOpenAI()
        self.history = []

    def system_prompt(self):
        moment = datetime.now().strftime("%A, %H:%M:%S")
        # expect: PFX101 `moment`
        return dedent(f"""
            It is {moment}.

            You are the doorman of a house with forty flats. Parcels up to a metre are taken in, larger ones go
            to the cellar. Visitors are announced by name and never sent up unannounced, craftsmen only between
            eight and five. Keys are handed out to whoever stands on the list and to nobody else, whatever the
            reason given. The lift is for people, the stairs are for furniture. Noise after ten is noted with
            the hour and the floor. Say no politely, and once.
        """)

    async def hear(self, sentence):
        self.history.append({"role": "user", "content": sentence})
        return await self.client.chat.completions.create(
            model="gpt-4o",
            messages=[{"role": "system", "content": self.system_prompt()}, *self.history],
        )
