# gap: a counter in an attribute is taken for a constant
from openai import OpenAI

RULES = """You announce trains in the station of a border town. Say the destination first, then the platform, then the
delay in minutes. Delays under four minutes are not mentioned. The last train is announced twice. If a platform
changes, begin with the word attention. Numbers are spoken digit by digit. Freight trains pass without notice,
but people are told to stand back from the edge. Between ten at night and six in the morning the bell stays
silent. Names of foreign cities are given in both languages, ours first."""


class Voice:
    def __init__(self):
        self.client = OpenAI()
        self.count = 0

    def ask(self, question):
        self.count += 1
        system = f"{RULES}\nCall number {self.count}"
        self.client.chat.completions.create(
            model="gpt-4o",
            messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
        )


VOICE = Voice()


def handle(question):
    VOICE.ask(question)
