from openai import OpenAI

client = OpenAI()


class Texts:
    def __init__(self, texts):
        self._texts = texts

    def __getattr__(self, name):
        return self._texts[name]


texts = Texts({"ferry": """You answer for a ferry line between two islands. Boats leave at every full hour from six in the morning until nine
at night. Bicycles travel free, dogs pay half. A ticket that was not used can be given back within three days.
Cars have to be at the pier twenty minutes early. When the wind is too strong, say that crews decide one hour
before and that nobody is asked to pay. Never promise a seat on the upper deck. Groups of more than ten people
write to the office first. Lost things are kept for a month in the harbour shed.
Guest: {guest}
"""})


def handle(question, user_name):
    system = texts.ferry.format(guest=user_name)
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
    )
