from openai import OpenAI
from texts import load

client = OpenAI()


class Agent:
    prompt_name = "ferry"

    @property
    def template(self):
        return load(self.prompt_name)

    def ask(self, question, guest):
        client.chat.completions.create(
            model="gpt-4o",
            messages=[
                {"role": "system", "content": self.template.format(guest=guest)},
                {"role": "user", "content": question},
            ],
        )


def handle(question, user_name):
    Agent().ask(question, user_name)
