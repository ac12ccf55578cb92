from openai import OpenAI

client = OpenAI()
RULES = """You judge whether a note is meant for the kitchen, the laundry or the desk of a small hotel. Notes about food and
drink go to the kitchen, notes about sheets, towels and shirts to the laundry, and everything else to the desk. A note
that names two of them goes to the desk. Answer with one word. Do not answer the note itself. A note that is empty or
cannot be read goes to the desk as well, and so does one that complains of noise."""


def handle(history):
    newest = history[-1]["content"]
    # fault
    text = f"Note: {newest}\n\n{RULES}"
    client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": text}])
