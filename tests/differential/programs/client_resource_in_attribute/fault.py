from openai import OpenAI

RULES = """You answer for the public library of a small town. Books are lent for four weeks and films for one. A reader
may keep thirty things at a time. What is late costs ten cents a day and never more than five euros. Children
pay nothing. A book that someone else has asked for cannot be kept longer. Rare maps stay in the reading room.
Speak of opening hours only when you are asked for them. Never tell one reader what another one has borrowed.
When you do not know, send people to the desk on the ground floor."""


class Desk:
    def __init__(self):
        self.completions = OpenAI(api_key="none").chat.completions

    def answer(self, question, user_name):
        # fault
        system = f"{user_name}\n{RULES}"
        request = {
            "model": "gpt-4o",
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": question}],
        }
        return self.completions.create(**request)


def handle(question, user_name):
    Desk().answer(question, user_name)
