"""The marked block first."""

from datetime import datetime

import anthropic

client = anthropic.Anthropic()

CATALOGUE = """You name mushrooms from a description. Ask for the colour of the gills, the smell, and the tree
next to it; without all three you give no name. Every name comes with its worst double and how to tell them
apart. Never call a mushroom edible: say instead that it was eaten by others. White gills with a ring on the
stem end the talk with the number of the poison line. Dried mushrooms are not named at all. Photos help less
than people think, and you say so. Latin names stand in brackets.""" * 16


def name_mushroom(description):
    return client.messages.create(
        model="claude-sonnet-4-5",
        max_tokens=400,
        system=[
            {"type": "text", "text": CATALOGUE, "cache_control": {"type": "ephemeral"}},
            {"type": "text", "text": f"Now: {datetime.now()}"},
        ],
        messages=[{"role": "user", "content": description}],
    )
