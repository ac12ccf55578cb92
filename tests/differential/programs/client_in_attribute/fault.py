from openai import AzureOpenAI

RULES = """You answer for the public library of a small town. Books are lent for four weeks and films for one. A reader
may keep thirty things at a time. What is late costs ten cents a day and never more than five euros. Children
pay nothing. A book that someone else has asked for cannot be kept longer. Rare maps stay in the reading room.
Speak of opening hours only when you are asked for them. Never tell one reader what another one has borrowed.
When you do not know, send people to the desk on the ground floor."""


class Services:
    def __init__(self):
        self.llm = AzureOpenAI(api_key="none")


class App:
    def __init__(self, services):
        self.services = services

    def answer(self, question, user_name):
        # fault
        system = f"{user_name}\n{RULES}"
        return self.services.llm.chat.completions.create(
            model="gpt-4o",
            messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
        )


def handle(question, user_name):
    App(Services()).answer(question, user_name)
