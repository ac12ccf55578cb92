from openai import OpenAI

client = OpenAI(api_key="none")

# fault
PROMPT = """Reader: {{user_name}}
Question: {{question}}

You answer for the public library of a small town. Books are lent for four weeks and films for one. A reader
may keep thirty things at a time. What is late costs ten cents a day and never more than five euros. Children
pay nothing. A book that someone else has asked for cannot be kept longer. Rare maps stay in the reading room.
Speak of opening hours only when you are asked for them. Never tell one reader what another one has borrowed.
When you do not know, send people to the desk on the ground floor."""


def fill(text, values):
    for key, value in values.items():
        text = text.replace("{{" + str(key) + "}}", str(value))
    return text


def handle(question, user_name):
    prompt = fill(PROMPT, {"question": question, "user_name": user_name})
    client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": prompt}])
