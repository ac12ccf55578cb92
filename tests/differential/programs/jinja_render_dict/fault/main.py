from datetime import datetime
from pathlib import Path

from jinja2 import Template
from openai import OpenAI

client = OpenAI()
TEMPLATE = Template((Path(__file__).parent / "garden.jinja").read_text())


# fault: garden.jinja:1
def handle(question):
    values = {"now": datetime.now().strftime("%H:%M"), "place": "castle"}
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": TEMPLATE.render(**values)}, {"role": "user", "content": question}],
    )
