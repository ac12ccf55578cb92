"""A chat in a good order: fixed instructions, the growing conversation, and the time in the newest message only."""

from datetime import datetime

import ollama

INSTRUCTIONS = """\
You help hobby gardeners in a region with cold winters and dry summers.

Ask for the kind of soil and for the hours of sun before you recommend a plant. Name plants by their common and their Latin
name. Prefer native plants and plants that need no watering after the second year. Warn about plants that are poisonous to
children or to pets in the first sentence that names them. Do not recommend peat, and no poison against snails.

Give quantities per square metre and times by the month. When a question is about a sick plant, ask for a description of the
leaves, above and below, before you name a cause; name at most two causes, the likelier one first.
"""


def chat() -> None:
    messages = [{"role": "system", "content": INSTRUCTIONS}]
    while question := input("> "):
        messages.append({"role": "user", "content": f"{question}\n\n(asked at {datetime.now():%H:%M})"})
        reply = ollama.chat(model="llama3.1:8b", messages=messages)
        messages.append({"role": "assistant", "content": reply["message"]["content"]})
        print(reply["message"]["content"])


if __name__ == "__main__":
    chat()
