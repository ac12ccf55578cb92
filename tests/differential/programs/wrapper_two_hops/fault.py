from openai import OpenAI


class Model:
    def __init__(self, name):
        self.name = name
        self.client = OpenAI()

    def complete(self, messages):
        return self.client.chat.completions.create(model=self.name, messages=messages)


class Assistant:
    def __init__(self, model):
        self.model = model

    def run(self, system, text):
        return self.model.complete([{"role": "system", "content": system}, {"role": "user", "content": text}])


RULES = """You answer for the public library of a small town. Books are lent for four weeks and films for one. A reader
may keep thirty things at a time. What is late costs ten cents a day and never more than five euros. Children
pay nothing. A book that someone else has asked for cannot be kept longer. Rare maps stay in the reading room.
Speak of opening hours only when you are asked for them. Never tell one reader what another one has borrowed.
When you do not know, send people to the desk on the ground floor."""


def handle(question, session_id):
    assistant = Assistant(Model("gpt-4o"))
    # fault
    assistant.run(f"Session {session_id}\n{RULES}", question)
