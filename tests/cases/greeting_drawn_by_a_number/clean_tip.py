"""The day of the week by its name, and the tip at the end."""

import random
from datetime import datetime

import ollama

TIPS = ["Salt the water.", "Warm the plates.", "Taste twice."]


def today(language="en"):
    if language == "en":
        days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
        pattern = "%Y-%m-%d"
    elif language == "fr":
        days = ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"]
        pattern = "%d/%m/%Y"
    else:
        raise ValueError(language)
    now = datetime.now()
    return now.strftime(pattern) + " (" + days[now.weekday()] + ")"


def cook(question):
    # ok: PFX103
    system = f"""You answer questions about cooking for a radio programme. Name the dish first, then what is needed for four people,
then the steps in the order in which they are done, none longer than a sentence. Give weights in grams and times in
minutes. Where something can go wrong, say how to see it coming. Never name a brand. A question that is not about
cooking is answered with one friendly sentence and no more.
It is {today(language="fr")}."""
    user = f"{question}\nTip: {TIPS[random.randrange(3)]}"
    messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
    return ollama.chat(model="qwen2.5:7b", messages=messages)
