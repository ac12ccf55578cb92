"""A tip drawn from a list by a random place, in front of the rules."""

import random

import ollama

TIPS = ["Salt the water.", "Warm the plates.", "Taste twice."]


def cook(question):
    # expect: PFX103 `TIPS[random.randrange(3)]`
    system = f"""Today's tip: {TIPS[random.randrange(3)]}
You answer questions about cooking for a radio programme. Name the dish first, then what is needed for four people,
then the steps in the order in which they are done, none longer than a sentence. Give weights in grams and times in
minutes. Where something can go wrong, say how to see it coming. Never name a brand. A question that is not about
cooking is answered with one friendly sentence and no more."""
    messages = [{"role": "system", "content": system}, {"role": "user", "content": question}]
    return ollama.chat(model="qwen2.5:7b", messages=messages)
