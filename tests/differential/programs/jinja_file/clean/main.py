from pathlib import Path

from jinja2 import Environment, FileSystemLoader
from openai import OpenAI

client = OpenAI()
environment = Environment(loader=FileSystemLoader(Path(__file__).parent / "prompts"))


def handle(question, user_name):
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": environment.get_template("garden.j2").render(user_name=user_name)}, {"role": "user", "content": question}],
    )
