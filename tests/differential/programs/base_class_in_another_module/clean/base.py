from openai import OpenAI


class Agent:
    rules = ""

    def __init__(self):
        self.client = OpenAI()

    def head(self, name):
        return ""

    def ask(self, question, name):
        system = self.head(name) + "\n" + self.rules
        self.client.chat.completions.create(
            model="gpt-4o",
            messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
        )
