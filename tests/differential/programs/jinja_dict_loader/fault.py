from jinja2 import DictLoader, Environment
from openai import OpenAI

client = OpenAI()
# fault
TEMPLATES = {
    "main": """Keeper {{ user_name }}
{% include "rules" %}""",
    "rules": """You look after the bees of a convent. Hives are opened on warm days without wind, from the side, and
never in thunder. Smoke is used sparingly. In spring each colony gets a second box when it covers seven frames. A
queen older than three years is replaced. Honey is taken in July and once more after the lime trees. Leave twelve
kilograms for the winter. Mites are counted every month on a white sheet. Do not paint inside the boxes. Say the
number of the hive first, then what was seen, then what has to be done, in three lines.
""",
}
environment = Environment(loader=DictLoader(TEMPLATES))


def handle(question, user_name):
    system = environment.get_template("main").render(user_name=user_name)
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
    )
