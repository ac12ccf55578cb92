from dataclasses import asdict, dataclass

from openai import OpenAI

client = OpenAI()
RULES = """You sort letters in a post office on an island. Letters for the north leave with the morning boat, those for
the south with the mail car. A letter without a stamp is delivered all the same, and the receiver pays. Parcels
over ten kilos wait for the Thursday ferry. Registered mail is signed for with full name. Medicine comes first
in any weather. When the sea is too high for the boat, hang out the yellow flag and write the delay on the
board. Read no postcard aloud, whatever it says."""


@dataclass
class Message:
    role: str
    content: str


def handle(question, user_name):
    messages = [Message("system", f"{RULES}\n{user_name}"), Message("user", question)]
    client.chat.completions.create(model="gpt-4o", messages=[asdict(m) for m in messages])
