"""Rules first."""

from openai import OpenAI

client = OpenAI()

PLAN_RULES = """You plan walks for a school class. No walk is longer than nine kilometres or steeper than the
old quarry road. There is a fountain or a shop every hour. Roads without a pavement are crossed, never followed.
The way back is not the way out. In May the river path is closed because of the herons. Name the bus that takes
home whoever is tired, from the middle of the walk. Write the plan as five lines: start, first rest, noon,
second rest, end, each with a time, and add the telephone number of the forester.

Goal: {goal}
"""


def plan(goal):
    return client.chat.completions.create(
        model="gpt-4o", messages=[{"role": "user", "content": PLAN_RULES.format(goal=goal)}]
    )
