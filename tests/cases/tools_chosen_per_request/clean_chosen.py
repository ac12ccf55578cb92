"""All tools are sent each time; which of them are useful is said at the end."""

from openai import OpenAI

client = OpenAI()

SYSTEM = """You run the lights of a small theatre. Each scene has one colour and one brightness. Change the colour before
the brightness. When an actor misses a cue, hold the light and wait for the next line. The red lamp means that
the curtain is stuck; then all lamps go to half. Smoke is used only in the third act and never near the front
row. After the last bow the house lights come up slowly, and the stage stays lit until the hall is empty."""

TOOLS = [
    {"type": "function", "function": {"name": "set_colour"}},
    {"type": "function", "function": {"name": "set_brightness"}},
    {"type": "function", "function": {"name": "start_smoke"}},
]


def scene(question):
    asked = [{"role": "user", "content": f"Which tools does this need? {question}"}]
    wanted = client.chat.completions.create(model="gpt-4o-mini", messages=asked).choices[0].message.content
    return client.chat.completions.create(
        model="gpt-4o",
        # ok: PFX205
        tools=TOOLS,
        messages=[{"role": "system", "content": SYSTEM}, {"role": "user", "content": f"{question}\nUse: {wanted}"}],
    )
