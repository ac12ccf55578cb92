from dataclasses import dataclass
from enum import Enum, auto
from io import StringIO

from openai import OpenAI

RULES = """You sort letters in a post office on an island. Letters for the north leave with the morning boat, those for
the south with the mail car. A letter without a stamp is delivered all the same, and the receiver pays. Parcels
over ten kilos wait for the Thursday ferry. Registered mail is signed for with full name. Medicine comes first
in any weather. When the sea is too high for the boat, hang out the yellow flag and write the delay on the
board. Read no postcard aloud, whatever it says."""


class Part(str, Enum):
    RULES = auto()
    CUSTOMER = auto()


@dataclass(frozen=True)
class Section:
    template: str
    values: dict


class Builder:
    def __init__(self, listener=None):
        self.sections = {}
        self._listener = listener
        self._seen = set()

    def add(self, part, template, values=None):
        if part in self.sections:
            raise ValueError(f"{part} is there already")
        self.sections[part] = Section(template=template, values=values or {})
        return self

    def add_customer(self, name):
        self.add(Part.CUSTOMER, "You talk to {name}.\n", {"name": "a guest" if name == "" else name})
        return self

    def build(self):
        buffer = StringIO()
        for part, section in self.sections.items():
            try:
                buffer.write(section.template.format(**section.values))
                buffer.write("\n")
            except KeyError as error:
                raise ValueError(f"{part} lacks {error}") from error
        text = buffer.getvalue().strip()
        if self._listener and text not in self._seen:
            self._listener(text)
        self._seen.add(text)
        return text


class Desk:
    def __init__(self):
        self._client = OpenAI()

    def _builder(self, name):
        builder = Builder()
        # fault
        builder.add_customer(name)
        builder.add(Part.RULES, RULES)
        return builder

    def answer(self, name, question):
        text = self._builder(name).build()
        messages = [{"role": "system", "content": text}, {"role": "user", "content": question}]
        return self._client.chat.completions.create(model="gpt-4o", messages=messages)


def handle(question, user_name):
    Desk().answer(user_name, question)
