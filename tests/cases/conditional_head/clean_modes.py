"""The optional paragraph comes last."""

from openai import OpenAI

client = OpenAI()

RULES = """You help with the accounts of an allotment garden club. Rent is due in March, water in October. A
plot that is given back in the middle of the year pays half. Late payers get one letter and then a visit by the
treasurer. Seeds bought together are shared by the size of the plot. Donations are written down with the day and
without the name. Never tell one member what another one owes. Sums are rounded to ten cents. When a figure is
missing, leave the line open and say which."""


def answer(question):
    prompt = RULES
    # ok: PFX109
    if "tax" in question:
        prompt += "\n\nThe club is a charity; keep income from members apart from all other income."
    return client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": prompt}, {"role": "user", "content": question}],
    )
