"""The names of tools are kept in a set, and the tool list is built from it: tools stand in front of all messages."""

from openai import OpenAI

client = OpenAI()

SYSTEM = """You run the stage of a puppet theatre. Each scene has one light, one sound and at most three
puppets. Change the light before the sound. A puppet that leaves is put down before the next one comes up. When
a child in the audience calls out, let the puppet answer. The crocodile never enters from the left. If a string
tears, close the curtain and play the march. At the end all puppets bow in the order in which they came on, and
the light goes down slowly."""

ACTIVE = {"set_light", "play_sound", "move_puppet", "close_curtain"}


def scene(messages):
    tools = [{"type": "function", "function": {"name": name, "parameters": {"type": "object"}}} for name in ACTIVE]
    return client.chat.completions.create(
        model="gpt-4o",
        # expect: PFX205 `tools`
        tools=tools,
        messages=[{"role": "system", "content": SYSTEM}, *messages],
    )
