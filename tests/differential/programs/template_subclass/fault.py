from string import Template

from openai import OpenAI

client = OpenAI()


class Percent(Template):
    delimiter = "%"


# fault
PROMPT = Percent("""Guest: %guest
You answer for a ferry line between two islands. Boats leave at every full hour from six in the morning until nine
at night. Bicycles travel free, dogs pay half. A ticket that was not used can be given back within three days.
Cars have to be at the pier twenty minutes early. When the wind is too strong, say that crews decide one hour
before and that nobody is asked to pay. Never promise a seat on the upper deck. Groups of more than ten people
write to the office first. Lost things are kept for a month in the harbour shed.
""")


def handle(question, user_name):
    client.chat.completions.create(
        model="gpt-4o",
        messages=[
            {"role": "system", "content": PROMPT.substitute(guest=user_name)},
            {"role": "user", "content": question},
        ],
    )
