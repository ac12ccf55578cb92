from openai import OpenAI

client = OpenAI()

RULES = """Name the office that is in charge, its floor and its hours, and say which papers to bring along. Do
not give legal advice, and answer in two sentences."""
EXAMPLES = """

Two examples. A visitor who has lost a passport goes to the first floor, and an identity card is had on the ground
floor: say so, with the hours of both offices. A visitor who wants to complain goes to the ombudsman, who is in the
house on Tuesdays: give the number of the room and the telephone number, and say that a letter will do as well.
"""


def ask(question: str, show_examples: bool = False) -> str | None:
    # ok: PFX105
    prompt = f"A visitor of the town hall asks: {question}\n\n{RULES}"
    if show_examples:
        prompt += EXAMPLES
    return client.responses.create(model="gpt-4o", input=prompt).output_text
