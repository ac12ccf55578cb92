"""The template is imported."""

from openai import OpenAI

from fault_prompts import PLAN_PROMPT

client = OpenAI()


def plan(goal):
    return client.chat.completions.create(
        model="gpt-4o", messages=[{"role": "user", "content": PLAN_PROMPT.format(goal=goal)}]
    )
