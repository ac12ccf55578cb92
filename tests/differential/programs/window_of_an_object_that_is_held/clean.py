from openai import OpenAI

client = OpenAI()
RULES = """You answer callers of a mountain rescue station. Ask first where they are, then how many they are, then who is
hurt. Heights are given in metres. Nobody is told to walk down alone. When fog lies on the pass, send the dogs and not
the helicopter. A caller who is cold is kept on the line. The hut at the lake has a stove and eleven beds. Avalanche
warnings are read out word by word. Repeat the number of the marker post that the caller names, and say how long the
team will need. Between November and April add half an hour to every way on foot."""


class Model:
    def __init__(self, system):
        self.messages = [{"role": "system", "content": system}]

    def add(self, role, text):
        self.messages.append({"role": role, "content": text})

    def drop(self, index):
        if index < len(self.messages):
            self.messages.pop(index)

    def answer(self):
        reply = client.chat.completions.create(model="gpt-4o", messages=self.messages)
        return reply.choices[0].message.content


class Station:
    def __init__(self):
        self.model = Model(RULES)

    def ask(self, question):
        self.model.add("user", question)
        self.model.add("assistant", self.model.answer())
        print(len(self.model.messages), "messages")


station = Station()


def handle(question):
    station.ask(question)
