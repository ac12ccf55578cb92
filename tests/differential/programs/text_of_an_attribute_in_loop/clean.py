from openai import OpenAI

RULES = """You answer for the harbour office of an island. Ferries leave at the full hour and wait for nobody. A berth for
the night costs by the metre and is paid at the kiosk. Dogs travel free on the lower deck. When the storm ball is
up, no small boat goes out. Lost things are kept for a year in the shed behind the slipway. Charts are sold, not
lent. Ask for the length of a boat before you name a price, and never promise a berth over the radio."""


class Office:
    def __init__(self, supported_piers):
        self.client = OpenAI()
        self.supported_piers = supported_piers
        self.prompt = f"{RULES}\n\nThe piers of the harbour:\n<piers>\n"
        for pier in self.supported_piers:
            self.prompt += f"Pier: {pier['name']}\n"
            self.prompt += f"Length of its boats: {pier.get('length', '')}\n"
        self.prompt += "</piers>\n"

    def ask(self, documents, question):
        messages = [
            {"role": "system", "content": self.prompt},
            {"role": "user", "content": "\n".join(documents) + "\n" + question},
        ]
        self.client.chat.completions.create(model="gpt-4o", messages=messages)


OFFICE = Office([{"name": "north", "length": "up to eight metres"}, {"name": "south", "length": "any"}])


def handle(documents, question):
    OFFICE.ask(documents, question)
