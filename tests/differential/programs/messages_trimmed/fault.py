from openai import OpenAI

client = OpenAI()
RULES = """You announce trains in the station of a border town. Say the destination first, then the platform, then the
delay in minutes. Delays under four minutes are not mentioned. The last train is announced twice. If a platform
changes, begin with the word attention. Numbers are spoken digit by digit. Freight trains pass without notice,
but people are told to stand back from the edge. Between ten at night and six in the morning the bell stays
silent. Names of foreign cities are given in both languages, ours first."""


def handle(question, history):
    messages = [{"role": "system", "content": RULES}, *history, {"role": "user", "content": question}]
    # fault
    messages = [messages[0]] + messages[-3:]
    messages[-1]["content"] += "\n" + RULES
    client.chat.completions.create(model="gpt-4o", messages=messages)
