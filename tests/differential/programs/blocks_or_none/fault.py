from openai import OpenAI

RULES = """You answer questions about parcels on an island. Parcels for the north leave with the morning boat, those
for the south with the mail car. A parcel without a stamp is delivered all the same, and the receiver pays. What
is heavier than ten kilos waits for the Thursday ferry. Registered mail is signed for with full name. Medicine
comes first in any weather. When the sea is too high for the boat, hang out the yellow flag and write the delay
on the board. Open no parcel, whatever it says."""


def blocks(found):
    if not found:
        return "(none)", "(none)"
    # fault
    return f"- {found[0]}", "\n".join(f"- {text}" for text in found[1:])


def handle(question, documents):
    first, others = blocks(documents)
    system = f"# First\n{first}\n# Others\n{others}\n\n{RULES}"
    client = OpenAI()
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
    )
