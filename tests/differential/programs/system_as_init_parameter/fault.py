from openai import OpenAI

DEFAULT = """You announce trains in the station of a border town. Say the destination first, then the platform, then the
delay in minutes. Delays under four minutes are not mentioned. The last train is announced twice. If a platform
changes, begin with the word attention. Numbers are spoken digit by digit. Freight trains pass without notice,
but people are told to stand back from the edge. Between ten at night and six in the morning the bell stays
silent. Names of foreign cities are given in both languages, ours first."""


class Agent:
    def __init__(self, system=DEFAULT, name=""):
        self.client = OpenAI()
        self.system = system
        self.name = name

    def run(self, question):
        # fault
        content = f"Passenger: {self.name}\n{self.system}"
        self.client.chat.completions.create(
            model="gpt-4o",
            messages=[{"role": "system", "content": content}, {"role": "user", "content": question}],
        )


def handle(question, user_name):
    Agent(name=user_name).run(question)
