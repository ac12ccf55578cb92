"""All requests of a conversation have one."""

from openai import OpenAI

client = OpenAI()

SYSTEM = "You are the night porter of a hotel by the sea and answer the guests' questions by telephone."


def turn(conversation_id, messages):
    return client.chat.completions.create(
        model="gpt-4o",
        # ok: PFX406
        prompt_cache_key=conversation_id,
        messages=[{"role": "system", "content": SYSTEM}, *messages],
    )
