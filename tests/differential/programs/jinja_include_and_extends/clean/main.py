from pathlib import Path

from jinja2 import Environment, FileSystemLoader
from openai import OpenAI

client = OpenAI()
environment = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "prompts"), trim_blocks=True, lstrip_blocks=True
)


def handle(question, user_name):
    system = environment.get_template("bees.j2").render(user_name=user_name, spring=True)
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
    )
