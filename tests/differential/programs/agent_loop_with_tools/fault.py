from datetime import datetime

from openai import OpenAI

client = OpenAI()
RULES = """You answer for the public library of a small town. Books are lent for four weeks and films for one. A reader
may keep thirty things at a time. What is late costs ten cents a day and never more than five euros. Children
pay nothing. A book that someone else has asked for cannot be kept longer. Rare maps stay in the reading room.
Speak of opening hours only when you are asked for them. Never tell one reader what another one has borrowed.
When you do not know, send people to the desk on the ground floor."""
TOOLS = [{"type": "function", "function": {"name": "find_book", "parameters": {"type": "object"}}}]


def handle(question):
    # fault
    messages = [{"role": "system", "content": f"Now {datetime.now():%H:%M:%S}\n{RULES}"}, {"role": "user", "content": question}]
    while True:
        answer = client.chat.completions.create(model="gpt-4o", messages=messages, tools=TOOLS)
        said = answer.choices[0].message
        if not said.tool_calls:
            return
        messages.append({"role": "assistant", "content": said.content})
        for call in said.tool_calls:
            messages.append({"role": "tool", "content": call.function.arguments})
