"""The same with the clock at the end of the file."""

from datetime import datetime

from jinja2 import Environment, FileSystemLoader
from openai import OpenAI

client = OpenAI()
environment = Environment(loader=FileSystemLoader("prompts"))


def pilot(report):
    system = environment.get_template("clean_pilot.j2").render(clock=datetime.now().isoformat())
    return client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": report}],
    )
