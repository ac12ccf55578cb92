from openai import OpenAI

client = OpenAI()
RULES = """You keep the diary of a lighthouse. Ships are entered with name, flag and heading, storms with the hour at which
the glass fell. Nothing is written about quarrels. The oil is measured on Sundays and the lamp is trimmed at dusk. Birds
that strike the glass are counted by kind. Letters from the mainland are answered within the week. If fog hides the
reef, sound the horn twice a minute and enter every quarter of an hour. Supplies come on the first of the month, when
the sea allows. Do not write what you have not seen."""


class Diary:
    def __init__(self):
        self.messages = []

    def ask(self, question):
        self.messages = [*self.messages, {"role": "user", "content": question}]
        if len(self.messages) > 2:
            # fault
            self.messages = self.messages[2:]
        rules = {"role": "system", "content": RULES}
        answer = client.chat.completions.create(model="gpt-4o", messages=[rules, *self.messages])
        said = answer.choices[0].message.content
        self.messages = self.messages + [{"role": "assistant", "content": said}]


diary = Diary()


def handle(question):
    diary.ask(question)
