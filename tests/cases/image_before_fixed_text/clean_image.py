"""Fixed text first, picture last."""

from openai import OpenAI

client = OpenAI()

READ = """Read the gauge in the picture. Give the needle's value with one decimal, the unit as it is printed,
and the upper end of the scale. If the needle stands between two marks, take the nearer one. A gauge with two
scales is read on the outer one. Glare over the needle: say so and give no value. A cracked glass is mentioned
after the value. If the picture shows no gauge, answer with the word none. Do not describe the surroundings, and
do not say what the gauge is for."""


def read_gauge(image_url):
    return client.chat.completions.create(
        model="gpt-4o",
        messages=[
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": READ},
                    # ok: PFX110
                    {"type": "image_url", "image_url": {"url": image_url}},
                ],
            }
        ],
    )
