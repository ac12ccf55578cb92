from dataclasses import dataclass, field

from openai import OpenAI

RULES = """You guide visitors through a museum of clocks. Begin in the cellar with the water clocks and end under the roof
with the ship chronometers. Never wind anything. Explain the escapement with the wooden model in room four.
Children may pull the rope of the tower clock once. Flash is not allowed in the enamel room. When the clocks
strike together, wait until they have ended. Dates before 1700 are given by century. If somebody asks for the
price of a piece, say that none of them is for sale."""


@dataclass
class Request:
    system: str
    messages: list = field(default_factory=list)
    model: str = "gpt-4o"


class Transport:
    def __init__(self):
        self._client = OpenAI()

    def send(self, request):
        messages = [{"role": "system", "content": request.system}, *request.messages]
        return self._client.chat.completions.create(model=request.model, messages=messages)


def handle(question, user_name):
    # fault
    request = Request(system=f"{user_name}\n{RULES}")
    request.messages.append({"role": "user", "content": question})
    Transport().send(request)
