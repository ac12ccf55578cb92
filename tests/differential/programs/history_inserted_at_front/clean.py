from openai import OpenAI

RULES = """You announce trains in the station of a border town. Say the destination first, then the platform, then the
delay in minutes. Delays under four minutes are not mentioned. The last train is announced twice. If a platform
changes, begin with the word attention. Numbers are spoken digit by digit. Freight trains pass without notice,
but people are told to stand back from the edge. Between ten at night and six in the morning the bell stays
silent. Names of foreign cities are given in both languages, ours first."""


class Voice:
    def __init__(self):
        self.client = OpenAI()
        self.messages = []

    def ask(self, question):
        self.messages.append({"role": "user", "content": question})
        system = {"role": "system", "content": RULES}
        self.client.chat.completions.create(model="gpt-4o", messages=[system, *self.messages])


VOICE = Voice()


def handle(question):
    VOICE.ask(question)
