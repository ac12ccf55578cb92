from jinja2 import Environment
from openai import OpenAI

client = OpenAI()
TEMPLATE = Environment().from_string("""You announce trains in the station of a border town. Say the destination first, then the platform, then the
delay in minutes. Delays under four minutes are not mentioned. The last train is announced twice. If a platform
changes, begin with the word attention. Numbers are spoken digit by digit. Freight trains pass without notice,
but people are told to stand back from the edge. Between ten at night and six in the morning the bell stays
silent. Names of foreign cities are given in both languages, ours first.
{% for d in documents %}- {{ d }}
{% endfor %}""")


def handle(question, documents):
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": TEMPLATE.render(documents=documents)}, {"role": "user", "content": question}],
    )
