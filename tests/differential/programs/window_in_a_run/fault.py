from openai import OpenAI

client = OpenAI()
RULES = """You keep the diary of a lighthouse. Ships are entered with name, flag and heading, storms with the hour at which
the glass fell. Nothing is written about quarrels. The oil is measured on Sundays and the lamp is trimmed at dusk. Birds
that strike the glass are counted by kind. Letters from the mainland are answered within the week. If fog hides the
reef, sound the horn twice a minute and enter every quarter of an hour. Supplies come on the first of the month, when
the sea allows. Do not write what you have not seen."""


def messages_for(steps, question):
    messages = [{"role": "system", "content": RULES}]
    first = len(steps) - 2
    # fault
    for step in steps[first if first > 0 else 0 :]:
        messages.append({"role": "user", "content": step["asked"]})
        messages.append({"role": "assistant", "content": step["entered"]})
    return [*messages, {"role": "user", "content": question + "\n" + RULES}]


def handle(question, history):
    steps = []
    for message in history:
        answer = client.chat.completions.create(model="gpt-4o", messages=messages_for(steps, message["content"]))
        steps.append({"asked": message["content"], "entered": answer.choices[0].message.content})
