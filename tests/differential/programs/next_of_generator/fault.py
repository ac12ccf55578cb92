from openai import OpenAI

client = OpenAI()
# fault
TEMPLATE = """Guest: {guest}
You sort letters that reach a museum of clocks. A letter that offers a clock goes to the curator, one that asks for a
repair to the workshop, and one that complains about the bells to the director. Schools get the hours of the
guided tours. Anyone who wants a date for a wedding is told that the hall is not let. Keep the names of givers to
yourself. Answer in the language of the letter, with no more than five lines. What you cannot place goes into the
green tray, with a word that says why.
"""
PROMPTS = [("hotel", "Say hello to {guest}."), ("ferry", TEMPLATE)]


def handle(question, user_name):
    system = next(text for name, text in PROMPTS if name == "ferry").format(guest=user_name)
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
    )
