"""The same tools, sorted by name."""

import asyncio

from openai import OpenAI

client = OpenAI()

SYSTEM = """You run the lights of a small theatre. Each scene has one colour and one brightness. Change the colour before
the brightness. When an actor misses a cue, hold the light and wait for the next line. The red lamp means that
the curtain is stuck; then all lamps go to half. Smoke is used only in the third act and never near the front
row. After the last bow the house lights come up slowly, and the stage stays lit until the hall is empty."""


async def scene(question, servers):
    tools = []
    for answered in asyncio.as_completed([server.list_tools() for server in servers]):
        tools.extend(await answered)
    tools = sorted(tools, key=lambda tool: tool["name"])
    # ok: PFX205
    return client.chat.completions.create(
        model="gpt-4o",
        tools=tools,
        messages=[{"role": "system", "content": SYSTEM}, {"role": "user", "content": question}],
    )
