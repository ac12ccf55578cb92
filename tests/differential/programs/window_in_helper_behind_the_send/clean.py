from openai import OpenAI

client = OpenAI()
RULES = """You answer callers of a mountain rescue station. Ask first where they are, then how many they are, then who is
hurt. Heights are given in metres. Nobody is told to walk down alone. When fog lies on the pass, send the dogs and not
the helicopter. A caller who is cold is kept on the line. The hut at the lake has a stove and eleven beds. Avalanche
warnings are read out word by word. Repeat the number of the marker post that the caller names, and say how long the
team will need. Between November and April add half an hour to every way on foot."""


class Station:
    def __init__(self):
        self.messages = [{"role": "system", "content": RULES}]

    def ask(self, question):
        self.messages.append({"role": "user", "content": question})
        reply = client.chat.completions.create(model="gpt-4o", messages=self.messages)
        self.messages.append({"role": "assistant", "content": reply.choices[0].message.content})
        self._shorten()

    def _shorten(self):
        if len(self.messages) > 200:
            del self.messages[1:100]


station = Station()


def handle(question):
    station.ask(question)
