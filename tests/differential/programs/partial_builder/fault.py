from functools import partial

from openai import OpenAI

client = OpenAI()


def build(rules, head, tail):
    # fault
    return f"{head}\n{rules}\n{tail}"


build_train = partial(build, """You announce trains in the station of a border town. Say the destination first, then the platform, then the
delay in minutes. Delays under four minutes are not mentioned. The last train is announced twice. If a platform
changes, begin with the word attention. Numbers are spoken digit by digit. Freight trains pass without notice,
but people are told to stand back from the edge. Between ten at night and six in the morning the bell stays
silent. Names of foreign cities are given in both languages, ours first.""")


def handle(question, session_id):
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": build_train(session_id, "Mind the gap.")}, {"role": "user", "content": question}],
    )
