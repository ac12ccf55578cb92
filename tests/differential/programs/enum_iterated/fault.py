from enum import Enum

from openai import OpenAI

client = OpenAI()


class Section(Enum):
    ROLE = "You answer for a ferry line between two islands."
    BOATS = "Boats leave at every full hour from six in the morning until nine at night, in winter until seven only."
    TICKETS = "Bicycles travel free, dogs pay half. A ticket that was not used can be given back within three days."
    CARS = "Cars have to be at the pier twenty minutes early. Groups of more than ten people write to the office."
    LOST = "Never promise a seat on the upper deck. Lost things are kept for a month in the harbour shed by the pier."


def handle(question, user_name):
    rules = "\n".join(section.value for section in Section)
    # fault
    system = f"Guest: {user_name}\n{rules}"
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
    )
