# gap: fixed text in the earlier turns of a loop is part of their value
from openai import OpenAI

client = OpenAI()
RULES = """You announce trains in the station of a border town. Say the destination first, then the platform, then the
delay in minutes. Delays under four minutes are not mentioned. The last train is announced twice. If a platform
changes, begin with the word attention. Numbers are spoken digit by digit. Freight trains pass without notice,
but people are told to stand back from the edge. Between ten at night and six in the morning the bell stays
silent. Names of foreign cities are given in both languages, ours first."""


def main():
    messages = []
    while True:
        question = input("> ")
        if not question:
            break
        # fault
        messages.append({"role": "user", "content": question + "\n" + RULES})
        answer = client.chat.completions.create(model="gpt-4o", messages=messages)
        messages.append({"role": "assistant", "content": answer.choices[0].message.content})


if __name__ == "__main__":
    main()
